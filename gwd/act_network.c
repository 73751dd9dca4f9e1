/*
 * act_network.c - what an account's network is made of, as its document says it; see net.h.
 * How much of a subnet is taken is asked of the bucket of addresses.
 */
#include <stdio.h>
#include <string.h>

#include "common/cidr.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/net_job.h"
#include "gwd/network_read.h"

/* The list of the document that the action shows, and what may still be counted in it. */
static enum net_kind
network_kind(const struct describe *d)
{
	const char *list = describe_list(d);
	int k = 0;

	while (k + 1 < NET_KINDS && strcmp(net_rows[k].list, list) != 0)
		k++;
	return (enum net_kind)k;
}

static void
network_show(struct describe *d)
{
	const struct net n = { .doc = describe_kept(d) };
	const enum net_kind k = network_kind(d);
	/* Groups that are named are of the default VPC, as in EC2: others may have the same names. */
	const bool is_named = cJSON_GetArraySize(json_member(describe_call(d)->in, "GroupNames")) > 0;
	const cJSON *thing;

	cJSON_ArrayForEach(thing, net_list(&n, k)) {
		if (!is_named || net_is_default_vpc(&n, json_text(thing, "VpcId")))
			describe_add(d, NULL, net_view(&n, k, thing));
	}
	describe_end(d);
}

void
network_take(struct describe *d, const char *key, const struct cas_entry *e)
{
	const struct call *c = describe_call(d);
	struct net n = { .doc = NULL };
	struct net_zones zones;
	char why[JSON_WHY_MAX] = "";

	net_prepare(&n, c->gwd, c->account, &zones);
	if (net_open(&n, e ? e->value : NULL, e ? e->len : 0, why) == 0) {
		describe_keep(d, n.doc);
		return;
	}
	if (*why)
		net_log_unreadable(c->account, why);
	describe_add(d, NULL, NULL);	/* which fails it */
}

bool
network_default(struct describe *d)
{
	if (!describe_kept(d))
		network_take(d, "", NULL);
	if (describe_kept(d))
		return true;
	describe_end(d);		/* it has failed */
	return false;
}

void
network_shown(struct describe *d)
{
	if (network_default(d))
		network_show(d);
}

static void
network_read(struct call *c, const struct describe_kind *kind, describe_then_fn *then)
{
	struct describe *d;

	if (!nodes_are_known(c->gwd->cloud->nodes))
		ask_fail_unready(c);
	else if ((d = describe_open(c, kind)))
		describe_read_records(d, c->gwd->cloud->networks, NULL, network_take, then);
}

static void
network_describe(struct call *c, const struct describe_kind *kind)
{
	network_read(c, kind, network_shown);
}

/* ---- VPCs ---- */

static const struct filter_name vpc_names[] = {
	{ "cidr",					"CidrBlock" },
	{ "cidr-block",					"CidrBlock" },
	{ "cidr-block-association.association-id",
	  "CidrBlockAssociationSet.AssociationId" },
	{ "cidr-block-association.cidr-block",		"CidrBlockAssociationSet.CidrBlock" },
	{ "cidr-block-association.state",
	  "CidrBlockAssociationSet.CidrBlockState.State" },
	{ "cidrBlock",					"CidrBlock" },
	{ "dhcp-options-id",				"DhcpOptionsId" },
	{ "dhcpOptionsId",				"DhcpOptionsId" },
	{ "ipv6-cidr-block-association.association-id",
	  "Ipv6CidrBlockAssociationSet.AssociationId" },
	{ "ipv6-cidr-block-association.ipv6-cidr-block",
	  "Ipv6CidrBlockAssociationSet.Ipv6CidrBlock" },
	{ "ipv6-cidr-block-association.ipv6-pool", "Ipv6CidrBlockAssociationSet.Ipv6Pool" },
	{ "ipv6-cidr-block-association.state",
	  "Ipv6CidrBlockAssociationSet.Ipv6CidrBlockState.State" },
	{ "is-default",					"IsDefault" },
	{ "isDefault",					"IsDefault" },
	{ "owner-id",					"OwnerId" },
	{ "state",					"State" },
	{ "vpc-id",					"VpcId" },
};
const struct filter_table act_filters_vpcs = { vpc_names, ARRAY_LEN(vpc_names), "Tags" };

static const struct describe_kind vpc_kind = { "Vpcs",
	{ { "VpcIds", "vpc", "VpcId", "vpc ID", "InvalidVpcID" } } };

