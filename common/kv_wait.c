/* The calls of kv.h for jobs: the same machines as on the loop, with waits between. */
#include "common/kv_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/bus_impl.h"
#include "common/clock.h"

static void
sleep_until(uint64_t at_ms)
{
	struct timespec t = {
		.tv_sec = (time_t)(at_ms / 1000),
		.tv_nsec = (long)(at_ms % 1000) * 1000000,
	};

	while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static uint64_t
now(void)
{
	return clock_now_ms(&clock_system);
}

void
kv_run_wait(struct bus *bus, struct bucket *b, struct kv_task *t, struct kv_op *op)
{
	struct kv_request r;
	uint64_t until;

	for (;;) {
		enum kv_do what = t->next(t, now(), &r, &until);

		if (what == KV_END)
			return;
		if (what == KV_PAUSE) {
			sleep_until(until);
			continue;
		}
		AUTO(bus_msg) struct bus_msg *m = NULL;
		enum bus_result res = bus_ask_wait(bus, &r.ask, &m);

		kv_tell(t, now(), res, m);
		if (b && op)
			kv_note_op(b, op);
	}
}

/* Runs a load; op is zero before, and the caller's to release after. */
static enum cas_result
load_wait(struct bucket *b, const char *key, uint64_t timeout_ms, struct kv_op *op)
{
	enum cas_result gate = bucket_gate(b, false);

	if (!cas_key_is_valid(key) ||
	    !kv_op_load(op, bucket_name(b), key, now(), timeout_ms))
		return CAS_INVALID;
	if (gate != CAS_OK)
		return gate;
	kv_run_wait(b->kv->bus, b, &op->task, op);
	return op->res;
}

enum cas_result
kv_load_headers_wait(struct bucket *b, const char *key, uint64_t timeout_ms,
    struct cas_entry *ret, uint64_t *ret_written_wall_ms,
    void (*want)(void *arg, const char *name, const char *value), void *arg)
{
	struct kv_op op = { 0 };
	enum cas_result res = load_wait(b, key, timeout_ms, &op);

	if (res == CAS_OK || res == CAS_NOT_FOUND)
		kv_op_entry(&op, ret);
	if (res == CAS_OK && ret_written_wall_ms)
		*ret_written_wall_ms = op.message.wall_ms;
	if (res == CAS_OK && want)
		kv_headers_each(op.message.headers, want, arg);
	kv_op_deinit(&op);
	return res;
}

enum cas_result
kv_load_wait(struct bucket *b, const char *key, uint64_t timeout_ms, struct cas_entry *ret)
{
	return kv_load_headers_wait(b, key, timeout_ms, ret, NULL, NULL, NULL);
}

static enum cas_result
write_wait(struct bucket *b, const char *key, bool is_marker, const struct bus_header *h,
    size_t nh, const void *value, size_t len, uint64_t expected, uint64_t timeout_ms,
    uint64_t *ret_revision)
{
	enum cas_result gate = bucket_gate(b, true);
	struct kv_op op;

	for (size_t i = 0; i < nh; i++)
		if (!bus_header_is_valid(&h[i]))
			return CAS_INVALID;
	if (!cas_key_is_valid(key) || !kv_op_write(&op, bucket_name(b), key, is_marker, h, nh,
		value, len, expected, now(), timeout_ms, kv_mark_seq(b->mark)))
		return CAS_INVALID;
	if (!kv_fits(b, len))
		return CAS_REFUSED;
	if (gate != CAS_OK)
		return gate;
	kv_run_wait(b->kv->bus, b, &op.task, &op);
	if (op.res == CAS_OK && ret_revision)
		*ret_revision = op.revision;
	return op.res;
}

enum cas_result
kv_put_headers_wait(struct bucket *b, const char *key, const struct bus_header *h, size_t nh,
    const void *value, size_t len, uint64_t expected, uint64_t timeout_ms,
    uint64_t *ret_revision)
{
	return write_wait(b, key, false, h, nh, value, len, expected, timeout_ms, ret_revision);
}

enum cas_result
kv_put_wait(struct bucket *b, const char *key, const void *value, size_t len, uint64_t expected,
    uint64_t timeout_ms, uint64_t *ret_revision)
{
	return write_wait(b, key, false, NULL, 0, value, len, expected, timeout_ms, ret_revision);
}

enum cas_result
kv_remove_wait(struct bucket *b, const char *key, uint64_t expected, uint64_t timeout_ms,
    uint64_t *ret_revision)
{
	return write_wait(b, key, true, NULL, 0, NULL, 0, expected, timeout_ms, ret_revision);
}

enum cas_result
kv_list_wait(struct bucket *b, const char *prefix, uint64_t timeout_ms, struct kv_keys *ret)
{
	enum cas_result gate = bucket_gate(b, false);
	struct kv_listing l;

	if ((*prefix && !cas_prefix_is_valid(prefix)) ||
	    !kv_listing_init(&l, bucket_name(b), prefix, now(), timeout_ms))
		return CAS_INVALID;
	if (gate != CAS_OK)
		return gate;
	kv_run_wait(b->kv->bus, b, &l.task, NULL);
	bucket_saw(b, l.seen, l.stream_doubt);
	if (l.res == CAS_OK)
		*ret = kv_listing_take(&l);
	kv_listing_deinit(&l);
	return l.res;
}

enum cas_result
kv_next_wait(struct bucket *b, const char *prefix, uint64_t after, uint64_t timeout_ms,
    char ret_key[static CAS_KEY_MAX + 1], uint64_t *ret_seq)
{
	enum cas_result gate = bucket_gate(b, false);
	char subject[KV_SUBJECT_SIZE], start[KV_SUBJECT_SIZE], body[KV_BODY_SIZE];
	char rest[KV_SUBJECT_SIZE];
	AUTO(bus_msg) struct bus_msg *m = NULL;
	size_t len = 0;

	if ((*prefix && !cas_prefix_is_valid(prefix)) || after == UINT64_MAX ||
	    !kv_wire_subject(bucket_name(b), prefix, start) ||
	    !kv_wire_api("MSG.GET", bucket_name(b), subject))
		return CAS_INVALID;
	if (gate != CAS_OK)
		return gate;
	(void)snprintf(body, sizeof(body), "{\"seq\":%" PRIu64 ",\"next_by_subj\":\"%s>\"}",
	    after + 1, start);
	enum bus_result res = bus_ask_wait(b->kv->bus, &(struct bus_ask){ .subject = subject,
	    .data = body, .len = strlen(body), .timeout_ms = timeout_ms }, &m);
	const void *data = m ? bus_msg_data(m, &len) : NULL;

	switch (kv_wire_next(res, data, len, start, after, rest, ret_seq)) {
	case KV_GOT:
		if (snprintf(ret_key, CAS_KEY_MAX + 1, "%s%s", prefix, rest) > CAS_KEY_MAX)
			return CAS_INVALID;
		bucket_saw(b, *ret_seq, false);
		return CAS_OK;
	case KV_NONE:
		return CAS_NOT_FOUND;
	case KV_LOST_STREAM:
		bucket_saw(b, 0, true);
		return CAS_BUCKET_LOST;
	case KV_AWAY:
		break;
	}
	return CAS_UNAVAILABLE;
}

enum cas_result
kv_erase_wait(struct bucket *b, uint64_t revision, uint64_t timeout_ms)
{
	enum cas_result gate = bucket_gate(b, true);
	char subject[KV_SUBJECT_SIZE], body[64];
	AUTO(bus_msg) struct bus_msg *m = NULL;
	size_t len = 0;

	if (!b->spec->may_erase || revision == 0 ||
	    !kv_wire_api("MSG.DELETE", bucket_name(b), subject))
		return CAS_INVALID;
	if (gate != CAS_OK)
		return gate;
	/* no_erase: forgotten, not overwritten with random bytes; it is no secret. */
	(void)snprintf(body, sizeof(body), "{\"seq\":%llu,\"no_erase\":true}",
	    (unsigned long long)revision);
	enum bus_result res = bus_ask_wait(b->kv->bus, &(struct bus_ask){ .subject = subject,
	    .data = body, .len = strlen(body), .timeout_ms = timeout_ms }, &m);
	const void *data = m ? bus_msg_data(m, &len) : NULL;
	enum cas_result out = kv_wire_erased(res, data, len);

	bucket_saw(b, 0, out == CAS_BUCKET_LOST);
	return out;
}
