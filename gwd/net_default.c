/*
 * net_default.c - what is there without being made: the default network of an account, and what
 * comes with a VPC and with a security group.
 */
#include <stdio.h>
#include <string.h>

#include "common/network.h"
#include "gwd/net_impl.h"
#include "gwd/network_view.h"

/* ---- the default network ---- */

/* Takes thing; one that is there already is left as it is. */
static bool
put_default(struct net *n, enum net_kind k, cJSON *thing)
{
	AUTO(json) cJSON *mine = thing;
	const char *id = json_text(thing, net_rows[k].id);

	if (!id)
		return false;
	return net_find(n, k, id) || cJSON_AddItemToArray(net_list(n, k), steal_json(&mine));
}

static const struct { enum net_kind kind; enum network_thing thing; } defaults[] = {
	{ NET_VPC,	NETWORK_VPC },
	{ NET_TABLE,	NETWORK_ROUTE_TABLE },
	{ NET_GATEWAY,	NETWORK_GATEWAY },
	{ NET_ACL,	NETWORK_ACL },
	{ NET_DHCP,	NETWORK_DHCP_OPTIONS },
};

/* Its rules come with the group, once: they may be revoked. */
static bool
add_group(struct net *n, const struct network_view *v)
{
	struct network ids;

	network_of(v->account, &ids);
	if (net_find(n, NET_GROUP, ids.group_id))
		return true;
	return put_default(n, NET_GROUP, network_view(NETWORK_GROUP, v)) &&
	    put_default(n, NET_RULE, network_view(NETWORK_RULE_EGRESS, v)) &&
	    put_default(n, NET_RULE, network_view(NETWORK_RULE_INGRESS, v));
}

bool
net_add_default(struct net *n)
{
	struct network_view v = { n->account, n->region, n->nzones ? n->zones[0] : "" };
	bool ok = add_group(n, &v);

	for (size_t i = 0; ok && i < ARRAY_LEN(defaults); i++)
		ok = put_default(n, defaults[i].kind, network_view(defaults[i].thing, &v));
	for (size_t z = 0; ok && z < n->nzones; z++) {
		v.zone = n->zones[z];
		ok = put_default(n, NET_SUBNET, network_view(NETWORK_SUBNET, &v));
	}
	return ok;
}

/* ---- what comes with others ---- */

bool
net_add_group_rules(struct net *n, const char *group, bool from_itself)
{
	static const char ingress[] =
	    "{\"SecurityGroupRuleId\":\"$id\",\"GroupId\":\"$group\",\"GroupOwnerId\":\"$account\","
	    "\"IsEgress\":false,\"IpProtocol\":\"-1\",\"FromPort\":-1,\"ToPort\":-1,"
	    "\"ReferencedGroupInfo\":{\"GroupId\":\"$group\",\"UserId\":\"$account\"}}";
	static const char egress[] =
	    "{\"SecurityGroupRuleId\":\"$id\",\"GroupId\":\"$group\",\"GroupOwnerId\":\"$account\","
	    "\"IsEgress\":true,\"IpProtocol\":\"-1\",\"FromPort\":-1,\"ToPort\":-1,"
	    "\"CidrIpv4\":\"0.0.0.0/0\"}";
	char id[NET_ID_MAX];
	const struct template_value v[] = { { "id", id }, { "group", group },
		{ "account", n->account } };

	net_new_id("sgr", id);
	if (!net_make(n, NET_RULE, NULL, egress, v, ARRAY_LEN(v)))
		return false;
	net_new_id("sgr", id);
	return !from_itself || net_make(n, NET_RULE, NULL, ingress, v, ARRAY_LEN(v));
}

static const struct { enum net_kind kind; const char *json; } vpc_parts[] = {
	{ NET_TABLE, "{\"RouteTableId\":\"$table\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"Associations\":[{\"Main\":true,\"RouteTableAssociationId\":\"$main\","
	    "\"RouteTableId\":\"$table\",\"AssociationState\":{\"State\":\"associated\"}}],"
	    "\"PropagatingVgws\":[],\"Routes\":[{\"DestinationCidrBlock\":\"$cidr\","
	    "\"GatewayId\":\"local\",\"Origin\":\"CreateRouteTable\",\"State\":\"active\"}]}" },
	{ NET_ACL, "{\"NetworkAclId\":\"$acl\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"IsDefault\":true,\"Entries\":["
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":true,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"allow\",\"RuleNumber\":100},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":true,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"deny\",\"RuleNumber\":32767},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":false,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"allow\",\"RuleNumber\":100},"
	    "{\"CidrBlock\":\"0.0.0.0/0\",\"Egress\":false,\"Protocol\":\"-1\","
	    "\"RuleAction\":\"deny\",\"RuleNumber\":32767}]}" },
	{ NET_GROUP, "{\"GroupId\":\"$group\",\"GroupName\":\"" NETWORK_GROUP_NAME "\","
	    "\"Description\":\"default VPC security group\",\"VpcId\":\"$vpc\","
	    "\"OwnerId\":\"$account\"}" },
};

bool
net_add_vpc_parts(struct net *n, const char *vpc, const char *cidr)
{
	char table[NET_ID_MAX], main_id[NET_ID_MAX], acl[NET_ID_MAX], group[NET_ID_MAX];
	const struct template_value v[] = { { "vpc", vpc }, { "account", n->account },
		{ "cidr", cidr }, { "table", table }, { "main", main_id }, { "acl", acl },
		{ "group", group } };

	net_new_id("rtb", table);
	net_new_id("rtbassoc", main_id);
	net_new_id("acl", acl);
	net_new_id("sg", group);
	for (size_t i = 0; i < ARRAY_LEN(vpc_parts); i++)
		if (!net_make(n, vpc_parts[i].kind, NULL, vpc_parts[i].json, v, ARRAY_LEN(v)))
			return false;
	return net_add_group_rules(n, group, true);
}
