/*
 * net_vpc.c - CreateVpc, DeleteVpc, ModifyVpcAttribute, CreateSubnet, DeleteSubnet,
 * ModifySubnetAttribute: see net.h.
 */
#include <stdio.h>
#include <string.h>

#include "gwd/net_impl.h"
#include "gwd/network_view.h"

#define BITS_MIN	16	/* of a VPC's or a subnet's block */
#define BITS_MAX	28

/* A block of a size that EC2 takes.  False: refused. */
static bool
read_block(struct net *n, const char *text, const char *code, struct cidr *ret,
    char canonical[static CIDR_TEXT_MAX])
{
	if (!text) {
		(void)net_fail(n, "MissingParameter", "The request must contain the parameter "
		    "cidrBlock");
		return false;
	}
	if (cidr_read(text, ret) < 0) {
		(void)net_fail(n, "InvalidParameterValue", "Value (%.64s) for parameter cidrBlock is "
		    "invalid. This is not a valid CIDR block.", text);
		return false;
	}
	if (ret->bits < BITS_MIN || ret->bits > BITS_MAX) {
		(void)net_fail(n, code, "The CIDR '%.64s' is invalid.", text);
		return false;
	}
	cidr_print(ret, canonical);
	return true;
}

/* ---- VPCs ---- */

static cJSON *
create_vpc(struct net *n, const cJSON *in)
{
	static const char json[] =
	    "{\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\",\"State\":\"available\","
	    "\"CidrBlock\":\"$cidr\",\"DhcpOptionsId\":\"$dhcp\",\"InstanceTenancy\":\"default\","
	    "\"IsDefault\":false,\"Ipv6CidrBlockAssociationSet\":[],"
	    "\"CidrBlockAssociationSet\":[{\"AssociationId\":\"$assoc\",\"CidrBlock\":\"$cidr\","
	    "\"CidrBlockState\":{\"State\":\"associated\"}}],"
	    "\".enableDnsSupport\":true,\".enableDnsHostnames\":false,"
	    "\".enableNetworkAddressUsageMetrics\":false}";
	char cidr[CIDR_TEXT_MAX], vpc[NET_ID_MAX], assoc[NET_ID_MAX];
	const cJSON *dhcp = net_list(n, NET_DHCP)->child;
	const struct template_value v[] = { { "vpc", vpc }, { "account", n->account },
		{ "cidr", cidr }, { "assoc", assoc }, { "dhcp", json_text(dhcp, "DhcpOptionsId") } };
	struct cidr block;
	cJSON *made;

	if (!read_block(n, json_text(in, "CidrBlock"), "InvalidVpc.Range", &block, cidr))
		return NULL;
	net_new_id("vpc", vpc);
	net_new_id("vpc-cidr-assoc", assoc);
	made = net_make(n, NET_VPC, in, json, v, ARRAY_LEN(v));
	return made && net_add_vpc_parts(n, vpc, cidr) ? net_made(n, NET_VPC, made) : NULL;
}

/* What keeps a VPC: NULL, nothing. */
static const char *
vpc_dependent(const struct net *n, const char *vpc)
{
	const cJSON *thing;

	if (net_first(n, NET_SUBNET, "VpcId", vpc))
		return "it has a subnet";
	if (net_first(n, NET_INTERFACE, "VpcId", vpc))
		return "it has a network interface";
	cJSON_ArrayForEach(thing, net_list(n, NET_GATEWAY)) {
		if (net_text_is(cJSON_GetArrayItem(json_member(thing, "Attachments"), 0), "VpcId", vpc))
			return "an internet gateway is attached";
	}
	cJSON_ArrayForEach(thing, net_list(n, NET_GROUP)) {
		if (net_text_is(thing, "VpcId", vpc) && !net_text_is(thing, "GroupName", "default"))
			return "it has a security group";
	}
	cJSON_ArrayForEach(thing, net_list(n, NET_TABLE)) {
		const cJSON *first = cJSON_GetArrayItem(json_member(thing, "Associations"), 0);

		if (net_text_is(thing, "VpcId", vpc) && !cJSON_IsTrue(json_member(first, "Main")))
			return "it has a route table";
	}
	return NULL;
}

