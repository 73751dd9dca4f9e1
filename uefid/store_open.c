/* Seeding a store and opening it for a launch. */
#include "uefid/store_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "uefid/region.h"

/* ---- seed ---- */

/* The record of a seed that a crash ended, at our generation now; or a new one. */
static enum store_result
seed_record(struct store_call *c, bool is_there)
{
	struct uefi_record r = { .generation = c->generation };
	enum cas_result cas = CAS_OK;
	enum uefi_result res;

	if (is_there) {
		res = uefi_record_stamp(c->env->records, c->instance_id, c->generation, &r, &cas);
	} else {
		snprintf(r.instance_id, sizeof(r.instance_id), "%s", c->instance_id);
		snprintf(r.account_id, sizeof(r.account_id), "%s", c->account_id);
		res = uefi_record_create(c->env->records, &r, &cas);
	}
	return res == UEFI_OK ? STORE_OK : store_fail_record(c, res, cas);
}

static enum store_result
seed_object(struct store_call *c)
{
	AUTO(buf) struct buf region = BUF_EMPTY(0);
	struct version v = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res = store_first(c, &region, &v);
	enum uefi_result u;

	if (res == STORE_OK)
		res = store_put(c, &v, "", &region);
	if (res != STORE_OK)
		return res;
	u = store_move(c, &v, &cas);
	if (u != UEFI_OK)
		return store_fail_record(c, u, cas);
	snprintf(c->key, sizeof(c->key), "%s", v.key);
	return STORE_OK;
}

enum store_result
store_seed(struct store_call *c)
{
	struct uefi_record r = { 0 };
	enum store_result res = store_begin(c);
	bool is_there;

	if (res == STORE_OK)
		res = store_firmware(c, c->arch, FIRMWARE_PLAIN, 0);
	if (res != STORE_OK)
		return res;
	res = store_record(c, &r);
	is_there = res == STORE_OK;
	if (!is_there && res != STORE_NO_STORE)
		return res;
	c->is_store_lost = false;
	if (is_there && strcmp(r.account_id, c->account_id) != 0)
		return store_fail(c, STORE_INVALID, "the store of %s is another account's",
		    c->instance_id);
	if (is_there && r.pointer.key[0] != '\0') {	/* asked twice */
		c->generation = r.generation;
		snprintf(c->key, sizeof(c->key), "%s", r.pointer.key);
		return STORE_OK;
	}
	res = store_claim(c);
	if (res == STORE_OK)
		res = seed_record(c, is_there);
	return res == STORE_OK ? seed_object(c) : res;
}

/* ---- open ---- */

/* The same size is enough for a guest to boot, so another build is an operator's choice. */
static enum store_result
check_code(struct store_call *c, const struct uefi_firmware *wanted)
{
	c->is_other_code = strcmp(c->firmware.id.code_sha256, wanted->code_sha256) != 0;
	if (!c->is_other_code || !c->env->exact_firmware)
		return STORE_OK;
	return store_fail(c, STORE_MISMATCH, "the store of %s was written by firmware %.16s, this "
	    "node's is %.16s, and firmware_match is exact", c->instance_id,
	    wanted->code_sha256[0] ? wanted->code_sha256 : "unknown", c->firmware.id.code_sha256);
}

static enum store_result
check_firmware(struct store_call *c, const struct uefi_record *r)
{
	const struct uefi_firmware *wanted = &r->pointer.firmware;
	const char *arch = c->arch[0] ? c->arch : wanted->arch;
	enum store_result res;

	if (r->pointer.key[0] == '\0')
		return store_fail(c, STORE_NO_STORE, "the store of %s was never seeded",
		    c->instance_id);
	res = store_firmware(c, arch, FIRMWARE_PLAIN, wanted->vars_size);
	if (res != STORE_OK)
		res = store_firmware(c, arch, FIRMWARE_PLAIN, 0);	/* to say what there is */
	if (res == STORE_OK && !firmware_fits(&c->firmware, wanted))
		return store_fail(c, STORE_MISMATCH, "the store of %s is for %s with %" PRIu64
		    " bytes of variables, this node's firmware for %s with %" PRIu64,
		    c->instance_id, wanted->arch, wanted->vars_size, c->firmware.id.arch,
		    c->firmware.id.vars_size);
	if (res != STORE_OK)
		return res;
	store_firmware_of(c, wanted);
	return check_code(c, wanted);
}

