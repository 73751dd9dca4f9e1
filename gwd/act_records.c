/*
 * act_records.c - DescribeKeyPairs and DescribeImages: records of buckets, as EC2 shows them.
 */
#include <stdio.h>
#include <string.h>

#include "common/image.h"
#include "common/network.h"
#include "gwd/acts.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/key_pair.h"

#define GIB	(1024ull * 1024 * 1024)

/* ---- key pairs ---- */

static const struct filter_name key_names[] = {
	{ "fingerprint",	"KeyFingerprint" },
	{ "key-name",		"KeyName" },
	{ "key-pair-id",	"KeyPairId" },
	{ "key-type",		"KeyType" },
};
const struct filter_table act_filters_key_pairs = { key_names, ARRAY_LEN(key_names), "Tags" };

static void
key_each(struct describe *d, const char *key, const struct cas_entry *e)
{
	const cJSON *in = describe_call(d)->in;
	AUTO(key_pair) struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];

	if (key_pair_from_json(e->value, e->len, &k, why) == 0)
		describe_add(d, NULL, key_pair_view(&k,
		    cJSON_IsTrue(json_member(in, "IncludePublicKey"))));
}

static const struct describe_kind key_kind = {
	.out = "KeyPairs",
	.names = {
		{ "KeyNames",	NULL,	"KeyName",	"key pair",	"InvalidKeyPair" },
		{ "KeyPairIds",	NULL,	"KeyPairId",	"key pair ID",	"InvalidKeyPair" },
	},
};

void
act_describe_key_pairs(struct gwd *g, struct call *c)
{
	describe_records(c, g->cloud->key_pairs, NULL, &key_kind, key_each);
}

/* ---- images ---- */

static const struct filter_name image_names[] = {
	{ "architecture",				"Architecture" },
	{ "block-device-mapping.delete-on-termination",
	  "BlockDeviceMappings.Ebs.DeleteOnTermination" },
	{ "block-device-mapping.device-name",		"BlockDeviceMappings.DeviceName" },
	{ "block-device-mapping.encrypted",		"BlockDeviceMappings.Ebs.Encrypted" },
	{ "block-device-mapping.snapshot-id",		"BlockDeviceMappings.Ebs.SnapshotId" },
	{ "block-device-mapping.volume-size",		"BlockDeviceMappings.Ebs.VolumeSize" },
	{ "block-device-mapping.volume-type",		"BlockDeviceMappings.Ebs.VolumeType" },
	{ "boot-mode",					"BootMode" },
	{ "creation-date",				"CreationDate" },
	{ "description",				"Description" },
	{ "ena-support",				"EnaSupport" },
	{ "free-tier-eligible",		"=false" },
	{ "hypervisor",					"Hypervisor" },
	{ "image-allowed",			NULL },
	{ "image-id",					"ImageId" },
	{ "image-type",					"ImageType" },
	{ "is-public",					"Public" },
	{ "kernel-id",					"KernelId" },
	{ "manifest-location",				"ImageLocation" },
	{ "name",					"Name" },
	{ "owner-alias",				"ImageOwnerAlias" },
	{ "owner-id",					"OwnerId" },
	{ "platform",					"Platform" },
	{ "product-code",				"ProductCodes.ProductCodeId" },
	{ "product-code.type",				"ProductCodes.ProductCodeType" },
	{ "ramdisk-id",					"RamdiskId" },
	{ "root-device-name",				"RootDeviceName" },
	{ "root-device-type",				"RootDeviceType" },
	{ "source-image-id",			NULL },
	{ "source-image-region",		NULL },
	{ "source-instance-id",		NULL },
	{ "sriov-net-support",				"SriovNetSupport" },
	{ "state",					"State" },
	{ "state-reason-code",				"StateReason.Code" },
	{ "state-reason-message",			"StateReason.Message" },
	{ "virtualization-type",			"VirtualizationType" },
};
const struct filter_table act_filters_images = { image_names, ARRAY_LEN(image_names), "Tags" };

static const char image_fixed[] =
    "{\"State\":\"available\",\"ImageType\":\"machine\",\"Hypervisor\":\"xen\","
    "\"VirtualizationType\":\"hvm\",\"RootDeviceType\":\"ebs\",\"EnaSupport\":true,"
    "\"PlatformDetails\":\"Linux/UNIX\",\"UsageOperation\":\"RunInstances\","
    "\"ProductCodes\":[]}";

