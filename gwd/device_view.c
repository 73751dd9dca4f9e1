#include "gwd/device_view.h"

#include "common/instance_view.h"
#include "common/network.h"
#include "gwd/template.h"

#define GIB		(1024ull * 1024 * 1024)
/* What EC2's gp2 gives: 3 a GiB, 100 at least, 16000 at most. */
#define IOPS_PER_GIB	3
#define IOPS_MIN	100
#define IOPS_MAX	16000

#define VOLUME_TEXT(state, attachments)							\
    "{\"VolumeId\":\"$id\",\"State\":\"" state "\",\"AvailabilityZone\":\"$zone\","	\
    "\"CreateTime\":\"$created\",\"Encrypted\":false,\"VolumeType\":\"gp2\","		\
    "\"SnapshotId\":\"$snapshot\",\"MultiAttachEnabled\":false,"				\
    "\"Attachments\":[" attachments "]}"
static const char volume_text[] = VOLUME_TEXT("in-use",
    "{\"VolumeId\":\"$id\",\"InstanceId\":\"$instance\",\"Device\":\"$device\","
    "\"State\":\"$attached\",\"AttachTime\":\"$created\"}");
/* What is left of an instance that was terminated without it. */
static const char volume_kept_text[] = VOLUME_TEXT("available", "");

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
	const cJSON *mapping = device_mapping(instance);

	return mapping ? json_text(json_member(mapping, "Ebs"), "VolumeId") :
	    json_text(json_member(instance, INSTANCE_VIEW_FACTS), "kept_volume");
}

static bool
device_add_size(cJSON *volume, const cJSON *facts)
{
	uint64_t bytes = 0, gib, iops;

	if (!json_get_u64(json_member(facts, "volume_bytes"), &bytes))
		bytes = 0;
	gib = (bytes + GIB - 1) / GIB;
	iops = gib * IOPS_PER_GIB;
	iops = iops < IOPS_MIN ? IOPS_MIN : iops > IOPS_MAX ? IOPS_MAX : iops;
	return json_add_u64(volume, "Size", gib) && json_add_u64(volume, "Iops", iops);
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
		{ "instance", json_text(instance, "InstanceId") },
		{ "device", json_text(mapping, "DeviceName") },
		{ "attached", json_text(ebs, "Status") },
	};
	AUTO(json) cJSON *volume = NULL;
	cJSON *attachment;

	network_id("snap", image ? image : "", snapshot, sizeof(snapshot));
	volume = template_fill(mapping ? volume_text : volume_kept_text, values,
	    ARRAY_LEN(values));
	attachment = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(volume, "Attachments"), 0);
	if (!volume || !device_add_size(volume, facts) ||
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
	    !device_copy(attachment, instance, "InstanceId", "InstanceId") ||
	    !device_copy(attachment, nic, "OwnerId", "InstanceOwnerId"))
		return NULL;
	return steal_json(&item);
}
