/*
 * inventory.h - the instances of an account, as their nodes tell them; those of a node that
 * does not answer as their records tell them.  So an answer is complete, or an error: nothing
 * is absent because something did not answer.
 *
 * Nodes answer in rounds (an answer has a size limit); a round is handed on in the order of
 * ids, each id once over all rounds.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"
#include "gwd/answer.h"
#include "gwd/id_list.h"

struct inventory_item {			/* borrowed for the call of round */
	const char	*id;
	cJSON		*instance;	/* part of answer: not to be changed */
	const cJSON	*reservation;	/* the same */
	struct answer	*answer;	/* vmd's, or made from the record; who keeps any of
					   the above keeps a reference of it */
	bool		 impaired;	/* its node does not answer, or its QEMU does not */
};
struct inventory_error {
	const char	*code;
	const char	*message;
};
struct inventory_ask {
	const struct call	*call;		/* the account, the request id */
	const struct id_list	*ids;		/* n 0: all; else exactly these, or NotFound.
						   Borrowed until end */
	const char		*after;		/* only ids above it; "" for all */
	/* Returns true when it wants no more. */
	bool			(*round)(void *arg, struct inventory_item *items, size_t n);
	/* Once, last.  e is NULL when all went well. */
	void			(*end)(void *arg, const struct inventory_error *e);
	void			*arg;
};
/* end is always called, but never from inside the call.  False: no memory, or the nodes are
 * not known yet; then it is not. */
bool	 inventory_start(struct gwd *g, const struct inventory_ask *ask) MUST_CHECK;

/* Does the instance's "Spinifex" member say that its QEMU does not answer? */
bool	 inventory_is_impaired(const cJSON *instance);
