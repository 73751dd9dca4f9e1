/*
 * act_instances.c - DescribeInstances.  Pages go by instance id, which never moves; a
 * reservation whose instances lie on two pages is shown on both with its part.
 */
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"
#include "gwd/inventory.h"

static const struct filter_name instances_names[] = {
	{ "affinity",				"Placement.Affinity" },
	{ "architecture",			"Architecture" },
	{ "availability-zone",			"Placement.AvailabilityZone" },
	{ "block-device-mapping.attach-time",	"BlockDeviceMappings.Ebs.AttachTime" },
	{ "block-device-mapping.delete-on-termination",
	  "BlockDeviceMappings.Ebs.DeleteOnTermination" },
	{ "block-device-mapping.device-name",	"BlockDeviceMappings.DeviceName" },
	{ "block-device-mapping.status",	"BlockDeviceMappings.Ebs.Status" },
	{ "block-device-mapping.volume-id",	"BlockDeviceMappings.Ebs.VolumeId" },
	{ "boot-mode",				"BootMode" },
	{ "capacity-reservation-id",		"CapacityReservationId" },
	{ "capacity-reservation-specification.capacity-reservation-preference",
	  "CapacityReservationSpecification.CapacityReservationPreference" },
	{ "capacity-reservation-specification.capacity-reservation-target.capacity-reservation-id",
	  NULL },
	{ "capacity-reservation-specification.capacity-reservation-target."
	  "capacity-reservation-resource-group-arn", NULL },
	{ "client-token",			"ClientToken" },
	{ "current-instance-boot-mode",	"BootMode" },
	{ "dns-name",				"PublicDnsName" },
	{ "ebs-optimized",			"EbsOptimized" },
	{ "ena-support",			"EnaSupport" },
	{ "enclave-options.enabled",		"EnclaveOptions.Enabled" },
	{ "group-id",				"^Groups.GroupId" },
	{ "group-name",				"^Groups.GroupName" },
	{ "hibernation-options.configured",	"HibernationOptions.Configured" },
	{ "host-id",				"Placement.HostId" },
	{ "hypervisor",				"Hypervisor" },
	{ "iam-instance-profile.arn",		"IamInstanceProfile.Arn" },
	{ "iam-instance-profile.id",		NULL },
	{ "image-id",				"ImageId" },
	{ "instance-id",			"InstanceId" },
	{ "instance-lifecycle",			"InstanceLifecycle" },
	{ "instance-state-code",		"State.Code" },
	{ "instance-state-name",		"State.Name" },
	{ "instance-type",			"InstanceType" },
	{ "instance.group-id",			"SecurityGroups.GroupId" },
	{ "instance.group-name",		"SecurityGroups.GroupName" },
	{ "ip-address",				"PublicIpAddress" },
	{ "ipv6-address",			NULL },
	{ "kernel-id",				"KernelId" },
	{ "key-name",				"KeyName" },
	{ "launch-index",			"AmiLaunchIndex" },
	{ "launch-time",			"LaunchTime" },
	{ "maintenance-options.auto-recovery",	"MaintenanceOptions.AutoRecovery" },
	{ "metadata-options.http-endpoint",	"MetadataOptions.HttpEndpoint" },
	{ "metadata-options.http-protocol-ipv4",	"=enabled" },
	{ "metadata-options.http-protocol-ipv6",	"MetadataOptions.HttpProtocolIpv6" },
	{ "metadata-options.http-put-response-hop-limit",
	  "MetadataOptions.HttpPutResponseHopLimit" },
	{ "metadata-options.http-tokens",	"MetadataOptions.HttpTokens" },
	{ "metadata-options.instance-metadata-tags",	"MetadataOptions.InstanceMetadataTags" },
	{ "metadata-options.state",		"MetadataOptions.State" },
	{ "monitoring-state",			"Monitoring.State" },
	{ "network-interface.addresses.association.allocation-id",	NULL },
	{ "network-interface.addresses.association.association-id",	NULL },
	{ "network-interface.addresses.association.carrier-ip",	NULL },
	{ "network-interface.addresses.association.customer-owned-ip",	NULL },
	{ "network-interface.addresses.association.ip-owner-id",
	  "NetworkInterfaces.PrivateIpAddresses.Association.IpOwnerId" },
	{ "network-interface.addresses.association.public-dns-name",	NULL },
	{ "network-interface.addresses.association.public-ip",
	  "NetworkInterfaces.PrivateIpAddresses.Association.PublicIp" },
	{ "network-interface.addresses.primary",
	  "NetworkInterfaces.PrivateIpAddresses.Primary" },
	{ "network-interface.addresses.private-dns-name",
	  "NetworkInterfaces.PrivateIpAddresses.PrivateDnsName" },
	{ "network-interface.addresses.private-ip-address",
	  "NetworkInterfaces.PrivateIpAddresses.PrivateIpAddress" },
	{ "network-interface.association.allocation-id", NULL },
	{ "network-interface.association.association-id", NULL },
	{ "network-interface.association.carrier-ip",	NULL },
	{ "network-interface.association.customer-owned-ip",	NULL },
	{ "network-interface.association.ip-owner-id",
	  "NetworkInterfaces.Association.IpOwnerId" },
	{ "network-interface.association.public-dns-name",	NULL },
	{ "network-interface.association.public-ip", "NetworkInterfaces.Association.PublicIp" },
	{ "network-interface.attachment.attach-time",
	  "NetworkInterfaces.Attachment.AttachTime" },
	{ "network-interface.attachment.attachment-id",
	  "NetworkInterfaces.Attachment.AttachmentId" },
	{ "network-interface.attachment.delete-on-termination",
	  "NetworkInterfaces.Attachment.DeleteOnTermination" },
	{ "network-interface.attachment.device-index",
	  "NetworkInterfaces.Attachment.DeviceIndex" },
	{ "network-interface.attachment.instance-id", "InstanceId" },
	{ "network-interface.attachment.instance-owner-id", "^OwnerId" },
	{ "network-interface.attachment.network-card-index",
	  "NetworkInterfaces.Attachment.NetworkCardIndex" },
	{ "network-interface.attachment.status", "NetworkInterfaces.Attachment.Status" },
	{ "network-interface.availability-zone", "Placement.AvailabilityZone" },
	{ "network-interface.deny-all-igw-traffic",	NULL },
	{ "network-interface.description",	"NetworkInterfaces.Description" },
	{ "network-interface.group-id",		"NetworkInterfaces.Groups.GroupId" },
	{ "network-interface.group-name",	"NetworkInterfaces.Groups.GroupName" },
	{ "network-interface.ipv4-prefixes.ipv4-prefix",	NULL },
	{ "network-interface.ipv6-address",	NULL },
	{ "network-interface.ipv6-addresses.ipv6-address",
	  "NetworkInterfaces.Ipv6Addresses.Ipv6Address" },
	{ "network-interface.ipv6-addresses.is-primary-ipv6",	NULL },
	{ "network-interface.ipv6-native",	"=false" },
	{ "network-interface.ipv6-prefixes.ipv6-prefix",	NULL },
	{ "network-interface.mac-address",	"NetworkInterfaces.MacAddress" },
	{ "network-interface.network-interface-id", "NetworkInterfaces.NetworkInterfaceId" },
	{ "network-interface.operator.managed",	"=false" },
	{ "network-interface.operator.principal",	NULL },
	{ "network-interface.outpost-arn",	NULL },
	{ "network-interface.owner-id",		"NetworkInterfaces.OwnerId" },
	{ "network-interface.private-dns-name",	"NetworkInterfaces.PrivateDnsName" },
	{ "network-interface.private-ip-address",	"NetworkInterfaces.PrivateIpAddress" },
	{ "network-interface.public-dns-name",	NULL },
	{ "network-interface.requester-id",	NULL },
	{ "network-interface.requester-managed",	"=false" },
	{ "network-interface.source-dest-check", "NetworkInterfaces.SourceDestCheck" },
	{ "network-interface.status",		"NetworkInterfaces.Status" },
	{ "network-interface.subnet-id",	"NetworkInterfaces.SubnetId" },
	{ "network-interface.tag-key",		INSTANCE_VIEW_FACTS ".interface_tags.Key" },
	{ "network-interface.tag-value",	INSTANCE_VIEW_FACTS ".interface_tags.Value" },
	{ "network-interface.vpc-id",		"NetworkInterfaces.VpcId" },
	{ "network-performance-options.bandwidth-weighting",	NULL },
	{ "operator.managed",			"=false" },
	{ "operator.principal",		NULL },
	{ "outpost-arn",			"OutpostArn" },
	{ "owner-id",				"^OwnerId" },
	{ "placement-group-name",		"Placement.GroupName" },
	{ "placement-partition-number",		"Placement.PartitionNumber" },
	{ "platform",				"Platform" },
	{ "platform-details",			"PlatformDetails" },
	{ "private-dns-name",			"PrivateDnsName" },
	{ "private-dns-name-options.enable-resource-name-dns-a-record",
	  "PrivateDnsNameOptions.EnableResourceNameDnsARecord" },
	{ "private-dns-name-options.enable-resource-name-dns-aaaa-record",
	  "PrivateDnsNameOptions.EnableResourceNameDnsAAAARecord" },
	{ "private-dns-name-options.hostname-type",	"PrivateDnsNameOptions.HostnameType" },
	{ "private-ip-address",			"PrivateIpAddress" },
	{ "product-code",			"ProductCodes.ProductCodeId" },
	{ "product-code.type",			"ProductCodes.ProductCodeType" },
	{ "ramdisk-id",				"RamdiskId" },
	{ "reason",				"StateTransitionReason" },
	{ "requester-id",			"^RequesterId" },
	{ "reservation-id",			"^ReservationId" },
	{ "root-device-name",			"RootDeviceName" },
	{ "root-device-type",			"RootDeviceType" },
	{ "source-dest-check",			"SourceDestCheck" },
	{ "spot-instance-request-id",		"SpotInstanceRequestId" },
	{ "state-reason-code",			"StateReason.Code" },
	{ "state-reason-message",		"StateReason.Message" },
	{ "subnet-id",				"SubnetId" },
	{ "tenancy",				"Placement.Tenancy" },
	{ "tpm-support",			NULL },
	{ "usage-operation",			"UsageOperation" },
	{ "usage-operation-update-time",	"UsageOperationUpdateTime" },
	{ "virtualization-type",		"VirtualizationType" },
	{ "vpc-id",				"VpcId" },
};
const struct filter_table act_filters_instances = {
	instances_names, ARRAY_LEN(instances_names), "Tags" };

