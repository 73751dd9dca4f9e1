/*
 * template.h - the JSON of what EC2 shows, written down as text with places to fill: a text
 * that is all "$name" is replaced by the value of that name.  What is the same for everybody
 * stands in the table of its action and not in code.  Pure; any thread.
 */
#pragma once

#include "common/json.h"

struct template_value {
	const char	*name;		/* without the dollar */
	const char	*text;		/* NULL: the member goes */
};
/* Owned; NULL: no memory.  A name without a value is our own mistake: it aborts. */
OWNED_BY(cJSON_Delete) cJSON *template_fill(const char *json, const struct template_value *v,
    size_t n);
