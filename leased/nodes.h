/*
 * nodes.h - the other nodes: their leases are read each T/3 and when a hint names them, so
 * that a burial finds a watch that is long enough; and burials, step by step, over the
 * buckets.  The rules are in node_watch.h and bury.h.  Loop thread.
 */
#pragma once

#include "common/clock.h"
#include "common/kv.h"
#include "leased/bury.h"

#define NODES_BURIALS_MAX	32	/* at one time */

struct nodes;
struct nodes_spec {
	struct loop		*loop;
	const struct clock	*clock;
	struct bucket		*sync, *records, *beats;
	const char		*self;		/* borrowed */
	uint64_t		 ttl_ms;	/* node_ttl */
};
int	 nodes_new(const struct nodes_spec *spec, struct nodes **ret) MUST_CHECK;
void	 nodes_free(struct nodes *n);		/* NULL is fine; burials end without a call */
void	 nodes_begin(struct nodes *n);		/* the buckets are open: read, and go on */
void	 nodes_hint(struct nodes *n, const char *key);	/* of the bucket of leases; "": all */

/* Each node but this one whose lease was ever seen; false as soon as fn says so. */
bool	 nodes_each(const struct nodes *n, bool (*fn)(void *arg, const char *name), void *arg);

typedef void nodes_buried_fn(void *arg, const struct bury *b);
/*
 * done(arg, b) once, with the verdict, later on the loop.  0; -EAGAIN when too many are
 * under way, -ENOMEM.
 */
int	 nodes_bury(struct nodes *n, const char *node, bool is_fenced, nodes_buried_fn *done,
    void *arg) MUST_CHECK;