struct instances_taken {
	char	 reservation_id[24];
	size_t	 order;			/* in which it came: by instance id */
	cJSON	*instance;		/* part of answer */
	struct answer *answer;		/* a reference */
};

struct instances {
	struct call		*call;
	struct id_list		 ids;
	struct page		 page;
	const cJSON		*filters;
	struct instances_taken	*taken;
	size_t			 n, room;
	char			 last[PAGE_KEY_MAX + 1];
	bool			 more;
	bool			 nomem;
};

static void
instances_free(struct instances *d)
{
	for (size_t i = 0; i < d->n; i++)
		answer_unref(d->taken[i].answer);
	free(d->taken);
	id_list_deinit(&d->ids);
	free(d);
}

/* ---- collecting ---- */

static bool
instances_grow(struct instances *d)
{
	size_t room = d->room ? 2 * d->room : 16;
	struct instances_taken *more;

	if (d->n < d->room)
		return true;
	more = realloc(d->taken, room * sizeof(*more));
	if (!more)
		return false;
	d->taken = more;
	d->room = room;
	return true;
}

static void
instances_take(struct instances *d, const struct inventory_item *item)
{
	const char *reservation = json_text(item->reservation, "ReservationId");
	struct instances_taken *t;

	d->nomem |= !instances_grow(d);
	if (d->nomem)
		return;
	t = &d->taken[d->n];
	t->order = d->n++;
	snprintf(t->reservation_id, sizeof(t->reservation_id), "%s",
	    reservation ? reservation : "");
	snprintf(d->last, sizeof(d->last), "%s", item->id);
	t->instance = item->instance;
	t->answer = answer_ref(item->answer);
}

