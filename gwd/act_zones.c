/*
 * act_zones.c - DescribeAvailabilityZones: the zones of the nodes that answer, and the
 * configured one, so that a cluster always has one.
 */
#include <stdlib.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gather.h"
#include "gwd/gwd.h"
#include "gwd/network_view.h"

static const struct filter_name zones_names[] = {
	{ "group-name",		"GroupName" },
	{ "message",		"Messages.Message" },
	{ "opt-in-status",	"OptInStatus" },
	{ "parent-zone-id",	"ParentZoneId" },
	{ "parent-zone-name",	"ParentZoneName" },
	{ "region-name",	"RegionName" },
	{ "state",		"State" },
	{ "zone-id",		"ZoneId" },
	{ "zone-name",		"ZoneName" },
	{ "zone-type",		"ZoneType" },
};
const struct filter_table act_filters_zones = { zones_names, ARRAY_LEN(zones_names), NULL };

#define ZONES_MAX	64
#define ZONES_NAME_MAX	64

struct zones {
	struct call	*call;
	struct id_list	 names, zone_ids;
	char		 zone[ZONES_MAX][ZONES_NAME_MAX + 1];
	size_t		 n;
};

static void
zones_free(struct zones *z)
{
	id_list_deinit(&z->names);
	id_list_deinit(&z->zone_ids);
	free(z);
}

static void
zones_add(struct zones *z, const char *name)
{
	if (!name || *name == '\0' || strlen(name) > ZONES_NAME_MAX || z->n == ZONES_MAX)
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

		for (size_t k = 0; k < z->n; k++)
			known |= strcmp(z->zone[k], z->names.id[i]) == 0;
		if (!known) {
			call_fail(z->call, "InvalidParameterValue",
			    "Invalid availability zone: [%.64s]", z->names.id[i]);
			return false;
		}
	}
	for (size_t i = 0; i < z->zone_ids.n; i++) {
		bool known = false;

		for (size_t k = 0; k < z->n; k++) {
			network_zone_id(region, z->zone[k], id);
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

	for (size_t i = 0; list && i < z->n; i++) {
		AUTO(json) cJSON *item = NULL;

		network_zone_id(region, z->zone[i], id);
		if ((z->names.n > 0 && id_list_find(&z->names, z->zone[i]) < 0) ||
		    (z->zone_ids.n > 0 && id_list_find(&z->zone_ids, id) < 0))
			continue;
		item = zones_item(region, z->zone[i], id);
		if (!item)
			return NULL;
		if (filter_match(&act_filters_zones, json_member(z->call->in, "Filters"), item, NULL))
			cJSON_AddItemToArray(list, steal_json(&item));
	}
	return list ? steal_json(&out) : NULL;
}

static bool
zones_each(void *arg, const char *node, struct answer *a)
{
	zones_add(arg, json_text(answer_json(a), "zone"));
	return false;
}

static void
zones_end(void *arg, size_t missing)
{
	struct zones *z = arg;
	const char *region = z->call->gwd->d.conf->region;

	qsort(z->zone, z->n, sizeof(z->zone[0]), zones_compare);
	if (zones_are_known(z, region))
		call_answer(z->call, zones_answer(z, region));
	zones_free(z);
}

void
act_describe_availability_zones(struct gwd *g, struct call *c)
{
	struct zones *z = calloc(1, sizeof(*z));
	struct gather_spec spec = { .subject = GATHER_NODE_STATUS,
	    .request_id = c->request_id, .each = zones_each, .end = zones_end, .arg = z };

	if (!z) {
		ask_fail_nomem(c);
		return;
	}
	z->call = c;
	zones_add(z, g->d.conf->zone);
	if (!ask_ids(c, "ZoneNames", NULL, "", &z->names) ||
	    !ask_ids(c, "ZoneIds", NULL, "", &z->zone_ids)) {
		zones_free(z);
		return;
	}
	if (gather_start(g->cloud->gathers, &spec))
		return;
	ask_fail_unready(c);
	zones_free(z);
}
