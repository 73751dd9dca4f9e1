/*
 * guard_socket.h - asking the service manager for a guard: one message to its socket, which
 * starts vmguard -S as a service of its own, and one byte back.  The message is the guard's
 * command line, each argument with its NUL, and the descriptor of its log.  Nothing but libc,
 * since the guard is one side of it.  Blocks: for jobs.  Any thread.
 */
#pragma once

#include "common/cleanup.h"

#define GUARD_SOCKET_BYTES	32768	/* of a command line */
#define GUARD_SOCKET_ARGS	512

/*
 * vmd: the guard's answer, an exit status of vmguard(8); -ETIMEDOUT: it may still begin; else
 * -errno: there is none.
 */
int	 guard_socket_ask(const char *path, const char *const *argv, int log_fd, int timeout_ms)
    MUST_CHECK;

/*
 * vmguard: reads the message from a connection.  0 with *ret_argv, a NULL-terminated list for
 * the life of the process, of *ret_argc; -EBADMSG, or -errno.
 */
int	 guard_socket_read(int fd, int *ret_argc, char ***ret_argv, int *ret_log_fd) MUST_CHECK;
