#include "common/bus_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/ident.h"
#include "common/log.h"
#include "common/subjects.h"

#define TYPE_PREFIX	"io.nats.micro.v1."

/* What every answer begins with. */
static cJSON *
head(const struct bus *b, const char *type)
{
	const struct bus_service *s = &b->service->spec;
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *meta = o ? cJSON_AddObjectToObject(o, "metadata") : NULL;
	char full[64], version[32], subjects[16];

	(void)snprintf(full, sizeof(full), TYPE_PREFIX "%s", type);
	(void)snprintf(version, sizeof(version), "%d.0.0", SUBJECTS_VERSION);
	(void)snprintf(subjects, sizeof(subjects), "%d", SUBJECTS_VERSION);
	if (!meta || !cJSON_AddStringToObject(o, "type", full) ||
	    !cJSON_AddStringToObject(o, "name", s->name) ||
	    !cJSON_AddStringToObject(o, "id", b->nonce) ||
	    !cJSON_AddStringToObject(o, "version", version) ||
	    !cJSON_AddStringToObject(meta, "node", s->node) ||
	    !cJSON_AddStringToObject(meta, "subjects_version", subjects))
		return NULL;
	return steal_json(&o);
}

/* The protocol allows [A-Za-z0-9_-] in an endpoint's name. */
static void
endpoint_name(const char *subject, char *ret, size_t size)
{
	size_t n = 0;

	for (; *subject && n + 1 < size; subject++) {
		char c = *subject;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || c == '_';

		if (plain)
			ret[n++] = c;
		else if (n > 0 && ret[n - 1] != '-')
			ret[n++] = '-';
	}
	while (n > 0 && ret[n - 1] == '-')
		n--;
	ret[n] = '\0';
}

static cJSON *
endpoint(const struct bus_row_stat *t)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	char name[BUS_SUBJECT_MAX + 1];

	endpoint_name(t->row->subject, name, sizeof(name));
	if (!o || !cJSON_AddStringToObject(o, "name", name) ||
	    !cJSON_AddStringToObject(o, "subject", t->row->subject) ||
	    !cJSON_AddStringToObject(o, "queue_group",
		t->row->kind == BUS_QUEUE ? BUS_WORKERS : ""))
		return NULL;
	return steal_json(&o);
}

static bool
add_stats(cJSON *o, const struct bus_row_stat *t)
{
	uint64_t mean = t->requests ? t->time_ns / t->requests : 0;

	return json_add_u64(o, "num_requests", t->requests) &&
	    json_add_u64(o, "num_errors", t->errors) &&
	    cJSON_AddStringToObject(o, "last_error", t->last_error) &&
	    json_add_u64(o, "processing_time", t->time_ns) &&
	    json_add_u64(o, "average_processing_time", mean);
}

static bool
add_endpoints(struct bus *b, cJSON *o, bool with_stats)
{
	cJSON *list = cJSON_AddArrayToObject(o, "endpoints");
	const struct bus_row_stat *t;

	TAILQ_FOREACH(t, bus_reqs_stats(b->reqs), next) {
		cJSON *e = endpoint(t);

		if (!e || (with_stats && !add_stats(e, t)) || !cJSON_AddItemToArray(list, e)) {
			cJSON_Delete(e);
			return false;
		}
	}
	return list != NULL;
}

static bool
add_counters(struct bus *b, cJSON *o)
{
	const struct bus_service *s = &b->service->spec;
	cJSON *data = cJSON_AddObjectToObject(o, "data");
	bool ok = data && json_add_u64(data, "inbox_dropped", bus_dropped(b)) &&
	    json_add_u64(data, "clock_ms", clock_now_ms(&clock_system)) &&
	    json_add_u64(data, "wall_ms", clock_wall_ms(&clock_system));

	for (size_t i = 0; ok && s->counters && s->counters[i]; i++)
		ok = json_add_u64(data, s->counters[i], s->counts[i]);
	return ok;
}

static cJSON *
ping(struct bus *b)
{
	return head(b, "ping_response");
}

static cJSON *
info(struct bus *b)
{
	AUTO(json) cJSON *o = head(b, "info_response");

	if (!o || !cJSON_AddStringToObject(o, "description", b->service->spec.description) ||
	    !add_endpoints(b, o, false))
		return NULL;
	return steal_json(&o);
}

static cJSON *
stats(struct bus *b)
{
	AUTO(json) cJSON *o = head(b, "stats_response");

	if (!o || !json_add_time(o, "started", b->service->started_wall_ms) ||
	    !add_endpoints(b, o, true) || !add_counters(b, o))
		return NULL;
	return steal_json(&o);
}

static const struct verb {
	const char	*name;
	cJSON		*(*answer)(struct bus *b);
} verbs[] = {
	{ "PING",	ping },
	{ "INFO",	info },
	{ "STATS",	stats },
};

static void
on_verb(void *arg, const struct bus_msg *m, const struct verb *v)
{
	struct bus *b = arg;
	const char *to = bus_nats_reply(m);
	AUTO(json) cJSON *o = to ? v->answer(b) : NULL;
	AUTO(str) char *text = o ? json_print(o) : NULL;

	int r = text ? bus_send(b, to, NULL, NULL, 0, text, strlen(text)) : 0;

	if (r < 0)		/* its asker counts on silence */
		log_debug("%s: not answered: %s", v->name, strerror(-r));
}

static void on_ping(void *arg, const struct bus_msg *m) { on_verb(arg, m, &verbs[0]); }
static void on_info(void *arg, const struct bus_msg *m) { on_verb(arg, m, &verbs[1]); }
static void on_stats(void *arg, const struct bus_msg *m) { on_verb(arg, m, &verbs[2]); }

static int
open_verb(struct bus *b, const char *verb, bus_hint_fn *fn)
{
	const char *name = b->service->spec.name;
	char subject[3][BUS_SUBJECT_MAX + 1];
	struct bus_sub *sub;
	int r = 0;

	(void)snprintf(subject[0], sizeof(subject[0]), "$SRV.%s", verb);
	(void)snprintf(subject[1], sizeof(subject[1]), "$SRV.%s.%s", verb, name);
	(void)snprintf(subject[2], sizeof(subject[2]), "$SRV.%s.%s.%s", verb, name, b->nonce);
	for (size_t i = 0; r == 0 && i < ARRAY_LEN(subject); i++)
		r = bus_hint_new(b, subject[i], fn, b, &sub);
	return r;
}

int
bus_srv_open(struct bus *b)
{
	static bus_hint_fn *const fns[ARRAY_LEN(verbs)] = { on_ping, on_info, on_stats };
	int r = 0;

	b->service->started_wall_ms = clock_wall_ms(&clock_system);
	for (size_t i = 0; r == 0 && i < ARRAY_LEN(verbs); i++)
		r = open_verb(b, verbs[i].name, fns[i]);
	return r;
}

bool
bus_pong_node(const struct bus_msg *m, char ret[static BUS_NODE_MAX + 1])
{
	AUTO(json) cJSON *pong = NULL;
	struct bus_error why;
	const char *node;

	if (bus_msg_json(m, &pong, &why) < 0)
		return false;
	node = json_text(json_member(pong, "metadata"), "node");
	if (!node || !ident_is_token(node) || strlen(node) > BUS_NODE_MAX)
		return false;
	memcpy(ret, node, strlen(node) + 1);
	return true;
}
