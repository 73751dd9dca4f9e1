/* The tables of json.h: a struct's fields from the members of an object, and back. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/json.h"

#define SHOWN_MAX	40	/* bytes of a foreign name that are repeated in a sentence */

static int decode_into(const cJSON *obj, const struct json_field *f, size_t n,
    enum json_mode mode, void *out, char *why);

static uint64_t
max_of(const struct json_field *f)
{
	uint64_t top = f->type == JSON_U32 ? UINT32_MAX : UINT64_MAX;

	return f->max == 0 || f->max > top ? top : f->max;
}

static int expected(char *why, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
static int
expected(char *why, const char *key, const char *fmt, ...)
{
	int n = snprintf(why, JSON_WHY_MAX, "%s: expected ", key);
	va_list ap;

	if (n < 0 || n >= JSON_WHY_MAX)
		return -EINVAL;
	va_start(ap, fmt);
	(void)vsnprintf(why + n, JSON_WHY_MAX - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* Inside "claim": "claim.holder: expected ...", or of itself "claim: expected ...". */
static int
within(char *why, const char *key)
{
	char inner[JSON_WHY_MAX];

	memcpy(inner, why, JSON_WHY_MAX);
	inner[JSON_WHY_MAX - 1] = '\0';
	(void)snprintf(why, JSON_WHY_MAX, "%.60s%s%.*s", key,
	    strncmp(inner, "expected ", 9) == 0 ? ": " : ".", JSON_WHY_MAX - 64, inner);
	return -EINVAL;
}

/* ---- decoding ---- */

static int
decode_text(const struct json_field *f, const cJSON *item, void *at, char *why)
{
	size_t len = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
	char *copy;

	if (!cJSON_IsString(item) || len < f->min || len > max_of(f)) {
		if (f->max == 0)
			return expected(why, f->key, "text of at least %" PRIu64 " bytes",
			    f->min);
		return expected(why, f->key, "text of %" PRIu64 " to %" PRIu64 " bytes",
		    f->min, f->max);
	}
	if (f->type == JSON_STR) {
		memcpy(at, item->valuestring, len + 1);
		return 0;
	}
	copy = strdup(item->valuestring);
	if (!copy)
		return -ENOMEM;
	memcpy(at, &copy, sizeof(copy));
	return 0;
}

static int
decode_number(const struct json_field *f, const cJSON *item, void *at, char *why)
{
	bool as_text = f->type == JSON_U64_STR;
	uint64_t v;
	uint32_t small;

	if (!(as_text ? json_get_u64_str(item, &v) : json_get_u64(item, &v)) ||
	    v < f->min || v > max_of(f))
		return expected(why, f->key, "%s from %" PRIu64 " to %" PRIu64,
		    as_text ? "a string of digits" : "a whole number", f->min, max_of(f));
	if (f->type == JSON_U32) {
		small = (uint32_t)v;
		memcpy(at, &small, sizeof(small));
	} else {
		memcpy(at, &v, sizeof(v));
	}
	return 0;
}

static int
decode_bool(const struct json_field *f, const cJSON *item, void *at, char *why)
{
	bool v = cJSON_IsTrue(item) != 0;

	if (!cJSON_IsBool(item))
		return expected(why, f->key, "true or false");
	memcpy(at, &v, sizeof(v));
	return 0;
}

static int
decode_time(const struct json_field *f, const cJSON *item, void *at, char *why)
{
	uint64_t ms;

	if (!cJSON_IsString(item) || clock_from_text(item->valuestring, &ms) < 0 ||
	    ms < f->min || ms > max_of(f))
		return expected(why, f->key, "a time such as 2026-10-30T01:02:03Z");
	memcpy(at, &ms, sizeof(ms));
	return 0;
}

static int
decode_tree(const cJSON *item, void *at)
{
	cJSON *copy = cJSON_Duplicate(item, 1);

	if (!copy)
		return -ENOMEM;
	/* Not a member any more: it prints as a value of its own. */
	cJSON_free(copy->string);
	copy->string = NULL;
	memcpy(at, &copy, sizeof(copy));
	return 0;
}

static int
decode_field(const struct json_field *f, const cJSON *item, enum json_mode mode, void *at,
    char *why)
{
	int r;

	switch (f->type) {
	case JSON_STR:
	case JSON_DUP:
		return decode_text(f, item, at, why);
	case JSON_U64:
	case JSON_U64_STR:
	case JSON_U32:
		return decode_number(f, item, at, why);
	case JSON_BOOL:
		return decode_bool(f, item, at, why);
	case JSON_TIME:
		return decode_time(f, item, at, why);
	case JSON_TREE:
		return decode_tree(item, at);
	case JSON_OBJECT:
		if (!cJSON_IsObject(item))
			return expected(why, f->key, "an object");
		r = decode_into(item, f->sub, f->nsub, mode, at, why);
		return r == -EINVAL ? within(why, f->key) : r;
	}
	abort();	/* a table with a type that is none */
}

static const struct json_field *
field_named(const struct json_field *f, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].key, key) == 0)
			return &f[i];
	return NULL;
}

/* A foreign name goes into an answer and a log line: printable, and not long. */
static int
refuse_unknown(const char *key, char *why)
{
	char shown[SHOWN_MAX + 1];
	size_t n = 0;

	for (; key[n] && n < SHOWN_MAX; n++)
		shown[n] = key[n] >= ' ' && key[n] < 0x7f && key[n] != '"' ? key[n] : '?';
	shown[n] = '\0';
	(void)snprintf(why, JSON_WHY_MAX, "expected no member \"%s%s\"", shown,
	    key[n] ? "..." : "");
	return -EINVAL;
}

