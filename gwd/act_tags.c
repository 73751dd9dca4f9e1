/*
 * act_tags.c - CreateTags, DeleteTags and DescribeTags.  The tags of an instance live in its
 * record, which its owner changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/command.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/page.h"
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
const struct filter_table act_filters_tags = { tags_names, ARRAY_LEN(tags_names), "Self" };

#define TAGS_KEY_SIZE	(PAGE_KEY_MAX + 1)	/* "<id> <tag key>": what the tags are sorted by */
_Static_assert(TAGS_KEY_SIZE > INSTANCE_ID_MAX + 1 + 4 * TAG_KEY_MAX, "a sort key is cut");

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

static void
tags_each(struct describe *d, const struct inventory_item *i)
{
	char sort[TAGS_KEY_SIZE];
	const cJSON *tag;

	cJSON_ArrayForEach(tag, json_member(i->instance, "Tags")) {
		const char *key = json_text(tag, "Key");

		snprintf(sort, sizeof(sort), "%s %s", i->id, key ? key : "");
		describe_add(d, sort, tags_item(i->id, tag));
	}
}

static const struct describe_kind tags_kind = { .out = "Tags" };

void
act_describe_tags(struct gwd *g, struct call *c)
{
	describe_instances(g, c, &tags_kind, tags_each);
}
