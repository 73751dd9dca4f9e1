/* wire.c - reap.v1.*: requests in, verdicts out.  Only the leader serves them. */
#include <stdio.h>
#include <string.h>

#include "reaperd/reaperd.h"

#define ANSWER_MAX	500	/* verdicts of one answer; more is said with "more" */

struct reap_in {
	char	class[33];
	char	id[SWEEP_ID_MAX + 1];
};
static const struct json_field reap_in_fields[] = {
	{ "class",	JSON_STR,	offsetof(struct reap_in, class),	0, 32, false, NULL, 0 },
	{ "id",		JSON_STR,	offsetof(struct reap_in, id),		0, SWEEP_ID_MAX, false,
	    NULL, 0 },
};

static void
refuse_class(struct bus_req *req, const char *class)
{
	char names[320] = "";

	for (unsigned c = 0; c < REAP_CLASSES; c++) {
		size_t n = strlen(names);

		(void)snprintf(names + n, sizeof(names) - n, "%s%s", c ? ", " : "",
		    reap_class_name((enum reap_class)c));
	}
	bus_refuse(req, "reap.class", false, "no class %s: expected one of %s", class, names);
}

static void
on_request(struct reaperd *r, struct bus_req *req, const struct reap_in *in, bool act)
{
	struct sweep_ask ask = { .act = act };

	if (in->class[0]) {
		ask.one_class = true;
		if (reap_class_from_name(in->class, &ask.class) < 0) {
			refuse_class(req, in->class);
			return;
		}
	}
	(void)snprintf(ask.id, sizeof(ask.id), "%s", in->id);
	reaperd_ask(r, &ask, req);
}

static void
on_explain(void *arg, struct bus_req *req, const void *in)
{
	on_request(arg, req, in, false);
}

static void
on_sweep(void *arg, struct bus_req *req, const void *in)
{
	on_request(arg, req, in, true);
}

static const struct json_field account_in_fields[] = {
	{ "account_id",	JSON_STR,	offsetof(struct reap_account_in, account_id),	0, 32, false,
	    NULL, 0 },
};

static const struct bus_route reaperd_routes[] = {
	{ "reap.v1.account",	reaperd_on_account, BUS_REQUEST, 1024, REAPER_DEADLINE_MS,	0,
	    account_in_fields, ARRAY_LEN(account_in_fields), sizeof(struct reap_account_in), "reap" },
	{ "reap.v1.explain",	on_explain,	BUS_REQUEST,	1024, REAPER_DEADLINE_MS,	0,
	    reap_in_fields, ARRAY_LEN(reap_in_fields), sizeof(struct reap_in), "reap" },
	{ "reap.v1.nodes",	reaperd_on_nodes, BUS_REQUEST,	1024, REAPER_DEADLINE_MS,	0,
	    NULL, 0, 0, "reap" },
	{ "reap.v1.sweep",	on_sweep,	BUS_REQUEST,	1024, REAPER_DEADLINE_MS,	0,
	    reap_in_fields, ARRAY_LEN(reap_in_fields), sizeof(struct reap_in), "reap" },
};

_Static_assert(ARRAY_LEN(reaperd_routes) == ARRAY_LEN(((struct reaperd *)0)->subs),
    "each row has its subscription");

int
reaperd_serve(struct reaperd *r)
{
	for (size_t i = 0; i < ARRAY_LEN(reaperd_routes); i++) {
		int err = r->subs[i] ? 0 : bus_sub_new(r->d.bus, reaperd_routes[i].subject,
		    &reaperd_routes[i], r, &r->subs[i]);

		if (err < 0)
			return err;
	}
	return 0;
}

void
reaperd_serve_not(struct reaperd *r)
{
	for (size_t i = 0; i < ARRAY_LEN(r->subs); i++) {
		bus_sub_free(r->subs[i]);
		r->subs[i] = NULL;
	}
}

int
reaperd_announce(void *self)
{
	struct reaperd *r = self;
	static const char *const names[] = { "sweeps", "acts", "incomplete",
		"uefi_store", "uefi_object", "uefi_claim", "uefi_image", "address",
		"instance_terminated", "teardown_stuck", "guest", "volume_orphan", "bucket_obsolete",
		"control_plane_orphan", NULL };

	_Static_assert(offsetof(struct reaperd, reaped) == offsetof(struct reaperd, sweeps) +
	    3 * sizeof(uint64_t), "the counters stand in a row");
	_Static_assert(ARRAY_LEN(names) == 3 + REAP_CLASSES + 1, "each class has its counter");
	return bus_serve(r->d.bus, &(struct bus_service){ .name = "reaperd",
	    .description = "cleans up after what is provably gone", .node = r->d.conf->node,
	    .arg = r, .counters = names, .counts = &r->sweeps });
}

