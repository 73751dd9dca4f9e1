#include "gwd/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/ident.h"
#include "gwd/auth.h"
#include "gwd/error.h"
#include "gwd/gwd.h"
#include "gwd/params.h"
#include "gwd/query.h"
#include "gwd/request.h"
#include "gwd/throttle.h"
#include "gwd/xml.h"

#define QUESTION_MAX	4096	/* bytes; longer ones are not compared */

/* ---- those that wait for their handlers ---- */

static void
arm(struct pipeline *p)
{
	const struct request *first = TAILQ_FIRST(&p->waiting);

	if (first)
		loop_timer_at(p->timer, first->call.received_ms + CALL_DEADLINE_MS);
	else
		loop_timer_off(p->timer);
}

void
request_wait(struct request *req)
{
	struct pipeline *p = req->pipeline;

	req->is_waiting = true;
	TAILQ_INSERT_TAIL(&p->waiting, req, entry);
	if (TAILQ_FIRST(&p->waiting) == req)
		arm(p);
}

void
request_unwait(struct request *req)
{
	struct pipeline *p = req->pipeline;
	const bool was_first = req->is_waiting && TAILQ_FIRST(&p->waiting) == req;

	if (!req->is_waiting)
		return;
	req->is_waiting = false;
	TAILQ_REMOVE(&p->waiting, req, entry);
	if (was_first)
		arm(p);
}

/* Nobody waits for req any more, unless it has twins: a handler that only reads may stop, and who
 * waits for its end need not. */
static void
give_up_lead(struct request *req)
{
	void (*fn)(struct call *c) = req->on_gone;

	if (share_has_twins(&req->share))
		return;
	share_leave(&req->share);
	req->on_gone = NULL;
	if (fn)
		fn(&req->call);		/* may end it: req is not touched after */
}

static void
give_up(struct request *req)
{
	struct share *with = share_waits_for(&req->share);
	struct request *lead = with ? with->arg : req;
	const bool has_begun = !with && share_has_begun(&req->share);

	request_unwait(req);
	if (!has_begun)
		request_free(req);	/* its twins go on without it */
	if ((with || has_begun) && !lead->x)
		give_up_lead(lead);
}

static void
on_deadline(void *arg)
{
	struct pipeline *p = arg;
	const uint64_t now = loop_now_ms(p->gwd->d.loop);
	struct request *req;

	while ((req = TAILQ_FIRST(&p->waiting)) &&
	    req->call.received_ms + CALL_DEADLINE_MS <= now) {
		request_abandon(req, "Unavailable", "The request was not answered in time: a part "
		    "of the cluster does not respond. Please try again.");
		give_up(req);
	}
	arm(p);
}

static void
on_gone(void *arg)
{
	struct request *req = arg;

	req->x = NULL;
	req->r = NULL;
	give_up(req);
}

/* ---- those that ask the same ---- */

/*
 * All that an answer to it depends on.  NULL: it stands for itself, as a presigned URL and a large
 * body do, and any without memory.
 */
static char *
question_of(const struct request *req)
{
	AUTO(buf) struct buf text = BUF_EMPTY(QUESTION_MAX);
	const struct call *c = &req->call;

	if (*req->r->query || strlen(req->r->body) != req->r->body_len ||
	    buf_printf(&text, "%s\n%s\n%s\n%s", c->account, c->access_key, c->host,
	    req->r->body) < 0)
		return NULL;
	return buf_take(&text);
}

static void
joins_action(struct request *req, const struct action *a)
{
	req->call.action = a;
	(void)snprintf(req->name, sizeof(req->name), "%s", a->name);
}

/* Does it get the answer of another one? */
static bool
joins(struct request *req)
{
	struct shares *s = req->pipeline->shares;
	const struct share_answer *kept;

	if (!req->question)
		return false;
	if ((kept = share_kept(s, req->question, req->start_us))) {
		joins_action(req, kept->what);
		request_answer_as(req, &kept->body, kept->mark);
		return true;
	}
	if (!share_join(s, &req->share, req->question, req->start_us))
		return false;
	free(steal_str(&req->question));	/* whom it waits for has the same */
	joins_action(req, ((struct request *)share_waits_for(&req->share)->arg)->call.action);
	request_wait(req);
	return true;
}

