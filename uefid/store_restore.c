/*
 * Going back to an earlier version, or to variables from outside, while no guest has the store:
 * a new object with those bytes, and the pointer there under a claim of its own.  Killed between any two steps it leaves
 * a claim without a copy, which the node's loop gives back, and at most one surplus object.
 */
#include "uefid/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* No guest can have it: not here by the lock and vmd's word, not elsewhere by the claim. */
static enum store_result
check_idle(struct store_call *c)
{
	char why[JSON_WHY_MAX];
	struct seeded s;
	AUTO(fd) int lock = copy_lock(&c->copy);

	if (lock == -EWOULDBLOCK)
		return store_fail(c, STORE_BUSY, "a guest of %s is running", c->instance_id);
	if (lock < 0 && lock != -ENOENT)
		return store_fail_errno(c, c->copy.lock, lock);
	if (copy_seeded(&c->copy, &s, why) != REUSE_ABSENT || copy_has_vars(&c->copy)) {
		c->has_copy = true;
		return store_fail(c, STORE_BUSY, "the copy of %s here is not closed yet",
		    c->instance_id);
	}
	if (c->env->launch(c->env->world, c->instance_id) != STORE_LAUNCH_NO)
		return store_fail(c, STORE_BUSY, "%s may be in launch here", c->instance_id);
	return STORE_OK;
}

/* The version's bytes, checked, and what its metadata says. */
static enum store_result
fetch(struct store_call *c, const struct uefi_record *r, struct buf *ret, struct version *ret_v)
{
	char key[UEFI_KEY_MAX + 1], why[JSON_WHY_MAX];
	enum object_result o;
	int n = snprintf(key, sizeof(key), "uefi/%s/%s", c->instance_id, c->version);

	if (n < 0 || (size_t)n >= sizeof(key) || !uefi_key_is_of(key, c->instance_id))
		return store_fail(c, STORE_INVALID, "%s is no version", c->version);
	if (r->pointer.key[0] == '\0')
		return store_fail(c, STORE_NO_STORE, "the store of %s was never seeded",
		    c->instance_id);
	o = version_get(c->env->objects, key, r->pointer.firmware.vars_size, ret, ret_v, why);
	if (o == OBJECT_NOT_FOUND)
		return store_fail(c, STORE_INVALID, "%s has no version %s", c->instance_id,
		    c->version);
	snprintf(ret_v->source, sizeof(ret_v->source), VERSION_ROLLBACK "%s", c->version);
	return o == OBJECT_OK ? STORE_OK : store_fail_get(c, key, o, why);
}

/* The shape of the pointer's object, and the variables that were sent. */
static enum store_result
compose(struct store_call *c, const struct uefi_record *r, struct buf *ret,
    struct version *ret_v)
{
	AUTO(buf) struct buf now = BUF_EMPTY(0);
	char why[JSON_WHY_MAX];
	enum object_result o;

	if (r->pointer.key[0] == '\0')
		return store_fail(c, STORE_NO_STORE, "the store of %s was never seeded",
		    c->instance_id);
	o = version_get(c->env->objects, r->pointer.key, r->pointer.firmware.vars_size, &now, ret_v,
	    why);
	if (o != OBJECT_OK)
		return store_fail_get(c, r->pointer.key, o, why);
	snprintf(ret_v->source, sizeof(ret_v->source), VERSION_IMPORT);
	return store_fill(c, &now, ret);
}

static enum store_result
check_version(struct store_call *c, const struct uefi_record *r, const struct version *v)
{
	const struct uefi_firmware *now = &r->pointer.firmware;

	if (strcmp(v->firmware.arch, now->arch) != 0 || v->firmware.vars_size != now->vars_size)
		return store_fail(c, STORE_MISMATCH, "%s is for %s with %llu bytes of variables, the "
		    "store for %s with %llu", v->source, v->firmware.arch,
		    (unsigned long long)v->firmware.vars_size, now->arch,
		    (unsigned long long)now->vars_size);
	return STORE_OK;
}

/* The claim is ours. */
static enum store_result
put_and_move(struct store_call *c, const struct buf *region, const struct version *from)
{
	struct version v = { .firmware = from->firmware };
	enum cas_result cas = CAS_OK;
	struct uefi_record r;
	enum store_result res;
	enum uefi_result u = uefi_record_stamp(c->env->records, c->instance_id, c->generation, &r,
	    &cas);

	if (u != UEFI_OK)
		return store_fail_record(c, u, cas);
	/* The store may have been opened, written and closed since it was looked at. */
	res = check_version(c, &r, from);
	if (res != STORE_OK)
		return res;
	snprintf(v.source, sizeof(v.source), "%s", from->source);
	res = store_put(c, &v, r.pointer.key, region);
	if (res != STORE_OK)
		return res;
	u = store_move(c, &v, &cas);
	if (u != UEFI_OK)
		return store_fail_record(c, u, cas);
	snprintf(c->key, sizeof(c->key), "%s", v.key);
	c->has_saved = true;
	return STORE_OK;
}

typedef enum store_result make_fn(struct store_call *c, const struct uefi_record *r,
    struct buf *ret, struct version *ret_v);

static enum store_result
replace(struct store_call *c, make_fn *make)
{
	AUTO(buf) struct buf region = BUF_EMPTY(0);
	struct version from = { 0 };
	struct uefi_record r;
	enum store_result res = store_begin(c), freed;
	char why[STORE_WHY_MAX];

	if (res == STORE_OK)
		res = store_record(c, &r);
	if (res == STORE_OK)
		res = make(c, &r, &region, &from);
	if (res == STORE_OK)
		res = check_version(c, &r, &from);
	if (res == STORE_OK)
		res = check_idle(c);
	c->keep_owed = true;		/* what another node holds is left to it, dead or not */
	if (res == STORE_OK)
		res = store_claim(c);
	if (res != STORE_OK)
		return res;
	res = put_and_move(c, &region, &from);
	if (res == STORE_OK)
		store_prune(c);
	memcpy(why, c->why, sizeof(why));
	freed = store_unclaim(c);		/* else the node's loop does it */
	if (res != STORE_OK || freed == STORE_OK)
		memcpy(c->why, why, sizeof(why));
	/* It is done: what could not be given back yet is nobody's failure. */
	return res;
}

enum store_result
store_restore(struct store_call *c)
{
	return replace(c, fetch);
}

enum store_result
store_import(struct store_call *c)
{
	return replace(c, compose);
}
