#include "gwd/net.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/network.h"
#include "gwd/net_impl.h"
#include "gwd/tag_rule.h"

const struct net_row net_rows[NET_KINDS] = {
	[NET_VPC] = { "Vpcs", "Vpc", "VpcId", "vpc", "InvalidVpcID", "vpc ID", "vpc", "Tags",
	    "VpcLimitExceeded", 50 },
	[NET_SUBNET] = { "Subnets", "Subnet", "SubnetId", "subnet", "InvalidSubnetID", "subnet ID",
	    "subnet", "Tags", "SubnetLimitExceeded", 300 },
	[NET_GROUP] = { "SecurityGroups", "SecurityGroup", "GroupId", "sg", "InvalidGroup",
	    "security group", "security-group", "Tags", "SecurityGroupLimitExceeded", 300 },
	[NET_RULE] = { "SecurityGroupRules", "SecurityGroupRule", "SecurityGroupRuleId", "sgr",
	    "InvalidSecurityGroupRuleId", "security group rule ID", "security-group-rule", "Tags",
	    "RulesPerSecurityGroupLimitExceeded", 1500 },
	[NET_TABLE] = { "RouteTables", "RouteTable", "RouteTableId", "rtb", "InvalidRouteTableID",
	    "routeTable ID", "route-table", "Tags", "RouteTableLimitExceeded", 300 },
	[NET_GATEWAY] = { "InternetGateways", "InternetGateway", "InternetGatewayId", "igw",
	    "InvalidInternetGatewayID", "internetGateway ID", "internet-gateway", "Tags",
	    "InternetGatewayLimitExceeded", 50 },
	[NET_ACL] = { "NetworkAcls", "NetworkAcl", "NetworkAclId", "acl", "InvalidNetworkAclID",
	    "networkAcl ID", "network-acl", "Tags", "NetworkAclLimitExceeded", 50 },
	[NET_DHCP] = { "DhcpOptions", "DhcpOptions", "DhcpOptionsId", "dopt", "InvalidDhcpOptionID",
	    "dhcpOptions ID", "dhcp-options", "Tags", "DhcpOptionsLimitExceeded", 50 },
	[NET_INTERFACE] = { "NetworkInterfaces", "NetworkInterface", "NetworkInterfaceId", "eni",
	    "InvalidNetworkInterfaceID", "networkInterface ID", "network-interface", "TagSet",
	    "NetworkInterfaceLimitExceeded", 300 },
};

/* ---- the document ---- */

void
net_deinit(struct net *n)
{
	cJSON_Delete(n->doc);
	n->doc = NULL;
}

static int
check_doc(const cJSON *doc, char why[static JSON_WHY_MAX])
{
	uint64_t schema = 0;

	if (!cJSON_IsObject(doc) || !json_get_u64(json_member(doc, "schema_version"), &schema) ||
	    schema != NET_SCHEMA) {
		(void)snprintf(why, JSON_WHY_MAX, "schema_version: expected %d", NET_SCHEMA);
		return -EINVAL;
	}
	for (size_t k = 0; k < NET_KINDS; k++) {
		const cJSON *list = json_member(doc, net_rows[k].list), *thing;

		if (!cJSON_IsArray(list)) {
			(void)snprintf(why, JSON_WHY_MAX, "%s: expected a list", net_rows[k].list);
			return -EINVAL;
		}
		cJSON_ArrayForEach(thing, list) {
			if (json_text(thing, net_rows[k].id))
				continue;
			(void)snprintf(why, JSON_WHY_MAX, "%s: expected %s in each", net_rows[k].list,
			    net_rows[k].id);
			return -EINVAL;
		}
	}
	return 0;
}

static cJSON *
empty_doc(void)
{
	AUTO(json) cJSON *doc = cJSON_CreateObject();

	if (!doc || !cJSON_AddNumberToObject(doc, "schema_version", NET_SCHEMA))
		return NULL;
	for (size_t k = 0; k < NET_KINDS; k++)
		if (!cJSON_AddArrayToObject(doc, net_rows[k].list))
			return NULL;
	return steal_json(&doc);
}