static int
decode_into(const cJSON *obj, const struct json_field *f, size_t n, enum json_mode mode,
    void *out, char *why)
{
	int r;

	for (size_t i = 0; i < n; i++) {
		const cJSON *item = json_member(obj, f[i].key);

		if (!item || cJSON_IsNull(item)) {
			if (f[i].need)
				return expected(why, f[i].key, "a value");
			continue;
		}
		r = decode_field(&f[i], item, mode, (char *)out + f[i].offset, why);
		if (r < 0)
			return r;
	}
	if (mode == JSON_LOOSE)
		return 0;
	for (const cJSON *c = obj->child; c; c = c->next)
		if (!field_named(f, n, c->string))
			return refuse_unknown(c->string, why);
	return 0;
}

int
json_decode(const cJSON *obj, const struct json_field *f, size_t n, enum json_mode mode,
    void *out, size_t out_size, char why[static JSON_WHY_MAX])
{
	int r;

	if (!cJSON_IsObject(obj)) {
		(void)snprintf(why, JSON_WHY_MAX, "expected an object");
		return -EINVAL;
	}
	r = decode_into(obj, f, n, mode, out, why);
	if (r < 0) {
		json_release(f, n, out);
		memset(out, 0, out_size);
	}
	if (r == -ENOMEM)
		(void)snprintf(why, JSON_WHY_MAX, "no memory");
	return r;
}

int
json_read(const void *data, size_t len, size_t max_bytes, const struct json_field *f, size_t n,
    enum json_mode mode, void *out, size_t out_size, char why[static JSON_WHY_MAX])
{
	AUTO(json) cJSON *tree = NULL;
	int r = json_parse(data, len, max_bytes, &tree, why);

	return r < 0 ? r : json_decode(tree, f, n, mode, out, out_size, why);
}

void
json_release(const struct json_field *f, size_t n, void *s)
{
	for (size_t i = 0; i < n; i++) {
		void *at = (char *)s + f[i].offset;
		void *owned;

		if (f[i].type == JSON_OBJECT)
			json_release(f[i].sub, f[i].nsub, at);
		if (f[i].type != JSON_DUP && f[i].type != JSON_TREE)
			continue;
		memcpy(&owned, at, sizeof(owned));
		if (f[i].type == JSON_DUP)
			free(owned);
		else
			cJSON_Delete(owned);
		memset(at, 0, sizeof(owned));
	}
}

/* ---- encoding ---- */

static uint64_t
number_at(const struct json_field *f, const void *at)
{
	uint32_t small;
	uint64_t v;

	if (f->type == JSON_U32) {
		memcpy(&small, at, sizeof(small));
		return small;
	}
	memcpy(&v, at, sizeof(v));
	return v;
}

static void *
pointer_at(const void *at)
{
	void *p;

	memcpy(&p, at, sizeof(p));
	return p;
}

static bool
is_empty(const struct json_field *f, const void *at)
{
	switch (f->type) {
	case JSON_STR:
		return *(const char *)at == '\0';
	case JSON_DUP:
	case JSON_TREE:
		return !pointer_at(at);
	case JSON_U64:
	case JSON_U64_STR:
	case JSON_U32:
	case JSON_TIME:
		return number_at(f, at) == 0;
	case JSON_BOOL:
		return !*(const bool *)at;
	case JSON_OBJECT:
		for (size_t i = 0; i < f->nsub; i++)
			if (!is_empty(&f->sub[i], (const char *)at + f->sub[i].offset))
				return false;
		return true;
	}
	abort();	/* a table with a type that is none */
}

/* Takes item; false without memory. */
static bool
add_item(cJSON *obj, const char *key, cJSON *item)
{
	if (item && cJSON_AddItemToObject(obj, key, item))
		return true;
	cJSON_Delete(item);
	return false;
}

static bool
encode_field(cJSON *obj, const struct json_field *f, const void *at)
{
	const void *p;

	switch (f->type) {
	case JSON_STR:
		return add_item(obj, f->key, cJSON_CreateString(at));
	case JSON_DUP:
		p = pointer_at(at);
		return add_item(obj, f->key, cJSON_CreateString(p ? p : ""));
	case JSON_TREE:
		p = pointer_at(at);
		return add_item(obj, f->key, p ? cJSON_Duplicate(p, 1) : cJSON_CreateNull());
	case JSON_U64:
	case JSON_U32:
		return json_add_u64(obj, f->key, number_at(f, at));
	case JSON_U64_STR:
		return json_add_u64_str(obj, f->key, number_at(f, at));
	case JSON_BOOL:
		return add_item(obj, f->key, cJSON_CreateBool(*(const bool *)at));
	case JSON_TIME:
		return json_add_time(obj, f->key, number_at(f, at));
	case JSON_OBJECT:
		return add_item(obj, f->key, json_encode(f->sub, f->nsub, at));
	}
	abort();	/* a table with a type that is none */
}

cJSON *
json_encode(const struct json_field *f, size_t n, const void *in)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	if (!obj)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const void *at = (const char *)in + f[i].offset;

		if (!f[i].need && is_empty(&f[i], at))
			continue;
		if (!encode_field(obj, &f[i], at))
			return NULL;
	}
	return steal_json(&obj);
}
