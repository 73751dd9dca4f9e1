/*
 * net_dhcp.h - the DHCP server of one guest: whatever it asks, it is given its one address.
 * Pure; nothing but libc.
 */
#pragma once

#include <stddef.h>

#include "vmd/net_port.h"

#define NET_DHCP_MAX	400	/* bytes of an answer's frame */

/* Of the router that a guest sees in its DHCP, and behind passt. */
extern const uint8_t net_dhcp_router_mac[NET_MAC_BYTES];

/* Bytes of the frame that answers one judged NET_ASK_DHCP; 0: none is due. */
size_t	 net_dhcp_answer(const struct net_port *p, const uint8_t *frame, size_t n,
    uint8_t ret[static NET_DHCP_MAX]);
/* An ARP frame in which the guest asks for its router: 42 bytes. */
#define NET_DHCP_ARP	42
void	 net_dhcp_arp(const struct net_port *p, uint8_t ret[static NET_DHCP_ARP]);
