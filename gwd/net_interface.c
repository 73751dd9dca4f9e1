/*
 * net_interface.c - network interfaces that belong to no instance: see net.h.  One of an
 * instance is a part of it.
 */
#include <stdio.h>
#include <string.h>

#include "common/network.h"
#include "gwd/net_impl.h"
#include "gwd/token.h"

/* ---- addresses ---- */

/* Of an interface of the subnet, or of an instance in it. */
static bool
address_is_taken(const struct net *n, const char *subnet, const char *ip)
{
	const cJSON *nic;

	cJSON_ArrayForEach(nic, net_list(n, NET_INTERFACE)) {
		if (net_text_is(nic, "SubnetId", subnet) && net_text_is(nic, "PrivateIpAddress", ip))
			return true;
	}
	return net_is_used(n, ip);
}

/*
 * From the end of the block, since what launches begins anywhere: an instance that is launched
 * at the same moment may be given the same one, which nothing on the wire can notice.
 */
static bool
address_find(struct net *n, const cJSON *subnet, char ret[static CIDR_TEXT_MAX])
{
	struct cidr block, one;

	if (cidr_read(json_text(subnet, "CidrBlock"), &block) < 0)
		return false;
	for (uint32_t i = cidr_size(&block) - 2; i >= 4; i--) {
		one = (struct cidr){ block.base + i, 32 };
		cidr_print(&one, ret);
		*strchr(ret, '/') = '\0';
		if (!address_is_taken(n, json_text(subnet, "SubnetId"), ret))
			return true;
	}
	(void)net_fail(n, "InsufficientFreeAddressesInSubnet", "The subnet has no free address.");
	return false;
}

bool
net_address_is_free(struct net *n, const cJSON *subnet, const char *ip)
{
	struct cidr block, one;
	char text[32];

	(void)snprintf(text, sizeof(text), "%.20s/32", ip);
	if (cidr_read(json_text(subnet, "CidrBlock"), &block) < 0 || cidr_read(text, &one) < 0 ||
	    !cidr_has(&block, &one) || one.base - block.base < 4 ||
	    one.base - block.base > cidr_size(&block) - 2) {
		(void)net_fail(n, "InvalidParameterValue", "Address %.64s does not fall within the "
		    "subnet's address range", ip);
		return false;
	}
	if (!address_is_taken(n, json_text(subnet, "SubnetId"), ip))
		return true;
	(void)net_fail(n, "InvalidIPAddress.InUse", "Address %s is in use.", ip);
	return false;
}

static bool
address_given(struct net *n, const cJSON *subnet, const char *ip, char ret[static CIDR_TEXT_MAX])
{
	(void)snprintf(ret, CIDR_TEXT_MAX, "%.15s", ip);
	return net_address_is_free(n, subnet, ip);
}

/* ---- groups ---- */

static const cJSON *
default_group(const struct net *n, const char *vpc)
{
	const cJSON *group;

	cJSON_ArrayForEach(group, net_list(n, NET_GROUP)) {
		if (net_text_is(group, "VpcId", vpc) && net_text_is(group, "GroupName",
		    NETWORK_GROUP_NAME))
			return group;
	}
	return NULL;
}

static bool
group_put(cJSON *list, const cJSON *group)
{
	const struct template_value v[] = { { "id", json_text(group, "GroupId") },
		{ "name", json_text(group, "GroupName") } };
	cJSON *one = template_fill("{\"GroupId\":\"$id\",\"GroupName\":\"$name\"}", v, ARRAY_LEN(v));

	if (one && cJSON_AddItemToArray(list, one))
		return true;
	cJSON_Delete(one);
	return false;
}

cJSON *
net_groups(struct net *n, const char *vpc, const cJSON *ids)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	const cJSON *id;

	if (cJSON_GetArraySize(ids) == 0 && (!list || !group_put(list, default_group(n, vpc))))
		return NULL;
	cJSON_ArrayForEach(id, ids) {
		const char *text = cJSON_IsString(id) ? id->valuestring : "";
		const cJSON *group = net_need(n, NET_GROUP, text);

		if (!group)
			return NULL;
		if (!net_text_is(group, "VpcId", vpc))
			return net_fail(n, "InvalidGroup.NotFound", "The security group '%s' does not exist "
			    "in VPC '%s'", text, vpc);
		if (!list || !group_put(list, group))
			return NULL;
	}
	return steal_json(&list);
}

/* ---- interfaces ---- */

/* Another request of the same token made it: its present state, if it asked for the same. */
static cJSON *
interface_again(struct net *n, const cJSON *made, const char *asked)
{
	if (net_text_is(made, ".asked", asked))
		return net_made(n, NET_INTERFACE, made);
	return net_fail(n, "IdempotentParameterMismatch", "The client token was used before, with other "
	    "parameters.");
}

