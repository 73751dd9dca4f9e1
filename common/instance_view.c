#include "common/instance_view.h"

#include <stdio.h>
#include <string.h>

#include "common/network.h"

#define VIEW_NAME_MAX	128	/* of a private host name */

/* What is the same for every instance here. */
static const char view_fixed[] =
    "{\"Hypervisor\":\"xen\",\"VirtualizationType\":\"hvm\",\"RootDeviceType\":\"ebs\","
    "\"EnaSupport\":true,\"PlatformDetails\":\"Linux/UNIX\",\"UsageOperation\":\"RunInstances\","
    "\"PublicDnsName\":\"\",\"ProductCodes\":[],\"SourceDestCheck\":true,"
    "\"CapacityReservationSpecification\":{\"CapacityReservationPreference\":\"open\"},"
    "\"HibernationOptions\":{\"Configured\":false},\"EnclaveOptions\":{\"Enabled\":false},"
    "\"MaintenanceOptions\":{\"AutoRecovery\":\"default\"},"
    "\"MetadataOptions\":{\"State\":\"applied\",\"HttpTokens\":\"optional\","
    "\"HttpPutResponseHopLimit\":1,\"HttpEndpoint\":\"enabled\","
    "\"HttpProtocolIpv6\":\"disabled\",\"InstanceMetadataTags\":\"disabled\"},"
    "\"PrivateDnsNameOptions\":{\"HostnameType\":\"ip-name\","
    "\"EnableResourceNameDnsARecord\":false,\"EnableResourceNameDnsAAAARecord\":false}}";

/* One failed add fails the whole view; asked once, at the end. */
struct view {
	const struct instance	*i;
	char			 host[VIEW_NAME_MAX];
	bool			 failed;
};

static cJSON *
view_put(struct view *v, cJSON *obj, const char *key, cJSON *item)
{
	if (item && obj && cJSON_AddItemToObject(obj, key, item))
		return item;
	cJSON_Delete(item);
	v->failed = true;
	return NULL;
}

static void
view_text(struct view *v, cJSON *obj, const char *key, const char *text)
{
	view_put(v, obj, key, cJSON_CreateString(text));
}

/* Another text than the one that is there; "": that one. */
static void
view_set(struct view *v, cJSON *obj, const char *key, const char *text)
{
	cJSON *item = text[0] != '\0' ? cJSON_CreateString(text) : NULL;

	if (text[0] == '\0')
		return;
	if (item && cJSON_ReplaceItemInObjectCaseSensitive(obj, key, item))
		return;
	cJSON_Delete(item);
	v->failed = true;
}

static void
view_bool(struct view *v, cJSON *obj, const char *key, bool value)
{
	view_put(v, obj, key, cJSON_CreateBool(value));
}

static void
view_number(struct view *v, cJSON *obj, const char *key, uint64_t value)
{
	v->failed |= !obj || !json_add_u64(obj, key, value);
}

static void
view_time(struct view *v, cJSON *obj, const char *key, uint64_t wall_ms)
{
	v->failed |= !obj || !json_add_time(obj, key, wall_ms);
}

static cJSON *
view_object(struct view *v, cJSON *obj, const char *key)
{
	return view_put(v, obj, key, cJSON_CreateObject());
}

static cJSON *
view_list(struct view *v, cJSON *obj, const char *key)
{
	return view_put(v, obj, key, cJSON_CreateArray());
}

/* An empty object at the end of list. */
static cJSON *
view_item(struct view *v, cJSON *list)
{
	cJSON *item = cJSON_CreateObject();

	if (item && list && cJSON_AddItemToArray(list, item))
		return item;
	cJSON_Delete(item);
	v->failed = true;
	return NULL;
}

cJSON *
instance_view_state(enum instance_state s)
{
	struct view v = { 0 };
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	view_number(&v, obj, "Code", (uint64_t)s);
	view_text(&v, obj, "Name", instance_state_name(s));
	return v.failed ? NULL : steal_json(&obj);
}

