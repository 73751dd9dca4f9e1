#include "gwd/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/loop.h"

#define FORGET_MS	2000	/* what nobody wants any more is not kept for longer */

struct kept {
	struct share_answer	 answer;
	char			*question;
	uint64_t		 hash;
	uint64_t		 begun_us;
	bool			 is_told;	/* to somebody, since the next was begun or it is kept */
	TAILQ_ENTRY(kept)	 entry;
};
TAILQ_HEAD(kept_list, kept);

struct shares {
	struct share_list	 leads;
	struct kept_list	 kept;		/* the newest first */
	size_t			 nkept;
	uint64_t		 age_us;
	uint64_t		 changes;
	struct loop_timer	*forget;
	struct loop_soon	*soon;
	void			(*begin)(void *arg);
};

/* ---- answers that are kept ---- */

static void
kept_free(struct kept *k)
{
	buf_deinit(&k->answer.body);
	free(k->question);
	free(k);
}

static void
kept_drop(struct shares *s, struct kept *k)
{
	TAILQ_REMOVE(&s->kept, k, entry);
	s->nkept--;
	kept_free(k);
}

static void
kept_drop_all(struct shares *s)
{
	struct kept *k;

	while ((k = TAILQ_FIRST(&s->kept)))
		kept_drop(s, k);
}

/* All of them: those that are young still are asked for again. */
static void
on_forget(void *arg)
{
	kept_drop_all(arg);
}

static struct kept *
kept_find(struct shares *s, const char *question, uint64_t hash)
{
	struct kept *k;

	TAILQ_FOREACH(k, &s->kept, entry)
		if (k->hash == hash && strcmp(k->question, question) == 0)
			return k;
	return NULL;
}

static struct share *
share_find(struct shares *s, const char *question, uint64_t hash)
{
	struct share *p;

	TAILQ_FOREACH(p, &s->leads, entry)
		if (p->hash == hash && strcmp(p->question, question) == 0)
			return p;
	return NULL;
}

static bool
is_young(const struct shares *s, uint64_t begun_us, uint64_t now_us)
{
	return now_us < begun_us + s->age_us;
}

/* Half its age is left for the next answer, so that a crowd need not wait for it. */
static bool
wants_next(struct shares *s, const struct kept *k, uint64_t now_us)
{
	return now_us >= k->begun_us + s->age_us / 2 && !share_find(s, k->question, k->hash);
}

const struct share_answer *
share_kept(struct shares *s, const char *question, uint64_t now_us)
{
	struct kept *k;

	if (TAILQ_EMPTY(&s->kept))
		return NULL;
	k = kept_find(s, question, hash_text(HASH_BEGIN, question));
	if (!k || !is_young(s, k->begun_us, now_us))
		return NULL;
	k->is_told = !wants_next(s, k, now_us);
	return k->is_told ? &k->answer : NULL;
}

static struct kept *
kept_new(const struct share *p, const void *what, const struct buf *body, size_t mark)
{
	struct kept *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	*k = (struct kept){ .answer = { what, BUF_EMPTY(SHARE_KEPT_BYTES_MAX), mark },
	    .question = strdup(p->question), .hash = p->hash, .begun_us = p->begun_us };
	if (!k->question || buf_add(&k->answer.body, body->data, body->len) < 0) {
		kept_free(k);
		return NULL;
	}
	return k;
}

void
share_keep(struct share *p, const void *what, const struct buf *body, size_t mark, uint64_t now_us)
{
	struct shares *s = p->shares;
	struct kept *k, *before;

	if (!s || p->lead || p->changes != s->changes || !is_young(s, p->begun_us, now_us))
		return;
	before = kept_find(s, p->question, p->hash);
	if (TAILQ_EMPTY(&p->twins) && TAILQ_EMPTY(&p->later) && !(before && before->is_told))
		return;
	k = kept_new(p, what, body, mark);
	if (!k)
		return;
	if (!before && s->nkept == SHARE_KEPT_MAX)
		before = TAILQ_LAST(&s->kept, kept_list);
	if (before)
		kept_drop(s, before);
	TAILQ_INSERT_HEAD(&s->kept, k, entry);
	if (s->nkept++ == 0)
		loop_timer_in(s->forget, FORGET_MS);
}

void
shares_changed(struct shares *s)
{
	s->changes++;
	kept_drop_all(s);
}

/* ---- those who ask ---- */

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
shares_new(struct loop *l, uint64_t age_ms, void (*begin)(void *arg), struct shares **ret)
{
	struct shares *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	TAILQ_INIT(&s->leads);
	TAILQ_INIT(&s->kept);
	s->age_us = age_ms * 1000;
	s->begin = begin;
	r = loop_soon_new(l, shares_begin, s, &s->soon);
	if (r == 0)
		r = loop_timer_new(l, on_forget, s, &s->forget);
	if (r < 0) {
		shares_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void
shares_free(struct shares *s)
{
	if (!s)
		return;
	kept_drop_all(s);
	loop_soon_free(s->soon);
	loop_timer_free(s->forget);
	free(s);
}

bool
share_join(struct shares *s, struct share *p, const char *question, uint64_t now_us)
{
	struct share *lead = share_find(s, question, hash_text(HASH_BEGIN, question));

	if (!lead)
		return false;
	p->shares = s;
	p->lead = lead;
	p->list = !lead->has_begun || (lead->changes == s->changes &&
	    is_young(s, lead->begun_us, now_us)) ? &lead->twins : &lead->later;
	TAILQ_INSERT_TAIL(p->list, p, entry);
	return true;
}

void
share_lead(struct shares *s, struct share *p, char **question, uint64_t now_us)
{
	p->begun_us = now_us;
	p->changes = s->changes;
	if (p->shares || !*question)
		return;
	p->question = steal_str(question);
	p->shares = s;
	p->hash = hash_text(HASH_BEGIN, p->question);
	p->has_begun = true;
	TAILQ_INIT(&p->twins);
	TAILQ_INIT(&p->later);
	TAILQ_INSERT_HEAD(&s->leads, p, entry);
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
