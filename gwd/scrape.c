/*
 * scrape.c - /metrics: what this gateway counts, how NATS is, and what every daemon of the
 * cluster says of itself on $SRV.STATS.
 */
#include <errno.h>
#include <stdlib.h>

#include "gwd/gwd.h"
#include "gwd/metrics.h"
#include "gwd/monitor.h"
#include "gwd/prom.h"
#include "gwd/srv_stats.h"

#define STATS_SUBJECT	"$SRV.STATS"
#define STATS_MS	1000	/* for all daemons; a scrape may take 10 s by default */
#define DAEMONS		5	/* of a node */
#define ANSWERS_MAX	(DAEMONS * NODES_MAX)
#define PAGE_MAX	(16u * 1024 * 1024)

struct scrape {
	struct gwd	*g;
	struct monitor	*monitor;
	uint64_t	 asked;		/* id of the gather; 0: none */
	cJSON		*answers[ANSWERS_MAX];
	size_t		 n;
};

static void
print_gauge(struct buf *out, const char *name, const char *help, double value)
{
	prom_family(out, name, "gauge", help);
	prom_sample(out, name, "", NULL, value);
}

static void
print_own(const struct gwd *g, struct buf *out)
{
	metrics_print(pipeline_metrics(g->pipeline), out);
	print_gauge(out, "spinifex_gwd_connections", "Of clients, open now.",
	    (double)http_connections(g->http));
	print_gauge(out, "spinifex_gwd_nats_up", "1: connected to NATS.", bus_is_up(g->d.bus));
	print_gauge(out, "spinifex_gwd_store_ok", "1: every bucket is open and none has an alarm.",
	    kv_trouble(g->d.kv) == NULL);
	print_gauge(out, "spinifex_gwd_nodes", "Nodes of the cluster, as this gateway knows.",
	    (double)nodes_count(g->cloud->nodes));
}

static void
on_end(void *arg, enum bus_result res)
{
	struct scrape *s = arg;
	struct buf body = BUF_EMPTY(PAGE_MAX);

	s->asked = 0;
	print_own(s->g, &body);
	srv_stats_print(s->answers, s->n, &body);
	for (size_t i = 0; i < s->n; i++)
		cJSON_Delete(s->answers[i]);
	s->n = 0;
	monitor_answer(s->monitor, MONITOR_METRICS, 200, PROM_TYPE, &body);
}

/* Done once every daemon of every node has answered: a silent one costs STATS_MS. */
static bool
on_each(void *arg, const struct bus_msg *m)
{
	struct scrape *s = arg;
	const size_t nodes = nodes_count(s->g->cloud->nodes);
	struct bus_error why;
	cJSON *answer = NULL;

	if (bus_msg_json(m, &answer, &why) == 0)
		s->answers[s->n++] = answer;
	return s->n == ANSWERS_MAX || (nodes && s->n >= nodes * DAEMONS);
}

void
scrape_begin(struct scrape *s)
{
	const struct bus_ask ask = { .subject = STATS_SUBJECT, .data = "", .len = 0,
	    .timeout_ms = STATS_MS };

	s->asked = bus_gather(s->g->d.bus, &ask, on_each, on_end, s);
	if (!s->asked)
		on_end(s, BUS_NOT_SENT);
}

int
scrape_new(struct gwd *g, struct monitor *m, struct scrape **ret)
{
	struct scrape *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->g = g;
	s->monitor = m;
	*ret = s;
	return 0;
}

void
scrape_free(struct scrape *s)
{
	if (!s)
		return;
	bus_ask_cancel(s->g->d.bus, s->asked);
	for (size_t i = 0; i < s->n; i++)
		cJSON_Delete(s->answers[i]);
	free(s);
}
