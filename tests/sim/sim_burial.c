/*
 * sim_burial - the death of a node, over the code that leased, uefid and vmd run: takers, second
 * takers and the node that comes back, with a crash, a pause or a late landing between any two
 * steps of each; see burial_judge.c for what must never be.
 *
 * Daemons are killed and frozen, nodes cut off, hosts switched off and (where no guest trusts
 * the node's lease) suspended, wall clocks stepped by an hour, for 10 T; then all works, and
 * each instance has to run again.
 *
 *	sim_burial		ROUNDS schedules (1000) from seed FIRST (1)
 *	SEED=n sim_burial	that one, with a trace
 *
 * Exit status 1 and the seed when a rule is broken.
 */
#include "tests/sim/burial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/subjects.h"

#define ROUNDS_DEFAULT	1000

const char *
burial_instance(unsigned instance)
{
	static const char *const ids[BURIAL_INSTANCES] = { "i-0123456789abcdef0",
		"i-0123456789abcdef1" };

	return ids[instance];
}

void
burial_name(const char *prefix, unsigned n, char ret[static CAS_KEY_MAX + 1])
{
	(void)snprintf(ret, CAS_KEY_MAX + 1, "%snode-%c", prefix, 'a' + (int)n);
}

int
burial_node_of(const struct burial *b, const char *name)
{
	for (unsigned i = 0; i < b->w.nnodes; i++)
		if (strcmp(b->w.node[i].name, name) == 0)
			return (int)i;
	return -1;
}

void
burial_wakes(struct burial *b, const char *node, unsigned by)
{
	int i = burial_node_of(b, node);
	struct node *n = &b->w.node[i];

	if (i == (int)by || !world_chance(&b->w, 400))
		return;
	world_trace(&b->w, "%s  wakes up", n->name);
	n->cut_until = n->paused_until = b->w.client[i][0][0].paused_until = b->w.now;
	bleased_start(b, (unsigned)i);
	bkeeper_start(b, (unsigned)i);
}

/* ---- what befalls them ---- */

static void
on_leased_back(struct world *w, const struct event *e)
{
	bleased_start(burial_of(w), e->node);
}

static void
on_keeper_back(struct world *w, const struct event *e)
{
	bkeeper_start(burial_of(w), e->node);
}

static void
on_host_back(struct world *w, const struct event *e)
{
	bhost_on(burial_of(w), e->node);
}

static uint64_t
a_while(struct world *w)
{
	return world_random(w, world_chance(w, 400) ? 3 * WORLD_T : WORLD_T / 3);
}

static void
come_back(struct burial *b, event_fn *fn, unsigned node)
{
	world_at(&b->w, b->w.now + a_while(&b->w), (struct event){ .fn = fn, .node = node });
}

static void
freeze(struct burial *b, unsigned i)
{
	struct world *w = &b->w;
	uint64_t until = w->now + a_while(w);
	uint64_t what = world_random(w, b->has_stop ? 2 : 4);

	if (what != 1)
		w->node[i].paused_until = until;
	if (what != 0)
		w->client[i][0][0].paused_until = until;
	if (what == 3)			/* the host: no guest there trusts its lease */
		w->node[i].cut_until = until;
	world_trace(w, "%s  %s until %.3f", w->node[i].name, what == 0 ? "leased is frozen" :
	    what == 1 ? "the keeper is frozen" : what == 2 ? "both are frozen" :
	    "the host is suspended", (double)until / 1e6);
}

static void
step_wall(struct burial *b, unsigned i)
{
	b->node[i].wall_off_ms = ((int64_t)world_random(&b->w, 3) - 1) * BURIAL_HOUR_MS;
	b->node[i].wall_stepped = true;
	world_trace(&b->w, "%s  the wall clock is off by %+jd h", b->w.node[i].name,
	    (intmax_t)(b->node[i].wall_off_ms / BURIAL_HOUR_MS));
}

static void
strike_store(struct world *w)
{
	uint64_t until = w->now + world_random(w, WORLD_T / 4);

	*(world_chance(w, 500) ? &w->leaderless_until : &w->slow_until) = until;
	world_trace(w, "store   %s until %.3f", w->leaderless_until == until ? "has no leader" :
	    "is slow", (double)until / 1e6);
}

static void
strike(struct burial *b, unsigned i)
{
	struct world *w = &b->w;

	switch (world_random(w, 12)) {
	case 0:
		bleased_kill(b, i);
		come_back(b, on_leased_back, i);
		break;
	case 1:
	case 2:
		bkeeper_kill(b, i);
		come_back(b, on_keeper_back, i);
		break;
	case 3:
	case 4:
		bhost_off(b, i);
		come_back(b, on_host_back, i);
		break;
	case 5:
	case 6:
		freeze(b, i);
		break;
	case 7:
	case 8:
	case 9:
		w->node[i].cut_until = w->now + a_while(w);
		world_trace(w, "%s  is cut off until %.3f", w->node[i].name,
		    (double)w->node[i].cut_until / 1e6);
		break;
	case 10:
		if (b->w.seed % 2)
			step_wall(b, i);
		break;
	default:
		strike_store(w);
		break;
	}
}

