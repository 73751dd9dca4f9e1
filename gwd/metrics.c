#include "gwd/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/prom.h"

#define REQUESTS	"spinifex_gwd_requests_total"
#define DURATION	"spinifex_gwd_request_duration_seconds"

static const struct { uint64_t us; const char *le; } bounds[] = {
	{ 500, "0.0005" }, { 1000, "0.001" }, { 2500, "0.0025" }, { 5000, "0.005" },
	{ 10000, "0.01" }, { 25000, "0.025" }, { 50000, "0.05" }, { 100000, "0.1" },
	{ 250000, "0.25" }, { 500000, "0.5" }, { 1000000, "1" }, { 2500000, "2.5" },
	{ 5000000, "5" }, { 10000000, "10" }, { 60000000, "60" },
};

struct row {			/* an action and a code */
	char		 action[METRICS_NAME_MAX], code[METRICS_NAME_MAX];
	uint64_t	 n;
};
struct times {			/* of an action, whatever its codes */
	char		 action[METRICS_NAME_MAX];
	uint64_t	 in[ARRAY_LEN(bounds)];		/* at most this bound, above the one before */
	uint64_t	 n, sum_us;
};

struct metrics {		/* both sorted */
	struct row	*rows;
	size_t		 nrows, rows_room;
	struct times	*times;
	size_t		 ntimes, times_room;
};

struct metrics *
metrics_new(void)
{
	return calloc(1, sizeof(struct metrics));
}

void
metrics_free(struct metrics *m)
{
	if (!m)
		return;
	free(m->rows);
	free(m->times);
	free(m);
}

/* Room for one more at index at of a list of n; NULL without memory. */
static void *
insert(void **list, size_t *n, size_t *room, size_t size, size_t at)
{
	char *all = *list;

	if (*n == *room) {
		const size_t want = *room ? 2 * *room : 32;

		if (!(all = realloc(all, want * size)))
			return NULL;
		*list = all;
		*room = want;
	}
	memmove(all + (at + 1) * size, all + at * size, (*n - at) * size);
	memset(all + at * size, 0, size);
	++*n;
	return all + at * size;
}

static int
compare_row(const struct row *r, const char *action, const char *code)
{
	const int order = strcmp(r->action, action);

	return order ? order : strcmp(r->code, code);
}

/* The row, made where it is missing; NULL: no memory, or too many. */
static struct row *
row_of(struct metrics *m, const char *action, const char *code)
{
	size_t low = 0, high = m->nrows;
	void *list = m->rows;
	struct row *r;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const int order = compare_row(&m->rows[mid], action, code);

		if (order == 0)
			return &m->rows[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (m->nrows >= METRICS_ROWS_MAX && strcmp(code, "other") != 0)
		return NULL;
	r = insert(&list, &m->nrows, &m->rows_room, sizeof(*r), low);
	m->rows = list;
	if (!r)
		return NULL;
	(void)snprintf(r->action, sizeof(r->action), "%s", action);
	(void)snprintf(r->code, sizeof(r->code), "%s", code);
	return r;
}

static struct times *
times_of(struct metrics *m, const char *action)
{
	void *list = m->times;
	struct times *t;
	size_t at = 0;

	while (at < m->ntimes && strcmp(m->times[at].action, action) < 0)
		at++;
	if (at < m->ntimes && !strcmp(m->times[at].action, action))
		return &m->times[at];
	t = insert(&list, &m->ntimes, &m->times_room, sizeof(*t), at);
	m->times = list;
	if (t)
		(void)snprintf(t->action, sizeof(t->action), "%s", action);
	return t;
}

void
metrics_count(struct metrics *m, const char *action, const char *code, uint64_t took_us)
{
	char a[METRICS_NAME_MAX], c[METRICS_NAME_MAX];
	struct times *t;
	struct row *r;

	(void)snprintf(a, sizeof(a), "%s", *action ? action : "none");
	(void)snprintf(c, sizeof(c), "%s", *code ? code : "ok");
	if (!(r = row_of(m, a, c)))
		r = row_of(m, "other", "other");
	if (r)
		r->n++;
	if (!(t = times_of(m, a)))
		return;
	t->n++;
	t->sum_us += took_us;
	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		if (took_us <= bounds[i].us) {
			t->in[i]++;
			return;
		}
	}
}

static void
print_times(const struct times *t, struct buf *out)
{
	struct prom_label labels[] = { { "action", t->action }, { "le", "+Inf" }, { NULL, NULL } };
	const struct prom_label action[] = { { "action", t->action }, { NULL, NULL } };
	uint64_t below = 0;

	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		below += t->in[i];
		labels[1].value = bounds[i].le;
		prom_sample(out, DURATION, "_bucket", labels, (double)below);
	}
	labels[1].value = "+Inf";
	prom_sample(out, DURATION, "_bucket", labels, (double)t->n);
	prom_sample(out, DURATION, "_sum", action, (double)t->sum_us / 1e6);
	prom_sample(out, DURATION, "_count", action, (double)t->n);
}

void
metrics_print(const struct metrics *m, struct buf *out)
{
	prom_family(out, REQUESTS, "counter", "Requests that were answered, by action and EC2 code.");
	for (size_t i = 0; i < m->nrows; i++) {
		const struct row *r = &m->rows[i];
		const struct prom_label labels[] = { { "action", r->action }, { "code", r->code },
			{ NULL, NULL } };

		prom_sample(out, REQUESTS, "", labels, (double)r->n);
	}
	prom_family(out, DURATION, "histogram", "From a request that is whole to its answer.");
	for (size_t i = 0; i < m->ntimes; i++)
		print_times(&m->times[i], out);
}
