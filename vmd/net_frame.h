/*
 * net_frame.h - what a guest may say to its network, and hear from it: one Ethernet frame each.
 * Its own MAC and address as the source, IPv4 and ARP alone, and nothing to whom it may not
 * reach.  Frames are a stranger's bytes.  Pure; nothing but libc.
 */
#pragma once

#include <stddef.h>

#include "vmd/net_port.h"

#define NET_FRAME_MIN	14
#define NET_FRAME_MAX	65550	/* a header and the longest IPv4 packet, and to spare */
#define NET_OWN_MAX	256

struct net_own {		/* the node's own addresses, now */
	uint32_t	 address[NET_OWN_MAX];
	uint32_t	 n;
	bool		 is_unknown;	/* then every address may be one */
};

enum net_verdict {
	NET_DROP,
	NET_PASS,
	NET_ASK_DHCP,		/* goes to net_dhcp.h and no further */
};
/* From the guest. */
enum net_verdict net_frame_out(const struct net_port *p, const struct net_own *own,
    const uint8_t *frame, size_t n);
/* To the guest; never an answer of another's DHCP. */
bool	 net_frame_in(const struct net_port *p, const uint8_t *frame, size_t n);

/* Is it the node's own? */
bool	 net_frame_is_own(const struct net_own *own, uint32_t address);
