/*
 * sweeper.c - when a sweep runs: each sweep_period while we lead, at once on a hint or when asked.
 * One at a time: who asks meanwhile waits for a turn, and the period's turn comes before theirs.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "common/subjects.h"
#include "reaperd/reaperd.h"

#define CALL_MS		5000	/* one request of a sweep */
#define HINT_MS		1000	/* a hint's sweep comes this much later: hints come in swarms */
#define SPACE_MS	6000	/* ... and so long after the last, or a tenth of the period */
#define RENEWAL_MS	500	/* a sweep that runs learns of renewals and losses so often */
#define JOB_KEY		"sweep"

static const struct reaperd_conf *
conf_of(const struct reaperd *r)
{
	return (const struct reaperd_conf *)(const void *)r->d.conf;
}

static void
sweep_at(struct reaperd *r, uint64_t at_ms)
{
	r->next_ms = at_ms;
	loop_timer_at(r->timer, at_ms);
}

/* Something changed: sooner than the period, but a busy cluster is not swept without a break. */
static void
sweep_soon(struct reaperd *r)
{
	uint64_t period_ms = conf_of(r)->sweep_period_ms;
	uint64_t space_ms = period_ms < SPACE_MS ? period_ms : SPACE_MS;
	uint64_t at_ms = loop_now_ms(r->d.loop) + HINT_MS;

	if (space_ms < period_ms / 10)
		space_ms = period_ms / 10;
	if (at_ms < r->began_ms + space_ms)
		at_ms = r->began_ms + space_ms;
	if (at_ms < r->next_ms)
		sweep_at(r, at_ms);
}

/* The job may act until the lease as known now ends, and under no later one of ours: another
 * may have swept in between. */
static void
set_may_act(struct reaperd *r)
{
	bool may = lead_is_mine(r->lead, loop_now_ms(r->d.loop)) &&
	    lead_generation(r->lead) == r->generation;

	atomic_store(&r->may_act_until_ms, may ? lead_valid_until_ms(r->lead) : 0);
}

static void
note_failure(struct reaperd *r, const struct sweep *s)
{
	struct log_ctx fields = about_fields(&s->about);
	uint32_t withheld;

	r->errors++;
	if (log_may(&r->failing, loop_now_ms(r->d.loop), &withheld))
		log_fields(LOG_WARNING, &fields,
		    "the sweep is incomplete and reaps nothing: %s (%u more like it)", s->why, withheld);
}

static void
note_doubt(struct reaperd *r, const struct sweep *s)
{
	struct log_ctx fields = about_fields(&s->about);
	uint32_t withheld;

	if (log_may(&r->doubting, loop_now_ms(r->d.loop), &withheld))
		log_fields(LOG_WARNING, &fields, "nothing goes, though %zu would: %s (%u more like it)",
		    s->held, s->doubtful, withheld);
}

static void	 next_sweep(struct reaperd *r);

static void
on_swept(void *arg, void *job)
{
	struct reaperd *r = arg;
	struct bus_req *req = r->asked;
	struct sweep *s = job;

	r->asked = NULL;
	r->is_sweeping = false;
	loop_timer_off(r->renewal);
	r->sweeps++;
	r->acts += s->acts;
	for (unsigned c = 0; c < REAP_CLASSES; c++)
		r->reaped[c] += s->reaped[c];
	r->steady = s->steady;
	if (!s->why[0] && lead_is_mine(r->lead, loop_now_ms(r->d.loop))) {
		r->remembered = s->remembered;
		s->remembered = (struct remembered){ 0 };
	}
	if (s->why[0]) {
		note_failure(r, s);
		/* Sooner than the period: what could not be read may be readable soon. */
		if (!req && r->next_ms > loop_now_ms(r->d.loop) + REAPER_TTL_MS / 3)
			sweep_at(r, loop_now_ms(r->d.loop) + REAPER_TTL_MS / 3);
	} else if (s->ask.act && !s->ask.one_class && !s->ask.id[0] &&
	    lead_is_mine(r->lead, loop_now_ms(r->d.loop))) {
		/* Only a whole sweep counts as one of the two that have to agree, and none that
		 * outlasted the lease. */
		sweep_marks_deinit(&r->marks);
		r->marks = s->marks;
		s->marks = (struct sweep_marks){ 0 };
	}
	if (s->held)
		note_doubt(r, s);
	if (s->lost)
		log_fields(LOG_NOTICE, &(struct log_ctx){ .lease = REAPER_KEY },
		    "the sweep stopped: the lease %s ended", REAPER_KEY);
	if (req)
		reaperd_answer(req, &(struct sweep_report){ .sweep = s, .number = r->sweeps });
	sweep_free(s);
	/* It was as large as all that there is and ever was; until the next one it is not needed. */
	(void)malloc_trim(0);
	if (lead_is_mine(r->lead, loop_now_ms(r->d.loop))) {
		next_sweep(r);
		if (r->wants_sweep)
			sweep_soon(r);
	}
	r->wants_sweep = false;
}

