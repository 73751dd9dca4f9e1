/*
 * act_devices.c - DescribeVolumes and DescribeNetworkInterfaces.  Root volumes and interfaces are
 * parts of an instance, so they are made from what its node shows, or from its record, and can
 * say nothing else than DescribeInstances does; other volumes have records of their own.
 */
#include "gwd/acts.h"
#include "gwd/describe.h"
#include "gwd/device_view.h"
#include "gwd/gwd.h"
#include "gwd/network_read.h"
#include "gwd/volume_view.h"

/* ---- volumes ---- */

static const struct filter_name volume_names[] = {
	{ "attachment.attach-time",		"Attachments.AttachTime" },
	{ "attachment.delete-on-termination",	"Attachments.DeleteOnTermination" },
	{ "attachment.device",			"Attachments.Device" },
	{ "attachment.instance-id",		"Attachments.InstanceId" },
	{ "attachment.status",			"Attachments.State" },
	{ "availability-zone",			"AvailabilityZone" },
	{ "create-time",			"CreateTime" },
	{ "encrypted",				"Encrypted" },
	{ "fast-restored",			"FastRestored" },
	{ "multi-attach-enabled",		"MultiAttachEnabled" },
	{ "operator.managed",			"=false" },
	{ "operator.principal",		NULL },
	{ "size",				"Size" },
	{ "snapshot-id",			"SnapshotId" },
	{ "status",				"State" },
	{ "volume-id",				"VolumeId" },
	{ "volume-type",			"VolumeType" },
};
const struct filter_table act_filters_volumes = { volume_names, ARRAY_LEN(volume_names), "Tags" };

static const struct describe_kind volume_kind = { "Volumes",
	{ { "VolumeIds", "vol", "VolumeId", "volume", "InvalidVolume" } } };

static void
volume_each(struct describe *d, const struct inventory_item *i)
{
	if (device_volume_id(i->instance))
		describe_add(d, NULL, device_volume(i->instance));
}

static void
volume_record(struct describe *d, const char *key, const struct cas_entry *e)
{
	AUTO(volume) struct volume v = { 0 };
	char why[JSON_WHY_MAX];

	if (volume_from_json(e->value, e->len, &v, why) == 0)
		describe_add(d, NULL, volume_view(&v));
}

static void
volume_records(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->volumes, NULL, volume_record,
	    describe_end);
}

/* The root volumes of instances, then all others. */
void
act_describe_volumes(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &volume_kind);

	if (d)
		describe_read_instances(d, volume_each, volume_records);
}

/* ---- network interfaces ---- */

static const struct filter_name interface_names[] = {
	{ "addresses.association.owner-id",	"PrivateIpAddresses.Association.IpOwnerId" },
	{ "addresses.association.public-ip",	"PrivateIpAddresses.Association.PublicIp" },
	{ "addresses.primary",			"PrivateIpAddresses.Primary" },
	{ "addresses.private-ip-address",	"PrivateIpAddresses.PrivateIpAddress" },
	{ "association.allocation-id",		"Association.AllocationId" },
	{ "association.association-id",		"Association.AssociationId" },
	{ "association.carrier-ip",		"Association.CarrierIp" },
	{ "association.customer-owned-ip",	"Association.CustomerOwnedIp" },
	{ "association.ip-owner-id",		"Association.IpOwnerId" },
	{ "association.public-dns-name",	"Association.PublicDnsName" },
	{ "association.public-ip",		"Association.PublicIp" },
	{ "attachment.attach-time",		"Attachment.AttachTime" },
	{ "attachment.attachment-id",		"Attachment.AttachmentId" },
	{ "attachment.delete-on-termination",	"Attachment.DeleteOnTermination" },
	{ "attachment.device-index",		"Attachment.DeviceIndex" },
	{ "attachment.instance-id",		"Attachment.InstanceId" },
	{ "attachment.instance-owner-id",	"Attachment.InstanceOwnerId" },
	{ "attachment.status",			"Attachment.Status" },
	{ "availability-zone",			"AvailabilityZone" },
	{ "description",			"Description" },
	{ "group-id",				"Groups.GroupId" },
	{ "group-name",				"Groups.GroupName" },
	{ "interface-type",			"InterfaceType" },
	{ "ipv6-addresses.ipv6-address",	"Ipv6Addresses.Ipv6Address" },
	{ "mac-address",			"MacAddress" },
	{ "network-interface-id",		"NetworkInterfaceId" },
	{ "operator.managed",			"=false" },
	{ "operator.principal",		NULL },
	{ "owner-id",				"OwnerId" },
	{ "private-dns-name",			"PrivateDnsName" },
	{ "private-ip-address",			"PrivateIpAddress" },
	{ "requester-id",			"RequesterId" },
	{ "requester-managed",			"RequesterManaged" },
	{ "source-dest-check",			"SourceDestCheck" },
	{ "status",				"Status" },
	{ "subnet-id",				"SubnetId" },
	{ "vpc-id",				"VpcId" },
};
const struct filter_table act_filters_interfaces = { interface_names,
	ARRAY_LEN(interface_names), "TagSet" };

static const struct describe_kind interface_kind = { "NetworkInterfaces", {
	{ "NetworkInterfaceIds", "eni", "NetworkInterfaceId", "networkInterface ID",
	  "InvalidNetworkInterfaceID" } } };

static void
interface_each(struct describe *d, const struct inventory_item *i)
{
	const cJSON *nic;

	cJSON_ArrayForEach(nic, json_member(i->instance, "NetworkInterfaces"))
		describe_add(d, NULL, device_interface(i->instance, nic));
}

/* And those that are no instance's. */
static void
interface_others(struct describe *d)
{
	describe_read_records(d, describe_call(d)->gwd->cloud->networks, NULL, network_take,
	    network_shown);
}

void
act_describe_network_interfaces(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &interface_kind);

	if (d)
		describe_read_instances(d, interface_each, interface_others);
}
