/* Regions: there is one, and it is the one configured. */
#include "gwd/act.h"

#include <string.h>

#include "gwd/gwd.h"

/* Is name in the list?  An absent list has everything; *ret_other is one that is not name. */
static bool
is_wanted(const cJSON *names, const char *name, const char **ret_other)
{
	const cJSON *n;
	bool found = !names;

	cJSON_ArrayForEach(n, names) {
		if (!strcmp(n->valuestring, name))
			found = true;
		else
			*ret_other = n->valuestring;
	}
	return found;
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

/* Filters of DescribeRegions: the values of one must match one field of the one region. */
static bool
passes(const cJSON *filters, const char *region, const char *endpoint, const char **ret_unknown)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, filters) {
		const char *name = json_text(f, "Name");
		const char *field = !name ? NULL : !strcmp(name, "region-name") ? region :
		    !strcmp(name, "endpoint") ? endpoint :
		    !strcmp(name, "opt-in-status") ? "opt-in-not-required" : NULL;
		const char *other;
		const cJSON *values = json_member(f, "Values");

		if (!field) {
			*ret_unknown = name ? name : "";
			return false;
		}
		if (!values || !is_wanted(values, field, &other))
			return false;
	}
	return true;
}

void
act_describe_regions(struct gwd *g, struct call *c)
{
	const char *region = g->conf->common.region, *other = NULL, *unknown = NULL;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "Regions") : NULL;
	const bool wanted = is_wanted(json_member(c->in, "RegionNames"), region, &other);
	const bool passed = passes(json_member(c->in, "Filters"), region, c->host, &unknown);

	if (other) {
		call_fail(c, "InvalidParameterValue", "Invalid region name: %.100s", other);
		return;
	}
	if (unknown) {
		call_fail(c, "InvalidParameterValue", "The filter '%.100s' is invalid", unknown);
		return;
	}
	if (list && wanted && passed) {
		cJSON *r = region_to_json(region, c->host);

		if (!r || !cJSON_AddItemToArray(list, r)) {
			cJSON_Delete(r);
			list = NULL;
		}
	}
	call_answer(c, list ? steal_json(&out) : NULL);
}
