#include "gwd/tag_rule.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/instance.h"

static size_t
tag_characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static bool
tag_is_twice(const cJSON *tags, const cJSON *tag, const char *key)
{
	const cJSON *other;

	cJSON_ArrayForEach(other, tags) {
		const char *name = json_text(other, "Key");

		if (other == tag)
			return false;
		if (name && strcmp(name, key) == 0)
			return true;
	}
	return false;
}

static const char *
tag_check_one(const cJSON *tags, const cJSON *tag, char why[static TAG_MESSAGE_MAX])
{
	const char *key = json_text(tag, "Key");
	const char *value = json_text(tag, "Value");

	if (!key || *key == '\0') {
		snprintf(why, TAG_MESSAGE_MAX, "Tag keys must have at least one character.");
	} else if (tag_characters(key) > TAG_KEY_MAX) {
		snprintf(why, TAG_MESSAGE_MAX, "Tag key exceeds the maximum length of %d "
		    "characters", TAG_KEY_MAX);
	} else if (value && tag_characters(value) > TAG_VALUE_MAX) {
		snprintf(why, TAG_MESSAGE_MAX, "Tag value exceeds the maximum length of %d "
		    "characters", TAG_VALUE_MAX);
	} else if (strncasecmp(key, "aws:", 4) == 0) {
		snprintf(why, TAG_MESSAGE_MAX, "Tag keys starting with 'aws:' are reserved for "
		    "internal use");
	} else if (tag_is_twice(tags, tag, key)) {
		snprintf(why, TAG_MESSAGE_MAX, "Duplicate tag key '%.100s' specified.", key);
	} else {
		return NULL;
	}
	return "InvalidParameterValue";
}

const char *
tag_rule_check(const cJSON *tags, char why[static TAG_MESSAGE_MAX])
{
	const cJSON *tag;

	if (cJSON_GetArraySize(tags) > INSTANCE_TAGS_MAX) {
		snprintf(why, TAG_MESSAGE_MAX, "The maximum number of tags for a resource is %d.",
		    INSTANCE_TAGS_MAX);
		return "TagLimitExceeded";
	}
	cJSON_ArrayForEach(tag, tags) {
		const char *code = tag_check_one(tags, tag, why);

		if (code)
			return code;
	}
	return NULL;
}

static bool
tag_is_taggable(const char *type, const char *const *types)
{
	for (; *types; types++) {
		if (strcmp(*types, type) == 0)
			return true;
	}
	return false;
}

/* All tags of one type are one list: a key may not be there twice, wherever it stands. */
static const char *
tag_check_type(const cJSON *specs, const char *type, char why[static TAG_MESSAGE_MAX])
{
	AUTO(json) cJSON *tags = tag_rule_of(specs, type);

	if (tags)
		return tag_rule_check(tags, why);
	snprintf(why, TAG_MESSAGE_MAX, "An internal error has occurred.");
	return "InternalError";
}

const char *
tag_rule_check_specs(const cJSON *specs, const char *const *types,
    char why[static TAG_MESSAGE_MAX])
{
	const cJSON *spec;

	cJSON_ArrayForEach(spec, specs) {
		const char *type = json_text(spec, "ResourceType");
		const char *code;

		if (!type || !tag_is_taggable(type, types)) {
			snprintf(why, TAG_MESSAGE_MAX, "'%.64s' is not a valid taggable resource "
			    "type for this operation.", type ? type : "");
			return "InvalidParameterValue";
		}
		code = tag_check_type(specs, type, why);
		if (code)
			return code;
	}
	return NULL;
}

static bool
tag_add(cJSON *list, const cJSON *tag)
{
	const char *key = json_text(tag, "Key"), *value = json_text(tag, "Value");
	AUTO(json) cJSON *one = cJSON_CreateObject();

	if (!one || !cJSON_AddStringToObject(one, "Key", key ? key : "") ||
	    !cJSON_AddStringToObject(one, "Value", value ? value : "") ||
	    !cJSON_AddItemToArray(list, one))
		return false;
	(void)steal_json(&one);
	return true;
}

cJSON *
tag_rule_of(const cJSON *specs, const char *type)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	const cJSON *spec, *tag;

	if (!list)
		return NULL;
	cJSON_ArrayForEach(spec, specs) {
		const char *its = json_text(spec, "ResourceType");

		if (!its || strcmp(its, type) != 0)
			continue;
		cJSON_ArrayForEach(tag, json_member(spec, "Tags")) {
			if (!tag_add(list, tag))
				return NULL;
		}
	}
	return steal_json(&list);
}
