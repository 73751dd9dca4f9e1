/*
 * net_tags.c - the tags of a network's things: see net.h.
 */
#include <string.h>

#include "common/instance.h"
#include "gwd/net_impl.h"

/* The tags of the thing with that id, made where there are none.  NULL: refused, or no memory. */
static cJSON *
tags_of(struct net *n, const char *id)
{
	const enum net_kind k = net_kind_of(id);
	cJSON *thing = k == NET_KINDS ? NULL : net_need(n, k, id);
	cJSON *tags;

	if (!thing)
		return NULL;
	tags = cJSON_GetObjectItemCaseSensitive(thing, net_rows[k].tags);
	return tags ? tags : cJSON_AddArrayToObject(thing, net_rows[k].tags);
}

static cJSON *
tag_of(const cJSON *tags, const char *key)
{
	cJSON *tag;

	cJSON_ArrayForEach(tag, tags) {
		if (net_text_is(tag, "Key", key))
			return tag;
	}
	return NULL;
}

static bool
tag_set(cJSON *tags, const char *key, const char *value)
{
	const struct template_value v[] = { { "key", key }, { "value", value } };
	cJSON *tag = tag_of(tags, key);

	if (tag)
		return net_set_text(tag, "Value", value);
	tag = template_fill("{\"Key\":\"$key\",\"Value\":\"$value\"}", v, ARRAY_LEN(v));
	if (tag && cJSON_AddItemToArray(tags, tag))
		return true;
	cJSON_Delete(tag);
	return false;
}

cJSON *
net_tags_set(struct net *n, const cJSON *in)
{
	const cJSON *id, *tag;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		cJSON *tags = tags_of(n, id->valuestring);

		if (!tags)
			return NULL;
		cJSON_ArrayForEach(tag, json_member(in, "Tags")) {
			const char *value = json_text(tag, "Value");

			if (!tag_set(tags, json_text(tag, "Key"), value ? value : ""))
				return NULL;
		}
		if (cJSON_GetArraySize(tags) > INSTANCE_TAGS_MAX)
			return net_fail(n, "TagLimitExceeded", "The maximum number of tags, %d, is reached for "
			    "'%s'.", INSTANCE_TAGS_MAX, id->valuestring);
	}
	return net_done();
}

/* EC2: a tag with a value goes only while it has that value. */
static void
tag_drop(cJSON *tags, const cJSON *asked)
{
	const char *value = json_text(asked, "Value");
	cJSON *tag = tag_of(tags, json_text(asked, "Key"));

	if (tag && (!value || net_text_is(tag, "Value", value)))
		cJSON_Delete(cJSON_DetachItemViaPointer(tags, tag));
}

cJSON *
net_tags_drop(struct net *n, const cJSON *in)
{
	const cJSON *asked = json_member(in, "Tags"), *id, *tag;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		cJSON *tags = tags_of(n, id->valuestring);

		if (!tags)
			return NULL;
		while (!asked && tags->child)
			cJSON_Delete(cJSON_DetachItemViaPointer(tags, tags->child));
		cJSON_ArrayForEach(tag, asked)
			tag_drop(tags, tag);
	}
	return net_done();
}
