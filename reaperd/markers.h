/*
 * markers.h - delete markers that earlier sweeps have read, so that what is gone for good costs no
 * read in each sweep.  A bucket keeps the last message of each key, and a message that was written
 * later has a higher sequence: so the messages after the sequence at which the bucket stood when
 * they were looked through last are all that has changed since, and every marker before that is as
 * it was.  Where that cannot be known, because the stream is another, or went back, or is in doubt,
 * or did not answer, nothing is remembered and each key is read.  And so it is each
 * MARKERS_KEPT_MS, whatever the streams say.  An act reads its records again, without this.
 *
 * Of the sweep that runs, in its job.
 */
#pragma once

#include "common/kv.h"

#define MARKERS_BUCKETS	6
#define MARKERS_KEPT_MS	(3600u * 1000)
#define MARKERS_KEY_MAX	39	/* bytes: keys of instances, volumes ...; longer ones are read */

struct marker {
	char		 key[MARKERS_KEY_MAX + 1];	/* first */
	uint64_t	 revision;
};
struct marker_list {
	const struct bucket	*of;		/* NULL: not in use */
	char			 created[KV_CREATED_SIZE];
	uint64_t		 upto;		/* looked through to this sequence */
	uint64_t		 since_ms;	/* CLOCK_BOOTTIME; all was read then */
	struct marker		*v;
	size_t			 n, room;
	size_t			 known;		/* the first so many, sorted: may be used by this sweep */
};
struct markers {
	struct marker_list	 list[MARKERS_BUCKETS];
};
void	 markers_deinit(struct markers *m);

/* As kv_list_wait, and then what is remembered of that bucket is what has not changed.  m NULL: as
 * kv_list_wait alone. */
enum cas_result markers_list(struct markers *m, struct bucket *b, const char *prefix,
    uint64_t now_ms, uint64_t timeout_ms, struct kv_keys *ret) MUST_CHECK;
/* As kv_load_wait, but that a marker which is remembered costs nothing. */
enum cas_result markers_load(struct markers *m, struct bucket *b, const char *key,
    uint64_t timeout_ms, struct cas_entry *ret) MUST_CHECK;
