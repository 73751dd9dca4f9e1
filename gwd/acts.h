/*
 * acts.h - the handlers, one file per kind of thing (act_region.c, act_sts.c, ...), each named
 * for its action, and beside it the check of its parameters and its table of filters where it
 * has them.  See action.h for what a handler is given and owes.
 */
#pragma once

#include "gwd/action.h"
#include "gwd/filter.h"

/* act_account.c */
action_fn	 act_describe_account_attributes;
action_check_fn	 act_describe_account_attributes_check;
/* act_attributes.c */
action_fn	 act_describe_instance_attribute, act_describe_instance_credit_specifications;
action_check_fn	 act_describe_instance_attribute_check;
extern const struct filter_table act_filters_credits;
/* act_change.c */
action_fn	 act_get_console_output, act_reboot_instances, act_start_instances,
    act_stop_instances, act_terminate_instances;
/* act_devices.c */
action_fn	 act_describe_network_interfaces, act_describe_volumes;
extern const struct filter_table act_filters_interfaces, act_filters_volumes;
/* act_images.c */
action_fn	 act_create_image, act_deregister_image, act_describe_image_attribute,
    act_get_instance_uefi_data, act_register_image;
action_check_fn	 act_create_image_check, act_register_image_check;
/* act_instances.c */
action_fn	 act_describe_instances;
extern const struct filter_table act_filters_instances;
/* act_key_pairs.c */
action_fn	 act_create_key_pair, act_delete_key_pair, act_import_key_pair;
action_check_fn	 act_create_key_pair_check, act_delete_key_pair_check, act_import_key_pair_check;
/* act_modify.c */
action_fn	 act_modify_instance_attribute;
action_check_fn	 act_modify_instance_attribute_check;
/* act_groups.c */
action_fn	 act_instance_groups, act_modify_network_interface_attribute;
/* act_net.c: the rule of the action's name */
action_fn	 act_net;
action_check_fn	 act_net_check, act_net_group_check;
/* act_network.c */
action_fn	 act_describe_addresses, act_describe_dhcp_options, act_describe_internet_gateways,
    act_describe_network_acls, act_describe_route_tables, act_describe_security_group_rules,
    act_describe_security_groups, act_describe_subnets, act_describe_vpcs;
extern const struct filter_table act_filters_acls, act_filters_addresses,
    act_filters_dhcp_options, act_filters_gateways, act_filters_groups,
    act_filters_route_tables, act_filters_rules, act_filters_subnets, act_filters_vpcs;
/* act_offerings.c */
action_fn	 act_describe_instance_type_offerings;
extern const struct filter_table act_filters_offerings;
/* act_options.c */
action_fn	 act_describe_iam_instance_profile_associations, act_get_password_data,
    act_modify_instance_credit_specification, act_modify_instance_metadata_options,
    act_monitor_instances, act_unmonitor_instances;
action_check_fn	 act_modify_instance_credit_specification_check,
    act_modify_instance_metadata_options_check;
extern const struct filter_table act_filters_profiles;
/* act_records.c */
action_fn	 act_describe_images, act_describe_key_pairs;
extern const struct filter_table act_filters_images, act_filters_key_pairs;
/* act_region.c */
action_fn	 act_describe_regions;
extern const struct filter_table act_filters_regions;
/* act_run.c; its check is run_check.h's */
action_fn	 act_run_instances;
/* act_status.c */
action_fn	 act_describe_instance_status;
extern const struct filter_table act_filters_instance_status;
/* act_sts.c */
action_fn	 act_get_caller_identity;
/* act_tags.c */
action_fn	 act_create_tags, act_delete_tags;
action_check_fn	 act_create_tags_check, act_delete_tags_check;
/* act_tags_list.c */
action_fn	 act_describe_tags;
extern const struct filter_table act_filters_tags;
/* act_types.c */
action_fn	 act_describe_instance_types;
extern const struct filter_table act_filters_instance_types;
/* act_volumes.c; detaching needs what deleting does */
action_fn	 act_attach_volume, act_create_volume, act_delete_volume, act_detach_volume;
action_check_fn	 act_attach_volume_check, act_create_volume_check, act_delete_volume_check;
/* act_zones.c */
action_fn	 act_describe_availability_zones;
extern const struct filter_table act_filters_zones;
