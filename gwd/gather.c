#include "gwd/gather.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/subjects.h"

struct gather_node {
	char	name[65];
	bool	answered;
	bool	was_silent;
};

struct gather {
	struct gather_spec	 spec;
	struct gather_node	*nodes;		/* as they were known at the start */
	size_t			 n;
	size_t			 open;		/* without an answer yet */
	size_t			 open_lively;	/* of these, those that answered last time */
	uint64_t		 ask;
	struct loop_timer	*grace;		/* only made when it is needed */
	bool			 enough;
};

static void
gather_free(struct gather *g)
{
	loop_timer_free(g->grace);
	free(g->nodes);
	free(g);
}

static void
gather_finish(struct gather *g)
{
	const char **missing = calloc(g->n + 1, sizeof(*missing));
	struct gather_result r = { .enough = g->enough };

	/* Without memory the names are lost; that some are missing is not. */
	for (size_t i = 0; i < g->n && !g->enough; i++) {
		if (g->nodes[i].answered)
			continue;
		nodes_missed(g->spec.nodes, g->nodes[i].name);
		if (missing)
			missing[r.nmissing] = g->nodes[i].name;
		r.nmissing++;
	}
	r.missing = missing;
	g->spec.end(g->spec.arg, &r);
	free(missing);
	gather_free(g);
}

static void
gather_end(void *arg, enum bus_result res)
{
	gather_finish(arg);
}

static void
gather_grace_over(void *arg)
{
	struct gather *g = arg;

	bus_ask_cancel(g->spec.bus, g->ask);
	gather_finish(g);
}

/* Only nodes that were silent before are missing: give them a moment. */
static void
gather_begin_grace(struct gather *g)
{
	if (g->grace || g->open == 0 || g->open_lively > 0)
		return;
	if (loop_timer_new(bus_loop(g->spec.bus), gather_grace_over, g, &g->grace) == 0)
		loop_timer_in(g->grace, GATHER_GRACE_MS);
	else
		g->grace = NULL;	/* the gather's own deadline ends it */
}

static void
gather_mark(struct gather *g, const char *node)
{
	for (size_t i = 0; i < g->n; i++) {
		if (strcmp(g->nodes[i].name, node) != 0)
			continue;
		g->nodes[i].answered = true;
		g->open--;
		g->open_lively -= !g->nodes[i].was_silent;
	}
	nodes_heard(g->spec.nodes, node);
}

static bool
gather_has(const struct gather *g, const char *node)
{
	for (size_t i = 0; i < g->n; i++) {
		if (strcmp(g->nodes[i].name, node) == 0)
			return g->nodes[i].answered;
	}
	return false;
}

/* An error leaves its node missing: what it has is not known. */
static bool
gather_each(void *arg, const struct bus_msg *m)
{
	struct gather *g = arg;
	const char *node = bus_msg_header(m, HEADER_NODE);
	struct bus_error error;
	cJSON *tree;

	if (!node || gather_has(g, node))
		return false;
	if (bus_msg_json(m, &tree, &error) < 0) {
		log_debug("%s answered %s: %s", node, error.code, error.message);
		return false;
	}
	gather_mark(g, node);
	g->enough = g->spec.each(g->spec.arg, node, tree);
	if (g->enough || g->open == 0)
		return true;
	gather_begin_grace(g);
	return false;
}

static int
gather_know(struct gather *g)
{
	const struct nodes *known = g->spec.nodes;

	g->n = nodes_count(known);
	g->nodes = calloc(g->n + 1, sizeof(g->nodes[0]));
	if (!g->nodes)
		return -1;
	for (size_t i = 0; i < g->n; i++) {
		const char *name = nodes_name(known, i);

		memcpy(g->nodes[i].name, name, strlen(name) + 1);
		g->nodes[i].was_silent = nodes_is_silent(known, i);
		g->open++;
		g->open_lively += !g->nodes[i].was_silent;
	}
	return 0;
}

static uint64_t
gather_ask(struct gather *g, const char *text)
{
	struct bus_header h[2];
	struct bus_ask ask = { .subject = g->spec.subject, .headers = h, .data = text,
	    .len = strlen(text), .timeout_ms = GATHER_MS };

	if (g->spec.account)
		h[ask.nheaders++] = (struct bus_header){ HEADER_ACCOUNT, g->spec.account };
	if (g->spec.request_id)
		h[ask.nheaders++] = (struct bus_header){ HEADER_REQUEST_ID, g->spec.request_id };
	return bus_gather(g->spec.bus, &ask, gather_each, gather_end, g);
}

struct gather *
gather_start(const struct gather_spec *spec)
{
	AUTO(str) char *text = spec->in ? json_print(spec->in) : strdup("{}");
	struct gather *g;

	if (!text || !nodes_are_known(spec->nodes))
		return NULL;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->spec = *spec;
	if (gather_know(g) == 0)
		g->ask = gather_ask(g, text);
	if (g->ask == 0) {
		gather_free(g);
		return NULL;
	}
	gather_begin_grace(g);
	return g;
}
