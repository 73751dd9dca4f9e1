/*
 * reseed.h - an operator's end to a store that is gone or went back, in one job: asks every
 * node's daemons what they hold, makes a plan (reseed_plan.h), refuses while anything of it is
 * unclear, and carries it out bucket by bucket (kv_reseed.h).
 */
#pragma once

#include <stdatomic.h>

#include "common/kv.h"
#include "leased/reseed_plan.h"

#define RESEED_NODES_MAX	256
#define RESEED_UNCLEAR_MAX	64	/* sentences; more are left out */

struct reseed_node {
	char	name[CAS_HOLDER_MAX + 1];
	bool	is_out;		/* an operator's word that the machine is off */
};
struct reseed_bucket {
	const struct bucket_spec	*spec;
	uint64_t			 mark;		/* the highest that anybody saw, or carries */
	uint64_t			 base;
	uint64_t			 at;		/* the stream's own sequence */
	bool				 exists, is_needed;
	unsigned			 written;
};
struct reseed {
	/* in */
	struct bus		*bus;
	struct kv		*kv;
	bool			 act;		/* false: says what it would do */
	atomic_bool		*stop;		/* the daemon is stopping */
	struct reseed_node	 node[RESEED_NODES_MAX];
	size_t			 nnodes;
	bool			 is_full;	/* a node had no room: nothing is done without it */

	/* out */
	struct reseed_bucket	*bucket;	/* of all kept ones; owned */
	size_t			 nbuckets;
	struct reseed_plan	 plan;
	char			*unclear[RESEED_UNCLEAR_MAX];	/* owned */
	size_t			 nunclear;
	const char		*failed;	/* what it was doing; NULL: nothing failed */
	enum cas_result		 why;
	bool			 is_done;
};

void	 reseed_run(void *job);			/* a struct reseed */
void	 reseed_free(void *job);
/* False: too many, or too long; a run then fails. */
bool	 reseed_add_node(struct reseed *r, const char *name, bool is_out);
