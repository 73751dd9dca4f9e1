/*
 * What the node does unasked: saves what guests wrote, and looks at a store when something
 * happened to it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "uefid/uefid.h"

#define PRUNE_PERIOD_MS	60000	/* of one store, while it is written */

/* ---- saving ---- */

void
uefid_pace(struct uefid *u)
{
	uint64_t next = PACE_NEVER;
	struct local *l;

	TAILQ_FOREACH(l, &u->locals, link) {
		uint64_t due = pace_due_ms(&l->pace, u->conf->quiet_ms,
		    u->conf->write_back_max_ms);

		if (due < next)
			next = due;
	}
	if (next == PACE_NEVER)
		loop_timer_off(u->pace_timer);
	else
		loop_timer_at(u->pace_timer, next);
}

static void
save(struct uefid *u, struct local *l, uint64_t now)
{
	struct work *w = work_new(u, WORK_SAVE, l->instance_id);

	if (!w) {
		pace_owes(&l->pace, now);
		return;
	}
	w->call.prune = l->pruned_ms == 0 || now - l->pruned_ms >= PRUNE_PERIOD_MS;
	(void)!work_submit(w);		/* one that was not taken is tried again, by its pace */
}

void
uefid_on_pace(void *arg)
{
	struct uefid *u = arg;
	uint64_t now = clock_now_ms(u->d.clock);
	struct local *l;

	TAILQ_FOREACH(l, &u->locals, link)
		if (pace_due_ms(&l->pace, u->conf->quiet_ms, u->conf->write_back_max_ms) <= now)
			save(u, l, now);
	uefid_pace(u);
}

void
uefid_on_written(void *arg, int watch_id)
{
	struct uefid *u = arg;
	uint64_t now = clock_now_ms(u->d.clock);
	struct local *l;

	TAILQ_FOREACH(l, &u->locals, link)
		if (l->watch_id != WATCH_NONE &&
		    (watch_id == WATCH_ALL || l->watch_id == watch_id))
			pace_wrote(&l->pace, now);
	uefid_pace(u);
}

/* ---- minding ---- */

bool
uefid_is_confirmed(const struct uefid *u, const struct local *l)
{
	return l->confirmed == lead_generation(u->lead);
}

void
uefid_mind(struct uefid *u, const char *instance_id)
{
	struct work *w;

	if (jobs_pending_of(u->d.jobs, instance_id) > 0)
		return;
	w = work_new(u, WORK_MIND, instance_id);
	/* What is not taken now is taken by the next sweep. */
	if (!w || work_submit(w) < 0)
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = instance_id },
		    "%s is not looked at in this sweep: no room", instance_id);
}

/* A record changed: if its store is here, it may have been fenced or deleted. */
void
uefid_on_record(void *arg, const char *key)
{
	struct uefid *u = arg;
	struct local *l;
	struct copy c;

	if (key[0] == '\0') {
		u->sweeps_all = u->sweeps_idle = true;
		return;
	}
	l = local_find(&u->locals, key);
	if (!l && (copy_init(&c, u->conf->common.state_dir, key) < 0 ||
	    access(c.dir, F_OK) < 0))
		return;
	uefid_mind(u, key);
}

void
uefid_on_node_lease(void *arg, uint64_t generation)
{
	struct uefid *u = arg;
	const struct log_ctx ctx = { .node = u->conf->common.node, .generation = generation };

	log_fields(LOG_NOTICE, &ctx, "node %s holds its own lease, generation %llu", ctx.node,
	    (unsigned long long)generation);
	u->sweeps_all = true;
	/* Before anything is opened or goes on: what of ours is another's by now? */
	if (u->is_kv_open)
		loop_timer_at(u->sweep_timer, 0);
}