cJSON *
instance_view_change(const char *id, enum instance_state before, enum instance_state now)
{
	struct view v = { 0 };
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	view_text(&v, obj, "InstanceId", id);
	view_put(&v, obj, "PreviousState", instance_view_state(before));
	view_put(&v, obj, "CurrentState", instance_view_state(now));
	return v.failed ? NULL : steal_json(&obj);
}

cJSON *
instance_view_tags(const struct instance_tags *t)
{
	struct view v = { 0 };
	AUTO(json) cJSON *list = cJSON_CreateArray();

	for (size_t n = 0; n < t->n; n++) {
		cJSON *tag = view_item(&v, list);

		view_text(&v, tag, "Key", t->tag[n].key);
		view_text(&v, tag, "Value", t->tag[n].value);
	}
	return v.failed ? NULL : steal_json(&list);
}

cJSON *
instance_view_reservation(const struct instance *i)
{
	struct view v = { 0 };
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	view_text(&v, obj, "ReservationId", i->reservation_id);
	view_text(&v, obj, "OwnerId", i->account_id);
	view_list(&v, obj, "Groups");
	view_list(&v, obj, "Instances");
	return v.failed ? NULL : steal_json(&obj);
}

static void
view_group(struct view *v, cJSON *list, const char *id, const char *name)
{
	cJSON *group = view_item(v, list);

	view_text(v, group, "GroupId", id);
	view_text(v, group, "GroupName", name);
}

/* A line of the record each. */
static void
view_groups(struct view *v, cJSON *obj, const char *key)
{
	cJSON *list = view_list(v, obj, key);
	char line[22 + 256];

	if (v->i->group_id[0] == '\0')
		return;
	if (!v->i->groups)
		view_group(v, list, v->i->group_id, NETWORK_GROUP_NAME);
	for (const char *p = v->i->groups; p && *p; ) {
		const size_t n = strcspn(p, "\n");
		char *space;

		snprintf(line, sizeof(line), "%.*s", n < sizeof(line) ? (int)n : (int)sizeof(line) - 1, p);
		if ((space = strchr(line, ' ')))
			*space++ = '\0';
		view_group(v, list, line, space ? space : "");
		p += n + (p[n] == '\n');
	}
}

static void
view_mapping(struct view *v, cJSON *list, const struct instance_volume *volume)
{
	cJSON *mapping = view_item(v, list), *ebs;

	view_text(v, mapping, "DeviceName", volume->device);
	ebs = view_object(v, mapping, "Ebs");
	view_text(v, ebs, "VolumeId", volume->id);
	view_text(v, ebs, "Status", "attached");
	view_bool(v, ebs, "DeleteOnTermination", !volume->keep);
	view_time(v, ebs, "AttachTime", volume->attached_ms);
}

/* The root volume is the first; others are shown once there are records of them, which a launch
 * makes. */
static void
view_volumes(struct view *v, cJSON *obj)
{
	cJSON *list = view_list(v, obj, "BlockDeviceMappings");
	struct instance_volume root = { .keep = v->i->keep_volume,
		.attached_ms = v->i->created_ms };

	memcpy(root.id, v->i->volume_id, sizeof(root.id));
	memcpy(root.device, v->i->root_device, sizeof(root.device));

	view_text(v, obj, "RootDeviceName", v->i->root_device);
	if (v->i->volume_id[0] == '\0' || v->i->state == INSTANCE_TERMINATED)
		return;
	view_mapping(v, list, &root);
	if (v->i->state == INSTANCE_PENDING && v->i->last_node[0] == '\0')
		return;
	for (size_t n = 0; n < v->i->nvolumes; n++)
		view_mapping(v, list, &v->i->volume[n]);
}