void
act_describe_vpcs(struct gwd *g, struct call *c)
{
	network_describe(c, &vpc_kind);
}

/* ---- subnets ---- */

static const struct filter_name subnet_names[] = {
	{ "availability-zone",			"AvailabilityZone" },
	{ "availability-zone-id",		"AvailabilityZoneId" },
	{ "availabilityZone",			"AvailabilityZone" },
	{ "availabilityZoneId",			"AvailabilityZoneId" },
	{ "available-ip-address-count",		"AvailableIpAddressCount" },
	{ "cidr",				"CidrBlock" },
	{ "cidr-block",				"CidrBlock" },
	{ "cidrBlock",				"CidrBlock" },
	{ "customer-owned-ipv4-pool",		"CustomerOwnedIpv4Pool" },
	{ "default-for-az",			"DefaultForAz" },
	{ "defaultForAz",			"DefaultForAz" },
	{ "enable-dns64",			"EnableDns64" },
	{ "enable-lni-at-device-index",		"EnableLniAtDeviceIndex" },
	{ "ipv6-cidr-block-association.association-id",
	  "Ipv6CidrBlockAssociationSet.AssociationId" },
	{ "ipv6-cidr-block-association.ipv6-cidr-block",
	  "Ipv6CidrBlockAssociationSet.Ipv6CidrBlock" },
	{ "ipv6-cidr-block-association.state",
	  "Ipv6CidrBlockAssociationSet.Ipv6CidrBlockState.State" },
	{ "ipv6-native",			"Ipv6Native" },
	{ "map-customer-owned-ip-on-launch",	"MapCustomerOwnedIpOnLaunch" },
	{ "map-public-ip-on-launch",		"MapPublicIpOnLaunch" },
	{ "outpost-arn",			"OutpostArn" },
	{ "owner-id",				"OwnerId" },
	{ "private-dns-name-options-on-launch.enable-resource-name-dns-a-record",
	  "PrivateDnsNameOptionsOnLaunch.EnableResourceNameDnsARecord" },
	{ "private-dns-name-options-on-launch.enable-resource-name-dns-aaaa-record",
	  "PrivateDnsNameOptionsOnLaunch.EnableResourceNameDnsAAAARecord" },
	{ "private-dns-name-options-on-launch.hostname-type",
	  "PrivateDnsNameOptionsOnLaunch.HostnameType" },
	{ "state",				"State" },
	{ "subnet-arn",				"SubnetArn" },
	{ "subnet-id",				"SubnetId" },
	{ "vpc-id",				"VpcId" },
};
const struct filter_table act_filters_subnets = { subnet_names, ARRAY_LEN(subnet_names), "Tags" };

static const struct describe_kind subnet_kind = { "Subnets",
	{ { "SubnetIds", "subnet", "SubnetId", "subnet ID", "InvalidSubnetID" } } };

/* One of the addresses that instances have: it is no longer free in its subnet. */
static void
subnet_taken(struct describe *d, const char *key, const struct cas_entry *e)
{
	const struct net n = { .doc = describe_kept(d) };
	const char *dot = strchr(key, '.');
	char text[32];
	struct cidr one, block;
	cJSON *s, *count;

	(void)snprintf(text, sizeof(text), "%.15s/32", dot ? dot + 1 : "");
	for (char *p = text; *p; p++)
		*p = *p == '-' ? '.' : *p;
	if (cidr_read(text, &one) < 0)
		return;
	cJSON_ArrayForEach(s, net_list(&n, NET_SUBNET)) {
		count = cJSON_GetObjectItemCaseSensitive(s, "AvailableIpAddressCount");
		if (cidr_read(json_text(s, "CidrBlock"), &block) == 0 && cidr_has(&block, &one) &&
		    count && count->valuedouble > 0)
			cJSON_SetNumberValue(count, count->valuedouble - 1);
	}
}

/* A record is an address that is taken: what was given back is a marker. */
static void
subnet_counted(struct describe *d)
{
	struct cidr block;
	cJSON *s;

	if (!network_default(d))
		return;
	cJSON_ArrayForEach(s, json_member(describe_kept(d), net_rows[NET_SUBNET].list)) {
		cJSON *count = cidr_read(json_text(s, "CidrBlock"), &block) == 0 ?
		    cJSON_CreateNumber(cidr_size(&block) - 5) : NULL;

		cJSON_DeleteItemFromObjectCaseSensitive(s, "AvailableIpAddressCount");
		if (!count || !cJSON_AddItemToObject(s, "AvailableIpAddressCount", count))
			cJSON_Delete(count);
	}
	describe_read_records(d, describe_call(d)->gwd->cloud->addresses, NULL, subnet_taken,
	    network_show);
}

