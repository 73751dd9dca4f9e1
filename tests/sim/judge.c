/*
 * The judge knows the real time and every belief, and shares no code with the rules.  What
 * a paused process believes counts as believed: it may wake and act at any instant.
 */
#include "tests/sim/world.h"

#include <string.h>

/* A node's leased has, or keeps, the lease until that real instant. */
void
judge_lease(struct world *w, const struct node *n, unsigned key, uint64_t until)
{
	for (unsigned i = 0; i < w->nnodes; i++)
		if (i != n->id && w->node[i].held_until[key] > w->now)
			world_broken(w, "%s and %s both hold %s", n->name, w->node[i].name,
			    world_key(key));
	w->node[n->id].held_until[key] = until;
}

void
judge_gain(struct world *w, const struct node *n, unsigned key, uint64_t generation)
{
	if (generation <= w->top_generation[key])
		world_broken(w, "%s won %s with generation %ju after %ju", n->name,
		    world_key(key), (uintmax_t)generation,
		    (uintmax_t)w->top_generation[key]);
	w->top_generation[key] = generation;
	w->gains++;
}

static const struct client *
believer(const struct world *w, unsigned key, const struct client *but)
{
	for (unsigned i = 0; i < w->nnodes * WORLD_SLOTS; i++) {
		const struct client *c = &w->client[i / WORLD_SLOTS][key][i % WORLD_SLOTS];

		if (c != but && c->until > w->now)
			return c;
	}
	return NULL;
}

/* A client begins to believe, or goes on. */
void
judge_client(struct world *w, const struct client *c)
{
	const struct client *o = believer(w, c->key, c);

	if (o)
		world_broken(w, "clients on %s (%ju) and %s (%ju) both believe in %s",
		    w->node[c->node].name, (uintmax_t)c->generation,
		    w->node[o->node].name, (uintmax_t)o->generation, world_key(c->key));
}

/* An unlock frees what it was meant for and nothing else. */
void
judge_remove(struct world *w, const struct call *c, const struct store_version *was)
{
	uint64_t generation = was->token.generation ? was->token.generation : was->revision;

	const struct client *o = believer(w, c->key, NULL);

	if (o)
		world_broken(w, "%s freed %s under the client on %s",
		    w->node[c->node].name, world_key(c->key), w->node[o->node].name);
	if (was->token.holder[0] == '\0')
		return;
	if (strcmp(was->token.holder, w->node[c->node].name) != 0 || generation != c->meant)
		world_broken(w, "%s unlocked %ju of %s but freed %ju of %s",
		    w->node[c->node].name, (uintmax_t)c->meant, world_key(c->key),
		    (uintmax_t)generation, was->token.holder);
}

/* Faults have been over for 2T: whatever is wanted is held, and somebody knows it. */
void
judge_calm(struct world *w)
{
	for (unsigned k = 0; k < w->nkeys; k++)
		if (!believer(w, k, NULL))
			world_broken(w, "nobody holds %s although it is wanted", world_key(k));
}
