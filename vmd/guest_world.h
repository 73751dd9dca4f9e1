/*
 * guest_world.h - the files and processes of a guest, for guest.c alone.  Blocks: for jobs.
 * Any thread.
 */
#pragma once

#include "vmd/guest.h"
#include "vmd/guest_text.h"

#define GUEST_GUARD_MS	20000	/* a guard says in this time whether it has begun */

struct guest_found {		/* either may be -1: it has just ended; never both */
	struct guest_identity	 id;
	int			 qemu_fd, guard_fd;	/* pidfds, the caller's to close */
};

struct guest_launch {		/* all borrowed */
	const char		*dir, *lock, *launch_id, *boot_id;
	uid_t			 uid;
	gid_t			 gid;
	const char *const	*argv;		/* the guard's, from its path, or its socket's, on */
};

/*
 * 0: begun, and found.  -EWOULDBLOCK: the lock is held.  -EBUSY: the guard neither began nor
 * gave up.  -ECHILD: guard or QEMU refused.  Else -errno.  A sentence in why.
 */
int	 guest_world_start(const struct guest_launch *l, struct guest_found *ret,
    char why[static GUEST_WHY_MAX]) MUST_CHECK;

/* 0; -ESRCH: none runs and none will; -EAGAIN: held by who knows whom; else -errno. */
int	 guest_world_find(const char *lock, const char *boot_id, struct guest_found *ret)
    MUST_CHECK;

/* Both processes are gone: removes this launch's `launch`.  How it ended, and QEMU's last words. */
void	 guest_world_end(const char *dir, const char *lock, const char *launch_id,
    struct guest_end *ret, char why[static GUEST_WHY_MAX]);

/* How the last QEMU of this folder ended, whichever launch it was.  false: nothing is known. */
bool	 guest_world_last_end(const char *dir, struct guest_end *ret);