/* "eni-0123" to "eni-attach-0123": as lasting as the interface itself. */
static void
view_attachment(struct view *v, cJSON *obj)
{
	cJSON *a = view_object(v, obj, "Attachment");
	const char *digits = strchr(v->i->eni_id, '-');
	char id[40];

	snprintf(id, sizeof(id), "eni-attach-%s", digits ? digits + 1 : "");
	view_text(v, a, "AttachmentId", id);
	view_text(v, a, "Status", "attached");
	view_number(v, a, "DeviceIndex", 0);
	view_number(v, a, "NetworkCardIndex", 0);
	view_bool(v, a, "DeleteOnTermination", true);
	view_time(v, a, "AttachTime", v->i->created_ms);
}

static void
view_addresses(struct view *v, cJSON *eni)
{
	cJSON *list = view_list(v, eni, "PrivateIpAddresses"), *address;

	if (v->i->private_ip[0] == '\0')
		return;
	view_text(v, eni, "PrivateIpAddress", v->i->private_ip);
	view_text(v, eni, "PrivateDnsName", v->host);
	address = view_item(v, list);
	view_text(v, address, "PrivateIpAddress", v->i->private_ip);
	view_text(v, address, "PrivateDnsName", v->host);
	view_bool(v, address, "Primary", true);
}

static void
view_interface(struct view *v, cJSON *obj)
{
	cJSON *eni = view_item(v, view_list(v, obj, "NetworkInterfaces"));

	view_text(v, eni, "NetworkInterfaceId", v->i->eni_id);
	view_text(v, eni, "InterfaceType", "interface");
	view_text(v, eni, "Description", "");
	view_text(v, eni, "MacAddress", v->i->mac);
	view_text(v, eni, "OwnerId", v->i->account_id);
	view_text(v, eni, "Status", "in-use");
	view_text(v, eni, "SubnetId", v->i->subnet_id);
	view_text(v, eni, "VpcId", v->i->vpc_id);
	view_bool(v, eni, "SourceDestCheck", true);
	view_bool(v, eni, "RequesterManaged", false);	/* shown of it alone; a filter of both */
	view_list(v, eni, "Ipv6Addresses");
	view_groups(v, eni, "Groups");
	view_addresses(v, eni);
	view_attachment(v, eni);
}

static void
view_network(struct view *v, cJSON *obj)
{
	bool gone = v->i->state == INSTANCE_TERMINATED;

	view_text(v, obj, "PrivateDnsName", gone ? "" : v->host);
	if (gone || v->i->eni_id[0] == '\0') {
		view_list(v, obj, "NetworkInterfaces");
		view_list(v, obj, "SecurityGroups");
		return;
	}
	view_text(v, obj, "SubnetId", v->i->subnet_id);
	view_text(v, obj, "VpcId", v->i->vpc_id);
	if (v->i->private_ip[0] != '\0')
		view_text(v, obj, "PrivateIpAddress", v->i->private_ip);
	view_groups(v, obj, "SecurityGroups");
	view_interface(v, obj);
}

static void
view_state(struct view *v, cJSON *obj)
{
	cJSON *reason;

	view_put(v, obj, "State", instance_view_state(v->i->state));
	view_text(v, obj, "StateTransitionReason", v->i->transition_reason);
	if (v->i->reason_code[0] == '\0')
		return;
	reason = view_object(v, obj, "StateReason");
	view_text(v, reason, "Code", v->i->reason_code);
	view_text(v, reason, "Message", v->i->reason_message);
}

static void
view_placement(struct view *v, cJSON *obj)
{
	cJSON *placement = view_object(v, obj, "Placement");
	cJSON *monitoring = view_object(v, obj, "Monitoring");

	view_text(v, placement, "AvailabilityZone", v->i->zone);
	view_text(v, placement, "GroupName", "");
	view_text(v, placement, "Tenancy", "default");
	view_text(v, monitoring, "State", v->i->monitoring ? "enabled" : "disabled");
}

