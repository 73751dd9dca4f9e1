/*
 * guard_child.h - a guard's QEMU: started without privilege, killed by the kernel if the guard
 * goes.  Nothing but libc.
 */
#pragma once

#include "vmd/guard.h"

#define GUARD_CHILD_NET_FD	4	/* where QEMU has its network, if it has this one */

/* Keeps of the permitted capabilities those of the lower word in mask, and cannot get more. */
bool	 guard_child_keep_capabilities(uint32_t mask);
/*
 * This process, a child of parent, becomes one without privilege: the guest's ids, its extra
 * group where QEMU needs it, no capability, and SIGKILL when parent goes.  false with errno.
 */
bool	 guard_child_drop(const struct guard *g, bool has_extra_gid, pid_t parent);
/* Forks QEMU; it execs only after the lock names it. */
bool	 guard_child_start(struct guard *g);
int	 guard_child_wait(pid_t pid);	/* a status of wait(2); -1: there is no such child */
