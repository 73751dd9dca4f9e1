#include "vmd/net_around.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "common/buf.h"
#include "common/file.h"

#define RESOLV_CONF_MAX	(64 * 1024)

const char *
net_around_host(const char *urls, char ret[static NET_AROUND_HOST_MAX])
{
	const size_t len = strcspn(urls, ",");
	size_t at = strspn(urls, " "), n;

	for (size_t i = at; i < len; i++)	/* after the scheme, and after who it is */
		if (urls[i] == '@' || strncmp(urls + i, "://", 3) == 0) {
			at = i + (urls[i] == '@' ? 1 : 3);
			i = at - 1;
		}
	if (urls[at] == '[')
		n = strcspn(urls + ++at, "],");
	else
		n = strcspn(urls + at, ":/, ");
	if (n == 0 || n >= NET_AROUND_HOST_MAX)
		return NULL;
	memcpy(ret, urls + at, n);
	ret[n] = '\0';
	return urls + len + (urls[len] == ',');
}

uint32_t
net_around_resolver(const char *text, const struct net_port *p)
{
	static const char word[] = "nameserver";

	for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
		char address[INET_ADDRSTRLEN] = "";
		struct in_addr in;

		if (strncmp(line, word, sizeof(word) - 1) == 0 &&
		    sscanf(line + sizeof(word) - 1, " %15[0-9.]", address) == 1 &&
		    inet_pton(AF_INET, address, &in) == 1 &&
		    !net_port_is_denied(p, ntohl(in.s_addr)))
			return ntohl(in.s_addr);
	}
	return 0;
}

static uint32_t
find_resolver(const struct net_port *p)
{
	/* The second where the first names a resolver of the node's loopback. */
	static const char *const paths[] = { "/etc/resolv.conf",
		"/run/systemd/resolve/resolv.conf" };
	uint32_t found = 0;

	for (size_t i = 0; i < ARRAY_LEN(paths) && !found; i++) {
		AUTO(buf) struct buf text = BUF_EMPTY(RESOLV_CONF_MAX);

		if (file_read(paths[i], &text) == 0)
			found = net_around_resolver(buf_text(&text), p);
	}
	return found;
}

static int
deny_all(const struct addrinfo *found, struct net_port *p)
{
	int r = 0;

	for (; found && r == 0; found = found->ai_next) {
		char text[INET_ADDRSTRLEN];
		struct sockaddr_in in;

		memcpy(&in, found->ai_addr, sizeof(in));
		if (!net_port_is_denied(p, ntohl(in.sin_addr.s_addr)) &&
		    inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text)))
			r = net_port_deny(text, p);
	}
	return r;
}

/* One that has no IPv4 address is out of reach anyhow. */
static int
deny_host(const char *host, struct net_port *p)
{
	const struct addrinfo want = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	int e = strchr(host, ':') ? EAI_NODATA : getaddrinfo(host, NULL, &want, &found);
	int r;

	if (e == EAI_NODATA || e == EAI_ADDRFAMILY)
		return 0;
	if (e != 0)
		return e == EAI_MEMORY ? -ENOMEM : -EAGAIN;
	r = deny_all(found, p);
	freeaddrinfo(found);
	return r;
}

int
net_around_find(const char *nats_urls, struct net_port *p, char why[static NET_AROUND_WHY_MAX])
{
	char host[NET_AROUND_HOST_MAX];
	int r = 0;

	while (r == 0 && *nats_urls) {
		nats_urls = net_around_host(nats_urls, host);
		if (!nats_urls) {
			(void)snprintf(why, NET_AROUND_WHY_MAX, "[nats] url: a host is missing");
			return -EINVAL;
		}
		r = deny_host(host, p);
	}
	if (r < 0)
		(void)snprintf(why, NET_AROUND_WHY_MAX, "NATS server %.64s, which guests are kept "
		    "from: %s", host, r == -EAGAIN ? "its name has no address now" :
		    r == -E2BIG ? "too many addresses" : strerror(-r));
	else if (!p->dns)
		p->dns = find_resolver(p);
	return r;
}
