/*
 * guard_child.h - a guard's QEMU: started without privilege, killed by the kernel if the guard
 * goes.  Nothing but libc.
 */
#pragma once

#include "vmd/guard.h"

/* Keeps of the permitted capabilities those of the lower word in mask, and cannot get more. */
bool	 guard_child_keep_capabilities(uint32_t mask);
/* Forks QEMU; it execs only after the lock names it. */
bool	 guard_child_start(struct guard *g);
int	 guard_child_wait(pid_t pid);	/* a status of wait(2); -1: there is no such child */
