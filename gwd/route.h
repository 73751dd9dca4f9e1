/*
 * route.h - one change of one instance, carried to its owner (ec2.cmd.<id>) by the rules of
 * route_rule.h: tried again while nobody answers, then the queue where there is one, and
 * never a second time after a silence that may have been a success.  Loop thread only.
 */
#pragma once

#include "common/bus.h"

/* Both under the deadline of the row that serves it: what comes later is not known to be
 * undone, and so is never told apart from a refusal by its code. */
#define ROUTE_OWNER_MS	12000	/* for the owner's answer */
#define ROUTE_QUEUE_MS	25000	/* for a worker's, which moves and launches */

enum route_outcome {
	ROUTE_DONE,		/* tree is the answer */
	ROUTE_REFUSED,		/* error is the answer: an EC2 code */
	ROUTE_SILENT,		/* nobody serves it: nothing was done */
	ROUTE_LOST,		/* it may have been done, or may be done yet */
	ROUTE_OUTCOMES
};
/* Exactly once, later.  tree is borrowed and NULL unless ROUTE_DONE, error NULL unless
 * ROUTE_REFUSED. */
typedef void route_done_fn(void *arg, enum route_outcome o, const cJSON *tree,
    const struct bus_error *error);

struct route_ask {			/* texts are copied */
	const char	*account, *request_id;
	const char	*instance_id;
	const cJSON	*command;
	const char	*queue;		/* a subject; NULL: only the owner can do it */
	const cJSON	*queue_in;	/* what the queue is sent */
};
/* False: no memory, done is not called. */
bool	 route_start(struct bus *b, const struct route_ask *ask, route_done_fn *done, void *arg)
    MUST_CHECK;
