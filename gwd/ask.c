#include "gwd/ask.h"

#include <inttypes.h>
#include <stdio.h>

#define ASK_WHY_MAX	512

void
ask_fail_nomem(struct call *c)
{
	call_fail(c, "InternalError", "An internal error has occurred.");
}

void
ask_fail_unready(struct call *c)
{
	call_fail(c, "Unavailable", "The nodes of the cluster are not known yet. Try again.");
}

static bool
ask_fail_malformed(struct call *c, const char *code, const char *bad)
{
	char full[96];

	snprintf(full, sizeof(full), "%s.Malformed", code);
	call_fail(c, full, "Invalid id: \"%.64s\"", bad);
	return false;
}

bool
ask_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret)
{
	const char *bad = "";

	switch (id_list_read(json_member(c->in, member), prefix, ret, &bad)) {
	case ID_LIST_OK:
		return true;
	case ID_LIST_MALFORMED:
		return ask_fail_malformed(c, code, bad);
	case ID_LIST_TOO_MANY:
		call_fail(c, "InvalidParameterValue", "%s may hold at most %d items.", member,
		    ID_LIST_MAX);
		return false;
	case ID_LIST_NOMEM:
	case ID_LIST_RESULTS:
		break;
	}
	ask_fail_nomem(c);
	return false;
}

bool
ask_some_ids(struct call *c, const char *member, const char *prefix, const char *code,
    struct id_list *ret)
{
	if (!ask_ids(c, member, prefix, code, ret))
		return false;
	if (ret->n > 0)
		return true;
	id_list_deinit(ret);
	call_fail(c, "MissingParameter", "The request must contain the parameter %s", member);
	return false;
}

int
ask_check_filters(const struct filter_table *t, const cJSON *in, struct shape_error *ret_error)
{
	const char *bad = "";

	switch (filter_check(t, json_member(in, "Filters"), &bad)) {
	case FILTER_OK:
		return 0;
	case FILTER_UNNAMED:
		return shape_refuse(ret_error, "InvalidParameterValue",
		    "The filter 'null' is invalid");
	case FILTER_UNKNOWN:
		return shape_refuse(ret_error, "InvalidParameterValue",
		    "The filter '%.128s' is invalid", bad);
	case FILTER_TOO_LONG:
		return shape_refuse(ret_error, "InvalidParameterValue",
		    "A value of the filter '%.128s' has more than %d bytes", bad,
		    FILTER_VALUE_LEN_MAX);
	case FILTER_TOO_MANY:
	case FILTER_RESULTS:
		break;
	}
	return shape_refuse(ret_error, "FilterLimitExceeded", "The maximum number of filters is %d, "
	    "of filter values %d.", FILTERS_MAX, FILTER_VALUES_MAX);
}

bool
ask_page(struct call *c, const struct page_rule *rule, bool has_ids, struct page *ret)
{
	const cJSON *max = json_member(c->in, "MaxResults");
	const char *token = json_text(c->in, "NextToken");
	/* Loops over pages begin with an empty token. */
	struct page_ask ask = { .has_max = max != NULL, .has_ids = has_ids,
	    .token = token && *token ? token : NULL };

	if (max)
		ask.max = (int64_t)max->valuedouble;
	switch (page_open(rule, &ask, ret)) {
	case PAGE_OK:
		return true;
	case PAGE_TOO_SMALL:
		call_fail(c, "InvalidParameterValue", "Value ( %" PRId64 " ) for parameter "
		    "maxResults is invalid. Expecting a value greater than or equal to %u.",
		    ask.max, rule->min);
		return false;
	case PAGE_TOO_LARGE:
		call_fail(c, "InvalidParameterValue", "Value ( %" PRId64 " ) for parameter "
		    "maxResults is invalid. Expecting a value less than or equal to %u.",
		    ask.max, rule->max);
		return false;
	case PAGE_WITH_IDS:
		call_fail(c, "InvalidParameterCombination", "The parameters maxResults and "
		    "nextToken may not be used with a list of ids.");
		return false;
	case PAGE_BAD_TOKEN:
	case PAGE_RESULTS:
		break;
	}
	call_fail(c, "InvalidParameterValue", "Unable to parse pagination token");
	return false;
}

bool
ask_found(struct call *c, const struct id_list *l, const bool *found, const char *what,
    const char *code)
{
	char why[ASK_WHY_MAX], full[96];

	if (id_list_complete(l, found, what, why, sizeof(why)))
		return true;
	snprintf(full, sizeof(full), "%s.NotFound", code);
	call_fail(c, full, "%s", why);
	return false;
}

bool
ask_next(const struct page_rule *rule, const char *last_key, cJSON *out)
{
	char token[PAGE_TOKEN_MAX];

	return page_token(rule, last_key, token) == 0 &&
	    cJSON_AddStringToObject(out, "NextToken", token) != NULL;
}
