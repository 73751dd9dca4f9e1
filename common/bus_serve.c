#include "common/bus_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/ident.h"
#include "common/log.h"
#include "common/subjects.h"

struct header { char *name, *value; };

/* A request of somebody: until its handler ends it, though its deadline may answer before. */
struct bus_req {
	struct bus		*bus;
	struct bus_msg		*msg;
	const struct bus_route	*row;
	struct bus_row_stat	*stat;
	cJSON			*tree;		/* rows without a table */
	void			*in;		/* rows with one */
	struct header		 header[BUS_HEADERS_MAX];
	size_t			 nheaders;
	bool			 answered;	/* by its deadline */
	char			 code[BUS_CODE_MAX + 1];	/* it was refused with; or empty */
	uint64_t		 began_ns;
	uint64_t		 deadline_ms;	/* UINT64_MAX: none */
	TAILQ_ENTRY(bus_req)	 next;
};
TAILQ_HEAD(reqs, bus_req);

struct bus_reqs {
	struct bus		*bus;
	struct reqs		 open;		/* by deadline, those answered by it left out */
	struct reqs		 late;		/* answered, but their handler still has them */
	struct bus_row_stats	 stats;
	struct loop_timer	*timer;
	unsigned		 ready;
};

enum refusal {
	NOT_JSON,
	TOO_LARGE,
	NOT_READY,
	LATE,
	BROKEN,		/* our fault */
	UNSENT,		/* the answer does not fit into a message */
	REFUSALS
};
static const struct {
	const char	*reason;	/* after the row's prefix and a dot */
	const char	*ec2;		/* for rows of EC2 subjects */
	bool		 retryable;
} refusals[REFUSALS] = {
	[NOT_JSON]	= { "invalid",		"InvalidParameterValue",	false },
	[TOO_LARGE]	= { "too_large",	"InvalidParameterValue",	false },
	[NOT_READY]	= { "unavailable",	"ServiceUnavailable",		true },
	[LATE]		= { "late",		"ServiceUnavailable",		true },
	[BROKEN]	= { "internal",		"InternalError",		true },
	[UNSENT]	= { "too_large",	"InternalError",		false },
};

static uint64_t
mono_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- open requests ---- */

static void
arm(struct bus_reqs *q)
{
	const struct bus_req *first = TAILQ_FIRST(&q->open);

	if (first && first->deadline_ms != UINT64_MAX && !loop_timer_is_on(q->timer))
		loop_timer_at(q->timer, first->deadline_ms);
}

static void
req_insert(struct bus_reqs *q, struct bus_req *r)
{
	struct bus_req *before = TAILQ_LAST(&q->open, reqs);

	while (before && before->deadline_ms > r->deadline_ms)
		before = TAILQ_PREV(before, reqs, next);
	if (before) {
		TAILQ_INSERT_AFTER(&q->open, before, r, next);
	} else {
		TAILQ_INSERT_HEAD(&q->open, r, next);
		loop_timer_off(q->timer);	/* it may be set for a later one */
	}
	arm(q);
}

static void
drop_headers(struct bus_req *r)
{
	for (size_t i = 0; i < r->nheaders; i++) {
		free(r->header[i].name);
		free(r->header[i].value);
	}
	r->nheaders = 0;
}

static void
req_free(struct bus_req *r)
{
	if (r->in) {
		json_release(r->row->in, r->row->nin, r->in);
		free(r->in);
	}
	cJSON_Delete(r->tree);
	drop_headers(r);
	bus_msg_free(r->msg);
	free(r);
}

/* The instance that a request is about: as its fields have it, or the end of its subject. */
static const char *
instance_of(const struct bus_req *r)
{
	static const char member[] = "instance_id";
	const char *last = strrchr(bus_msg_subject(r->msg), '.');

	for (size_t i = 0; r->in && i < r->row->nin; i++)
		if (strcmp(r->row->in[i].key, member) == 0 && r->row->in[i].type == JSON_STR)
			return (const char *)r->in + r->row->in[i].offset;
	if (r->tree && json_text(r->tree, member))
		return json_text(r->tree, member);
	return last && ident_is_ec2(last + 1, "i") ? last + 1 : NULL;
}

/* One line for each request of a client that this daemon had a part in, so that its id finds
 * them all.  What everybody is asked at once changes nothing and would only be noise. */
