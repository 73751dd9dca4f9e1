/*
 * sim_lease - thousands of schedules of a simulated cluster, each given by its seed; the
 * judge looks for two believers, generations that do not grow, an unlock that frees a later
 * holder, and keys that stay free.
 *
 * A schedule has 3 to 5 nodes whose clocks differ in offset and, by up to 1 %, in rate; 10 T
 * of messages that are late, lost, or come twice, of leaders that are away or behind, of
 * daemons and clients that are killed, stopped, frozen or cut off, and of hosts that are
 * suspended; then 4 T in which all works.  Wall clocks may do what they like: no rule of a
 * lease is told one (sim_burial has them).
 *
 *	sim_lease		ROUNDS schedules (10000) from seed FIRST (1)
 *	SEED=n sim_lease	that one, with a trace
 *
 * Exit status 1 and the seed when a rule is broken.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/sim/world.h"

#define ROUNDS_DEFAULT	10000

static void
on_start_node(struct world *w, const struct event *e)
{
	node_start(w, e->node);
}

static void
on_start_client(struct world *w, const struct event *e)
{
	client_start(w, e->node, e->key, e->slot);
}

/* Mostly short, sometimes over T, so that both sides of each limit are met. */
static uint64_t
a_while(struct world *w)
{
	return world_random(w, world_chance(w, 300) ? 2 * WORLD_T : WORLD_T / 3);
}

/* Everything on it stands still, and its clock goes on. */
static void
suspend_host(struct world *w, struct node *n)
{
	n->paused_until = n->cut_until = w->now + a_while(w);
	for (unsigned k = 0; k < w->nkeys; k++)
		for (unsigned s = 0; s < WORLD_SLOTS; s++)
			w->client[n->id][k][s].paused_until = n->paused_until;
	world_trace(w, "%s  the host is suspended until %.3f", n->name,
	    (double)n->paused_until / 1e6);
}

static void
strike_node(struct world *w, unsigned i)
{
	struct node *n = &w->node[i];
	struct event back = { .fn = on_start_node, .node = i };

	switch (world_random(w, 5)) {
	case 0:
		node_crash(w, i);
		world_at(w, w->now + a_while(w), back);
		break;
	case 1:
		node_stop(w, i);
		world_at(w, w->now + 6000 * WORLD_MS + a_while(w), back);
		break;
	case 2:
		n->paused_until = w->now + a_while(w);
		world_trace(w, "%s  leased is frozen until %.3f", n->name,
		    (double)n->paused_until / 1e6);
		break;
	case 3:
		suspend_host(w, n);
		break;
	default:
		n->cut_until = w->now + a_while(w);
		world_trace(w, "%s  is cut off until %.3f", n->name,
		    (double)n->cut_until / 1e6);
		break;
	}
}

static void
strike_client(struct world *w, struct client *c)
{
	struct event back = { .fn = on_start_client, .node = c->node, .key = c->key };

	switch (world_random(w, 4)) {
	case 0:
		client_crash(w, c);
		world_at(w, w->now + a_while(w), back);
		break;
	case 1:
		client_release(w, c);
		world_at(w, w->now + a_while(w), back);
		break;
	case 2:			/* a second process of that name, beside the first */
		client_start(w, c->node, c->key, !c->slot);
		break;
	default:
		c->paused_until = w->now + a_while(w);
		world_trace(w, "%s  client of %s is frozen until %.3f", w->node[c->node].name,
		    world_key(c->key), (double)c->paused_until / 1e6);
		break;
	}
}

static void
strike_store(struct world *w)
{
	uint64_t until = w->now + world_random(w, WORLD_T / 4);

	if (world_chance(w, 500))
		w->leaderless_until = until;
	else
		w->slow_until = until;
	world_trace(w, "store   %s until %.3f", w->leaderless_until == until ?
	    "has no leader" : "is slow", (double)until / 1e6);
}

static void
on_strike(struct world *w, const struct event *e)
{
	unsigned i = (unsigned)world_random(w, w->nnodes);
	uint64_t which = world_random(w, 10);

	if (world_is_calm(w))
		return;
	if (which < 5)
		strike_node(w, i);
	else if (which < 8)
		strike_client(w, &w->client[i][world_random(w, w->nkeys)][world_random(w, 2)]);
	else
		strike_store(w);
	world_at(w, w->now + world_random(w, WORLD_T / 3), *e);
}

/* Everything works from here on, and everybody is back. */
static void
on_calm(struct world *w, const struct event *e)
{
	world_trace(w, "faults end");
	w->leaderless_until = w->slow_until = 0;
	for (unsigned i = 0; i < w->nnodes; i++) {
		w->node[i].paused_until = w->node[i].cut_until = 0;
		node_start(w, i);
		for (unsigned k = 0; k < w->nkeys; k++) {
			w->client[i][k][0].paused_until = 0;
			client_start(w, i, k, 0);
			client_crash(w, &w->client[i][k][1]);
		}
	}
}

static void
on_judge(struct world *w, const struct event *e)
{
	judge_calm(w);
	if (w->now + WORLD_T / 12 < WORLD_END)
		world_at(w, w->now + WORLD_T / 12, *e);
}

static void
begin(struct world *w)
{
	for (unsigned i = 0; i < w->nnodes; i++) {
		world_at(w, world_random(w, WORLD_T / 12), (struct event){
		    .fn = on_start_node, .node = i });
		for (unsigned k = 0; k < w->nkeys; k++)
			world_at(w, world_random(w, WORLD_T / 6), (struct event){
			    .fn = on_start_client, .node = i, .key = k });
	}
	world_at(w, WORLD_T / 2, (struct event){ .fn = on_strike });
	world_at(w, WORLD_FAULTS, (struct event){ .fn = on_calm });
	world_at(w, WORLD_FAULTS + WORLD_CALM, (struct event){ .fn = on_judge });
}

static bool
run(uint64_t seed, bool is_traced, uint64_t *events, uint64_t *gains)
{
	static struct world w;		/* large */
	bool is_good;

	world_init(&w, seed, is_traced);
	begin(&w);
	while (world_step(&w))
		;
	is_good = world_is_good(&w);
	*events += w.events;
	*gains += w.gains;
	world_deinit(&w);
	return is_good;
}

int
main(void)
{
	uint64_t first = world_number("FIRST", 1), rounds = world_number("ROUNDS", ROUNDS_DEFAULT);
	uint64_t events = 0, gains = 0;

	if (getenv("SEED"))
		return run(world_number("SEED", 0), true, &events, &gains) ? 0 : 1;
	for (uint64_t i = 0; i < rounds; i++)
		if (!run(first + i, false, &events, &gains))
			return 1;
	printf("ok sim_lease: %" PRIu64 " schedules, %" PRIu64 " events, %" PRIu64
	    " acquisitions\n", rounds, events, gains);
	return 0;
}
