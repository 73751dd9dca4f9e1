/*
 * disk_use.h - does a process write an instance's disks?  By the locks that QEMU takes on them,
 * over a shared folder too: one guest's disks have one writer.  Loop thread only.
 */
#pragma once

#include "vmd/launch_job.h"
#include "vmd/vm.h"

enum disk_use {
	DISK_USE_NONE,		/* a disk that cannot be looked at is none: the launch says why */
	DISK_USE_TAKEN,		/* of this volume, and the record says still what i says */
	DISK_USE_CHANGED,	/* taken, and the record has changed meanwhile, or cannot be read */
};
/* volume: an id, when taken. */
typedef void disk_use_fn(void *arg, enum disk_use use, const char *volume);
/* fn once, later.  0; -errno: it is not called. */
int	 disk_use_look(struct vmd *d, const struct instance *i, disk_use_fn *fn, void *arg)
    MUST_CHECK;
/* The sentence of a start that is refused for it: EC2's IncorrectState. */
void	 disk_use_explain(const char *volume, char ret[static LAUNCH_WHY_MAX]);
