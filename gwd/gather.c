#include "gwd/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/log.h"
#include "common/subjects.h"

struct gather_node {
	char	name[65];
	bool	answered;
	bool	was_silent;
};

struct gather_asker {
	struct gather_spec	 spec;		/* its question is the gather's */
	STAILQ_ENTRY(gather_asker) entry;
};
STAILQ_HEAD(gather_askers, gather_asker);

struct gather {
	struct gathers		*all;
	/* The question: who asks the same waits for the same. */
	char			*subject, *account, *text;	/* account NULL: none */
	struct gather_askers	 now;		/* served by what is on its way */
	struct gather_askers	 later;		/* by the next */
	struct gather_node	*nodes;		/* as they were known when it was sent */
	size_t			 n;
	size_t			 open;		/* without an answer yet */
	size_t			 open_lively;	/* of these, those that answered last time */
	uint64_t		 ask;
	struct loop_timer	*grace;		/* only made when it is needed */
	LIST_ENTRY(gather)	 entry;
};

struct gathers {
	struct bus		*bus;
	struct nodes		*nodes;
	LIST_HEAD(, gather)	 running;
};

/* ---- memory ---- */

static void
gather_forget(struct gather_askers *list)
{
	struct gather_asker *a;

	while ((a = STAILQ_FIRST(list))) {
		STAILQ_REMOVE_HEAD(list, entry);
		free(a);
	}
}

static void
gather_free(struct gather *g)
{
	gather_forget(&g->now);
	gather_forget(&g->later);
	loop_timer_free(g->grace);
	free(g->nodes);
	free(g->subject);
	free(g->account);
	free(g->text);
	free(g);
}

/* Takes text. */
static struct gather *
gather_new(struct gathers *all, const struct gather_spec *spec, char **text)
{
	struct gather *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->all = all;
	STAILQ_INIT(&g->now);
	STAILQ_INIT(&g->later);
	g->text = steal_str(text);
	g->subject = strdup(spec->subject);
	g->account = spec->account ? strdup(spec->account) : NULL;
	if (g->subject && (g->account || !spec->account))
		return g;
	gather_free(g);
	return NULL;
}

/* ---- the end ---- */

static void	 gather_next(struct gather *g);

static void
gather_tell(struct gather_askers *list, size_t missing)
{
	struct gather_asker *a;

	while ((a = STAILQ_FIRST(list))) {
		STAILQ_REMOVE_HEAD(list, entry);
		a->spec.end(a->spec.arg, missing);
		free(a);
	}
}

static void
gather_finish(struct gather *g)
{
	size_t missing = 0;

	for (size_t i = 0; i < g->n; i++) {
		if (g->nodes[i].answered)
			continue;
		nodes_missed(g->all->nodes, g->nodes[i].name);
		missing++;
	}
	gather_tell(&g->now, missing);
	gather_next(g);
}

static void
gather_end(void *arg, enum bus_result res)
{
	struct gather *g = arg;

	if (STAILQ_EMPTY(&g->now))	/* all had enough: nobody is missing */
		gather_next(g);
	else
		gather_finish(g);
}

static void
gather_grace_over(void *arg)
{
	struct gather *g = arg;

	bus_ask_cancel(g->all->bus, g->ask);
	gather_finish(g);
}

/* Only nodes that were silent before are missing: give them a moment. */
static void
gather_begin_grace(struct gather *g)
{
	if (g->grace || g->open == 0 || g->open_lively > 0)
		return;
	if (loop_timer_new(bus_loop(g->all->bus), gather_grace_over, g, &g->grace) == 0)
		loop_timer_in(g->grace, GATHER_GRACE_MS);
	else
		g->grace = NULL;	/* the gather's own deadline ends it */
}

/* ---- answers ---- */

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
	nodes_heard(g->all->nodes, node);
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

/* Whoever wants no more is told at once. */
static void
gather_hand_out(struct gather *g, const char *node, struct answer *answer)
{
	struct gather_askers all = STAILQ_HEAD_INITIALIZER(all);
	struct gather_asker *a;

	STAILQ_CONCAT(&all, &g->now);
	while ((a = STAILQ_FIRST(&all))) {
		STAILQ_REMOVE_HEAD(&all, entry);
		if (!a->spec.each(a->spec.arg, node, answer)) {
			STAILQ_INSERT_TAIL(&g->now, a, entry);
			continue;
		}
		a->spec.end(a->spec.arg, 0);
		free(a);
	}
}