static cJSON *
create_network_interface(struct net *n, const cJSON *in)
{
	static const char json[] =
	    "{\"NetworkInterfaceId\":\"$eni\",\"SubnetId\":\"$subnet\",\"VpcId\":\"$vpc\","
	    "\"AvailabilityZone\":\"$zone\",\"OwnerId\":\"$account\",\"Description\":\"$about\","
	    "\"InterfaceType\":\"interface\",\"MacAddress\":\"$mac\",\"PrivateIpAddress\":\"$ip\","
	    "\"PrivateDnsName\":\"$name\",\"PrivateIpAddresses\":[{\"Primary\":true,"
	    "\"PrivateIpAddress\":\"$ip\",\"PrivateDnsName\":\"$name\"}],\"Ipv6Addresses\":[],"
	    "\"RequesterManaged\":false,\"SourceDestCheck\":true,\"Status\":\"available\","
	    "\".token\":\"$token\",\".asked\":\"$asked\"}";
	const cJSON *subnet = net_need(n, NET_SUBNET, json_text(in, "SubnetId"));
	const char *vpc = json_text(subnet, "VpcId"), *about = json_text(in, "Description");
	const char *wanted = json_text(in, "PrivateIpAddress"), *token = json_text(in, "ClientToken");
	char asked[TOKEN_HEX + 1] = "", eni[NET_ID_MAX], ip[CIDR_TEXT_MAX], mac[24], name[128];
	cJSON *made, *groups;

	if (!subnet)
		return NULL;
	if (token && !token_digest(in, asked))
		return NULL;
	if (token && (made = net_first(n, NET_INTERFACE, ".token", token)))
		return interface_again(n, made, asked);
	if (!(wanted ? address_given(n, subnet, wanted, ip) : address_find(n, subnet, ip)) ||
	    network_private_name(ip, n->region, name, sizeof(name)) < 0)
		return NULL;
	net_new_id("eni", eni);
	(void)snprintf(mac, sizeof(mac), "02:%.2s:%.2s:%.2s:%.2s:%.2s", eni + 4, eni + 6, eni + 8,
	    eni + 10, eni + 12);
	const struct template_value v[] = { { "eni", eni }, { "subnet", json_text(subnet, "SubnetId") },
		{ "vpc", vpc }, { "zone", json_text(subnet, "AvailabilityZone") },
		{ "account", n->account }, { "about", about ? about : "" }, { "mac", mac }, { "ip", ip },
		{ "name", name }, { "token", token }, { "asked", asked } };

	groups = net_groups(n, vpc, json_member(in, "Groups"));
	made = groups ? net_make(n, NET_INTERFACE, in, json, v, ARRAY_LEN(v)) : NULL;
	if (!made) {
		cJSON_Delete(groups);
		return NULL;
	}
	return net_set(made, "Groups", groups) ? net_made(n, NET_INTERFACE, made) : NULL;
}

static cJSON *
delete_network_interface(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "NetworkInterfaceId");
	cJSON *nic;

	if (net_is_used(n, id))
		return net_fail(n, "InvalidParameterValue", "Network interface '%s' is currently in use.", id);
	if (!(nic = net_need(n, NET_INTERFACE, id)))
		return NULL;
	net_remove(n, NET_INTERFACE, nic);
	return net_done();
}

static cJSON *
modify_network_interface_attribute(struct net *n, const cJSON *in)
{
	const char *id = json_text(in, "NetworkInterfaceId");
	const char *about = json_text(json_member(in, "Description"), "Value");
	const cJSON *groups = json_member(in, "Groups");
	const cJSON *check = json_member(json_member(in, "SourceDestCheck"), "Value");
	cJSON *nic;

	if (net_is_used(n, id))
		return net_fail(n, "UnsupportedOperation", "Of the network interface of an instance only the "
		    "groups can be changed.");
	if (!(nic = net_need(n, NET_INTERFACE, id)))
		return NULL;
	if ((about != NULL) + (groups != NULL) + cJSON_IsBool(check) != 1)
		return net_fail(n, "InvalidParameterCombination", "Exactly one attribute must be specified.");
	if (about)
		return net_set_text(nic, "Description", about) ? net_done() : NULL;
	if (groups)
		return net_set(nic, "Groups", net_groups(n, json_text(nic, "VpcId"), groups)) ?
		    net_done() : NULL;
	return net_set_bool(nic, "SourceDestCheck", cJSON_IsTrue(check)) ? net_done() : NULL;
}

const struct net_change net_changes_interface[] = {
	{ "CreateNetworkInterface",	create_network_interface, true, false },
	{ "DeleteNetworkInterface",	delete_network_interface, true, false },
	{ "ModifyNetworkInterfaceAttribute", modify_network_interface_attribute, true, false },
	{ NULL, NULL, false, false },
};
