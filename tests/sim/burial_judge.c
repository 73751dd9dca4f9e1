/*
 * The judge sees every write land and every guest run, and shares no code with the rules.
 *
 * - Of one instance no two guests run at one instant.
 * - A node is buried only when it holds its own lease no more, by real time, and no guest that
 *   trusts that lease runs there.
 * - Claim and record are taken from a node only where it was buried after its own last write
 *   there, or after a confirm that it was told had succeeded; a stopped record is free to go.
 * - A claim's generation is the revision at which it was won, and a confirm keeps it.
 * - A pointer is moved only by who won the claim at the generation that the record has.
 * - Nothing is given up as lost that is not lost.
 */
#include "tests/sim/burial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/heartbeat.h"
#include "common/subjects.h"

struct token {
	char		 holder[16];
	uint64_t	 generation;
};

static bool
token_of(const struct bversion *v, struct token *ret)
{
	if (!v->value || sscanf(v->value, "{\"holder\":\"%15[^\"]\",\"generation\":%" SCNu64 "}",
	    ret->holder, &ret->generation) != 2)
		return false;
	if (ret->generation == 0)
		ret->generation = v->revision;
	return true;
}

/* ---- claims ---- */

static void
won(struct burial *b, unsigned instance, unsigned node, uint64_t generation)
{
	size_t *n = &b->nwins[instance];

	if (*n < BURIAL_WINNERS)
		b->win[instance][(*n)++] = (struct bwin){ generation, node };
}

static int
winner_of(const struct burial *b, unsigned instance, uint64_t generation)
{
	for (size_t i = 0; i < b->nwins[instance]; i++)
		if (b->win[instance][i].generation == generation)
			return (int)b->win[instance][i].node;
	return -1;
}

static void
taken_from(struct burial *b, const struct bkey *k, const struct bversion *was,
    const struct bversion *is, const char *holder, uint64_t confirm_at)
{
	int old = burial_node_of(b, holder);
	uint64_t buried = old < 0 ? 0 : b->node[old].buried_at;

	if (old < 0 || (unsigned)old == is->writer)
		return;
	if (buried == 0 || buried < was->at || buried < confirm_at)
		world_broken(&b->w, "%s took %s from %s, which was not buried since its last write",
		    b->w.node[is->writer].name, k->name, holder);
}

static void
claim_version(struct burial *b, const struct bkey *k, unsigned instance,
    const struct bversion *was, const struct bversion *is)
{
	struct token old = { "", 0 }, new = { "", 0 };
	bool had = token_of(was, &old), has = token_of(is, &new);
	int node = has ? burial_node_of(b, new.holder) : -1;

	if (!has) {
		if (had && burial_node_of(b, old.holder) != (int)is->writer)
			world_broken(&b->w, "%s freed %s, which %s has",
			    b->w.node[is->writer].name, k->name, old.holder);
		return;
	}
	if (node != (int)is->writer)
		world_broken(&b->w, "%s wrote %s for another", b->w.node[is->writer].name, k->name);
	if (had && strcmp(old.holder, new.holder) == 0) {
		if (old.generation != new.generation)
			world_broken(&b->w, "%s kept %s, but not its generation", new.holder,
			    k->name);
		return;
	}
	if (new.generation != is->revision)
		world_broken(&b->w, "%s won %s at revision %ju with generation %ju", new.holder,
		    k->name, (uintmax_t)is->revision, (uintmax_t)new.generation);
	won(b, instance, is->writer, new.generation);
	if (had)
		taken_from(b, k, was, is, old.holder,
		    b->place[burial_node_of(b, old.holder)][instance].confirm_at);
}

/* ---- records ---- */

static void
record_version(struct burial *b, const struct bkey *k, const struct bversion *was,
    const struct bversion *is)
{
	struct brecord old, new;

	if (!brecord_parse(was->value, &old) || !brecord_parse(is->value, &new))
		return;
	if (strcmp(old.node, new.node) != 0 && strcmp(old.state, "stopped") != 0)
		taken_from(b, k, was, is, old.node, 0);
}

static uint64_t
generation_in(const char *text)
{
	const char *s = strstr(text, "\"generation\":");
	uint64_t n = 0;

	return s && sscanf(s, "\"generation\":%" SCNu64, &n) == 1 ? n : 0;
}

static const char *
pointer_in(const char *text)
{
	const char *s = strstr(text, "\"pointer\":");

	return s ? s : "";
}

static void
store_version(struct burial *b, unsigned instance, const struct bversion *was,
    const struct bversion *is)
{
	uint64_t before, now;

	if (!was->value || !is->value)
		return;
	before = generation_in(was->value);
	now = generation_in(is->value);
	if (now < before)
		world_broken(&b->w, "the generation of the store of %s went back",
		    burial_instance(instance));
	if (strcmp(pointer_in(was->value), pointer_in(is->value)) == 0)
		return;
	if (now != before || winner_of(b, instance, now) != (int)is->writer)
		world_broken(&b->w, "%s moved the pointer of %s at generation %ju, won by %d",
		    b->w.node[is->writer].name, burial_instance(instance), (uintmax_t)now,
		    winner_of(b, instance, now));
}

