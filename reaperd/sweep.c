#include "reaperd/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"
#include "common/msgid.h"
#include "reaperd/act.h"

void
sweep_verdicts_deinit(struct sweep_verdicts *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->v[i].control_plane);
		free(v->v[i].said);
	}
	free(v->v);
	*v = (struct sweep_verdicts){ 0 };
}

void
sweep_marks_deinit(struct sweep_marks *m)
{
	free(m->m);
	*m = (struct sweep_marks){ 0 };
}

void
sweep_free(void *arg)
{
	struct sweep *s = arg;

	sweep_marks_deinit(&s->before);
	sweep_marks_deinit(&s->marks);
	sweep_verdicts_deinit(&s->verdicts);
	remembered_deinit(&s->remembered);
	free(s);
}

/* ---- two sweeps must agree, and one takes only so many ---- */

static int
by_class_and_id(const void *a, const void *b)
{
	const struct sweep_mark *x = a, *y = b;

	return x->class != y->class ? (x->class > y->class) - (x->class < y->class) :
	    strcmp(x->id, y->id);
}

const struct sweep_mark *
sweep_marks_find(const struct sweep_marks *m, enum reap_class class, const char *id)
{
	struct sweep_mark key = { .class = class };

	(void)snprintf(key.id, sizeof(key.id), "%s", id);
	return m->n == 0 ? NULL : bsearch(&key, m->m, m->n, sizeof(key), by_class_and_id);
}

/* What the next sweep has to know of: what would go, what was reported, and what will be if it
 * lasts. */
static bool
is_remembered(const struct sweep_verdict *v)
{
	if (verdict_is_reap(v->j.verdict))
		return !v->done;
	return v->j.verdict == KEEP_REPORT || v->j.verdict == KEEP_ASK ||
	    ((v->class == REAP_TEARDOWN_STUCK || v->class == REAP_GUEST ||
	    v->class == REAP_VOLUME_ORPHAN) && v->j.verdict == KEEP_YOUNG);
}

static int
keep_marks(struct sweep *s)
{
	s->marks.m = calloc(s->verdicts.n + 1, sizeof(s->marks.m[0]));
	if (!s->marks.m)
		return -ENOMEM;
	for (size_t i = 0; i < s->verdicts.n; i++) {
		const struct sweep_verdict *v = &s->verdicts.v[i];
		const struct sweep_mark *was = sweep_marks_find(&s->before, v->class, v->id);
		struct sweep_mark *m = &s->marks.m[s->marks.n];

		if (!is_remembered(v))
			continue;
		*m = (struct sweep_mark){ .class = v->class,
			.would_go = verdict_is_reap(v->j.verdict),
			.first_ms = was ? was->first_ms : s->now_ms,
			.told_ms = v->told ? s->now_ms : was ? was->told_ms : 0,
			.asked = v->asked || (was && was->asked) };
		memcpy(m->id, v->id, sizeof(m->id));
		s->marks.n++;
	}
	if (s->marks.n > 1)
		qsort(s->marks.m, s->marks.n, sizeof(s->marks.m[0]), by_class_and_id);
	return 0;
}

static size_t
count_class(const struct sweep *s, enum reap_class class)
{
	size_t n = 0;

	for (size_t i = 0; i < s->verdicts.n; i++)
		n += s->verdicts.v[i].class == class;
	return n;
}

bool
sweep_may_act(const struct sweep *s)
{
	return clock_now_ms(s->clock) < atomic_load(s->may_act_until_ms);
}

/* Whose it is, where that or its name says so; not the end of an image's id. */
static const char *
instance_of(const struct sweep_verdict *v, char ret[static INSTANCE_ID_MAX + 1])
{
	const char *at = strstr(v->id, "i-");

	if (v->instance_id[0])
		return v->instance_id;
	if (!at || (at > v->id && at[-1] != '.' && at[-1] != '/'))
		return NULL;
	(void)snprintf(ret, INSTANCE_ID_MAX + 1, "%.*s", INSTANCE_ID_MAX, at);
	return ident_is_ec2(ret, "i") ? ret : NULL;
}

