#include "vmd/net_frame.h"

#include <string.h>

#include "vmd/net_wire.h"

/* ---- ARP ---- */

static bool
is_arp(const uint8_t *a, size_t n)
{
	static const uint8_t ethernet_ipv4[] = { 0, 1, 8, 0, 6, 4 };

	return n >= NET_ARP_BYTES && memcmp(a, ethernet_ipv4, sizeof(ethernet_ipv4)) == 0;
}

/* The node's own address may be asked for: it can be the router of a bridge. */
static enum net_verdict
judge_arp_out(const struct net_port *p, const uint8_t *a, size_t n)
{
	uint32_t sender;

	if (!is_arp(a, n) || memcmp(a + NET_ARP_SENDER_MAC, p->mac, NET_MAC_BYTES) != 0)
		return NET_DROP;
	sender = net_wire_get32(a + NET_ARP_SENDER);
	if (sender != p->address && sender != 0)	/* 0: is anybody there already? */
		return NET_DROP;
	return net_port_is_never(net_wire_get32(a + NET_ARP_TARGET)) ? NET_DROP : NET_PASS;
}

/* ---- IPv4 ---- */

/* Without options: a source route could lead past what is checked here. */
static bool
is_ipv4(const uint8_t *ip, size_t n)
{
	size_t len;

	if (n < NET_IP_BYTES || ip[0] != 0x45)
		return false;
	len = net_wire_get16(ip + NET_IP_LENGTH);
	return len >= NET_IP_BYTES && len <= n;
}

/* Whole, or the first part. */
static bool
is_udp_between(const uint8_t *ip, size_t n, unsigned from, unsigned to)
{
	const uint8_t *udp = ip + NET_IP_BYTES;

	if (ip[NET_IP_PROTOCOL] != NET_UDP || n < NET_IP_BYTES + NET_UDP_BYTES ||
	    (net_wire_get16(ip + NET_IP_FRAGMENT) & 0x1fff) != 0)
		return false;
	return (!from || net_wire_get16(udp) == from) && (!to || net_wire_get16(udp + 2) == to);
}

bool
net_frame_is_own(const struct net_own *own, uint32_t address)
{
	for (uint32_t i = 0; i < own->n; i++)
		if (own->address[i] == address)
			return true;
	return own->is_unknown;
}

static enum net_verdict
judge_ipv4_out(const struct net_port *p, const struct net_own *own, const uint8_t *ip, size_t n)
{
	uint32_t from, to;

	if (!is_ipv4(ip, n))
		return NET_DROP;
	from = net_wire_get32(ip + NET_IP_FROM);
	to = net_wire_get32(ip + NET_IP_TO);
	if (is_udp_between(ip, n, 0, NET_DHCP_SERVER))
		return from == 0 || from == p->address ? NET_ASK_DHCP : NET_DROP;
	if (from != p->address || net_port_is_denied(p, to) || net_frame_is_own(own, to))
		return NET_DROP;
	return NET_PASS;
}

/* ---- Frames ---- */

enum net_verdict
net_frame_out(const struct net_port *p, const struct net_own *own, const uint8_t *frame, size_t n)
{
	const uint8_t *body = frame + NET_FRAME_MIN;

	if (n < NET_FRAME_MIN || n > NET_FRAME_MAX ||
	    memcmp(frame + NET_MAC_BYTES, p->mac, NET_MAC_BYTES) != 0)
		return NET_DROP;
	switch (net_wire_get16(frame + NET_ETHER_TYPE)) {
	case NET_TYPE_ARP:
		return judge_arp_out(p, body, n - NET_FRAME_MIN);
	case NET_TYPE_IPV4:
		return judge_ipv4_out(p, own, body, n - NET_FRAME_MIN);
	default:
		return NET_DROP;
	}
}

bool
net_frame_in(const struct net_port *p, const uint8_t *frame, size_t n)
{
	const uint8_t *body = frame + NET_FRAME_MIN;

	if (n < NET_FRAME_MIN || n > NET_FRAME_MAX ||
	    (!(frame[0] & 1) && memcmp(frame, p->mac, NET_MAC_BYTES) != 0))
		return false;
	n -= NET_FRAME_MIN;
	switch (net_wire_get16(frame + NET_ETHER_TYPE)) {
	case NET_TYPE_ARP:
		return is_arp(body, n);
	case NET_TYPE_IPV4:
		return n >= NET_IP_BYTES && body[0] >> 4 == 4 &&
		    !is_udp_between(body, n, NET_DHCP_SERVER, NET_DHCP_CLIENT);
	default:
		return false;
	}
}
