/*
 * record_tags.h - CreateTags and DeleteTags of what has a record of its own with its tags in it:
 * volumes that are no root volumes, key pairs, and images.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"

enum record_tagged {
	RECORD_VOLUMES,
	RECORD_KEY_PAIRS,
	RECORD_IMAGES,
	RECORD_TAGGED
};
/*
 * Changes those of the ids in the list `member` of the input, as a job, and calls fn; where one
 * does not exist, or would have too many, the call is failed instead.  is_trial: nothing is
 * written.
 */
void	 record_tags_change(struct call *c, enum record_tagged of, const char *member,
    bool is_trial, void (*fn)(struct call *c));
