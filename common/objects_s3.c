/* The object store of those who run an S3 server. */
#include "common/objects_s3.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PRINTF_LIKE(3, 4) static enum object_result
fail(enum object_result r, char why[static JSON_WHY_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, JSON_WHY_MAX, fmt, ap);
	va_end(ap);
	return r;
}

static inline void
auto_s3_session(struct s3_session *s)
{
	s3_close(s);
}

/* A reading that may have failed on its way has changed nothing. */
static enum object_result
of_reading(enum object_result r)
{
	return r == OBJECT_UNKNOWN ? OBJECT_UNAVAILABLE : r;
}

static enum object_result
s3_put(void *ctx, const struct object_info *o, const void *p, size_t n,
    char why[static JSON_WHY_MAX])
{
	struct objects_s3 *s = ctx;
	AUTO(s3_session) struct s3_session session = { 0 };
	const struct s3_request r = {
		.method = "PUT", .key = o->key, .query = "", .meta = o, .body = p, .body_len = n,
	};
	struct s3_answer a = { 0 };
	enum object_result res;

	if (!object_key_is_valid(o->key))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", o->key);
	if (n > OBJECT_BYTES_MAX)
		return fail(OBJECT_REFUSED, why, "an object of %zu bytes is over the limit of %u", n,
		    OBJECT_BYTES_MAX);
	res = s3_open(&session, &s->conf, why);
	return res == OBJECT_OK ? s3_send(&session, &r, &a, why) : res;
}

static enum object_result
s3_get(void *ctx, const char *key, struct buf *ret_body, struct object_info *ret_info,
    char why[static JSON_WHY_MAX])
{
	struct objects_s3 *s = ctx;
	AUTO(s3_session) struct s3_session session = { 0 };
	const struct s3_request r = { .method = "GET", .key = key, .query = "", .may_repeat = true };
	struct s3_answer a = { .body = ret_body };
	enum object_result res;

	if (!object_key_is_valid(key))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", key);
	res = s3_open(&session, &s->conf, why);
	if (res == OBJECT_OK)
		res = s3_send(&session, &r, &a, why);
	if (res != OBJECT_OK) {
		buf_deinit(ret_body);
		return of_reading(res);
	}
	if (ret_info) {
		*ret_info = a.info;
		ret_info->bytes = ret_body->len;
		snprintf(ret_info->key, sizeof(ret_info->key), "%s", key);
	}
	return OBJECT_OK;
}

/* ---- listings ---- */

static enum object_result
get_page(const struct objects_s3 *s, struct s3_session *session, const char *prefix,
    const char *token, struct buf *ret, char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf query = BUF_EMPTY(8192);
	struct s3_request r = { .method = "GET", .may_repeat = true };
	struct s3_answer a = { .body = ret };
	char page[16];
	enum object_result res;

	snprintf(page, sizeof(page), "%u", s->conf.page);
	if ((token[0] && s3_query_add(&query, "continuation-token", token) < 0) ||
	    s3_query_add(&query, "list-type", "2") < 0 ||
	    s3_query_add(&query, "max-keys", page) < 0 ||
	    s3_query_add(&query, "prefix", prefix) < 0)
		return fail(OBJECT_NOMEM, why, "no memory");
	r.query = buf_text(&query);
	res = of_reading(s3_send(session, &r, &a, why));
	/* Nothing but the bucket can be missing. */
	return res == OBJECT_NOT_FOUND ? OBJECT_LOST : res;
}

/* Calls fn for all objects below prefix. */
static enum object_result
each(const struct objects_s3 *s, struct s3_session *session, const char *prefix,
    s3_listed_fn *fn, void *arg, char why[static JSON_WHY_MAX])
{
	struct s3_page page = { 0 };
	char before[S3_TOKEN_MAX + 1] = "";
	const size_t n = strlen(prefix);

	if (n < 2 || n > OBJECT_KEY_MAX || prefix[n - 1] != '/')
		return fail(OBJECT_INVALID, why, "a prefix ends in a slash");
	do {
		AUTO(buf) struct buf b = BUF_EMPTY(S3_LIST_MAX);
		enum object_result res = get_page(s, session, prefix, page.token, &b, why);
		int e;

		if (res != OBJECT_OK)
			return res;
		memcpy(before, page.token, sizeof(before));
		e = s3_page_read(b.data, b.len, fn, arg, &page, why);
		if (e == -ENOMEM)
			return fail(OBJECT_NOMEM, why, "no memory, or over %d objects",
			    OBJECT_LIST_MAX);
		if (e < 0)
			return OBJECT_INVALID;
		if (page.is_truncated && strcmp(before, page.token) == 0)
			return fail(OBJECT_INVALID, why, "the S3 server's listing turns in a circle");
	} while (page.is_truncated);
	return OBJECT_OK;
}

