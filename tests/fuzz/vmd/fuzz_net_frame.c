/*
 * Frames from a guest and to it, of any bytes: what passes has the guest's own source and a
 * target that is not forbidden, and an answer of DHCP is within its bound.
 */
#include <stdlib.h>
#include <string.h>

#include "vmd/net_dhcp.h"
#include "vmd/net_frame.h"
#include "vmd/net_wire.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool ok)
{
	if (!ok)
		abort();
}

static const struct net_port port = { .mac = { 2, 0, 0xac, 0x1f, 0, 10 }, .address = 0xac1f000a,
	.bits = 20, .deny = { { 0x0a000000, 8 } }, .ndeny = 1 };
static const struct net_own own = { .address = { 0xc6336401 }, .n = 1 };

static void
must_be_fit(const uint8_t *frame)
{
	const uint8_t *ip = frame + NET_FRAME_MIN;
	uint32_t to;

	must(memcmp(frame + 6, port.mac, 6) == 0);
	if (net_wire_get16(frame + NET_ETHER_TYPE) == NET_TYPE_ARP)
		return;
	to = net_wire_get32(ip + NET_IP_TO);
	must(net_wire_get32(ip + NET_IP_FROM) == port.address);
	must(to >> 24 != 0 && to >> 24 != 127 && to >> 24 != 10 && to >> 16 != 0xa9fe &&
	    to < 0xe0000000 && to != 0xc6336401);
}

static void
judge(const uint8_t *frame, size_t n)
{
	uint8_t answer[NET_DHCP_MAX];

	(void)net_frame_in(&port, frame, n);
	switch (net_frame_out(&port, &own, frame, n)) {
	case NET_DROP:
		break;
	case NET_PASS:
		must_be_fit(frame);
		break;
	case NET_ASK_DHCP:
		must(net_dhcp_answer(&port, frame, n, answer) <= sizeof(answer));
		break;
	}
}

/* As it is, and again as if the guest had sent it: nearly all is dropped otherwise. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);	/* of its own, so that a read past it shows */

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	judge(copy, size);
	if (size >= NET_FRAME_MIN) {
		memcpy(copy + 6, port.mac, 6);
		judge(copy, size);
	}
	free(copy);
	return 0;
}
