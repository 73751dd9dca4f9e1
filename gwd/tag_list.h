/*
 * tag_list.h - the tags of a thing as EC2 shows them, [{"Key", "Value"}], and what CreateTags and
 * DeleteTags make of them.  Instances keep theirs in another form, see common/instance.h.  Pure.
 */
#pragma once

#include "common/json.h"

/* What is said of a thing that is full: the most, its id. */
#define TAG_LIST_FULL_SAID	"The maximum number of tags, %d, is reached for '%s'."

enum tag_list_result {
	TAG_LIST_OK,
	TAG_LIST_FULL,		/* more than INSTANCE_TAGS_MAX of them */
	TAG_LIST_NOMEM,
	TAG_LIST_RESULTS
};
/* Adds each of tags, or replaces what has its key; one without a value gets an empty one. */
enum tag_list_result tag_list_set(cJSON *list, const cJSON *tags) MUST_CHECK;
/*
 * EC2: a tag that is asked for with a value goes only while it has that value; without any tags
 * asked for (NULL) all go, but for those that EC2 itself has put.
 */
void	 tag_list_drop(cJSON *list, const cJSON *tags);
