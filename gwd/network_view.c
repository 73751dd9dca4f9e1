#include "gwd/network_view.h"

#include <stdio.h>
#include <string.h>

#include "gwd/template.h"

static const char *const network_texts[NETWORK_THINGS] = {
	[NETWORK_VPC] =
	    "{\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\",\"State\":\"available\","
	    "\"CidrBlock\":\"" NETWORK_VPC_CIDR "\",\"DhcpOptionsId\":\"$dhcp\","
	    "\"InstanceTenancy\":\"default\",\"IsDefault\":true,\"Tags\":[],"
	    "\"Ipv6CidrBlockAssociationSet\":[],\"CidrBlockAssociationSet\":[{"
	    "\"AssociationId\":\"$cidr\",\"CidrBlock\":\"" NETWORK_VPC_CIDR "\","
	    "\"CidrBlockState\":{\"State\":\"associated\"}}]}",
	[NETWORK_SUBNET] =
	    "{\"SubnetId\":\"$subnet\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"SubnetArn\":\"$arn\",\"State\":\"available\","
	    "\"CidrBlock\":\"$subnet_cidr\",\"AvailabilityZone\":\"$zone\","
	    "\"AvailabilityZoneId\":\"$zone_id\",\"DefaultForAz\":true,"
	    "\"MapPublicIpOnLaunch\":false,\"MapCustomerOwnedIpOnLaunch\":false,"
	    "\"AssignIpv6AddressOnCreation\":false,\"Ipv6CidrBlockAssociationSet\":[],"
	    "\"Ipv6Native\":false,\"EnableDns64\":false,\"Tags\":[],"
	    "\"PrivateDnsNameOptionsOnLaunch\":{\"HostnameType\":\"ip-name\","
	    "\"EnableResourceNameDnsARecord\":false,"
	    "\"EnableResourceNameDnsAAAARecord\":false}}",
	[NETWORK_GROUP] =
	    "{\"GroupId\":\"$group\",\"GroupName\":\"" NETWORK_GROUP_NAME "\","
	    "\"Description\":\"default VPC security group\",\"VpcId\":\"$vpc\","
	    "\"OwnerId\":\"$account\",\"Tags\":[]}",
	[NETWORK_RULE_INGRESS] =
	    "{\"SecurityGroupRuleId\":\"$ingress\",\"GroupId\":\"$group\","
	    "\"GroupOwnerId\":\"$account\",\"IsEgress\":false,\"IpProtocol\":\"-1\","
	    "\"FromPort\":-1,\"ToPort\":-1,\"Tags\":[],"
	    "\"ReferencedGroupInfo\":{\"GroupId\":\"$group\",\"UserId\":\"$account\"}}",
	[NETWORK_RULE_EGRESS] =
	    "{\"SecurityGroupRuleId\":\"$egress\",\"GroupId\":\"$group\","
	    "\"GroupOwnerId\":\"$account\",\"IsEgress\":true,\"IpProtocol\":\"-1\","
	    "\"FromPort\":-1,\"ToPort\":-1,\"CidrIpv4\":\"0.0.0.0/0\",\"Tags\":[]}",
	[NETWORK_ROUTE_TABLE] =
	    "{\"RouteTableId\":\"$table\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"Associations\":[{\"Main\":true,\"RouteTableAssociationId\":\"$main\","
	    "\"RouteTableId\":\"$table\",\"AssociationState\":{\"State\":\"associated\"}}],"
	    "\"PropagatingVgws\":[],\"Tags\":[],\"Routes\":["
	    "{\"DestinationCidrBlock\":\"" NETWORK_VPC_CIDR "\",\"GatewayId\":\"local\","
	    "\"Origin\":\"CreateRouteTable\",\"State\":\"active\"},"
	    "{\"DestinationCidrBlock\":\"0.0.0.0/0\",\"GatewayId\":\"$gateway\","
	    "\"Origin\":\"CreateRoute\",\"State\":\"active\"}]}",
	[NETWORK_GATEWAY] =
	    "{\"InternetGatewayId\":\"$gateway\",\"OwnerId\":\"$account\",\"Tags\":[],"
	    "\"Attachments\":[{\"State\":\"available\",\"VpcId\":\"$vpc\"}]}",
	[NETWORK_ACL] =
	    "{\"NetworkAclId\":\"$acl\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"IsDefault\":true,\"Tags\":[],\"Entries\":["
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":true,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"allow\",\"RuleNumber\":100},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":true,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"deny\",\"RuleNumber\":32767},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":false,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"allow\",\"RuleNumber\":100},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":false,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"deny\",\"RuleNumber\":32767}]}",
	[NETWORK_DHCP_OPTIONS] =
	    "{\"DhcpOptionsId\":\"$dhcp\",\"OwnerId\":\"$account\",\"Tags\":[],"
	    "\"DhcpConfigurations\":[{\"Key\":\"domain-name\",\"Values\":["
	    "{\"Value\":\"$domain\"}]},{\"Key\":\"domain-name-servers\",\"Values\":["
	    "{\"Value\":\"AmazonProvidedDNS\"}]}]}",
};