static void
log_followed(const struct bus_req *r)
{
	struct log_ctx ctx = { .request_id = bus_req_id(r), .subject = bus_msg_subject(r->msg),
		.instance = instance_of(r), .code = r->code[0] ? r->code : NULL };

	if (ctx.request_id && r->row->kind != BUS_FANOUT)
		log_fields(LOG_INFO, &ctx, "%s: %s in %ju ms", ctx.subject, ctx.code ? ctx.code :
		    "answered", (uintmax_t)((mono_ns() - r->began_ns) / 1000000));
}

static void
req_end(struct bus_req *r)
{
	struct bus_reqs *q = r->bus->reqs;

	log_followed(r);
	TAILQ_REMOVE(r->answered ? &q->late : &q->open, r, next);
	r->stat->time_ns += mono_ns() - r->began_ns;
	req_free(r);
}

/* ---- replies ---- */

static void	 say_refusal(struct bus_req *r, enum refusal what, const char *why);

/* 0, also where nobody wants one; -errno. */
static int
send_reply(struct bus_req *r, const struct bus_header *h, size_t nh, const void *data,
    size_t len)
{
	const char *to = bus_nats_reply(r->msg);
	struct bus_header all[BUS_HEADERS_MAX];
	size_t n = 0;
	int e;

	if (!to || r->row->kind == BUS_HINT || r->answered)
		return 0;
	for (size_t i = 0; i < r->nheaders; i++)
		all[n++] = (struct bus_header){ r->header[i].name, r->header[i].value };
	for (size_t i = 0; i < nh && n < BUS_HEADERS_MAX; i++)
		all[n++] = h[i];
	e = bus_send(r->bus, to, NULL, all, n, data, len);
	if (e < 0)			/* down: whoever asked has lost us anyway */
		log_debug("%s: the answer was not sent: %s", r->row->subject, strerror(-e));
	return e;
}

void
bus_reply_raw(struct bus_req *r, const struct bus_header *h, size_t nh, const void *data,
    size_t len)
{
	int e = send_reply(r, h, nh, data, len);

	if (e == -EMSGSIZE) {
		char why[JSON_WHY_MAX];

		(void)snprintf(why, sizeof(why), "the answer has %zu bytes, more than the server's "
		    "max_payload, %" PRIu64, len, bus_max_payload(r->bus));
		say_refusal(r, UNSENT, why);
	} else if (e == -EINVAL) {
		drop_headers(r);
		say_refusal(r, BROKEN, "the answer cannot be sent: its subject or a header is none");
	}
	req_end(r);
}

void
bus_reply(struct bus_req *r, const cJSON *tree)
{
	AUTO(str) char *text = tree ? json_print(tree) : strdup("{}");

	if (!text) {
		bus_refuse(r, "internal", true, "no memory");
		return;
	}
	bus_reply_raw(r, NULL, 0, text, strlen(text));
}

static char *
error_text(const char *code, bool retryable, const char *message)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddStringToObject(o, "Code", code) ||
	    !cJSON_AddStringToObject(o, "Message", message) ||
	    (retryable && !cJSON_AddTrueToObject(o, "Retryable")))
		return NULL;
	return json_print(o);
}

static void
send_error(struct bus_req *r, const char *code, bool retryable, const char *message)
{
	AUTO(str) char *text = error_text(code, retryable, message);

	r->stat->errors++;
	(void)snprintf(r->stat->last_error, sizeof(r->stat->last_error), "%s", code);
	(void)snprintf(r->code, sizeof(r->code), "%s", code);
	if (text)
		(void)!send_reply(r, NULL, 0, text, strlen(text));
}

