/*
 * net_route.c - internet gateways, route tables, their routes and associations: see net.h.
 */
#include <string.h>

#include "gwd/net_impl.h"

/* ---- gateways ---- */

static cJSON *
create_internet_gateway(struct net *n, const cJSON *in)
{
	static const char json[] = "{\"InternetGatewayId\":\"$id\",\"OwnerId\":\"$account\","
	    "\"Attachments\":[]}";
	char id[NET_ID_MAX];
	const struct template_value v[] = { { "id", id }, { "account", n->account } };
	cJSON *made;

	net_new_id("igw", id);
	made = net_make(n, NET_GATEWAY, in, json, v, ARRAY_LEN(v));
	return made ? net_made(n, NET_GATEWAY, made) : NULL;
}

static cJSON *
gateway_attachment(const cJSON *gateway)
{
	return cJSON_GetArrayItem(json_member(gateway, "Attachments"), 0);
}

static cJSON *
delete_internet_gateway(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "InternetGatewayId");
	cJSON *gateway = net_need(n, NET_GATEWAY, id);

	if (!gateway)
		return NULL;
	if (gateway_attachment(gateway))
		return net_fail_dependent(n, "internetGateway", id, "it is attached to a VPC");
	net_remove(n, NET_GATEWAY, gateway);
	return net_done();
}

static cJSON *
attach_internet_gateway(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "InternetGatewayId"), *vpc = json_text(in, "VpcId");
	cJSON *gateway = net_need(n, NET_GATEWAY, id), *other, *one;

	if (!gateway || !net_need(n, NET_VPC, vpc))
		return NULL;
	if (gateway_attachment(gateway))
		return net_fail(n, "Resource.AlreadyAssociated", "resource %s is already attached to "
		    "network %s", id, json_text(gateway_attachment(gateway), "VpcId"));
	cJSON_ArrayForEach(other, net_list(n, NET_GATEWAY)) {
		if (net_text_is(gateway_attachment(other), "VpcId", vpc))
			return net_fail(n, "InvalidParameterValue", "Network %s already has an internet "
			    "gateway attached", vpc);
	}
	one = template_fill("{\"State\":\"available\",\"VpcId\":\"$vpc\"}",
	    &(struct template_value){ "vpc", vpc }, 1);
	if (one && cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(gateway, "Attachments"), one))
		return net_done();
	cJSON_Delete(one);
	return NULL;
}

static cJSON *
detach_internet_gateway(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "InternetGatewayId"), *vpc = json_text(in, "VpcId");
	cJSON *gateway = net_need(n, NET_GATEWAY, id);

	if (!gateway || !net_need(n, NET_VPC, vpc))
		return NULL;
	if (net_drop(cJSON_GetObjectItemCaseSensitive(gateway, "Attachments"), "VpcId", vpc))
		return net_done();
	return net_fail(n, "Gateway.NotAttached", "resource %s is not attached to network %s", id, vpc);
}

/* ---- route tables ---- */

static cJSON *
create_route_table(struct net *n, const cJSON *in)
{
	static const char json[] =
	    "{\"RouteTableId\":\"$id\",\"VpcId\":\"$vpc\",\"OwnerId\":\"$account\","
	    "\"Associations\":[],\"PropagatingVgws\":[],\"Routes\":["
	    "{\"DestinationCidrBlock\":\"$cidr\",\"GatewayId\":\"local\","
	    "\"Origin\":\"CreateRouteTable\",\"State\":\"active\"}],"
	    "\".token\":\"$token\"}";
	const char *vpc_id = json_text(in, "VpcId"), *token = json_text(in, "ClientToken");
	const cJSON *vpc = net_need(n, NET_VPC, vpc_id);
	char id[NET_ID_MAX];
	const struct template_value v[] = { { "id", id }, { "vpc", vpc_id },
		{ "account", n->account }, { "cidr", json_text(vpc, "CidrBlock") }, { "token", token } };
	cJSON *made;

	if (!vpc)
		return NULL;
	if (token && (made = net_first(n, NET_TABLE, ".token", token)))
		return net_made(n, NET_TABLE, made);
	net_new_id("rtb", id);
	made = net_make(n, NET_TABLE, in, json, v, ARRAY_LEN(v));
	return made ? net_made(n, NET_TABLE, made) : NULL;
}

static cJSON *
table_associations(const cJSON *table)
{
	return cJSON_GetObjectItemCaseSensitive(table, "Associations");
}

static cJSON *
delete_route_table(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "RouteTableId");
	cJSON *table = net_need(n, NET_TABLE, id);

	if (!table)
		return NULL;
	if (table_associations(table) && table_associations(table)->child)
		return net_fail_dependent(n, "routeTable", id, "it has an association");
	net_remove(n, NET_TABLE, table);
	return net_done();
}

/* ---- routes ---- */