/* Ids that hang on others: nobody but their own view names them. */
struct network_more {
	char	cidr[40], main[40], ingress[24], egress[24];
	struct network_subnet subnet;
	char	zone_id[NETWORK_ZONE_ID_MAX];
	char	arn[256], domain[128];
};

static void
network_more_of(const struct network_view *v, struct network_more *ret)
{
	char seed[64];

	network_id("vpc-cidr-assoc", v->account, ret->cidr, sizeof(ret->cidr));
	network_id("rtbassoc", v->account, ret->main, sizeof(ret->main));
	network_subnet_of(v->account, v->zone, &ret->subnet);
	snprintf(seed, sizeof(seed), "%.20s/ingress", v->account);
	network_id("sgr", seed, ret->ingress, sizeof(ret->ingress));
	snprintf(seed, sizeof(seed), "%.20s/egress", v->account);
	network_id("sgr", seed, ret->egress, sizeof(ret->egress));
	network_zone_id(v->region, v->zone, ret->zone_id);
	snprintf(ret->arn, sizeof(ret->arn), "arn:aws:ec2:%s:%s:subnet/%s", v->region, v->account,
	    ret->subnet.id);
	if (strcmp(v->region, "us-east-1") == 0)
		snprintf(ret->domain, sizeof(ret->domain), "ec2.internal");
	else
		snprintf(ret->domain, sizeof(ret->domain), "%s.compute.internal", v->region);
}

cJSON *
network_view(enum network_thing t, const struct network_view *v)
{
	struct network n;
	struct network_more more;

	network_of(v->account, &n);
	network_more_of(v, &more);
	const struct template_value values[] = {
		{ "account", v->account },	{ "zone", v->zone },
		{ "zone_id", more.zone_id },	{ "arn", more.arn },
		{ "domain", more.domain },	{ "vpc", n.vpc_id },
		{ "subnet", more.subnet.id },	{ "subnet_cidr", more.subnet.cidr },
		{ "group", n.group_id },
		{ "gateway", n.gateway_id },	{ "table", n.route_table_id },
		{ "acl", n.acl_id },		{ "dhcp", n.dhcp_options_id },
		{ "cidr", more.cidr },		{ "main", more.main },
		{ "ingress", more.ingress },	{ "egress", more.egress },
	};

	return template_fill(network_texts[t], values, ARRAY_LEN(values));
}

/* ---- zones ---- */

/* What AWS makes of one word of a region's name: the first stays, "east" is e, "southeast" is se,
 * a number stays.  At most size - 1 bytes. */
static size_t
zone_word(const char *word, size_t len, bool first, char *ret, size_t size)
{
	const bool compound = len > 5 && (strncmp(word, "north", 5) == 0 ||
	    strncmp(word, "south", 5) == 0);
	int n = first ? snprintf(ret, size, "%.*s", (int)len, word) :
	    snprintf(ret, size, "%c%.*s", word[0], compound ? 1 : 0, word + 5 * compound);

	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

void
network_zone_id(const char *region, const char *zone, char ret[static NETWORK_ZONE_ID_MAX])
{
	const size_t len = strlen(zone);
	const char letter = len > 0 ? zone[len - 1] : 'a';
	size_t at = 0;

	for (const char *p = region; *p; ) {
		size_t word = strcspn(p, "-");

		if (word > 0)
			at += zone_word(p, word, p == region, ret + at, 20 - at);
		p += word + (p[word] == '-');
	}
	snprintf(ret + at, NETWORK_ZONE_ID_MAX - at, "-az%d",
	    letter >= 'a' && letter <= 'z' ? letter - 'a' + 1 : 1);
}