static int
copy_marks(const struct sweep_marks *from, struct sweep_marks *ret)
{
	struct sweep_mark *m = calloc(from->n + 1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	if (from->n)
		memcpy(m, from->m, from->n * sizeof(*m));
	*ret = (struct sweep_marks){ .m = m, .n = from->n };
	return 0;
}

struct inventory_sources
reaperd_sources(const struct reaperd *r)
{
	return (struct inventory_sources){ .bus = r->d.bus, .instances = r->instances,
		.stores = r->stores, .sync = r->sync, .addresses = r->addresses,
		.nodes = r->nodes, .beats = r->beats, .volumes = r->volumes, .images = r->images,
		.objects = r->objects.objects,
		.timeout_ms = CALL_MS };
}

static struct sweep *
new_sweep(struct reaperd *r, const struct sweep_ask *ask)
{
	struct sweep *s = calloc(1, sizeof(*s));

	if (!s || copy_marks(&r->marks, &s->before) < 0) {
		free(s);
		return NULL;
	}
	s->ask = *ask;
	s->from = reaperd_sources(r);
	s->clock = r->d.clock;
	s->may_act_until_ms = &r->may_act_until_ms;
	s->terminated_keep_ms = conf_of(r)->terminated_keep_ms;
	s->prune_age_ms = conf_of(r)->prune_age_ms;
	s->image_grace_ms = conf_of(r)->image_grace_ms;
	s->stuck_ms = conf_of(r)->teardown_limit_ms;
	s->period_ms = conf_of(r)->sweep_period_ms;
	s->steady = r->steady;
	s->remembered = r->remembered;
	r->remembered = (struct remembered){ 0 };
	return s;
}

static void
start_sweep(struct reaperd *r, const struct sweep_ask *ask, struct bus_req *req)
{
	struct sweep *s = new_sweep(r, ask);

	if (s && req && bus_req_id(req))
		snprintf(s->request_id, sizeof(s->request_id), "%s", bus_req_id(req));
	else if (s)
		ident_uuid(s->request_id);
	r->generation = lead_generation(r->lead);
	set_may_act(r);
	if (!s || jobs_submit(r->d.jobs, JOB_KEY, sweep_run, on_swept, r, s, sweep_free) < 0) {
		if (s)
			sweep_free(s);
		if (req)
			bus_refuse(req, "reap.busy", true, "no memory for a sweep");
		return;
	}
	r->asked = req;
	r->is_sweeping = true;
	r->began_ms = loop_now_ms(r->d.loop);
	loop_timer_in(r->renewal, RENEWAL_MS);
}

static struct reaperd_waiting
take_waiting(struct reaperd *r)
{
	struct reaperd_waiting first = r->waiting[0];

	memmove(&r->waiting[0], &r->waiting[1], --r->nwaiting * sizeof(r->waiting[0]));
	return first;
}

void
reaperd_refuse_waiting(struct reaperd *r)
{
	while (r->nwaiting)
		bus_refuse(take_waiting(r).req, "reap.lost", true, "this node no longer sweeps");
}

static void
next_sweep(struct reaperd *r)
{
	if (r->is_due) {
		r->is_due = false;
		start_sweep(r, &(struct sweep_ask){ .act = true }, NULL);
	}
	while (!r->is_sweeping && r->nwaiting) {
		struct reaperd_waiting w = take_waiting(r);

		/* Its asker has been told that it took too long: no sweep for nobody. */
		if (loop_now_ms(r->d.loop) - w.since_ms >= REAPER_DEADLINE_MS)
			bus_refuse(w.req, "reap.busy", true, "its turn did not come in time");
		else
			start_sweep(r, &w.ask, w.req);
	}
}

void
reaperd_ask(struct reaperd *r, const struct sweep_ask *ask, struct bus_req *req)
{
	if (!r->is_sweeping)
		start_sweep(r, ask, req);
	else if (r->nwaiting == REAPER_WAITING)
		bus_refuse(req, "reap.busy", true, "a sweep is running, and %d requests wait for "
		    "theirs", REAPER_WAITING);
	else
		r->waiting[r->nwaiting++] = (struct reaperd_waiting){ .ask = *ask, .req = req,
			.since_ms = loop_now_ms(r->d.loop) };
}

void
reaperd_on_renewal(void *arg)
{
	struct reaperd *r = arg;

	if (!r->is_sweeping)
		return;
	set_may_act(r);
	loop_timer_in(r->renewal, RENEWAL_MS);
}

void
reaperd_on_timer(void *arg)
{
	struct reaperd *r = arg;

	if (!lead_is_mine(r->lead, loop_now_ms(r->d.loop)))
		return;
	sweep_at(r, loop_now_ms(r->d.loop) + conf_of(r)->sweep_period_ms);
	r->is_due = true;
	if (!r->is_sweeping)
		next_sweep(r);
}

void
reaperd_on_gained(void *arg, uint64_t generation)
{
	struct reaperd *r = arg;

	log_fields(LOG_NOTICE, &(struct log_ctx){ .lease = REAPER_KEY, .generation = generation },
	    "this node sweeps from now on");
	if (reaperd_serve(r) < 0)
		log_err("the subjects reap.v1.* cannot be served: no memory");
	sweep_at(r, loop_now_ms(r->d.loop) + HINT_MS);
}

void
reaperd_on_started(void *arg, enum lead_start how, const char *why)
{
	struct log_ctx ctx = { .lease = REAPER_KEY };

	switch (how) {
	case LEAD_WON:		/* gained says so */
		break;
	case LEAD_HELD:
		ctx.node = why;
		log_fields(LOG_INFO, &ctx, "node %s sweeps; this one waits", why);
		break;
	case LEAD_REFUSED:
		log_fields(LOG_ERR, &ctx, "this node cannot stand for the sweep: %s", why);
		break;
	case LEAD_OPEN:
		log_fields(LOG_WARNING, &ctx, "whether this node sweeps is not known yet: %s", why);
		break;
	}
}

void
reaperd_on_lost(void *arg)
{
	struct reaperd *r = arg;

	atomic_store(&r->may_act_until_ms, 0);
	loop_timer_off(r->timer);
	r->next_ms = 0;
	r->is_due = false;
	reaperd_refuse_waiting(r);
	reaperd_serve_not(r);
	/* Another swept meanwhile: what we saw before is no second opinion any more. */
	sweep_marks_deinit(&r->marks);
	remembered_deinit(&r->remembered);
	log_fields(LOG_NOTICE, &(struct log_ctx){ .lease = REAPER_KEY },
	    "this node no longer sweeps");
}

void
reaperd_on_hint(void *arg, const char *key)
{
	struct reaperd *r = arg;

	if (!lead_is_mine(r->lead, loop_now_ms(r->d.loop)))
		return;
	if (r->is_sweeping)
		r->wants_sweep = true;
	else
		sweep_soon(r);
}