static cJSON *
delete_vpc(struct net *n, const cJSON *in)
{
	static const enum net_kind parts[] = { NET_TABLE, NET_ACL };
	const char *id = json_text(in, "VpcId"), *why;
	cJSON *vpc = net_need(n, NET_VPC, id), *group;

	if (!vpc)
		return NULL;
	if (cJSON_IsTrue(json_member(vpc, "IsDefault")))
		return net_fail(n, "OperationNotPermitted", "The default VPC '%.64s' cannot be deleted.",
		    id);
	if ((why = vpc_dependent(n, id)))
		return net_fail_dependent(n, "vpc", id, why);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		(void)net_drop(net_list(n, parts[i]), "VpcId", id);
	while ((group = net_first(n, NET_GROUP, "VpcId", id))) {
		(void)net_drop(net_list(n, NET_RULE), "GroupId", json_text(group, "GroupId"));
		net_remove(n, NET_GROUP, group);
	}
	net_remove(n, NET_VPC, vpc);
	return net_done();
}

static const struct { const char *member, *kept; } vpc_switches[] = {
	{ "EnableDnsHostnames",			".enableDnsHostnames" },
	{ "EnableDnsSupport",			".enableDnsSupport" },
	{ "EnableNetworkAddressUsageMetrics",	".enableNetworkAddressUsageMetrics" },
};

static cJSON *
modify_vpc_attribute(struct net *n, const cJSON *in)
{
	cJSON *vpc = net_need(n, NET_VPC, json_text(in, "VpcId"));
	size_t given = 0;

	if (!vpc)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(vpc_switches); i++) {
		const cJSON *value = json_member(json_member(in, vpc_switches[i].member), "Value");

		if (!cJSON_IsBool(value))
			continue;
		given++;
		if (!net_set_bool(vpc, vpc_switches[i].kept, cJSON_IsTrue(value)))
			return NULL;
	}
	if (given == 1)
		return net_done();
	return net_fail(n, "InvalidParameterCombination", "Exactly one attribute must be specified.");
}

/* What a VPC that was never told has. */
static bool
vpc_switch(const cJSON *vpc, const char *kept)
{
	const cJSON *has = json_member(vpc, kept);

	return has ? cJSON_IsTrue(has) : strcmp(kept, ".enableNetworkAddressUsageMetrics") != 0;
}

static cJSON *
describe_vpc_attribute(struct net *n, const cJSON *in)
{
	const cJSON *vpc = net_need(n, NET_VPC, json_text(in, "VpcId"));
	const char *name = json_text(in, "Attribute");
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!vpc || !out || !net_set_text(out, "VpcId", json_text(vpc, "VpcId")))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(vpc_switches); i++) {
		cJSON *value;

		if (strcmp(vpc_switches[i].kept + 1, name) != 0)
			continue;
		value = cJSON_AddObjectToObject(out, vpc_switches[i].member);
		if (!value || !net_set_bool(value, "Value", vpc_switch(vpc, vpc_switches[i].kept)))
			return NULL;
	}
	return steal_json(&out);
}

/* ---- subnets ---- */

/* The zone of the request, which the cluster has; the first where none is named. */
static const char *
subnet_zone(struct net *n, const cJSON *in)
{
	const char *name = json_text(in, "AvailabilityZone"), *id = json_text(in, "AvailabilityZoneId");
	char zone_id[NETWORK_ZONE_ID_MAX];

	for (size_t i = 0; i < n->nzones; i++) {
		network_zone_id(n->region, n->zones[i], zone_id);
		if ((!name || !*name || !strcmp(name, n->zones[i])) &&
		    (!id || !*id || !strcmp(id, zone_id)))
			return n->zones[i];
	}
	(void)net_fail(n, "InvalidParameterValue", "Value (%.64s) for parameter availabilityZone is "
	    "invalid. Subnets can currently only be created in the zones of this cluster.",
	    name ? name : id ? id : "");
	return NULL;
}

