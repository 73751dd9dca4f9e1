/* act_account.c - DescribeAccountAttributes: what holds for every account here. */
#include <stdio.h>
#include <string.h>

#include "common/instance.h"
#include "gwd/acts.h"
#include "gwd/network_view.h"
#include "gwd/template.h"

/* EC2's names, in its order.  An instance needs an address, so there are as many at most. */
static const struct {
	const char	*name;
	const char	*value;		/* "$vpc": the default VPC's id; "$instances", "$groups": how
					   many */
} account_rows[] = {
	{ "supported-platforms",			"VPC" },
	{ "vpc-max-security-groups-per-interface",	"$groups" },
	{ "max-elastic-ips",				"0" },
	{ "max-instances",				"$instances" },
	{ "vpc-max-elastic-ips",			"0" },
	{ "default-vpc",				"$vpc" },
};

static bool
account_has(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(account_rows); i++) {
		if (strcmp(account_rows[i].name, name) == 0)
			return true;
	}
	return false;
}

int
act_describe_account_attributes_check(const cJSON *in, struct shape_error *e)
{
	const cJSON *name;

	cJSON_ArrayForEach(name, json_member(in, "AttributeNames")) {
		if (!account_has(name->valuestring))
			return shape_refuse(e, "InvalidParameterValue", "Value (%.64s) for "
			    "parameter attributeName is invalid. Unknown attribute.",
			    name->valuestring);
	}
	return 0;
}

static cJSON *
account_row(const char *account, size_t i)
{
	static const char text[] = "{\"AttributeName\":\"$name\",\"AttributeValues\":["
	    "{\"AttributeValue\":\"$value\"}]}";
	char instances[16], groups[16];
	struct network n;
	const char *value = account_rows[i].value;

	network_of(account, &n);
	snprintf(instances, sizeof(instances), "%u", NETWORK_ADDRESSES);
	snprintf(groups, sizeof(groups), "%d", INSTANCE_GROUPS_MAX);
	if (strcmp(value, "$vpc") == 0)
		value = n.vpc_id;
	else if (strcmp(value, "$instances") == 0)
		value = instances;
	else if (strcmp(value, "$groups") == 0)
		value = groups;
	return template_fill(text, (struct template_value[]){ { "name", account_rows[i].name },
	    { "value", value } }, 2);
}

static bool
account_is_wanted(const cJSON *names, const char *name)
{
	const cJSON *n;

	cJSON_ArrayForEach(n, names) {
		if (strcmp(n->valuestring, name) == 0)
			return true;
	}
	return cJSON_GetArraySize(names) == 0;
}

void
act_describe_account_attributes(struct gwd *g, struct call *c)
{
	const cJSON *names = json_member(c->in, "AttributeNames");
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "AccountAttributes") : NULL;

	for (size_t i = 0; list && i < ARRAY_LEN(account_rows); i++) {
		AUTO(json) cJSON *row = NULL;

		if (!account_is_wanted(names, account_rows[i].name))
			continue;
		row = account_row(c->account, i);
		if (!row || !cJSON_AddItemToArray(list, row))
			list = NULL;
		else
			(void)steal_json(&row);
	}
	call_answer(c, list ? steal_json(&out) : NULL);
}
