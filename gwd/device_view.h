/*
 * device_view.h - the volumes and network interfaces of an instance as EC2 shows them on their
 * own, made from the instance as EC2 shows it (and instance_view_facts beside it).  Pure; any
 * thread.
 */
#pragma once

#include "common/json.h"

/* All are owned; NULL: no memory. */

/* The id of its root volume; borrowed; NULL: none. */
const char *device_volume_id(const cJSON *instance);
/* Of an instance that has one. */
OWNED_BY(cJSON_Delete) cJSON *device_volume(const cJSON *instance);
/* nic: one of the instance's NetworkInterfaces. */
OWNED_BY(cJSON_Delete) cJSON *device_interface(const cJSON *instance, const cJSON *nic);
