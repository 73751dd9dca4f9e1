/* A guest and its guard (vmguard).  Under on_isolation = stop the guard holds a deadline: at
 * it the guest is frozen, T/3 after it killed, unless the page brings a later one before. */
#include "tests/sim/burial.h"

#define KILL_AFTER	4	/* twelfths of T */

_Static_assert(LEASE_GIVE_UP + KILL_AFTER <= LEASE_TAKE, "killed before a burial");

static uint64_t
now_of(const struct place *p)
{
	return node_clock(&p->b->w.node[p->node], p->b->w.now);
}

static uint64_t
kill_at(const struct place *p)
{
	return p->guest.deadline_ms + lease_share(WORLD_TTL_MS, KILL_AFTER);
}

void
guest_end(struct place *p, const char *why)
{
	if (p->guest.state == GUEST_NONE)
		return;
	world_trace(&p->b->w, "%s  the guest of %s ends: %s", p->b->w.node[p->node].name,
	    burial_instance(p->instance), why);
	p->guest.state = GUEST_NONE;
	p->guest.life++;
}

void
guest_run_now(struct place *p)
{
	world_trace(&p->b->w, "%s  the guest of %s runs", p->b->w.node[p->node].name,
	    burial_instance(p->instance));
	p->guest.state = GUEST_RUNS;
	bjudge_runs(p);
}

static void on_deadline(struct world *w, const struct event *e);

static void
arm(struct place *p, uint64_t at_ms)
{
	world_at(&p->b->w, node_real(&p->b->w.node[p->node], at_ms), (struct event){
	    .fn = on_deadline, .node = p->node, .a = p->instance, .b = p->guest.life });
}

static void
on_deadline(struct world *w, const struct event *e)
{
	struct place *p = &burial_of(w)->place[e->node][e->a];
	struct guest *g = &p->guest;

	if (g->life != e->b || g->state == GUEST_NONE || now_of(p) < g->deadline_ms)
		return;			/* the page brought a later one, which has its own */
	if (g->state == GUEST_FROZEN && now_of(p) >= kill_at(p)) {
		guest_end(p, "its guard killed it");
	} else if (g->state != GUEST_FROZEN) {
		g->was = g->state;
		g->state = GUEST_FROZEN;
		world_trace(w, "%s  the guest of %s is frozen", w->node[p->node].name,
		    burial_instance(p->instance));
		arm(p, kill_at(p));
	}
}

void
guest_make(struct place *p, bool is_stop)
{
	p->guest.is_stop = is_stop;
	p->guest.state = GUEST_HELD;
	p->guest.deadline_ms = 0;
	p->guest.life++;
}

void
guest_page(struct place *p, uint64_t deadline_ms)
{
	struct guest *g = &p->guest;
	bool is_first = g->deadline_ms == 0;

	if (g->state == GUEST_NONE || !g->is_stop ||
	    (!is_first && (deadline_ms <= g->deadline_ms || now_of(p) >= kill_at(p))))
		return;
	g->deadline_ms = deadline_ms;
	arm(p, deadline_ms);
	if (g->state != GUEST_FROZEN || now_of(p) >= deadline_ms)
		return;
	g->state = g->was;
	if (g->state == GUEST_RUNS)
		guest_run_now(p);
}
