/*
 * act_network.c - what an account's one network is made of, read only: it is always there, as
 * a default VPC is, and follows from the account's id.  What is in it, and how much of it is
 * taken, is asked of the instances and of the bucket of addresses.
 */
#include <string.h>

#include "gwd/acts.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/network_view.h"

static cJSON *
network_of_call(const struct call *c, enum network_thing t)
{
	const struct conf_common *conf = c->gwd->d.conf;

	return network_view(t, &(struct network_view){ c->account, conf->region, conf->zone });
}

/* A list of the things from first to last. */
static void
network_describe(struct call *c, const struct describe_kind *kind, enum network_thing first,
    enum network_thing last)
{
	struct describe *d = describe_open(c, kind);

	if (!d)
		return;
	for (int t = (int)first; t <= (int)last; t++)
		describe_add(d, NULL, network_of_call(c, (enum network_thing)t));
	describe_end(d);
}

/* ---- VPCs ---- */

static const struct filter_name vpc_names[] = {
	{ "cidr",					"CidrBlock" },
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
	network_describe(c, &vpc_kind, NETWORK_VPC, NETWORK_VPC);
}

static const struct {
	const char	*name;
	const char	*member;
	bool		 value;
} vpc_attributes[] = {
	{ "enableDnsHostnames",			"EnableDnsHostnames",			true },
	{ "enableDnsSupport",			"EnableDnsSupport",			true },
	{ "enableNetworkAddressUsageMetrics",	"EnableNetworkAddressUsageMetrics",	false },
};

/* Which are known the shape says. */
static cJSON *
vpc_attribute(const char *vpc, const char *name)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!out || !cJSON_AddStringToObject(out, "VpcId", vpc))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(vpc_attributes); i++) {
		cJSON *value;

		if (strcmp(vpc_attributes[i].name, name) != 0)
			continue;
		value = cJSON_AddObjectToObject(out, vpc_attributes[i].member);
		if (!value || !cJSON_AddBoolToObject(value, "Value", vpc_attributes[i].value))
			return NULL;
	}
	return steal_json(&out);
}

void
act_describe_vpc_attribute(struct gwd *g, struct call *c)
{
	const char *vpc = json_text(c->in, "VpcId");
	struct network n;

	network_of(c->account, &n);
	if (strcmp(vpc, n.vpc_id) != 0)
		call_fail(c, "InvalidVpcID.NotFound", "The vpc ID '%s' does not exist", vpc);
	else
		call_answer(c, vpc_attribute(vpc, json_text(c->in, "Attribute")));
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

/* A record is an address that is taken: what was given back is a marker. */
static void
subnet_counted(struct describe *d)
{
	AUTO(json) cJSON *item = network_of_call(describe_call(d), NETWORK_SUBNET);
	const uint64_t taken = describe_records_read(d);
	const uint64_t left = taken < NETWORK_ADDRESSES ? NETWORK_ADDRESSES - taken : 0;

	if (item && !json_add_u64(item, "AvailableIpAddressCount", left))
		cJSON_Delete(steal_json(&item));
	describe_add(d, NULL, steal_json(&item));
	describe_end(d);
}

void
act_describe_subnets(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &subnet_kind);

	if (d)
		describe_read_records(d, g->cloud->addresses, NULL, NULL, subnet_counted);
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
	network_describe(c, &group_kind, NETWORK_GROUP, NETWORK_GROUP);
}

static const struct filter_name rule_names[] = {
	{ "group-id",			"GroupId" },
	{ "security-group-rule-id",	"SecurityGroupRuleId" },
};
const struct filter_table act_filters_rules = { rule_names, ARRAY_LEN(rule_names), "Tags" };

static const struct describe_kind rule_kind = { "SecurityGroupRules", {
	{ "SecurityGroupRuleIds", "sgr", "SecurityGroupRuleId", "security group rule ID",
	  "InvalidSecurityGroupRuleId" } } };

_Static_assert(NETWORK_RULE_INGRESS == NETWORK_RULE_EGRESS + 1, "they are described as a range");

void
act_describe_security_group_rules(struct gwd *g, struct call *c)
{
	network_describe(c, &rule_kind, NETWORK_RULE_EGRESS, NETWORK_RULE_INGRESS);
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
	network_describe(c, &table_kind, NETWORK_ROUTE_TABLE, NETWORK_ROUTE_TABLE);
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
	network_describe(c, &gateway_kind, NETWORK_GATEWAY, NETWORK_GATEWAY);
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
	network_describe(c, &acl_kind, NETWORK_ACL, NETWORK_ACL);
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
	network_describe(c, &dhcp_kind, NETWORK_DHCP_OPTIONS, NETWORK_DHCP_OPTIONS);
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