static void
on_strike(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	unsigned i = (unsigned)world_random(w, w->nnodes);

	if (world_is_calm(w))
		return;
	if (world_chance(w, 150))
		b->place[i][world_random(w, w->nkeys)].wants_stop = true;
	else
		strike(b, i);
	world_at(w, w->now + world_random(w, WORLD_T / 2), *e);
}

static void
on_calm(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);

	world_trace(w, "faults end");
	w->leaderless_until = w->slow_until = 0;
	for (unsigned i = 0; i < w->nnodes; i++) {
		w->node[i].paused_until = w->node[i].cut_until = 0;
		w->client[i][0][0].paused_until = 0;
		b->node[i].wall_off_ms = 0;
		bhost_on(b, i);
		for (unsigned k = 0; k < w->nkeys; k++)
			b->place[i][k].wants_stop = false;
	}
}

static void
on_end(struct world *w, const struct event *e)
{
	bjudge_end(burial_of(w));
}

/* ---- a schedule ---- */

static void
write_first(struct burial *b, const char *key, const char *value)
{
	struct bkey *k = burial_key(b, key);

	k->v = calloc(64, sizeof(*k->v));
	if (!k->v)
		abort();
	k->room = 64;
	k->v[k->n++] = (struct bversion){ 0, ++b->w.sequence, strdup(value), 0 };
}

static void
make_instance(struct burial *b, unsigned i)
{
	bool is_stop = world_chance(&b->w, 600);
	struct uefi_record u = { .generation = 1, .pointer = { .firmware = { .arch = "arm64",
	    .vars_size = 4 }, .written_at_ms = 1, .writer_node = "node-a" } };
	char key[CAS_KEY_MAX + 1], text[64];
	char *json;

	b->has_stop |= is_stop;
	(void)snprintf(u.instance_id, sizeof(u.instance_id), "%s", burial_instance(i));
	(void)snprintf(u.account_id, sizeof(u.account_id), "123456789012");
	(void)snprintf(u.pointer.key, sizeof(u.pointer.key),
	    "uefi/%s/00000000-0000-4000-8000-000000000000", burial_instance(i));
	json = uefi_record_print(&u);
	if (!json)
		abort();
	write_first(b, burial_instance(i), json);
	free(json);
	(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", burial_instance(i));
	(void)snprintf(text, sizeof(text), "node-%c stopped %s", 'a' +
	    (int)world_random(&b->w, b->w.nnodes), is_stop ? "stop" : "keep");
	write_first(b, key, text);
}

static void
begin(struct burial *b)
{
	struct world *w = &b->w;

	w->end = BURIAL_END;
	b->bare = world_chance(w, 500) ? w->nkeys - 1 : BURIAL_INSTANCES;
	for (unsigned i = 0; i < w->nkeys; i++)
		make_instance(b, i);
	for (unsigned n = 0; n < w->nnodes; n++) {
		for (unsigned i = 0; i < w->nkeys; i++) {
			b->place[n][i].b = b;
			b->place[n][i].node = n;
			b->place[n][i].instance = i;
		}
		bhost_on(b, n);
	}
	world_at(w, WORLD_T / 2, (struct event){ .fn = on_strike });
	world_at(w, WORLD_FAULTS, (struct event){ .fn = on_calm });
	world_at(w, WORLD_FAULTS + BURIAL_CALM, (struct event){ .fn = on_end });
}

static void
end(struct burial *b)
{
	for (unsigned n = 0; n < b->w.nnodes; n++) {
		bkeeper_kill(b, n);
		bleased_kill(b, n);
	}
	for (size_t i = 0; i < b->ngraves; i++)
		free(b->graves[i]);
	free(b->graves);
	burial_store_deinit(b);
	world_deinit(&b->w);
}

struct totals {
	uint64_t	 events, burials, takeovers, launches, moves;
};

static bool
run(uint64_t seed, bool is_traced, char *stacks, struct totals *t)
{
	static struct burial b;		/* large */
	bool is_good;

	memset(&b, 0, sizeof(b));
	b.stacks = stacks;
	world_init(&b.w, seed, is_traced);
	begin(&b);
	while (world_step(&b.w))
		;
	is_good = world_is_good(&b.w);
	b.w.is_traced = false;
	t->events += b.w.events;
	t->burials += b.burials;
	t->takeovers += b.takeovers;
	t->launches += b.launches;
	t->moves += b.moves;
	end(&b);
	return is_good;
}

int
main(void)
{
	uint64_t first = world_number("FIRST", 1), rounds = world_number("ROUNDS", ROUNDS_DEFAULT);
	char *stacks = malloc((size_t)WORLD_NODES * BURIAL_INSTANCES * BURIAL_STACK);
	struct totals t = { 0 };
	bool is_good = stacks != NULL;

	if (is_good && getenv("SEED"))
		return run(world_number("SEED", 0), true, stacks, &t) ? 0 : 1;
	for (uint64_t i = 0; is_good && i < rounds; i++)
		is_good = run(first + i, false, stacks, &t);
	free(stacks);
	if (!is_good)
		return 1;
	printf("ok sim_burial: %" PRIu64 " schedules, %" PRIu64 " events, %" PRIu64 " burials, %"
	    PRIu64 " claims taken over, %" PRIu64 " launches, %" PRIu64 " write-backs\n", rounds,
	    t.events, t.burials, t.takeovers, t.launches, t.moves);
	return 0;
}
