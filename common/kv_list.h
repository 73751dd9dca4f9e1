/*
 * kv_list.h - all keys of a bucket under a prefix, from the pages of STREAM.INFO with a
 * subject filter.  Complete, or an error: a listing whose pages do not agree (keys expired or
 * came in between) begins again until the deadline.  Pure; private to common/kv*.c.
 */
#pragma once

#include "common/kv.h"
#include "common/kv_op.h"

#define KV_KEYS_MAX	(1u << 20)	/* of one listing; more: CAS_REFUSED */

struct kv_listing {
	struct kv_task	 task;		/* first */
	const char	*bucket;	/* borrowed */
	char		 filter[KV_SUBJECT_SIZE];
	size_t		 skip;		/* bytes of "$KV.<bucket>." */
	uint64_t	 deadline_ms, attempt_ms;
	uint64_t	 pause_until_ms, pause_ms;
	uint64_t	 total, got;	/* of the pages so far */
	struct kv_keys	 all;		/* the bucket's own keys too */
	size_t		 room;
	bool		 ended;
	enum cas_result	 res;
	uint64_t	 seen;
	bool		 stream_doubt;
};

/* bucket is borrowed for the listing's life. */
bool	 kv_listing_init(struct kv_listing *l, const char *bucket, const char *prefix,
    uint64_t now_ms, uint64_t timeout_ms);
void	 kv_listing_deinit(struct kv_listing *l);
/* Once it has ended with CAS_OK: sorted, without the bucket's own.  The caller's. */
struct kv_keys kv_listing_take(struct kv_listing *l);
