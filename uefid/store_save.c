/* Objects of a store: put, point at, prune; and the write-back that is made of them. */
#include "uefid/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "uefid/prune.h"
#include "uefid/region.h"

/* Where the code of this digest lies here, as far as is known; or "". */
static const char *
code_path(const struct store_call *c, const char *sha256)
{
	if (strcmp(c->firmware.id.code_sha256, sha256) == 0)
		return c->firmware.code;
	for (size_t i = 0; c->known && i < STORE_FIRMWARES; i++)
		if (c->known[i].want.arch[0] != '\0' &&
		    strcmp(c->known[i].id.code_sha256, sha256) == 0)
			return c->known[i].code;
	return "";
}

enum store_result
store_put_as(struct store_call *c, struct version *v, const char *before,
    const struct buf *region)
{
	char why[JSON_WHY_MAX];
	enum object_result o;
	int r;

	snprintf(v->writer_node, sizeof(v->writer_node), "%s", c->env->node);
	snprintf(v->code_path, sizeof(v->code_path), "%s", code_path(c, v->firmware.code_sha256));
	v->generation = c->generation;
	r = digest_bytes(region->data, region->len, v->sha256);
	if (!before)
		version_new_key(v);
	else if (r == 0)
		r = version_key_over(v, before);
	if (r < 0)
		return store_fail(c, STORE_UNAVAILABLE, "no memory");
	o = version_put(c->env->objects, v, region->data, region->len, why);
	return o == OBJECT_OK ? STORE_OK : store_fail_object(c, o, why);
}

enum store_result
store_put(struct store_call *c, struct version *v, const char *before, const struct buf *region)
{
	snprintf(v->owner, sizeof(v->owner), "%s", c->instance_id);
	return store_put_as(c, v, before, region);
}

enum uefi_result
store_move(struct store_call *c, const struct version *v, enum cas_result *ret_cas)
{
	struct uefi_pointer to = {
		.firmware = v->firmware,
		.written_at_ms = clock_wall_ms(c->env->clock),
	};

	snprintf(to.key, sizeof(to.key), "%s", v->key);
	snprintf(to.writer_node, sizeof(to.writer_node), "%s", c->env->node);
	return uefi_record_move(c->env->records, c->instance_id, c->generation, &to, ret_cas);
}

/* ---- prune ---- */

static bool
judge(struct store_call *c, const struct object_list *l, struct prune_object *objects,
    enum prune_verdict *verdicts)
{
	const struct prune p = {
		.owner = c->instance_id, .pointer_key = c->key, .generation = c->generation,
		.now_ms = clock_wall_ms(c->env->clock), .keep_versions = c->env->keep_versions,
	};

	for (size_t i = 0; i < l->n; i++) {
		struct version v;

		version_from_info(&l->v[i], &v);
		objects[i] = (struct prune_object){
			.key = l->v[i].key, .written_ms = v.written_ms,
			.generation = v.generation,
			.is_set_aside = strcmp(v.source, VERSION_SET_ASIDE) == 0,
		};
	}
	return prune_judge(&p, objects, l->n, verdicts) == 0;
}

/* The next save that looks for surplus comes back to it. */
static void
prune_failed(const struct store_call *c, const char *why)
{
	log_fields(LOG_NOTICE, &(const struct log_ctx){ .instance = c->instance_id },
	    "surplus objects of %s stay for now: %s", c->instance_id, why);
}

void
store_prune(struct store_call *c)
{
	AUTO(object_list) struct object_list l = { 0 };
	const struct objects *s = c->env->objects;
	char prefix[UEFI_KEY_MAX + 1], why[JSON_WHY_MAX];
	struct uefi_record r;

	/* The pointer that is kept is the one just moved, and a read says that it is so still: one
	 * that names another, a stale one too, is nothing to judge by. */
	if (store_record(c, &r) != STORE_OK || r.generation != c->generation ||
	    strcmp(r.pointer.key, c->key) != 0)
		return;
	version_prefix(c->instance_id, prefix);
	if (s->list(s->ctx, prefix, &l, why) != OBJECT_OK) {
		prune_failed(c, why);
		return;
	}
	if (l.n == 0)
		return;
	AUTO(mem) void *objects = calloc(l.n, sizeof(struct prune_object));
	AUTO(mem) void *verdicts = calloc(l.n, sizeof(enum prune_verdict));

	if (!objects || !verdicts || !judge(c, &l, objects, verdicts)) {
		prune_failed(c, "no memory");
		return;
	}
	for (size_t i = 0; i < l.n; i++) {
		enum object_result o = OBJECT_OK;

		if (((enum prune_verdict *)verdicts)[i] == PRUNE_DELETE)
			o = s->remove(s->ctx, l.v[i].key, why);
		if (o != OBJECT_OK && o != OBJECT_NOT_FOUND) {
			prune_failed(c, why);
			return;
		}
	}
}

