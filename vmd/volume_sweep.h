/*
 * volume_sweep.h - looks at the records of volumes, all of them each VOLUME_SWEEP_MS and one
 * on each hint: what was cut short of this node's instances is carried on (volume.h), and the
 * disks of deleted ones that are here are removed.  Loop thread only.
 */
#pragma once

#include "vmd/vmd.h"

#define VOLUME_SWEEP_MS		30000
#define VOLUME_SWEEP_SOON_MS	1000

struct volume_sweep;
int	 volume_sweep_new(struct vmd *d, struct volume_sweep **ret) MUST_CHECK;
void	 volume_sweep_free(struct volume_sweep *s);	/* NULL is fine */
/* There may be something to do. */
void	 volume_sweep_soon(struct volume_sweep *s);	/* NULL is fine */
