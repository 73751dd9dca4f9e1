/*
 * route_rule.h - owner first: what to do after an attempt to have an instance's owner change
 * it.  Pure; any thread.
 *
 *	answered, with the handled header		final, whatever it says
 *	answered, an error that is not internal		final
 *	answered, internal, without the header		the owner is a release behind and wrote
 *							nothing: the queue, where there is one
 *	no responders					again, ROUTE_OWNER_TRIES in all, then the
 *							queue, where there is one
 *	not sent					nothing was done: unavailable
 *	timeout						unknown: never a second attempt
 */
#pragma once

#include <stdbool.h>

#define ROUTE_OWNER_TRIES	3

enum route_came {
	ROUTE_CAME_ANSWER,	/* done */
	ROUTE_CAME_ERROR,	/* an error with a code */
	ROUTE_CAME_INTERNAL,	/* an error whose code is internal, or no JSON */
	ROUTE_CAME_NOBODY,
	ROUTE_CAME_NOT_SENT,
	ROUTE_CAME_TIMEOUT,
};
enum route_next {
	ROUTE_RELAY,		/* the answer, or the error, is the client's */
	ROUTE_AGAIN,		/* after a pause */
	ROUTE_QUEUE,		/* whichever worker gets it */
	ROUTE_UNAVAILABLE,	/* nothing was done */
	ROUTE_UNKNOWN,		/* InternalError: it may have been done */
	ROUTE_NEXTS
};
struct route_attempt {
	enum route_came	 came;
	bool		 handled;	/* the reply had the handled header */
	unsigned	 tries;		/* of the owner, with this one */
	bool		 has_queue;	/* the verb has a queue subject */
	bool		 at_queue;	/* this was the attempt at the queue */
};
enum route_next route_decide(const struct route_attempt *a);
/* The pause before the owner is tried again. */
unsigned route_pause_ms(unsigned tries);
