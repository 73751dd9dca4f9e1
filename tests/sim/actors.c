/*
 * Nodes run the daemon's own table of leases; clients do what common/lead does: ask each T/6,
 * believe what they were told and until when, and take a new incarnation after an unlock.
 */
#include "tests/sim/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client *
event_client(struct world *w, const struct event *e)
{
	return &w->client[e->node][e->key][e->slot];
}

/* An event for the client of which incarnation_text made this. */
static struct event
event_for(const char *incarnation, unsigned node, unsigned key)
{
	uint64_t n = strtoull(incarnation, NULL, 10);

	return (struct event){ .actor = ACTOR_CLIENT, .node = node, .key = key,
	    .slot = (unsigned)(n % WORLD_SLOTS), .life = n / WORLD_SLOTS };
}

static uint64_t
incarnation_of(const struct client *c)
{
	return c->life * WORLD_SLOTS + c->slot;
}

static const char *
incarnation_text(uint64_t incarnation, char buf[static 24])
{
	snprintf(buf, 24, "%ju", (uintmax_t)incarnation);
	return buf;
}

/* ---- nodes ---- */

static void
on_tick(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];

	if (n->tick_at != e->at && n->tick_at > w->now)
		return;			/* an earlier one was queued and a later one armed */
	n->tick_at = 0;
	lease_table_tick(n->table, node_clock(n, w->now));
	node_arm(n);
}

void
node_arm(struct node *n)
{
	uint64_t due = lease_table_deadline(n->table);
	uint64_t at = due == LEASE_NEVER ? 0 : node_real(n, due);

	if (at == 0 || (n->tick_at != 0 && n->tick_at <= at))
		return;
	n->tick_at = at < n->world->now ? n->world->now : at;
	world_at(n->world, n->tick_at, (struct event){ .fn = on_tick, .actor = ACTOR_NODE,
	    .node = n->id, .life = n->life });
}

void
node_start(struct world *w, unsigned node)
{
	struct node *n = &w->node[node];
	struct lease_port port = store_port;

	port.ctx = n;
	if (n->is_up)
		return;
	if (lease_table_new(n->name, &port, node_clock(n, w->now), &n->table) < 0)
		world_broken(w, "out of memory");
	n->is_up = true;
	n->tick_at = 0;
	world_trace(w, "%s  leased starts", n->name);
}

void
node_crash(struct world *w, unsigned node)
{
	struct node *n = &w->node[node];

	if (!n->is_up)
		return;
	world_trace(w, "%s  leased is killed", n->name);
	n->is_up = n->is_stopping = false;
	n->life++;
	n->paused_until = 0;
	lease_table_free(n->table);
	n->table = NULL;
	memset(n->held_until, 0, sizeof(n->held_until));	/* its clients may believe on */
}

/* ---- between leased and its clients ---- */

static uint64_t
local_delay(struct world *w)
{
	if (!world_is_calm(w) && world_chance(w, 20))
		return world_random(w, 15000 * WORLD_MS);
	return 100 + world_random(w, 2 * WORLD_MS);
}

static bool
is_dropped(struct world *w)
{
	return !world_is_calm(w) && world_chance(w, 20);
}

/* Delayed, lost, or come twice. */
static void
send(struct world *w, struct event e)
{
	for (unsigned i = 0; i <= world_is_twice(w); i++)
		if (!is_dropped(w))
			world_at(w, w->now + local_delay(w), e);
}

static void
on_told(struct world *w, const struct event *e)
{
	struct client *c = event_client(w, e);
	struct node *n = &w->node[e->node];

	if (e->a < c->generation || e->a <= c->lost || e->b <= c->until_ms || !c->wants)
		return;
	c->generation = e->a;
	c->until_ms = e->b;
	c->until = node_real(n, e->b);
	if (c->until > w->now)
		judge_client(w, c);
}

static void
tell(struct world *w, struct event e, const struct hold_answer *a)
{
	e.fn = on_told;
	e.a = a->token.generation;
	e.b = a->valid_until_ms;
	send(w, e);
}

void
node_edges(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms)
{
	struct node *n = ctx;
	struct world *w = n->world;
	unsigned key = strcmp(h->key, world_key(0)) == 0 ? 0 : 1;
	struct hold_answer a;

	if (edges & LEASE_LOST) {
		world_trace(w, "%s  %s lost", n->name, h->key);
		n->held_until[key] = 0;
	}
	if (edges & LEASE_GAINED) {
		world_trace(w, "%s  %s gained, generation %ju", n->name, h->key,
		    (uintmax_t)h->lease.generation);
		judge_gain(w, n, key, h->lease.generation);
	}
	if (edges & (LEASE_GAINED | LEASE_RENEWED)) {
		judge_lease(w, n, key, node_real(n, lease_valid_until(&h->lease)));
		hold_answer(h, h->tenant, now_ms, &a);
		if (a.is_held)
			tell(w, event_for(h->tenant, n->id, key), &a);
	}
}

