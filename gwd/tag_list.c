#include "gwd/tag_list.h"

#include <string.h>

#include "common/instance.h"

static bool
has(const cJSON *tag, const char *member, const char *text)
{
	const char *is = json_text(tag, member);

	return is && strcmp(is, text) == 0;
}

static cJSON *
tag_find(cJSON *list, const char *key)
{
	cJSON *tag;

	cJSON_ArrayForEach(tag, list) {
		if (has(tag, "Key", key))
			return tag;
	}
	return NULL;
}

static bool
tag_set(cJSON *list, const char *key, const char *value)
{
	cJSON *was = tag_find(list, key), *tag = cJSON_CreateObject();

	if (tag && cJSON_AddStringToObject(tag, "Key", key) &&
	    cJSON_AddStringToObject(tag, "Value", value) &&
	    (was ? cJSON_ReplaceItemViaPointer(list, was, tag) : cJSON_AddItemToArray(list, tag)))
		return true;
	cJSON_Delete(tag);
	return false;
}

enum tag_list_result
tag_list_set(cJSON *list, const cJSON *tags)
{
	const cJSON *tag;

	cJSON_ArrayForEach(tag, tags) {
		const char *value = json_text(tag, "Value");

		if (!tag_set(list, json_text(tag, "Key"), value ? value : ""))
			return TAG_LIST_NOMEM;
	}
	return cJSON_GetArraySize(list) > INSTANCE_TAGS_MAX ? TAG_LIST_FULL : TAG_LIST_OK;
}

static void
drop_all(cJSON *list)
{
	cJSON *tag = list->child;

	while (tag) {
		cJSON *next = tag->next;
		const char *key = json_text(tag, "Key");

		if (!key || strncmp(key, "aws:", 4) != 0)
			cJSON_Delete(cJSON_DetachItemViaPointer(list, tag));
		tag = next;
	}
}

void
tag_list_drop(cJSON *list, const cJSON *tags)
{
	const cJSON *asked;

	if (!tags)
		drop_all(list);
	cJSON_ArrayForEach(asked, tags) {
		const char *value = json_text(asked, "Value");
		cJSON *tag = tag_find(list, json_text(asked, "Key"));

		if (tag && (!value || has(tag, "Value", value)))
			cJSON_Delete(cJSON_DetachItemViaPointer(list, tag));
	}
}