/* An error leaves its node missing: what it has is not known. */
static bool
gather_each(void *arg, const struct bus_msg *m)
{
	struct gather *g = arg;
	const char *node = bus_msg_header(m, HEADER_NODE);
	AUTO(answer) struct answer *answer = NULL;
	struct bus_error error;
	cJSON *tree;

	if (!node || gather_has(g, node))
		return false;
	if (bus_msg_json(m, &tree, &error) < 0) {
		log_debug("%s answered %s: %s", node, error.code, error.message);
		return false;
	}
	answer = answer_new(tree);
	if (!answer)
		return false;		/* it stays missing */
	gather_mark(g, node);
	gather_hand_out(g, node, answer);
	if (STAILQ_EMPTY(&g->now) || g->open == 0)
		return true;
	gather_begin_grace(g);
	return false;
}

/* ---- asking ---- */

static bool
gather_know(struct gather *g)
{
	const struct nodes *known = g->all->nodes;

	free(g->nodes);
	g->n = nodes_count(known);
	g->open = g->open_lively = 0;
	g->nodes = calloc(g->n + 1, sizeof(g->nodes[0]));
	for (size_t i = 0; g->nodes && i < g->n; i++) {
		const char *name = nodes_name(known, i);

		memcpy(g->nodes[i].name, name, strlen(name) + 1);
		g->nodes[i].was_silent = nodes_is_silent(known, i);
		g->open++;
		g->open_lively += !g->nodes[i].was_silent;
	}
	return g->nodes != NULL;
}

static bool
gather_send(struct gather *g)
{
	struct bus_header h[2];
	struct bus_ask ask = { .subject = g->subject, .headers = h, .data = g->text,
	    .len = strlen(g->text), .timeout_ms = GATHER_MS };
	const char *request_id = STAILQ_FIRST(&g->now)->spec.request_id;

	if (!nodes_are_known(g->all->nodes) || !gather_know(g))
		return false;
	if (g->account)
		h[ask.nheaders++] = (struct bus_header){ HEADER_ACCOUNT, g->account };
	if (request_id)
		h[ask.nheaders++] = (struct bus_header){ HEADER_REQUEST_ID, request_id };
	g->ask = bus_gather(g->all->bus, &ask, gather_each, gather_end, g);
	if (g->ask == 0)
		return false;
	gather_begin_grace(g);
	return true;
}

/* For those who asked meanwhile; without any it ends. */
static void
gather_next(struct gather *g)
{
	loop_timer_free(g->grace);
	g->grace = NULL;
	STAILQ_CONCAT(&g->now, &g->later);
	if (!STAILQ_EMPTY(&g->now) && gather_send(g))
		return;
	LIST_REMOVE(g, entry);
	gather_tell(&g->now, 1);	/* at least: nobody was asked */
	gather_free(g);
}

static bool
gather_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct gather *
gather_find(struct gathers *all, const struct gather_spec *spec, const char *text)
{
	struct gather *g;

	LIST_FOREACH(g, &all->running, entry)
		if (strcmp(g->subject, spec->subject) == 0 && strcmp(g->text, text) == 0 &&
		    gather_same(g->account, spec->account))
			return g;
	return NULL;
}

bool
gather_start(struct gathers *all, const struct gather_spec *spec)
{
	AUTO(str) char *text = spec->in ? json_print(spec->in) : strdup("{}");
	struct gather_asker *a = malloc(sizeof(*a));
	struct gather *g = text ? gather_find(all, spec, text) : NULL;
	bool first = !g;

	if (text && first)
		g = gather_new(all, spec, &text);
	if (!a || !g) {
		free(a);
		if (g && first)
			gather_free(g);
		return false;
	}
	a->spec = *spec;
	if (!first) {
		STAILQ_INSERT_TAIL(&g->later, a, entry);
		return true;
	}
	STAILQ_INSERT_TAIL(&g->now, a, entry);
	if (!gather_send(g)) {
		gather_free(g);		/* a with it */
		return false;
	}
	LIST_INSERT_HEAD(&all->running, g, entry);
	return true;
}

/* ---- life ---- */

int
gathers_new(struct bus *b, struct nodes *n, struct gathers **ret)
{
	struct gathers *all = calloc(1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	all->bus = b;
	all->nodes = n;
	LIST_INIT(&all->running);
	*ret = all;
	return 0;
}

void
gathers_free(struct gathers *all)
{
	struct gather *g;

	if (!all)
		return;
	while ((g = LIST_FIRST(&all->running))) {
		LIST_REMOVE(g, entry);
		bus_ask_cancel(all->bus, g->ask);
		gather_free(g);
	}
	free(all);
}
