#include "common/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/json_scan.h"

/*
 * How a number stands in a tree.  An integer of up to JSON_PLAIN_DIGITS digits is a plain
 * cJSON_Number, exact both ways.  A longer one is a cJSON_Raw with its own text, which prints
 * as it came.  Anything with a fraction or an exponent stays a cJSON_Number but keeps its text
 * in valuestring (cJSON frees and copies it, and does not print it), so that it is never taken
 * for an integer.
 */
#define PLAIN_MAX	999999999999999ull
#define PAIRWISE_MAX	16	/* members compared without sorting */

/* ---- duplicate names ---- */

static int
by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static bool
has_twin(const cJSON *first)
{
	for (const cJSON *i = first; i; i = i->next)
		for (const cJSON *k = i->next; k; k = k->next)
			if (strcmp(i->string, k->string) == 0)
				return true;
	return false;
}

/* Sorted, since a hostile object of thousands of members must not cost their square. */
static int
has_twin_sorted(const cJSON *first, size_t n)
{
	AUTO(mem) void *room = reallocarray(NULL, n, sizeof(char *));
	const char **names = room;
	size_t at = 0;

	if (!names)
		return -ENOMEM;
	for (const cJSON *i = first; i; i = i->next)
		names[at++] = i->string;
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			return 1;
	return 0;
}

/* After decoding, so that "a" and "\u0061" are one name. */
static int
check_names(const cJSON *obj, char *why)
{
	size_t n = (size_t)cJSON_GetArraySize(obj);
	int r;

	if (!cJSON_IsObject(obj))
		return 0;
	r = n <= PAIRWISE_MAX ? has_twin(obj->child) : has_twin_sorted(obj->child, n);
	if (r <= 0)
		return r;
	(void)snprintf(why, JSON_WHY_MAX, "expected no member's name twice in one object");
	return -EINVAL;
}

/* ---- parsing ---- */

/* A walk in the text's own order, which is the order of the scan's ordinals. */
struct walk {
	const struct json_numbers	*numbers;
	size_t				 ordinal, next;
	char				*why;
};

static int
keep_number(struct walk *w, cJSON *item)
{
	const struct json_number *n;

	if (w->next == w->numbers->n)
		return 0;
	n = &w->numbers->v[w->next];
	if (n->ordinal != w->ordinal++)
		return 0;
	w->next++;
	item->valuestring = strndup(n->text, n->len);
	if (!item->valuestring)
		return -ENOMEM;
	if (n->is_integer)
		item->type = cJSON_Raw;
	return 0;
}

static int
walk_tree(struct walk *w, cJSON *item)
{
	int r;

	if (cJSON_IsNumber(item))
		return keep_number(w, item);
	if ((r = check_names(item, w->why)) < 0)
		return r;
	for (cJSON *c = item->child; c; c = c->next)
		if ((r = walk_tree(w, c)) < 0)
			return r;
	return 0;
}

static int
build(const char *data, size_t len, const struct json_numbers *numbers, cJSON **ret, char *why)
{
	AUTO(json) cJSON *tree = cJSON_ParseWithLengthOpts(data, len, NULL, 0);
	struct walk w = { .numbers = numbers, .why = why };
	int r;

	if (!tree)
		return -ENOMEM;		/* what else could be wrong, the scan has refused */
	r = walk_tree(&w, tree);
	if (r == 0)
		*ret = steal_json(&tree);
	return r;
}

int
json_parse(const void *data, size_t len, size_t max_bytes, cJSON **ret,
    char why[static JSON_WHY_MAX])
{
	struct json_numbers numbers;
	int r;

	if (len > max_bytes) {
		(void)snprintf(why, JSON_WHY_MAX, "expected at most %zu bytes", max_bytes);
		return -EMSGSIZE;
	}
	r = json_scan(data, len, &numbers, why);
	if (r == 0) {
		r = build(data, len, &numbers, ret, why);
		json_numbers_deinit(&numbers);
	}
	if (r == -ENOMEM)
		(void)snprintf(why, JSON_WHY_MAX, "no memory");
	return r;
}

/* ---- reading a tree ---- */

/* The canonical form alone: digits, no sign, no leading zero, no overflow. */
static bool
digits_to_u64(const char *s, uint64_t *ret)
{
	uint64_t v = 0;

	if (s[0] == '\0' || (s[0] == '0' && s[1] != '\0'))
		return false;
	for (; *s; s++) {
		unsigned digit = (unsigned)(unsigned char)*s - '0';

		if (digit > 9 || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, digit, &v))
			return false;
	}
	*ret = v;
	return true;
}

bool
json_get_u64(const cJSON *item, uint64_t *ret)
{
	double d;

	if (cJSON_IsRaw(item))
		return item->valuestring && digits_to_u64(item->valuestring, ret);
	if (!cJSON_IsNumber(item) || item->valuestring)
		return false;
	d = item->valuedouble;
	if (!(d >= 0) || d > (double)PLAIN_MAX || d != (double)(uint64_t)d)
		return false;
	*ret = (uint64_t)d;
	return true;
}

bool
json_get_u64_str(const cJSON *item, uint64_t *ret)
{
	return cJSON_IsString(item) && digits_to_u64(item->valuestring, ret);
}

const cJSON *
json_member(const cJSON *obj, const char *key)
{
	if (!cJSON_IsObject(obj))
		return NULL;
	for (const cJSON *i = obj->child; i; i = i->next)
		if (i->string && strcmp(i->string, key) == 0)
			return i;
	return NULL;
}

const char *
json_text(const cJSON *obj, const char *key)
{
	const cJSON *item = json_member(obj, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* ---- making a tree ---- */

char *
json_print(const cJSON *tree)
{
	return tree ? cJSON_PrintUnformatted(tree) : NULL;
}

/* Takes item. */
static bool
add(cJSON *obj, const char *key, cJSON *item)
{
	if (!item)
		return false;
	if (cJSON_AddItemToObject(obj, key, item))
		return true;
	cJSON_Delete(item);
	return false;
}

bool
json_add_u64(cJSON *obj, const char *key, uint64_t v)
{
	char text[24];

	if (v <= PLAIN_MAX)
		return add(obj, key, cJSON_CreateNumber((double)v));
	(void)snprintf(text, sizeof(text), "%" PRIu64, v);
	return add(obj, key, cJSON_CreateRaw(text));
}

bool
json_add_u64_str(cJSON *obj, const char *key, uint64_t v)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, v);
	return add(obj, key, cJSON_CreateString(text));
}

bool
json_add_time(cJSON *obj, const char *key, uint64_t wall_ms)
{
	char text[CLOCK_TEXT_MAX];

	clock_to_text(wall_ms, text);
	return add(obj, key, cJSON_CreateString(text));
}
