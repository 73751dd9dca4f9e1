/*
 * site.h - a fake store of one key, and sites that hold leases on it: each a node with a clock
 * of its own.  A site answers its lease's requests at once, after a delay, or not at all.
 */
#pragma once

#include <string.h>

#include "leased/lease.h"
#include "tests/unit/unit.h"

#define T	UINT64_C(60000)

struct store {
	struct cas_token	 token;		/* as written; empty holder: none */
	uint64_t		 revision;	/* of the value or the delete marker; 0: neither */
	uint64_t		 sequence;
	bool			 is_corrupt;
	bool			 is_away;	/* unreachable */
	unsigned		 loads, swaps, removes;	/* that reached it */
};

struct site {
	struct lease		 l;
	struct store		*store;
	uint64_t		 now;
	uint64_t		 delay;		/* from a landing to its answer */
	bool			 is_stuck;	/* requests stay in `held` */
	struct lease_request	 held;
	struct lease_request	 last;		/* the last request that was sent */
	uint64_t		 sent[64];	/* when each write was sent */
	unsigned		 nsent;
	unsigned		 edges;		/* since site_edges */
	unsigned		 gained, lost, renewed, refused, failed, left;
};

static inline enum cas_result
store_load(struct store *s, struct lease_seen *ret)
{
	*ret = (struct lease_seen){ .revision = s->revision, .is_corrupt = s->is_corrupt };
	if (s->is_away)
		return ret->result = CAS_UNAVAILABLE;
	s->loads++;
	ret->token = s->token;
	if (ret->token.generation == 0)
		ret->token.generation = s->revision;
	return ret->result = s->token.holder[0] || s->is_corrupt ? CAS_OK : CAS_NOT_FOUND;
}

static inline void
store_set(struct store *s, const char *holder, uint64_t generation)
{
	s->token = (struct cas_token){ .generation = generation };
	memcpy(s->token.holder, holder, strlen(holder) + 1);
	s->revision = ++s->sequence;
}

static inline enum cas_result
store_write(struct store *s, const char *holder, const struct lease_request *q,
    uint64_t *ret_revision)
{
	if (s->is_away)
		return CAS_UNAVAILABLE;
	if (q->kind == LEASE_REMOVE)
		s->removes++;
	else
		s->swaps++;
	if (q->expected != s->revision)
		return CAS_LOST;
	store_set(s, q->kind == LEASE_REMOVE ? "" : holder, q->generation);
	*ret_revision = s->revision;
	return CAS_OK;
}

static inline void site_take(struct site *n, const struct lease_out *out);

static inline void
site_tick(struct site *n)
{
	struct lease_out out = { .edges = 0 };

	lease_tick(&n->l, n->now, &out);
	site_take(n, &out);
}

/* The request reaches the store now, and its answer the site `delay` later. */
static inline void
site_serve(struct site *n, const struct lease_request *q)
{
	struct lease_out out = { .edges = 0 };
	struct lease_seen seen;
	enum cas_result res;
	uint64_t revision = 0;

	if (q->kind == LEASE_LOAD)
		res = store_load(n->store, &seen);
	else
		res = store_write(n->store, n->l.holder, q, &revision);
	n->now += n->delay;
	site_tick(n);
	if (q->kind == LEASE_LOAD)
		lease_loaded(&n->l, q->op, &seen, n->now, &out);
	else
		lease_written(&n->l, q->op, res, revision, n->now, &out);
	site_take(n, &out);
}

static inline void
site_take(struct site *n, const struct lease_out *out)
{
	struct lease_request q = out->request;

	n->edges |= out->edges;
	n->lost += (out->edges & LEASE_LOST) != 0;
	n->left += (out->edges & LEASE_LEFT) != 0;
	n->gained += (out->edges & LEASE_GAINED) != 0;
	n->renewed += (out->edges & LEASE_RENEWED) != 0;
	n->refused += (out->edges & LEASE_REFUSED) != 0;
	n->failed += (out->edges & LEASE_FAILED) != 0;
	if (q.kind == LEASE_NOTHING)
		return;
	n->last = q;
	if (q.kind == LEASE_WIN || q.kind == LEASE_KEEP)
		n->sent[n->nsent++ % 64] = n->now;
	if (n->is_stuck)
		n->held = q;
	else
		site_serve(n, &q);
}

/* What happened since the last call. */
static inline unsigned
site_edges(struct site *n)
{
	unsigned edges = n->edges;

	n->edges = 0;
	return edges;
}

static inline void
site_init(struct site *n, const char *name, struct store *s, uint64_t now)
{
	*n = (struct site){ .store = s, .now = now };
	ck_assert_int_eq(lease_init(&n->l, name, T, 0), LEASE_MADE);
}

/* One attempt; its verdict. */
static inline unsigned
site_try(struct site *n)
{
	struct lease_out out = { .edges = 0 };

	(void)site_edges(n);
	(void)lease_try(&n->l, n->now, &out);
	site_take(n, &out);
	return site_edges(n) & LEASE_VERDICT;
}

static inline void
site_stand(struct site *n, bool on)
{
	struct lease_out out = { .edges = 0 };

	lease_stand(&n->l, on, n->now, &out);
	site_take(n, &out);
}

static inline bool
site_leave(struct site *n, uint64_t generation)
{
	struct lease_out out = { .edges = 0 };
	bool had = lease_leave(&n->l, generation, n->now, &out);

	site_take(n, &out);
	return had;
}

/* Time passes, and each deadline on the way is kept to the millisecond. */
static inline void
site_pass(struct site *n, uint64_t ms)
{
	uint64_t until = n->now + ms;

	while (lease_deadline(&n->l) <= until) {
		if (n->now < lease_deadline(&n->l))
			n->now = lease_deadline(&n->l);
		site_tick(n);
	}
	if (n->now < until)
		n->now = until;
}

static inline bool
site_holds(const struct site *n)
{
	return lease_is_held(&n->l, n->now);
}
