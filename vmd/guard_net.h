/*
 * guard_net.h - the network of a guard's QEMU: a relay (guard_relay.h) and what is behind it,
 * there before QEMU and gone before its end is said.  Nothing but libc.
 */
#pragma once

#include "vmd/guard.h"

/* Until frames pass; nothing with NET_ISOLATED.  false, which was said: nothing of it is left. */
bool	 guard_net_start(struct guard *g);
/* QEMU has its end, or never will: the guard keeps none. */
void	 guard_net_hand_over(struct guard *g);
/* After QEMU has been waited for: ends all that is left of the guard's children. */
void	 guard_net_end(struct guard *g);
