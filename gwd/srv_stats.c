#include "gwd/srv_stats.h"

#include <stdlib.h>
#include <string.h>

#include "gwd/prom.h"

static const char *
daemon_of(const cJSON *a)
{
	const char *name = json_text(a, "name");

	return name ? name : "";
}

static const char *
node_of(const cJSON *a)
{
	const char *node = json_text(json_member(a, "metadata"), "node");

	return node ? node : "";
}

static int
compare(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;
	const int order = strcmp(daemon_of(*x), daemon_of(*y));

	return order ? order : strcmp(node_of(*x), node_of(*y));
}

/* Those that are answers, each daemon of a node once, to the front; how many.  All stay in the
 * list, whose owner frees them. */
static size_t
settle(cJSON **answers, size_t n)
{
	size_t kept = 0;
	cJSON *passed;

	qsort(answers, n, sizeof(answers[0]), compare);
	for (size_t i = 0; i < n; i++) {
		if (!*daemon_of(answers[i]) || !*node_of(answers[i]))
			continue;
		if (kept && compare(&answers[kept - 1], &answers[i]) == 0)
			continue;
		passed = answers[kept];
		answers[kept++] = answers[i];
		answers[i] = passed;
	}
	return kept;
}

static void
print_data(const cJSON *a, struct buf *out, const char *family)
{
	const cJSON *stat;

	cJSON_ArrayForEach(stat, json_member(a, "data")) {
		const struct prom_label labels[] = { { "daemon", daemon_of(a) },
			{ "node", node_of(a) }, { "stat", stat->string }, { NULL, NULL } };

		if (cJSON_IsNumber(stat) && stat->string)
			prom_sample(out, family, "", labels, stat->valuedouble);
	}
}

static void
print_endpoints(const cJSON *a, struct buf *out, const char *family, const char *member,
    double unit)
{
	const cJSON *e;

	cJSON_ArrayForEach(e, json_member(a, "endpoints")) {
		const cJSON *value = json_member(e, member);
		const char *subject = json_text(e, "subject");
		const struct prom_label labels[] = { { "daemon", daemon_of(a) },
			{ "node", node_of(a) }, { "subject", subject }, { NULL, NULL } };

		if (subject && cJSON_IsNumber(value))
			prom_sample(out, family, "", labels, value->valuedouble * unit);
	}
}

void
srv_stats_print(cJSON **answers, size_t n, struct buf *out)
{
	static const struct { const char *family, *member, *help; double unit; } rows[] = {
		{ "spinifex_subject_requests_total", "num_requests",
		  "Requests on a subject of a daemon.", 1 },
		{ "spinifex_subject_errors_total", "num_errors", "Of these, refused.", 1 },
		{ "spinifex_subject_seconds_total", "processing_time",
		  "From their arrival to their answers.", 1e-9 },
	};

	n = settle(answers, n);
	prom_family(out, "spinifex_daemon_up", "gauge", "The daemons that answered.");
	for (size_t i = 0; i < n; i++) {
		const struct prom_label labels[] = { { "daemon", daemon_of(answers[i]) },
			{ "node", node_of(answers[i]) }, { NULL, NULL } };

		prom_sample(out, "spinifex_daemon_up", "", labels, 1);
	}
	prom_family(out, "spinifex_daemon_stat", "untyped", "Counters of a daemon, by its names.");
	for (size_t i = 0; i < n; i++)
		print_data(answers[i], out, "spinifex_daemon_stat");
	for (size_t r = 0; r < ARRAY_LEN(rows); r++) {
		prom_family(out, rows[r].family, "counter", rows[r].help);
		for (size_t i = 0; i < n; i++)
			print_endpoints(answers[i], out, rows[r].family, rows[r].member, rows[r].unit);
	}
}
