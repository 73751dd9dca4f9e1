/*
 * gather.h - one question to every node.  Ends as soon as every known node has answered, or
 * when the asker has what it wants; else it says who is missing.  A node that did not answer
 * the last time is waited for no longer than GATHER_GRACE_MS after the others have.
 * Loop thread only.
 */
#pragma once

#include "common/bus.h"
#include "gwd/nodes.h"

#define GATHER_MS	2000	/* for all answers */
#define GATHER_GRACE_MS	150	/* for nodes that were silent lately */

struct gather_result {
	const char	*const *missing;	/* nodes without an answer, or with an error */
	size_t		 nmissing;
	bool		 enough;	/* each said so: missing says nothing */
};
struct gather_spec {
	struct bus	*bus;
	struct nodes	*nodes;
	const char	*subject;
	const char	*account;	/* NULL: no header */
	const char	*request_id;
	const cJSON	*in;		/* NULL: {} */
	/* An answer that is no error; tree is taken.  True: no more are wanted. */
	bool		(*each)(void *arg, const char *node, cJSON *tree);
	/* Once, last, later. */
	void		(*end)(void *arg, const struct gather_result *r);
	void		*arg;
};
struct gather;
/* NULL: no memory, or the list of nodes was never read; then nothing is called. */
struct gather *gather_start(const struct gather_spec *spec) MUST_CHECK;
