/*
 * volume_root.h - the root volumes of instances are not in the bucket of volumes: whose is one,
 * by the instances themselves.  Loop thread only.
 */
#pragma once

#include "gwd/action.h"

/* The instance whose root volume it is; NULL: there is none.  Borrowed. */
typedef void volume_root_fn(struct call *c, const char *instance_id);
/* Takes the call: fn gets it, or it is failed.  id is borrowed until then. */
void	 volume_root_find(struct call *c, const char *id, volume_root_fn *fn);