static void
view_cpu(struct view *v, cJSON *obj, const struct types *types)
{
	const struct type *t = types ? types_find(types, v->i->instance_type) : NULL;
	cJSON *cpu;

	if (!t)
		return;
	cpu = view_object(v, obj, "CpuOptions");
	view_number(v, cpu, "CoreCount", t->vcpus / t->threads);
	view_number(v, cpu, "ThreadsPerCore", t->threads);
}

static void
view_tags(struct view *v, cJSON *obj, const char *member, enum instance_tagged t)
{
	if (v->i->tags[t].n > 0)
		view_put(v, obj, member, instance_view_tags(&v->i->tags[t]));
}

/* What was asked for at the launch, over the defaults of view_fixed. */
static void
view_options(struct view *v, cJSON *obj)
{
	const struct instance *i = v->i;
	cJSON *metadata = cJSON_GetObjectItemCaseSensitive(obj, "MetadataOptions");
	cJSON *maintenance = cJSON_GetObjectItemCaseSensitive(obj, "MaintenanceOptions");

	view_set(v, metadata, "HttpEndpoint", i->metadata_endpoint);
	view_set(v, metadata, "HttpTokens", i->metadata_tokens);
	view_set(v, maintenance, "AutoRecovery", i->auto_recovery);
	if (i->metadata_hops > 0)
		cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(metadata,
		    "HttpPutResponseHopLimit"), i->metadata_hops);
}

static void
view_identity(struct view *v, cJSON *obj)
{
	const struct instance *i = v->i;

	view_text(v, obj, "InstanceId", i->id);
	view_text(v, obj, "ImageId", i->image_id);
	view_text(v, obj, "InstanceType", i->instance_type);
	view_text(v, obj, "Architecture", i->arch);
	view_text(v, obj, "BootMode", i->boot_mode);
	view_text(v, obj, "ClientToken", i->client_token);
	if (i->key_name[0] != '\0')
		view_text(v, obj, "KeyName", i->key_name);
	view_number(v, obj, "AmiLaunchIndex", i->launch_index);
	view_time(v, obj, "LaunchTime", i->launch_time_ms);
	view_time(v, obj, "UsageOperationUpdateTime", i->created_ms);
	view_bool(v, obj, "EbsOptimized", i->ebs_optimized);
	view_tags(v, obj, "Tags", INSTANCE_TAGS_OWN);
}

cJSON *
instance_view_facts(const struct instance *i)
{
	struct view v = { .i = i };
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	view_number(&v, obj, "volume_bytes", i->volume_bytes);
	view_text(&v, obj, "volume_type", i->volume_type[0] != '\0' ? i->volume_type : "gp2");
	view_number(&v, obj, "volume_iops", i->volume_iops);
	view_number(&v, obj, "volume_throughput", i->volume_throughput);
	view_tags(&v, obj, "volume_tags", INSTANCE_TAGS_VOLUME);
	view_tags(&v, obj, "interface_tags", INSTANCE_TAGS_NIC);
	return v.failed ? NULL : steal_json(&obj);
}

cJSON *
instance_view(const struct instance *i, const struct instance_view *how)
{
	struct view v = { .i = i };
	AUTO(json) cJSON *obj = cJSON_Parse(view_fixed);

	if (!obj)
		return NULL;
	if (i->private_ip[0] != '\0' &&
	    network_private_name(i->private_ip, how->region, v.host, sizeof(v.host)) < 0)
		v.host[0] = '\0';	/* a region with no end: no name rather than half a one */
	view_identity(&v, obj);
	view_state(&v, obj);
	view_placement(&v, obj);
	view_network(&v, obj);
	view_volumes(&v, obj);
	view_cpu(&v, obj, how->types);
	view_options(&v, obj);
	view_put(&v, obj, INSTANCE_VIEW_FACTS, instance_view_facts(i));
	return v.failed ? NULL : steal_json(&obj);
}
