/*
 * act_tags.c - CreateTags, DeleteTags and DescribeTags.  The tags of an instance live in its
 * record, which its owner changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/command.h"
#include "gwd/gwd.h"
#include "gwd/inventory.h"
#include "gwd/tag_rule.h"

/* ---- create and delete ---- */

static cJSON *
tags_answer(const struct command *c)
{
	return cJSON_CreateObject();	/* no output shape: <return>true</return> */
}

static cJSON *
tags_data(cJSON *command, const char *member, bool is_list)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_tags_data");

	if (!data)
		return NULL;
	return is_list ? cJSON_AddArrayToObject(data, member) : cJSON_AddObjectToObject(data, member);
}

static bool
tags_fill_set(const struct command *c, const struct instance *i, cJSON *command)
{
	cJSON *tags = tags_data(command, "tags", false);
	const cJSON *tag;

	if (!tags)
		return false;
	cJSON_ArrayForEach(tag, json_member(c->call->in, "Tags")) {
		const char *value = json_text(tag, "Value");

		if (!cJSON_AddStringToObject(tags, json_text(tag, "Key"), value ? value : ""))
			return false;
	}
	return true;
}

/* EC2: a tag with a value goes only while it has that value; without one, whatever it has. */
static bool
tags_goes(const struct instance *i, const cJSON *tag)
{
	const char *value = json_text(tag, "Value");
	const char *now = instance_tag(i, json_text(tag, "Key"));

	return now && (!value || strcmp(value, now) == 0);
}

static bool
tags_add_key(cJSON *keys, const char *key)
{
	cJSON *one = cJSON_CreateString(key);

	if (one && cJSON_AddItemToArray(keys, one))
		return true;
	cJSON_Delete(one);
	return false;
}

/* Without a list of tags all go, but for those that EC2 itself has put. */
static bool
tags_fill_remove(const struct command *c, const struct instance *i, cJSON *command)
{
	const cJSON *wanted = json_member(c->call->in, "Tags"), *tag;
	cJSON *keys = tags_data(command, "tag_keys", true);

	if (!keys)
		return false;
	for (size_t n = 0; !wanted && n < i->ntags; n++) {
		if (strncmp(i->tags[n].key, "aws:", 4) != 0 && !tags_add_key(keys, i->tags[n].key))
			return false;
	}
	cJSON_ArrayForEach(tag, wanted) {
		if (tags_goes(i, tag) && !tags_add_key(keys, json_text(tag, "Key")))
			return false;
	}
	return true;
}

static const struct command_spec tags_set = { .verb = &verb_set_tags, .ids = "Resources",
	.fill = tags_fill_set, .answer = tags_answer };
static const struct command_spec tags_remove = { .verb = &verb_remove_tags, .ids = "Resources",
	.fill = tags_fill_remove, .answer = tags_answer };

/* Tags are kept for instances. */
static int
tags_check_resources(const cJSON *in, struct shape_error *e)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		const char *text = cJSON_IsString(id) ? id->valuestring : "";

		if (ident_is_ec2(text, "i"))
			continue;
		if (strncmp(text, "i-", 2) == 0)
			return shape_refuse(e, "InvalidInstanceID.Malformed",
			    "Invalid id: \"%.64s\"", text);
		if (!strchr(text, '-'))
			return shape_refuse(e, "InvalidID", "The ID '%.64s' is not valid", text);
		return shape_refuse(e, "UnsupportedOperation",
		    "Tags of '%.64s' cannot be changed: only those of instances can.", text);
	}
	return 0;
}

int
act_create_tags_check(const cJSON *in, struct shape_error *e)
{
	char why[TAG_MESSAGE_MAX];
	const char *code = tag_rule_check(json_member(in, "Tags"), why);

	if (code)
		return shape_refuse(e, code, "%s", why);
	if (cJSON_GetArraySize(json_member(in, "Tags")) == 0)
		return shape_refuse(e, "MissingParameter",
		    "The request must contain the parameter Tags");
	return tags_check_resources(in, e);
}

int
act_delete_tags_check(const cJSON *in, struct shape_error *e)
{
	const cJSON *tag;

	cJSON_ArrayForEach(tag, json_member(in, "Tags")) {
		if (!json_text(tag, "Key"))
			return shape_refuse(e, "MissingParameter",
			    "The request must contain the parameter Tag.Key");
	}
	return tags_check_resources(in, e);
}

void
act_create_tags(struct gwd *g, struct call *c)
{
	command_start(g, c, &tags_set);
}

void
act_delete_tags(struct gwd *g, struct call *c)
{
	command_start(g, c, &tags_remove);
}

/* ---- describe ---- */

static const struct filter_name tags_names[] = {
	{ "key",		"Key" },
	{ "resource-id",	"ResourceId" },
	{ "resource-type",	"ResourceType" },
	{ "value",		"Value" },
};
/* tag:<key> is matched on a list of the one tag that an item is. */
static const struct filter_table tags_filters = { tags_names, ARRAY_LEN(tags_names), "Self" };
static const struct page_rule tags_pages = { "DescribeTags", 5, 1000 };