static bool
instances_round(void *arg, struct inventory_item *items, size_t n)
{
	struct instances *d = arg;

	for (size_t i = 0; i < n && !d->nomem; i++) {
		if (!filter_match(&act_filters_instances, d->filters, items[i].instance,
		    items[i].reservation))
			continue;
		if (d->page.max > 0 && d->n == d->page.max) {
			d->more = true;
			return true;
		}
		instances_take(d, &items[i]);
	}
	return d->nomem;
}

/* ---- answering ---- */

static int
instances_compare(const void *a, const void *b)
{
	const struct instances_taken *x = a, *y = b;
	int order = strcmp(x->reservation_id, y->reservation_id);

	return order ? order : x->order < y->order ? -1 : 1;
}

/* A reservation at the end of list: its list of instances, or NULL. */
static cJSON *
instances_reservation(const struct instances *d, cJSON *list, const char *id)
{
	cJSON *r = cJSON_CreateObject();

	if (!r || !cJSON_AddStringToObject(r, "ReservationId", id) ||
	    !cJSON_AddStringToObject(r, "OwnerId", d->call->account) ||
	    !cJSON_AddArrayToObject(r, "Groups") || !cJSON_AddItemToArray(list, r)) {
		cJSON_Delete(r);
		return NULL;
	}
	return cJSON_AddArrayToObject(r, "Instances");
}

