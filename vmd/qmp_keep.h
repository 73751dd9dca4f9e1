/*
 * qmp_keep.h - QMP connections that outlive this vmd.  Where a service manager keeps descriptors
 * (systemd's FD store), each negotiated connection is left with it under the instance's id, and
 * the next vmd goes on with it: no event of the time between is missed.  Without one, and for
 * what it did not take, a new connection is made.  Loop thread only.
 *
 * All copies of a connection end with a shutdown(2) of any, and the manager then lets go of its
 * own, as it does when QEMU ends.
 */
#pragma once

#include "common/types.h"

struct qmp_keep;

/* With what the manager has handed over.  0 or -errno. */
int	 qmp_keep_new(struct qmp_keep **ret) MUST_CHECK;
/* The manager's copies stay.  NULL is fine; in all calls below it has nothing and keeps nothing. */
void	 qmp_keep_free(struct qmp_keep *k);

/* A connection to this instance's QEMU, the caller's from now on; -1: none. */
int	 qmp_keep_take(struct qmp_keep *k, const char *instance) MUST_CHECK;
/* The manager is to have a copy of fd, or none of any. */
void	 qmp_keep_store(struct qmp_keep *k, const char *instance, int fd);
void	 qmp_keep_forget(struct qmp_keep *k, const char *instance);
/* For who takes it next, in this process or after it.  Takes fd; -1 is fine. */
void	 qmp_keep_give(struct qmp_keep *k, const char *instance, int fd);
