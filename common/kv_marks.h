/*
 * kv_marks.h - what this node has seen of each bucket: when its stream was made and the highest
 * sequence, in memory and in <state_dir>/seen/<bucket>, which the node's daemons share.  A
 * thread of its own writes the files, a few seconds behind.  Private to common/kv*.c.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/kv_wire.h"

struct kv_marks;
struct kv_mark;

/* Makes the folder, and starts the thread.  0 or -errno. */
int	 kv_marks_new(const char *state_dir, struct kv_marks **ret) MUST_CHECK;
/* Writes what is owed.  NULL is fine.  Marks go with it. */
void	 kv_marks_free(struct kv_marks *m);

/* Reads the bucket's file.  0 or -errno: one that cannot be read proves nothing, so that no
 * bucket may be made on the strength of it.  bucket is borrowed. */
int	 kv_mark_open(struct kv_marks *m, const char *bucket, struct kv_mark **ret) MUST_CHECK;
/* Loop: the stream's creation time as known; "" when this node has never seen the bucket. */
const char *kv_mark_created(const struct kv_mark *k);
/* Loop: from here on it is this stream, whose highest sequence was seq. */
void	 kv_mark_adopt(struct kv_mark *k, const char *created, uint64_t seq);
/* Any thread. */
void	 kv_mark_raise(struct kv_mark *k, uint64_t seq);
const _Atomic uint64_t *kv_mark_seq(const struct kv_mark *k);
