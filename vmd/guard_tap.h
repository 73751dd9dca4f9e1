/*
 * guard_tap.h - a tap on an operator's bridge: a device of the node that goes when its
 * descriptor is closed.  Needs CAP_NET_ADMIN.  Nothing but libc.
 */
#pragma once

#include "vmd/net_port.h"

/* The descriptor, of which each read and write is a frame; -1: what failed was said. */
int	 guard_tap_open(const struct net_port *p);
