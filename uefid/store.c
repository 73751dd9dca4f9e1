/* What all sequences on a store begin with, and how they fail. */
#include "uefid/store_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/subjects.h"
#include "uefid/region.h"

#define CLAIM_KEY_MAX	(sizeof(KEY_UEFI_CLAIM_PREFIX) + INSTANCE_ID_MAX)

bool
store_may_retry(enum store_result r)
{
	static const bool may[STORE_RESULTS] = {
		[STORE_HELD] = true, [STORE_BUSY] = true, [STORE_UNREADABLE] = true,
		[STORE_UNAVAILABLE] = true, [STORE_NODE_LEASE] = true, [STORE_OWED] = true,
	};

	return r < STORE_RESULTS && may[r];
}

enum store_result
store_begin(struct store_call *c)
{
	int r = copy_init(&c->copy, c->env->state_dir, c->instance_id);

	return r < 0 ? store_fail(c, STORE_INVALID, "%s is no id of an instance",
	    c->instance_id) : STORE_OK;
}

/* ---- failing ---- */

enum store_result
store_fail(struct store_call *c, enum store_result r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->why, sizeof(c->why), fmt, ap);
	va_end(ap);
	return r;
}

enum store_result
store_fail_cas(struct store_call *c, const char *doing, enum cas_result r)
{
	static const enum store_result map[CAS_RESULTS] = {
		[CAS_OK]		= STORE_UNAVAILABLE,
		[CAS_NOT_FOUND]		= STORE_UNAVAILABLE,
		[CAS_LOST]		= STORE_UNAVAILABLE,
		[CAS_UNAVAILABLE]	= STORE_UNAVAILABLE,
		[CAS_UNKNOWN]		= STORE_UNAVAILABLE,
		[CAS_BUCKET_LOST]	= STORE_REFUSED,
		[CAS_REFUSED]		= STORE_REFUSED,
		[CAS_INVALID]		= STORE_INVALID,
		[CAS_NOMEM]		= STORE_UNAVAILABLE,
	};

	return store_fail(c, r < CAS_RESULTS ? map[r] : STORE_INVALID, "%s: %s", doing,
	    cas_result_text(r));
}

enum store_result
store_fail_object(struct store_call *c, enum object_result r, const char *why)
{
	static const enum store_result map[OBJECT_RESULTS] = {
		[OBJECT_OK]		= STORE_INVALID,
		[OBJECT_NOT_FOUND]	= STORE_INVALID,
		[OBJECT_EXISTS]		= STORE_UNAVAILABLE,
		[OBJECT_UNAVAILABLE]	= STORE_UNAVAILABLE,
		[OBJECT_UNKNOWN]	= STORE_UNAVAILABLE,
		[OBJECT_REFUSED]	= STORE_REFUSED,
		[OBJECT_LOST]		= STORE_REFUSED,
		[OBJECT_INVALID]	= STORE_INVALID,
		[OBJECT_NOMEM]		= STORE_UNAVAILABLE,
	};

	return store_fail(c, r < OBJECT_RESULTS ? map[r] : STORE_INVALID, "%s", why);
}

enum store_result
store_fail_get(struct store_call *c, const char *key, enum object_result r, const char *why)
{
	char sentence[STORE_WHY_MAX];

	snprintf(sentence, sizeof(sentence), "%.100s: %s", key, why);
	return store_fail_object(c, r, sentence);
}

enum store_result
store_fail_errno(struct store_call *c, const char *path, int r)
{
	/* No space and the like mend themselves or are mended: nothing is given up for them. */
	return store_fail(c, STORE_UNREADABLE, "%s: %s", path, strerrordesc_np(-r));
}

/* ---- the record ---- */

enum store_result
store_fail_invalid(struct store_call *c, const char *otherwise)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	const struct cas_store *s = c->env->records;
	char why[JSON_WHY_MAX] = "";
	struct uefi_record r;

	if (s->load(s->ctx, c->instance_id, &e) == CAS_OK &&
	    uefi_record_parse(e.value, e.len, c->instance_id, &r, why) < 0)
		return store_fail(c, STORE_INVALID, "the record of %s is not valid: %s",
		    c->instance_id, why);
	return store_fail(c, STORE_INVALID, "%s: %s", c->instance_id, otherwise);
}

enum store_result
store_fail_record(struct store_call *c, enum uefi_result r, enum cas_result cas)
{
	static const enum store_result map[UEFI_RESULTS] = {
		[UEFI_OK]		= STORE_INVALID,
		[UEFI_NOT_FOUND]	= STORE_NO_STORE,
		[UEFI_EXISTS]		= STORE_UNAVAILABLE,
		[UEFI_INVALID]		= STORE_INVALID,
		[UEFI_DELETING]		= STORE_DELETING,
		[UEFI_FENCED]		= STORE_FENCED,
		[UEFI_CONFLICT]		= STORE_UNAVAILABLE,
		[UEFI_STORE]		= STORE_UNAVAILABLE,
	};

	if (r == UEFI_STORE)
		return store_fail_cas(c, "the store's record", cas);
	if (r == UEFI_INVALID)
		return store_fail_invalid(c, uefi_result_text(r));
	return store_fail(c, r < UEFI_RESULTS ? map[r] : STORE_INVALID, "%s: %s",
	    c->instance_id, uefi_result_text(r));
}