/* ---- after the signature ---- */

static void
run(struct request *req)
{
	struct pipeline *p = req->pipeline;
	const struct action *a = req->call.action;

	req->call.gwd = p->gwd;
	/* Entered first, since the handler may end the call at once, which frees req. */
	if (!req->is_waiting)
		request_wait(req);
	if (!(a->flags & ACTION_MUTATES))
		share_lead(p->shares, &req->share, &req->question, request_now_us());
	a->fn(p->gwd, &req->call);
}

static void
check_params(struct request *req)
{
	struct shape_error e;
	bool dry_run = false;
	const int r = params_read(req->call.action, &req->q, &req->call.in, &dry_run, &e);

	if (r == -EINVAL)
		request_fail(req, e.code, e.message);
	else if (r < 0)
		request_fail(req, "InternalError", "An internal error has occurred.");
	else if (dry_run)
		request_fail(req, "DryRunOperation", "Request would have succeeded, but DryRun "
		    "flag is set.");
	else
		run(req);
}

static size_t
count_of(const struct query *q, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++)
		n += !strcmp(q->params[i].name, name);
	return n;
}

static void
check_action(struct request *req)
{
	const char *name = query_get(&req->q, "Action");
	char message[200];

	if (!name || !*name) {
		request_fail(req, "MissingAction", "The request is missing an action.");
		return;
	}
	if (count_of(&req->q, "Action") > 1) {
		request_fail(req, "InvalidParameterValue", "The parameter Action is given more "
		    "than once.");
		return;
	}
	(void)snprintf(req->name, sizeof(req->name), "%s", name);
	if ((req->call.action = action_find(req->api, name))) {
		check_params(req);
		return;
	}
	if (action_is_known(req->api, name)) {
		/* EC2's sentence: clients look for it and go on without. */
		(void)snprintf(message, sizeof(message), "The functionality you requested is not "
		    "available in this region. (%s)", name);
		request_fail(req, "UnsupportedOperation", message);
		return;
	}
	(void)snprintf(message, sizeof(message),
	    "The action %.100s is not valid for this web service.", name);
	request_fail(req, "InvalidAction", message);
}

/* The version must be the one that we speak of the service that the signature is for. */
static void
check_version(struct request *req)
{
	const char *version = query_get(&req->q, "Version");
	enum action_api api = req->api;
	char message[200];

	if (!version || !*version) {
		request_fail(req, "MissingParameter", "The request must contain the parameter "
		    "Version");
		return;
	}
	if (count_of(&req->q, "Version") > 1) {
		request_fail(req, "InvalidParameterValue", "The parameter Version is given more "
		    "than once.");
		return;
	}
	if (params_api(version, &api) && api == req->api) {
		check_action(req);
		return;
	}
	(void)snprintf(message, sizeof(message), "The requested version (%.32s) of service %s does "
	    "not exist: it is %s.", version, auth_service(req->api),
	    req->api == API_STS ? API_STS_VERSION : API_EC2_VERSION);
	request_fail(req, "NoSuchVersion", message);
}

static void
read_params(struct request *req)
{
	char why[QUERY_WHY_MAX] = "";
	int r = query_parse(&req->q, req->r->query, strlen(req->r->query), why);

	if (r == 0)
		r = query_parse(&req->q, req->r->body, req->r->body_len, why);
	if (r == -EINVAL)
		request_fail(req, "MalformedQueryString", why);
	else if (r < 0)
		request_fail(req, "InternalError", "An internal error has occurred.");
	else
		check_version(req);
}

static void
begin(void *arg)
{
	read_params(arg);
}

void
request_is_verified(struct request *req)
{
	req->share.arg = req;
	req->question = question_of(req);
	if (!joins(req))
		read_params(req);
}

/* ---- the door ---- */