/* A block within the VPC's that meets no other subnet's.  False: refused. */
static bool
subnet_block(struct net *n, const cJSON *vpc, const char *text, char ret[static CIDR_TEXT_MAX])
{
	struct cidr block, outer, other;
	const cJSON *s;

	if (!read_block(n, text, "InvalidSubnet.Range", &block, ret))
		return false;
	if (cidr_read(json_text(vpc, "CidrBlock"), &outer) < 0 || !cidr_has(&outer, &block)) {
		(void)net_fail(n, "InvalidSubnet.Range", "The CIDR '%.64s' is invalid.", text);
		return false;
	}
	cJSON_ArrayForEach(s, net_list(n, NET_SUBNET)) {
		if (!net_text_is(s, "VpcId", json_text(vpc, "VpcId")) ||
		    cidr_read(json_text(s, "CidrBlock"), &other) < 0 || !cidr_meets(&block, &other))
			continue;
		(void)net_fail(n, "InvalidSubnet.Conflict", "The CIDR '%.64s' conflicts with another "
		    "subnet", text);
		return false;
	}
	return true;
}

static cJSON *
create_subnet(struct net *n, const cJSON *in)
{
	static const char json[] =
	    "{\"SubnetId\":\"$subnet\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"SubnetArn\":\"$arn\",\"State\":\"available\",\"CidrBlock\":\"$cidr\","
	    "\"AvailabilityZone\":\"$zone\",\"AvailabilityZoneId\":\"$zone_id\","
	    "\"AvailableIpAddressCount\":0,\"DefaultForAz\":false,\"MapPublicIpOnLaunch\":false,"
	    "\"MapCustomerOwnedIpOnLaunch\":false,\"AssignIpv6AddressOnCreation\":false,"
	    "\"Ipv6CidrBlockAssociationSet\":[],\"Ipv6Native\":false,\"EnableDns64\":false,"
	    "\"PrivateDnsNameOptionsOnLaunch\":{\"HostnameType\":\"ip-name\","
	    "\"EnableResourceNameDnsARecord\":false,\"EnableResourceNameDnsAAAARecord\":false}}";
	const char *vpc_id = json_text(in, "VpcId"), *zone;
	char cidr[CIDR_TEXT_MAX], subnet[NET_ID_MAX], zone_id[NETWORK_ZONE_ID_MAX], arn[160];
	const cJSON *vpc = net_need(n, NET_VPC, vpc_id);
	struct cidr block;
	cJSON *made;

	if (!vpc || !(zone = subnet_zone(n, in)) ||
	    !subnet_block(n, vpc, json_text(in, "CidrBlock"), cidr) || cidr_read(cidr, &block) < 0)
		return NULL;
	net_new_id("subnet", subnet);
	network_zone_id(n->region, zone, zone_id);
	(void)snprintf(arn, sizeof(arn), "arn:aws:ec2:%s:%s:subnet/%s", n->region, n->account, subnet);
	const struct template_value v[] = { { "subnet", subnet }, { "vpc", vpc_id },
		{ "account", n->account }, { "arn", arn }, { "cidr", cidr }, { "zone", zone },
		{ "zone_id", zone_id } };

	made = net_make(n, NET_SUBNET, in, json, v, ARRAY_LEN(v));
	if (!made || !net_set(made, "AvailableIpAddressCount", cJSON_CreateNumber(cidr_size(&block) - 5)))
		return NULL;
	return net_made(n, NET_SUBNET, made);
}

