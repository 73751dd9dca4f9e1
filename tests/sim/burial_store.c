/* Keys with a history.  The contract of common/kv.h, as in store.c, but with values as text
 * and for whoever calls. */
#include "tests/sim/burial.h"

#include <stdlib.h>
#include <string.h>

#include "common/subjects.h"

struct bkey *
burial_key(struct burial *b, const char *name)
{
	struct bkey *k;

	for (size_t i = 0; i < b->nkeys; i++)
		if (strcmp(b->key[i].name, name) == 0)
			return &b->key[i];
	if (b->nkeys == BURIAL_KEYS || strlen(name) > CAS_KEY_MAX)
		abort();
	k = &b->key[b->nkeys++];
	memcpy(k->name, name, strlen(name) + 1);
	return k;
}

const struct bversion *
burial_present(const struct bkey *k)
{
	static const struct bversion none;

	return k->n > 0 ? &k->v[k->n - 1] : &none;
}

/* What a reader that is behind by that much still shows. */
static const struct bversion *
past(const struct burial *b, const struct bkey *k, uint64_t behind)
{
	uint64_t at = b->w.now > behind ? b->w.now - behind : 0;
	static const struct bversion none;

	for (size_t i = k->n; i > 0; i--)
		if (k->v[i - 1].at <= at)
			return &k->v[i - 1];
	return &none;
}

static void
append(struct burial *b, struct bkey *k, const struct bcall *c)
{
	struct bversion was = *burial_present(k);

	if (k->n == k->room) {
		k->room = k->room ? k->room * 2 : 64;
		k->v = reallocarray(k->v, k->room, sizeof(*k->v));
		if (!k->v)
			abort();
	}
	k->v[k->n++] = (struct bversion){ b->w.now, ++b->w.sequence,
	    c->value ? strdup(c->value) : NULL, c->who.node };
	world_trace(&b->w, "store   %s: %s, by %s, revision %ju -> %ju", k->name,
	    c->value ? c->value : "deleted", b->w.node[c->who.node].name,
	    (uintmax_t)was.revision, (uintmax_t)b->w.sequence);
	bjudge_version(b, k, &was, burial_present(k));
}

/* ---- hints ---- */

static void
on_hint(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);

	bleased_hint(b, e->node, b->key[e->a].name);
}

static void
send_hints(struct burial *b, const struct bkey *k)
{
	struct world *w = &b->w;

	if (strncmp(k->name, KEY_NODE_PREFIX, strlen(KEY_NODE_PREFIX)) != 0)
		return;			/* others lead to nothing */
	for (unsigned i = 0; i < w->nnodes; i++)
		if (w->node[i].is_up && w->node[i].cut_until <= w->now && !world_chance(w, 300))
			world_at(w, w->now + world_random(w, 20 * WORLD_MS), (struct event){
			    .fn = on_hint, .actor = ACTOR_NODE, .node = i,
			    .life = w->node[i].life, .a = (uint64_t)(k - b->key) });
}

/* ---- calls ---- */

static struct event
to_caller(const struct bcall *c, event_fn *fn, uint64_t id)
{
	return (struct event){ .fn = fn, .actor = c->who.actor, .node = c->who.node,
	    .life = c->who.life, .a = id };
}

static void
answer(struct burial *b, struct bcall *c, enum cas_result result)
{
	c->is_answered = true;
	c->result = result;
	c->done(b, c);
}

static void
on_reply(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	struct bcall *c = b->calls[e->a];

	if (!c->is_answered)
		answer(b, c, c->landed);
}

static bool
may_be_read(struct burial *b, const struct bcall *c)
{
	const struct world *w = &b->w;

	return w->node[c->who.node].cut_until <= w->now && w->leaderless_until <= w->now &&
	    !world_chance(&b->w, 300);
}

