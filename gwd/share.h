/*
 * share.h - of each question that only reads, one is being answered at a time.  Who asks the
 * same meanwhile waits, with all others who do, for the next answer: so none is older than its
 * question, and a crowd that asks the same costs no more than one.
 *
 *	share_join(s, p, question)	somebody is asking that: p waits, and is answered as his
 *					twin, or is begun itself
 *	share_lead(s, p, question)	nobody is: p asks, and others may join
 *	share_twin(p)			those who are answered as p is, one after the other
 *	share_leave(p)			p has its answer, or wants none any more
 *
 * Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/cleanup.h"

struct loop;
struct shares;

struct share;
TAILQ_HEAD(share_list, share);
struct share {				/* a place in it, of one who asks; zero: not in it */
	void			*arg;		/* its owner's */
	/* The rest is share.c's. */
	struct shares		*shares;	/* NULL: not in it */
	char			*question;	/* of one who leads; owned */
	uint64_t		 hash;
	struct share		*lead;		/* waits for this one; NULL: leads */
	struct share_list	*list;		/* that it waits in */
	struct share_list	 twins;		/* answered as this one is */
	struct share_list	 later;		/* came when it had begun */
	bool			 has_begun;
	TAILQ_ENTRY(share)	 entry;		/* in list; of one who leads: in shares */
};

/* begin(arg) for the first of those who waited, in a turn of its own: it leads now. */
int	 shares_new(struct loop *l, void (*begin)(void *arg), struct shares **ret) MUST_CHECK;
void	 shares_free(struct shares *s);		/* NULL is fine; after all have left */

/* False: nobody is asking that. */
bool	 share_join(struct shares *s, struct share *p, const char *question);
/* False, without memory: nobody can join it.  One that was begun leads already. */
bool	 share_lead(struct shares *s, struct share *p, const char *question);
/* Takes the next twin out of it: NULL, none is left. */
struct share *share_twin(struct share *p);
bool	 share_has_twins(const struct share *p);
/* Whom p waits for; NULL: nobody. */
struct share *share_waits_for(const struct share *p);
/* False: p waits, or is begun soon.  True for one that is not in it. */
bool	 share_has_begun(const struct share *p);
/* Nothing for one that is not in it.  Those who wait for p go on without it. */
void	 share_leave(struct share *p);