/* ---- clients ---- */

static void
on_released(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];
	char buf[24];

	if (!n->is_up)
		return;
	(void)lease_table_release(n->table, world_key(e->key), "sim", incarnation_text(e->b, buf),
	    e->a, node_clock(n, w->now));
	node_arm(n);
}

static void
send_release(struct world *w, const struct client *c)
{
	struct node *n = &w->node[c->node];

	if (n->is_up)
		send(w, (struct event){ .fn = on_released, .actor = ACTOR_NODE,
		    .node = c->node, .key = c->key, .life = n->life, .a = c->generation,
		    .b = incarnation_of(c) });
}

static void
on_asked(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];
	struct hold_answer a;
	char buf[24];
	struct table_ask ask = { .key = world_key(e->key), .client = "sim",
	    .incarnation = incarnation_text(e->b, buf), .ttl_ms = WORLD_TTL_MS,
	    .generation = e->a };

	if (!n->is_up || n->is_stopping)
		return;
	if (lease_table_ask(n->table, &ask, node_clock(n, w->now), &a) != TABLE_OK)
		world_broken(w, "an ask was refused");
	else if (a.is_held)
		tell(w, event_for(buf, n->id, e->key), &a);
	node_arm(n);
}

static void
on_ask_time(struct world *w, const struct event *e)
{
	struct client *c = event_client(w, e);
	struct node *n = &w->node[e->node];
	uint64_t each = lease_share(WORLD_TTL_MS, HOLD_ASK);
	struct event again = *e;

	if (!c->wants)
		return;
	if (n->is_up)
		send(w, (struct event){ .fn = on_asked, .actor = ACTOR_NODE, .node = e->node,
		    .key = e->key, .life = n->life, .a = c->generation,
		    .b = incarnation_of(c) });
	world_at(w, node_real(n, node_clock(n, w->now) + each), again);
}

void
client_start(struct world *w, unsigned node, unsigned key, unsigned slot)
{
	struct client *c = &w->client[node][key][slot];

	if (c->is_up && c->wants)
		return;
	*c = (struct client){ .node = node, .key = key, .slot = slot, .life = c->life + 1,
	    .is_up = true,
	    .wants = true };
	world_trace(w, "%s  client of %s begins, incarnation %ju", w->node[node].name,
	    world_key(key), (uintmax_t)incarnation_of(c));
	world_at(w, w->now, (struct event){ .fn = on_ask_time, .actor = ACTOR_CLIENT,
	    .node = node, .key = key, .slot = slot, .life = c->life });
}

void
client_crash(struct world *w, struct client *c)
{
	if (!c->is_up)
		return;
	world_trace(w, "%s  client of %s is killed", w->node[c->node].name,
	    world_key(c->key));
	c->is_up = c->wants = false;
	c->until = c->until_ms = 0;
}

void
client_release(struct world *w, struct client *c)
{
	if (!c->is_up || !c->wants || c->paused_until > w->now)
		return;
	world_trace(w, "%s  client of %s unlocks", w->node[c->node].name,
	    world_key(c->key));
	c->wants = false;
	c->until = c->until_ms = 0;
	send_release(w, c);
}

/* ---- a clean stop of leased: what its clients let go is freed ---- */

static void
on_lost(struct world *w, const struct event *e)
{
	struct client *c = event_client(w, e);

	if (e->a != c->generation)
		return;
	c->lost = e->a;
	c->until = c->until_ms = 0;
	send_release(w, c);
}

static void
on_leave(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];

	lease_table_leave_all(n->table, node_clock(n, w->now));
	node_arm(n);
}

static void
on_stopped(struct world *w, const struct event *e)
{
	node_crash(w, e->node);
}

void
node_stop(struct world *w, unsigned node)
{
	struct node *n = &w->node[node];
	struct event e = { .actor = ACTOR_NODE, .node = node, .life = n->life };
	uint64_t leave_at = w->now + 1000 * WORLD_MS;

	if (!n->is_up || n->is_stopping || n->paused_until > w->now)
		return;
	world_trace(w, "%s  leased stops", n->name);
	n->is_stopping = true;
	for (unsigned k = 0; k < w->nkeys; k++) {
		const struct hold *h = lease_table_find(n->table, world_key(k));

		struct event lost;

		if (!h || h->lease.state != LEASE_HELD || !h->tenant[0] || is_dropped(w))
			continue;
		lost = event_for(h->tenant, node, k);
		lost.fn = on_lost;
		lost.a = h->lease.generation;
		world_at(w, w->now + local_delay(w), lost);
	}
	e.fn = on_leave;
	world_at(w, leave_at, e);
	e.fn = on_stopped;
	world_at(w, leave_at + world_random(w, 6000 * WORLD_MS), e);
}
