#include "gwd/filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gwd/glob.h"

#define FILTER_TAG	"tag:"
#define FILTER_TAG_KEY	"tag-key"
#define FILTER_MEMBER_MAX	64	/* bytes of one member of a path */

static const struct filter_name *
filter_find(const struct filter_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->rows[i].name, name) == 0)
			return &t->rows[i];
	}
	return NULL;
}

static bool
filter_is_tag(const char *name)
{
	return strncmp(name, FILTER_TAG, strlen(FILTER_TAG)) == 0;
}

static bool
filter_is_known(const struct filter_table *t, const char *name)
{
	if (filter_is_tag(name) || strcmp(name, FILTER_TAG_KEY) == 0)
		return t->tags != NULL;
	return filter_find(t, name) != NULL;
}

static bool
filter_is_too_long(const cJSON *values)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, values) {
		if (cJSON_IsString(v) && strlen(v->valuestring) > FILTER_VALUE_LEN_MAX)
			return true;
	}
	return false;
}

enum filter_result
filter_check(const struct filter_table *t, const cJSON *filters, const char **ret_name)
{
	const cJSON *f;
	int values = 0;

	if (cJSON_GetArraySize(filters) > FILTERS_MAX)
		return FILTER_TOO_MANY;
	cJSON_ArrayForEach(f, filters) {
		const char *name = json_text(f, "Name");

		if (!name || *name == '\0')
			return FILTER_UNNAMED;
		if (!filter_is_known(t, name)) {
			*ret_name = name;
			return FILTER_UNKNOWN;
		}
		values += cJSON_GetArraySize(json_member(f, "Values"));
		if (values > FILTER_VALUES_MAX)
			return FILTER_TOO_MANY;
		if (filter_is_too_long(json_member(f, "Values"))) {
			*ret_name = name;
			return FILTER_TOO_LONG;
		}
	}
	return FILTER_OK;
}

static bool
filter_any_value(const cJSON *values, const char *text)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, values) {
		if (cJSON_IsString(v) && glob_match(v->valuestring, text))
			return true;
	}
	return false;
}

/* A leaf against the wanted values, as EC2 prints it. */
static bool
filter_leaf(const cJSON *leaf, const cJSON *values)
{
	char text[24];
	uint64_t n;

	if (cJSON_IsString(leaf))
		return filter_any_value(values, leaf->valuestring);
	if (cJSON_IsBool(leaf))
		return filter_any_value(values, cJSON_IsTrue(leaf) ? "true" : "false");
	if (!json_get_u64(leaf, &n))
		return false;
	snprintf(text, sizeof(text), "%" PRIu64, n);
	return filter_any_value(values, text);
}

/*
 * Walks path from node and calls leaf(node, arg) at each end.  Lists multiply the ends.  The
 * recursion is as deep as a path has members, which are our own tables'.
 */
typedef bool filter_leaf_fn(const cJSON *leaf, const void *arg);

static bool
filter_walk(const cJSON *node, const char *path, filter_leaf_fn *leaf, const void *arg)
{
	char member[FILTER_MEMBER_MAX];
	size_t len = strcspn(path, ".");
	const cJSON *item;

	if (!node)
		return false;
	if (cJSON_IsArray(node)) {
		cJSON_ArrayForEach(item, node) {
			if (filter_walk(item, path, leaf, arg))
				return true;
		}
		return false;
	}
	if (len == 0)
		return leaf(node, arg);
	if (len >= sizeof(member))
		return false;
	memcpy(member, path, len);
	member[len] = '\0';
	path += len + (path[len] == '.');
	return filter_walk(json_member(node, member), path, leaf, arg);
}

static bool
filter_value_leaf(const cJSON *leaf, const void *arg)
{
	return filter_leaf(leaf, arg);
}

struct filter_tag {
	const char	*key;		/* NULL: the values are keys */
	const cJSON	*values;
};

static bool
filter_tag_leaf(const cJSON *tag, const void *arg)
{
	const struct filter_tag *want = arg;
	const char *key = json_text(tag, "Key");
	const char *value = json_text(tag, "Value");

	if (!key)
		return false;
	if (!want->key)
		return filter_any_value(want->values, key);
	return strcmp(key, want->key) == 0 &&
	    filter_any_value(want->values, value ? value : "");
}

/* filter_walk ends at the elements of the list: an empty path calls leaf on each. */
static bool
filter_match_tag(const struct filter_table *t, const char *name, const cJSON *values,
    const cJSON *item)
{
	struct filter_tag want = { .values = values };

	if (filter_is_tag(name))
		want.key = name + strlen(FILTER_TAG);
	return filter_walk(item, t->tags, filter_tag_leaf, &want);
}

static bool
filter_match_one(const struct filter_table *t, const cJSON *f, const cJSON *item,
    const cJSON *parent)
{
	const char *name = json_text(f, "Name");
	const cJSON *values = json_member(f, "Values");
	const struct filter_name *row;

	if (!name)
		return false;
	row = filter_find(t, name);
	if (!row)
		return t->tags && filter_match_tag(t, name, values, item);
	if (!row->path)
		return false;
	if (row->path[0] == '=')
		return filter_any_value(values, row->path + 1);
	if (row->path[0] == '^')
		return filter_walk(parent, row->path + 1, filter_value_leaf, values);
	return filter_walk(item, row->path, filter_value_leaf, values);
}

bool
filter_match(const struct filter_table *t, const cJSON *filters, const cJSON *item,
    const cJSON *parent)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, filters) {
		if (!filter_match_one(t, f, item, parent))
			return false;
	}
	return true;
}
