#include "gwd/acts.h"

#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/names_ec2.h"
#include "gwd/run_check.h"
#include "gwd/shapes_ec2.h"

/* Sorted by API, then name. */
const struct action actions[] = {
	{ EC2_AssociateRouteTable | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_AttachInternetGateway | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_AttachVolume | ACTION_MUTATES,
	  act_attach_volume, act_attach_volume_check, NULL },
	{ EC2_AuthorizeSecurityGroupEgress | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_AuthorizeSecurityGroupIngress | ACTION_MUTATES,
	  act_net, act_net_group_check, NULL },
	{ EC2_CreateImage | ACTION_MUTATES,
	  act_create_image, act_create_image_check, NULL },
	{ EC2_CreateInternetGateway | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateKeyPair | ACTION_MUTATES,
	  act_create_key_pair, act_create_key_pair_check, NULL },
	{ EC2_CreateNetworkInterface | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateRoute | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateRouteTable | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateSecurityGroup | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateSubnet | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_CreateTags | ACTION_MUTATES,
	  act_create_tags, act_create_tags_check, NULL },
	{ EC2_CreateVolume | ACTION_MUTATES,
	  act_create_volume, act_create_volume_check, NULL },
	{ EC2_CreateVpc | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteInternetGateway | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteKeyPair | ACTION_MUTATES,
	  act_delete_key_pair, act_delete_key_pair_check, NULL },
	{ EC2_DeleteNetworkInterface | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteRoute | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteRouteTable | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteSecurityGroup | ACTION_MUTATES,
	  act_net, act_net_group_check, NULL },
	{ EC2_DeleteSubnet | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeleteTags | ACTION_MUTATES,
	  act_delete_tags, act_delete_tags_check, NULL },
	{ EC2_DeleteVolume | ACTION_MUTATES,
	  act_delete_volume, act_delete_volume_check, NULL },
	{ EC2_DeleteVpc | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DeregisterImage | ACTION_MUTATES,
	  act_deregister_image, NULL, NULL },
	{ EC2_DescribeAccountAttributes,
	  act_describe_account_attributes, act_describe_account_attributes_check, NULL },
	{ EC2_DescribeAddresses,
	  act_describe_addresses, NULL, &act_filters_addresses },
	{ EC2_DescribeAvailabilityZones,
	  act_describe_availability_zones, NULL, &act_filters_zones },
	{ EC2_DescribeDhcpOptions,
	  act_describe_dhcp_options, NULL, &act_filters_dhcp_options },
	{ EC2_DescribeIamInstanceProfileAssociations,
	  act_describe_iam_instance_profile_associations, NULL, &act_filters_profiles },
	{ EC2_DescribeImageAttribute,
	  act_describe_image_attribute, NULL, NULL },
	{ EC2_DescribeImages,
	  act_describe_images, NULL, &act_filters_images },
	{ EC2_DescribeInstanceAttribute,
	  act_describe_instance_attribute, act_describe_instance_attribute_check, NULL },
	{ EC2_DescribeInstanceCreditSpecifications,
	  act_describe_instance_credit_specifications, NULL, &act_filters_credits },
	{ EC2_DescribeInstanceStatus,
	  act_describe_instance_status, NULL, &act_filters_instance_status },
	{ EC2_DescribeInstanceTypeOfferings,
	  act_describe_instance_type_offerings, NULL, &act_filters_offerings },
	{ EC2_DescribeInstanceTypes,
	  act_describe_instance_types, NULL, &act_filters_instance_types },
	{ EC2_DescribeInstances,
	  act_describe_instances, NULL, &act_filters_instances },
	{ EC2_DescribeInternetGateways,
	  act_describe_internet_gateways, NULL, &act_filters_gateways },
	{ EC2_DescribeKeyPairs,
	  act_describe_key_pairs, NULL, &act_filters_key_pairs },
	{ EC2_DescribeNetworkAcls,
	  act_describe_network_acls, NULL, &act_filters_acls },
	{ EC2_DescribeNetworkInterfaces,
	  act_describe_network_interfaces, NULL, &act_filters_interfaces },
	{ EC2_DescribeRegions,
	  act_describe_regions, NULL, &act_filters_regions },
	{ EC2_DescribeRouteTables,
	  act_describe_route_tables, NULL, &act_filters_route_tables },
	{ EC2_DescribeSecurityGroupRules,
	  act_describe_security_group_rules, NULL, &act_filters_rules },
	{ EC2_DescribeSecurityGroups,
	  act_describe_security_groups, NULL, &act_filters_groups },
	{ EC2_DescribeSubnets,
	  act_describe_subnets, NULL, &act_filters_subnets },
	{ EC2_DescribeTags,
	  act_describe_tags, NULL, &act_filters_tags },
	{ EC2_DescribeVolumes,
	  act_describe_volumes, NULL, &act_filters_volumes },
	{ EC2_DescribeVpcAttribute,
	  act_net, NULL, NULL },
	{ EC2_DescribeVpcs,
	  act_describe_vpcs, NULL, &act_filters_vpcs },
	{ EC2_DetachInternetGateway | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_DetachVolume | ACTION_MUTATES,
	  act_detach_volume, act_delete_volume_check, NULL },
	{ EC2_DisassociateRouteTable | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_GetConsoleOutput,
	  act_get_console_output, NULL, NULL },
	{ EC2_GetInstanceUefiData,
	  act_get_instance_uefi_data, NULL, NULL },
	{ EC2_GetPasswordData,
	  act_get_password_data, NULL, NULL },
	{ EC2_ImportKeyPair | ACTION_MUTATES,
	  act_import_key_pair, act_import_key_pair_check, NULL },
	{ EC2_ModifyInstanceAttribute | ACTION_MUTATES,
	  act_modify_instance_attribute, act_modify_instance_attribute_check, NULL },
	{ EC2_ModifyInstanceCreditSpecification | ACTION_MUTATES,
	  act_modify_instance_credit_specification, act_modify_instance_credit_specification_check, NULL },
	{ EC2_ModifyInstanceMetadataOptions | ACTION_MUTATES,
	  act_modify_instance_metadata_options, act_modify_instance_metadata_options_check, NULL },
	{ EC2_ModifyNetworkInterfaceAttribute | ACTION_MUTATES,
	  act_modify_network_interface_attribute, act_net_check, NULL },
	{ EC2_ModifySubnetAttribute | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_ModifyVpcAttribute | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_MonitorInstances | ACTION_MUTATES,
	  act_monitor_instances, NULL, NULL },
	{ EC2_RebootInstances | ACTION_MUTATES,
	  act_reboot_instances, NULL, NULL },
	{ EC2_RegisterImage | ACTION_MUTATES,
	  act_register_image, act_register_image_check, NULL },
	{ EC2_ReplaceRoute | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_ReplaceRouteTableAssociation | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_RevokeSecurityGroupEgress | ACTION_MUTATES,
	  act_net, act_net_check, NULL },
	{ EC2_RevokeSecurityGroupIngress | ACTION_MUTATES,
	  act_net, act_net_group_check, NULL },
	{ EC2_RunInstances | ACTION_MUTATES,
	  act_run_instances, run_check, NULL },
	{ EC2_StartInstances | ACTION_MUTATES,
	  act_start_instances, NULL, NULL },
	{ EC2_StopInstances | ACTION_MUTATES,
	  act_stop_instances, NULL, NULL },
	{ EC2_TerminateInstances | ACTION_MUTATES,
	  act_terminate_instances, NULL, NULL },
	{ EC2_UnmonitorInstances | ACTION_MUTATES,
	  act_unmonitor_instances, NULL, NULL },
	{ EC2_UpdateSecurityGroupRuleDescriptionsEgress | ACTION_MUTATES,
	  act_net, act_net_group_check, NULL },
	{ EC2_UpdateSecurityGroupRuleDescriptionsIngress | ACTION_MUTATES,
	  act_net, act_net_group_check, NULL },
	{ STS_GetCallerIdentity,	act_get_caller_identity,	NULL, NULL },
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
