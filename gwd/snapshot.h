/*
 * snapshot.h - every instance record at once, for when a node does not answer and its
 * instances are shown from their records.  One scan runs at a time: who asks while one runs
 * is served by the next, so that no answer is older than its question and no number of
 * requests reads the bucket more than once at a time.  Loop thread only.
 */
#pragma once

#include "common/instance.h"
#include "common/kv.h"

struct snapshot;

int	 snapshot_new(struct bucket *instances, struct snapshot **ret) MUST_CHECK;
void	 snapshot_free(struct snapshot *s);	/* NULL is fine; nobody is called */

/*
 * records: complete, sorted by id, borrowed for the call; NULL unless CAS_OK.  A record that
 * cannot be read is left out and logged: it hides itself, not the others.
 */
typedef void snapshot_fn(void *arg, enum cas_result res, const struct instance *records,
    size_t n);
/* fn is called once, later.  False: no memory, then never. */
bool	 snapshot_get(struct snapshot *s, snapshot_fn *fn, void *arg) MUST_CHECK;
