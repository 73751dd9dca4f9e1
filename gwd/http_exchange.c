#include "gwd/http_impl.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOOK_MS		250	/* a handler takes longer: is its client still there? */
#define DISCARD_MAX	HTTP_BODY_MAX	/* read beyond the ceiling, only to be able to say so */

static struct connection *
connection_of(struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

void *
http_exchange_begin(void *arg, const char *uri, struct MHD_Connection *mhd)
{
	struct http *h = arg;
	struct connection *c = connection_of(mhd);
	AUTO(mem) void *mem = calloc(1, sizeof(struct http_exchange));
	struct http_exchange *x = mem;
	char *mark;

	if (!x || !c || !(x->path = strdup(uri)))
		return NULL;
	x->http = h;
	x->connection = c;
	x->mhd = mhd;
	x->body = BUF_EMPTY(HTTP_BODY_MAX);
	mark = strchr(x->path, '?');
	if (mark)
		*mark++ = '\0';
	x->query = mark ? mark : x->path + strlen(x->path);
	LIST_INSERT_HEAD(&h->exchanges, x, entry);
	return steal_mem(&mem);
}

static void
drop_body(struct http_exchange *x)
{
	x->http->bodies -= x->body.len;
	buf_deinit(&x->body);
}

void
http_exchange_end(void *arg, struct MHD_Connection *mhd, void **con_cls,
    enum MHD_RequestTerminationCode why)
{
	struct http_exchange *x = *con_cls;

	if (!x)
		return;
	*con_cls = NULL;
	LIST_REMOVE(x, entry);
	loop_io_free(x->watch);
	drop_body(x);
	if (x->response)
		MHD_destroy_response(x->response);
	x->connection->since_ms = loop_now_ms(x->http->loop);	/* the next request's time begins */
	if (x->on_gone)
		x->on_gone(x->on_gone_arg);
	free(x->path);
	free(x);
}

void
http_on_gone(struct http_exchange *x, void (*fn)(void *arg), void *arg)
{
	x->on_gone = fn;
	x->on_gone_arg = arg;
}

void
http_reply_header(struct http_exchange *x, const char *name, const char *value)
{
	if (x->nreply_headers < HTTP_REPLY_HEADERS_MAX)
		x->reply_headers[x->nreply_headers++] = (struct http_header){ name, value };
}

/* Takes body. */
static struct MHD_Response *
response_new(const char *content_type, struct buf *body)
{
	const size_t len = body->len;
	char *text = len ? buf_take(body) : NULL;
	struct MHD_Response *r = MHD_create_response_from_buffer(text ? len : 0, text,
	    text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);

	buf_deinit(body);
	if (r)
		(void)MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
	else
		free(text);
	return r;
}

struct MHD_Response *
http_refusal(const struct http *h, unsigned status, const char *message)
{
	struct buf body = BUF_EMPTY(64 * 1024);
	struct MHD_Response *r;

	h->conf.refuse(h->conf.arg, status, message, &body);
	if ((r = response_new(h->conf.refusal_type ? h->conf.refusal_type :
	    "text/xml;charset=UTF-8", &body)))
		(void)MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	return r;
}

void
http_exchange_wake(struct http_exchange *x)
{
	loop_io_free(x->watch);
	x->watch = NULL;
	if (x->suspended) {
		x->suspended = false;
		MHD_resume_connection(x->mhd);
		http_wake(x->http);
	}
}

void
http_reply(struct http_exchange *x, unsigned status, const char *content_type,
    struct buf *body, bool close)
{
	x->status = status;
	x->response = response_new(content_type, body);
	for (size_t i = 0; x->response && i < x->nreply_headers; i++)
		(void)MHD_add_response_header(x->response, x->reply_headers[i].name,
		    x->reply_headers[i].value);
	if (x->response && (close || x->http->is_retired))
		(void)MHD_add_response_header(x->response, MHD_HTTP_HEADER_CONNECTION, "close");
	x->replied = true;
	x->on_gone = NULL;
	http_exchange_wake(x);
}

/* Gives the reply to the library; MHD_NO closes the connection. */
static enum MHD_Result
send_reply(struct http_exchange *x)
{
	struct MHD_Response *r = x->response;
	enum MHD_Result res;

	if (!r)
		return MHD_NO;
	x->response = NULL;
	x->step = STEP_REPLIED;
	x->connection->since_ms = loop_now_ms(x->http->loop);
	res = http_queue(x->mhd, x->status, r);
	MHD_destroy_response(r);
	return res;
}

static enum MHD_Result
refuse(struct http_exchange *x, unsigned status, const char *message)
{
	x->status = status;
	x->response = http_refusal(x->http, status, message);
	x->replied = true;
	x->on_gone = NULL;
	return send_reply(x);
}

/* ---- what comes in ---- */

struct intake {
	struct http_exchange	*x;
	size_t			 bytes;
	const char		*fault;		/* NULL: none so far */
	unsigned		 status;
};

/* Those that decide about a request may be there once only. */
static bool
is_single(const char *name)
{
	static const char *const names[] = { "Authorization", "Content-Length", "Host",
	    "Transfer-Encoding", "X-Amz-Date" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcasecmp(names[i], name))
			return true;
	return false;
}

static bool
has_header(const struct http_exchange *x, const char *name)
{
	for (size_t i = 0; i < x->request.nheaders; i++)
		if (!strcasecmp(x->headers[i].name, name))
			return true;
	return false;
}

/* As RFC 9110 has a field's name: in any other a proxy may read another one than we. */
static bool
is_token(const char *p)
{
	const size_t n = strspn(p, "!#$%&'*+-.^_`|~0123456789"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	return n > 0 && !p[n];
}

/*
 * A line that begins with a blank goes on with the value before it, by a rule of old.  Old versions
 * of the library add it to the name instead, which they move for that; a proxy may have added it
 * to the value.  A name that is where it came has its value behind it: between them are a NUL,
 * where the colon was, and blanks.
 */
static bool
is_where_it_came(const char *name, size_t len, const char *value)
{
	const char *p = name + len + 1;

	while (p < value && (*p == ' ' || *p == '\t'))
		p++;
	return p == value;
}

static enum MHD_Result
on_header(void *arg, enum MHD_ValueKind kind, const char *name, size_t name_len,
    const char *value, size_t value_len)
{
	struct intake *in = arg;
	struct http_exchange *x = in->x;

	in->bytes += name_len + value_len + 4;
	if (x->request.nheaders == HTTP_HEADERS_MAX || in->bytes > HTTP_HEADER_MAX) {
		in->fault = "The request has too many headers, or they are too large.";
		in->status = MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE;
		return MHD_NO;
	}
	if (strlen(name) != name_len || !is_token(name) || !value || strlen(value) != value_len ||
	    strpbrk(value, "\r\n") || !is_where_it_came(name, name_len, value)) {
		in->fault = "A header of the request is malformed.";
		in->status = MHD_HTTP_BAD_REQUEST;
		return MHD_NO;
	}
	if (is_single(name) && has_header(x, name)) {
		in->fault = "A header that may only be given once is given twice.";
		in->status = MHD_HTTP_BAD_REQUEST;
		return MHD_NO;
	}
	x->headers[x->request.nheaders++] = (struct http_header){ name, value };
	return MHD_YES;
}

/* The body's length where it is announced.  False: not a number. */
static bool
announced_length(const struct http_exchange *x, uint64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < x->request.nheaders; i++) {
		const char *v = x->headers[i].value;
		const size_t n = strspn(v, "0123456789");

		if (strcasecmp(x->headers[i].name, "Content-Length"))
			continue;
		if (!n || v[n])
			return false;
		*ret = n < 18 ? strtoull(v, NULL, 10) : UINT64_MAX;
	}
	return true;
}

/* Of any other coding the library does not know where the body ends, and waits. */
static bool
coding_is_known(const struct http_exchange *x)
{
	for (size_t i = 0; i < x->request.nheaders; i++)
		if (!strcasecmp(x->headers[i].name, "Transfer-Encoding") &&
		    strcasecmp(x->headers[i].value, "chunked"))
			return false;
	return true;
}

/* The headers are there: what can be refused without a body is. */
static enum MHD_Result
start(struct http_exchange *x, const char *method)
{
	struct intake in = { .x = x, .bytes = strlen(x->path) + strlen(x->query) };
	uint64_t len;

	x->step = STEP_BODY;
	x->request.method = method;
	(void)MHD_get_connection_values_n(x->mhd, MHD_HEADER_KIND, on_header, &in);
	if (in.fault)
		return refuse(x, in.status, in.fault);
	if (!announced_length(x, &len) || !coding_is_known(x) ||
	    (has_header(x, "Content-Length") && has_header(x, "Transfer-Encoding")))
		return refuse(x, MHD_HTTP_BAD_REQUEST, "The length of the body is not clear.");
	if (len > HTTP_BODY_MAX)
		return refuse(x, MHD_HTTP_CONTENT_TOO_LARGE, "The body may have at most 10 MiB.");
	if (x->http->bodies + len > HTTP_BODIES_MAX)
		return refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "Too much is being sent at once.");
	return MHD_YES;
}

