/* The three calls of a cas_store with expected sequences taken literally. */
#include "common/kv.h"

static enum cas_result
exact_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct kv_store *s = ctx;

	return kv_load_wait(s->bucket, key, s->timeout_ms, ret);
}

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
kv_store_init_exact(struct kv_store *s, struct bucket *b, uint64_t timeout_ms)
{
	*s = (struct kv_store){
		.cas = {
			.ctx = s,
			.load = exact_load,
			.swap = exact_swap,
			.remove = exact_remove,
		},
		.bucket = b,
		.timeout_ms = timeout_ms,
	};
}
