#include "gwd/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/loop.h"

struct shares {
	struct share_list	 leads;
	struct loop_soon	*soon;
	void			(*begin)(void *arg);
};

/* Those that were not begun yet stand at the end.  One may end as it is begun. */
static void
shares_begin(void *arg)
{
	struct shares *s = arg;
	struct share *p;

	while ((p = TAILQ_LAST(&s->leads, share_list)) && !p->has_begun) {
		p->has_begun = true;
		TAILQ_REMOVE(&s->leads, p, entry);
		TAILQ_INSERT_HEAD(&s->leads, p, entry);
		s->begin(p->arg);
	}
}

int
shares_new(struct loop *l, void (*begin)(void *arg), struct shares **ret)
{
	struct shares *s = calloc(1, sizeof(*s));
	int r = s ? loop_soon_new(l, shares_begin, s, &s->soon) : -ENOMEM;

	if (r < 0) {
		free(s);
		return r;
	}
	TAILQ_INIT(&s->leads);
	s->begin = begin;
	*ret = s;
	return 0;
}

void
shares_free(struct shares *s)
{
	if (!s)
		return;
	loop_soon_free(s->soon);
	free(s);
}

static struct share *
share_find(struct shares *s, const char *question)
{
	const uint64_t hash = hash_text(HASH_BEGIN, question);
	struct share *p;

	TAILQ_FOREACH(p, &s->leads, entry)
		if (p->hash == hash && strcmp(p->question, question) == 0)
			return p;
	return NULL;
}

bool
share_join(struct shares *s, struct share *p, const char *question)
{
	struct share *lead = share_find(s, question);

	if (!lead)
		return false;
	p->shares = s;
	p->lead = lead;
	p->list = lead->has_begun ? &lead->later : &lead->twins;
	TAILQ_INSERT_TAIL(p->list, p, entry);
	return true;
}

bool
share_lead(struct shares *s, struct share *p, const char *question)
{
	if (p->shares)
		return true;
	p->question = strdup(question);
	if (!p->question)
		return false;
	p->shares = s;
	p->hash = hash_text(HASH_BEGIN, question);
	p->has_begun = true;
	TAILQ_INIT(&p->twins);
	TAILQ_INIT(&p->later);
	TAILQ_INSERT_HEAD(&s->leads, p, entry);
	return true;
}

/* It waits for nobody any more. */
static void
share_rise(struct share *p)
{
	TAILQ_REMOVE(p->list, p, entry);
	p->lead = NULL;
	p->list = NULL;
	p->shares = NULL;
}

struct share *
share_twin(struct share *p)
{
	struct share *twin = p->shares && !p->lead ? TAILQ_FIRST(&p->twins) : NULL;

	if (twin)
		share_rise(twin);
	return twin;
}

bool
share_has_twins(const struct share *p)
{
	return p->shares && !p->lead && !TAILQ_EMPTY(&p->twins);
}

struct share *
share_waits_for(const struct share *p)
{
	return p->lead;
}

bool
share_has_begun(const struct share *p)
{
	return !p->shares || (!p->lead && p->has_begun);
}

/* The first of those who wait for p leads the others, and is begun soon. */
static void
share_pass_on(struct share *p)
{
	struct shares *s = p->shares;
	struct share *next, *other;

	TAILQ_CONCAT(&p->twins, &p->later, entry);
	next = TAILQ_FIRST(&p->twins);
	if (!next)
		return;
	share_rise(next);
	TAILQ_INIT(&next->twins);
	TAILQ_INIT(&next->later);
	TAILQ_CONCAT(&next->twins, &p->twins, entry);
	TAILQ_FOREACH(other, &next->twins, entry) {
		other->lead = next;
		other->list = &next->twins;
	}
	next->shares = s;
	next->question = steal_str(&p->question);
	next->hash = p->hash;
	next->has_begun = false;
	TAILQ_INSERT_TAIL(&s->leads, next, entry);
	loop_soon(s->soon);
}

void
share_leave(struct share *p)
{
	if (!p->shares)
		return;
	if (p->lead) {
		share_rise(p);
		return;
	}
	TAILQ_REMOVE(&p->shares->leads, p, entry);
	share_pass_on(p);
	free(p->question);
	p->question = NULL;
	p->shares = NULL;
}