/* ---- write back ---- */

/* Lost it is, marked or not: the record, or the claim, says so to the next look, too. */
enum store_result
store_lose(struct store_call *c, enum store_result r)
{
	int e = copy_mark(&c->copy, r == STORE_FENCED ? COPY_FENCED : COPY_DELETING);

	if (e < 0)
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = c->instance_id },
		    "%s: %s", c->copy.state, strerrordesc_np(-e));
	return r;
}

enum store_result
store_state(struct store_call *c)
{
	switch (copy_state(&c->copy)) {
	case COPY_FINE:
		return STORE_OK;
	case COPY_FENCED:
		return store_fail(c, STORE_FENCED, "the copy of %s has lost its claim", c->instance_id);
	case COPY_DELETING:
		return store_fail(c, STORE_DELETING, "the copy of %s is of a store that is being deleted",
		    c->instance_id);
	case COPY_UNREADABLE:
		break;
	}
	return store_fail(c, STORE_UNREADABLE, "%s: it cannot be read", c->copy.state);
}

static enum store_result
update_seeded(struct store_call *c, const struct seeded *s)
{
	int e = copy_write_seeded(&c->copy, s);

	return e < 0 ? store_fail_errno(c, c->copy.seeded, e) : STORE_OK;
}

static enum store_result
after_move(struct store_call *c, struct seeded *s, const struct version *v,
    enum uefi_result u, enum cas_result cas)
{
	struct uefi_record r;
	enum store_result res;

	switch (u) {
	case UEFI_OK:
		snprintf(s->key, sizeof(s->key), "%s", v->key);
		snprintf(s->synced_sha256, sizeof(s->synced_sha256), "%s", v->sha256);
		snprintf(c->key, sizeof(c->key), "%s", v->key);
		c->has_saved = true;
		return update_seeded(c, s);
	case UEFI_FENCED:
		/* Of another generation.  Where that is a lower one, the record has lost and not
		 * the copy, which may be all that is left. */
		res = store_check(c, s, &r);
		if (res == STORE_OK)
			return store_fail(c, STORE_OWED, "the record of %s changes under us",
			    c->instance_id);
		return res == STORE_OWED ? res : store_lose(c, res);
	case UEFI_DELETING:
		return store_lose(c, store_fail_record(c, u, cas));
	case UEFI_NOT_FOUND:
		res = store_record(c, &r);
		return res == STORE_DELETING ? store_lose(c, res) : res;
	case UEFI_STORE:
		if (cas == CAS_UNKNOWN && s->synced_sha256[0] != '\0') {
			s->synced_sha256[0] = '\0';
			res = update_seeded(c, s);
			if (res != STORE_OK)
				return res;
		}
		return store_fail_record(c, u, cas);
	case UEFI_EXISTS:
	case UEFI_INVALID:
	case UEFI_CONFLICT:
	case UEFI_RESULTS:
		break;
	}
	return store_fail_record(c, u, cas);
}

/* Is this copy fit to be kept?  Of a running guest only one that firmware is not rewriting. */
static enum store_result
check_copy(struct store_call *c, const struct buf *vars, uint64_t vars_size)
{
	char why[JSON_WHY_MAX];
	struct region region;

	if (region_open(vars->data, vars->len, vars_size, &region, why) < 0)
		return store_fail(c, STORE_OWED, "%s: %s", c->copy.vars, why);
	if (c->is_locked && !region_is_complete(&region))
		return store_fail(c, STORE_OWED, "%s: firmware is rewriting it", c->copy.vars);
	return STORE_OK;
}