static const char *
host_of(const struct http_request *r)
{
	for (size_t i = 0; i < r->nheaders; i++)
		if (!strcasecmp(r->headers[i].name, "host"))
			return r->headers[i].value;
	return "";
}

/* Is there a parameter "Version=2011-06-15" in this text, which is still encoded? */
static bool
speaks_sts(const char *text, size_t len)
{
	static const char sts[] = "Version=" API_STS_VERSION;
	const char *end = text + len;

	for (const char *p = text; p < end; p++) {
		p = memmem(p, (size_t)(end - p), sts, sizeof(sts) - 1);
		if (!p)
			return false;
		if (p == text || p[-1] == '&')
			return true;
	}
	return false;
}

static struct request *
request_new(struct pipeline *p, struct http_exchange *x, const struct http_request *r)
{
	struct request *req = calloc(1, sizeof(*req));

	if (!req)
		return NULL;
	req->pipeline = p;
	req->x = x;
	req->r = r;
	/* Its errors are in the words of the API that it means to speak. */
	req->api = speaks_sts(r->query, strlen(r->query)) || speaks_sts(r->body, r->body_len) ?
	    API_STS : API_EC2;
	req->start_us = request_now_us();
	req->call.received_ms = req->start_us / 1000;
	ident_uuid(req->call.request_id);
	(void)snprintf(req->peer, sizeof(req->peer), "%s", r->peer);
	(void)snprintf(req->call.host, sizeof(req->call.host), "%s", host_of(r));
	return req;
}

void
pipeline_handle(void *arg, struct http_exchange *x, const struct http_request *r)
{
	struct request *req = request_new(arg, x, r);
	const bool is_post = !strcmp(r->method, "POST");

	if (!req) {
		struct buf body = BUF_EMPTY(0);

		http_reply(x, 503, "text/xml", &body, true);
		return;
	}
	http_on_gone(x, on_gone, req);
	if (strcmp(r->path, "/") || (!is_post && strcmp(r->method, "GET")))
		request_fail(req, "InvalidRequest", "The request must be a GET or a POST of '/'.");
	else
		request_verify(req);
}

void
pipeline_refuse(void *arg, unsigned status, const char *message, struct buf *ret)
{
	struct pipeline *p = arg;
	char id[IDENT_UUID_LEN + 1];
	const char *code = status == 413 ? "RequestEntityTooLarge" :
	    status == 503 ? "RequestLimitExceeded" : "InvalidRequest";

	p->counts[status >= 500 ? PIPELINE_FAILED : PIPELINE_REFUSED]++;
	metrics_count(p->metrics, "", code, 0);
	ident_uuid(id);
	if (xml_error(API_EC2, id, code, message, status >= 500, ret) < 0)
		buf_deinit(ret);
}

int
pipeline_new(struct gwd *g, struct pipeline **ret)
{
	struct pipeline *p = calloc(1, sizeof(*p));
	uint64_t salt;
	int r;

	if (!p)
		return -ENOMEM;
	p->gwd = g;
	TAILQ_INIT(&p->waiting);
	p->metrics = metrics_new();
	ident_bytes(&salt, sizeof(salt));
	p->throttle = throttle_new(salt);
	r = p->metrics && p->throttle ? loop_timer_new(g->d.loop, on_deadline, p, &p->timer) : -ENOMEM;
	if (r == 0)
		r = shares_new(g->d.loop, g->conf->answer_age_ms, begin, &p->shares);
	if (r < 0) {
		pipeline_free(p);
		return r;
	}
	*ret = p;
	return 0;
}

void
pipeline_free(struct pipeline *p)
{
	struct request *req;

	if (!p)
		return;
	while ((req = TAILQ_FIRST(&p->waiting)))
		request_free(req);
	shares_free(p->shares);
	loop_timer_free(p->timer);
	throttle_free(p->throttle);
	metrics_free(p->metrics);
	free(p);
}

const uint64_t *
pipeline_counts(const struct pipeline *p)
{
	return p->counts;
}

const struct metrics *
pipeline_metrics(const struct pipeline *p)
{
	return p->metrics;
}