enum store_result
store_record(struct store_call *c, struct uefi_record *ret)
{
	struct uefi_record r;
	enum cas_result cas;
	uint64_t revision;
	enum uefi_result res = uefi_record_get(c->env->records, c->instance_id, &r, &revision,
	    &cas);

	if (res == UEFI_NOT_FOUND && revision != 0)
		return store_fail(c, STORE_DELETING, "the store of %s was deleted",
		    c->instance_id);
	if (res == UEFI_NOT_FOUND) {
		c->is_store_lost = true;
		return store_fail(c, STORE_NO_STORE, "%s has no variable store", c->instance_id);
	}
	if (res != UEFI_OK)
		return store_fail_record(c, res, cas);
	if (r.deleting)
		return store_fail_record(c, UEFI_DELETING, cas);
	*ret = r;
	return STORE_OK;
}

/* ---- firmware ---- */

enum store_result
store_firmware(struct store_call *c, const char *arch, enum firmware_kind kind,
    uint64_t vars_size)
{
	struct firmware_want want = { .kind = kind, .vars_size = vars_size };
	char why[JSON_WHY_MAX];
	struct firmware f;

	snprintf(want.arch, sizeof(want.arch), "%s", arch);
	for (size_t i = 0; c->known && i < STORE_FIRMWARES; i++) {
		if (firmware_is_for(&c->known[i], &want) && firmware_is_current(&c->known[i])) {
			c->firmware = c->known[i];
			return STORE_OK;
		}
	}
	if (firmware_find(c->env->firmware_dir, &want, &f, why) < 0) {
		c->want = want;
		return store_fail(c, STORE_NO_FIRMWARE, "%s", why);
	}
	c->firmware = c->found = f;
	return STORE_OK;
}

enum store_result
store_has_firmware(struct store_call *c)
{
	return store_firmware(c, c->arch, c->want.kind, c->want.vars_size);
}

void
store_firmware_of(struct store_call *c, const struct uefi_firmware *id)
{
	const struct firmware before = c->firmware;
	const struct firmware_want want = c->want;	/* that it lacks a kind is no refusal */

	for (int kind = FIRMWARE_PLAIN; kind <= FIRMWARE_SECURE; kind++)
		if (store_firmware(c, id->arch, (enum firmware_kind)kind, id->vars_size) == STORE_OK &&
		    strcmp(c->firmware.id.code_sha256, id->code_sha256) == 0) {
			c->want = want;
			return;
		}
	c->want = want;
	c->firmware = before;
}

enum store_result
store_firmware_for(struct store_call *c, const struct buf *region)
{
	char why[JSON_WHY_MAX];
	struct region r;

	/* What firmware will mend, or a guest has broken, has no keys that anyone can read. */
	if (region_open(region->data, region->len, region->len, &r, why) < 0)
		return STORE_OK;
	if (region_secure_boot(&r) == REGION_SETUP || c->firmware.secure_boot)
		return STORE_OK;
	return store_firmware(c, c->firmware.id.arch, FIRMWARE_SECURE, region->len);
}

/* ---- the claim ---- */

static void
claim_key(const struct store_call *c, char ret[static CLAIM_KEY_MAX])
{
	snprintf(ret, CLAIM_KEY_MAX, KEY_UEFI_CLAIM_PREFIX "%s", c->instance_id);
}

enum store_result
store_fail_claim(struct store_call *c, enum claim_result r, enum cas_result cas)
{
	if (r == CLAIM_STORE)
		return store_fail_cas(c, "the store's claim", cas);
	if (r == CLAIM_CORRUPT)
		return store_fail(c, STORE_INVALID, "the key " KEY_UEFI_CLAIM_PREFIX "%s is no claim: "
		    "expected an object with a holder and a generation", c->instance_id);
	return store_fail(c, STORE_UNAVAILABLE, "the claim of %s kept changing",
	    c->instance_id);
}

/* Another's claim: may it be had?  Its node is buried, every time. */
static enum store_result
bury_holder(struct store_call *c, const struct cas_token *from)
{
	char why[STORE_WHY_MAX] = "";

	c->other = *from;
	if (c->keep_owed)
		return store_fail(c, STORE_HELD, "node %s has the store of %s at generation %llu, "
		    "and owes what its guest wrote last", from->holder, c->instance_id,
		    (unsigned long long)from->generation);
	if (c->env->bury(c->env->world, from->holder, c->request_id, why) < 0)
		return store_fail(c, STORE_HELD,
		    "node %s has the store of %s at generation %llu: %.120s", from->holder,
		    c->instance_id, (unsigned long long)from->generation, why);
	return STORE_OK;
}

