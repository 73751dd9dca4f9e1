#include "vmd/net_own.h"

#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int
net_own_open(void)
{
	const struct sockaddr_nl sa = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_IFADDR };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&sa, sizeof(sa)) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* An overrun (ENOBUFS) is a change too; the next call takes what is left. */
void
net_own_drain(int fd)
{
	char bytes[4096];

	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		continue;
}

void
net_own_read(struct net_own *ret)
{
	struct ifaddrs *all;

	*ret = (struct net_own){ .is_unknown = true };
	if (getifaddrs(&all) < 0)
		return;
	ret->is_unknown = false;
	for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
		struct sockaddr_in in;

		if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET)
			continue;
		if (ret->n == NET_OWN_MAX) {
			ret->is_unknown = true;
			break;
		}
		memcpy(&in, i->ifa_addr, sizeof(in));
		ret->address[ret->n++] = ntohl(in.sin_addr.s_addr);
	}
	freeifaddrs(all);
}
