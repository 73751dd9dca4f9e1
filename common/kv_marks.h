/*
 * kv_marks.h - what this node has seen of each bucket, in memory and in
 * <state_dir>/seen/<bucket>, which the node's daemons share.  A thread of its own writes the
 * files, a few seconds behind.  Private to common/kv*.c.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/kv_wire.h"

struct kv_marks;
struct kv_mark;

/* Which stream, and how far.  Sequences compare only where created and base are the same. */
struct kv_seen {
	char		 created[KV_CREATED_SIZE];	/* of the stream; empty: never seen */
	uint64_t	 base;		/* of its last reseed; 0: none */
	uint64_t	 seq;		/* the highest seen */
};
bool	 kv_seen_is_same(const struct kv_seen *a, const struct kv_seen *b);
OWNED_BY(cJSON_Delete) cJSON *kv_seen_json(const struct kv_seen *s);	/* NULL: no memory */
int	 kv_seen_parse(const cJSON *o, struct kv_seen *ret) MUST_CHECK;	/* other members: ignored */

/* Makes the folder, and starts the thread.  0 or -errno. */
int	 kv_marks_new(const char *state_dir, struct kv_marks **ret) MUST_CHECK;
/* Writes what is owed.  NULL is fine.  Marks go with it. */
void	 kv_marks_free(struct kv_marks *m);

/* Servers by id, in <state_dir>/servers: those that were met while nothing was amiss. */
bool	 kv_marks_knows_server(struct kv_marks *m, const char *id);	/* by any daemon of the node */
void	 kv_marks_add_server(struct kv_marks *m, const char *id);
/* The node had seen no bucket when this began, and has met no server since. */
bool	 kv_marks_is_new(struct kv_marks *m);

/* Reads the bucket's file.  0 or -errno: one that cannot be read proves nothing, so that no
 * bucket may be made on the strength of it.  bucket is borrowed. */
int	 kv_mark_open(struct kv_marks *m, const char *bucket, struct kv_mark **ret) MUST_CHECK;
void	 kv_mark_get(const struct kv_mark *k, struct kv_seen *ret);	/* loop */
/* Loop: from here on it is this stream. */
void	 kv_mark_adopt(struct kv_mark *k, const struct kv_seen *s);
/* Any thread. */
void	 kv_mark_raise(struct kv_mark *k, uint64_t seq);
const _Atomic uint64_t *kv_mark_seq(const struct kv_mark *k);
