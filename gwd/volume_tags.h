/*
 * volume_tags.h - the tags of volumes that have records of their own.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"

/*
 * Carries out the call, a CreateTags or DeleteTags, on the volumes that its input's member lists:
 * on none unless all are there.  Takes the call: fn gets it when that is done, or it is failed.
 */
void	 volume_tags_change(struct call *c, const char *member, void (*fn)(struct call *c));
