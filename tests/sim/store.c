/*
 * The simulated store keeps the contract of common/kv.h: swaps that land or do not, answers
 * that are lost, writes that land long after they were given up, stale readers, and an
 * unknown outcome that is decided by a read where the network lets it.
 */
#include "tests/sim/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct store_version *
present(const struct world *w, unsigned key)
{
	const struct store_key *k = &w->store[key];
	static const struct store_version none;

	return k->n > 0 ? &k->history[k->n - 1] : &none;
}

/* What a reader that is behind by that much still shows. */
static const struct store_version *
past(const struct world *w, unsigned key, uint64_t behind)
{
	const struct store_key *k = &w->store[key];
	uint64_t at = w->now > behind ? w->now - behind : 0;
	static const struct store_version none;

	for (size_t i = k->n; i > 0; i--)
		if (k->history[i - 1].at <= at)
			return &k->history[i - 1];
	return &none;
}

static void
append(struct world *w, unsigned key, const struct cas_token *token)
{
	struct store_key *k = &w->store[key];

	if (k->n == k->room) {
		k->room = k->room ? k->room * 2 : 64;
		k->history = reallocarray(k->history, k->room, sizeof(*k->history));
		if (!k->history)
			abort();
	}
	k->history[k->n++] = (struct store_version){ w->now, ++w->sequence, *token };
}

/* ---- hints ---- */

static void
on_hint(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];

	lease_table_hint(n->table, world_key((unsigned)e->a), e->node * WORLD_TURN_MS,
	    node_clock(n, w->now));
	node_arm(n);
}

static void
send_hints(struct world *w, unsigned key)
{
	for (unsigned i = 0; i < w->nnodes; i++) {
		struct node *n = &w->node[i];

		if (!n->is_up || n->cut_until > w->now || world_chance(w, 300))
			continue;
		world_at(w, w->now + world_random(w, 20 * WORLD_MS), (struct event){
		    .fn = on_hint, .actor = ACTOR_NODE, .node = i, .life = n->life, .a = key });
	}
}

/* ---- calls ---- */

static void
answer(struct world *w, size_t id, enum cas_result res, uint64_t revision)
{
	struct call *c = &w->calls[id];
	struct node *n = &w->node[c->node];

	c->is_answered = true;
	world_trace(w, "%s  op %ju: %s %ju", n->name, (uintmax_t)(c->op & 0xffffffff),
	    res == CAS_OK ? "ok" : res == CAS_LOST ? "lost" : "unknown", (uintmax_t)revision);
	lease_table_written(n->table, world_key(c->key), c->op, res, revision,
	    node_clock(n, w->now));
	node_arm(n);
}

static void
on_written(struct world *w, const struct event *e)
{
	struct call *c = &w->calls[e->a];

	/* What came already, or what came to late, comes again: the rules have to know. */
	if (!c->is_answered || world_is_twice(w))
		answer(w, e->a, c->landed, c->revision);
}

static void
on_unavailable(struct world *w, const struct event *e)
{
	if (!w->calls[e->a].is_answered)
		answer(w, e->a, CAS_UNAVAILABLE, 0);
}

/* The layer's own deadline: it has read at the leader if it could, and looked for its nonce. */
static void
on_timeout(struct world *w, const struct event *e)
{
	const struct call *c = &w->calls[e->a];
	const struct store_version *v = present(w, c->key);
	enum cas_result res = CAS_UNKNOWN;

	if (c->is_answered)
		return;
	if (w->node[c->node].cut_until > w->now || w->leaderless_until > w->now ||
	    world_chance(w, 300))
		res = CAS_UNKNOWN;
	else if (c->has_landed && c->landed == CAS_OK && v->revision == c->revision)
		res = CAS_OK;
	else if (v->revision > c->expected)
		res = CAS_LOST;
	answer(w, e->a, res, res == CAS_OK ? c->revision : 0);
}

static void
land(struct world *w, struct call *c)
{
	const struct store_version *v = present(w, c->key);
	struct store_version was = *v;
	bool unconditional = c->kind == LEASE_REMOVE && c->expected == 0;

	c->has_landed = true;
	c->landed = CAS_LOST;
	if (v->revision != c->expected && !unconditional)
		return;
	c->landed = CAS_OK;
	append(w, c->key, &c->value);
	c->revision = w->sequence;
	world_trace(w, "store   %s: %s by %s, revision %ju -> %ju", world_key(c->key),
	    c->kind == LEASE_REMOVE ? "deleted" : c->kind == LEASE_WIN ? "won" : "renewed",
	    w->node[c->node].name, (uintmax_t)was.revision, (uintmax_t)c->revision);
	if (c->kind == LEASE_REMOVE)
		judge_remove(w, c, &was);
	send_hints(w, c->key);
}

