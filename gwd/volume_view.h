/*
 * volume_view.h - a volume's record as EC2 shows it.  Pure; any thread.
 */
#pragma once

#include "common/volume.h"

/* EC2's Volume; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *volume_view(const struct volume *v);
/* Adds "Size", and "Iops" and "Throughput" where the type has them, as asked for or as EC2 gives
 * them by itself: v has type, bytes, iops and throughput.  False: no memory. */
bool	 volume_view_add_speed(cJSON *obj, const struct volume *v);
