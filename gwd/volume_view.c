#include "gwd/volume_view.h"

#include <string.h>

#include "common/network.h"
#include "gwd/template.h"

/* gp2's: 3 a GiB, 100 at least, 16000 at most; gp3's are what it begins with. */
#define GP2_PER_GIB		3
#define GP2_MIN			100
#define GP2_MAX			16000
#define GP3_IOPS		3000
#define GP3_THROUGHPUT		125

static const char volume_text[] =
    "{\"VolumeId\":\"$id\",\"State\":\"$state\",\"AvailabilityZone\":\"$zone\","
    "\"Encrypted\":false,\"VolumeType\":\"$type\",\"SnapshotId\":\"$snapshot\","
    "\"MultiAttachEnabled\":false,\"Attachments\":[]}";
static const char attachment_text[] =
    "{\"VolumeId\":\"$id\",\"InstanceId\":\"$instance\",\"Device\":\"$device\","
    "\"State\":\"$state\"}";

static uint32_t
iops_of(const char *type, uint64_t gib)
{
	uint64_t iops = gib * GP2_PER_GIB;

	if (strcmp(type, "gp3") == 0)
		return GP3_IOPS;
	if (strcmp(type, "gp2") != 0)
		return 0;
	return (uint32_t)(iops < GP2_MIN ? GP2_MIN : iops > GP2_MAX ? GP2_MAX : iops);
}

bool
volume_view_add_speed(cJSON *obj, const struct volume *v)
{
	const uint64_t gib = (v->bytes + VOLUME_GIB - 1) / VOLUME_GIB;
	uint32_t iops = v->iops ? v->iops : iops_of(v->type, gib);
	uint32_t throughput = v->throughput ? v->throughput :
	    strcmp(v->type, "gp3") == 0 ? GP3_THROUGHPUT : 0;

	return json_add_u64(obj, "Size", gib) && (!iops || json_add_u64(obj, "Iops", iops)) &&
	    (!throughput || json_add_u64(obj, "Throughput", throughput));
}

static bool
add_attachment(cJSON *obj, const struct volume *v)
{
	const struct template_value values[] = {
		{ "id", v->id }, { "instance", v->instance_id }, { "device", v->device },
		{ "state", volume_attachment_state(v->state) },
	};
	AUTO(json) cJSON *a = NULL;

	if (*v->instance_id == '\0')
		return true;
	a = template_fill(attachment_text, values, ARRAY_LEN(values));
	if (!a || !json_add_time(a, "AttachTime", v->attached_ms) ||
	    !cJSON_AddBoolToObject(a, "DeleteOnTermination", !v->keep) ||
	    !cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(obj, "Attachments"), a))
		return false;
	(void)steal_json(&a);
	return true;
}

cJSON *
volume_view(const struct volume *v)
{
	char snapshot[24] = "";
	const struct template_value values[] = {
		{ "id", v->id }, { "state", volume_ec2_state(v->state) }, { "zone", v->zone },
		{ "type", v->type }, { "snapshot", snapshot },
	};
	AUTO(json) cJSON *obj = NULL;
	cJSON *tags = v->tags ? cJSON_Duplicate(v->tags, true) : cJSON_CreateArray();

	if (*v->image_id)
		network_id("snap", v->image_id, snapshot, sizeof(snapshot));
	obj = template_fill(volume_text, values, ARRAY_LEN(values));
	if (!obj || !tags || !cJSON_AddItemToObject(obj, "Tags", tags)) {
		cJSON_Delete(tags);
		return NULL;
	}
	if (!json_add_time(obj, "CreateTime", v->created_ms) || !volume_view_add_speed(obj, v) ||
	    !add_attachment(obj, v))
		return NULL;
	return steal_json(&obj);
}
