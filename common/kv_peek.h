/*
 * kv_peek.h - buckets that are not ours: looked at without being opened, made or remembered,
 * and, of those that nothing uses any more, removed.  For jobs.
 */
#pragma once

#include "common/bus.h"
#include "common/cas.h"

/* CAS_OK; CAS_NOT_FOUND: the server says that there is none; else nobody knows. */
enum cas_result kv_peek_exists_wait(struct bus *b, const char *bucket, uint64_t timeout_ms)
    MUST_CHECK;
/* The stream leader's answer.  CAS_NOT_FOUND as kv_load_wait; CAS_BUCKET_LOST: no such bucket. */
enum cas_result kv_peek_load_wait(struct bus *b, const char *bucket, const char *key,
    uint64_t timeout_ms, struct cas_entry *ret) MUST_CHECK;
/*
 * Removes a whole bucket with all that is in it, on no condition: the caller has a list of the
 * few names that may be given.  CAS_NOT_FOUND: it was gone.
 */
enum cas_result kv_peek_discard_wait(struct bus *b, const char *bucket, uint64_t timeout_ms)
    MUST_CHECK;
