/*
 * gather.h - one question to every node.  Ends as soon as every known node has answered, or
 * when the asker has what it wants; else it says how many are missing.  A node that did not answer
 * the last time is waited for no longer than GATHER_GRACE_MS after the others have.
 *
 * Of each question one is on its way at a time: who asks the same meanwhile is served, with all
 * others who do, by the next, so that no answer is older than its question and a crowd costs
 * the nodes no more than one.  Loop thread only.
 */
#pragma once

#include "common/bus.h"
#include "gwd/answer.h"
#include "gwd/nodes.h"

#define GATHER_MS	2000	/* for all answers */
#define GATHER_GRACE_MS	150	/* for nodes that were silent lately */

#define GATHER_NODE_STATUS	"spinifex.node.status"	/* zone, room and types of a node */

struct gathers;		/* those on their way */

int	 gathers_new(struct bus *b, struct nodes *n, struct gathers **ret) MUST_CHECK;
void	 gathers_free(struct gathers *all);	/* NULL is fine; nobody is called */

struct gather_spec {
	const char	*subject;
	const char	*account;	/* NULL: no header */
	const char	*request_id;	/* NULL: none; borrowed until end */
	const cJSON	*in;		/* NULL: {} */
	/* An answer that is no error; others may read it too.  True: no more are wanted. */
	bool		(*each)(void *arg, const char *node, struct answer *a);
	/* Once, last, later.  missing: how many nodes did not answer, or with an error; 0 also
	 * when each said so. */
	void		(*end)(void *arg, size_t missing);
	void		*arg;
};
/* False: no memory, or the list of nodes was never read; then nothing is called. */
bool	 gather_start(struct gathers *all, const struct gather_spec *spec) MUST_CHECK;