void
act_describe_subnets(struct gwd *g, struct call *c)
{
	network_read(c, &subnet_kind, subnet_counted);
}

/* ---- security groups ---- */

#define GROUP_RULES(direction, list)							\
	{ direction "ip-permission.cidr",	list ".IpRanges.CidrIp" },		\
	{ direction "ip-permission.from-port",	list ".FromPort" },			\
	{ direction "ip-permission.group-id",	list ".UserIdGroupPairs.GroupId" },	\
	{ direction "ip-permission.group-name",	list ".UserIdGroupPairs.GroupName" },	\
	{ direction "ip-permission.ipv6-cidr",	list ".Ipv6Ranges.CidrIpv6" },		\
	{ direction "ip-permission.prefix-list-id", list ".PrefixListIds.PrefixListId" }, \
	{ direction "ip-permission.protocol",	list ".IpProtocol" },			\
	{ direction "ip-permission.to-port",	list ".ToPort" },			\
	{ direction "ip-permission.user-id",	list ".UserIdGroupPairs.UserId" }

static const struct filter_name group_names[] = {
	{ "description",	"Description" },
	GROUP_RULES("egress.", "IpPermissionsEgress"),
	{ "group-id",		"GroupId" },
	{ "group-name",		"GroupName" },
	GROUP_RULES("", "IpPermissions"),
	{ "owner-id",		"OwnerId" },
	{ "vpc-id",		"VpcId" },
};
const struct filter_table act_filters_groups = { group_names, ARRAY_LEN(group_names), "Tags" };

static const struct describe_kind group_kind = { "SecurityGroups", {
	{ "GroupIds", "sg", "GroupId", "security group", "InvalidGroup" },
	{ "GroupNames", NULL, "GroupName", "security group", "InvalidGroup" },
} };

void
act_describe_security_groups(struct gwd *g, struct call *c)
{
	network_describe(c, &group_kind);
}

static const struct filter_name rule_names[] = {
	{ "group-id",			"GroupId" },
	{ "security-group-rule-id",	"SecurityGroupRuleId" },
};
const struct filter_table act_filters_rules = { rule_names, ARRAY_LEN(rule_names), "Tags" };

static const struct describe_kind rule_kind = { "SecurityGroupRules", {
	{ "SecurityGroupRuleIds", "sgr", "SecurityGroupRuleId", "security group rule ID",
	  "InvalidSecurityGroupRuleId" } } };

void
act_describe_security_group_rules(struct gwd *g, struct call *c)
{
	network_describe(c, &rule_kind);
}

/* ---- routes, gateways, lists, options ---- */

static const struct filter_name table_names[] = {
	{ "association.gateway-id",		"Associations.GatewayId" },
	{ "association.main",			"Associations.Main" },
	{ "association.route-table-association-id", "Associations.RouteTableAssociationId" },
	{ "association.route-table-id",		"Associations.RouteTableId" },
	{ "association.subnet-id",		"Associations.SubnetId" },
	{ "owner-id",				"OwnerId" },
	{ "route-table-id",			"RouteTableId" },
	{ "route.carrier-gateway-id",		"Routes.CarrierGatewayId" },
	{ "route.destination-cidr-block",	"Routes.DestinationCidrBlock" },
	{ "route.destination-ipv6-cidr-block",	"Routes.DestinationIpv6CidrBlock" },
	{ "route.destination-prefix-list-id",	"Routes.DestinationPrefixListId" },
	{ "route.egress-only-internet-gateway-id", "Routes.EgressOnlyInternetGatewayId" },
	{ "route.gateway-id",			"Routes.GatewayId" },
	{ "route.instance-id",			"Routes.InstanceId" },
	{ "route.nat-gateway-id",		"Routes.NatGatewayId" },
	{ "route.origin",			"Routes.Origin" },
	{ "route.state",			"Routes.State" },
	{ "route.transit-gateway-id",		"Routes.TransitGatewayId" },
	{ "route.vpc-peering-connection-id",	"Routes.VpcPeeringConnectionId" },
	{ "vpc-id",				"VpcId" },
};
const struct filter_table act_filters_route_tables = { table_names, ARRAY_LEN(table_names),
	"Tags" };

