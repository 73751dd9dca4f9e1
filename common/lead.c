#include "common/lead.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"
#include "common/subjects.h"

#define NAME_MAX_BYTES	64	/* node, client, incarnation */
#define KEY_MAX		200
#define RETRY_MS	1000	/* after an ask that was not answered, if T/6 is longer */
#define FIRST_MS	1	/* "next turn" */
#define WHY_MAX		(BUS_CODE_MAX + JSON_WHY_MAX + 128)

struct lead {
	struct bus		*bus;
	char			 client[NAME_MAX_BYTES + 1];
	char			 key[KEY_MAX + 1];
	char			 incarnation[IDENT_NONCE_LEN + 1];
	char			 hold_subject[BUS_SUBJECT_MAX + 1];
	char			 release_subject[BUS_SUBJECT_MAX + 1];
	uint64_t		 ttl_ms;
	struct lead_spec	 spec;		/* gained, lost, arg */
	struct bus_sub		*events;
	struct loop_timer	*ask_timer;	/* the next ask */
	struct loop_timer	*end_timer;	/* valid_until */
	uint64_t		 ask_id;
	uint64_t		 asked_ms;	/* when the last ask was sent */
	bool			 held;		/* as told; lead_is_mine asks the clock too */
	uint64_t		 generation;	/* the last that was held */
	uint64_t		 valid_until_ms;
	uint64_t		 lost_ms;	/* of the last "lost" event: earlier asks say nothing */
	uint64_t		 lost_generation;	/* which no event revives: it may be late */
	struct loop_timer	*start_timer;	/* NULL: the start election is over */
	char			 why[WHY_MAX];	/* the last failure */
};

/* ---- what leased says ---- */

struct answer {
	bool		 held;
	char		 holder[NAME_MAX_BYTES + 1];
	uint64_t	 generation, valid_until_ms, revisit_ms;
};
static const struct json_field answer_fields[] = {
	{ "held",		JSON_BOOL,	offsetof(struct answer, held), .need = true },
	{ "holder",		JSON_STR,	offsetof(struct answer, holder), 0, NAME_MAX_BYTES, .need = false },
	{ "generation",		JSON_U64_STR,	offsetof(struct answer, generation), 0, UINT64_MAX, .need = false },
	{ "valid_until_ms",	JSON_U64_STR,	offsetof(struct answer, valid_until_ms), 0,
	    UINT64_MAX, .need = false },
	{ "revisit_ms",		JSON_U64,	offsetof(struct answer, revisit_ms), 0, UINT64_MAX, .need = false },
};

struct event {
	char		 event[16];
	char		 key[KEY_MAX + 1];
	char		 incarnation[NAME_MAX_BYTES + 1];
	uint64_t	 generation, valid_until_ms;
};
static const struct json_field event_fields[] = {
	{ "event",		JSON_STR,	offsetof(struct event, event), 1, 15, .need = true },
	{ "key",		JSON_STR,	offsetof(struct event, key), 1, KEY_MAX, .need = true },
	{ "incarnation",	JSON_STR,	offsetof(struct event, incarnation), 1,
	    NAME_MAX_BYTES, .need = true },
	{ "generation",		JSON_U64_STR,	offsetof(struct event, generation), 0, UINT64_MAX, .need = false },
	{ "valid_until_ms",	JSON_U64_STR,	offsetof(struct event, valid_until_ms), 0,
	    UINT64_MAX, .need = false },
};

#define EVENT_BYTES_MAX	4096

static uint64_t
now_ms(const struct lead *l)
{
	return loop_now_ms(bus_loop(l->bus));
}

/* ---- the start election ---- */

static void
settle(struct lead *l, enum lead_start how, const char *why)
{
	if (!l->start_timer)
		return;
	loop_timer_free(l->start_timer);
	l->start_timer = NULL;
	if (l->spec.started)
		l->spec.started(l->spec.arg, how, why);
}

static void
on_start_end(void *arg)
{
	struct lead *l = arg;

	settle(l, LEAD_OPEN, l->why);
}

/* ---- belief ---- */

static void
lose(struct lead *l)
{
	if (!l->held)
		return;
	l->held = false;
	l->valid_until_ms = 0;
	loop_timer_off(l->end_timer);
	if (l->spec.lost)
		l->spec.lost(l->spec.arg);
}

/*
 * Told that the lease is ours until valid_until.  Whoever told it, it is not ours beyond 2T/3
 * after our own last ask: leased may let a silent client's lease go then.
 */