void
bus_refuse(struct bus_req *r, const char *code, bool retryable, const char *fmt, ...)
{
	char message[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	send_error(r, code, retryable, message);
	req_end(r);
}

void
bus_req_header(struct bus_req *r, const char *name, const char *value)
{
	struct header h = { strdup(name), strdup(value) };

	if (r->nheaders == BUS_HEADERS_MAX || !h.name || !h.value) {
		free(h.name);
		free(h.value);
		return;
	}
	r->header[r->nheaders++] = h;
}

const struct bus_msg *
bus_req_msg(const struct bus_req *r)
{
	return r->msg;
}

const char *
bus_req_id(const struct bus_req *r)
{
	return bus_msg_header(r->msg, HEADER_REQUEST_ID);
}

/* ---- refusals of our own ---- */

static void
log_refusal(struct bus_req *r, const char *code, const char *why)
{
	uint32_t withheld;
	struct log_ctx ctx = {
		.subject = bus_msg_subject(r->msg),
		.code = code,
		.request_id = bus_msg_header(r->msg, HEADER_REQUEST_ID),
		.instance = instance_of(r),
	};

	char more[48] = "";

	if (!log_may(r->stat->limit, loop_now_ms(r->bus->loop), &withheld))
		return;
	if (withheld > 0)
		(void)snprintf(more, sizeof(more), " (and %u more since the last such line)",
		    withheld);
	log_fields(LOG_WARNING, &ctx, "refused a message on %s: %s%s", bus_msg_subject(r->msg), why,
	    more);
}

static void
say_refusal(struct bus_req *r, enum refusal what, const char *why)
{
	const char *prefix = r->row->code_prefix ? r->row->code_prefix : "request";
	char code[BUS_CODE_MAX + 1];

	(void)snprintf(code, sizeof(code), "%s%s%s", prefix, *prefix ? "." : "",
	    *prefix ? refusals[what].reason : refusals[what].ec2);
	log_refusal(r, code, why);
	send_error(r, code, refusals[what].retryable, why);
}

static void
on_deadline(void *arg)
{
	struct bus_reqs *q = arg;
	uint64_t now = loop_now_ms(q->bus->loop);
	struct bus_req *r;

	while ((r = TAILQ_FIRST(&q->open)) && r->deadline_ms <= now) {
		say_refusal(r, LATE, "not done in time; it may be done yet");
		TAILQ_REMOVE(&q->open, r, next);
		r->answered = true;
		TAILQ_INSERT_TAIL(&q->late, r, next);
	}
	arm(q);
}

/* ---- readiness ---- */

static bool
is_ready(const struct bus_reqs *q, const struct bus_route *row)
{
	return (row->needs & ~q->ready) == 0;
}

/* What any worker of a queue may do is not given to one that would only refuse it. */
static bool
is_off(const struct bus_reqs *q, const struct bus_route *row)
{
	return row->kind == BUS_QUEUE && !is_ready(q, row);
}

/* ---- a message in ---- */

/* Decodes r's message.  0, or -errno with a sentence. */
static int
decode(struct bus_req *r, char why[static JSON_WHY_MAX])
{
	const struct bus_route *row = r->row;
	size_t len;
	const void *data = bus_msg_data(r->msg, &len);
	int e;

	if (len == 0) {			/* `nats req` of a subject that needs nothing */
		data = "{}";
		len = 2;
	}
	if (row->nin > 0) {
		r->in = calloc(1, row->in_size);
		return !r->in ? -ENOMEM : json_read(data, len, row->max_bytes, row->in,
		    row->nin, row->kind == BUS_HINT ? JSON_LOOSE : JSON_STRICT, r->in,
		    row->in_size, why);
	}
	e = json_parse(data, len, row->max_bytes, &r->tree, why);
	if (e == 0 && !cJSON_IsObject(r->tree)) {
		(void)snprintf(why, JSON_WHY_MAX, "expected an object");
		e = -EINVAL;
	}
	return e;
}

static void
refuse_now(struct bus_req *r, enum refusal what, const char *why)
{
	say_refusal(r, what, why);
	req_end(r);
}

void
bus_refuse_input(struct bus_req *r, const char *fmt, ...)
{
	char why[JSON_WHY_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	refuse_now(r, NOT_JSON, why);
}

static void
dispatch(struct bus_reqs *q, struct bus_req *r, void *arg)
{
	char why[JSON_WHY_MAX] = "";
	int e;

	if (r->msg->len > r->row->max_bytes) {
		(void)snprintf(why, sizeof(why), "expected at most %zu bytes, got %zu",
		    r->row->max_bytes, r->msg->len);
		refuse_now(r, TOO_LARGE, why);
		return;
	}
	if (!is_ready(q, r->row)) {
		refuse_now(r, NOT_READY, "not ready yet; try again");
		return;
	}
	e = decode(r, why);
	if (e == -ENOMEM)
		refuse_now(r, BROKEN, "no memory");
	else if (e < 0)
		refuse_now(r, NOT_JSON, why);
	else
		r->row->handler(arg, r, r->in ? r->in : (const void *)r->tree);
}

static void
deliver(struct bus_sub *s, struct bus_msg *m)
{
	struct bus_reqs *q = s->bus->reqs;
	struct bus_req *r = calloc(1, sizeof(*r));
	uint64_t now = loop_now_ms(s->bus->loop);

	s->stat->requests++;
	if (!r) {			/* no answer: the caller's timeout says it */
		s->stat->errors++;
		bus_msg_free(m);
		return;
	}
	r->bus = s->bus;
	r->msg = m;
	r->row = s->row;
	r->stat = s->stat;
	r->began_ns = mono_ns();
	r->deadline_ms = s->row->deadline_ms ? now + s->row->deadline_ms : UINT64_MAX;
	req_insert(q, r);
	dispatch(q, r, s->arg);
}

/* ---- rows ---- */

static struct bus_row_stat *
stat_of(struct bus_reqs *q, const struct bus_route *row)
{
	struct bus_row_stat *t;

	TAILQ_FOREACH(t, &q->stats, next)
		if (t->row == row)
			return t;
	t = calloc(1, sizeof(*t));
	if (t)
		t->limit = calloc(1, sizeof(*t->limit));
	if (!t || !t->limit) {
		free(t);
		return NULL;
	}
	t->row = row;
	TAILQ_INSERT_TAIL(&q->stats, t, next);
	return t;
}

int
bus_sub_new(struct bus *b, const char *subject, const struct bus_route *row, void *arg,
    struct bus_sub **ret)
{
	struct bus_row_stat *t = stat_of(b->reqs, row);
	AUTO(str) char *copy = strdup(subject);
	char queue[] = BUS_WORKERS;
	struct bus_sub *s = NULL;

	if (t && copy)
		s = bus_sub_add(b, &(struct bus_sub){ .subject = copy,
		    .queue = row->kind == BUS_QUEUE ? queue : NULL, .deliver = deliver,
		    .row = row, .stat = t, .arg = arg, .is_off = is_off(b->reqs, row) });
	if (!s)
		return -ENOMEM;
	*ret = s;
	return 0;
}

/* subject with "<node>" replaced. */
static int
row_subject(const char *subject, const char *node, char ret[static BUS_SUBJECT_MAX + 1])
{
	const char *at = strstr(subject, "<node>");
	int n;

	if (at)
		n = snprintf(ret, BUS_SUBJECT_MAX + 1, "%.*s%s%s", (int)(at - subject), subject,
		    node, at + strlen("<node>"));
	else
		n = snprintf(ret, BUS_SUBJECT_MAX + 1, "%s", subject);
	return n > BUS_SUBJECT_MAX ? -ENAMETOOLONG : 0;
}

int
bus_serve(struct bus *b, const struct bus_service *s)
{
	char subject[BUS_SUBJECT_MAX + 1];
	struct bus_sub *sub;
	int r = 0;

	if (b->service)
		return -EALREADY;
	for (size_t i = 0; r == 0 && i < s->n; i++) {
		r = row_subject(s->rows[i].subject, s->node, subject);
		if (r == 0)
			r = bus_sub_new(b, subject, &s->rows[i], s->arg, &sub);
	}
	if (r < 0)
		return r;		/* what was subscribed goes with the bus */
	b->service = calloc(1, sizeof(*b->service));
	if (!b->service)
		return -ENOMEM;
	b->service->spec = *s;
	return bus_srv_open(b);
}

void
bus_ready(struct bus *b, unsigned bits)
{
	struct bus_sub *s;

	b->reqs->ready = bits;
	TAILQ_FOREACH(s, &b->subs, next)
		if (s->row)
			bus_sub_listen(s, !is_off(b->reqs, s->row));
}

const struct bus_row_stats *
bus_reqs_stats(const struct bus_reqs *q)
{
	return &q->stats;
}

/* ---- life ---- */

int
bus_reqs_new(struct bus *b, struct bus_reqs **ret)
{
	struct bus_reqs *q = calloc(1, sizeof(*q));
	int r;

	if (!q)
		return -ENOMEM;
	q->bus = b;
	TAILQ_INIT(&q->open);
	TAILQ_INIT(&q->late);
	TAILQ_INIT(&q->stats);
	r = loop_timer_new(b->loop, on_deadline, q, &q->timer);
	if (r < 0) {
		free(q);
		return r;
	}
	*ret = q;
	return 0;
}

void
bus_reqs_free(struct bus_reqs *q)
{
	struct bus_row_stat *t;
	struct bus_req *r;

	if (!q)
		return;
	while ((r = TAILQ_FIRST(&q->open)) || (r = TAILQ_FIRST(&q->late)))
		req_end(r);
	while ((t = TAILQ_FIRST(&q->stats))) {
		TAILQ_REMOVE(&q->stats, t, next);
		free(t->limit);
		free(t);
	}
	loop_timer_free(q->timer);
	free(q);
}
