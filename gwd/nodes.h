/*
 * nodes.h - the nodes that spinifex-nodes has: whose answers a gather waits for.  A copy in
 * memory, read again on every hint and every NODES_REREAD_MS, so that no request reads it.
 * It also remembers who did not answer lately: such a node is asked, but waited for no longer
 * than a moment.  Loop thread only.
 */
#pragma once

#include "common/kv.h"
#include "common/loop.h"

#define NODES_MAX		256
#define NODES_REREAD_MS		30000
#define NODES_SILENT_MS		30000	/* how long a silence is remembered */

struct nodes;

int	 nodes_new(struct loop *l, struct bucket *b, struct nodes **ret) MUST_CHECK;
void	 nodes_free(struct nodes *n);		/* NULL is fine */

/* Was the list read, with a node in it?  Before that nobody can say that an answer is complete. */
bool	 nodes_are_known(const struct nodes *n);
size_t	 nodes_count(const struct nodes *n);
/* Borrowed until the loop's next turn; i below nodes_count, sorted. */
const char *nodes_name(const struct nodes *n, size_t i);
/* Its availability zone, also while it is silent; "": its record does not say. */
const char *nodes_zone(const struct nodes *n, size_t i);
int	 nodes_find(const struct nodes *n, const char *name);	/* index, or -1 */

/* It answered (of one that is not in the list the list is read again); it did not in time. */
void	 nodes_heard(struct nodes *n, const char *name);
void	 nodes_missed(struct nodes *n, const char *name);
bool	 nodes_is_silent(const struct nodes *n, size_t i);