int
net_open(struct net *n, const char *text, size_t len, char why[static JSON_WHY_MAX])
{
	int r = 0;

	if (!text)
		r = (n->doc = empty_doc()) ? 0 : -ENOMEM;
	else if ((r = json_parse(text, len, NET_RECORD_MAX, &n->doc, why)) == 0)
		r = check_doc(n->doc, why);
	if (r == 0 && !net_add_default(n))
		r = -ENOMEM;
	if (r < 0)
		net_deinit(n);
	return r;
}

char *
net_print(const struct net *n)
{
	return json_print(n->doc);
}

cJSON *
net_list(const struct net *n, enum net_kind k)
{
	return cJSON_GetObjectItemCaseSensitive(n->doc, net_rows[k].list);
}

cJSON *
net_first(const struct net *n, enum net_kind k, const char *member, const char *text)
{
	cJSON *thing;

	cJSON_ArrayForEach(thing, net_list(n, k)) {
		if (net_text_is(thing, member, text))
			return thing;
	}
	return NULL;
}

cJSON *
net_find(const struct net *n, enum net_kind k, const char *id)
{
	return net_first(n, k, net_rows[k].id, id);
}

bool
net_is_default_vpc(const struct net *n, const char *id)
{
	const cJSON *vpc = id ? net_find(n, NET_VPC, id) : NULL;

	return cJSON_IsTrue(json_member(vpc, "IsDefault"));
}

cJSON *
net_need(struct net *n, enum net_kind k, const char *id)
{
	const struct net_row *row = &net_rows[k];
	char code[64];
	cJSON *thing = id ? net_find(n, k, id) : NULL;

	if (thing)
		return thing;
	if (!id)
		return net_fail(n, "MissingParameter", "The request must contain the parameter %s",
		    row->id);
	(void)snprintf(code, sizeof(code), "%s.NotFound", row->code);
	return net_fail(n, code, "The %s '%.64s' does not exist", row->what, id);
}

enum net_kind
net_kind_of(const char *id)
{
	for (int k = 0; k < NET_KINDS; k++)
		if (ident_is_ec2(id, net_rows[k].prefix))
			return (enum net_kind)k;
	return NET_KINDS;
}

/* Each VPC has one list, so that it is every subnet's. */
static cJSON *
view_acl(const struct net *n, const cJSON *acl)
{
	AUTO(json) cJSON *view = cJSON_Duplicate(acl, true);
	cJSON *list = cJSON_AddArrayToObject(view, "Associations");
	char id[NET_ID_MAX];
	const cJSON *s;

	cJSON_ArrayForEach(s, net_list(n, NET_SUBNET)) {
		const char *subnet = json_text(s, "SubnetId");
		const struct template_value v[] = { { "id", id }, { "subnet", subnet },
			{ "acl", json_text(acl, "NetworkAclId") } };
		cJSON *one;

		if (!net_text_is(s, "VpcId", json_text(acl, "VpcId")))
			continue;
		network_id("aclassoc", subnet, id, sizeof(id));
		one = template_fill("{\"NetworkAclAssociationId\":\"$id\",\"NetworkAclId\":\"$acl\","
		    "\"SubnetId\":\"$subnet\"}", v, ARRAY_LEN(v));
		if (one && list && cJSON_AddItemToArray(list, one))
			continue;
		cJSON_Delete(one);
		return NULL;
	}
	return list ? steal_json(&view) : NULL;
}

cJSON *
net_view(const struct net *n, enum net_kind k, const cJSON *thing)
{
	switch (k) {
	case NET_GROUP:
		return net_view_group(n, thing);
	case NET_ACL:
		return view_acl(n, thing);
	case NET_VPC:
	case NET_SUBNET:
	case NET_RULE:
	case NET_TABLE:
	case NET_GATEWAY:
	case NET_DHCP:
	case NET_INTERFACE:
	case NET_KINDS:
		break;
	}
	return cJSON_Duplicate(thing, true);
}

