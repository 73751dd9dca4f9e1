#include "tests/sim/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* xoroshiro128+ from a splitmix64 seed: small, and the same everywhere. */
static uint64_t
splitmix(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t
rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t
world_random(struct world *w, uint64_t below)
{
	uint64_t a = w->rng[0], b = w->rng[1], sum = a + b;

	b ^= a;
	w->rng[0] = rotate(a, 24) ^ b ^ (b << 16);
	w->rng[1] = rotate(b, 37);
	return below ? (sum >> 11) % below : 0;
}

bool
world_chance(struct world *w, unsigned per_mille)
{
	return world_random(w, 1000) < per_mille;
}

bool
world_is_calm(const struct world *w)
{
	return w->now >= WORLD_FAULTS;
}

bool
world_is_twice(struct world *w)
{
	return !world_is_calm(w) && world_chance(w, 20);
}

uint64_t
world_delay(struct world *w)
{
	if (world_is_calm(w))
		return 1 * WORLD_MS + world_random(w, 20 * WORLD_MS);
	if (w->slow_until > w->now || world_chance(w, 15))
		return world_random(w, 40000 * WORLD_MS);
	if (world_chance(w, 50))
		return world_random(w, 5000 * WORLD_MS);
	return 1 * WORLD_MS + world_random(w, 30 * WORLD_MS);
}

const char *
world_key(unsigned key)
{
	static const char *const names[WORLD_KEYS] = { "sim.alpha", "sim.beta" };

	return names[key];
}

/* ---- clocks ---- */

uint64_t
node_clock(const struct node *n, uint64_t real)
{
	uint64_t rate = (uint64_t)(1000000 + n->rate_ppm);

	return n->offset_ms + real * rate / 1000000 / WORLD_MS;
}

uint64_t
node_real(const struct node *n, uint64_t local_ms)
{
	uint64_t rate = (uint64_t)(1000000 + n->rate_ppm);
	uint64_t real;

	if (local_ms <= n->offset_ms)
		return 0;
	real = (local_ms - n->offset_ms) * WORLD_MS * 1000000 / rate;
	while (node_clock(n, real) < local_ms)
		real++;
	return real;
}

/* ---- the queue ---- */

static bool
before(const struct event *a, const struct event *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void
out_of_memory(void)
{
	fprintf(stderr, "out of memory\n");
	exit(2);
}

void
world_at(struct world *w, uint64_t at, struct event e)
{
	size_t i = w->nqueue++;

	if (w->nqueue > w->queue_room) {
		w->queue_room = w->queue_room ? w->queue_room * 2 : 1024;
		w->queue = reallocarray(w->queue, w->queue_room, sizeof(*w->queue));
		if (!w->queue)
			out_of_memory();
	}
	e.at = at < w->now ? w->now : at;
	e.seq = w->seq++;
	for (; i > 0 && before(&e, &w->queue[(i - 1) / 2]); i = (i - 1) / 2)
		w->queue[i] = w->queue[(i - 1) / 2];
	w->queue[i] = e;
}

static struct event
pop(struct world *w)
{
	struct event top = w->queue[0], last = w->queue[--w->nqueue];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->nqueue) {
		if (child + 1 < w->nqueue && before(&w->queue[child + 1], &w->queue[child]))
			child++;
		if (!before(&w->queue[child], &last))
			break;
		w->queue[i] = w->queue[child];
		i = child;
	}
	w->queue[i] = last;
	return top;
}

/* Real time until which the one the event is for does nothing; UINT64_MAX: it is gone. */
static uint64_t
asleep_until(const struct world *w, const struct event *e)
{
	const struct node *n = &w->node[e->node];
	const struct client *c = &w->client[e->node][e->key][e->slot];

	if (e->actor == ACTOR_NODE)
		return n->is_up && n->life == e->life ? n->paused_until : UINT64_MAX;
	if (e->actor == ACTOR_CLIENT)
		return c->is_up && c->life == e->life ? c->paused_until : UINT64_MAX;
	return 0;
}

bool
world_step(struct world *w)
{
	struct event e;
	uint64_t until;

	if (w->verdict[0] != '\0' || w->nqueue == 0)
		return false;
	e = pop(w);
	if (e.at > w->end)
		return false;
	w->now = e.at;
	w->events++;
	until = asleep_until(w, &e);
	if (until == UINT64_MAX)
		return true;
	if (until > w->now)
		world_at(w, until, e);	/* in the order in which they came */
	else
		e.fn(w, &e);
	return true;
}

void
world_init(struct world *w, uint64_t seed, bool is_traced)
{
	uint64_t x = seed;

	*w = (struct world){ .seed = seed, .is_traced = is_traced, .end = WORLD_END };
	w->rng[0] = splitmix(&x);
	w->rng[1] = splitmix(&x);
	w->nnodes = (unsigned)(3 + world_random(w, 3));
	w->nkeys = (unsigned)(1 + world_random(w, WORLD_KEYS));
	for (unsigned i = 0; i < w->nnodes; i++) {
		struct node *n = &w->node[i];

		n->id = i;
		n->world = w;
		snprintf(n->name, sizeof(n->name), "node-%c", 'a' + (int)i);
		n->offset_ms = world_random(w, 1000000);
		n->rate_ppm = (int64_t)world_random(w, 20001) - 10000;
		for (unsigned k = 0; k < WORLD_KEYS * WORLD_SLOTS; k++)
			w->client[i][k / WORLD_SLOTS][k % WORLD_SLOTS] = (struct client){
			    .node = i, .key = k / WORLD_SLOTS, .slot = k % WORLD_SLOTS };
	}
}

void
world_deinit(struct world *w)
{
	for (unsigned i = 0; i < w->nnodes; i++)
		lease_table_free(w->node[i].table);
	for (unsigned k = 0; k < WORLD_KEYS; k++)
		free(w->store[k].history);
	free(w->queue);
	free(w->calls);
}

/* ---- what is said ---- */

void
world_trace(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->is_traced)
		return;
	printf("%9.3f  ", (double)w->now / 1e6);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

void
world_broken(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (w->verdict[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(w->verdict, sizeof(w->verdict), fmt, ap);
	va_end(ap);
	world_trace(w, "BROKEN: %s", w->verdict);
}

bool
world_is_good(struct world *w)
{
	if (w->events < WORLD_EVENTS)
		world_broken(w, "only %" PRIu64 " events", w->events);
	if (w->verdict[0] == '\0')
		return true;
	printf("seed %" PRIu64 ": %s at %.3f s (SEED=%" PRIu64 " shows it)\n", w->seed,
	    w->verdict, (double)w->now / 1e6, w->seed);
	return false;
}

uint64_t
world_number(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s ? strtoull(s, NULL, 10) : otherwise;
}
