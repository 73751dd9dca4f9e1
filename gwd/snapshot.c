#include "gwd/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/subjects.h"
#include "gwd/scan.h"

#define SNAPSHOT_READ_MS	5000
#define SNAPSHOT_RECORDS_MAX	100000

struct snapshot_waiter {
	snapshot_fn		*fn;
	void			*arg;
	struct snapshot_waiter	*next;
};

struct snapshot {
	struct bucket		*bucket;
	struct snapshot_waiter	*now;		/* served by the scan that runs */
	struct snapshot_waiter	*later;		/* by the next */
	struct instance		*records;
	size_t			 n, room;
	bool			 scanning;
	bool			 nomem;
	bool			 dead;		/* freed while scanning */
};

static void
snapshot_clear(struct snapshot *s)
{
	for (size_t i = 0; i < s->n; i++)
		instance_deinit(&s->records[i]);
	free(s->records);
	s->records = NULL;
	s->n = s->room = 0;
}

static bool
snapshot_grow(struct snapshot *s)
{
	size_t room = s->room ? 2 * s->room : 64;
	struct instance *more;

	if (s->n < s->room)
		return true;
	if (s->n >= SNAPSHOT_RECORDS_MAX)
		return false;
	more = realloc(s->records, room * sizeof(*more));
	if (!more)
		return false;
	s->records = more;
	s->room = room;
	return true;
}

static void
snapshot_each(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct snapshot *s = arg;
	const char *id = key + strlen(KEY_INSTANCE_PREFIX);
	char why[JSON_WHY_MAX];
	int r;

	if (res != CAS_OK || s->dead || s->nomem)
		return;
	s->nomem = !snapshot_grow(s);
	if (s->nomem)
		return;
	s->records[s->n] = (struct instance){ 0 };
	r = instance_from_json(e->value, e->len, id, &s->records[s->n], why);
	if (r == 0)
		s->n++;
	else
		log_fields(LOG_WARNING, &(struct log_ctx){ .instance = id },
		    "the record of %s cannot be read: %s", id, r == -ENOMEM ? "no memory" : why);
}

static int
snapshot_compare(const void *a, const void *b)
{
	return strcmp(((const struct instance *)a)->id, ((const struct instance *)b)->id);
}

static void
snapshot_serve(struct snapshot *s, enum cas_result res)
{
	struct snapshot_waiter *w = s->now, *next;

	s->now = NULL;
	if (s->n > 1)
		qsort(s->records, s->n, sizeof(s->records[0]), snapshot_compare);
	for (; w; w = next) {
		next = w->next;
		w->fn(w->arg, res, res == CAS_OK ? s->records : NULL, res == CAS_OK ? s->n : 0);
		free(w);
	}
	snapshot_clear(s);
}

static void
snapshot_forget(struct snapshot_waiter *w)
{
	while (w) {
		struct snapshot_waiter *next = w->next;

		free(w);
		w = next;
	}
}

static void
snapshot_release(struct snapshot *s)
{
	snapshot_forget(s->now);
	snapshot_forget(s->later);
	snapshot_clear(s);
	free(s);
}

static void	 snapshot_begin(struct snapshot *s);

static void
snapshot_end(void *arg, enum cas_result res)
{
	struct snapshot *s = arg;

	if (s->dead) {
		snapshot_release(s);
		return;
	}
	snapshot_serve(s, s->nomem && res == CAS_OK ? CAS_NOMEM : res);
	s->scanning = false;
	if (s->later)
		snapshot_begin(s);
}

static bool
snapshot_scan(struct snapshot *s)
{
	struct scan_spec spec = { .bucket = s->bucket, .timeout_ms = SNAPSHOT_READ_MS,
	    .each = snapshot_each, .end = snapshot_end, .arg = s };

	s->nomem = false;
	s->scanning = scan_prefix(&spec, KEY_INSTANCE_PREFIX);
	return s->scanning;
}

/* Those who cannot be served for lack of memory are told so: there is nothing to wait for. */
static void
snapshot_begin(struct snapshot *s)
{
	s->now = s->later;
	s->later = NULL;
	if (!snapshot_scan(s))
		snapshot_serve(s, CAS_NOMEM);
}

bool
snapshot_get(struct snapshot *s, snapshot_fn *fn, void *arg)
{
	struct snapshot_waiter *w = malloc(sizeof(*w));

	if (!w)
		return false;
	*w = (struct snapshot_waiter){ fn, arg, NULL };
	if (s->scanning) {
		w->next = s->later;
		s->later = w;
		return true;
	}
	if (!snapshot_scan(s)) {
		free(w);
		return false;
	}
	s->now = w;
	return true;
}

int
snapshot_new(struct bucket *instances, struct snapshot **ret)
{
	struct snapshot *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->bucket = instances;
	*ret = s;
	return 0;
}

void
snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	s->dead = true;
	if (!s->scanning)
		snapshot_release(s);
}
