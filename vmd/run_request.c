#include "vmd/run_request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/ident.h"
#include "common/volume.h"
#include "vmd/address.h"

#define USER_DATA_TEXT_MAX	(2 * INSTANCE_USER_DATA_MAX)
#define GIB			VOLUME_GIB
#define TEXT_OF_(x)		#x
#define TEXT_OF(x)		TEXT_OF_(x)

static int	 refuse(struct run_refusal *r, const char *code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static int
refuse(struct run_refusal *r, const char *code, const char *fmt, ...)
{
	va_list ap;

	r->code = code;
	va_start(ap, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- texts and switches: one row each ---- */

#define TEXT(name, member)	{ .key = name, .type = JSON_STR,				\
	.offset = offsetof(struct run_request, member),					\
	.max = sizeof(((struct run_request *)0)->member) - 1 }
#define NEEDED(name, member)	{ .key = name, .type = JSON_STR,			\
	.offset = offsetof(struct run_request, member), .min = 1,				\
	.max = sizeof(((struct run_request *)0)->member) - 1, .need = true }
#define FLAG(name, member)	{ .key = name, .type = JSON_BOOL,				\
	.offset = offsetof(struct run_request, member) }

static const struct json_field run_fields[] = {
	NEEDED("ReservationId", reservation_id),
	NEEDED("ImageId", image_id),
	NEEDED("InstanceType", instance_type),
	TEXT("KeyName", key_name),
	{ .key = "PublicKey", .type = JSON_DUP, .offset = offsetof(struct run_request, public_key),
	    .max = INSTANCE_PUBLIC_KEY_MAX },
	{ .key = "UserData", .type = JSON_DUP, .offset = offsetof(struct run_request, user_data),
	    .max = USER_DATA_TEXT_MAX },
	TEXT("ClientToken", client_token),
	TEXT("PrivateIpAddress", private_ip),
	TEXT("InstanceInitiatedShutdownBehavior", shutdown_behavior),
	FLAG("DisableApiTermination", disable_api_termination),
	FLAG("DisableApiStop", disable_api_stop),
	FLAG("EbsOptimized", ebs_optimized),
};

static const struct json_field placement_fields[] = {
	TEXT("AvailabilityZone", zone),
};
static const struct json_field monitoring_fields[] = {
	FLAG("Enabled", monitoring),
};
static const struct json_field metadata_fields[] = {
	TEXT("HttpEndpoint", metadata_endpoint),
	TEXT("HttpTokens", metadata_tokens),
	{ .key = "HttpPutResponseHopLimit", .type = JSON_U32,
	    .offset = offsetof(struct run_request, metadata_hops), .max = 64 },
};
static const struct json_field network_fields[] = {
	TEXT("VpcId", vpc_id),
	TEXT("SubnetId", subnet_id),
	TEXT("CidrBlock", subnet_cidr),
	{ .key = "Groups", .type = JSON_DUP, .offset = offsetof(struct run_request, groups),
	    .max = INSTANCE_GROUPS_TEXT_MAX },
};
static const struct json_field maintenance_fields[] = {
	TEXT("AutoRecovery", auto_recovery),
};

/* The objects in a request, each with fields of its own. */
#define PART(name, f)		{ name, f, ARRAY_LEN(f) }
static const struct {
	const char		*member;
	const struct json_field	*fields;
	size_t			 n;
} run_parts[] = {
	PART("Placement", placement_fields),
	PART("Monitoring", monitoring_fields),
	PART("MetadataOptions", metadata_fields),
	PART("MaintenanceOptions", maintenance_fields),
	PART("Network", network_fields),
};

/* A request's own fault: see run_refusal. */
static int
malformed(struct run_refusal *r, const char *why)
{
	r->malformed = true;
	return refuse(r, "InvalidParameterValue", "%s", why);
}

/* Members that are lists, each of which may be absent. */
static int
check_lists(const cJSON *in, struct run_refusal *no)
{
	static const char *const lists[] = { "BlockDeviceMappings", "LaunchIndexes",
		"NetworkInterfaces", "TagSpecifications" };
	char why[64];

	for (size_t n = 0; n < ARRAY_LEN(lists); n++) {
		const cJSON *list = json_member(in, lists[n]);

		if (!list || cJSON_IsNull(list) || cJSON_IsArray(list))
			continue;
		snprintf(why, sizeof(why), "%s: expected a list", lists[n]);
		return malformed(no, why);
	}
	return 0;
}

