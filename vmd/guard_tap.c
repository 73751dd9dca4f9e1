#include "vmd/guard_tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vmd/guard_io.h"

static int
make_tap(struct ifreq *ret)
{
	static const char names[] = "spx%d";	/* the kernel counts */
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	*ret = (struct ifreq){ .ifr_flags = IFF_TAP | IFF_NO_PI };
	memcpy(ret->ifr_name, names, sizeof(names));
	if (fd >= 0 && ioctl(fd, TUNSETIFF, ret) < 0) {
		const int e = errno;

		close(fd);
		fd = -1;
		errno = e;
	}
	return fd;
}

/* A bridge takes the lowest MAC and MTU of its ports: neither is to change for this one. */
static bool
be_no_lower(int s, const struct ifreq *tap, const struct ifreq *bridge, const struct net_port *p)
{
	struct ifreq r = *tap, mtu = *bridge;

	r.ifr_hwaddr.sa_family = ARPHRD_ETHER;
	memcpy(r.ifr_hwaddr.sa_data, p->mac, NET_MAC_BYTES);
	r.ifr_hwaddr.sa_data[0] = (char)0xfe;
	if (ioctl(s, SIOCSIFHWADDR, &r) < 0 || ioctl(s, SIOCGIFMTU, &mtu) < 0)
		return false;
	r = *tap;
	r.ifr_mtu = mtu.ifr_mtu;
	return ioctl(s, SIOCSIFMTU, &r) == 0;
}

/* It is up only as the bridge's port: before, its frames would be the node's own. */
static bool
join(int s, const struct ifreq *tap, const struct ifreq *bridge)
{
	struct ifreq index = *tap, up = *tap, add = *bridge;

	if (ioctl(s, SIOCGIFINDEX, &index) < 0)
		return false;
	add.ifr_ifindex = index.ifr_ifindex;
	if (ioctl(s, SIOCBRADDIF, &add) < 0)
		return false;
	up.ifr_flags = IFF_UP;
	return ioctl(s, SIOCSIFFLAGS, &up) == 0;
}

int
guard_tap_open(const struct net_port *p)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), fd;
	struct ifreq tap, bridge = { 0 };

	fd = s < 0 ? -1 : make_tap(&tap);
	if (fd < 0) {
		guard_io_say("a tap cannot be made: %s", strerror(errno));
	} else {
		(void)snprintf(bridge.ifr_name, sizeof(bridge.ifr_name), "%s", p->bridge);
		if (!be_no_lower(s, &tap, &bridge, p) || !join(s, &tap, &bridge)) {
			guard_io_say("bridge %s: %s", p->bridge, errno == ENODEV ?
			    "there is none" : errno == EOPNOTSUPP ? "it is no bridge" :
			    strerror(errno));
			close(fd);
			fd = -1;
		}
	}
	if (s >= 0)
		close(s);
	return fd;
}
