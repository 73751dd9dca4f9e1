/*
 * act_tags_list.c - DescribeTags: of instances and their parts, volumes, images, key pairs, the
 * network.
 */
#include <stdio.h>
#include <string.h>

#include "common/image.h"
#include "common/instance_view.h"
#include "common/volume.h"
#include "gwd/acts.h"
#include "gwd/describe.h"
#include "gwd/device_view.h"
#include "gwd/gwd.h"
#include "gwd/key_pair.h"
#include "gwd/network_read.h"
#include "gwd/page.h"
#include "gwd/tag_rule.h"

static const struct filter_name tags_names[] = {
	{ "key",		"Key" },
	{ "resource-id",	"ResourceId" },
	{ "resource-type",	"ResourceType" },
	{ "value",		"Value" },
};
/* tag:<key> is matched on a list of the one tag that an item is. */
const struct filter_table act_filters_tags = { tags_names, ARRAY_LEN(tags_names), "Self" };

#define TAGS_KEY_SIZE	(PAGE_KEY_MAX + 1)	/* "<id> <tag key>": what the tags are sorted by */
_Static_assert(TAGS_KEY_SIZE > INSTANCE_ID_MAX + 3 + 4 * TAG_KEY_MAX, "a sort key is cut");

/* {"Key", "Value", "ResourceId", "ResourceType", "Self": [{"Key", "Value"}]} */
static cJSON *
tags_item(const char *id, const char *type, const cJSON *tag)
{
	AUTO(json) cJSON *item = cJSON_Duplicate(tag, true);
	cJSON *self = item ? cJSON_AddArrayToObject(item, "Self") : NULL;
	cJSON *copy = cJSON_Duplicate(tag, true);

	if (self && copy && cJSON_AddItemToArray(self, copy)) {
		copy = NULL;
		if (cJSON_AddStringToObject(item, "ResourceId", id) &&
		    cJSON_AddStringToObject(item, "ResourceType", type))
			return steal_json(&item);
	}
	cJSON_Delete(copy);
	return NULL;
}

static void
tags_show(struct describe *d, const char *id, const char *type, const cJSON *tags)
{
	char sort[TAGS_KEY_SIZE];
	const cJSON *tag;

	cJSON_ArrayForEach(tag, tags) {
		const char *key = json_text(tag, "Key");

		snprintf(sort, sizeof(sort), "%s %s", id, key ? key : "");
		describe_add(d, sort, tags_item(id, type, tag));
	}
}

static void
tags_instance(struct describe *d, const struct inventory_item *i)
{
	const cJSON *facts = json_member(i->instance, INSTANCE_VIEW_FACTS);
	const cJSON *nic = cJSON_GetArrayItem(json_member(i->instance, "NetworkInterfaces"), 0);
	const char *volume = device_volume_id(i->instance);
	const char *eni = json_text(nic, "NetworkInterfaceId");

	tags_show(d, i->id, "instance", json_member(i->instance, "Tags"));
	if (volume)
		tags_show(d, volume, "volume", json_member(facts, "volume_tags"));
	if (eni)
		tags_show(d, eni, "network-interface", json_member(facts, "interface_tags"));
}

static void
tags_key_pair(struct describe *d, const char *key, const struct cas_entry *e)
{
	AUTO(key_pair) struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];

	if (key_pair_from_json(e->value, e->len, &k, why) == 0)
		tags_show(d, k.id, "key-pair", k.tags);
}

/* Those of the network's things. */
static void
tags_of_network(struct describe *d)
{
	const cJSON *thing;

	if (!network_default(d))
		return;
	for (size_t k = 0; k < NET_KINDS; k++) {
		const struct net_row *row = &net_rows[k];

		cJSON_ArrayForEach(thing, json_member(describe_kept(d), row->list))
			tags_show(d, json_text(thing, row->id), row->type, json_member(thing, row->tags));
	}
	describe_end(d);
}

static void
tags_read_network(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->networks, NULL, network_take,
	    tags_of_network);
}

static void
tags_key_pairs(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->key_pairs, NULL, tags_key_pair,
	    tags_read_network);
}

static void
tags_image(struct describe *d, const char *key, const struct cas_entry *e)
{
	AUTO(json) cJSON *tags = image_tags_from_json(e->value, e->len);
	struct image i;
	char why[JSON_WHY_MAX];

	if (image_from_json(e->value, e->len, &i, why) == 0)
		tags_show(d, i.id, "image", tags);
}

static void
tags_images(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->images, NULL, tags_image,
	    tags_key_pairs);
}

static void
tags_volume(struct describe *d, const char *key, const struct cas_entry *e)
{
	AUTO(volume) struct volume v = { 0 };
	char why[JSON_WHY_MAX];

	if (volume_from_json(e->value, e->len, &v, why) == 0)
		tags_show(d, v.id, "volume", v.tags);
}

static void
tags_volumes(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->volumes, NULL, tags_volume,
	    tags_images);
}

static const struct describe_kind tags_kind = { .out = "Tags" };

void
act_describe_tags(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &tags_kind);

	if (d)
		describe_read_instances(d, tags_instance, tags_volumes);
}
