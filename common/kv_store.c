/*
 * The three calls of a cas_store over a bucket: as locks want them, where expected 0 means "absent
 * or deleted", and with expected sequences taken literally, as records do.
 */
#include "common/kv.h"

static enum cas_result
store_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct kv_store *s = ctx;

	return kv_load_wait(s->bucket, key, s->timeout_ms, ret);
}

/* A marker is swapped at its own sequence. */
static enum cas_result
store_create(struct kv_store *s, const char *key, const char *value, size_t len,
    uint64_t *ret_revision)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(s->bucket, key, s->timeout_ms, &e);

	if (res == CAS_OK)
		return CAS_LOST;
	if (res != CAS_NOT_FOUND)
		return res;
	return kv_put_wait(s->bucket, key, value, len, e.revision, s->timeout_ms, ret_revision);
}

static enum cas_result
store_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	struct kv_store *s = ctx;

	if (expected == 0)
		return store_create(s, key, value, len, ret_revision);
	return kv_put_wait(s->bucket, key, value, len, expected, s->timeout_ms, ret_revision);
}

static enum cas_result
store_remove(void *ctx, const char *key, uint64_t expected)
{
	struct kv_store *s = ctx;
	uint64_t revision;

	/* There is nothing to remove at 0: an absent key is a lost race. */
	if (expected == 0)
		return CAS_LOST;
	return kv_remove_wait(s->bucket, key, expected, s->timeout_ms, &revision);
}

/* ---- taken literally ---- */

static enum cas_result
exact_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	struct kv_store *s = ctx;

	return kv_put_wait(s->bucket, key, value, len, expected, s->timeout_ms, ret_revision);
}

static enum cas_result
exact_remove(void *ctx, const char *key, uint64_t expected)
{
	struct kv_store *s = ctx;
	uint64_t revision;

	return kv_remove_wait(s->bucket, key, expected, s->timeout_ms, &revision);
}

void
kv_store_init(struct kv_store *s, struct bucket *b, uint64_t timeout_ms)
{
	*s = (struct kv_store){ .cas = { s, store_load, store_swap, store_remove },
		.bucket = b, .timeout_ms = timeout_ms };
}

void
kv_store_init_exact(struct kv_store *s, struct bucket *b, uint64_t timeout_ms)
{
	*s = (struct kv_store){ .cas = { s, store_load, exact_swap, exact_remove },
		.bucket = b, .timeout_ms = timeout_ms };
}
