/* leased: the node's own lease in its own table, a watch of the others, and burials.  The
 * shell around the rules is what leased/nodes.c does. */
#include "tests/sim/burial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/heartbeat.h"
#include "common/subjects.h"

#define CALL_MS		5000

static uint64_t
now_of(const struct node *n)
{
	return node_clock(n, n->world->now);
}

static struct bcaller
leased_of(const struct node *n)
{
	return (struct bcaller){ ACTOR_NODE, n->id, n->life };
}

static void
see(const struct bcall *c, struct lease_seen *ret)
{
	*ret = (struct lease_seen){ .result = c->result, .revision = c->revision };
	if (c->result == CAS_OK)
		ret->is_corrupt = cas_token_parse(c->seen, strlen(c->seen), c->revision,
		    &ret->token) < 0;
}

/* ---- the node's own lease ---- */

static void
on_own_loaded(struct burial *b, const struct bcall *c)
{
	struct node *n = &b->w.node[c->who.node];
	struct lease_seen seen;

	see(c, &seen);
	lease_table_loaded(n->table, c->key->name, c->op, &seen, now_of(n));
	node_arm(n);
}

static void
on_own_written(struct burial *b, const struct bcall *c)
{
	struct node *n = &b->w.node[c->who.node];

	lease_table_written(n->table, c->key->name, c->op, c->result, c->revision, now_of(n));
	node_arm(n);
}

static bool
own_load(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms)
{
	struct node *n = ctx;
	struct burial *b = burial_of(n->world);

	burial_call(b, &(struct bcall){ .who = leased_of(n), .key = burial_key(b, key),
	    .is_load = true, .done = on_own_loaded, .op = op }, timeout_ms);
	return true;
}

static bool
own_put(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
    uint64_t expected, uint64_t timeout_ms)
{
	struct node *n = ctx;
	struct burial *b = burial_of(n->world);
	char text[256];

	if (cas_token_print(value, text, sizeof(text)) < 0)
		abort();
	burial_call(b, &(struct bcall){ .who = leased_of(n), .key = burial_key(b, key),
	    .value = text, .expected = expected, .is_exact = true, .done = on_own_written,
	    .op = op }, timeout_ms);
	return true;
}

static bool
own_remove(void *ctx, const char *key, uint64_t op, uint64_t expected, uint64_t timeout_ms)
{
	struct node *n = ctx;

	world_broken(n->world, "%s unlocks its own node's key", n->name);
	return false;
}

static void
own_edges(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms)
{
	struct node *n = ctx;

	if (edges & LEASE_LOST)
		n->held_until[0] = 0;
	if (edges & (LEASE_GAINED | LEASE_RENEWED))
		n->held_until[0] = node_real(n, lease_valid_until(&h->lease));
	if (edges & LEASE_GAINED)
		bkeeper_gained(burial_of(n->world), n->id, h->lease.generation,
		    lease_valid_until(&h->lease));
	if (edges & (LEASE_GAINED | LEASE_LOST))
		world_trace(n->world, "%s  its own lease is %s", n->name,
		    edges & LEASE_GAINED ? "held" : "lost");
}

/* ---- the watch ---- */

static void
on_looked(struct burial *b, const struct bcall *c)
{
	struct node *n = &b->w.node[c->who.node];
	struct lease_seen seen;

	see(c, &seen);
	(void)node_watch_saw(&b->node[n->id].watch, c->key->name + strlen(KEY_NODE_PREFIX), &seen,
	    now_of(n));
}

static void
look(struct burial *b, const struct node *n, const char *key)
{
	burial_call(b, &(struct bcall){ .who = leased_of(n), .key = burial_key(b, key),
	    .is_load = true, .done = on_looked }, CALL_MS);
}

static void
on_watch_time(struct world *w, const struct event *e)
{
	struct node *n = &w->node[e->node];
	char key[CAS_KEY_MAX + 1];

	for (unsigned i = 0; i < w->nnodes; i++) {
		burial_name(KEY_NODE_PREFIX, i, key);
		if (i != n->id)
			look(burial_of(w), n, key);
	}
	world_at(w, node_real(n, now_of(n) + lease_share(WORLD_TTL_MS, LEASE_LOOK)), *e);
}

void
bleased_hint(struct burial *b, unsigned node, const char *key)
{
	struct node *n = &b->w.node[node];

	lease_table_hint(n->table, key, node * WORLD_TURN_MS, now_of(n));
	node_arm(n);
	if (strncmp(key, KEY_NODE_PREFIX, strlen(KEY_NODE_PREFIX)) == 0 &&
	    strcmp(key + strlen(KEY_NODE_PREFIX), n->name) != 0)
		look(b, n, key);
}

/* ---- burials ---- */

struct grave {			/* lives as long as the schedule: its calls may come back late */
	struct bury	 rule;
	struct place	*place;
	uint64_t	 id, wait;	/* wait: of the job that asked */
};

static void take_step(struct burial *b, struct grave *g, unsigned by, enum bury_need need);

static void
on_verdict(struct world *w, const struct event *e)
{
	const struct grave *g = burial_of(w)->graves[e->a];

	world_trace(w, "%s  the burial of %s: verdict %d", w->node[e->node].name, g->rule.node,
	    (int)g->rule.verdict);
	job_buried(g->place, g->wait, &g->rule);
}

static void
on_bury_key(struct burial *b, const struct bcall *c)
{
	struct node *n = &b->w.node[c->who.node];
	struct grave *g = c->arg;
	const struct node_sight *sight;
	struct lease_seen seen;

	see(c, &seen);
	sight = node_watch_saw(&b->node[n->id].watch, g->rule.node, &seen, now_of(n));
	take_step(b, g, n->id, bury_saw(&g->rule, &seen, sight, now_of(n)));
}

