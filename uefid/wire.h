/* wire.h - what the files of the wire share: the answers of show, vars and export as
 * JSON. */
#pragma once

#include "uefid/uefid.h"

OWNED_BY(cJSON_Delete) cJSON *wire_show(const struct work *w);
/* NULL without memory, or with a sentence in why when the region is not one. */
OWNED_BY(cJSON_Delete) cJSON *wire_vars(const struct work *w, char why[static JSON_WHY_MAX]);
OWNED_BY(cJSON_Delete) cJSON *wire_export(const struct work *w,
    char why[static JSON_WHY_MAX]);