static void
hold(struct lead *l, uint64_t generation, uint64_t valid_until_ms)
{
	uint64_t limit = l->asked_ms + l->ttl_ms / 3 * 2;
	bool gained = !l->held || l->generation != generation;

	if (valid_until_ms > limit)
		valid_until_ms = limit;
	if (generation == 0 || valid_until_ms <= now_ms(l))
		return;
	if (l->held && gained)
		lose(l);		/* one generation ends before the next begins */
	/* What was told is a promise: it never gets shorter, but by a loss. */
	if (!l->held || valid_until_ms > l->valid_until_ms)
		l->valid_until_ms = valid_until_ms;
	l->held = true;
	l->generation = generation;
	loop_timer_at(l->end_timer, l->valid_until_ms);
	settle(l, LEAD_WON, "");
	if (gained && l->spec.gained)
		l->spec.gained(l->spec.arg, generation);
}

static void
on_end(void *arg)
{
	lose(arg);
}

bool
lead_is_mine(const struct lead *l, uint64_t at_ms)
{
	return l->held && at_ms < l->valid_until_ms;
}

uint64_t
lead_generation(const struct lead *l)
{
	return l->generation;
}

uint64_t
lead_valid_until_ms(const struct lead *l)
{
	return l->held ? l->valid_until_ms : 0;
}

/* ---- what is said to leased ---- */

/* The node's own lease, which is leased's: its clients have nothing to release. */
static bool
is_node_key(const struct lead *l)
{
	return strncmp(l->key, KEY_NODE_PREFIX, strlen(KEY_NODE_PREFIX)) == 0;
}

static char *
request(const struct lead *l, bool is_hold)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "key", l->key) ||
	    !cJSON_AddStringToObject(o, "client", l->client) ||
	    !cJSON_AddStringToObject(o, "incarnation", l->incarnation) ||
	    (is_hold && !json_add_u64(o, "ttl_ms", l->ttl_ms)) ||
	    !json_add_u64_str(o, "generation", l->generation))
		return NULL;
	return json_print(o);
}

/* Nothing waits for the answer: without it the lease goes by the clock. */
static void
release(const struct lead *l)
{
	AUTO(str) char *text = request(l, false);
	int r = text ? bus_publish(l->bus, l->release_subject, NULL, 0, text, strlen(text))
		     : -ENOMEM;

	if (r < 0)
		log_debug("lease %s: not released: %s", l->key, strerror(-r));
}

/* ---- events ---- */

static void
on_event(void *arg, const struct bus_msg *m)
{
	struct lead *l = arg;
	struct event e = { 0 };
	char why[JSON_WHY_MAX];
	size_t len;
	const void *data = bus_msg_data(m, &len);
	bool was_held;

	if (json_read(data, len, EVENT_BYTES_MAX, event_fields, ARRAY_LEN(event_fields),
		JSON_LOOSE, &e, sizeof(e), why) < 0) {
		log_debug("%s: %s", bus_msg_subject(m), why);
		return;
	}
	/* Of another key of this client, or of a process that had its name before. */
	if (strcmp(e.key, l->key) != 0 || strcmp(e.incarnation, l->incarnation) != 0)
		return;
	if (strcmp(e.event, "lost") == 0) {
		if (e.generation == 0 || e.generation == l->generation) {
			l->lost_ms = now_ms(l);
			l->lost_generation = e.generation;
			was_held = l->held;
			lose(l);
			/* A leased that stops frees only what its clients no longer believe. */
			if (was_held && !is_node_key(l))
				release(l);
			loop_timer_in(l->ask_timer, FIRST_MS);
		}
	} else if (e.generation > l->lost_generation &&
	    (strcmp(e.event, "gained") == 0 || strcmp(e.event, "renewed") == 0)) {
		hold(l, e.generation, e.valid_until_ms);
	}
}

/* ---- asking ---- */

static uint64_t
period_ms(const struct lead *l)
{
	return l->ttl_ms / 6 ? l->ttl_ms / 6 : 1;
}

static void
ask_in(struct lead *l, uint64_t ms)
{
	uint64_t most = period_ms(l);

	loop_timer_in(l->ask_timer, ms < most ? ms : most);
}

