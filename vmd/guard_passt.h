/*
 * guard_passt.h - passt, which turns a guest's frames into sockets of the node.  Nothing but
 * libc.
 */
#pragma once

#include <sys/types.h>

#include "vmd/net_port.h"

#define GUARD_PASST_MS	15000	/* it answers in this time, or has not begun */

/*
 * Starts it as this process's user and child, killed with it: the descriptor through which
 * frames pass, each after its length in four bytes, and *ret_pid.  -1 with errno.
 */
int	 guard_passt_start(const char *path, const struct net_port *p, pid_t *ret_pid);
/* Asks it for the guest's router until it answers.  false: it does not, which is said. */
bool	 guard_passt_answers(int fd, const struct net_port *p);
