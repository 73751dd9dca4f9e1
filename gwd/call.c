#include "gwd/action.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/log.h"
#include "gwd/error.h"
#include "gwd/request.h"
#include "gwd/xml.h"

#define CONTENT_TYPE	"text/xml;charset=UTF-8"

uint64_t
request_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void
log_access(const struct request *req, unsigned status, const char *code, uint64_t took_us)
{
	char duration[24];
	const struct log_ctx ctx = { .request_id = req->call.request_id, .action = req->name,
	    .account = req->call.account, .code = code, .duration_us = duration };

	(void)snprintf(duration, sizeof(duration), "%llu", (unsigned long long)took_us);
	log_fields(status >= 500 ? LOG_WARNING : LOG_INFO, &ctx, "%s from %s: %u%s%s%s",
	    *req->name ? req->name : "request", req->peer, status, req->cause ? " (" : "",
	    req->cause ? req->cause : "", req->cause ? ")" : "");
}

/* Sends body, which is taken, unless nobody waits any more. */
static void
reply(struct request *req, unsigned status, const char *code, struct buf *body)
{
	struct pipeline *p = req->pipeline;
	struct http_exchange *x = req->x;
	const uint64_t took_us = request_now_us() - req->start_us;

	if (!x) {
		buf_deinit(body);
		return;
	}
	log_access(req, status, code, took_us);
	metrics_count(p->metrics, req->call.action ? req->call.action->name : "", code, took_us);
	p->counts[status >= 500 ? PIPELINE_FAILED : status >= 400 ? PIPELINE_REFUSED :
	    PIPELINE_ANSWERED]++;
	req->x = NULL;
	req->r = NULL;
	http_reply_header(x, "x-amzn-requestid", req->call.request_id);
	http_reply(x, status, CONTENT_TYPE, body, false);
}

void
request_abandon(struct request *req, const char *code, const char *message)
{
	const unsigned status = error_status(code);
	struct buf body = BUF_EMPTY(XML_ANSWER_MAX);

	/* Without memory the body stays empty, and the status says enough. */
	if (xml_error(req->api, req->call.request_id, code, message, status >= 500, &body) < 0)
		buf_deinit(&body);
	reply(req, status, code, &body);
}

/* Has it come so far that it may have changed something? */
static bool
has_changed(const struct request *req)
{
	return req->call.gwd && (req->call.action->flags & ACTION_MUTATES);
}

void
request_free(struct request *req)
{
	if (has_changed(req))
		shares_changed(req->pipeline->shares);
	request_unwait(req);
	share_leave(&req->share);
	query_deinit(&req->q);
	cJSON_Delete(req->call.in);
	free(req->question);
	free(req);
}

static struct request *
twin_of(struct request *req)
{
	struct share *twin = share_twin(&req->share);

	return twin ? twin->arg : NULL;
}

void
request_fail(struct request *req, const char *code, const char *message)
{
	struct request *twin;

	while ((twin = twin_of(req))) {
		request_abandon(twin, code, message);
		request_free(twin);
	}
	request_abandon(req, code, message);
	request_free(req);
}

void
request_answer_as(struct request *req, const struct buf *body, size_t id_at)
{
	struct buf mine = BUF_EMPTY(XML_ANSWER_MAX);

	if (buf_add(&mine, body->data, body->len) < 0) {
		request_fail(req, "InternalError", "An internal error has occurred.");
		return;
	}
	memcpy(mine.data + id_at, req->call.request_id, IDENT_UUID_LEN);
	reply(req, 200, "", &mine);
	request_free(req);
}

static void
answer_others(struct request *req, const struct buf *body)
{
	const uint8_t *id = memmem(body->data, body->len, req->call.request_id, IDENT_UUID_LEN);
	struct request *twin;

	if (!id)
		return;
	share_keep(&req->share, req->call.action, body, (size_t)(id - body->data), request_now_us());
	while ((twin = twin_of(req)))
		request_answer_as(twin, body, (size_t)(id - body->data));
}

void
call_answer(struct call *c, cJSON *out)
{
	struct request *req = (struct request *)c;
	struct buf body = BUF_EMPTY(XML_ANSWER_MAX);
	int r = -ENOMEM;

	if (out || !c->action->out)
		r = xml_answer(c->action, c->request_id, out, &body);
	cJSON_Delete(out);
	if (r < 0) {
		buf_deinit(&body);
		request_fail(req, "InternalError", r == -EMSGSIZE ?
		    "The answer is too large: ask for fewer at a time." :
		    "An internal error has occurred.");
		return;
	}
	answer_others(req, &body);
	reply(req, 200, "", &body);
	request_free(req);
}

void
call_fail(struct call *c, const char *code, const char *fmt, ...)
{
	char message[SHAPE_MESSAGE_MAX * 4];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	request_fail((struct request *)c, code, message);
}

void
call_on_gone(struct call *c, void (*fn)(struct call *c))
{
	((struct request *)c)->on_gone = fn;
}
