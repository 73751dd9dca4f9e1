#include "gwd/xml.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/text.h"

#define EC2_NAMESPACE	"http://ec2.amazonaws.com/doc/" API_EC2_VERSION "/"
#define STS_NAMESPACE	"https://sts.amazonaws.com/doc/" API_STS_VERSION "/"

/* Calls after a failure do nothing: asked once, at the end. */
struct writer {
	struct buf		*to;		/* borrowed, empty at the start */
	xmlTextWriterPtr	 out;
	bool			 failed;
	int			 why;		/* -errno of `to`; 0: libxml2 had no memory */
};

static void
writer_deinit(struct writer *w)
{
	if (w->out)
		xmlFreeTextWriter(w->out);
	*w = (struct writer){ .failed = true };
}

static inline void
auto_writer(struct writer *w)
{
	writer_deinit(w);
}

static int
on_write(void *arg, const char *text, int n)
{
	struct writer *w = arg;

	w->why = buf_add(w->to, text, (size_t)n);
	return w->why < 0 ? -1 : n;
}

static void
writer_open(struct writer *w, struct buf *to)
{
	xmlOutputBufferPtr io = xmlOutputBufferCreateIO(on_write, NULL, w, NULL);

	*w = (struct writer){ .to = to, .out = io ? xmlNewTextWriter(io) : NULL };
	if (io && !w->out)
		(void)xmlOutputBufferClose(io);
	w->failed = !w->out || xmlTextWriterStartDocument(w->out, "1.0", "UTF-8", NULL) < 0;
}

static void
open_element(struct writer *w, const char *name)
{
	w->failed = w->failed || xmlTextWriterStartElement(w->out, (const xmlChar *)name) < 0;
}

static void
close_element(struct writer *w)
{
	w->failed = w->failed || xmlTextWriterEndElement(w->out) < 0;
}

static void
open_root(struct writer *w, const char *name, const char *suffix, const char *xmlns)
{
	char full[128];
	const int n = snprintf(full, sizeof(full), "%s%s", name, suffix);

	w->failed = w->failed || n < 0 || (size_t)n >= sizeof(full);
	open_element(w, full);
	w->failed = w->failed || xmlTextWriterWriteAttribute(w->out,
	    (const xmlChar *)"xmlns", (const xmlChar *)xmlns) < 0;
}

static void
put_plain(struct writer *w, const char *text)
{
	w->failed = w->failed || xmlTextWriterWriteString(w->out, (const xmlChar *)text) < 0;
}

/* What no XML document can hold becomes U+FFFD. */
static void
put_text(struct writer *w, const char *text)
{
	const size_t n = strlen(text);

	if (text_is_plain(text, n)) {
		put_plain(w, text);
		return;
	}
	AUTO(buf) struct buf clean = BUF_EMPTY(3 * n + 1);

	for (size_t i = 0; i < n;) {
		const size_t len = text_char(text + i, n - i);

		(void)(len ? buf_add(&clean, text + i, len) : buf_add_str(&clean, "\xef\xbf\xbd"));
		i += len ? len : 1;
	}
	w->failed = w->failed || clean.failed;
	put_plain(w, w->failed ? "" : buf_text(&clean));
}

static void
put_element(struct writer *w, const char *name, const char *text)
{
	open_element(w, name);
	put_text(w, text);
	close_element(w);
}

/* ---- JSON by its shape ---- */

static bool	fits(const struct shape *s, const cJSON *v);
static void	put_value(struct writer *w, const struct shape *s, const cJSON *v);

static bool
fits(const struct shape *s, const cJSON *v)
{
	switch (s->kind) {
	case SHAPE_STRUCT:
		return cJSON_IsObject(v);
	case SHAPE_LIST:
		return cJSON_IsArray(v);
	case SHAPE_BOOL:
		return cJSON_IsBool(v);
	case SHAPE_INT:
	case SHAPE_DOUBLE:
		return (cJSON_IsNumber(v) && isfinite(v->valuedouble)) || cJSON_IsRaw(v);
	case SHAPE_STRING:
	case SHAPE_TIME:
	case SHAPE_BLOB:
		return cJSON_IsString(v);
	}
	return false;
}

static void
put_number(struct writer *w, const cJSON *v)
{
	char text[40];
	const double d = v->valuedouble;
	const bool whole = d > -1e15 && d < 1e15 && d == (double)(int64_t)d;

	if (cJSON_IsRaw(v)) {		/* an integer that a double would not keep */
		put_text(w, v->valuestring);
		return;
	}
	(void)snprintf(text, sizeof(text), whole ? "%.0f" : "%.15g", d);
	put_plain(w, text);
}

