/*
 * volume_view.h - a volume's record as EC2 shows it.  Pure; any thread.
 */
#pragma once

#include "common/volume.h"

/* EC2's Volume; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *volume_view(const struct volume *v);
/* What EC2 gives a volume of this type and size where nothing else was asked for; 0: no such. */
uint32_t volume_view_iops(const char *type, uint64_t gib);
