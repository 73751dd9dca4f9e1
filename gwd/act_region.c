/* Regions: there is one, and it is the one configured. */
#include <string.h>

#include "gwd/acts.h"
#include "gwd/gwd.h"

static const struct filter_name names[] = {
	{ "endpoint",		"Endpoint" },
	{ "opt-in-status",	"OptInStatus" },
	{ "region-name",	"RegionName" },
};
const struct filter_table act_filters_regions = { names, ARRAY_LEN(names), NULL };

/* A name in the list that is not this region's; NULL: none. */
static const char *
other_region(const cJSON *wanted, const char *region)
{
	const cJSON *n;

	cJSON_ArrayForEach(n, wanted)
		if (strcmp(n->valuestring, region))
			return n->valuestring;
	return NULL;
}

static cJSON *
region_to_json(const char *region, const char *endpoint)
{
	AUTO(json) cJSON *r = cJSON_CreateObject();

	if (!r || !cJSON_AddStringToObject(r, "Endpoint", endpoint) ||
	    !cJSON_AddStringToObject(r, "RegionName", region) ||
	    !cJSON_AddStringToObject(r, "OptInStatus", "opt-in-not-required"))
		return NULL;
	return steal_json(&r);
}

void
act_describe_regions(struct gwd *g, struct call *c)
{
	const char *region = g->conf->common.region;
	const char *other = other_region(json_member(c->in, "RegionNames"), region);
	AUTO(json) cJSON *out = cJSON_CreateObject();
	AUTO(json) cJSON *item = region_to_json(region, c->host);
	cJSON *list = out ? cJSON_AddArrayToObject(out, "Regions") : NULL;

	if (other) {
		call_fail(c, "InvalidParameterValue", "Invalid region name: %.100s", other);
		return;
	}
	if (!list || !item) {
		call_answer(c, NULL);
		return;
	}
	if (filter_match(&act_filters_regions, json_member(c->in, "Filters"), item, NULL))
		cJSON_AddItemToArray(list, steal_json(&item));
	call_answer(c, steal_json(&out));
}