/* ---- answers ---- */

static bool
add_control_plane(cJSON *e, const struct control_plane *c)
{
	return cJSON_AddStringToObject(e, "cluster", c->cluster) &&
	    cJSON_AddStringToObject(e, "account", c->account_id) &&
	    cJSON_AddStringToObject(e, "az", c->zone) &&
	    (!c->launch_ms || json_add_time(e, "launched", c->launch_ms));
}

static cJSON *
evidence(const struct sweep_verdict *v, uint64_t wall_ms)
{
	AUTO(json) cJSON *e = cJSON_CreateObject();
	uint64_t beat_age_ms = v->beat_ms <= wall_ms ? wall_ms - v->beat_ms : 0;

	if (!e || (v->revision && !json_add_u64_str(e, "revision", v->revision)) ||
	    (v->generation && !json_add_u64_str(e, "generation", v->generation)) ||
	    (v->pid && !json_add_u64_str(e, "pid", v->pid)) ||
	    (v->stamp_ms && !json_add_time(e, "at", v->stamp_ms)) ||
	    (v->seen_ms && !json_add_u64_str(e, "seen_ms", v->seen_ms)) ||
	    (v->holder[0] && !cJSON_AddStringToObject(e, "holder", v->holder)) ||
	    (v->beat_ms && !json_add_u64_str(e, "beat_age_ms", beat_age_ms)) ||
	    (v->account_id[0] && !cJSON_AddStringToObject(e, "account_id", v->account_id)) ||
	    (v->instance_id[0] &&
	    !cJSON_AddStringToObject(e, "instance_id", v->instance_id)) ||
	    (v->said && !cJSON_AddStringToObject(e, "said", v->said)) ||
	    (v->control_plane && !add_control_plane(e, v->control_plane)) ||
	    (v->kept_because && !cJSON_AddStringToObject(e, "kept_because", v->kept_because)))
		return NULL;
	return steal_json(&e);
}

static cJSON *
verdict(const struct sweep_verdict *v, uint64_t wall_ms)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *e = evidence(v, wall_ms);

	if (!o || !e || !cJSON_AddItemToObject(o, "evidence", e)) {
		cJSON_Delete(e);
		return NULL;
	}
	if (!cJSON_AddStringToObject(o, "class", reap_class_name(v->class)) ||
	    !cJSON_AddStringToObject(o, "id", v->id) ||
	    !cJSON_AddStringToObject(o, "verdict", verdict_word(v->j.verdict)) ||
	    !cJSON_AddStringToObject(o, "reason", v->j.reason) ||
	    !cJSON_AddBoolToObject(o, "done", v->done))
		return NULL;
	return steal_json(&o);
}

static cJSON *
report(const struct sweep_report *rep)
{
	const struct sweep_verdicts *all = &rep->sweep->verdicts;
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *list = o ? cJSON_AddArrayToObject(o, "verdicts") : NULL;

	if (!list || !json_add_u64_str(o, "sweep", rep->number) ||
	    !cJSON_AddNumberToObject(o, "acts", (double)rep->sweep->acts) ||
	    !cJSON_AddBoolToObject(o, "more", all->n > ANSWER_MAX))
		return NULL;
	for (size_t i = 0; i < all->n && i < ANSWER_MAX; i++) {
		cJSON *v = verdict(&all->v[i], rep->sweep->time.wall_ms);

		if (!v || !cJSON_AddItemToArray(list, v)) {
			cJSON_Delete(v);
			return NULL;
		}
	}
	return steal_json(&o);
}

void
reaperd_answer(struct bus_req *req, const struct sweep_report *rep)
{
	if (rep->sweep->why[0]) {
		bus_refuse(req, "reap.incomplete", true, "%s", rep->sweep->why);
		return;
	}
	AUTO(json) cJSON *o = report(rep);

	if (o)
		bus_reply(req, o);
	else
		bus_refuse(req, "reap.busy", true, "no memory for the answer");
}
