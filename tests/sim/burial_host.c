/* A host's keeper around its sequences: when they run, the node's lease as common/lead.h tells
 * it, beats; and the end and the beginning of it all. */
#include "tests/sim/burial.h"

#include <stdio.h>

#include "common/heartbeat.h"
#include "common/subjects.h"

static struct event
keeper_event(const struct burial *b, unsigned node, event_fn *fn)
{
	return (struct event){ .fn = fn, .actor = ACTOR_CLIENT, .node = node,
	    .life = b->w.client[node][0][0].life };
}

static void
on_tend_time(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	const struct node *n = &w->node[e->node];
	uint64_t each = lease_share(WORLD_TTL_MS, 2);

	bkeeper_tend(&b->place[e->node][e->a]);
	world_at(w, node_real(n, node_clock(n, w->now) + each / 2 + world_random(w, each)), *e);
}

/* ---- the node's lease, as common/lead.h has it ---- */

static void
on_lead_told(struct world *w, const struct event *e)
{
	struct bnode *bn = &burial_of(w)->node[e->node];
	bool is_new;

	if (e->a < bn->lead_generation || (e->a == bn->lead_generation && e->b <= bn->lead_until_ms))
		return;
	is_new = e->a != bn->lead_generation;
	bn->lead_generation = e->a;
	bn->lead_until_ms = e->b;
	for (unsigned i = 0; i < w->nkeys; i++) {
		struct place *p = &burial_of(w)->place[e->node][i];

		if (bkeeper_is_confirmed(p))
			guest_page(p, e->b);
		if (is_new)
			bkeeper_tend(p);
	}
}

void
bkeeper_gained(struct burial *b, unsigned node, uint64_t generation, uint64_t until_ms)
{
	struct event e = keeper_event(b, node, on_lead_told);
	uint64_t most = b->node[node].lead_asked_ms + lease_share(WORLD_TTL_MS, HOLD_SILENT);

	e.a = generation;
	e.b = until_ms < most ? until_ms : most;
	if (!world_chance(&b->w, 100))
		world_at(&b->w, b->w.now + world_random(&b->w, 5 * WORLD_MS), e);
}

static void
on_lead_asked(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	struct node *n = &w->node[e->node];
	char key[CAS_KEY_MAX + 1];
	struct table_ask ask = { .key = key, .client = "keeper", .incarnation = "i",
	    .ttl_ms = WORLD_TTL_MS };
	uint64_t most = e->b + lease_share(WORLD_TTL_MS, HOLD_SILENT);
	struct event told = keeper_event(b, e->node, on_lead_told);
	struct hold_answer a;

	burial_name(KEY_NODE_PREFIX, e->node, key);
	if (lease_table_ask(n->table, &ask, node_clock(n, w->now), &a) != TABLE_OK)
		world_broken(w, "%s: its own lease was refused", n->name);
	node_arm(n);
	told.a = a.token.generation;
	told.b = a.valid_until_ms < most ? a.valid_until_ms : most;
	if (a.is_held)
		world_at(w, w->now + world_delay(w) / 8, told);
}

static void
on_lead_time(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];
	uint64_t now = node_clock(n, w->now);

	burial_of(w)->node[e->node].lead_asked_ms = now;
	if (n->is_up)
		world_at(w, w->now + world_delay(w) / 8, (struct event){ .fn = on_lead_asked,
		    .actor = ACTOR_NODE, .node = e->node, .life = n->life, .b = now });
	world_at(w, node_real(n, now + lease_share(WORLD_TTL_MS, HOLD_ASK)), *e);
}

/* ---- beats ---- */

uint64_t
bnode_wall_ms(const struct burial *b, unsigned node)
{
	return (uint64_t)((int64_t)(BURIAL_WALL + b->w.now / WORLD_MS) +
	    b->node[node].wall_off_ms);
}

static void
on_beat_done(struct burial *b, const struct bcall *c)
{
}

static void
on_beat_time(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	const struct node *n = &w->node[e->node];
	char key[CAS_KEY_MAX + 1], stamp[CLOCK_TEXT_MAX], text[128];

	burial_name(HEARTBEAT_PREFIX, e->node, key);
	clock_to_text(bnode_wall_ms(b, e->node), stamp);
	(void)snprintf(text, sizeof(text), "{\"node\":\"%s\",\"timestamp\":\"%s\"}", n->name, stamp);
	burial_call(b, &(struct bcall){ .who = { ACTOR_CLIENT, e->node, e->life },
	    .key = burial_key(b, key), .value = text, .done = on_beat_done,
	    .expected = burial_present(burial_key(b, key))->revision, .is_exact = true }, 5000);
	world_at(w, node_real(n, node_clock(n, w->now) + lease_share(WORLD_TTL_MS, 2)), *e);
}

/* ---- life ---- */

void
bkeeper_start(struct burial *b, unsigned node)
{
	struct client *c = &b->w.client[node][0][0];

	if (c->is_up || b->node[node].is_off)
		return;
	c->is_up = true;
	c->life++;
	world_trace(&b->w, "%s  the keeper starts", b->w.node[node].name);
	for (unsigned i = 0; i < b->w.nkeys; i++) {
		struct event e = keeper_event(b, node, on_tend_time);

		e.a = i;
		world_at(&b->w, b->w.now + world_random(&b->w, WORLD_T / 12), e);
	}
	world_at(&b->w, b->w.now, keeper_event(b, node, on_lead_time));
	world_at(&b->w, b->w.now, keeper_event(b, node, on_beat_time));
}

void
bkeeper_kill(struct burial *b, unsigned node)
{
	struct client *c = &b->w.client[node][0][0];

	if (!c->is_up)
		return;
	world_trace(&b->w, "%s  the keeper is killed", b->w.node[node].name);
	c->is_up = false;
	c->paused_until = 0;
	for (unsigned i = 0; i < b->w.nkeys; i++) {
		struct place *p = &b->place[node][i];

		job_kill(p);
		p->landed = p->recorded = p->claimed = 0;
		p->wants_stop = false;
	}
	b->node[node].lead_generation = b->node[node].lead_until_ms = 0;
}

void
bhost_off(struct burial *b, unsigned node)
{
	world_trace(&b->w, "%s  the host is off", b->w.node[node].name);
	b->node[node].is_off = true;
	bleased_kill(b, node);
	bkeeper_kill(b, node);
	for (unsigned i = 0; i < b->w.nkeys; i++)
		guest_end(&b->place[node][i], "its host is off");
}

void
bhost_on(struct burial *b, unsigned node)
{
	b->node[node].is_off = false;
	bleased_start(b, node);
	bkeeper_start(b, node);
}
