/*
 * start.h - what has to be true before leased touches a lease: the buckets are open, the
 * server lets one of two swaps at one revision win (in a bucket of their own: nats-server before
 * 2.9.22 with replicas counts the loser, forgets the count of one that it is killed with, and then
 * loses what that stream acknowledges later), and spinifex-nodes says that this node's
 * name is ours (by the UUID in its state folder).  Retried for as long as it takes; only a
 * server that cannot swap, and a name that is another's, end it.  Loop thread.
 */
#pragma once

#include "common/clock.h"
#include "common/kv.h"
#include "common/node.h"

enum start_end {
	START_DONE,
	START_NAME_TAKEN,	/* another node has our name: its UUID is in why */
	START_CANNOT_SWAP,	/* two swaps at one revision both won */
};

struct start;
struct start_spec {
	struct loop		*loop;
	const struct clock	*clock;
	struct kv		*kv;
	struct bucket		*canary, *nodes;
	struct node		 self;		/* without since_ms */
	void			(*ended)(void *arg, enum start_end end, const char *why);
	/* Each time something has to be tried again: a sentence, for the log. */
	void			(*waits)(void *arg, const char *why);
	void			*arg;
};
int	 start_new(const struct start_spec *spec, struct start **ret) MUST_CHECK;
void	 start_free(struct start *s);		/* NULL is fine */