/* ---- what the rules have in common ---- */

cJSON *
net_fail(struct net *n, const char *code, const char *fmt, ...)
{
	va_list ap;

	(void)snprintf(n->code, sizeof(n->code), "%s", code);
	va_start(ap, fmt);
	(void)vsnprintf(n->message, sizeof(n->message), fmt, ap);
	va_end(ap);
	return NULL;
}

cJSON *
net_fail_dependent(struct net *n, const char *what, const char *id, const char *by)
{
	return net_fail(n, "DependencyViolation",
	    "The %s '%.64s' has dependencies and cannot be deleted: %.64s.", what, id, by);
}

cJSON *
net_done(void)
{
	return cJSON_CreateObject();
}

cJSON *
net_true(void)
{
	cJSON *out = cJSON_CreateObject();

	if (out && net_set_bool(out, "Return", true))
		return out;
	cJSON_Delete(out);
	return NULL;
}

cJSON *
net_made(const struct net *n, enum net_kind k, const cJSON *thing)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *view = net_view(n, k, thing);

	if (view && cJSON_AddItemToObject(out, net_rows[k].one, view))
		return steal_json(&out);
	cJSON_Delete(view);
	return NULL;
}

cJSON *
net_make(struct net *n, enum net_kind k, const cJSON *in, const char *json,
    const struct template_value *v, size_t nv)
{
	const struct net_row *row = &net_rows[k];
	cJSON *thing, *tags;

	if (cJSON_GetArraySize(net_list(n, k)) >= row->most)
		return net_fail(n, row->limit, "The maximum number of these, %d, is reached.",
		    row->most);
	thing = template_fill(json, v, nv);
	tags = tag_rule_of(json_member(in, "TagSpecifications"), row->type);
	if (thing && tags && cJSON_AddItemToObject(thing, row->tags, tags)) {
		if (cJSON_AddItemToArray(net_list(n, k), thing))
			return thing;
		tags = NULL;
	}
	cJSON_Delete(tags);
	cJSON_Delete(thing);
	return NULL;
}

void
net_remove(struct net *n, enum net_kind k, cJSON *thing)
{
	cJSON_Delete(cJSON_DetachItemViaPointer(net_list(n, k), thing));
}

void
net_new_id(const char *prefix, char ret[static NET_ID_MAX])
{
	ident_ec2(prefix, ret, NET_ID_MAX);
}

bool
net_text_is(const cJSON *thing, const char *member, const char *text)
{
	const char *has = json_text(thing, member);

	return has && strcmp(has, text) == 0;
}

bool
net_set(cJSON *thing, const char *member, cJSON *value)
{
	const bool ok = value && (cJSON_HasObjectItem(thing, member) ?
	    cJSON_ReplaceItemInObjectCaseSensitive(thing, member, value) :
	    cJSON_AddItemToObject(thing, member, value));

	if (!ok)
		cJSON_Delete(value);
	return ok;
}

bool
net_set_text(cJSON *thing, const char *member, const char *text)
{
	return net_set(thing, member, cJSON_CreateString(text));
}

bool
net_set_bool(cJSON *thing, const char *member, bool value)
{
	return net_set(thing, member, cJSON_CreateBool(value));
}

size_t
net_drop(cJSON *list, const char *member, const char *text)
{
	cJSON *thing = list ? list->child : NULL;
	size_t n = 0;

	while (thing) {
		cJSON *next = thing->next;

		if (net_text_is(thing, member, text)) {
			cJSON_Delete(cJSON_DetachItemViaPointer(list, thing));
			n++;
		}
		thing = next;
	}
	return n;
}

bool
net_is_used(const struct net *n, const char *id)
{
	return json_member(n->used, id) != NULL;
}
