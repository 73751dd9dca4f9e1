/*
 * leftover.h - folders in <state_dir>/vm of instances that have left this node: their record,
 * read from the leader, names another, or ends in a delete marker.  A QEMU that is still there,
 * because no vmd lived to see the loss, is killed; then the folder goes.  A record that cannot
 * be read, or a key without a message, proves nothing.  Loop thread only.
 */
#pragma once

#include "vmd/vmd.h"

#define LEFTOVER_MS	30000	/* between looks */
#define LEFTOVER_SOON_MS	1000	/* after an instance was lost */

struct leftover;

int	 leftover_new(struct vmd *d, struct leftover **ret) MUST_CHECK;
void	 leftover_free(struct leftover *lo);	/* NULL is fine */
/* There may be one. */
void	 leftover_soon(struct leftover *lo);	/* NULL is fine */