static enum MHD_Result
take_body(struct http_exchange *x, const char *data, size_t n)
{
	if (x->step == STEP_BODY && x->http->bodies + n <= HTTP_BODIES_MAX &&
	    buf_add(&x->body, data, n) == 0) {
		x->http->bodies += n;
		return MHD_YES;
	}
	/* A reply can only be given at the end: the rest is read and dropped, up to a bound. */
	if (x->step == STEP_BODY) {
		x->status = x->body.len + n > HTTP_BODY_MAX ? MHD_HTTP_CONTENT_TOO_LARGE :
		    MHD_HTTP_SERVICE_UNAVAILABLE;
		drop_body(x);
	}
	x->step = STEP_REFUSED;
	x->dropped += n;
	return x->dropped > DISCARD_MAX ? MHD_NO : MHD_YES;
}

static void
on_watch(void *arg, uint32_t revents)
{
	struct http_exchange *x = arg;

	/* Resumed without a reply: the connection is closed, and completed tells the handler. */
	http_exchange_wake(x);
}

void
http_exchange_watch(struct http_exchange *x)
{
	/* Without memory: not seeing the client go only costs the time until the handler's own
	 * deadline. */
	if (x->suspended && !x->watch)
		(void)!loop_io_new(x->http->loop, x->connection->fd, EPOLLHUP, on_watch, x,
		    &x->watch);
}