static const struct describe_kind table_kind = { "RouteTables",
	{ { "RouteTableIds", "rtb", "RouteTableId", "routeTable ID", "InvalidRouteTableID" } } };

void
act_describe_route_tables(struct gwd *g, struct call *c)
{
	network_describe(c, &table_kind);
}

static const struct filter_name gateway_names[] = {
	{ "attachment.state",		"Attachments.State" },
	{ "attachment.vpc-id",		"Attachments.VpcId" },
	{ "internet-gateway-id",	"InternetGatewayId" },
	{ "owner-id",			"OwnerId" },
};
const struct filter_table act_filters_gateways = { gateway_names, ARRAY_LEN(gateway_names),
	"Tags" };

static const struct describe_kind gateway_kind = { "InternetGateways", {
	{ "InternetGatewayIds", "igw", "InternetGatewayId", "internetGateway ID",
	  "InvalidInternetGatewayID" } } };

void
act_describe_internet_gateways(struct gwd *g, struct call *c)
{
	network_describe(c, &gateway_kind);
}

static const struct filter_name acl_names[] = {
	{ "association.association-id",		"Associations.NetworkAclAssociationId" },
	{ "association.network-acl-id",		"Associations.NetworkAclId" },
	{ "association.subnet-id",		"Associations.SubnetId" },
	{ "default",				"IsDefault" },
	{ "entry.cidr",				"Entries.CidrBlock" },
	{ "entry.egress",			"Entries.Egress" },
	{ "entry.icmp.code",			"Entries.IcmpTypeCode.Code" },
	{ "entry.icmp.type",			"Entries.IcmpTypeCode.Type" },
	{ "entry.ipv6-cidr",			"Entries.Ipv6CidrBlock" },
	{ "entry.port-range.from",		"Entries.PortRange.From" },
	{ "entry.port-range.to",		"Entries.PortRange.To" },
	{ "entry.protocol",			"Entries.Protocol" },
	{ "entry.rule-action",			"Entries.RuleAction" },
	{ "entry.rule-number",			"Entries.RuleNumber" },
	{ "network-acl-id",			"NetworkAclId" },
	{ "owner-id",				"OwnerId" },
	{ "vpc-id",				"VpcId" },
};
const struct filter_table act_filters_acls = { acl_names, ARRAY_LEN(acl_names), "Tags" };

static const struct describe_kind acl_kind = { "NetworkAcls",
	{ { "NetworkAclIds", "acl", "NetworkAclId", "networkAcl ID", "InvalidNetworkAclID" } } };

void
act_describe_network_acls(struct gwd *g, struct call *c)
{
	network_describe(c, &acl_kind);
}

static const struct filter_name dhcp_names[] = {
	{ "dhcp-options-id",	"DhcpOptionsId" },
	{ "key",		"DhcpConfigurations.Key" },
	{ "owner-id",		"OwnerId" },
	{ "value",		"DhcpConfigurations.Values.Value" },
};
const struct filter_table act_filters_dhcp_options = { dhcp_names, ARRAY_LEN(dhcp_names), "Tags" };

static const struct describe_kind dhcp_kind = { "DhcpOptions", {
	{ "DhcpOptionsIds", "dopt", "DhcpOptionsId", "dhcpOptions ID",
	  "InvalidDhcpOptionID" } } };

void
act_describe_dhcp_options(struct gwd *g, struct call *c)
{
	network_describe(c, &dhcp_kind);
}

/* ---- addresses: none is elastic ---- */

static const struct filter_name address_names[] = {
	{ "allocation-id",		"AllocationId" },
	{ "association-id",		"AssociationId" },
	{ "domain",			"Domain" },
	{ "instance-id",		"InstanceId" },
	{ "network-border-group",	"NetworkBorderGroup" },
	{ "network-interface-id",	"NetworkInterfaceId" },
	{ "network-interface-owner-id",	"NetworkInterfaceOwnerId" },
	{ "private-ip-address",		"PrivateIpAddress" },
	{ "public-ip",			"PublicIp" },
};
const struct filter_table act_filters_addresses = { address_names, ARRAY_LEN(address_names),
	"Tags" };

static const struct describe_kind address_kind = { "Addresses", {
	{ "AllocationIds", "eipalloc", "AllocationId", "allocation ID", "InvalidAllocationID" },
	{ "PublicIps", NULL, "PublicIp", "address", "InvalidAddress" },
} };

void
act_describe_addresses(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &address_kind);

	if (d)
		describe_end(d);
}
