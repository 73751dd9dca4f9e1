/*
 * volume_tags.h - the tags of volumes that have records of their own.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"

/*
 * The call is a CreateTags or DeleteTags: could it be carried out on the volumes that its input's
 * member lists (is_trial), or carry it out on them.  Takes the call: fn gets it when that is done,
 * or it is failed.
 */
void	 volume_tags_change(struct call *c, const char *member, bool is_trial,
    void (*fn)(struct call *c));
