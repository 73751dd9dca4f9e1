/*
 * run_network.c - the subnet and the security groups that a RunInstances names exist and go
 * together; what the node is told of them.  Without any the node takes the default ones of its
 * own zone.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/cidr.h"
#include "gwd/gwd.h"
#include "gwd/net_impl.h"
#include "gwd/net_job.h"
#include "gwd/run.h"

/* What is said of the network, in the request itself or in its one interface. */
struct wish {
	const char	*subnet;
	const cJSON	*ids, *names;	/* of groups */
	const char	*address;
};

static struct wish
wish_of(const cJSON *in)
{
	const cJSON *nic = cJSON_GetArrayItem(json_member(in, "NetworkInterfaces"), 0);

	if (nic)
		return (struct wish){ json_text(nic, "SubnetId"), json_member(nic, "Groups"), NULL,
			json_text(nic, "PrivateIpAddress") };
	return (struct wish){ json_text(in, "SubnetId"), json_member(in, "SecurityGroupIds"),
		json_member(in, "SecurityGroups"), json_text(in, "PrivateIpAddress") };
}

/* The ids of groups that are named, which have to be of the default VPC; owned. */
static cJSON *
named_ids(struct net *n, const cJSON *names)
{
	AUTO(json) cJSON *ids = cJSON_CreateArray();
	const cJSON *name, *group;

	cJSON_ArrayForEach(name, names) {
		cJSON *id = NULL;

		cJSON_ArrayForEach(group, net_list(n, NET_GROUP)) {
			if (net_text_is(group, "GroupName", name->valuestring) &&
			    net_is_default_vpc(n, json_text(group, "VpcId")))
				id = cJSON_CreateString(json_text(group, "GroupId"));
		}
		if (!id)
			return net_fail(n, "InvalidGroup.NotFound", "The security group '%.255s' does not "
			    "exist in default VPC", name->valuestring);
		if (!ids || !cJSON_AddItemToArray(ids, id))
			return NULL;
	}
	return steal_json(&ids);
}

/* The VPC that the groups are in, where no subnet says it: the first one's. */
static const char *
vpc_of_groups(struct net *n, const cJSON *ids)
{
	const cJSON *first = cJSON_GetArrayItem(ids, 0);
	const cJSON *group = cJSON_IsString(first) ? net_need(n, NET_GROUP, first->valuestring) : NULL;
	const char *vpc = json_text(group, "VpcId");

	if (!group || net_is_default_vpc(n, vpc))
		return vpc;
	(void)net_fail(n, "InvalidParameterCombination", "The security group '%s' is not of the default "
	    "VPC: a subnet of its VPC is expected.", first->valuestring);
	return NULL;
}

/* [{GroupId, GroupName}] as the lines that a node is told.  False: no memory. */
static bool
add_groups(cJSON *network, const cJSON *groups)
{
	AUTO(buf) struct buf lines = BUF_EMPTY(INSTANCE_GROUPS_TEXT_MAX);
	const cJSON *g;

	cJSON_ArrayForEach(g, groups)
		(void)!buf_printf(&lines, "%s%s %s", lines.len ? "\n" : "", json_text(g, "GroupId"),
		    json_text(g, "GroupName"));
	return !lines.failed && cJSON_AddStringToObject(network, "Groups", buf_text(&lines));
}