/* ---- nodes ---- */

static void
buried(struct burial *b, unsigned node, const struct bversion *is)
{
	const struct world *w = &b->w;

	if (w->node[node].held_until[0] > w->now)
		world_broken(&b->w, "%s buried %s, which holds its lease for %.3f s yet",
		    w->node[is->writer].name, w->node[node].name,
		    (double)(w->node[node].held_until[0] - w->now) / 1e6);
	for (unsigned i = 0; i < w->nkeys; i++) {
		const struct guest *g = &b->place[node][i].guest;

		if (g->is_stop && g->state == GUEST_RUNS)
			world_broken(&b->w, "%s buried %s, where a guest of %s runs",
			    w->node[is->writer].name, w->node[node].name, burial_instance(i));
	}
	b->node[node].buried_at = w->now;
}

void
bjudge_beat(struct burial *b, unsigned by, const char *node, uint64_t stamp_ms,
    enum bury_need then)
{
	int n = burial_node_of(b, node);
	uint64_t wall = bnode_wall_ms(b, by);

	if (n < 0 || then != BURY_SWAP || stamp_ms == 0 || b->node[n].wall_stepped ||
	    b->node[by].wall_stepped)
		return;
	if (wall < stamp_ms + WORLD_TTL_MS - 2000)
		world_broken(&b->w, "%s buries %s over a beat of %.3f s", b->w.node[by].name, node,
		    ((double)wall - (double)stamp_ms) / 1e3);
}

/* ---- what landed ---- */

void
bjudge_version(struct burial *b, const struct bkey *k, const struct bversion *was,
    const struct bversion *is)
{
	const size_t n = strlen(KEY_NODE_PREFIX);
	int node = strncmp(k->name, KEY_NODE_PREFIX, n) == 0 ? burial_node_of(b, k->name + n) : -1;
	char key[CAS_KEY_MAX + 1];

	if (node >= 0 && node != (int)is->writer)
		buried(b, (unsigned)node, is);
	for (unsigned i = 0; i < b->w.nkeys; i++) {
		(void)snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", burial_instance(i));
		if (strcmp(k->name, key) == 0)
			claim_version(b, k, i, was, is);
		(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", burial_instance(i));
		if (strcmp(k->name, key) == 0)
			record_version(b, k, was, is);
		if (strcmp(k->name, burial_instance(i)) == 0)
			store_version(b, i, was, is);
	}
}

void
bjudge_runs(struct place *p)
{
	struct burial *b = p->b;

	for (unsigned i = 0; i < b->w.nnodes; i++)
		if (i != p->node && b->place[i][p->instance].guest.state == GUEST_RUNS)
			world_broken(&b->w, "%s runs on %s and on %s", burial_instance(p->instance),
			    b->w.node[p->node].name, b->w.node[i].name);
}

void
bjudge_gives_up(struct place *p, const char *key)
{
	const struct bversion *v = burial_present(burial_key(p->b, key));
	const char *me = p->b->w.node[p->node].name;
	struct brecord r;
	struct token t;

	if ((brecord_parse(v->value, &r) && strcmp(r.node, me) == 0) ||
	    (token_of(v, &t) && strcmp(t.holder, me) == 0 && t.generation == p->seeded))
		world_broken(&p->b->w, "%s gives %s up as lost, and it is not", me, key);
}

/* Faults have been over for long: each instance runs, where record and claim say so. */
void
bjudge_end(struct burial *b)
{
	char key[CAS_KEY_MAX + 1];

	for (unsigned i = 0; i < b->w.nkeys; i++) {
		const struct place *at = NULL;
		struct brecord r;
		struct token t;

		if (i == b->bare)
			continue;
		for (unsigned n = 0; n < b->w.nnodes; n++)
			if (b->place[n][i].guest.state == GUEST_RUNS)
				at = &b->place[n][i];
		if (!at) {
			world_broken(&b->w, "%s runs nowhere", burial_instance(i));
			continue;
		}
		(void)snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", burial_instance(i));
		if (!brecord_parse(burial_present(burial_key(b, key))->value, &r) ||
		    burial_node_of(b, r.node) != (int)at->node || strcmp(r.state, "running") != 0)
			world_broken(&b->w, "%s runs on %s, and its record says otherwise",
			    burial_instance(i), b->w.node[at->node].name);
		(void)snprintf(key, sizeof(key), KEY_UEFI_CLAIM_PREFIX "%s", burial_instance(i));
		if (!token_of(burial_present(burial_key(b, key)), &t) ||
		    burial_node_of(b, t.holder) != (int)at->node || t.generation != at->seeded)
			world_broken(&b->w, "%s runs on %s, which has not its claim",
			    burial_instance(i), b->w.node[at->node].name);
	}
}
