/*
 * locals.h - the stores that have a local copy on this node, as the loop knows them.  The files
 * are the truth; this is what was last seen of them.  Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "uefid/pace.h"
#include "uefid/store.h"

enum local_state {
	LOCAL_OPEN,		/* a guest runs, or is about to */
	LOCAL_CLEAN,		/* no guest; everything is in its object */
	LOCAL_OWED,		/* something is not in an object, and saving it failed */
	LOCAL_FENCED,		/* lost to another node; waits for the guest's end */
	LOCAL_DELETING,		/* its store is being deleted; waits for the guest's end */
	LOCAL_STATES
};
const char *local_state_name(enum local_state s);

struct local {
	TAILQ_ENTRY(local)	 link;
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 launch_id[STORE_LAUNCH_MAX + 1];
	uint64_t		 generation;
	enum local_state	 state;
	uint64_t		 since_ms;		/* wall */
	char			 why[STORE_WHY_MAX];	/* of OWED, FENCED, DELETING */
	struct pace		 pace;
	int			 watch_id;
	uint64_t		 pruned_ms;		/* CLOCK_BOOTTIME of the last prune; 0: never */
	uint64_t		 checked_ms;		/* ... of the last look at its record */
	uint64_t		 confirmed;		/* our node's generation when its claim was */
};
TAILQ_HEAD(locals, local);

struct local *local_find(struct locals *l, const char *instance_id);	/* NULL: not known */
/* The known one or a new one, open since wall_ms.  NULL: no memory. */
struct local *local_get(struct locals *l, const char *instance_id, uint64_t wall_ms);
/* True when this is news. */
bool	 local_move(struct local *l, enum local_state to, const char *why, uint64_t wall_ms);
size_t	 local_count(const struct locals *l);
void	 local_free(struct locals *l, struct local *one);