static bool
add_subnet(cJSON *network, const cJSON *subnet)
{
	static const char *const members[] = { "VpcId", "SubnetId", "CidrBlock" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (!cJSON_AddStringToObject(network, members[i], json_text(subnet, members[i])))
			return false;
	return true;
}

/* Where no subnet is named, it is the default one that has the address.  NULL: none. */
static const cJSON *
subnet_of_address(struct net *n, const char *address)
{
	struct cidr block, one;
	char text[32];
	const cJSON *subnet;

	(void)snprintf(text, sizeof(text), "%.20s/32", address);
	cJSON_ArrayForEach(subnet, net_list(n, NET_SUBNET)) {
		if (cJSON_IsTrue(json_member(subnet, "DefaultForAz")) &&
		    cidr_read(json_text(subnet, "CidrBlock"), &block) == 0 && cidr_read(text, &one) == 0 &&
		    cidr_has(&block, &one))
			return subnet;
	}
	return net_fail(n, "InvalidParameterValue", "Address %.64s does not fall within the subnet's "
	    "address range", address);
}

/* The one that is wished.  NULL: none, or refused. */
static const cJSON *
subnet_of_wish(struct net *n, const struct wish *w)
{
	const cJSON *subnet = w->subnet ? net_need(n, NET_SUBNET, w->subnet) :
	    w->address ? subnet_of_address(n, w->address) : NULL;

	return subnet && (!w->address || net_address_is_free(n, subnet, w->address)) ? subnet : NULL;
}

/* {"VpcId", "SubnetId", "CidrBlock", "Groups"}, as far as it is wished; owned.  NULL: refused, or
 * no memory. */
static cJSON *
network_of_wish(struct net *n, const struct wish *w, char ret_zone[static PLACE_NAME_MAX + 1])
{
	AUTO(json) cJSON *network = cJSON_CreateObject();
	AUTO(json) cJSON *named = cJSON_GetArraySize(w->names) > 0 ? named_ids(n, w->names) : NULL;
	AUTO(json) cJSON *groups = NULL;
	const cJSON *ids = named ? named : w->ids;
	const cJSON *subnet = *n->code ? NULL : subnet_of_wish(n, w);
	const char *vpc = subnet ? json_text(subnet, "VpcId") : NULL;

	if (*n->code || !network)
		return NULL;
	if (cJSON_GetArraySize(ids) > INSTANCE_GROUPS_MAX)
		return net_fail(n, "SecurityGroupsPerInterfaceLimitExceeded", "The maximum number of security "
		    "groups per interface, %d, is reached.", INSTANCE_GROUPS_MAX);
	if (!subnet && cJSON_GetArraySize(ids) > 0 && !(vpc = vpc_of_groups(n, ids)))
		return NULL;
	if (subnet) {
		(void)snprintf(ret_zone, PLACE_NAME_MAX + 1, "%s", json_text(subnet, "AvailabilityZone"));
		if (!add_subnet(network, subnet))
			return NULL;
	}
	if (!vpc)
		return steal_json(&network);
	groups = net_groups(n, vpc, ids);
	return groups && add_groups(network, groups) ? steal_json(&network) : NULL;
}

/* The placement and the subnet, where both say a zone, say the same. */
static bool
zones_agree(struct run *r)
{
	const char *zone = json_text(json_member(r->in, "Placement"), "AvailabilityZone");

	if (!zone || !*r->zone || !strcmp(zone, r->zone))
		return true;
	return fault_set(&r->fault, "InvalidParameterValue", "The availability zone '%.64s' does not match that of "
	    "the subnet, '%s'.", zone, r->zone);
}

/* No instance has the address; but where this request was sent before, its own may. */
static bool
address_is_free(struct run *r, const char *address)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[64];
	const int at = snprintf(key, sizeof(key), "%s.", r->account);
	enum cas_result res;

	snprintf(key + at, sizeof(key) - (size_t)at, "%.15s", address);
	for (char *p = key + at; *p; p++)
		*p = *p == '.' ? '-' : *p;
	res = kv_load_wait(r->g->cloud->addresses, key, CLOUD_READ_MS, &e);
	if (res == CAS_NOT_FOUND || (res == CAS_OK && r->is_resend))
		return true;
	return res == CAS_OK ? fault_set(&r->fault, "InvalidIPAddress.InUse", "Address %s is in use.", address) :
	    fault_set_store(&r->fault, res);
}

bool
run_network_check(struct run *r)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct net n = r->net;
	const struct wish w = wish_of(r->in);
	char key[NET_KEY_MAX], why[JSON_WHY_MAX] = "";
	enum cas_result res;

	cJSON_Delete(r->network);
	r->network = NULL;
	if (!w.subnet && !w.address && cJSON_GetArraySize(w.ids) == 0 && cJSON_GetArraySize(w.names) == 0)
		return true;
	net_key(r->account, key);
	res = kv_load_wait(r->g->cloud->networks, key, CLOUD_READ_MS, &e);
	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return fault_set_store(&r->fault, res);
	if (net_open(&n, res == CAS_OK ? e.value : NULL, e.len, why) < 0) {
		if (*why)
			net_log_unreadable(r->account, why);
		return fault_set_nomem(&r->fault);
	}
	r->network = network_of_wish(&n, &w, r->zone);
	net_deinit(&n);
	if (r->network)
		return zones_agree(r) && (!w.address || address_is_free(r, w.address));
	return *n.code ? fault_set(&r->fault, n.code, "%s", n.message) : fault_set_nomem(&r->fault);
}
