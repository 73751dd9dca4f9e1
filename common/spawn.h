/*
 * spawn.h - the one place that makes a process.  The child gets a clean signal mask, default
 * handlers, only the descriptors named here, and its own session.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "common/buf.h"
#include "common/cleanup.h"

#define SPAWN_KEEP_MAX	16

struct spawn {
	const char *const	*argv;		/* NULL-terminated; argv[0] is an absolute path */
	const char *const	*envp;		/* NULL: PATH, LANG=C.UTF-8 alone */
	const char		*cwd;		/* NULL: / */
	int			 stdin_fd;	/* -1: /dev/null; all are borrowed */
	int			 stdout_fd;	/* -1: /dev/null */
	int			 stderr_fd;	/* -1: /dev/null */
	const int		*keep;		/* keep[i] becomes descriptor 3 + i */
	size_t			 nkeep;		/* at most SPAWN_KEEP_MAX */
};
#define SPAWN_INIT	{ .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1 }

/*
 * 0 once the exec has happened; -errno of the step that failed, the exec's own included.
 * *ret_pidfd (caller closes) and *ret_pid name the child, which the caller reaps.
 * Any thread.
 */
int	 spawn_start(const struct spawn *s, pid_t *ret_pid, int *ret_pidfd) MUST_CHECK;

/*
 * For jobs: runs to the end, at most timeout_ms, then SIGKILL to its session.  out (may be
 * NULL) gets stdout and stderr up to its ceiling, the rest is let go.  The exit status (0..255,
 * 128 + signal), or -errno (-ETIMEDOUT).
 */
int	 spawn_run(const char *const *argv, uint64_t timeout_ms, struct buf *out) MUST_CHECK;
