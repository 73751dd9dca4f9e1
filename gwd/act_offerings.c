/*
 * act_offerings.c - DescribeInstanceTypeOfferings: which types there are where.  A type of the
 * table that is offered is offered in the region, and in every zone.
 */
#include <stdio.h>
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/network_view.h"
#include "gwd/zone_list.h"

static const struct filter_name offering_names[] = {
	{ "instance-type",	"InstanceType" },
	{ "location",		"Location" },
};
const struct filter_table act_filters_offerings = { offering_names, ARRAY_LEN(offering_names),
	NULL };

static const struct describe_kind offering_kind = { .out = "InstanceTypeOfferings" };

static void
offering_add(struct describe *d, const char *kind, const char *where, const char *type)
{
	AUTO(json) cJSON *item = cJSON_CreateObject();
	char sort[160];

	(void)snprintf(sort, sizeof(sort), "%.64s %.64s", type, where);
	if (!item || !cJSON_AddStringToObject(item, "InstanceType", type) ||
	    !cJSON_AddStringToObject(item, "LocationType", kind) ||
	    !cJSON_AddStringToObject(item, "Location", where))
		cJSON_Delete(steal_json(&item));
	describe_add(d, sort, steal_json(&item));
}

static void
offering_add_all(struct describe *d, const struct gwd *g, const char *kind, const char *where)
{
	const struct types *all = &g->cloud->types;

	for (size_t i = 0; i < all->n; i++)
		if (all->row[i].offered)
			offering_add(d, kind, where, all->row[i].name);
}

void
act_describe_instance_type_offerings(struct gwd *g, struct call *c)
{
	const char *kind = json_text(c->in, "LocationType");
	const bool by_region = !kind || !*kind || !strcmp(kind, "region");
	const char *region = g->d.conf->region;
	char id[NETWORK_ZONE_ID_MAX];
	struct zone_list zones = { .n = 0 };
	struct describe *d;

	if (!nodes_are_known(g->cloud->nodes)) {
		ask_fail_unready(c);
		return;
	}
	if (!(d = describe_open(c, &offering_kind)))
		return;
	if (by_region)
		offering_add_all(d, g, "region", region);
	else
		zone_list_of(g, &zones);
	for (size_t i = 0; i < zones.n; i++) {
		network_zone_id(region, zones.zone[i], id);
		offering_add_all(d, g, kind, !strcmp(kind, "availability-zone") ? zones.zone[i] : id);
	}
	describe_end(d);
}
