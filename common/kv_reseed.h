/*
 * kv_reseed.h - what an operator's reseed does to one bucket that is gone or went back: calls that
 * no gate stops, on a bucket that this process need not have opened.  For one job at a time.
 *
 * The order that makes it safe: look, make (if gone), raise, put what is held, and last end,
 * which writes the key that lets every daemon accept the stream (see kv_judge.c).  Killed
 * anywhere before that, it can be begun again.  All writes take the one write path.
 */
#pragma once

#include "common/kv.h"

struct kv_stream {
	bool		 exists;
	char		 created[40];
	uint64_t	 last_seq;
};
enum cas_result kv_reseed_look(struct kv *k, const struct bucket_spec *s, struct kv_stream *ret)
    MUST_CHECK;
/* Its first sequence is above base where the server can do that (2.10). */
enum cas_result kv_reseed_make(struct kv *k, const struct bucket_spec *s, uint64_t base)
    MUST_CHECK;
/* Writes that fill nothing, until the stream's sequence is at base; false from go_on ends it
 * early (CAS_UNAVAILABLE). */
enum cas_result kv_reseed_raise(struct kv *k, const struct bucket_spec *s, uint64_t base,
    bool (*go_on)(void *arg), void *arg) MUST_CHECK;
enum cas_result kv_reseed_list(struct kv *k, const struct bucket_spec *s, struct kv_keys *ret)
    MUST_CHECK;
enum cas_result kv_reseed_load(struct kv *k, const struct bucket_spec *s, const char *key,
    struct cas_entry *ret) MUST_CHECK;
enum cas_result kv_reseed_put(struct kv *k, const struct bucket_spec *s, const char *key,
    const char *value, uint64_t expected) MUST_CHECK;
/* The stream that is there now is the bucket, from base on. */
enum cas_result kv_reseed_end(struct kv *k, const struct bucket_spec *s, uint64_t base)
    MUST_CHECK;