/* The lock is held: only the launch that holds it may ask again. */
static enum store_result
open_again(struct store_call *c)
{
	char why[JSON_WHY_MAX];
	enum store_result res;
	struct seeded s;

	c->is_locked = c->has_copy = true;
	if (copy_seeded(&c->copy, &s, why) != REUSE_PRESENT ||
	    strcmp(s.launch_id, c->launch_id) != 0)
		return store_fail(c, STORE_BUSY, "a guest of %s is running", c->instance_id);
	res = store_state(c);
	if (res != STORE_OK)
		return res;
	c->generation = s.generation;
	snprintf(c->key, sizeof(c->key), "%s", s.key);
	store_firmware_of(c, &s.firmware);
	/* Whoever asks again may be about to let the guest run. */
	res = store_confirm(c, s.generation);
	return res == STORE_FENCED ? store_lose(c, res) : res;
}

/* What lies there, with the bytes of vars.fd where they may matter. */
static enum store_result
look_at_copy(struct store_call *c, const struct uefi_record *r, struct reuse_facts *f,
    struct buf *vars, char sha256[static DIGEST_HEX + 1])
{
	char why[JSON_WHY_MAX];
	struct region region;
	int res;

	f->state = copy_seeded(&c->copy, &f->seeded, why);
	if (f->state == REUSE_UNREADABLE)
		return store_fail(c, STORE_UNREADABLE, "%s: %s", c->copy.seeded, why);
	f->has_vars = copy_has_vars(&c->copy);
	f->generation = c->generation;
	f->boot_id = c->env->boot_id;
	f->pointer_key = r->pointer.key;
	f->vars_sha256 = sha256;
	if (f->state != REUSE_PRESENT || !f->has_vars || f->seeded.generation != c->generation)
		return STORE_OK;
	res = copy_snapshot(&c->copy, vars);
	if (res == 0)
		res = digest_bytes(vars->data, vars->len, sha256);
	if (res < 0)
		return store_fail_errno(c, c->copy.vars, res);
	f->is_complete = region_open(vars->data, vars->len, r->pointer.firmware.vars_size,
	    &region, why) == 0 && region_is_complete(&region);
	return STORE_OK;
}

/* Keeps a doubtful copy as a version of its own. */
static enum store_result
set_aside(struct store_call *c, const struct reuse_facts *f, const struct buf *vars)
{
	struct version v = { .source = VERSION_SET_ASIDE, .firmware = f->seeded.firmware };

	return store_put(c, &v, f->seeded.key, vars);
}

static enum store_result
fetch(struct store_call *c, const struct uefi_record *r, struct seeded *s)
{
	AUTO(buf) struct buf region = BUF_EMPTY(0);
	char why[JSON_WHY_MAX];
	enum object_result o = version_get(c->env->objects, r->pointer.key,
	    r->pointer.firmware.vars_size, &region, NULL, why);
	int res;

	if (o != OBJECT_OK)
		return store_fail_get(c, r->pointer.key, o, why);
	res = copy_fill(&c->copy, region.data, region.len, &c->env->owner);
	if (res < 0)
		return store_fail_errno(c, c->copy.vars, res);
	*s = (struct seeded){ .firmware = r->pointer.firmware };
	snprintf(s->instance_id, sizeof(s->instance_id), "%s", c->instance_id);
	snprintf(s->key, sizeof(s->key), "%s", r->pointer.key);
	res = digest_bytes(region.data, region.len, s->synced_sha256);
	return res < 0 ? store_fail_errno(c, c->copy.vars, res) : STORE_OK;
}

/* What the guest will find there says which code it needs: it may have enrolled keys itself. */
static enum store_result
choose_code(struct store_call *c)
{
	AUTO(buf) struct buf vars = BUF_EMPTY(REGION_MAX);
	int e = file_read(c->copy.vars, &vars);

	return e < 0 ? store_fail_errno(c, c->copy.vars, e) : store_firmware_for(c, &vars);
}

