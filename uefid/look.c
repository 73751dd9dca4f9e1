/* Reading a store without touching it. */
#include "uefid/look.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "common/subjects.h"
#include "uefid/region.h"
#include "uefid/store_impl.h"

#define REWRITE_MS	50	/* before firmware may be done with it */
#define REWRITE_LOOKS	40

void
look_deinit(struct look *l)
{
	free(l->versions);
	buf_deinit(&l->region);
	*l = (struct look){ 0 };
}

static enum store_result
look_at_record(struct store_call *c, struct look *l)
{
	enum cas_result cas = CAS_OK;
	uint64_t revision = 0;
	enum uefi_result u = uefi_record_get(c->env->records, c->instance_id, &l->record,
	    &revision, &cas);

	if (u != UEFI_OK && u != UEFI_NOT_FOUND)
		return store_fail_record(c, u, cas);
	l->has_record = u == UEFI_OK;
	l->is_deleting = l->has_record && l->record.deleting;
	l->is_gone = u == UEFI_NOT_FOUND && revision != 0;
	return STORE_OK;
}

static enum store_result
look_at_claim(struct store_call *c, struct look *l)
{
	char key[CAS_KEY_MAX + 1];
	enum cas_result cas = CAS_OK;
	enum claim_result r;
	uint64_t revision;

	snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", c->instance_id);
	r = claim_read(c->env->sync, key, &l->claim, &revision, &cas);
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	l->has_claim = l->claim.holder[0] != '\0';
	return STORE_OK;
}

static void
look_at_local(struct store_call *c, struct look *l)
{
	char why[JSON_WHY_MAX];
	int lock;

	l->has_local = copy_seeded(&c->copy, &l->local, why) == REUSE_PRESENT;
	l->local_state = copy_state(&c->copy);
	if (!l->has_local)
		return;
	lock = copy_lock(&c->copy);
	l->is_locked = lock == -EWOULDBLOCK;
	if (lock >= 0)
		close(lock);
}

static enum store_result
look_at_objects(struct store_call *c, struct look *l)
{
	AUTO(object_list) struct object_list list = { 0 };
	const struct objects *s = c->env->objects;
	char prefix[UEFI_KEY_MAX + 1], why[JSON_WHY_MAX];
	enum object_result o;

	version_prefix(c->instance_id, prefix);
	o = s->list(s->ctx, prefix, &list, why);
	if (o != OBJECT_OK)
		return store_fail_object(c, o, why);
	l->versions = calloc(list.n ? list.n : 1, sizeof(*l->versions));
	if (!l->versions)
		return store_fail(c, STORE_UNAVAILABLE, "no memory");
	for (size_t i = 0; i < list.n; i++)
		version_from_info(&list.v[i], &l->versions[i]);
	l->nversions = list.n;
	return STORE_OK;
}

enum store_result
look_at(struct store_call *c, struct look *ret)
{
	enum store_result res = store_begin(c);

	if (res == STORE_OK)
		res = look_at_record(c, ret);
	if (res == STORE_OK)
		res = look_at_claim(c, ret);
	if (res == STORE_OK)
		res = look_at_objects(c, ret);
	if (res == STORE_OK)
		look_at_local(c, ret);
	return res;
}

/* Does a guest run whose firmware puts a rewritten store in its place?  Until that is done the
 * variables are not where they belong. */
static bool
is_being_rewritten(const struct store_call *c, const struct buf *b)
{
	char why[JSON_WHY_MAX];
	struct region r;
	int lock;

	if (region_open(b->data, b->len, b->len, &r, why) < 0 ||
	    (!r.in_spare && !region_is_being_rewritten(&r)))
		return false;
	lock = copy_lock(&c->copy);
	if (lock >= 0)
		close(lock);
	return lock == -EWOULDBLOCK;
}

static enum store_result
take_local(struct store_call *c, struct look *ret)
{
	int e = copy_snapshot(&c->copy, &ret->region);

	for (int i = 0; e == 0 && is_being_rewritten(c, &ret->region); i++) {
		if (i == REWRITE_LOOKS)
			return store_fail(c, STORE_UNAVAILABLE, "%s: firmware is rewriting it",
			    c->copy.vars);
		(void)poll(NULL, 0, REWRITE_MS);
		e = copy_snapshot(&c->copy, &ret->region);
	}
	if (e == -EAGAIN)
		return store_fail(c, STORE_UNAVAILABLE, "the guest writes without a pause");
	if (e < 0)
		return store_fail_errno(c, c->copy.vars, e);
	ret->from_local = true;
	return STORE_OK;
}

enum store_result
look_vars(struct store_call *c, struct look *ret)
{
	char why[JSON_WHY_MAX], key[UEFI_KEY_MAX + 1];
	struct uefi_record r;
	struct seeded s;
	enum object_result o;
	enum store_result res = store_begin(c);

	if (res != STORE_OK)
		return res;
	ret->region = BUF_EMPTY(REGION_MAX);
	if (c->version[0] == '\0' && copy_seeded(&c->copy, &s, why) == REUSE_PRESENT && copy_has_vars(&c->copy))
		return take_local(c, ret);
	res = store_record(c, &r);
	if (res != STORE_OK)
		return res;
	if (r.pointer.key[0] == '\0')
		return store_fail(c, STORE_NO_STORE, "the store of %s was never seeded",
		    c->instance_id);
	snprintf(key, sizeof(key), "%s", r.pointer.key);
	if (c->version[0] != '\0')
		snprintf(key, sizeof(key), "uefi/%s/%s", c->instance_id, c->version);
	if (!uefi_key_is_of(key, c->instance_id))
		return store_fail(c, STORE_INVALID, "%s is no version", c->version);
	o = version_get(c->env->objects, key, r.pointer.firmware.vars_size, &ret->region, NULL, why);
	if (o == OBJECT_NOT_FOUND && c->version[0] != '\0')
		return store_fail(c, STORE_INVALID, "%s has no version %s", c->instance_id,
		    c->version);
	return o == OBJECT_OK ? STORE_OK : store_fail_get(c, key, o, why);
}

enum store_result
look_image(struct store_call *c, struct look *ret)
{
	char why[JSON_WHY_MAX];
	enum object_result o;

	ret->region = BUF_EMPTY(0);
	if (!uefi_key_is_of(c->image_key, c->image_id))
		return store_fail(c, STORE_INVALID, "%s is no object of image %s", c->image_key,
		    c->image_id);
	o = version_get(c->env->objects, c->image_key, 0, &ret->region, NULL, why);
	return o == OBJECT_OK ? STORE_OK : store_fail_get(c, c->image_key, o, why);
}
