/*
 * command.h - a request that changes instances, or asks their owners: reads the records of
 * the ids it names, refuses the whole of it where one id is unknown or in a wrong state, and
 * then carries the verb to each owner.  An answer is given when all have ended; where one was
 * refused, the first in the order of the request is told.  Loop thread only.
 */
#pragma once

#include "common/bus.h"
#include "gwd/action.h"
#include "gwd/id_list.h"
#include "gwd/verb.h"

struct command_item {
	struct instance	 record;	/* as it was read; id is empty until then */
	cJSON		*answer;	/* the owner's; or from the record where that settles it */
	struct bus_error error;		/* code: empty unless it failed */
};
struct command {
	struct call			*call;
	const struct command_spec	*spec;
	struct id_list			 ids;
	struct command_item		*items;		/* as many, in the same order */
	size_t				 next, flying;
	bool				 unreadable;	/* a record is there and cannot be read */
};
struct command_spec {			/* static */
	const struct verb	*verb;		/* NULL: nothing is sent, the records answer */
	const char		*ids;		/* member of the input: a list, or one text */
	/* Looks at the records; false: it has failed the call.  NULL: they may. */
	bool			(*may)(const struct command *c);
	/* Adds what the verb needs to the command of one instance.  False: no memory.  NULL:
	 * nothing. */
	bool			(*fill)(const struct command *c, const struct instance *i,
				    cJSON *command);
	/* The answer to the client, owned; NULL: no memory. */
	cJSON			*(*answer)(const struct command *c);
	/* Takes the call instead of an answer, when all went well; NULL: it is answered. */
	void			(*then)(struct call *call);
};
/* Takes the call: it ends by itself. */
void	 command_start(struct gwd *g, struct call *c, const struct command_spec *spec);

/* {}: no output shape, <return>true</return>. */
cJSON	*command_nothing(const struct command *c);
/* {member: [{InstanceId, CurrentState, PreviousState}]}: what three of the verbs answer. */
cJSON	*command_state_changes(const struct command *c, const char *member);
