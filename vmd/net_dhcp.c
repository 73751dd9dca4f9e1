#include "vmd/net_dhcp.h"

#include <stdio.h>
#include <string.h>

#include "vmd/net_frame.h"
#include "vmd/net_wire.h"

#define LEASE_S		3600u
#define BOOTP		(NET_FRAME_MIN + NET_IP_BYTES + NET_UDP_BYTES)	/* in a frame */
#define BOOTP_BYTES	240	/* with the cookie; options follow */
#define MESSAGE_MIN	300	/* bytes of BOOTP that every client takes */
#define CLIENT_IP	12
#define YOUR_IP		16
#define CLIENT_MAC	28
#define COOKIE		236
#define IS_BROADCAST	0x8000u

enum option { PAD = 0, MASK = 1, ROUTER = 3, DNS = 6, HOST_NAME = 12, WANTED_IP = 50,
    LEASE_TIME = 51, MESSAGE_TYPE = 53, SERVER = 54, END = 255 };
enum message { DISCOVER = 1, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM };

const uint8_t net_dhcp_router_mac[NET_MAC_BYTES] = { 0x02, 'S', 'P', 'X', 0, 1 };
static const uint8_t cookie[] = { 99, 130, 83, 99 };

struct question {
	unsigned	 type;
	uint32_t	 wanted;	/* 0: does not say */
	uint32_t	 server;	/* 0: any */
};

static void
read_option(struct question *q, unsigned code, const uint8_t *value, size_t len)
{
	if (code == MESSAGE_TYPE && len == 1)
		q->type = value[0];
	else if (code == WANTED_IP && len == 4)
		q->wanted = net_wire_get32(value);
	else if (code == SERVER && len == 4)
		q->server = net_wire_get32(value);
}

/* false: not a question of this guest's. */
static bool
read_question(const struct net_port *p, const uint8_t *frame, size_t n, struct question *ret)
{
	const uint8_t *b = frame + BOOTP, *at, *end = frame + n;

	if (n < BOOTP + BOOTP_BYTES || b[0] != 1 || b[1] != 1 || b[2] != NET_MAC_BYTES ||
	    memcmp(b + CLIENT_MAC, p->mac, NET_MAC_BYTES) != 0 ||
	    memcmp(b + COOKIE, cookie, sizeof(cookie)) != 0)
		return false;
	*ret = (struct question){ .wanted = net_wire_get32(b + CLIENT_IP) };
	for (at = b + BOOTP_BYTES; at < end && *at != END; ) {
		if (*at == PAD) {
			at++;
			continue;
		}
		if (end - at < 2 || end - at < 2 + at[1])
			return false;
		read_option(ret, at[0], at + 2, at[1]);
		at += 2 + at[1];
	}
	return true;
}

/* What is said; 0: nothing. */
static unsigned
decide(const struct net_port *p, const struct question *q)
{
	if (q->type == DISCOVER)
		return OFFER;
	if (q->type == INFORM)
		return ACK;
	if (q->type != REQUEST || (q->server && q->server != net_port_router(p)))
		return 0;
	return q->wanted == p->address ? ACK : NAK;
}

/* ---- The answer ---- */

static uint8_t *
add(uint8_t *at, enum option code, const void *value, size_t len)
{
	at[0] = (uint8_t)code;
	at[1] = (uint8_t)len;
	memcpy(at + 2, value, len);
	return at + 2 + len;
}

static uint8_t *
add32(uint8_t *at, enum option code, uint32_t value)
{
	uint8_t bytes[4];

	net_wire_put32(bytes, value);
	return add(at, code, bytes, sizeof(bytes));
}

static uint8_t *
add_options(const struct net_port *p, uint8_t *at, unsigned type, bool has_lease)
{
	char name[24];
	int n;

	at = add(at, MESSAGE_TYPE, &(uint8_t){ (uint8_t)type }, 1);
	at = add32(at, SERVER, net_port_router(p));
	if (type != NAK) {
		if (has_lease)
			at = add32(at, LEASE_TIME, LEASE_S);
		at = add32(at, MASK, net_port_mask(p));
		at = add32(at, ROUTER, net_port_router(p));
		if (p->dns)
			at = add32(at, DNS, p->dns);
		n = snprintf(name, sizeof(name), "ip-%u-%u-%u-%u", p->address >> 24,
		    p->address >> 16 & 255, p->address >> 8 & 255, p->address & 255);
		at = add(at, HOST_NAME, name, (size_t)n);
	}
	*at++ = END;
	return at;
}

