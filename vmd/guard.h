/*
 * guard.h - one guard: the parent of one QEMU.  Its files are guard_*.c and vmguard.c, with
 * nothing but libc; see vmguard(8).
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sysexits.h>

#include "vmd/guard_watch.h"
#include "vmd/net_port.h"

#define GUARD_ID_MAX	36	/* bytes of a launch id */
#define GUARD_PATH_MAX	1024
#define GUARD_NO_GID	((gid_t)-1)

enum guard_exit { GUARD_STARTED = 0, GUARD_FAILED = 1, GUARD_LOCK_HELD = EX_TEMPFAIL };

struct guard {
	/* from its command line, borrowed; see guard_args.h */
	const char	*launch_id;
	const char	*lock_path;
	const char	*status_path;
	const char	*page_path;	/* NULL: no deadline */
	uid_t		 uid;
	gid_t		 gid;
	gid_t		 extra_gid;	/* GUARD_NO_GID: none */
	const char	*passt;		/* path; needed for NET_OUTBOUND */
	struct net_port	 net;
	char		**argv;		/* QEMU's */
	bool		 is_asked;	/* -S: the rest comes from a connection */
	/* its own */
	int		 lock_fd;
	struct guard_watch watch;
	pid_t		 qemu;
	int		 net_fd;	/* QEMU's end of its network; -1: NET_ISOLATED */
	pid_t		 relay;		/* 0: none */
};