/*
 * The record, before anything is put: a copy that has lost learns so whatever the object store
 * says, and what cannot be pointed at is not made.
 */
static enum store_result
check_record(struct store_call *c, struct seeded *s)
{
	struct uefi_record r;
	enum store_result res = store_check(c, s, &r);

	if (res == STORE_FENCED || res == STORE_DELETING)
		return store_lose(c, res);
	/* A move that landed unheard, or an uefid that was killed before it wrote so. */
	if (res == STORE_OK && strcmp(r.pointer.key, s->key) != 0)
		s->synced_sha256[0] = '\0';
	return res;
}

/* Can the pointer move?  The record is written as it is: what stands there stays. */
static enum uefi_result
try_record(struct store_call *c, enum cas_result *ret_cas)
{
	struct uefi_record r;

	return uefi_record_stamp(c->env->records, c->instance_id, c->generation, &r, ret_cas);
}

/* What the copy holds goes into an object, and the pointer there. */
static enum store_result
save_region(struct store_call *c, struct seeded *s, const struct buf *vars)
{
	struct version v = { .source = VERSION_WRITE_BACK, .firmware = s->firmware };
	enum cas_result cas = CAS_OK;
	enum store_result res = check_copy(c, vars, s->firmware.vars_size);
	enum uefi_result u = UEFI_OK;

	/* A guest that goes on writing would cost an object for each try. */
	if (res == STORE_OK && c->is_retry)
		u = try_record(c, &cas);
	if (u != UEFI_OK)
		return after_move(c, s, &v, u, cas);
	if (res == STORE_OK)
		res = store_put(c, &v, s->key, vars);
	if (res != STORE_OK)
		return res;
	u = store_move(c, &v, &cas);
	res = after_move(c, s, &v, u, cas);
	if (res == STORE_OK && c->prune)
		store_prune(c);
	return res;
}

enum store_result
store_save_copy(struct store_call *c, struct seeded *s)
{
	AUTO(buf) struct buf vars = BUF_EMPTY(REGION_MAX);
	char sha256[DIGEST_HEX + 1];
	int e = copy_snapshot(&c->copy, &vars);	/* durable here, whoever answers */
	enum store_result res;

	c->generation = s->generation;
	snprintf(c->key, sizeof(c->key), "%s", s->key);
	res = check_record(c, s);
	if (res != STORE_OK)
		return res;
	if (e == -EAGAIN)
		return store_fail(c, STORE_OWED, "%s: the guest writes without a pause",
		    c->copy.vars);
	if (e == 0)
		e = digest_bytes(vars.data, vars.len, sha256);
	if (e < 0)
		return store_fail_errno(c, c->copy.vars, e);
	return strcmp(sha256, s->synced_sha256) == 0 ? STORE_OK : save_region(c, s, &vars);
}

/* What of a failed save is owed, and what is lost for good. */
static enum store_result
owed(struct store_call *c, enum store_result r)
{
	return r == STORE_OK || r == STORE_FENCED || r == STORE_DELETING ? r : STORE_OWED;
}

enum store_result
store_save(struct store_call *c)
{
	char why[JSON_WHY_MAX];
	struct seeded s;
	enum store_result res = store_begin(c);
	int lock;

	if (res != STORE_OK)
		return res;
	switch (copy_seeded(&c->copy, &s, why)) {
	case REUSE_ABSENT:
		return STORE_OK;
	case REUSE_UNREADABLE:
		c->has_copy = true;
		return store_fail(c, STORE_OWED, "%s: %s", c->copy.seeded, why);
	case REUSE_PRESENT:
		break;
	}
	c->has_copy = true;
	snprintf(c->launch_id, sizeof(c->launch_id), "%s", s.launch_id);	/* whom it is told of */
	lock = copy_lock(&c->copy);
	c->is_locked = lock == -EWOULDBLOCK;
	if (lock >= 0)
		close(lock);
	res = store_state(c);
	return owed(c, res == STORE_OK ? store_save_copy(c, &s) : res);
}
