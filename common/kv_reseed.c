#include "common/kv_reseed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/kv_impl.h"
#include "common/subjects.h"

#define CALL_MS		15000
#define FILL_KEY	KEY_FILL ".0"

static uint64_t
now(void)
{
	return clock_now_ms(&clock_system);
}

/* ---- requests of the API ---- */

static enum cas_result
ask_info(struct kv *k, const char *verb, const struct bucket_spec *s, const char *body,
    struct kv_info *ret)
{
	char subject[KV_SUBJECT_SIZE];
	AUTO(bus_msg) struct bus_msg *m = NULL;
	enum bus_result res;
	uint64_t code;

	if (!kv_wire_api(verb, s->name, subject))
		return CAS_INVALID;
	res = bus_ask_wait(k->bus, &(struct bus_ask){ .subject = subject, .data = body,
	    .len = body ? strlen(body) : 0, .timeout_ms = CALL_MS }, &m);
	switch (kv_info_of(res, m, ret, &code)) {
	case KV_GOT:
		return CAS_OK;
	case KV_LOST_STREAM:
		return CAS_NOT_FOUND;
	case KV_NONE:
	case KV_AWAY:
		break;
	}
	return code != 0 ? CAS_REFUSED : CAS_UNAVAILABLE;
}

enum cas_result
kv_reseed_look(struct kv *k, const struct bucket_spec *s, struct kv_stream *ret)
{
	struct kv_info i = { 0 };
	enum cas_result res = ask_info(k, "INFO", s, NULL, &i);

	_Static_assert(sizeof(ret->created) == KV_CREATED_SIZE, "as the server prints it");
	*ret = (struct kv_stream){ .exists = res == CAS_OK, .last_seq = i.last_seq };
	memcpy(ret->created, i.created, sizeof(ret->created));
	kv_info_deinit(&i);
	return res == CAS_NOT_FOUND ? CAS_OK : res;
}

enum cas_result
kv_reseed_make(struct kv *k, const struct bucket_spec *s, uint64_t base)
{
	AUTO(str) char *config = kv_wire_config(&(struct kv_config){ .bucket = s->name,
	    .description = s->description, .ttl_ms = s->ttl_ms, .replicas = k->cluster_size,
	    .may_erase = s->may_erase, .first_seq = base });
	struct kv_info i = { 0 };
	enum cas_result res = config ? ask_info(k, "CREATE", s, config, &i) : CAS_NOMEM;

	kv_info_deinit(&i);
	return res;
}

/* ---- keys ---- */

enum cas_result
kv_reseed_load(struct kv *k, const struct bucket_spec *s, const char *key, struct cas_entry *ret)
{
	struct kv_op op;
	enum cas_result res = CAS_INVALID;

	if (kv_op_load(&op, s->name, key, now(), CALL_MS)) {
		kv_run_wait(k->bus, NULL, &op.task, &op);
		res = op.res;
	}
	if (res == CAS_OK || res == CAS_NOT_FOUND)
		kv_op_entry(&op, ret);
	kv_op_deinit(&op);
	return res;
}

static enum cas_result
put(struct kv *k, const struct bucket_spec *s, const char *key, const char *value,
    uint64_t expected, uint64_t *ret_revision)
{
	struct kv_op op;
	enum cas_result res = CAS_INVALID;

	if (kv_op_write(&op, s->name, key, false, NULL, 0, value, strlen(value), expected, now(),
		CALL_MS, NULL)) {
		kv_run_wait(k->bus, NULL, &op.task, &op);
		res = op.res;
		*ret_revision = op.revision;
	}
	kv_op_deinit(&op);
	return res;
}

enum cas_result
kv_reseed_put(struct kv *k, const struct bucket_spec *s, const char *key, const char *value,
    uint64_t expected)
{
	uint64_t revision;

	return put(k, s, key, value, expected, &revision);
}

enum cas_result
kv_reseed_list(struct kv *k, const struct bucket_spec *s, struct kv_keys *ret)
{
	struct kv_listing l;
	enum cas_result res = CAS_INVALID;

	if (kv_listing_init(&l, s->name, "", now(), CALL_MS)) {
		kv_run_wait(k->bus, NULL, &l.task, NULL);
		res = l.res;
	}
	if (res == CAS_OK)
		*ret = kv_listing_take(&l);
	kv_listing_deinit(&l);
	return res;
}

/* One of the bucket's own keys, whatever it has. */
static enum cas_result
put_own(struct kv *k, const struct bucket_spec *s, const char *key, const char *value,
    uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_reseed_load(k, s, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return res;
	return put(k, s, key, value, e.revision, ret_revision);
}

enum cas_result
kv_reseed_raise(struct kv *k, const struct bucket_spec *s, uint64_t base,
    bool (*go_on)(void *arg), void *arg)
{
	uint64_t at = 0;
	enum cas_result res = put_own(k, s, FILL_KEY, "", &at);

	while (res == CAS_OK && at < base) {
		if (!go_on(arg))
			return CAS_UNAVAILABLE;
		res = put(k, s, FILL_KEY, "", at, &at);
	}
	return res;
}

enum cas_result
kv_reseed_end(struct kv *k, const struct bucket_spec *s, uint64_t base)
{
	struct kv_stream now_there;
	enum cas_result res = kv_reseed_look(k, s, &now_there);
	char text[128];
	uint64_t revision;

	if (res != CAS_OK || !now_there.exists)
		return res == CAS_OK ? CAS_BUCKET_LOST : res;
	if (now_there.last_seq < base)
		return CAS_INVALID;
	(void)snprintf(text, sizeof(text), "{\"created\":\"%s\",\"base\":%" PRIu64 "}",
	    now_there.created, base);
	return put_own(k, s, KEY_EPOCH, text, &revision);
}
