/* The object store that needs nothing installed: a bucket of its own. */
#include "common/objects.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/kv.h"
#include "common/subjects.h"

#define META_PREFIX	"x-amz-meta-"
#define HEADER_ROOM	1024	/* what the conditional write's own headers and framing take */

PRINTF_LIKE(3, 4) static enum object_result
fail(enum object_result r, char why[static JSON_WHY_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, JSON_WHY_MAX, fmt, ap);
	va_end(ap);
	return r;
}

static enum object_result
of_cas(enum cas_result c, const char *verb, char why[static JSON_WHY_MAX])
{
	static const enum object_result map[CAS_RESULTS] = {
		[CAS_OK]		= OBJECT_OK,
		[CAS_NOT_FOUND]		= OBJECT_NOT_FOUND,
		[CAS_LOST]		= OBJECT_EXISTS,
		[CAS_UNAVAILABLE]	= OBJECT_UNAVAILABLE,
		[CAS_UNKNOWN]		= OBJECT_UNKNOWN,
		[CAS_BUCKET_LOST]	= OBJECT_LOST,
		[CAS_REFUSED]		= OBJECT_REFUSED,
		[CAS_INVALID]		= OBJECT_INVALID,
		[CAS_NOMEM]		= OBJECT_NOMEM,
	};

	snprintf(why, JSON_WHY_MAX, "%s an object: %s", verb, cas_result_text(c));
	return c < CAS_RESULTS ? map[c] : OBJECT_INVALID;
}

static void
translate(char *s, char from, char to)
{
	for (; *s != '\0'; s++)
		if (*s == from)
			*s = to;
}

static bool
kv_key(const char *key, char ret[static OBJECT_KEY_MAX + 1])
{
	if (!object_key_is_valid(key))
		return false;
	snprintf(ret, OBJECT_KEY_MAX + 1, "%s", key);
	translate(ret, '/', '.');
	return true;
}

/* ---- put ---- */

struct meta_header {
	char	name[sizeof(META_PREFIX) + OBJECT_META_NAME_MAX];
};

static enum object_result
js_put(void *ctx, const struct object_info *o, const void *p, size_t n,
    char why[static JSON_WHY_MAX])
{
	struct objects_jetstream *s = ctx;
	struct meta_header names[OBJECT_META_MAX];
	struct bus_header h[OBJECT_META_MAX];
	char key[OBJECT_KEY_MAX + 1];
	uint64_t limit = bus_max_payload(s->bus), revision, room = HEADER_ROOM;
	enum cas_result c;

	if (!kv_key(o->key, key))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", o->key);
	for (size_t i = 0; i < o->nmeta; i++) {
		snprintf(names[i].name, sizeof(names[i].name), META_PREFIX "%s", o->meta[i].name);
		h[i] = (struct bus_header){ names[i].name, o->meta[i].value };
		room += strlen(h[i].name) + strlen(h[i].value) + 4;
	}
	if (limit != 0 && n + room > limit)
		return fail(OBJECT_REFUSED, why, "an object of %zu bytes with its metadata is "
		    "over the server's max_payload of %llu bytes", n, (unsigned long long)limit);
	/* The key is fresh, so no read has to show that it never had a message. */
	c = kv_put_headers_wait(s->bucket, key, h, o->nmeta, p, n, 0, s->timeout_ms, &revision);
	return of_cas(c, "writing", why);
}

/* ---- get ---- */

struct want {
	struct object_info	*info;
	bool			 is_bad;
};

static void
want_header(void *arg, const char *name, const char *value)
{
	struct want *w = arg;
	size_t n = strlen(META_PREFIX);

	if (strncmp(name, META_PREFIX, n) == 0 &&
	    object_meta_add(w->info, name + n, value) < 0)
		w->is_bad = true;
}

/* key is that of the bucket; info->key that of the object. */
static enum cas_result
load(struct objects_jetstream *s, const char *key, struct cas_entry *ret,
    struct object_info *info)
{
	struct want w = { .info = info };
	enum cas_result c = kv_load_headers_wait(s->bucket, key, s->timeout_ms, ret,
	    &info->written_ms, want_header, &w);

	if (c != CAS_OK)
		return c;
	info->bytes = ret->len;
	/* Foreign metadata that does not fit says nothing about the object: it counts as none. */
	if (w.is_bad)
		info->nmeta = 0;
	return CAS_OK;
}