/* The layer's own deadline: it has read at the leader if it could, and looked for its nonce. */
static void
on_timeout(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	struct bcall *c = b->calls[e->a];
	const struct bversion *v = burial_present(c->key);

	if (c->is_answered)
		return;
	if (c->is_load)
		answer(b, c, CAS_UNAVAILABLE);
	else if (!may_be_read(b, c))
		answer(b, c, CAS_UNKNOWN);
	else if (c->has_landed && c->landed == CAS_OK && v->revision == c->revision)
		answer(b, c, CAS_OK);
	else
		answer(b, c, v->revision > c->expected ? CAS_LOST : CAS_UNKNOWN);
}

static void
land(struct burial *b, struct bcall *c)
{
	const struct bversion *v = burial_present(c->key);
	bool fits = v->revision == c->expected ||
	    (!c->is_exact && c->expected == 0 && !v->value);

	c->has_landed = true;
	c->landed = CAS_LOST;
	if (!fits)
		return;
	append(b, c->key, c);
	c->landed = CAS_OK;
	c->revision = b->w.sequence;
	if (strncmp(c->key->name, KEY_NODE_PREFIX, strlen(KEY_NODE_PREFIX)) == 0)
		burial_wakes(b, c->key->name + strlen(KEY_NODE_PREFIX), c->who.node);
	send_hints(b, c->key);
}

static void
read_now(struct burial *b, struct bcall *c)
{
	const struct bversion *v = burial_present(c->key);

	/* A leader that was deposed and has not noticed. */
	if (!world_is_calm(&b->w) && world_chance(&b->w, 80))
		v = past(b, c->key, world_random(&b->w, 20000 * WORLD_MS));
	c->has_landed = true;
	c->landed = v->value ? CAS_OK : CAS_NOT_FOUND;
	c->revision = v->revision;
	c->seen = v->value;
}

static void
on_arrive(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	struct bcall *c = b->calls[e->a];

	if (w->leaderless_until > w->now) {	/* a write waits for the next leader */
		if (!c->is_load)
			world_at(w, w->leaderless_until + world_random(w, 50 * WORLD_MS), *e);
		return;
	}
	if (!c->has_landed && c->is_load)
		read_now(b, c);
	else if (!c->has_landed)
		land(b, c);
	if (!world_is_calm(w) && (w->node[c->who.node].cut_until > w->now ||
	    world_chance(w, 40)))
		return;					/* the answer is lost */
	world_at(w, w->now + world_delay(w), to_caller(c, on_reply, e->a));
}

void
burial_call(struct burial *b, const struct bcall *like, uint64_t timeout_ms)
{
	struct world *w = &b->w;
	struct bcall *c = malloc(sizeof(*c));
	uint64_t id = b->ncalls;

	if (b->ncalls == b->calls_room) {
		b->calls_room = b->calls_room ? b->calls_room * 2 : 1024;
		b->calls = reallocarray(b->calls, b->calls_room, sizeof(struct bcall *));
	}
	if (!c || !b->calls)
		abort();
	*c = *like;
	c->value = c->owned = like->value ? strdup(like->value) : NULL;
	b->calls[b->ncalls++] = c;
	world_at(w, w->now + timeout_ms * WORLD_MS, to_caller(c, on_timeout, id));
	if (w->node[c->who.node].cut_until > w->now ||
	    (!world_is_calm(w) && world_chance(w, 30)))
		return;				/* the request is lost */
	for (unsigned i = 0; i <= world_is_twice(w); i++)
		world_at(w, w->now + world_delay(w), (struct event){ .fn = on_arrive, .a = id });
}

void
burial_store_deinit(struct burial *b)
{
	for (size_t i = 0; i < b->ncalls; i++) {
		free(b->calls[i]->owned);
		free(b->calls[i]);
	}
	free(b->calls);
	for (size_t i = 0; i < b->nkeys; i++) {
		for (size_t n = 0; n < b->key[i].n; n++)
			free(b->key[i].v[n].value);
		free(b->key[i].v);
	}
}
