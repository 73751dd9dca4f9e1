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

bool
guard_args_parse(struct guard *g, int argc, char **argv)
{
	int c;
	bool ok = true;

	optind = 1;
	while ((c = getopt(argc, argv, "+Si:l:s:u:g:G:d:")) != -1) {
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
			ok = false;
	}
	g->argv = argv + optind;
	return ok && g->uid && g->gid && g->launch_id && is_launch_id(g->launch_id) &&
	    is_path(g->lock_path) && is_path(g->status_path) && is_path(g->argv[0]) &&
	    (!g->page_path || is_path(g->page_path));
}
