#include "gwd/params.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "gwd/filter.h"

/* Does the request name any ids? */
static bool
ids_given(const struct shape *in, const cJSON *obj)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct shape_member *m = &in->members[i];
		const cJSON *v;

		if (m->shape->kind == SHAPE_LIST && m->shape->item->id_prefix &&
		    (v = json_member(obj, m->name)) && v->child)
			return true;
	}
	return false;
}

/* The range is the shape's, where it has one. */
static struct page_rule
page_rule_of(const struct action *a)
{
	const struct shape_member *max = shape_member(a->in, "MaxResults");
	struct page_rule rule = { a->name, PARAMS_PAGE_MIN, PARAMS_PAGE_MAX };

	if (max && max->shape->max > 0) {
		rule.min = (uint32_t)max->shape->min;
		rule.max = (uint32_t)max->shape->max;
	}
	return rule;
}

static struct page_ask
page_ask_of(const cJSON *in, bool has_ids)
{
	const cJSON *max = json_member(in, "MaxResults");
	const char *token = json_text(in, "NextToken");
	/* Loops over pages begin with an empty token. */
	struct page_ask ask = { .has_max = max != NULL, .has_ids = has_ids,
	    .token = token && *token ? token : NULL };

	if (max)
		ask.max = (int64_t)max->valuedouble;
	return ask;
}

int
params_page(const struct action *a, const cJSON *in, bool has_ids, struct page *ret,
    struct shape_error *e)
{
	const struct page_rule rule = page_rule_of(a);
	const struct page_ask ask = page_ask_of(in, has_ids);

	switch (page_open(&rule, &ask, ret)) {
	case PAGE_OK:
		return 0;
	case PAGE_TOO_SMALL:
		return shape_refuse(e, "InvalidParameterValue", "Value ( %" PRId64 " ) for "
		    "parameter maxResults is invalid. Expecting a value greater than or equal to "
		    "%u.", ask.max, rule.min);
	case PAGE_TOO_LARGE:
		return shape_refuse(e, "InvalidParameterValue", "Value ( %" PRId64 " ) for "
		    "parameter maxResults is invalid. Expecting a value less than or equal to %u.",
		    ask.max, rule.max);
	case PAGE_WITH_IDS:
		return shape_refuse(e, "InvalidParameterCombination", "The parameters maxResults "
		    "and nextToken may not be used with a list of ids.");
	case PAGE_BAD_TOKEN:
	case PAGE_RESULTS:
		break;
	}
	return shape_refuse(e, "InvalidParameterValue", "Unable to parse pagination token");
}

static int
check_pages(const struct action *a, const cJSON *in, struct shape_error *e)
{
	struct page page;

	return a->flags & ACTION_PAGES ? params_page(a, in, ids_given(a->in, in), &page, e) : 0;
}

static int
check_filters(const struct action *a, const cJSON *in, struct shape_error *e)
{
	const char *bad = "";

	if (!a->filters)
		return 0;
	switch (filter_check(a->filters, json_member(in, "Filters"), &bad)) {
	case FILTER_OK:
		return 0;
	case FILTER_UNNAMED:
		return shape_refuse(e, "InvalidParameterValue", "The filter 'null' is invalid");
	case FILTER_UNKNOWN:
		return shape_refuse(e, "InvalidParameterValue", "The filter '%.128s' is invalid",
		    bad);
	case FILTER_TOO_LONG:
		return shape_refuse(e, "InvalidParameterValue", "A value of the filter '%.128s' has "
		    "more than %d bytes", bad, FILTER_VALUE_LEN_MAX);
	case FILTER_TOO_MANY:
	case FILTER_RESULTS:
		break;
	}
	return shape_refuse(e, "FilterLimitExceeded", "The maximum number of filters is %d, of "
	    "filter values %d.", FILTERS_MAX, FILTER_VALUES_MAX);
}

static int
check_token(const struct action *a, const cJSON *in, struct shape_error *e)
{
	const char *token = a->flags & ACTION_TOKEN ? json_text(in, "ClientToken") : NULL;

	if (!token)
		return 0;
	if (strlen(token) > PARAMS_TOKEN_MAX)
		return shape_refuse(e, "InvalidParameterValue", "The client token may have at most "
		    "%d characters.", PARAMS_TOKEN_MAX);
	for (const char *p = token; *p; p++)
		if (*p < ' ' || *p > '~')
			return shape_refuse(e, "InvalidParameterValue", "The client token may "
			    "only have printable ASCII characters.");
	return 0;
}

int
params_read(const struct action *a, struct query *q, cJSON **ret, bool *ret_dry_run,
    struct shape_error *ret_error)
{
	AUTO(json) cJSON *in = NULL;
	int r = shape_from_query(a->in, q, &in, ret_error);

	if (r < 0 || (r = check_pages(a, in, ret_error)) < 0 ||
	    (r = check_filters(a, in, ret_error)) < 0 ||
	    (r = check_token(a, in, ret_error)) < 0 ||
	    (r = a->check ? a->check(in, ret_error) : 0) < 0)
		return r;
	*ret_dry_run = a->flags & ACTION_DRY_RUN && cJSON_IsTrue(json_member(in, "DryRun"));
	cJSON_DeleteItemFromObjectCaseSensitive(in, "DryRun");
	*ret = steal_json(&in);
	return 0;
}

bool
params_api(const char *version, enum action_api *ret)
{
	if (strcmp(version, API_EC2_VERSION) && strcmp(version, API_STS_VERSION))
		return false;
	*ret = strcmp(version, API_STS_VERSION) ? API_EC2 : API_STS;
	return true;
}