/* Most names differ in their first letter, and most members of a shape are not there. */
static bool
is_named(const cJSON *c, const char *name)
{
	return c->string[0] == name[0] && strcmp(c->string, name) == 0;
}

/* Members usually come in the shape's order: the search goes on where the last one ended. */
static const cJSON *
next_member(const cJSON *obj, const cJSON *from, const char *name)
{
	for (const cJSON *c = from; c; c = c->next)
		if (is_named(c, name))
			return c;
	for (const cJSON *c = obj->child; c != from; c = c->next)
		if (is_named(c, name))
			return c;
	return NULL;
}

static void
put_members(struct writer *w, const struct shape *s, const cJSON *obj)
{
	const cJSON *from = obj->child;

	for (size_t i = 0; i < s->n && from; i++) {
		const struct shape_member *m = &s->members[i];
		const cJSON *v = next_member(obj, from, m->name);

		if (!v)
			continue;
		from = v->next ? v->next : obj->child;
		if (!fits(m->shape, v))
			continue;
		open_element(w, m->xml);
		put_value(w, m->shape, v);
		close_element(w);
	}
}

static void
put_list(struct writer *w, const struct shape *s, const cJSON *list)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, list) {
		if (!fits(s->item, v))
			continue;
		open_element(w, s->item_xml);
		put_value(w, s->item, v);
		close_element(w);
	}
}

static void
put_value(struct writer *w, const struct shape *s, const cJSON *v)
{
	switch (s->kind) {
	case SHAPE_STRUCT:
		put_members(w, s, v);
		break;
	case SHAPE_LIST:
		put_list(w, s, v);
		break;
	case SHAPE_BOOL:
		put_plain(w, cJSON_IsTrue(v) ? "true" : "false");
		break;
	case SHAPE_INT:
	case SHAPE_DOUBLE:
		put_number(w, v);
		break;
	case SHAPE_STRING:
	case SHAPE_TIME:
	case SHAPE_BLOB:
		put_text(w, v->valuestring);
		break;
	}
}

/* ---- envelopes ---- */

/* On failure nothing is left in the buffer. */
static int
finish(struct writer *w)
{
	if (!w->failed && xmlTextWriterEndDocument(w->out) >= 0 &&
	    xmlTextWriterFlush(w->out) >= 0 && w->why == 0)
		return 0;
	buf_deinit(w->to);
	return w->why < 0 ? w->why : -ENOMEM;
}

int
xml_answer(const struct action *a, const char *request_id, const cJSON *out, struct buf *ret)
{
	__attribute__((cleanup(auto_writer))) struct writer w;
	const bool has_out = a->out && cJSON_IsObject(out);

	writer_open(&w, ret);
	open_root(&w, a->name, "Response", a->api == API_STS ? STS_NAMESPACE : EC2_NAMESPACE);
	if (a->api == API_STS) {
		char result[128];

		(void)snprintf(result, sizeof(result), "%sResult", a->name);
		open_element(&w, result);
		if (has_out)
			put_members(&w, a->out, out);
		close_element(&w);
		open_element(&w, "ResponseMetadata");
		put_element(&w, "RequestId", request_id);
		close_element(&w);
	} else {
		put_element(&w, "requestId", request_id);
		if (has_out)
			put_members(&w, a->out, out);
		else if (!a->out)
			put_element(&w, "return", "true");
	}
	close_element(&w);
	return finish(&w);
}

static void
put_error(struct writer *w, const char *type, const char *code, const char *message)
{
	open_element(w, "Error");
	if (type)
		put_element(w, "Type", type);
	put_element(w, "Code", code);
	put_element(w, "Message", message);
	close_element(w);
}

int
xml_error(enum action_api api, const char *request_id, const char *code, const char *message,
    bool is_server_fault, struct buf *ret)
{
	__attribute__((cleanup(auto_writer))) struct writer w;

	writer_open(&w, ret);
	if (api == API_STS) {
		open_root(&w, "ErrorResponse", "", STS_NAMESPACE);
		put_error(&w, is_server_fault ? "Receiver" : "Sender", code, message);
		put_element(&w, "RequestId", request_id);
	} else {
		open_element(&w, "Response");
		open_element(&w, "Errors");
		put_error(&w, NULL, code, message);
		close_element(&w);
		put_element(&w, "RequestID", request_id);
	}
	close_element(&w);
	return finish(&w);
}