/*
 * From the holder read at revision: bury its node, then swap at exactly that revision.  A
 * confirm of the returning node either came first, which this swap then loses to, or comes
 * later and loses itself.
 */
static enum store_result
take_over(struct store_call *c, const char *key, const struct cas_token *from,
    uint64_t revision)
{
	struct cas_token token = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res = bury_holder(c, from);
	enum claim_result r;

	if (res != STORE_OK)
		return res;
	r = claim_take_over(c->env->sync, key, from, revision, c->env->node, &token, &cas);
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	c->generation = token.generation;
	c->has_taken_over = true;
	snprintf(c->taken_from, sizeof(c->taken_from), "%s", from->holder);
	return STORE_OK;
}

static enum store_result
need_lease(struct store_call *c)
{
	if (clock_now_ms(c->env->clock) < c->lease_until_ms)
		return STORE_OK;
	return store_fail(c, STORE_NODE_LEASE, "node %s does not hold its own lease",
	    c->env->node);
}

enum store_result
store_claim(struct store_call *c)
{
	const struct store_env *env = c->env;
	char key[CLAIM_KEY_MAX];
	struct cas_token token = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res = need_lease(c);
	enum claim_result r;
	uint64_t revision = 0;

	if (res != STORE_OK)
		return res;
	claim_key(c, key);
	r = claim_lock(env->sync, key, env->node, &token, &cas);
	if (r == CLAIM_HELD && token.holder[0] != '\0') {
		r = claim_read(env->sync, key, &token, &revision, &cas);
		if (r == CLAIM_OK && token.holder[0] != '\0' &&
		    strcmp(token.holder, env->node) != 0)
			return take_over(c, key, &token, revision);
		if (r == CLAIM_OK)
			r = CLAIM_LOST;		/* it moved meanwhile: ask again */
	}
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	c->generation = token.generation;
	return STORE_OK;
}

enum store_result
store_may_claim(struct store_call *c)
{
	char key[CLAIM_KEY_MAX];
	struct cas_token token = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res = need_lease(c);
	enum claim_result r;
	uint64_t revision;

	if (res != STORE_OK)
		return res;
	claim_key(c, key);
	r = claim_read(c->env->sync, key, &token, &revision, &cas);
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	if (token.holder[0] == '\0' || strcmp(token.holder, c->env->node) == 0)
		return STORE_OK;
	return bury_holder(c, &token);
}

enum store_result
store_confirm(struct store_call *c, uint64_t generation)
{
	char key[CLAIM_KEY_MAX];
	struct cas_token token = { .generation = generation }, now = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res = need_lease(c);
	enum claim_result r;

	if (res != STORE_OK)
		return res;
	claim_key(c, key);
	snprintf(token.holder, sizeof(token.holder), "%s", c->env->node);
	r = claim_confirm(c->env->sync, key, &token, &now, &cas);
	c->other = now;
	if (r == CLAIM_LOST)
		return store_fail(c, STORE_FENCED, "%s%s has the store of %s, at generation %llu",
		    now.holder[0] ? "node " : "nobody", now.holder, c->instance_id,
		    (unsigned long long)now.generation);
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	c->is_confirmed = true;
	return STORE_OK;
}

/* A claim of ours without any record: a crash in a seed.  A late create must lose. */
static enum store_result
settle(struct store_call *c)
{
	struct uefi_record r;
	enum store_result res = store_record(c, &r);
	enum cas_result cas = CAS_OK;
	enum uefi_result u;

	if (res == STORE_OK || res == STORE_DELETING)
		return STORE_OK;
	if (res != STORE_NO_STORE)
		return res;
	c->is_store_lost = false;
	u = uefi_record_preclude(c->env->records, c->instance_id, &cas);
	return u == UEFI_OK || u == UEFI_EXISTS ? STORE_OK : store_fail_record(c, u, cas);
}

enum store_result
store_unclaim(struct store_call *c)
{
	const struct store_env *env = c->env;
	char key[CLAIM_KEY_MAX];
	struct cas_token token = { 0 };
	enum cas_result cas = CAS_OK;
	enum store_result res;
	enum claim_result r;
	uint64_t revision;

	claim_key(c, key);
	r = claim_read(env->sync, key, &token, &revision, &cas);
	if (r != CLAIM_OK)
		return store_fail_claim(c, r, cas);
	if (token.holder[0] == '\0')
		return STORE_OK;
	c->other = token;
	if (strcmp(token.holder, env->node) != 0)
		return store_fail(c, STORE_FENCED, "node %s has the store of %s at generation %llu",
		    token.holder, c->instance_id, (unsigned long long)token.generation);
	res = settle(c);
	if (res != STORE_OK)
		return res;
	r = claim_unlock(env->sync, key, &token, &cas);
	return r == CLAIM_OK ? STORE_OK : store_fail_claim(c, r, cas);
}