static int
read_ids(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	const cJSON *ids = json_member(in, "InstanceIds");
	const cJSON *id;

	if (!cJSON_IsArray(ids) || cJSON_GetArraySize(ids) == 0 ||
	    cJSON_GetArraySize(ids) > RUN_IDS_MAX)
		return malformed(no, "InstanceIds: expected 1 to " TEXT_OF(RUN_IDS_MAX) " ids");
	cJSON_ArrayForEach(id, ids) {
		if (!cJSON_IsString(id) || !ident_is_ec2(id->valuestring, "i"))
			return malformed(no, "InstanceIds: expected instance ids");
		for (size_t n = 0; n < q->n; n++)
			if (strcmp(q->id[n], id->valuestring) == 0)
				return malformed(no, "InstanceIds: expected each id once");
		q->launch_index[q->n] = (uint32_t)q->n;
		snprintf(q->id[q->n++], sizeof(q->id[0]), "%s", id->valuestring);
	}
	if (!ident_is_ec2(q->reservation_id, "r"))
		return malformed(no, "ReservationId: expected one");
	return 0;
}

/* The places in the whole launch, where this node has but a share of it. */
static int
read_indexes(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	const cJSON *list = json_member(in, "LaunchIndexes"), *index;
	size_t n = 0;

	cJSON_ArrayForEach(index, list) {
		uint64_t v;

		if (n == q->n || !json_get_u64(index, &v) || v > UINT32_MAX)
			return malformed(no, "LaunchIndexes: expected a number for each id");
		q->launch_index[n++] = (uint32_t)v;
	}
	if (n > 0 && n != q->n)
		return malformed(no, "LaunchIndexes: expected a number for each id");
	return 0;
}

static int
add_tag(struct instance_tags *t, const cJSON *tag, struct run_refusal *no)
{
	const char *key = json_text(tag, "Key");
	const char *value = json_text(tag, "Value");

	if (!key || !*key)
		return refuse(no, "InvalidParameterValue", "Tag keys must be between 1 and 128 "
		    "characters in length.");
	if (t->n == INSTANCE_TAGS_MAX)
		return refuse(no, "TagLimitExceeded", "More than %d tags", INSTANCE_TAGS_MAX);
	for (size_t n = 0; n < t->n; n++)
		if (strcmp(t->tag[n].key, key) == 0)
			return refuse(no, "InvalidParameterValue", "Duplicate tag key '%.64s'",
			    key);
	return instance_tags_set(t, key, value ? value : "");
}

