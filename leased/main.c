/* main.c - leased's table of contents. */
#include "leased/leased.h"

#include <stdio.h>

static int
check(const void *conf, char *why, size_t size)
{
	const struct conf_common *c = conf;

	if (hold_ttl_is_allowed(c->node_ttl_ms, c->cluster_size))
		return 0;
	(void)snprintf(why, size, "node_ttl: expected %ds to %dh with %u servers, so that a "
	    "holder outlives a new stream leader",
	    (c->cluster_size > 1 ? HOLD_TTL_MIN_MANY_MS : HOLD_TTL_MIN_MS) / 1000,
	    HOLD_TTL_MAX_MS / 3600000, c->cluster_size);
	return -1;
}

static const struct daemon_step steps[] = {
	{ "tell which node this is",	leased_name,		NULL },
	{ "open the buckets",		leased_open_buckets,	NULL },
	{ "make the table of leases",	leased_make_table,	leased_free_table },
	{ "watch the bucket",		leased_watch,		leased_unwatch },
	{ "serve subjects",		leased_serve,		leased_unserve },
	{ "begin",			leased_begin,		leased_end },
};

/* [leased] has no key of its own yet: what it needs is [cluster] and [node]. */
static const struct conf_table no_keys = { NULL, 0 };

int
main(int argc, char **argv)
{
	static const struct daemon_spec spec = {
		.name = "leased",
		.size = sizeof(struct leased),
		.conf_size = sizeof(struct leased_conf),
		.conf = &no_keys,
		.steps = steps,
		.nsteps = ARRAY_LEN(steps),
		.threads = 1,		/* a reseed */
		.stop = leased_stop,
		.check = check,
	};

	return daemon_main(argc, argv, &spec);
}
