/* trim.h - keeps the console logs of this node's guests short (console.h).  Loop thread only. */
#pragma once

#include "vmd/vmd.h"

int	 trim_new(struct vmd *d, struct trim **ret) MUST_CHECK;
void	 trim_free(struct trim *t);	/* NULL is fine */