static int
read_tags(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	const cJSON *spec, *tag;

	cJSON_ArrayForEach(spec, json_member(in, "TagSpecifications")) {
		const char *of = json_text(spec, "ResourceType");
		enum instance_tagged t;

		if (!of || instance_tagged_from_name(of, &t) < 0)
			continue;	/* gwd refuses what nothing here is */
		cJSON_ArrayForEach(tag, json_member(spec, "Tags")) {
			int r = add_tag(&q->tags[t], tag, no);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

static bool
is_mapped(const struct run_request *q, const char *device)
{
	for (size_t n = 0; n < q->nmappings; n++)
		if (strcmp(q->mapping[n].device, device) == 0)
			return true;
	return false;
}

static bool
read_speed(const cJSON *ebs, const char *member, uint32_t *ret)
{
	const cJSON *m = json_member(ebs, member);
	uint64_t n = 0;

	if (m && (!json_get_u64(m, &n) || n > UINT32_MAX))
		return false;
	*ret = (uint32_t)n;
	return true;
}

static int
read_mapping(const cJSON *mapping, struct run_request *q, struct run_refusal *no)
{
	const cJSON *ebs = json_member(mapping, "Ebs");
	const cJSON *size = json_member(ebs, "VolumeSize");
	const char *device = json_text(mapping, "DeviceName"), *type = json_text(ebs, "VolumeType");
	struct run_mapping m = { .keep = cJSON_IsFalse(json_member(ebs, "DeleteOnTermination")) };

	if (json_text(mapping, "VirtualName") || json_text(mapping, "NoDevice"))
		return 0;		/* instance stores: types here have none */
	if (!device || strlen(device) >= sizeof(m.device))
		return refuse(no, "InvalidBlockDeviceMapping", "A mapping needs a DeviceName");
	if (is_mapped(q, device))
		return refuse(no, "InvalidBlockDeviceMapping",
		    "Duplicate device name '%s' specified.", device);
	if (q->nmappings == ARRAY_LEN(q->mapping))
		return refuse(no, "AttachmentLimitExceeded",
		    "An instance has at most %d volumes besides its root volume.", INSTANCE_VOLUMES_MAX);
	if (json_text(ebs, "SnapshotId"))
		return refuse(no, "InvalidSnapshot.NotFound", "The snapshot '%.64s' does not exist.",
		    json_text(ebs, "SnapshotId"));
	if (size && (!json_get_u64(size, &m.gib) || m.gib == 0 || m.gib > VOLUME_GIB_MAX))
		return refuse(no, "InvalidParameterValue",
		    "Volume size must be between 1 and %d GiB", VOLUME_GIB_MAX);
	if (type && strlen(type) >= sizeof(m.type))
		return refuse(no, "InvalidParameterValue", "Value (%.32s) for parameter volumeType is "
		    "invalid.", type);
	if (!read_speed(ebs, "Iops", &m.iops) || !read_speed(ebs, "Throughput", &m.throughput))
		return refuse(no, "InvalidParameterValue", "Iops, Throughput: expected a number");
	snprintf(m.device, sizeof(m.device), "%s", device);
	snprintf(m.type, sizeof(m.type), "%s", type ? type : "");
	q->mapping[q->nmappings++] = m;
	return 0;
}

/* What gwd has looked up goes together. */
static int
check_network(const struct run_request *q, struct run_refusal *no)
{
	struct address_range range;

	if (!*q->subnet_id && !*q->vpc_id && !*q->subnet_cidr)
		return 0;
	if (ident_is_ec2(q->subnet_id, "subnet") && ident_is_ec2(q->vpc_id, "vpc") &&
	    *q->subnet_cidr && address_range_of(q->subnet_cidr, &range) == 0)
		return 0;
	return malformed(no, "Network: expected VpcId, SubnetId and CidrBlock, or none of them");
}

/* What the client named is what was looked up, or nobody has looked. */
static int
check_named(const cJSON *in, const cJSON *nic, const struct run_request *q, struct run_refusal *no)
{
	const char *subnet = json_text(nic ? nic : in, "SubnetId");
	const cJSON *groups = nic ? json_member(nic, "Groups") : json_member(in, "SecurityGroupIds");

	if (subnet && *subnet && strcmp(subnet, q->subnet_id) != 0)
		return refuse(no, "InvalidSubnetID.NotFound", "The subnet ID '%.64s' does not exist",
		    subnet);
	if (!q->groups && (cJSON_GetArraySize(groups) > 0 ||
	    cJSON_GetArraySize(json_member(in, "SecurityGroups")) > 0))
		return refuse(no, "InvalidGroup.NotFound", "The security groups do not exist");
	return 0;
}

static const struct json_field interface_fields[] = {
	TEXT("PrivateIpAddress", private_ip),
};

/* gwd says the subnet with it. */
static int
check_address(const struct run_request *q, struct run_refusal *no)
{
	struct address_range range;

	if (!*q->private_ip)
		return 0;
	if (q->n > 1)
		return refuse(no, "InvalidParameterCombination", "A private address is of one instance.");
	if (!*q->subnet_cidr || address_range_of(q->subnet_cidr, &range) < 0 ||
	    !address_is_in(&range, q->private_ip))
		return refuse(no, "InvalidParameterValue", "Address %s does not fall within the "
		    "subnet's address range", q->private_ip);
	return 0;
}

static int
read_network(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	const cJSON *nics = json_member(in, "NetworkInterfaces");
	const cJSON *nic = nics ? nics->child : NULL;
	char why[JSON_WHY_MAX];
	int r;

	if (nic && json_decode(nic, interface_fields, ARRAY_LEN(interface_fields), JSON_LOOSE, q,
		sizeof(*q), why) < 0)
		return malformed(no, why);
	if (cJSON_GetArraySize(nics) > 1)
		return refuse(no, "Unsupported", "More than one network interface");
	if (json_text(nic, "NetworkInterfaceId"))
		return refuse(no, "Unsupported", "An instance makes its own network interface");
	r = check_network(q, no);
	if (r == 0)
		r = check_named(in, nic, q, no);
	if (r == 0)
		r = check_address(q, no);
	if (r == 0 && q->groups && !instance_groups_are_valid(q->groups))
		r = malformed(no, "Network: Groups: expected up to 16 lines of an id and a name");
	return r;
}

/* A part sets the members that its fields name, and no others. */
static int
read_parts(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	char why[JSON_WHY_MAX];

	for (size_t n = 0; n < ARRAY_LEN(run_parts); n++) {
		const cJSON *obj = json_member(in, run_parts[n].member);
		struct run_request part = *q;
		int r = obj && !cJSON_IsNull(obj) ? json_decode(obj, run_parts[n].fields,
		    run_parts[n].n, JSON_LOOSE, &part, sizeof(part), why) : 0;

		if (r == -EINVAL)
			return malformed(no, why);
		if (r < 0)
			return r;
		*q = part;
	}
	return 0;
}

static int
check_user_data(const struct run_request *q, struct run_refusal *no)
{
	AUTO(mem) void *owned = NULL;
	uint8_t *data = NULL;
	size_t len = 0;
	int r = q->user_data ? base64_decode(q->user_data, strlen(q->user_data), &data, &len) : 0;

	owned = data;
	if (r == -EINVAL)
		return refuse(no, "InvalidUserData.Malformed", "UserData: expected base64");
	if (len > INSTANCE_USER_DATA_MAX)
		return refuse(no, "InvalidParameterValue", "User data is limited to %d bytes",
		    INSTANCE_USER_DATA_MAX);
	return r;
}

static int
read_all(const cJSON *in, struct run_request *q, struct run_refusal *no)
{
	const cJSON *mapping;
	int r = check_lists(in, no);

	if (r == 0)
		r = read_ids(in, q, no);
	if (r == 0)
		r = read_indexes(in, q, no);
	if (r == 0)
		r = read_parts(in, q, no);
	if (r == 0)
		r = read_tags(in, q, no);
	if (r == 0)
		r = check_user_data(q, no);
	if (r == 0)
		r = read_network(in, q, no);
	cJSON_ArrayForEach(mapping, json_member(in, "BlockDeviceMappings"))
		if (r == 0)
			r = read_mapping(mapping, q, no);
	if (r < 0)
		return r;
	if (!*q->shutdown_behavior)
		snprintf(q->shutdown_behavior, sizeof(q->shutdown_behavior), "stop");
	else if (strcmp(q->shutdown_behavior, "stop") != 0 &&
	    strcmp(q->shutdown_behavior, "terminate") != 0)
		return refuse(no, "InvalidParameterValue", "Value (%s) for parameter "
		    "instanceInitiatedShutdownBehavior is invalid.", q->shutdown_behavior);
	return 0;
}

int
run_request_read(const cJSON *in, const char *account_id, struct run_request *ret,
    struct run_refusal *ret_refusal)
{
	struct run_request q = { 0 };
	char why[JSON_WHY_MAX];
	int r = json_decode(in, run_fields, ARRAY_LEN(run_fields), JSON_LOOSE, &q, sizeof(q),
	    why);

	if (r == -EINVAL)
		return malformed(ret_refusal, why);
	if (r < 0)
		return r;
	snprintf(q.account_id, sizeof(q.account_id), "%s", account_id);
	r = read_all(in, &q, ret_refusal);
	if (r < 0) {
		run_request_deinit(&q);
		return r;
	}
	*ret = q;
	return 0;
}

void
run_request_deinit(struct run_request *q)
{
	for (size_t t = 0; t < INSTANCE_TAGGED; t++)
		instance_tags_deinit(&q->tags[t]);
	free(q->public_key);
	free(q->user_data);
	free(q->groups);
	*q = (struct run_request){ 0 };
}

/* ---- does it go together ---- */

static int
check_mappings(const struct run_request *q, const struct image *image, uint64_t *ret_bytes,
    struct run_refusal *no)
{
	uint64_t gib = (image->virtual_bytes + GIB - 1) / GIB, root = gib;
	size_t others = 0;

	for (size_t n = 0; n < q->nmappings; n++) {
		const struct run_mapping *m = &q->mapping[n];

		if (run_is_root(m, image)) {
			root = m->gib ? m->gib : gib;
			continue;
		}
		if (!volume_device_is_valid(m->device))
			return refuse(no, "InvalidBlockDeviceMapping", "Invalid device name %s",
			    m->device);
		if (m->gib == 0)
			return refuse(no, "MissingParameter",
			    "The request must contain the parameter size or snapshotId");
		if (++others > INSTANCE_VOLUMES_MAX)
			return refuse(no, "AttachmentLimitExceeded", "An instance has at most %d "
			    "volumes besides its root volume.", INSTANCE_VOLUMES_MAX);
	}
	if (root < gib)
		return refuse(no, "InvalidBlockDeviceMapping", "Volume of size %lluGB is smaller "
		    "than image '%s', expect size >= %lluGB",
		    (unsigned long long)root, image->id, (unsigned long long)gib);
	*ret_bytes = root * GIB;
	return 0;
}

int
run_request_check(const struct run_request *q, const struct image *image,
    const struct type *type, const struct run_node *node, uint64_t *ret_bytes,
    struct run_refusal *no)
{
	if (strcmp(type->arch, image->arch) != 0)
		return refuse(no, "InvalidParameterValue", "The architecture '%s' of the "
		    "specified instance type does not match the architecture '%s' of the specified "
		    "AMI. Specify an instance type and an AMI that have matching architectures, "
		    "and try again.", type->arch, image->arch);
	if (!type->offered || strcmp(type->arch, node->arch) != 0)
		return refuse(no, "Unsupported", "The requested configuration is currently not "
		    "supported: %s cannot run on %s.", type->name, node->name);
	if (*q->zone && strcmp(q->zone, node->zone) != 0)
		return refuse(no, "InvalidParameterValue", "Invalid availability zone: [%s]",
		    q->zone);
	return check_mappings(q, image, ret_bytes, no);
}
