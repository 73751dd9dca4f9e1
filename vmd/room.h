/*
 * room.h - what there is room for on this node: its capacity as its configuration and the host
 * make it, and what a guest needs of it.  Loop thread only.
 */
#pragma once

#include "common/types.h"
#include "vmd/vmd.h"

/* Beside each guest of an outbound network: passt, measured at 19.4 MiB of its own (PSS) with a
 * guest that is idle, 21 resident, and the relay before it. */
#define ROOM_OUTBOUND_MIB	24

/* Once, at the start. */
void	 room_init(struct vmd *d);
/* Before it is asked how much room there is: looks at what the host has left now.  Not where
 * `memory` promises more than the host has: such an operator reckons otherwise. */
void	 room_see(struct vmd *d);
/* Of a guest of this type here. */
struct capacity_need room_need(const struct vmd *d, const struct type *t);
/* The same by the type's name; false: the type is not known here any more. */
bool	 room_need_of(const struct vmd *d, const char *type, struct capacity_need *ret);

/* MemAvailable of /proc/meminfo's text.  0 or -EINVAL. */
int	 room_parse_available(const char *text, uint64_t *ret_mib) MUST_CHECK;