static enum object_result
js_get(void *ctx, const char *key, struct buf *ret_body, struct object_info *ret_info,
    char why[static JSON_WHY_MAX])
{
	struct objects_jetstream *s = ctx;
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct object_info info = { 0 };
	char name[OBJECT_KEY_MAX + 1];
	enum cas_result c;
	int r;

	if (!kv_key(key, name))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", key);
	snprintf(info.key, sizeof(info.key), "%s", key);
	c = load(s, name, &e, &info);
	if (c != CAS_OK)
		return of_cas(c, "reading", why);
	r = buf_add(ret_body, e.value, e.len);
	if (r == -EMSGSIZE)
		return fail(OBJECT_REFUSED, why, "the object has %zu bytes, at most %zu are "
		    "expected", e.len, ret_body->max);
	if (r < 0)
		return fail(OBJECT_NOMEM, why, "no memory");
	if (ret_info)
		*ret_info = info;
	return OBJECT_OK;
}

/* ---- list ---- */

static void
keys_auto(struct kv_keys *k)
{
	kv_keys_deinit(k);
}

static enum object_result
list_keys(struct objects_jetstream *s, const struct kv_keys *keys, struct object_list *ret,
    char why[static JSON_WHY_MAX])
{
	if (keys->n > OBJECT_LIST_MAX)
		return fail(OBJECT_REFUSED, why, "%zu keys under one prefix, at most %d are read",
		    keys->n, OBJECT_LIST_MAX);
	ret->v = calloc(keys->n ? keys->n : 1, sizeof(*ret->v));
	if (!ret->v)
		return fail(OBJECT_NOMEM, why, "no memory");
	for (size_t i = 0; i < keys->n; i++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };
		struct object_info *o = &ret->v[ret->n];
		enum cas_result c;

		*o = (struct object_info){ 0 };
		if (strlen(keys->key[i]) > OBJECT_KEY_MAX)
			return fail(OBJECT_INVALID, why, "a key is too long");
		snprintf(o->key, sizeof(o->key), "%s", keys->key[i]);
		translate(o->key, '.', '/');
		c = load(s, keys->key[i], &e, o);
		if (c != CAS_OK && c != CAS_NOT_FOUND)
			return of_cas(c, "listing", why);
		ret->n += c == CAS_OK;		/* not found: removed meanwhile */
	}
	return OBJECT_OK;
}

/* The bucket's keys under an object prefix. */
static enum object_result
find_keys(struct objects_jetstream *s, const char *prefix, struct kv_keys *ret,
    char why[static JSON_WHY_MAX])
{
	char name[OBJECT_KEY_MAX + 1];
	size_t n = strlen(prefix);

	if (n < 2 || n > OBJECT_KEY_MAX || prefix[n - 1] != '/')
		return fail(OBJECT_INVALID, why, "a prefix ends in a slash");
	snprintf(name, sizeof(name), "%s", prefix);
	translate(name, '/', '.');
	return of_cas(kv_list_wait(s->bucket, name, s->timeout_ms, ret), "listing", why);
}

static enum object_result
js_list(void *ctx, const char *prefix, struct object_list *ret, char why[static JSON_WHY_MAX])
{
	struct objects_jetstream *s = ctx;
	__attribute__((cleanup(keys_auto))) struct kv_keys keys = { 0 };
	AUTO(object_list) struct object_list l = { 0 };
	enum object_result r = find_keys(s, prefix, &keys, why);

	if (r == OBJECT_OK)
		r = list_keys(s, &keys, &l, why);
	if (r != OBJECT_OK)
		return r;
	*ret = l;
	l = (struct object_list){ 0 };
	return OBJECT_OK;
}

static enum object_result
js_keys(void *ctx, const char *prefix, struct object_keys *ret, char why[static JSON_WHY_MAX])
{
	struct kv_keys keys = { 0 };
	enum object_result r = find_keys(ctx, prefix, &keys, why);

	if (r != OBJECT_OK)
		return r;
	for (size_t i = 0; i < keys.n; i++)
		translate(keys.key[i], '.', '/');
	*ret = (struct object_keys){ .v = keys.key, .n = keys.n };	/* its keys are ours now */
	return OBJECT_OK;
}

/* ---- remove ---- */

static enum object_result
js_remove(void *ctx, const char *key, char why[static JSON_WHY_MAX])
{
	struct objects_jetstream *s = ctx;
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char name[OBJECT_KEY_MAX + 1];
	enum cas_result c;

	if (!kv_key(key, name))
		return fail(OBJECT_INVALID, why, "%.100s is no key of an object", key);
	c = kv_load_wait(s->bucket, name, s->timeout_ms, &e);
	if (c == CAS_OK)
		c = kv_erase_wait(s->bucket, e.revision, s->timeout_ms);
	return of_cas(c, "deleting", why);
}

void
objects_jetstream_init(struct objects_jetstream *s, struct bus *bus, struct bucket *bucket,
    uint64_t timeout_ms)
{
	*s = (struct objects_jetstream){
		.objects = { s, js_put, js_get, js_list, js_keys, js_remove },
		.bus = bus,
		.bucket = bucket,
		.timeout_ms = timeout_ms,
	};
}
