/*
 * net_wire.h - where things are in the frames that net_frame.c and net_dhcp.c read.  Pure.
 */
#pragma once

#include <stdint.h>

#define NET_ETHER_TYPE		12	/* in a frame */
#define NET_TYPE_IPV4		0x0800
#define NET_TYPE_ARP		0x0806

#define NET_ARP_BYTES		28
#define NET_ARP_SENDER_MAC	8
#define NET_ARP_SENDER		14
#define NET_ARP_TARGET		24

#define NET_IP_BYTES		20	/* without options */
#define NET_IP_LENGTH		2
#define NET_IP_FRAGMENT		6
#define NET_IP_PROTOCOL		9
#define NET_IP_FROM		12
#define NET_IP_TO		16
#define NET_UDP			17

#define NET_UDP_BYTES		8
#define NET_DHCP_SERVER		67	/* ports */
#define NET_DHCP_CLIENT		68

static inline uint16_t
net_wire_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
net_wire_get32(const uint8_t *p)
{
	return (uint32_t)net_wire_get16(p) << 16 | net_wire_get16(p + 2);
}

static inline void
net_wire_put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void
net_wire_put32(uint8_t *p, uint32_t v)
{
	net_wire_put16(p, v >> 16);
	net_wire_put16(p + 2, v & 0xffff);
}
