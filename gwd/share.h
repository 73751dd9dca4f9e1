/*
 * share.h - of each question that only reads, one is being answered at a time.  Who asks the
 * same meanwhile gets that answer too, as long as it is young: it was begun less than `age` ago,
 * and nothing was changed here since.  While it is young, those who come after it get it as well,
 * if several asked, but for one, half the age later, who asks anew.  Who comes when it is not
 * young waits, with all others, for the next.  So an answer shows all that was changed here
 * before it was asked for, and what was changed elsewhere up to `age` before; a crowd that asks
 * the same costs no more than one; and one that nobody asked with in that time is never answered
 * with what was found before it asked.
 *
 *	share_kept(s, question)		it was just answered to several: that is the answer
 *	share_join(s, p, question)	somebody is asking that: p waits, and is answered as his
 *					twin, or is begun itself
 *	share_lead(s, p, question)	nobody is: p asks, and others may join
 *	share_keep(p, ...)		p has its answer: others may want it
 *	share_twin(p)			those who are answered as p is, one after the other
 *	share_leave(p)			p has its answer, or wants none any more
 *
 * Times are of one clock that never goes back, in microseconds.  Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/buf.h"
#include "common/cleanup.h"

#define SHARE_KEPT_MAX		16		/* answers */
#define SHARE_KEPT_BYTES_MAX	(256 * 1024)	/* of one */

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
	uint64_t		 begun_us;	/* of one who leads and was begun */
	uint64_t		 changes;	/* as many as there had been then */
	struct share		*lead;		/* waits for this one; NULL: leads */
	struct share_list	*list;		/* that it waits in */
	struct share_list	 twins;		/* answered as this one is */
	struct share_list	 later;		/* came when it had begun and was not young */
	bool			 has_begun;
	TAILQ_ENTRY(share)	 entry;		/* in list; of one who leads: in shares */
};

struct share_answer {			/* one that is kept */
	const void	*what;		/* its asker's */
	struct buf	 body;
	size_t		 mark;		/* its asker's */
};

/* begin(arg) for the first of those who waited, in a turn of its own: it leads now.
 * age_ms 0: an answer is never older than its question. */
int	 shares_new(struct loop *l, uint64_t age_ms, void (*begin)(void *arg),
    struct shares **ret) MUST_CHECK;
void	 shares_free(struct shares *s);		/* NULL is fine; after all have left */
/* Something was changed here: who asks from now on must see it. */
void	 shares_changed(struct shares *s);

/* NULL: nothing young is kept, or the caller should ask anew.  Valid for this turn of the loop. */
const struct share_answer *share_kept(struct shares *s, const char *question, uint64_t now_us);
/* False: nobody is asking that. */
bool	 share_join(struct shares *s, struct share *p, const char *question, uint64_t now_us);
/* *question is taken; NULL: nobody can join p, unless it was begun, since then it has one. */
void	 share_lead(struct shares *s, struct share *p, char **question, uint64_t now_us);
/* Before its twins are taken out of it.  Keeps a copy of the body, if several asked, it is young
 * and not too large, and there is memory. */
void	 share_keep(struct share *p, const void *what, const struct buf *body, size_t mark,
    uint64_t now_us);
/* Takes the next twin out of it: NULL, none is left. */
struct share *share_twin(struct share *p);
bool	 share_has_twins(const struct share *p);
/* Whom p waits for; NULL: nobody. */
struct share *share_waits_for(const struct share *p);
/* False: p waits, or is begun soon.  True for one that is not in it. */
bool	 share_has_begun(const struct share *p);
/* Nothing for one that is not in it.  Those who wait for p go on without it. */
void	 share_leave(struct share *p);
