/*
 * deadline.h - moves on the deadlines of guests that must not outlive their node's lease: those
 * whose record says on_isolation = stop.  Only while the lease is held, and only for a record
 * that was confirmed under its generation; guard_page.h says what a guard makes of it.
 */
#pragma once

#include "vmd/vmd.h"

struct deadline;

/* Loop thread. */
int	 deadline_new(struct vmd *d, struct deadline **ret) MUST_CHECK;
void	 deadline_free(struct deadline *dl);		/* NULL is fine */

/* Any thread.  Into the file at path, which is there already (is_new: or is made).  0 or -errno. */
int	 deadline_write(const char *path, uint64_t ttl_ms, uint64_t generation,
    uint64_t deadline_ms, bool is_new) MUST_CHECK;
