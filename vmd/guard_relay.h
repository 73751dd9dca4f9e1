/*
 * guard_relay.h - the process between a guest and its network: each frame passes by the rules
 * of net_frame.h, DHCP is answered here, and passt is minded.  It has the guest's user, no
 * capability, and no descriptor but these.  Nothing but libc.
 */
#pragma once

#include "vmd/net_port.h"

struct guard_relay {
	const struct net_port	*port;
	const char		*passt;		/* path; for NET_OUTBOUND */
	int			 qemu_fd;	/* a datagram is a frame */
	int			 tap_fd;	/* -1: through passt */
};

/* Begins, writes a byte to ready_fd and closes it; for the rest of the process's life. */
void	 guard_relay_run(const struct guard_relay *r, int ready_fd)
    __attribute__((noreturn));
