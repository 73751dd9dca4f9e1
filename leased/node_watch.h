/*
 * node_watch.h - the leases of the other nodes, `node.<name>`, as this one has seen them: at
 * which revision, and since when by its own clock.  It is how a node is known to be dead.
 * Pure.  A sight counts only if it came by a leader's read that succeeded; a read that failed
 * neither ends a watch nor lengthens it.
 */
#pragma once

#include "leased/lease.h"

#define NODE_WATCH_MAX	1024	/* nodes; more are not watched, and so not buried */

struct node_sight {
	char			 node[CAS_HOLDER_MAX + 1];
	struct cas_token	 token;		/* empty holder: a delete marker */
	bool			 is_corrupt;
	uint64_t		 revision;
	uint64_t		 first_ms;	/* receipt of the first read at this revision */
	uint64_t		 last_ms;	/* and of the last */
	uint64_t		 word_generation; /* buried by us on an operator's word; 0: never */
	uint64_t		 word_ms;	/* when, last */
};

struct node_watch {
	struct node_sight	*sights;
	size_t			 n;
};
void	 node_watch_deinit(struct node_watch *w);
/* A read of the node's key: CAS_OK or CAS_NOT_FOUND; others change nothing.  NULL: nothing is
 * known of it (no message, a failed read of a stranger, no room). */
const struct node_sight *node_watch_saw(struct node_watch *w, const char *node,
    const struct lease_seen *seen, uint64_t now_ms);
/* We have buried it under this generation on an operator's word. */
void	 node_watch_word(struct node_watch *w, const char *node, uint64_t generation,
    uint64_t now_ms);
const struct node_sight *node_watch_find(const struct node_watch *w, const char *node);