static cJSON *
route_find(const cJSON *table, const char *destination)
{
	cJSON *route;

	cJSON_ArrayForEach(route, json_member(table, "Routes")) {
		if (net_text_is(route, "DestinationCidrBlock", destination))
			return route;
	}
	return NULL;
}

/* The destination as it is kept.  False: refused. */
static bool
route_destination(struct net *n, const cJSON *in, char ret[static CIDR_TEXT_MAX])
{
	const char *text = json_text(in, "DestinationCidrBlock");
	struct cidr c;

	if (!text)
		(void)net_fail(n, "UnsupportedOperation", "A route here has a DestinationCidrBlock.");
	else if (cidr_read(text, &c) < 0)
		(void)net_fail(n, "InvalidParameterValue", "Value (%.64s) for parameter "
		    "destinationCidrBlock is invalid. This is not a valid CIDR block.", text);
	else {
		cidr_print(&c, ret);
		return true;
	}
	return false;
}

/* A gateway that is attached to the table's VPC: the only way out that there is. */
static const char *
route_target(struct net *n, const cJSON *table, const cJSON *in)
{
	const char *id = json_text(in, "GatewayId");
	const cJSON *gateway;

	if (!id) {
		(void)net_fail(n, "UnsupportedOperation", "A route here leads to an internet gateway: "
		    "GatewayId is expected.");
		return NULL;
	}
	if (!(gateway = net_need(n, NET_GATEWAY, id)))
		return NULL;
	if (net_text_is(gateway_attachment(gateway), "VpcId", json_text(table, "VpcId")))
		return id;
	(void)net_fail(n, "InvalidParameterValue", "route table %s and network gateway %s belong to "
	    "different networks", json_text(table, "RouteTableId"), id);
	return NULL;
}

static cJSON *
create_route(struct net *n, const cJSON *in)
{
	cJSON *table = net_need(n, NET_TABLE, json_text(in, "RouteTableId")), *one;
	char destination[CIDR_TEXT_MAX];
	const char *target;

	if (!table || !route_destination(n, in, destination) || !(target = route_target(n, table, in)))
		return NULL;
	if (route_find(table, destination))
		return net_fail(n, "RouteAlreadyExists", "The route identified by %s already exists.",
		    destination);
	if (cJSON_GetArraySize(json_member(table, "Routes")) >= 50)
		return net_fail(n, "RouteLimitExceeded", "A route table has at most 50 routes.");
	const struct template_value v[] = { { "to", destination }, { "by", target } };

	one = template_fill("{\"DestinationCidrBlock\":\"$to\",\"GatewayId\":\"$by\","
	    "\"Origin\":\"CreateRoute\",\"State\":\"active\"}", v, ARRAY_LEN(v));
	if (one && cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(table, "Routes"), one))
		return net_true();
	cJSON_Delete(one);
	return NULL;
}

/* A route that may be changed.  NULL: refused. */
static cJSON *
route_need(struct net *n, const cJSON *table, const char *destination)
{
	cJSON *route = route_find(table, destination);

	if (!route)
		return net_fail(n, "InvalidRoute.NotFound", "no route with destination-cidr-block %s in "
		    "route table %s", destination, json_text(table, "RouteTableId"));
	if (net_text_is(route, "GatewayId", "local"))
		return net_fail(n, "InvalidParameterValue", "cannot remove or replace local route %s in "
		    "route table %s", destination, json_text(table, "RouteTableId"));
	return route;
}

static cJSON *
delete_route(struct net *n, const cJSON *in)
{
	cJSON *table = net_need(n, NET_TABLE, json_text(in, "RouteTableId")), *route;
	char destination[CIDR_TEXT_MAX];

	if (!table || !route_destination(n, in, destination) ||
	    !(route = route_need(n, table, destination)))
		return NULL;
	cJSON_Delete(cJSON_DetachItemViaPointer(cJSON_GetObjectItemCaseSensitive(table, "Routes"),
	    route));
	return net_done();
}

static cJSON *
replace_route(struct net *n, const cJSON *in)
{
	cJSON *table = net_need(n, NET_TABLE, json_text(in, "RouteTableId")), *route;
	char destination[CIDR_TEXT_MAX];
	const char *target;

	if (!table || !route_destination(n, in, destination) ||
	    !(route = route_need(n, table, destination)) || !(target = route_target(n, table, in)))
		return NULL;
	return net_set_text(route, "GatewayId", target) ? net_done() : NULL;
}

/* ---- associations ---- */

/* {"AssociationId" or "NewAssociationId", "AssociationState"} */
static cJSON *
association_answer(const char *member, const char *id)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *state = cJSON_AddObjectToObject(out, "AssociationState");

	if (!state || !cJSON_AddStringToObject(out, member, id) ||
	    !cJSON_AddStringToObject(state, "State", "associated"))
		return NULL;
	return steal_json(&out);
}

