#include "gwd/device_view.h"

#include <stdio.h>

#include "common/instance_view.h"
#include "common/network.h"
#include "gwd/template.h"
#include "gwd/volume_rule.h"
#include "gwd/volume_view.h"

static const char volume_text[] =
    "{\"VolumeId\":\"$id\",\"State\":\"in-use\",\"AvailabilityZone\":\"$zone\","
    "\"CreateTime\":\"$created\",\"Encrypted\":false,\"VolumeType\":\"$type\","
    "\"SnapshotId\":\"$snapshot\",\"MultiAttachEnabled\":false,\"Attachments\":["
    "{\"VolumeId\":\"$id\",\"InstanceId\":\"$instance\",\"Device\":\"$device\","
    "\"State\":\"$attached\",\"AttachTime\":\"$created\"}]}";

static const cJSON *
device_mapping(const cJSON *instance)
{
	return cJSON_GetArrayItem(json_member(instance, "BlockDeviceMappings"), 0);
}

static const char *
device_zone(const cJSON *instance)
{
	return json_text(json_member(instance, "Placement"), "AvailabilityZone");
}

const char *
device_volume_id(const cJSON *instance)
{
	return json_text(json_member(device_mapping(instance), "Ebs"), "VolumeId");
}

static const char *
device_type(const cJSON *facts)
{
	const char *type = json_text(facts, "volume_type");

	return type ? type : "gp2";		/* a vmd of before does not say */
}

static bool
device_add_speed(cJSON *volume, const cJSON *facts)
{
	struct volume v = { .bytes = volume_rule_number(facts, "volume_bytes"),
	    .iops = (uint32_t)volume_rule_number(facts, "volume_iops"),
	    .throughput = (uint32_t)volume_rule_number(facts, "volume_throughput") };

	(void)snprintf(v.type, sizeof(v.type), "%s", device_type(facts));
	return volume_view_add_speed(volume, &v);
}

/* A copy of from's member of that name, where there is one.  False: no memory. */
static bool
device_copy(cJSON *to, const cJSON *from, const char *member, const char *as)
{
	const cJSON *m = json_member(from, member);
	cJSON *copy = cJSON_Duplicate(m, true);

	if (!m)
		return true;
	if (copy && cJSON_AddItemToObject(to, as, copy))
		return true;
	cJSON_Delete(copy);
	return false;
}

cJSON *
device_volume(const cJSON *instance)
{
	const cJSON *facts = json_member(instance, INSTANCE_VIEW_FACTS);
	const cJSON *mapping = device_mapping(instance), *ebs = json_member(mapping, "Ebs");
	const char *image = json_text(instance, "ImageId");
	char snapshot[24];
	const struct template_value values[] = {
		{ "id", device_volume_id(instance) },
		{ "zone", device_zone(instance) },
		{ "created", json_text(instance, "UsageOperationUpdateTime") },
		{ "snapshot", snapshot },
		{ "type", device_type(facts) },
		{ "instance", json_text(instance, "InstanceId") },
		{ "device", json_text(mapping, "DeviceName") },
		{ "attached", json_text(ebs, "Status") },
	};
	AUTO(json) cJSON *volume = NULL;
	cJSON *attachment;

	network_id("snap", image ? image : "", snapshot, sizeof(snapshot));
	volume = template_fill(volume_text, values, ARRAY_LEN(values));
	attachment = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(volume, "Attachments"), 0);
	if (!volume || !device_add_speed(volume, facts) ||
	    !device_copy(volume, facts, "volume_tags", "Tags") || (attachment &&
	    !device_copy(attachment, ebs, "DeleteOnTermination", "DeleteOnTermination")))
		return NULL;
	return steal_json(&volume);
}

/* The interface in the instance's own words, and what it needs to stand alone. */
cJSON *
device_interface(const cJSON *instance, const cJSON *nic)
{
	AUTO(json) cJSON *item = cJSON_Duplicate(nic, true);
	cJSON *attachment = cJSON_GetObjectItemCaseSensitive(item, "Attachment");
	const char *zone = device_zone(instance);

	if (!item || !attachment ||
	    !cJSON_AddStringToObject(item, "AvailabilityZone", zone ? zone : "") ||
	    !device_copy(item, json_member(instance, INSTANCE_VIEW_FACTS), "interface_tags",
	    "TagSet") ||
	    /* EC2 says it of each, and clients rely on it. */
	    (!json_member(item, "TagSet") && !cJSON_AddArrayToObject(item, "TagSet")) ||
	    !device_copy(attachment, instance, "InstanceId", "InstanceId") ||
	    !device_copy(attachment, nic, "OwnerId", "InstanceOwnerId"))
		return NULL;
	return steal_json(&item);
}
