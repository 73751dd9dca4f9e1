#include "gwd/cloud.h"

#include <errno.h>
#include <stdlib.h>

#include "common/buckets.h"
#include "common/log.h"
#include "common/subjects.h"
#include "gwd/gwd.h"

static int
cloud_open_buckets(struct gwd *g, struct cloud *c, struct bucket **ret_nodes)
{
	const struct { const struct bucket_spec *spec; struct bucket **at; } rows[] = {
		{ &bucket_specs[SPEC_INSTANCES],	&c->instances },
		{ &bucket_specs[SPEC_IMAGES],	&c->images },
		{ &bucket_specs[SPEC_ADDRESSES],	&c->addresses },
		{ &bucket_specs[SPEC_VOLUMES],	&c->volumes },
		{ &bucket_specs[SPEC_KEY_PAIRS],	&c->key_pairs },
		{ &bucket_specs[SPEC_NETWORKS],	&c->networks },
		{ &bucket_specs[SPEC_CLIENT_TOKENS],	&c->tokens },
		{ &bucket_specs[SPEC_NODES],		ret_nodes },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int r = bucket_open(g->d.kv, rows[i].spec, rows[i].at);

		if (r < 0)
			return r;
	}
	return 0;
}

static int
cloud_read_types(struct gwd *g, struct cloud *c)
{
	char why[256];
	int r = types_load(g->conf->types_file, &c->types, why, sizeof(why));

	if (r < 0)
		log_err("%s", why);
	return r;
}

static int
cloud_fill(struct gwd *g, struct cloud *c)
{
	struct bucket *nodes = NULL;
	int r = cloud_read_types(g, c);

	if (r == 0)
		r = cloud_open_buckets(g, c, &nodes);
	if (r == 0)
		r = nodes_new(g->d.loop, nodes, &c->nodes);
	if (r == 0)
		r = gathers_new(g->d.bus, c->nodes, &c->gathers);
	if (r == 0)
		r = snapshot_new(c->instances, &c->snapshot);
	return r;
}

int
cloud_up(struct gwd *g)
{
	int r;

	g->cloud = calloc(1, sizeof(*g->cloud));
	if (!g->cloud)
		return -ENOMEM;
	r = cloud_fill(g, g->cloud);
	if (r < 0)
		cloud_down(g);
	return r;
}

void
cloud_down(struct gwd *g)
{
	if (!g->cloud)
		return;
	snapshot_free(g->cloud->snapshot);
	gathers_free(g->cloud->gathers);
	nodes_free(g->cloud->nodes);
	types_deinit(&g->cloud->types);
	free(g->cloud);
	g->cloud = NULL;
}

const char *
cloud_code(enum cas_result r, const char **ret_message)
{
	switch (r) {
	case CAS_BUCKET_LOST:
	case CAS_REFUSED:
		*ret_message = "The cluster's store does not take this. An operator has to mend it.";
		return "ServiceUnavailable";
	case CAS_UNAVAILABLE:
		*ret_message = "The cluster's store does not answer. Nothing was changed. Try again.";
		return "Unavailable";
	case CAS_UNKNOWN:
		*ret_message = "The cluster's store did not say in time whether the change was made.";
		return "InternalError";
	case CAS_OK:
	case CAS_NOT_FOUND:
	case CAS_LOST:
	case CAS_INVALID:
	case CAS_NOMEM:
	case CAS_RESULTS:
		break;
	}
	*ret_message = "An internal error has occurred.";
	return "InternalError";
}