/* What a client had ended is followed by the client's id to its very end. */
static void
follow(struct sweep *s, const struct inventory *inv)
{
	for (size_t i = 0; i < s->verdicts.n; i++) {
		struct sweep_verdict *v = &s->verdicts.v[i];
		char id[INSTANCE_ID_MAX + 1];
		const char *instance = instance_of(v, id);
		const struct inv_instance *in = instance ? inventory_find(inv, instance) : NULL;

		(void)snprintf(v->request_id, sizeof(v->request_id), "%s",
		    in && in->end_request[0] ? in->end_request : s->request_id);
	}
}

/* The verdict before the act, and why it came to nothing. */
static void
tell(const struct sweep_verdict *v, const char *act, const char *then, const char *why)
{
	char instance[INSTANCE_ID_MAX + 1], lease[sizeof("uefi.") + SWEEP_ID_MAX];

	(void)snprintf(lease, sizeof(lease), "uefi.%s", v->id);
	log_fields(LOG_NOTICE, &(struct log_ctx){ .object = v->id,
	    .instance = instance_of(v, instance), .node = v->holder,
	    .lease = v->class == REAP_UEFI_CLAIM ? lease : NULL, .generation = v->generation,
	    .request_id = v->request_id }, "%s%s %s%s: %s", act, reap_class_name(v->class),
	    v->id, then, why);
}

static void
act_on(struct sweep *s, struct sweep_verdict *v)
{
	tell(v, "reaping ", "", v->j.reason);
	v->kept_because = act_run(s, v);
	if (v->kept_because)
		tell(v, "", " stays", v->kept_because);
	v->done = !v->kept_because;
	s->acts += v->done;
	s->reaped[v->class] += v->done;
}

static void
act_on_class(struct sweep *s, enum reap_class class)
{
	size_t share = reap_ceiling(count_class(s, class)), left = share, over = 0;

	for (size_t i = 0; i < s->verdicts.n; i++) {
		struct sweep_verdict *v = &s->verdicts.v[i];
		const struct sweep_mark *m;

		if (v->class != class || !verdict_is_reap(v->j.verdict))
			continue;
		m = sweep_marks_find(&s->before, class, v->id);
		if (!m || !m->would_go) {
			v->kept_because = "the next sweep has to agree";
		} else if (left == 0) {
			v->kept_because = "this sweep has taken its share of the class";
			over++;
		} else if (s->lost || !sweep_may_act(s)) {
			s->lost = true;
			v->kept_because = "the lease ended";
		} else if (doubt_clock(s)) {
			v->kept_because = "this node's clock was stepped in the sweep";
		} else {
			act_on(s, v);
			left--;
		}
	}
	if (over)
		log_fields(LOG_WARNING, &(struct log_ctx){ .message_id = MSG_REAP_SHARE,
		    .object = reap_class_name(class) }, "%s: %zu more would go than the %zu that "
		    "one sweep may take: see reaperctl explain", reap_class_name(class), over, share);
}

/* ---- what a node has to end: it is asked once ... ---- */

static void
ask_node(struct sweep *s, struct sweep_verdict *v)
{
	struct log_ctx ctx = { .instance = v->instance_id, .node = v->holder, .object = v->id,
		.request_id = s->request_id };

	if (v->j.verdict != KEEP_ASK || s->lost)
		return;
	if (!sweep_may_act(s)) {
		s->lost = true;
		return;
	}
	/* A silent one would only cost its timeout: that it is silent is what will be reported. */
	if (!v->is_silent && asked_finish(s->from.bus, v->holder, v->instance_id, s->request_id,
	    s->from.timeout_ms))
		log_fields(LOG_INFO, &ctx, "%s %s: node %s was asked to finish it",
		    reap_class_name(v->class), v->id, v->holder);
	v->asked = true;
}

/* ---- ... and then an operator has to look: said once a period while it lasts ---- */

static void
report(struct sweep *s, struct sweep_verdict *v)
{
	const struct sweep_mark *m = sweep_marks_find(&s->before, v->class, v->id);

	if (v->j.verdict != KEEP_REPORT || (m && m->told_ms && s->now_ms - m->told_ms < s->period_ms))
		return;
	if (v->class == REAP_CONTROL_PLANE_ORPHAN)
		log_fields(LOG_ERR, &(struct log_ctx){ .message_id = MSG_DATA_SAFETY,
		    .instance = v->id }, "DATA-SAFETY ALARM: %s runs as the control plane of cluster "
		    "%s: %s; nothing is ended", v->id, v->control_plane->cluster, v->j.reason);
	else
		log_fields(LOG_WARNING, &(struct log_ctx){ .message_id =
		    v->class == REAP_VOLUME_ORPHAN ? MSG_VOLUME_ORPHAN : MSG_TEARDOWN_STUCK,
		    .object = v->id, .instance = v->instance_id,
		    .node = v->holder[0] ? v->holder : NULL }, "%s %s: %s%s%s",
		    reap_class_name(v->class), v->id, v->j.reason, v->said ? ": " : "",
		    v->said ? v->said : "");
	v->told = true;
}