/* The lock is ours: makes the copy right for this launch. */
static enum store_result
prepare_copy(struct store_call *c, const struct uefi_record *r)
{
	AUTO(buf) struct buf vars = BUF_EMPTY(REGION_MAX);
	struct reuse_facts f = { 0 };
	char sha256[DIGEST_HEX + 1] = "";
	enum store_result res = look_at_copy(c, r, &f, &vars, sha256);
	enum reuse then;
	int e;

	if (res != STORE_OK)
		return res;
	then = reuse_judge(&f);
	if (then == REUSE_REFUSE)
		return store_fail(c, STORE_UNREADABLE, "%s owes a write-back, and its bytes are gone",
		    c->copy.dir);
	if (then == REUSE_SET_ASIDE)
		res = set_aside(c, &f, &vars);
	if (res == STORE_OK && then != REUSE_COPY)
		res = fetch(c, r, &f.seeded);
	if (res == STORE_OK)
		res = choose_code(c);
	if (res != STORE_OK)
		return res;
	e = copy_mark(&c->copy, COPY_FINE);
	if (e < 0)
		return store_fail_errno(c, c->copy.state, e);
	f.seeded.generation = c->generation;
	/* What is written from now on is written under this node's build. */
	f.seeded.firmware = c->firmware.id;
	snprintf(f.seeded.boot_id, sizeof(f.seeded.boot_id), "%s", c->env->boot_id);
	snprintf(f.seeded.launch_id, sizeof(f.seeded.launch_id), "%s", c->launch_id);
	e = copy_write_seeded(&c->copy, &f.seeded);
	snprintf(c->key, sizeof(c->key), "%s", f.seeded.key);
	c->has_copy = e == 0;
	return e < 0 ? store_fail_errno(c, c->copy.seeded, e) : STORE_OK;
}

/* From here on the claim is touched: the firmware has been found to fit. */
static enum store_result
open_locked(struct store_call *c)
{
	enum store_result res = store_claim(c);
	enum cas_result cas = CAS_OK;
	struct uefi_record r;
	enum uefi_result u;

	if (res != STORE_OK)
		return res;
	u = uefi_record_stamp(c->env->records, c->instance_id, c->generation, &r, &cas);
	if (u != UEFI_OK)
		return store_fail_record(c, u, cas);
	/* The pointer may have moved between the first look and the stamp. */
	snprintf(c->key, sizeof(c->key), "%s", r.pointer.key);
	res = check_firmware(c, &r);
	return res == STORE_OK ? prepare_copy(c, &r) : res;
}

/* Another node's build does not say whether it enforced keys; the store does. */
static enum store_result
check_keys(struct store_call *c, const struct uefi_record *r)
{
	AUTO(buf) struct buf region = BUF_EMPTY(0);
	char why[JSON_WHY_MAX];
	enum object_result o;

	if (!c->is_other_code)
		return STORE_OK;
	o = version_get(c->env->objects, r->pointer.key, r->pointer.firmware.vars_size, &region,
	    NULL, why);
	return o == OBJECT_OK ? store_firmware_for(c, &region) :
	    store_fail_get(c, r->pointer.key, o, why);
}

enum store_result
store_probe(struct store_call *c)
{
	struct uefi_record r;
	enum store_result res = store_begin(c);

	if (res == STORE_OK)
		res = store_record(c, &r);
	if (res == STORE_OK)
		res = check_firmware(c, &r);
	if (res == STORE_OK)
		res = check_keys(c, &r);
	return res == STORE_OK ? store_may_claim(c) : res;
}

enum store_result
store_open(struct store_call *c)
{
	struct uefi_record r;
	enum store_result res = store_begin(c);
	int e;

	if (res == STORE_OK)
		res = store_record(c, &r);
	if (res == STORE_OK)
		res = check_firmware(c, &r);
	if (res != STORE_OK)
		return res;
	/* Whatever comes of it, a take-over tells what was taken. */
	snprintf(c->key, sizeof(c->key), "%s", r.pointer.key);
	e = copy_make(&c->copy);
	if (e < 0)
		return store_fail_errno(c, c->copy.dir, e);
	AUTO(fd) int lock = copy_lock(&c->copy);

	if (lock == -EWOULDBLOCK)
		return open_again(c);
	if (lock < 0)
		return store_fail_errno(c, c->copy.lock, lock);
	return open_locked(c);
}