static bool
instances_fill(struct instances *d, cJSON *list)
{
	cJSON *instances = NULL;

	if (d->n > 1)
		qsort(d->taken, d->n, sizeof(d->taken[0]), instances_compare);
	for (size_t i = 0; i < d->n; i++) {
		struct instances_taken *t = &d->taken[i];

		if (i == 0 || strcmp(t->reservation_id, t[-1].reservation_id) != 0)
			instances = instances_reservation(d, list, t->reservation_id);
		if (!instances || !cJSON_AddItemReferenceToArray(instances, t->instance))
			return false;
	}
	return true;
}

static void
instances_answer(struct instances *d)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "Reservations") : NULL;

	if (!list || d->nomem || !instances_fill(d, list) ||
	    (d->more && !ask_next(d->call, d->last, out)))
		ask_fail_nomem(d->call);
	else
		call_answer(d->call, steal_json(&out));
}

static void
instances_end(void *arg, const struct inventory_error *e)
{
	struct instances *d = arg;

	if (e)
		call_fail(d->call, e->code, "%s", e->message);
	else
		instances_answer(d);
	instances_free(d);
}

/* False: the call was failed. */
static bool
instances_read(struct instances *d, struct call *c)
{
	d->filters = json_member(c->in, "Filters");
	return ask_ids(c, "InstanceIds", "i", "InvalidInstanceID", &d->ids) &&
	    ask_page(c, d->ids.n > 0, &d->page);
}

void
act_describe_instances(struct gwd *g, struct call *c)
{
	struct instances *d = calloc(1, sizeof(*d));
	struct inventory_ask ask = { .call = c, .round = instances_round, .end = instances_end };

	if (!d) {
		ask_fail_nomem(c);
		return;
	}
	d->call = c;
	if (!instances_read(d, c)) {
		instances_free(d);
		return;
	}
	ask.arg = d;
	ask.ids = &d->ids;
	ask.after = d->page.after;
	if (inventory_start(g, &ask))
		return;
	ask_fail_unready(c);
	instances_free(d);
}
