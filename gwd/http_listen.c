#include "gwd/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BACKLOG	1024

union address {
	struct sockaddr		 any;
	struct sockaddr_in	 v4;
	struct sockaddr_in6	 v6;
};

/* The port after the last colon, or -EINVAL. */
static int
read_port(const char *p)
{
	const size_t n = strspn(p, "0123456789");

	if (n == 0 || n > 5 || p[n])
		return -EINVAL;
	const unsigned long port = strtoul(p, NULL, 10);

	return port <= UINT16_MAX ? (int)port : -EINVAL;
}

/* "127.0.0.1:8443" or "[::1]:8443": an address, never a name that must be looked up. */
static int
read_address(const char *text, union address *ret, socklen_t *ret_len)
{
	const char *colon = strrchr(text, ':');
	const int port = colon ? read_port(colon + 1) : -EINVAL;
	char host[INET6_ADDRSTRLEN];
	size_t n;

	if (port < 0)
		return -EINVAL;
	n = (size_t)(colon - text);
	const bool bracketed = n > 2 && text[0] == '[' && colon[-1] == ']';

	n -= bracketed ? 2 : 0;
	if (!n || n >= sizeof(host))
		return -EINVAL;
	memcpy(host, text + bracketed, n);
	host[n] = '\0';
	memset(ret, 0, sizeof(*ret));
	if (bracketed && inet_pton(AF_INET6, host, &ret->v6.sin6_addr) == 1) {
		ret->v6.sin6_family = AF_INET6;
		ret->v6.sin6_port = htons((uint16_t)port);
		*ret_len = sizeof(ret->v6);
		return 0;
	}
	if (bracketed || inet_pton(AF_INET, host, &ret->v4.sin_addr) != 1)
		return -EINVAL;
	ret->v4.sin_family = AF_INET;
	ret->v4.sin_port = htons((uint16_t)port);
	*ret_len = sizeof(ret->v4);
	return 0;
}

int
http_is_loopback(const char *address)
{
	union address a;
	socklen_t len;
	const int r = read_address(address, &a, &len);

	if (r < 0)
		return r;
	if (a.any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr);
	return ntohl(a.v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

bool
http_is_here(const char *address)
{
	union address a;
	socklen_t len;

	if (read_address(address, &a, &len) < 0)
		return false;
	AUTO(fd) int fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (a.any.sa_family == AF_INET6)
		a.v6.sin6_port = 0;
	else
		a.v4.sin_port = 0;
	return fd >= 0 && bind(fd, &a.any, len) == 0;
}

static int
bind_early(int fd, const union address *a, socklen_t len)
{
	const int on = 1;
	const int r = a->any.sa_family == AF_INET6 ?
	    setsockopt(fd, IPPROTO_IPV6, IPV6_FREEBIND, &on, sizeof(on)) :
	    setsockopt(fd, IPPROTO_IP, IP_FREEBIND, &on, sizeof(on));

	return r < 0 ? r : bind(fd, &a->any, len);
}

int
http_listen(const char *address)
{
	union address a;
	socklen_t len;
	const int on = 1;
	const int r = read_address(address, &a, &len);

	if (r < 0)
		return r;
	AUTO(fd) int fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	/* Small answers leave at once: there is nothing that they could be joined with. */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0 ||
	    bind_early(fd, &a, len) < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return steal_fd(&fd);
}