/* 0; or why not in l->why, and whether asking again may help. */
static int
read_answer(struct lead *l, const struct bus_msg *m, struct answer *ret, bool *ret_again)
{
	AUTO(json) cJSON *tree = NULL;
	struct bus_error e = { .retryable = true };
	int r = bus_msg_json(m, &tree, &e);

	*ret_again = r == 0 || e.retryable || strcmp(e.code, "internal") == 0;
	if (r == 0)
		return json_decode(tree, answer_fields, ARRAY_LEN(answer_fields), JSON_LOOSE,
		    ret, sizeof(*ret), l->why);
	(void)snprintf(l->why, sizeof(l->why), "%s: %s", e.code, e.message);
	return r;
}

static void
not_held(struct lead *l, const struct answer *a)
{
	lose(l);
	if (a->holder[0] == '\0')
		(void)snprintf(l->why, sizeof(l->why), "nobody is known to hold it");
	else
		settle(l, LEAD_HELD, a->holder);
}

/* Silence ends nothing: what was promised holds until valid_until. */
static void
no_answer(struct lead *l, bool again)
{
	log_debug("lease %s: %s", l->key, l->why);
	if (!again)
		settle(l, LEAD_REFUSED, l->why);
	ask_in(l, RETRY_MS);
}

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct lead *l = arg;
	struct answer a = { .held = false };
	bool again = true;

	l->ask_id = 0;
	if (res != BUS_OK) {
		(void)snprintf(l->why, sizeof(l->why), "%s", bus_result_text(res));
		no_answer(l, true);
	} else if (read_answer(l, m, &a, &again) < 0) {
		no_answer(l, again);
	} else {
		if (!a.held)
			not_held(l, &a);
		else if (l->asked_ms > l->lost_ms)
			hold(l, a.generation, a.valid_until_ms);
		ask_in(l, a.revisit_ms ? a.revisit_ms : period_ms(l));
	}
}

static void
ask(void *arg)
{
	struct lead *l = arg;
	AUTO(str) char *text = request(l, true);

	bus_ask_cancel(l->bus, l->ask_id);
	l->ask_id = 0;
	if (text) {
		/* The instant before the send: what leased counts from is never earlier. */
		l->asked_ms = now_ms(l);
		l->ask_id = bus_ask(l->bus, &(struct bus_ask){ .subject = l->hold_subject,
		    .data = text, .len = strlen(text), .timeout_ms = period_ms(l) },
		    on_answer, l);
	}
	if (l->ask_id == 0)
		ask_in(l, RETRY_MS);
}

/* ---- life ---- */

static int
name_subjects(struct lead *l, const struct lead_spec *s)
{
	char events[BUS_SUBJECT_MAX + 1];

	if (!ident_is_token(s->node) || !ident_is_token(s->client) ||
	    strlen(s->key) > KEY_MAX || s->ttl_ms < 6)
		return -EINVAL;
	(void)snprintf(l->client, sizeof(l->client), "%s", s->client);
	(void)snprintf(l->key, sizeof(l->key), "%s", s->key);
	(void)snprintf(l->hold_subject, sizeof(l->hold_subject), "lease.v1.%s.hold", s->node);
	(void)snprintf(l->release_subject, sizeof(l->release_subject), "lease.v1.%s.release",
	    s->node);
	(void)snprintf(events, sizeof(events), "lease.v1.%s.event.%s", s->node, s->client);
	return bus_hint_new(l->bus, events, on_event, l, &l->events);
}

int
lead_new(struct bus *b, const struct lead_spec *spec, struct lead **ret)
{
	struct lead *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	l->bus = b;
	l->spec = *spec;
	l->ttl_ms = spec->ttl_ms;
	ident_nonce(l->incarnation);
	r = loop_timer_new(bus_loop(b), ask, l, &l->ask_timer);
	if (r == 0)
		r = loop_timer_new(bus_loop(b), on_end, l, &l->end_timer);
	if (r == 0)
		r = loop_timer_new(bus_loop(b), on_start_end, l, &l->start_timer);
	if (r == 0)
		r = name_subjects(l, spec);
	if (r < 0) {
		lead_free(l);
		return r;
	}
	ask_in(l, FIRST_MS);
	loop_timer_in(l->start_timer, LEAD_START_MS);
	*ret = l;
	return 0;
}

void
lead_free(struct lead *l)
{
	if (!l)
		return;
	if (l->held && !is_node_key(l))
		release(l);
	bus_ask_cancel(l->bus, l->ask_id);
	bus_sub_free(l->events);
	loop_timer_free(l->ask_timer);
	loop_timer_free(l->end_timer);
	loop_timer_free(l->start_timer);
	free(l);
}
