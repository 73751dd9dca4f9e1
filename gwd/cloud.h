/*
 * cloud.h - what the actions share: the buckets they read, the nodes they ask, the instance
 * types they offer.  Made by a step of main, borrowed by all.  Loop thread, but for the
 * buckets' waiting calls in jobs.
 */
#pragma once

#include <sys/queue.h>

#include "common/kv.h"
#include "common/types.h"
#include "gwd/gather.h"
#include "gwd/nodes.h"
#include "gwd/snapshot.h"

#define CLOUD_READ_MS	5000	/* of one read or write of a bucket */

struct gwd;
struct run;

struct cloud {
	struct bucket	*instances;	/* vmd's: only read here */
	struct bucket	*images;	/* vmd's */
	struct bucket	*addresses;	/* vmd's */
	struct bucket	*volumes;	/* made and deleted here; else vmd's */
	struct bucket	*key_pairs;	/* ours */
	struct bucket	*networks;	/* ours */
	struct bucket	*tokens;	/* ours */
	struct nodes	*nodes;
	struct gathers	*gathers;
	struct snapshot	*snapshot;
	struct types	 types;		/* fixed after start */
	LIST_HEAD(, run) runs;		/* RunInstances in flight, where there is a limit */
};

/* Reads the types file, opens the buckets, begins to know the nodes.  0 or -errno; the types
 * file's fault is logged, since only it has a line to name. */
int	 cloud_up(struct gwd *g) MUST_CHECK;
void	 cloud_down(struct gwd *g);

/* The call cannot be served because of the store: Unavailable, ServiceUnavailable or
 * InternalError, as an EC2 code with its sentence. */
const char *cloud_code(enum cas_result r, const char **ret_message);
