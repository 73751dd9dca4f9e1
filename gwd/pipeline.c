#include "gwd/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/ident.h"
#include "common/sigv4.h"
#include "gwd/auth.h"
#include "gwd/error.h"
#include "gwd/gwd.h"
#include "gwd/params.h"
#include "gwd/query.h"
#include "gwd/request.h"
#include "gwd/throttle.h"
#include "gwd/xml.h"

#define QUESTION_MAX	4096	/* bytes; longer ones are not compared */

struct pipeline {
	struct gwd		*gwd;
	struct loop_timer	*timer;		/* the deadline of the first that waits */
	struct requests		 waiting;	/* in order of arrival, so of deadline too */
	uint64_t		 counts[PIPELINE_COUNTS];
	struct metrics		*metrics;
	struct throttle		*throttle;
	struct shares		*shares;	/* those that only read */
};

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
 * All that an answer to it depends on.  False: it stands for itself; a presigned URL and a large
 * body do.
 */
static bool
question(const struct request *req, struct buf *ret)
{
	const struct call *c = &req->call;

	return req->r && !*req->r->query && strlen(req->r->body) == req->r->body_len &&
	    buf_printf(ret, "%s\n%s\n%s\n%s", c->account, c->access_key, c->host,
	    req->r->body) == 0;
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
	AUTO(buf) struct buf text = BUF_EMPTY(QUESTION_MAX);
	struct shares *s = req->shares;
	const struct share_answer *kept;

	req->share.arg = req;
	if (!question(req, &text))
		return false;
	if ((kept = share_kept(s, buf_text(&text), req->start_us))) {
		joins_action(req, kept->what);
		request_answer_as(req, &kept->body, kept->mark);
		return true;
	}
	if (!share_join(s, &req->share, buf_text(&text), req->start_us))
		return false;
	joins_action(req, ((struct request *)share_waits_for(&req->share)->arg)->call.action);
	request_wait(req);
	return true;
}

static void
lead(struct request *req)
{
	AUTO(buf) struct buf text = BUF_EMPTY(QUESTION_MAX);

	/* Without memory it stands for itself. */
	if (!(req->call.action->flags & ACTION_MUTATES) && question(req, &text))
		(void)share_lead(req->shares, &req->share, buf_text(&text),
		    request_now_us());
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
	lead(req);
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

/* ---- the signature ---- */

static void
refuse_auth(struct request *req, enum auth_fault f, const char *why)
{
	const struct auth_error e = auth_error(f, req->api, why);

	req->cause = e.cause;
	request_fail(req, e.code, e.message);
}

static struct sigv4_request
signed_request(const struct http_request *r, const char *sha256)
{
	_Static_assert(sizeof(struct http_header) == sizeof(struct sigv4_header), "one layout");

	return (struct sigv4_request){ .method = r->method, .path = r->path, .query = r->query,
	    .headers = (const struct sigv4_header *)r->headers, .nheaders = r->nheaders,
	    .payload_sha256 = sha256, .double_encode = true };
}

/* It was no good: the next of its kind may be one too many. */
static void
refuse_guess(struct request *req, enum auth_fault f)
{
	const struct pipeline *p = req->pipeline;

	throttle_failed(p->throttle, req->peer, req->claim.access_key, req->claim.signature,
	    req->call.received_ms);
	refuse_auth(req, f, NULL);
}

static bool
verify(struct request *req, const uint8_t *signing_key, enum auth_fault *ret)
{
	char sha256[SIGV4_HEX + 1];
	struct sigv4_request s;
	enum sigv4_result res;

	sigv4_sha256_hex(req->r->body, req->r->body_len, sha256);
	s = signed_request(req->r, sha256);
	res = sigv4_verify(&s, &req->claim, signing_key);
	*ret = auth_fault_of(res);
	return res == SIGV4_OK;
}

static void
on_key(void *arg, enum keys_result res, const struct key *key, const uint8_t *signing_key)
{
	struct request *req = arg;
	enum auth_fault fault;

	if (!req->x) {
		request_free(req);
		return;
	}
	switch (res) {
	case KEYS_UNKNOWN:
		refuse_guess(req, AUTH_UNKNOWN_KEY);
		return;
	case KEYS_UNREADABLE:
		refuse_auth(req, AUTH_UNREADABLE_KEY, NULL);
		return;
	case KEYS_UNAVAILABLE:
		request_fail(req, "Unavailable", "The access keys cannot be read just now. Please "
		    "try again.");
		return;
	case KEYS_BUSY:
		request_fail(req, "RequestLimitExceeded", "Request limit exceeded.");
		return;
	case KEYS_OK:
		break;
	}
	if (!verify(req, signing_key, &fault)) {
		if (fault == AUTH_WRONG_SIGNATURE)
			refuse_guess(req, fault);
		else
			refuse_auth(req, fault, NULL);
		return;
	}
	throttle_passed(req->pipeline->throttle, req->peer, key->id, req->call.received_ms);
	if (req->claim.has_token) {
		refuse_auth(req, AUTH_TOKEN, NULL);
		return;
	}
	(void)snprintf(req->call.account, sizeof(req->call.account), "%s", key->account);
	(void)snprintf(req->call.user, sizeof(req->call.user), "%s", key->user);
	(void)snprintf(req->call.access_key, sizeof(req->call.access_key), "%s", key->id);
	if (!joins(req))
		read_params(req);
}

static void
authenticate(struct request *req)
{
	struct gwd *g = req->pipeline->gwd;
	const struct sigv4_request s = signed_request(req->r, "");
	const char *region = g->conf->common.region;
	char why[AUTH_WHY_MAX];
	enum sigv4_result res;

	res = sigv4_claim_read(&s, clock_wall_ms(g->d.clock), &req->claim, why, sizeof(why));
	if (res != SIGV4_OK) {
		refuse_auth(req, auth_fault_of(res), why);
		return;
	}
	if (!auth_scope_is_right(&req->claim, req->api, region, why)) {
		refuse_auth(req, AUTH_WRONG_SCOPE, why);
		return;
	}
	if (!throttle_may(req->pipeline->throttle, req->peer, req->claim.access_key,
	    req->call.received_ms)) {
		req->cause = "too many failures";
		request_fail(req, "RequestLimitExceeded", "Request limit exceeded.");
		return;
	}
	keys_find(g->keys, req->claim.access_key, req->claim.date, req->claim.region,
	    req->claim.service, on_key, req);
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
	req->counts = p->counts;
	req->metrics = p->metrics;
	req->shares = p->shares;
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
		authenticate(req);
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