static void
on_bury_beat(struct burial *b, const struct bcall *c)
{
	struct grave *g = c->arg;
	uint64_t stamp = c->result == CAS_OK ? heartbeat_stamp(c->seen, strlen(c->seen)) : 0;
	enum bury_need then = bury_beat(&g->rule, c->result, stamp,
	    bnode_wall_ms(b, c->who.node));

	bjudge_beat(b, c->who.node, g->rule.node, stamp, then);
	take_step(b, g, c->who.node, then);
}

static void
on_bury_swap(struct burial *b, const struct bcall *c)
{
	struct grave *g = c->arg;

	b->burials += c->result == CAS_OK;
	take_step(b, g, c->who.node, bury_swapped(&g->rule, c->result, c->revision));
}

static void
step_call(struct burial *b, struct grave *g, unsigned by, struct bcall *c, const char *prefix,
    bdone_fn *done)
{
	char key[CAS_KEY_MAX + 1];

	burial_name(prefix, (unsigned)burial_node_of(b, g->rule.node), key);
	c->who = leased_of(&b->w.node[by]);
	c->key = burial_key(b, key);
	c->done = done;
	c->arg = g;
	burial_call(b, c, CALL_MS);
}

static void
take_step(struct burial *b, struct grave *g, unsigned by, enum bury_need need)
{
	struct cas_token t = { .generation = g->rule.generation };
	char text[256];

	switch (need) {
	case BURY_LOAD_KEY:
		step_call(b, g, by, &(struct bcall){ .is_load = true }, KEY_NODE_PREFIX,
		    on_bury_key);
		break;
	case BURY_LOAD_BEAT:
		step_call(b, g, by, &(struct bcall){ .is_load = true }, HEARTBEAT_PREFIX,
		    on_bury_beat);
		break;
	case BURY_LOAD_RECORD:		/* each of them has one */
		take_step(b, g, by, bury_known(&g->rule, CAS_OK));
		break;
	case BURY_SWAP:
		memcpy(t.holder, g->rule.self, sizeof(t.holder));
		if (cas_token_print(&t, text, sizeof(text)) < 0)
			abort();
		step_call(b, g, by, &(struct bcall){ .value = text,
		    .expected = g->rule.expected, .is_exact = true }, KEY_NODE_PREFIX,
		    on_bury_swap);
		break;
	case BURY_END:
		world_at(&b->w, b->w.now + world_delay(&b->w) / 8, (struct event){
		    .fn = on_verdict, .actor = ACTOR_CLIENT, .node = by,
		    .life = b->w.client[by][0][0].life, .a = g->id });
		break;
	}
}

static void
on_bury_asked(struct world *w, const struct event *e)
{
	struct burial *b = burial_of(w);
	struct grave *g = b->graves[e->a];
	int it = burial_node_of(b, g->rule.node);
	char node[CAS_HOLDER_MAX + 1];

	/* Whoever says that a machine is off leaves it so while the word is on its way. */
	if (!w->node[e->node].is_up || (g->rule.is_fenced && it >= 0 && !b->node[it].is_off))
		return;
	memcpy(node, g->rule.node, sizeof(node));
	take_step(b, g, e->node, bury_begin(&g->rule, node, w->node[e->node].name,
	    g->rule.is_fenced, WORLD_TTL_MS, now_of(&w->node[e->node])));
}

void
bleased_bury(struct burial *b, struct place *p, const char *node, bool is_fenced)
{
	struct grave *g = calloc(1, sizeof(*g));

	if (b->ngraves == b->graves_room) {
		b->graves_room = b->graves_room ? b->graves_room * 2 : 64;
		b->graves = reallocarray(b->graves, b->graves_room, sizeof(struct grave *));
	}
	if (!g || !b->graves)
		abort();
	*g = (struct grave){ .rule = { .is_fenced = is_fenced }, .place = p, .id = b->ngraves,
	    .wait = p->job.wait };
	(void)snprintf(g->rule.node, sizeof(g->rule.node), "%s", node);
	b->graves[b->ngraves++] = g;
	world_at(&b->w, b->w.now + world_delay(&b->w) / 8, (struct event){
	    .fn = on_bury_asked, .actor = ACTOR_NODE, .node = p->node,
	    .life = b->w.node[p->node].life, .a = g->id });
}

/* ---- life ---- */

static const struct lease_port own_port = {
	.load = own_load,
	.put = own_put,
	.remove = own_remove,
	.edges = own_edges,
};

void
bleased_start(struct burial *b, unsigned node)
{
	struct node *n = &b->w.node[node];
	struct lease_port port = own_port;
	char key[CAS_KEY_MAX + 1];

	if (n->is_up || b->node[node].is_off)
		return;
	port.ctx = n;
	burial_name(KEY_NODE_PREFIX, node, key);
	if (lease_table_new(n->name, &port, now_of(n), &n->table) < 0)
		abort();
	n->is_up = true;
	n->tick_at = 0;
	world_trace(&b->w, "%s  leased starts", n->name);
	if (lease_table_add_own(n->table, key, WORLD_TTL_MS, now_of(n)) < 0)
		abort();
	node_arm(n);
	world_at(&b->w, b->w.now, (struct event){ .fn = on_watch_time, .actor = ACTOR_NODE,
	    .node = node, .life = n->life });
}

void
bleased_kill(struct burial *b, unsigned node)
{
	struct node *n = &b->w.node[node];

	if (!n->is_up)
		return;
	world_trace(&b->w, "%s  leased is killed", n->name);
	n->is_up = false;
	n->life++;
	n->paused_until = 0;
	n->held_until[0] = 0;
	lease_table_free(n->table);
	n->table = NULL;
	node_watch_deinit(&b->node[node].watch);
}
