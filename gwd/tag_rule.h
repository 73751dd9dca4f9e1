/*
 * tag_rule.h - what a tag may be: keys of 1 to 128 characters that do not begin with "aws:",
 * values of up to 256, each key once, INSTANCE_TAGS_MAX of them.  No clock, no bus, no files;
 * any thread.
 */
#pragma once

#include "common/json.h"

#define TAG_KEY_MAX	128	/* characters */
#define TAG_VALUE_MAX	256
#define TAG_MESSAGE_MAX	200

/* tags: [{"Key", "Value"}] or NULL.  NULL: all may be; else the code, and the sentence in why. */
const char *tag_rule_check(const cJSON *tags, char why[static TAG_MESSAGE_MAX]);

/*
 * specs: TagSpecifications, [{"ResourceType", "Tags": []}] or NULL.  types: the resource types
 * that the action makes, NULL-terminated.  NULL, or the code and the sentence.
 */
const char *tag_rule_check_specs(const cJSON *specs, const char *const *types,
    char why[static TAG_MESSAGE_MAX]);
/* The tags of specs for one type, in their order, as a list that the caller owns; empty where
 * there are none; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *tag_rule_of(const cJSON *specs, const char *type);