static bool
image_add_root(cJSON *item, const struct image *i)
{
	char snapshot[24];
	cJSON *list = cJSON_AddArrayToObject(item, "BlockDeviceMappings");
	cJSON *mapping = cJSON_CreateObject();
	cJSON *ebs;

	network_id("snap", i->id, snapshot, sizeof(snapshot));
	if (!list || !mapping || !cJSON_AddItemToArray(list, mapping)) {
		cJSON_Delete(mapping);
		return false;
	}
	ebs = cJSON_AddObjectToObject(mapping, "Ebs");
	return cJSON_AddStringToObject(item, "RootDeviceName", i->root_device) &&
	    cJSON_AddStringToObject(mapping, "DeviceName", i->root_device) && ebs &&
	    cJSON_AddStringToObject(ebs, "SnapshotId", snapshot) &&
	    json_add_u64(ebs, "VolumeSize", (i->virtual_bytes + GIB - 1) / GIB) &&
	    cJSON_AddStringToObject(ebs, "VolumeType", "gp2") &&
	    cJSON_AddTrueToObject(ebs, "DeleteOnTermination") &&
	    cJSON_AddFalseToObject(ebs, "Encrypted");
}

static cJSON *
image_view(const struct image *i)
{
	AUTO(json) cJSON *item = cJSON_Parse(image_fixed);
	char location[192];

	snprintf(location, sizeof(location), "%s/%s", i->account_id, i->name);
	if (!item || !cJSON_AddStringToObject(item, "ImageId", i->id) ||
	    !cJSON_AddStringToObject(item, "OwnerId", i->account_id) ||
	    !cJSON_AddStringToObject(item, "Name", i->name) ||
	    !cJSON_AddStringToObject(item, "Description", i->description) ||
	    !cJSON_AddStringToObject(item, "ImageLocation", location) ||
	    !cJSON_AddStringToObject(item, "Architecture", i->arch) ||
	    !cJSON_AddStringToObject(item, "BootMode", i->boot_mode) ||
	    !cJSON_AddBoolToObject(item, "Public", i->is_public) ||
	    !json_add_time(item, "CreationDate", i->created_ms) || !image_add_root(item, i))
		return NULL;
	return steal_json(&item);
}

static bool
image_owner_is(const struct call *c, const struct image *i, const char *owner)
{
	if (strcmp(owner, "self") == 0)
		owner = c->account;
	return strcmp(owner, i->account_id) == 0;
}

static bool
image_has_owner(const struct call *c, const struct image *i)
{
	const cJSON *owners = json_member(c->in, "Owners"), *owner;

	if (cJSON_GetArraySize(owners) == 0)
		return true;
	cJSON_ArrayForEach(owner, owners) {
		if (cJSON_IsString(owner) && image_owner_is(c, i, owner->valuestring))
			return true;
	}
	return false;
}

/* Who may launch it: "all" for everybody; "self" and account numbers are explicit grants,
 * which no image here has but its owner's own. */
static bool
image_is_executable(const struct call *c, const struct image *i)
{
	const cJSON *users = json_member(c->in, "ExecutableUsers"), *user;

	if (cJSON_GetArraySize(users) == 0)
		return true;
	cJSON_ArrayForEach(user, users) {
		if (!cJSON_IsString(user))
			continue;
		if (strcmp(user->valuestring, "all") == 0 ? i->is_public :
		    image_owner_is(c, i, user->valuestring))
			return true;
	}
	return false;
}

/* Its tags are for its owner alone. */
static void
image_show(struct describe *d, const struct image *i, const struct cas_entry *e)
{
	const bool is_own = strcmp(i->account_id, describe_call(d)->account) == 0;
	AUTO(json) cJSON *tags = is_own ? image_tags_from_json(e->value, e->len) : NULL;
	AUTO(json) cJSON *item = image_view(i);

	if (item && cJSON_GetArraySize(tags) > 0) {
		if (cJSON_AddItemToObject(item, "Tags", tags))
			(void)steal_json(&tags);
		else
			cJSON_Delete(steal_json(&item));
	}
	describe_add(d, NULL, steal_json(&item));	/* NULL: no memory */
}

static void
image_each(struct describe *d, const char *key, const struct cas_entry *e)
{
	const struct call *c = describe_call(d);
	struct image i = { 0 };
	char why[JSON_WHY_MAX];

	if (image_from_json(e->value, e->len, &i, why) < 0 ||
	    (!i.is_public && strcmp(i.account_id, c->account) != 0))
		return;
	if (image_has_owner(c, &i) && image_is_executable(c, &i))
		image_show(d, &i, e);
}

static const struct describe_kind image_kind = {
	.out = "Images",
	.names = { { "ImageIds", "ami", "ImageId", "image id", "InvalidAMIID" } },
};

void
act_describe_images(struct gwd *g, struct call *c)
{
	describe_records(c, g->cloud->images, "", &image_kind, image_each);
}
