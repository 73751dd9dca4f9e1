#include "gwd/params.h"

#include <errno.h>
#include <string.h>

/* The member that lists ids, if the request names any. */
static const struct shape_member *
ids_given(const struct shape *in, const cJSON *obj)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct shape_member *m = &in->members[i];
		const cJSON *v;

		if (m->shape->kind == SHAPE_LIST && m->shape->item->id_prefix &&
		    (v = json_member(obj, m->name)) && v->child)
			return m;
	}
	return NULL;
}

static int
check_pages(const struct action *a, const cJSON *in, struct shape_error *e)
{
	const cJSON *max = json_member(in, "MaxResults");
	const struct shape_member *ids;

	if (!(a->flags & ACTION_PAGES) || !max)
		return 0;
	if (max->valuedouble < PARAMS_PAGE_MIN)
		return shape_refuse(e, "InvalidParameterValue", "Value ( %.0f ) for parameter "
		    "maxResults is invalid. Expecting a value greater than or equal to %d.",
		    max->valuedouble, PARAMS_PAGE_MIN);
	if (max->valuedouble > PARAMS_PAGE_MAX)
		return shape_refuse(e, "InvalidParameterValue", "Value ( %.0f ) for parameter "
		    "maxResults is invalid. Expecting a value less than or equal to %d.",
		    max->valuedouble, PARAMS_PAGE_MAX);
	if ((ids = ids_given(a->in, in)))
		return shape_refuse(e, "InvalidParameterCombination", "The parameter %s cannot be "
		    "used with the parameter maxResults", ids->query);
	return 0;
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
