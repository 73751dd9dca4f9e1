/*
 * act_zones.c - DescribeAvailabilityZones: the zones of the cluster's nodes, silent or not, and
 * the configured one, so that a cluster always has one.
 */
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"
#include "gwd/network_view.h"
#include "gwd/zone_list.h"

static const struct filter_name zones_names[] = {
	{ "group-long-name",			NULL },
	{ "group-name",		"GroupName" },
	{ "message",		"Messages.Message" },
	{ "opt-in-status",	"OptInStatus" },
	{ "parent-zone-id",	"ParentZoneId" },
	{ "parent-zone-name",	"ParentZoneName" },
	{ "parent-zoneID",			"ParentZoneId" },
	{ "parent-zoneName",			"ParentZoneName" },
	{ "region-name",	"RegionName" },
	{ "state",		"State" },
	{ "zone-id",		"ZoneId" },
	{ "zone-name",		"ZoneName" },
	{ "zone-type",		"ZoneType" },
};
const struct filter_table act_filters_zones = { zones_names, ARRAY_LEN(zones_names), NULL };

static void
zone_list_add(struct zone_list *z, const char *name)
{
	if (*name == '\0' || strlen(name) > ZONE_NAME_MAX || z->n == ZONES_MAX)
		return;
	for (size_t i = 0; i < z->n; i++) {
		if (strcmp(z->zone[i], name) == 0)
			return;
	}
	memcpy(z->zone[z->n++], name, strlen(name) + 1);
}

static int
zones_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

void
zone_list_of(const struct gwd *g, struct zone_list *ret)
{
	const struct nodes *nodes = g->cloud->nodes;

	ret->n = 0;
	zone_list_add(ret, g->d.conf->zone);
	for (size_t i = 0; i < nodes_count(nodes); i++)
		zone_list_add(ret, nodes_zone(nodes, i));
	qsort(ret->zone, ret->n, sizeof(ret->zone[0]), zones_compare);
}

/* ---- the answer ---- */

struct zones {
	struct call		*call;
	struct id_list		 names, zone_ids;
	struct zone_list	 list;
};

static cJSON *
zones_item(const char *region, const char *zone, const char *id)
{
	AUTO(json) cJSON *item = cJSON_CreateObject();

	if (!item || !cJSON_AddStringToObject(item, "State", "available") ||
	    !cJSON_AddStringToObject(item, "OptInStatus", "opt-in-not-required") ||
	    !cJSON_AddArrayToObject(item, "Messages") ||
	    !cJSON_AddStringToObject(item, "RegionName", region) ||
	    !cJSON_AddStringToObject(item, "ZoneName", zone) ||
	    !cJSON_AddStringToObject(item, "ZoneId", id) ||
	    !cJSON_AddStringToObject(item, "GroupName", region) ||
	    !cJSON_AddStringToObject(item, "NetworkBorderGroup", region) ||
	    !cJSON_AddStringToObject(item, "ZoneType", "availability-zone"))
		return NULL;
	return steal_json(&item);
}

/* Named zones that are not there fail the call. */
static bool
zones_are_known(struct zones *z, const char *region)
{
	char id[NETWORK_ZONE_ID_MAX];

	for (size_t i = 0; i < z->names.n; i++) {
		bool known = false;

		for (size_t k = 0; k < z->list.n; k++)
			known |= strcmp(z->list.zone[k], z->names.id[i]) == 0;
		if (!known) {
			call_fail(z->call, "InvalidParameterValue",
			    "Invalid availability zone: [%.64s]", z->names.id[i]);
			return false;
		}
	}
	for (size_t i = 0; i < z->zone_ids.n; i++) {
		bool known = false;

		for (size_t k = 0; k < z->list.n; k++) {
			network_zone_id(region, z->list.zone[k], id);
			known |= strcmp(id, z->zone_ids.id[i]) == 0;
		}
		if (!known) {
			call_fail(z->call, "InvalidParameterValue",
			    "Invalid availability zone-id: [%.64s]", z->zone_ids.id[i]);
			return false;
		}
	}
	return true;
}

static cJSON *
zones_answer(struct zones *z, const char *region)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "AvailabilityZones") : NULL;
	char id[NETWORK_ZONE_ID_MAX];

	for (size_t i = 0; list && i < z->list.n; i++) {
		AUTO(json) cJSON *item = NULL;

		network_zone_id(region, z->list.zone[i], id);
		if ((z->names.n > 0 && id_list_find(&z->names, z->list.zone[i]) < 0) ||
		    (z->zone_ids.n > 0 && id_list_find(&z->zone_ids, id) < 0))
			continue;
		item = zones_item(region, z->list.zone[i], id);
		if (!item)
			return NULL;
		if (filter_match(&act_filters_zones, json_member(z->call->in, "Filters"), item, NULL))
			cJSON_AddItemToArray(list, steal_json(&item));
	}
	return list ? steal_json(&out) : NULL;
}

void
act_describe_availability_zones(struct gwd *g, struct call *c)
{
	struct zones z = { .call = c };

	if (!nodes_are_known(g->cloud->nodes)) {
		ask_fail_unready(c);
		return;
	}
	zone_list_of(g, &z.list);
	if (ask_ids(c, "ZoneNames", NULL, "", &z.names) &&
	    ask_ids(c, "ZoneIds", NULL, "", &z.zone_ids) && zones_are_known(&z, g->d.conf->region))
		call_answer(c, zones_answer(&z, g->d.conf->region));
	id_list_deinit(&z.names);
	id_list_deinit(&z.zone_ids);
}