static void
on_landing(struct world *w, const struct event *e)
{
	struct call *c = &w->calls[e->a];
	struct node *n = &w->node[c->node];

	if (w->leaderless_until > w->now) {	/* it waits for the next leader */
		world_at(w, w->leaderless_until + world_random(w, 50 * WORLD_MS), *e);
		return;
	}
	if (!c->has_landed)		/* the server knows a Msg-Id that it has had */
		land(w, c);
	if (!world_is_calm(w) && (n->cut_until > w->now || world_chance(w, 40)))
		return;					/* the answer is lost */
	world_at(w, w->now + e->b, (struct event){ .fn = on_written, .actor = ACTOR_NODE,
	    .node = c->node, .life = c->life, .a = e->a });
}

static bool
write_call(struct node *n, const struct call *call, uint64_t timeout_ms)
{
	struct world *w = n->world;
	struct event e = { .actor = ACTOR_NODE, .node = n->id, .life = n->life, .a = w->ncalls };

	if (w->ncalls == w->calls_room) {
		w->calls_room = w->calls_room ? w->calls_room * 2 : 256;
		w->calls = reallocarray(w->calls, w->calls_room, sizeof(*w->calls));
		if (!w->calls)
			abort();
	}
	w->calls[w->ncalls++] = *call;
	if (n->cut_until > w->now && world_chance(w, 500)) {
		e.fn = on_unavailable;		/* known to be down: nothing was sent */
		world_at(w, w->now + WORLD_MS, e);
		return true;
	}
	e.fn = on_timeout;
	world_at(w, w->now + timeout_ms * WORLD_MS, e);
	if (n->cut_until > w->now || (!world_is_calm(w) && world_chance(w, 30)))
		return true;			/* the request is lost */
	e.fn = on_landing;
	e.actor = ACTOR_NONE;			/* it lands though its sender may be gone */
	for (unsigned i = 0; i <= world_is_twice(w); i++) {
		e.b = world_delay(w);
		world_at(w, w->now + world_delay(w), e);
	}
	return true;
}

static unsigned
key_of(const char *name)
{
	return strcmp(name, world_key(0)) == 0 ? 0 : 1;
}

static bool
store_put(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
    uint64_t expected, uint64_t timeout_ms)
{
	struct node *n = ctx;

	return write_call(n, &(struct call){ .node = n->id, .key = key_of(key),
	    .life = n->life, .op = op, .expected = expected, .value = *value,
	    .kind = value->generation == 0 ? LEASE_WIN : LEASE_KEEP }, timeout_ms);
}

static bool
store_remove(void *ctx, const char *key, uint64_t op, uint64_t expected, uint64_t timeout_ms)
{
	struct node *n = ctx;
	const struct hold *h = lease_table_find(n->table, key);

	return write_call(n, &(struct call){ .node = n->id, .key = key_of(key),
	    .life = n->life, .op = op, .expected = expected, .kind = LEASE_REMOVE,
	    .meant = h ? h->lease.generation : 0 }, timeout_ms);
}

/* ---- reads ---- */

static void
on_loaded(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];
	struct lease_seen seen = { .result = CAS_UNAVAILABLE };
	const struct store_version *v;

	if (e->c != UINT64_MAX) {
		v = &w->store[e->key].history[e->c];
		seen = (struct lease_seen){ .token = v->token, .revision = v->revision,
		    .result = v->token.holder[0] ? CAS_OK : CAS_NOT_FOUND };
		if (seen.token.generation == 0)
			seen.token.generation = v->revision;
	} else if (e->b != 0) {
		seen.result = CAS_NOT_FOUND;
	}
	lease_table_loaded(n->table, world_key(e->key), e->a, &seen, node_clock(n, w->now));
	node_arm(n);
}

static void
on_read(struct world *w, const struct event *e)
{
	struct event back = *e;
	const struct store_version *v = present(w, e->key);

	if (w->leaderless_until > w->now)
		return;
	if (!world_is_calm(w) && world_chance(w, 40))
		v = past(w, e->key, world_random(w, 8000 * WORLD_MS));
	if (!world_is_calm(w) && (w->node[e->node].cut_until > w->now || world_chance(w, 30)))
		return;
	back.fn = on_loaded;
	back.actor = ACTOR_NODE;
	back.b = 1;
	back.c = v->revision ? (uint64_t)(v - w->store[e->key].history) : UINT64_MAX;
	world_at(w, w->now + world_delay(w), back);
}

static bool
store_load(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms)
{
	struct node *n = ctx;
	struct world *w = n->world;
	struct event e = { .fn = on_read, .node = n->id, .key = key_of(key), .life = n->life,
	    .a = op };
	struct event failed = e;

	failed.fn = on_loaded;
	failed.actor = ACTOR_NODE;
	failed.c = UINT64_MAX;
	world_at(w, w->now + timeout_ms * WORLD_MS, failed);
	if (n->cut_until <= w->now && (world_is_calm(w) || !world_chance(w, 20)))
		world_at(w, w->now + world_delay(w), e);
	return true;
}

const struct lease_port store_port = {
	.load = store_load,
	.put = store_put,
	.remove = store_remove,
	.edges = node_edges,
};
