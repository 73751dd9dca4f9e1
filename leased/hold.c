#include "leased/hold.h"

#include <string.h>

bool
hold_ttl_is_allowed(uint64_t ttl_ms, uint32_t cluster_size)
{
	uint64_t min = cluster_size > 1 ? HOLD_TTL_MIN_MANY_MS : HOLD_TTL_MIN_MS;

	return ttl_ms >= min && ttl_ms <= HOLD_TTL_MAX_MS;
}

static void
set_text(char *ret, size_t size, const char *s)
{
	size_t n = strlen(s);

	n = n < size ? n : size - 1;	/* callers checked the length where it matters */
	memcpy(ret, s, n);
	ret[n] = '\0';
}

enum lease_made
hold_init(struct hold *h, const char *key, const char *client, const char *holder,
    uint64_t ttl_ms, uint64_t first_op)
{
	memset(h, 0, sizeof(*h));
	set_text(h->key, sizeof(h->key), key);
	set_text(h->client, sizeof(h->client), client);
	return lease_init(&h->lease, holder, ttl_ms, first_op);
}

enum lease_made
hold_init_own(struct hold *h, const char *key, const char *holder, uint64_t ttl_ms,
    uint64_t first_op)
{
	enum lease_made made = hold_init(h, key, "", holder, ttl_ms, first_op);

	h->lease.is_own = true;
	return made;
}

static bool
is_tenant(const struct hold *h, const char *incarnation)
{
	return h->tenant[0] != '\0' && strcmp(h->tenant, incarnation) == 0;
}

/* An empty tenant never falls silent; nor does a node's own lease. */
static uint64_t
silent_at(const struct hold *h)
{
	if (h->tenant[0] == '\0')
		return LEASE_NEVER;
	return h->asked_ms + lease_share(h->lease.ttl_ms, HOLD_SILENT);
}

/* Nobody asks any more: what is held is unlocked, what is under way comes to nothing. */
static void
vacate(struct hold *h, uint64_t now_ms, struct lease_out *out)
{
	h->tenant[0] = '\0';
	h->told_ms = 0;
	h->lease.shown_generation = 0;
	lease_stand(&h->lease, false, now_ms, out);
	lease_abandon(&h->lease);
	(void)lease_leave(&h->lease, h->lease.generation, now_ms, out);
}

static void
move_in(struct hold *h, const struct hold_ask *ask, uint64_t now_ms, struct lease_out *out)
{
	if (h->tenant[0] != '\0')
		vacate(h, now_ms, out);
	set_text(h->tenant, sizeof(h->tenant), ask->incarnation);
}

static void
answer_held(struct hold *h, uint64_t asked_ms, struct hold_answer *ret)
{
	uint64_t mine = asked_ms + lease_share(h->lease.ttl_ms, HOLD_SILENT);
	uint64_t until = lease_valid_until(&h->lease);

	ret->is_held = true;
	ret->valid_until_ms = until < mine ? until : mine;
	ret->revisit_ms = lease_share(h->lease.ttl_ms, HOLD_ASK);
	if (ret->valid_until_ms > h->told_ms)
		h->told_ms = ret->valid_until_ms;
}

void
hold_answer(struct hold *h, const char *incarnation, uint64_t now_ms, struct hold_answer *ret)
{
	const struct lease *l = &h->lease;

	*ret = (struct hold_answer){ .revisit_ms = lease_share(l->ttl_ms, LEASE_LOOK) };
	lease_token(l, &ret->token);
	if (l->is_own && lease_is_held(l, now_ms)) {
		answer_held(h, now_ms, ret);
	} else if (!l->is_own && !is_tenant(h, incarnation)) {
		if (h->told_ms > now_ms && h->told_ms - now_ms < ret->revisit_ms)
			ret->revisit_ms = h->told_ms - now_ms;
	} else if (lease_is_held(l, now_ms)) {
		answer_held(h, h->asked_ms, ret);
		ret->is_held = now_ms < ret->valid_until_ms;
	} else {
		ret->is_pending = !l->has_verdict;
		ret->is_corrupt = l->is_corrupt;
		ret->why = l->why;
	}
}

void
hold_ask(struct hold *h, const struct hold_ask *ask, uint64_t now_ms,
    struct hold_answer *ret, struct lease_out *out)
{
	bool is_new = !h->lease.is_own && !is_tenant(h, ask->incarnation);

	if (is_new && h->told_ms <= now_ms) {
		move_in(h, ask, now_ms, out);
		is_new = false;
	}
	if (!h->lease.is_own && !is_new) {
		h->asked_ms = now_ms;
		h->lease.shown_generation = ask->generation;
	}
	if (!is_new)
		lease_stand(&h->lease, true, now_ms, out);
	hold_answer(h, ask->incarnation, now_ms, ret);
}

bool
hold_release(struct hold *h, const char *incarnation, uint64_t generation, uint64_t now_ms,
    struct lease_out *out)
{
	bool had = h->lease.state == LEASE_HELD;

	if (h->lease.is_own || !is_tenant(h, incarnation))
		return false;
	if (generation != 0 && generation != h->lease.generation)
		return false;
	vacate(h, now_ms, out);
	return had;
}

void
hold_leave(struct hold *h, uint64_t now_ms, struct lease_out *out)
{
	if (!h->lease.is_own && h->told_ms <= now_ms)
		vacate(h, now_ms, out);
}

void
hold_tick(struct hold *h, uint64_t now_ms, struct lease_out *out)
{
	if (now_ms >= silent_at(h))
		vacate(h, now_ms, out);
	if (out->request.kind == LEASE_NOTHING)
		lease_tick(&h->lease, now_ms, out);
	hold_settle(h, now_ms, out);
}

void
hold_settle(struct hold *h, uint64_t now_ms, struct lease_out *out)
{
	const struct lease *l = &h->lease;

	/* A key that our predecessor held is being swapped for the client that had it, and
	 * that client believes what the predecessor told it. */
	if (l->state == LEASE_TAKING && strcmp(l->seen.holder, l->holder) == 0 &&
	    h->told_ms < l->adopt_from_ms)
		h->told_ms = l->adopt_from_ms;
	/* Won for nobody: the tenant left while the swap was under way. */
	if ((out->edges & LEASE_GAINED) != 0 && !l->is_own && h->tenant[0] == '\0') {
		out->edges &= ~(unsigned)(LEASE_GAINED | LEASE_RENEWED);
		(void)lease_leave(&h->lease, l->generation, now_ms, out);
		out->edges &= ~(unsigned)LEASE_LOST;
	}
}

uint64_t
hold_deadline(const struct hold *h)
{
	uint64_t silent = silent_at(h);
	uint64_t next = lease_deadline(&h->lease);

	return silent < next ? silent : next;
}

bool
hold_names(struct hold *h, unsigned edges)
{
	const struct lease *l = &h->lease;
	uint64_t what = 0;

	if (edges & LEASE_CORRUPT)
		what = l->seen_revision;
	else if ((edges & LEASE_REFUSED) && l->seen.holder[0] != '\0' &&
	    strcmp(l->seen.holder, l->holder) != 0)
		what = l->seen.generation;
	if (what == 0 || what == h->named)
		return false;
	h->named = what;
	return true;
}

bool
hold_is_idle(const struct hold *h)
{
	return !h->lease.is_own && h->tenant[0] == '\0' && h->lease.state == LEASE_IDLE;
}
