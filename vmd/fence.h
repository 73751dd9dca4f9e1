/*
 * fence.h - guests that must not run: their variable store was taken over or is being
 * deleted.  uefid says so, at once by its event and again whenever it is asked; such a guest
 * is killed without grace.  Loop thread only.
 */
#pragma once

#include "vmd/vmd.h"

#define FENCE_ASK_MS	10000

int	 fence_new(struct vmd *d, struct fence **ret) MUST_CHECK;
void	 fence_free(struct fence *f);	/* NULL is fine */