static cJSON *
delete_subnet(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "SubnetId");
	cJSON *subnet = net_need(n, NET_SUBNET, id), *table;

	if (!subnet)
		return NULL;
	if (cJSON_IsTrue(json_member(subnet, "DefaultForAz")))
		return net_fail(n, "OperationNotPermitted", "The default subnet '%.64s' cannot be "
		    "deleted.", id);
	if (net_is_used(n, id))
		return net_fail_dependent(n, "subnet", id, "an instance is in it");
	if (net_first(n, NET_INTERFACE, "SubnetId", id))
		return net_fail_dependent(n, "subnet", id, "a network interface is in it");
	cJSON_ArrayForEach(table, net_list(n, NET_TABLE))
		(void)net_drop(cJSON_GetObjectItemCaseSensitive(table, "Associations"), "SubnetId", id);
	net_remove(n, NET_SUBNET, subnet);
	return net_done();
}

/* What a subnet may be told: kept, and where only_false nothing else than what it is. */
static const struct { const char *given, *group, *member; bool only_false; } subnet_switches[] = {
	{ "AssignIpv6AddressOnCreation",	NULL, "AssignIpv6AddressOnCreation", true },
	{ "EnableDns64",			NULL, "EnableDns64", true },
	{ "EnableResourceNameDnsAAAARecordOnLaunch", "PrivateDnsNameOptionsOnLaunch",
	  "EnableResourceNameDnsAAAARecord", false },
	{ "EnableResourceNameDnsARecordOnLaunch", "PrivateDnsNameOptionsOnLaunch",
	  "EnableResourceNameDnsARecord", false },
	{ "MapCustomerOwnedIpOnLaunch",		NULL, "MapCustomerOwnedIpOnLaunch", true },
	{ "MapPublicIpOnLaunch",		NULL, "MapPublicIpOnLaunch", false },
};

/* How many were given; SIZE_MAX: refused, or no memory. */
static size_t
set_subnet_switches(struct net *n, cJSON *subnet, const cJSON *in)
{
	size_t given = 0;

	for (size_t i = 0; i < ARRAY_LEN(subnet_switches); i++) {
		const cJSON *value = json_member(json_member(in, subnet_switches[i].given), "Value");
		cJSON *at = subnet_switches[i].group ?
		    cJSON_GetObjectItemCaseSensitive(subnet, subnet_switches[i].group) : subnet;

		if (!cJSON_IsBool(value))
			continue;
		given++;
		if (subnet_switches[i].only_false && cJSON_IsTrue(value)) {
			(void)net_fail(n, "UnsupportedOperation", "%s cannot be true here.",
			    subnet_switches[i].given);
			return SIZE_MAX;
		}
		if (!at || !net_set_bool(at, subnet_switches[i].member, cJSON_IsTrue(value)))
			return SIZE_MAX;
	}
	return given;
}

static cJSON *
modify_subnet_attribute(struct net *n, const cJSON *in)
{
	const char *host = json_text(in, "PrivateDnsHostnameTypeOnLaunch");
	cJSON *subnet = net_need(n, NET_SUBNET, json_text(in, "SubnetId"));
	size_t given;

	if (!subnet)
		return NULL;
	if (host && strcmp(host, "ip-name") != 0)
		return net_fail(n, "UnsupportedOperation", "The host name type '%.32s' is not supported.",
		    host);
	given = set_subnet_switches(n, subnet, in);
	if (given == SIZE_MAX)
		return NULL;
	if (given + (host != NULL) == 1)
		return net_done();
	return net_fail(n, "InvalidParameterCombination", "Exactly one attribute must be specified.");
}

const struct net_change net_changes_vpc[] = {
	{ "CreateSubnet",		create_subnet,		false, false },
	{ "CreateVpc",			create_vpc,		false, false },
	{ "DeleteSubnet",		delete_subnet,		true, false },
	{ "DeleteVpc",			delete_vpc,		false, false },
	{ "DescribeVpcAttribute",	describe_vpc_attribute,	false, true },
	{ "ModifySubnetAttribute",	modify_subnet_attribute, false, false },
	{ "ModifyVpcAttribute",		modify_vpc_attribute,	false, false },
	{ NULL, NULL, false, false },
};
