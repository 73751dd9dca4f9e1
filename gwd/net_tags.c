/*
 * net_tags.c - the tags of a network's things: see net.h.
 */
#include "common/instance.h"
#include "gwd/net_impl.h"
#include "gwd/tag_list.h"

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

cJSON *
net_tags_set(struct net *n, const cJSON *in)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		cJSON *tags = tags_of(n, id->valuestring);
		const enum tag_list_result r = tags ? tag_list_set(tags, json_member(in, "Tags")) :
		    TAG_LIST_NOMEM;

		if (r == TAG_LIST_FULL)
			return net_fail(n, "TagLimitExceeded", TAG_LIST_FULL_SAID, INSTANCE_TAGS_MAX, id->valuestring);
		if (r != TAG_LIST_OK)
			return NULL;
	}
	return net_done();
}

cJSON *
net_tags_drop(struct net *n, const cJSON *in)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, json_member(in, "Resources")) {
		cJSON *tags = tags_of(n, id->valuestring);

		if (!tags)
			return NULL;
		tag_list_drop(tags, json_member(in, "Tags"));
	}
	return net_done();
}