static bool
association_add(cJSON *table, const char *id, const char *subnet, bool is_main)
{
	const struct template_value v[] = { { "id", id },
		{ "table", json_text(table, "RouteTableId") }, { "subnet", subnet } };
	cJSON *one = template_fill("{\"RouteTableAssociationId\":\"$id\",\"RouteTableId\":\"$table\","
	    "\"SubnetId\":\"$subnet\",\"AssociationState\":{\"State\":\"associated\"}}", v,
	    ARRAY_LEN(v));

	if (one && net_set_bool(one, "Main", is_main) &&
	    cJSON_AddItemToArray(table_associations(table), one))
		return true;
	cJSON_Delete(one);
	return false;
}

static cJSON *
associate_route_table(struct net *n, const cJSON *in)
{
	const char *subnet_id = json_text(in, "SubnetId");
	cJSON *table = net_need(n, NET_TABLE, json_text(in, "RouteTableId")), *other, *a;
	const cJSON *subnet;
	char id[NET_ID_MAX];

	if (!table || !(subnet = net_need(n, NET_SUBNET, subnet_id)))
		return NULL;
	if (!net_text_is(subnet, "VpcId", json_text(table, "VpcId")))
		return net_fail(n, "InvalidParameterValue", "Route table %s and subnet %s belong to "
		    "different networks", json_text(table, "RouteTableId"), subnet_id);
	cJSON_ArrayForEach(other, net_list(n, NET_TABLE)) {
		cJSON_ArrayForEach(a, table_associations(other)) {
			if (net_text_is(a, "SubnetId", subnet_id))
				return net_fail(n, "Resource.AlreadyAssociated", "the specified association "
				    "for route table %s conflicts with an existing association",
				    json_text(table, "RouteTableId"));
		}
	}
	net_new_id("rtbassoc", id);
	return association_add(table, id, subnet_id, false) ?
	    association_answer("AssociationId", id) : NULL;
}

/* The association, and whose it is.  NULL: refused. */
static cJSON *
association_need(struct net *n, const char *id, cJSON **ret_table)
{
	cJSON *table, *a;

	cJSON_ArrayForEach(table, net_list(n, NET_TABLE)) {
		cJSON_ArrayForEach(a, table_associations(table)) {
			if (id && net_text_is(a, "RouteTableAssociationId", id)) {
				*ret_table = table;
				return a;
			}
		}
	}
	return net_fail(n, "InvalidAssociationID.NotFound", "The association ID '%.64s' does not exist",
	    id ? id : "");
}

static cJSON *
disassociate_route_table(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "AssociationId");
	cJSON *table, *a = association_need(n, id, &table);

	if (!a)
		return NULL;
	if (cJSON_IsTrue(json_member(a, "Main")))
		return net_fail(n, "InvalidParameterValue", "cannot disassociate the main route table "
		    "association %s", id);
	cJSON_Delete(cJSON_DetachItemViaPointer(table_associations(table), a));
	return net_done();
}

static cJSON *
replace_route_table_association(struct net *n, const cJSON *in)
{
	cJSON *table = net_need(n, NET_TABLE, json_text(in, "RouteTableId")), *old, *a;
	char id[NET_ID_MAX];
	bool added;

	if (!table || !(a = association_need(n, json_text(in, "AssociationId"), &old)))
		return NULL;
	if (!net_text_is(table, "VpcId", json_text(old, "VpcId")))
		return net_fail(n, "InvalidParameterValue", "Route tables %s and %s belong to different "
		    "networks", json_text(table, "RouteTableId"), json_text(old, "RouteTableId"));
	net_new_id("rtbassoc", id);
	added = association_add(table, id, json_text(a, "SubnetId"), cJSON_IsTrue(json_member(a, "Main")));
	cJSON_Delete(cJSON_DetachItemViaPointer(table_associations(old), a));
	return added ? association_answer("NewAssociationId", id) : NULL;
}

const struct net_change net_changes_route[] = {
	{ "AssociateRouteTable",	associate_route_table,	false, false },
	{ "AttachInternetGateway",	attach_internet_gateway, false, false },
	{ "CreateInternetGateway",	create_internet_gateway, false, false },
	{ "CreateRoute",		create_route,		false, false },
	{ "CreateRouteTable",		create_route_table,	false, false },
	{ "DeleteInternetGateway",	delete_internet_gateway, false, false },
	{ "DeleteRoute",		delete_route,		false, false },
	{ "DeleteRouteTable",		delete_route_table,	false, false },
	{ "DetachInternetGateway",	detach_internet_gateway, false, false },
	{ "DisassociateRouteTable",	disassociate_route_table, false, false },
	{ "ReplaceRoute",		replace_route,		false, false },
	{ "ReplaceRouteTableAssociation", replace_route_table_association, false, false },
	{ NULL, NULL, false, false },
};