#define TAGS_KEY_SIZE	(PAGE_KEY_MAX + 1)	/* "<id> <tag key>": what the tags are sorted by */
_Static_assert(TAGS_KEY_SIZE > INSTANCE_ID_MAX + 1 + 4 * TAG_KEY_MAX, "a sort key is cut");

struct tags_row {
	char	*key;
	cJSON	*item;
};

struct tags_list {
	struct call		*call;
	struct id_list		 all;		/* empty: every instance */
	struct page		 page;
	struct tags_row		*rows;
	size_t			 n, room;
	bool			 nomem;
};

static void
tags_free(struct tags_list *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->rows[i].key);
		cJSON_Delete(t->rows[i].item);
	}
	free(t->rows);
	free(t);
}

/* {"Key", "Value", "ResourceId", "ResourceType", "Self": [{"Key", "Value"}]} */
static cJSON *
tags_item(const char *id, const cJSON *tag)
{
	AUTO(json) cJSON *item = cJSON_Duplicate(tag, true);
	cJSON *self = item ? cJSON_AddArrayToObject(item, "Self") : NULL;
	cJSON *copy = cJSON_Duplicate(tag, true);

	if (self && copy && cJSON_AddItemToArray(self, copy)) {
		copy = NULL;
		if (cJSON_AddStringToObject(item, "ResourceId", id) &&
		    cJSON_AddStringToObject(item, "ResourceType", "instance"))
			return steal_json(&item);
	}
	cJSON_Delete(copy);
	return NULL;
}

static bool
tags_grow(struct tags_list *t)
{
	size_t room = t->room ? 2 * t->room : 32;
	struct tags_row *more;

	if (t->n < t->room)
		return true;
	more = realloc(t->rows, room * sizeof(*more));
	if (!more)
		return false;
	t->rows = more;
	t->room = room;
	return true;
}

static void
tags_add(struct tags_list *t, const char *id, const cJSON *tag)
{
	AUTO(json) cJSON *item = tags_item(id, tag);
	const char *key = json_text(tag, "Key");
	AUTO(str) char *sort = malloc(TAGS_KEY_SIZE);

	if (!item || !key || !sort || !tags_grow(t)) {
		t->nomem = true;
		return;
	}
	if (!filter_match(&tags_filters, json_member(t->call->in, "Filters"), item, NULL))
		return;
	snprintf(sort, TAGS_KEY_SIZE, "%s %s", id, key);
	t->rows[t->n++] = (struct tags_row){ steal_str(&sort), steal_json(&item) };
}

static bool
tags_round(void *arg, struct inventory_item *items, size_t n)
{
	struct tags_list *t = arg;
	const cJSON *tag;

	for (size_t i = 0; i < n; i++) {
		cJSON_ArrayForEach(tag, json_member(items[i].instance, "Tags"))
			tags_add(t, items[i].id, tag);
	}
	return t->nomem;
}

/* The page's items, in order, out of the rows. */
static bool
tags_fill(struct tags_list *t, cJSON *out)
{
	AUTO(mem) void *room = calloc(t->n + 1, sizeof(struct page_item));
	struct page_item *items = room;
	cJSON *list = cJSON_AddArrayToObject(out, "Tags");
	size_t first, count;
	bool more;

	if (!items || !list)
		return false;
	for (size_t i = 0; i < t->n; i++)
		items[i] = (struct page_item){ t->rows[i].key, &t->rows[i] };
	count = page_cut(&t->page, items, t->n, &first, &more);
	for (size_t i = first; i < first + count; i++) {
		struct tags_row *row = items[i].item;

		if (!cJSON_AddItemToArray(list, row->item))
			return false;
		row->item = NULL;
	}
	return !more || ask_next(&tags_pages, items[first + count - 1].key, out);
}

static void
tags_end(void *arg, const struct inventory_error *e)
{
	struct tags_list *t = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (e)
		call_fail(t->call, e->code, "%s", e->message);
	else if (!out || t->nomem || !tags_fill(t, out))
		ask_fail_nomem(t->call);
	else
		call_answer(t->call, steal_json(&out));
	tags_free(t);
}

int
act_describe_tags_check(const cJSON *in, struct shape_error *ret_error)
{
	return ask_check_filters(&tags_filters, in, ret_error);
}

void
act_describe_tags(struct gwd *g, struct call *c)
{
	struct tags_list *t = calloc(1, sizeof(*t));
	struct inventory_ask ask = { .call = c, .after = "", .round = tags_round, .end = tags_end,
	    .arg = t };

	if (!t) {
		ask_fail_nomem(c);
		return;
	}
	t->call = c;
	ask.ids = &t->all;
	if (!ask_page(c, &tags_pages, false, &t->page)) {
		tags_free(t);
		return;
	}
	if (inventory_start(g, &ask))
		return;
	ask_fail_unready(c);
	tags_free(t);
}
