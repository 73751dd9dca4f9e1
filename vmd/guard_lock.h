/*
 * guard_lock.h - the guest's lock, which a guard holds for as long as its QEMU may write.
 * Nothing but libc.
 */
#pragma once

#include "vmd/guard.h"

int	 guard_lock_take(struct guard *g);		/* an exit status */
/* Holding the lock: is this launch still wanted?  The file `launch` beside it says so. */
bool	 guard_lock_is_wanted(const struct guard *g);
/* Names the processes that hold the lock, in its text. */
bool	 guard_lock_name(const struct guard *g);