static unsigned
checksum(const uint8_t *p, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i + 1 < n; i += 2)
		sum += net_wire_get16(p + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

static void
put_headers(const struct net_port *p, uint8_t *frame, size_t n, bool to_all)
{
	uint8_t *ip = frame + NET_FRAME_MIN, *udp = ip + NET_IP_BYTES;

	memcpy(frame, p->mac, NET_MAC_BYTES);
	memcpy(frame + NET_MAC_BYTES, net_dhcp_router_mac, NET_MAC_BYTES);
	net_wire_put16(frame + NET_ETHER_TYPE, NET_TYPE_IPV4);
	ip[0] = 0x45;
	net_wire_put16(ip + NET_IP_LENGTH, (unsigned)(n - NET_FRAME_MIN));
	ip[8] = 64;			/* hops */
	ip[NET_IP_PROTOCOL] = NET_UDP;
	net_wire_put32(ip + NET_IP_FROM, net_port_router(p));
	net_wire_put32(ip + NET_IP_TO, to_all ? UINT32_MAX : p->address);
	net_wire_put16(ip + 10, checksum(ip, NET_IP_BYTES));
	net_wire_put16(udp, NET_DHCP_SERVER);
	net_wire_put16(udp + 2, NET_DHCP_CLIENT);
	net_wire_put16(udp + 4, (unsigned)(n - NET_FRAME_MIN - NET_IP_BYTES));
}

size_t
net_dhcp_answer(const struct net_port *p, const uint8_t *frame, size_t n,
    uint8_t ret[static NET_DHCP_MAX])
{
	const uint8_t *asked = frame + BOOTP;
	uint8_t *b = ret + BOOTP;
	struct question q;
	unsigned type;
	size_t len;

	if (!read_question(p, frame, n, &q) || !(type = decide(p, &q)))
		return 0;
	memset(ret, 0, NET_DHCP_MAX);
	memcpy(b, asked, 12);			/* kind of network, transaction, flags */
	b[0] = 2;
	b[3] = 0;
	if (type == ACK)
		memcpy(b + CLIENT_IP, asked + CLIENT_IP, 4);
	if (type != NAK && q.type != INFORM)
		net_wire_put32(b + YOUR_IP, p->address);
	memcpy(b + CLIENT_MAC, p->mac, NET_MAC_BYTES);
	memcpy(b + COOKIE, cookie, sizeof(cookie));
	len = (size_t)(add_options(p, b + BOOTP_BYTES, type, q.type != INFORM) - b);
	len = BOOTP + (len < MESSAGE_MIN ? MESSAGE_MIN : len);
	put_headers(p, ret, len, type == NAK || net_wire_get16(b + 10) & IS_BROADCAST);
	return len;
}

void
net_dhcp_arp(const struct net_port *p, uint8_t ret[static NET_DHCP_ARP])
{
	static const uint8_t question[] = { 0, 1, 8, 0, 6, 4, 0, 1 };
	uint8_t *a = ret + NET_FRAME_MIN;

	memset(ret, 0xff, NET_MAC_BYTES);
	memcpy(ret + NET_MAC_BYTES, p->mac, NET_MAC_BYTES);
	net_wire_put16(ret + NET_ETHER_TYPE, NET_TYPE_ARP);
	memcpy(a, question, sizeof(question));
	memcpy(a + NET_ARP_SENDER_MAC, p->mac, NET_MAC_BYTES);
	net_wire_put32(a + NET_ARP_SENDER, p->address);
	memset(a + 18, 0, NET_MAC_BYTES);
	net_wire_put32(a + NET_ARP_TARGET, net_port_router(p));
}
