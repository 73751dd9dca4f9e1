/*
 * acts.h - the handlers of the actions, one line each; action.h says how they are called.
 * Their rows stand in actions.c.
 */
#pragma once

#include "gwd/action.h"

action_fn act_create_key_pair, act_create_tags, act_delete_key_pair, act_delete_tags,
    act_describe_availability_zones, act_describe_images,
    act_describe_instance_attribute, act_describe_instance_status,
    act_describe_instance_types, act_describe_instances, act_describe_key_pairs,
    act_describe_regions, act_describe_tags, act_get_caller_identity,
    act_get_console_output, act_import_key_pair, act_modify_instance_attribute,
    act_reboot_instances, act_run_instances, act_start_instances, act_stop_instances,
    act_terminate_instances;