static enum MHD_Result
handle(struct http_exchange *x)
{
	x->step = STEP_HANDLED;
	x->connection->since_ms = 0;
	x->request.path = x->path;
	x->request.query = x->query;
	x->request.headers = x->headers;
	x->request.body = buf_text(&x->body);
	x->request.body_len = x->body.len;
	x->request.peer = x->connection->peer;
	x->http->conf.handle(x->http->conf.arg, x, &x->request);
	if (x->replied)
		return send_reply(x);
	MHD_suspend_connection(x->mhd);
	x->suspended = true;
	if (!loop_timer_is_on(x->http->look))
		loop_timer_in(x->http->look, LOOK_MS);
	return MHD_YES;
}

enum MHD_Result
http_exchange_access(void *arg, struct MHD_Connection *mhd, const char *url, const char *method,
    const char *version, const char *upload_data, size_t *upload_data_size, void **con_cls)
{
	struct http_exchange *x = *con_cls;

	if (!x || x->http->stopping)
		return MHD_NO;
	switch (x->step) {
	case STEP_START:
		return start(x, method);
	case STEP_BODY:
	case STEP_REFUSED:
		if (*upload_data_size) {
			const size_t n = *upload_data_size;

			*upload_data_size = 0;
			return take_body(x, upload_data, n);
		}
		if (x->step == STEP_BODY)
			return handle(x);
		return refuse(x, x->status, x->status == MHD_HTTP_CONTENT_TOO_LARGE ?
		    "The body may have at most 10 MiB." : "Too much is being sent at once.");
	case STEP_HANDLED:
		return send_reply(x);		/* resumed */
	case STEP_REPLIED:
		break;
	}
	return MHD_NO;
}
