#include "vmd/net_port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
read_address(const char *text, uint32_t *ret)
{
	struct in_addr a;

	if (inet_pton(AF_INET, text, &a) != 1)
		return -EINVAL;
	*ret = ntohl(a.s_addr);
	return 0;
}

int
net_port_mode(const char *text, struct net_port *ret)
{
	static const char bridge[] = "bridge:";
	const char *name = text + sizeof(bridge) - 1;

	if (strcmp(text, "isolated") == 0) {
		ret->mode = NET_ISOLATED;
	} else if (strcmp(text, "outbound") == 0) {
		ret->mode = NET_OUTBOUND;
	} else if (strncmp(text, bridge, sizeof(bridge) - 1) == 0 && *name &&
	    strlen(name) < sizeof(ret->bridge) && !strpbrk(name, "/ \t:%") &&
	    strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
		ret->mode = NET_BRIDGE;
		(void)snprintf(ret->bridge, sizeof(ret->bridge), "%s", name);
	} else {
		return -EINVAL;
	}
	return 0;
}

int
net_port_mac(const char *text, struct net_port *ret)
{
	unsigned b[NET_MAC_BYTES];
	int end = 0;

	if (strlen(text) != 17 || sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%n", &b[0], &b[1], &b[2],
	    &b[3], &b[4], &b[5], &end) != NET_MAC_BYTES || end != 17 || (b[0] & 1))
		return -EINVAL;
	for (size_t i = 0; i < NET_MAC_BYTES; i++)
		ret->mac[i] = (uint8_t)b[i];
	return 0;
}

int
net_port_address(const char *text, struct net_port *ret)
{
	const char *slash = strchr(text, '/');
	char host[INET_ADDRSTRLEN];
	uint32_t address, mask;
	struct cidr net;

	if (!slash || (size_t)(slash - text) >= sizeof(host) || cidr_read(text, &net) < 0 ||
	    net.bits < 8 || net.bits > 28)
		return -EINVAL;
	(void)snprintf(host, sizeof(host), "%.*s", (int)(slash - text), text);
	if (read_address(host, &address) < 0)
		return -EINVAL;
	mask = ~(uint32_t)0 << (32 - net.bits);
	if ((address & ~mask) < 4 || (address & ~mask) == ~mask)
		return -EINVAL;
	ret->address = address;
	ret->bits = net.bits;
	return 0;
}

int
net_port_deny(const char *text, struct net_port *ret)
{
	struct cidr c = { .bits = 32 };

	if (strchr(text, '/') ? cidr_read(text, &c) < 0 : read_address(text, &c.base) < 0)
		return -EINVAL;
	if (ret->ndeny == NET_DENY_MAX)
		return -E2BIG;
	ret->deny[ret->ndeny++] = c;
	return 0;
}

int
net_port_dns(const char *text, struct net_port *ret)
{
	return read_address(text, &ret->dns);
}

int
net_port_forward(const char *text, struct net_port *ret)
{
	unsigned from, to;
	int end = 0;

	if (sscanf(text, "%5u:%5u%n", &from, &to, &end) != 2 || text[end] || from < 1 ||
	    from > UINT16_MAX || to < 1 || to > UINT16_MAX)
		return -EINVAL;
	ret->forward_from = (uint16_t)from;
	ret->forward_to = (uint16_t)to;
	return 0;
}

bool
net_port_is_never(uint32_t address)
{
	static const struct cidr never[] = {
		{ 0x00000000, 8 },	/* "this host": Linux takes 0.0.0.0 for loopback */
		{ 0x7f000000, 8 },
		{ 0xa9fe0000, 16 },
		{ 0xe0000000, 3 },	/* groups, the rest, and everybody */
	};
	const struct cidr one = { address, 32 };

	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		if (cidr_has(&never[i], &one))
			return true;
	return false;
}

bool
net_port_is_denied(const struct net_port *p, uint32_t address)
{
	const struct cidr one = { address, 32 };

	for (uint32_t i = 0; i < p->ndeny; i++)
		if (cidr_has(&p->deny[i], &one))
			return true;
	return net_port_is_never(address);
}
