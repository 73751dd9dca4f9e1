#include "gwd/act.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/names_ec2.h"
#include "gwd/shapes_ec2.h"

/* Sorted by API, then name. */
const struct action actions[] = {
	{ EC2_DescribeRegions,		act_describe_regions,		NULL },
	{ STS_GetCallerIdentity,	act_get_caller_identity,	NULL },
};
const size_t nactions = ARRAY_LEN(actions);

struct key {
	enum action_api	 api;
	const char	*name;
};

static int
compare_action(const void *key, const void *row)
{
	const struct key *k = key;
	const struct action *a = row;

	return k->api != a->api ? (int)k->api - (int)a->api : strcmp(k->name, a->name);
}

const struct action *
action_find(enum action_api api, const char *name)
{
	const struct key k = { api, name };

	return bsearch(&k, actions, nactions, sizeof(actions[0]), compare_action);
}

static int
compare_name(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

bool
action_is_known(enum action_api api, const char *name)
{
	const bool sts = api == API_STS;

	return bsearch(name, sts ? names_sts : names_ec2, sts ? nnames_sts : nnames_ec2,
	    sizeof(names_ec2[0]), compare_name) != NULL;
}
