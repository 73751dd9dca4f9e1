#include "gwd/acts.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/names_ec2.h"
#include "gwd/run_check.h"
#include "gwd/shapes_ec2.h"

/* Sorted by API, then name. */
const struct action actions[] = {
	{ EC2_CreateKeyPair | ACTION_MUTATES,
	  act_create_key_pair, act_create_key_pair_check },
	{ EC2_CreateTags | ACTION_MUTATES,
	  act_create_tags, act_create_tags_check },
	{ EC2_DeleteKeyPair | ACTION_MUTATES,
	  act_delete_key_pair, act_delete_key_pair_check },
	{ EC2_DeleteTags | ACTION_MUTATES,
	  act_delete_tags, act_delete_tags_check },
	{ EC2_DescribeAvailabilityZones,
	  act_describe_availability_zones, act_describe_availability_zones_check },
	{ EC2_DescribeImages,
	  act_describe_images, act_describe_images_check },
	{ EC2_DescribeInstanceAttribute,
	  act_describe_instance_attribute, act_describe_instance_attribute_check },
	{ EC2_DescribeInstanceCreditSpecifications,
	  act_describe_instance_credit_specifications,
	  act_describe_instance_credit_specifications_check },
	{ EC2_DescribeInstanceStatus,
	  act_describe_instance_status, act_describe_instance_status_check },
	{ EC2_DescribeInstanceTypes,
	  act_describe_instance_types, act_describe_instance_types_check },
	{ EC2_DescribeInstances,
	  act_describe_instances, act_describe_instances_check },
	{ EC2_DescribeKeyPairs,
	  act_describe_key_pairs, act_describe_key_pairs_check },
	{ EC2_DescribeRegions,
	  act_describe_regions, act_describe_regions_check },
	{ EC2_DescribeTags,
	  act_describe_tags, act_describe_tags_check },
	{ EC2_GetConsoleOutput,
	  act_get_console_output, NULL },
	{ EC2_ImportKeyPair | ACTION_MUTATES,
	  act_import_key_pair, act_import_key_pair_check },
	{ EC2_ModifyInstanceAttribute | ACTION_MUTATES,
	  act_modify_instance_attribute, act_modify_instance_attribute_check },
	{ EC2_RebootInstances | ACTION_MUTATES,
	  act_reboot_instances, NULL },
	{ EC2_RunInstances | ACTION_MUTATES,
	  act_run_instances, run_check },
	{ EC2_StartInstances | ACTION_MUTATES,
	  act_start_instances, NULL },
	{ EC2_StopInstances | ACTION_MUTATES,
	  act_stop_instances, NULL },
	{ EC2_TerminateInstances | ACTION_MUTATES,
	  act_terminate_instances, NULL },
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