static bool
add_info(void *arg, const struct object_info *o)
{
	struct object_list *l = arg;
	void *v;

	if (l->n == OBJECT_LIST_MAX)
		return false;
	v = (l->n & (l->n - 1)) ? l->v : reallocarray(l->v, l->n ? 2 * l->n : 1, sizeof(*l->v));
	if (!v)
		return false;
	l->v = v;
	l->v[l->n++] = *o;
	return true;
}

/* A listing has no metadata: each object is asked for its own.  One that was removed meanwhile
 * is left out. */
static enum object_result
complete(struct s3_session *session, struct object_list *l, char why[static JSON_WHY_MAX])
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct object_info *o = &l->v[i];
		const struct s3_request r = {
			.method = "HEAD", .key = o->key, .query = "", .may_repeat = true,
		};
		struct s3_answer a = { 0 };
		enum object_result res = of_reading(s3_send(session, &r, &a, why));

		if (res == OBJECT_NOT_FOUND)
			continue;
		if (res != OBJECT_OK)
			return res;
		memcpy(o->meta, a.info.meta, sizeof(o->meta));
		o->nmeta = a.info.nmeta;
		l->v[kept++] = *o;
	}
	l->n = kept;
	return OBJECT_OK;
}

static enum object_result
s3_list(void *ctx, const char *prefix, struct object_list *ret, char why[static JSON_WHY_MAX])
{
	struct objects_s3 *s = ctx;
	AUTO(s3_session) struct s3_session session = { 0 };
	AUTO(object_list) struct object_list l = { 0 };
	enum object_result res = s3_open(&session, &s->conf, why);

	if (res == OBJECT_OK)
		res = each(s, &session, prefix, add_info, &l, why);
	if (res == OBJECT_OK)
		res = complete(&session, &l, why);
	if (res != OBJECT_OK)
		return res;
	*ret = l;
	l = (struct object_list){ 0 };
	return OBJECT_OK;
}

static bool
add_key(void *arg, const struct object_info *o)
{
	struct object_keys *k = arg;
	char **v = (k->n & (k->n - 1)) ? k->v :
	    reallocarray(k->v, k->n ? 2 * k->n : 1, sizeof(*k->v));

	if (!v)
		return false;
	k->v = v;
	k->v[k->n] = strdup(o->key);
	return k->v[k->n] && ++k->n;
}

static enum object_result
s3_keys(void *ctx, const char *prefix, struct object_keys *ret, char why[static JSON_WHY_MAX])
{
	struct objects_s3 *s = ctx;
	AUTO(s3_session) struct s3_session session = { 0 };
	struct object_keys k = { 0 };
	enum object_result res = s3_open(&session, &s->conf, why);

	if (res == OBJECT_OK)
		res = each(s, &session, prefix, add_key, &k, why);
	if (res == OBJECT_OK)
		*ret = k;
	else
		object_keys_deinit(&k);
	return res;
}

/* ---- remove ---- */

/* A DELETE says nothing of whether there was something. */
static enum object_result
s3_remove(void *ctx, const char *key, char why[static JSON_WHY_MAX])
{
	struct objects_s3 *s = ctx;
	AUTO(s3_session) struct s3_session session = { 0 };
	struct s3_request r = {
		.method = "GET", .key = key, .query = "", .first_byte = true, .may_repeat = true,
	};
	struct s3_answer a = { 0 };
	enum object_result res;

	if (!object_key_is_valid(key))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", key);
	res = s3_open(&session, &s->conf, why);
	if (res == OBJECT_OK)
		res = of_reading(s3_send(&session, &r, &a, why));
	if (res != OBJECT_OK && a.status != 416)	/* an empty object has no first byte */
		return res;
	r.method = "DELETE";
	r.first_byte = false;
	/* A key is never used again, so what is repeated can hit nothing else. */
	res = s3_send(&session, &r, &a, why);
	return res == OBJECT_NOT_FOUND ? OBJECT_OK : res;
}

void
objects_s3_init(struct objects_s3 *s, const struct s3_conf *conf)
{
	*s = (struct objects_s3){
		.objects = { s, s3_put, s3_get, s3_list, s3_keys, s3_remove },
		.conf = *conf,
	};
}
