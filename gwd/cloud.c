#include "gwd/cloud.h"

#include <errno.h>
#include <stdlib.h>

#include "common/log.h"
#include "common/subjects.h"
#include "gwd/gwd.h"

#define DAY_MS	(24 * 60 * 60 * 1000ull)

static const struct bucket_spec cloud_instances = {
	BUCKET_INSTANCES, "instance records", 0, BUCKET_KEPT, false };
static const struct bucket_spec cloud_images = {
	BUCKET_IMAGES, "images", 0, BUCKET_KEPT, false };
static const struct bucket_spec cloud_addresses = {
	BUCKET_ADDRESSES, "private addresses", 0, BUCKET_KEPT, false };
static const struct bucket_spec cloud_key_pairs = {
	BUCKET_KEY_PAIRS, "key pairs", 0, BUCKET_KEPT, false };
static const struct bucket_spec cloud_nodes = {
	BUCKET_NODES, "the nodes of the cluster", 0, BUCKET_KEPT, false };
static const struct bucket_spec cloud_tokens = {
	BUCKET_CLIENT_TOKENS, "client tokens", DAY_MS, BUCKET_REMADE, false };

static int
cloud_open_buckets(struct gwd *g, struct cloud *c, struct bucket **ret_nodes)
{
	const struct { const struct bucket_spec *spec; struct bucket **at; } rows[] = {
		{ &cloud_instances,	&c->instances },
		{ &cloud_images,	&c->images },
		{ &cloud_addresses,	&c->addresses },
		{ &cloud_key_pairs,	&c->key_pairs },
		{ &cloud_tokens,	&c->tokens },
		{ &cloud_nodes,		ret_nodes },
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
