/*
 * acts.h - the handlers, one file per kind of thing (act_region.c, act_sts.c, ...), each named
 * for its action, and beside it the check of its parameters where it has one.  See action.h
 * for what a handler is given and owes.
 */
#pragma once

#include "gwd/action.h"

/* act_attributes.c */
action_fn	 act_describe_instance_attribute, act_describe_instance_credit_specifications,
    act_modify_instance_attribute;
action_check_fn	 act_describe_instance_attribute_check,
    act_describe_instance_credit_specifications_check, act_modify_instance_attribute_check;
/* act_change.c */
action_fn	 act_get_console_output, act_reboot_instances, act_start_instances,
    act_stop_instances, act_terminate_instances;
/* act_instances.c */
action_fn	 act_describe_instances;
action_check_fn	 act_describe_instances_check;
/* act_key_pairs.c */
action_fn	 act_create_key_pair, act_delete_key_pair, act_import_key_pair;
action_check_fn	 act_create_key_pair_check, act_delete_key_pair_check, act_import_key_pair_check;
/* act_records.c */
action_fn	 act_describe_images, act_describe_key_pairs;
action_check_fn	 act_describe_images_check, act_describe_key_pairs_check;
/* act_region.c */
action_fn	 act_describe_regions;
action_check_fn	 act_describe_regions_check;
/* act_run.c; its check is run_check.h's */
action_fn	 act_run_instances;
/* act_status.c */
action_fn	 act_describe_instance_status;
action_check_fn	 act_describe_instance_status_check;
/* act_sts.c */
action_fn	 act_get_caller_identity;
/* act_tags.c */
action_fn	 act_create_tags, act_delete_tags, act_describe_tags;
action_check_fn	 act_create_tags_check, act_delete_tags_check, act_describe_tags_check;
/* act_types.c */
action_fn	 act_describe_instance_types;
action_check_fn	 act_describe_instance_types_check;
/* act_zones.c */
action_fn	 act_describe_availability_zones;
action_check_fn	 act_describe_availability_zones_check;