/* ---- the clock ---- */

#define STEP_MS		2000	/* of the wall clock against CLOCK_BOOTTIME */
#define APART_MS	120000	/* this wall clock and the server's; renewals are at most T old */

static bool
differ(uint64_t a, uint64_t b, uint64_t ms)
{
	return a - b > ms && b - a > ms;	/* modulo 2^64 */
}

uint64_t
sweep_clock_steady_ms(struct sweep_clock *c, uint64_t now_ms, uint64_t wall_ms)
{
	uint64_t distance_ms = wall_ms - now_ms;

	if (c->has_distance && differ(distance_ms, c->distance_ms, STEP_MS))
		c->stepped_ms = now_ms;
	c->has_distance = true;
	c->distance_ms = distance_ms;
	return c->stepped_ms ? now_ms - c->stepped_ms : UINT64_MAX;
}

/* False: the server stamped the lease's last renewal with quite another time, or nobody knows. */
static bool
server_agrees(const struct sweep *s)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	uint64_t written_ms = 0;

	return kv_load_headers_wait(s->from.sync, REAPER_KEY, s->from.timeout_ms, &e, &written_ms,
	    NULL, NULL) == CAS_OK && !differ(written_ms, s->time.wall_ms, APART_MS);
}

struct judge_time
sweep_time(const struct sweep *s)
{
	struct sweep_clock c = s->steady;
	struct judge_time t = { .wall_ms = clock_wall_ms(s->clock) };

	t.steady_ms = sweep_clock_steady_ms(&c, clock_now_ms(s->clock), t.wall_ms);
	if (s->time.steady_ms < t.steady_ms)
		t.steady_ms = s->time.steady_ms;
	return t;
}

static void
read_clocks(struct sweep *s)
{
	s->now_ms = clock_now_ms(s->clock);
	s->time.wall_ms = clock_wall_ms(s->clock);
	s->time.steady_ms = sweep_clock_steady_ms(&s->steady, s->now_ms, s->time.wall_ms);
	if (!server_agrees(s))
		s->time.steady_ms = 0;
}

/* The report on control planes is complete, or an error and nothing. */
static int
check_strict(struct sweep *s, const struct inventory *inv)
{
	struct known_nodes nodes = { 0 };
	int r;

	if (s->ask.act || !s->ask.one_class || s->ask.class != REAP_CONTROL_PLANE_ORPHAN)
		return 0;
	r = nodes_take(&s->from, &nodes, s->why, sizeof(s->why), &s->about);
	if (r == 0)
		r = nodes_strict(&nodes, inv, s->why, sizeof(s->why), &s->about);
	nodes_deinit(&nodes);
	return r;
}

void
sweep_run(void *arg)
{
	struct sweep *s = arg;
	struct inventory_sources from = s->from;
	struct inventory inv = { 0 };

	read_clocks(s);
	from.remembered = &s->remembered;
	from.now_ms = s->now_ms;
	if (inventory_take(&from, &inv, s->why, sizeof(s->why)) < 0)
		return;
	if (check_strict(s, &inv) == 0)
		classes_judge(s, &inv);
	if (!s->why[0])
		doubt_judge(s, &inv);
	follow(s, &inv);
	inventory_deinit(&inv);
	if (s->ask.act && !s->why[0]) {
		for (unsigned c = 0; c < REAP_CLASSES; c++)
			act_on_class(s, (enum reap_class)c);
		for (size_t i = 0; i < s->verdicts.n; i++) {
			ask_node(s, &s->verdicts.v[i]);
			report(s, &s->verdicts.v[i]);
		}
	}
	if (!s->why[0] && keep_marks(s) < 0)
		(void)snprintf(s->why, sizeof(s->why), "no memory for marks");
	if (s->why[0])
		sweep_verdicts_deinit(&s->verdicts);
}
