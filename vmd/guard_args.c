#include "vmd/guard_args.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
is_launch_id(const char *s)
{
	size_t n = strlen(s);

	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
			return false;
	return n >= 1 && n <= GUARD_ID_MAX;
}

static bool
is_path(const char *s)
{
	return s && s[0] == '/' && strlen(s) < GUARD_PATH_MAX - 64;
}

/* A user or group id, not root's. */
static bool
parse_id(const char *s, uint32_t *ret)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)s[0]))
		return false;
	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || *end || v == 0 || v >= UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool
parse_net(struct guard *g, int option, const char *text)
{
	static const struct {
		int	 option;
		int	(*parse)(const char *text, struct net_port *ret);
	} own[] = {
		{ 'a', net_port_address }, { 'f', net_port_forward }, { 'm', net_port_mac },
		{ 'n', net_port_mode }, { 'r', net_port_dns }, { 'x', net_port_deny },
	};

	if (option == 'p')
		return is_path(g->passt = text);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (own[i].option == option)
			return own[i].parse(text, &g->net) == 0;
	return false;
}

static bool
has_mac(const struct net_port *p)
{
	static const uint8_t none[NET_MAC_BYTES];

	return memcmp(p->mac, none, sizeof(none)) != 0;
}

/* Is all there that its kind of network needs? */
static bool
is_net(const struct guard *g)
{
	return g->net.mode == NET_ISOLATED || (g->net.address && has_mac(&g->net) &&
	    (g->net.mode != NET_OUTBOUND || g->passt));
}

bool
guard_args_parse(struct guard *g, int argc, char **argv)
{
	int c;
	bool ok = true;

	optind = 1;
	while ((c = getopt(argc, argv, "+Si:l:s:u:g:G:d:n:m:a:x:r:f:p:")) != -1) {
		if (c == 'S')
			return g->is_asked = argc == 2 && !g->is_asked;
		else if (c == 'i')
			g->launch_id = optarg;
		else if (c == 'l')
			g->lock_path = optarg;
		else if (c == 's')
			g->status_path = optarg;
		else if (c == 'd')
			g->page_path = optarg;
		else if (c == 'u')
			ok = ok && parse_id(optarg, &g->uid);
		else if (c == 'g')
			ok = ok && parse_id(optarg, &g->gid);
		else if (c == 'G')
			ok = ok && parse_id(optarg, &g->extra_gid);
		else
			ok = ok && parse_net(g, c, optarg);
	}
	g->argv = argv + optind;
	return ok && is_net(g) && g->uid && g->gid && g->launch_id && is_launch_id(g->launch_id) &&
	    is_path(g->lock_path) && is_path(g->status_path) && is_path(g->argv[0]) &&
	    (!g->page_path || is_path(g->page_path));
}
