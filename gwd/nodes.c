#include "gwd/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/node.h"
#include "gwd/scan.h"

#define NODES_READ_MS		5000	/* one read of the list */
#define NODES_RETRY_MS		1000	/* after a list that could not be read, or is empty */
#define NODES_NAME_MAX		64

struct nodes_row {
	char		 name[NODES_NAME_MAX + 1];
	char		 zone[NODES_NAME_MAX + 1];
	uint64_t	 silent_until_ms;	/* 0: it answered last time */
};

struct nodes {
	struct loop		*loop;
	struct bucket		*bucket;
	struct loop_timer	*reread;
	struct nodes_row	*rows;		/* sorted by name */
	size_t			 n;
	struct nodes_row	*next;		/* the list being read */
	size_t			 next_n;
	uint64_t		 read_ms;	/* when it was read last, or tried */
	bool			 known;
	bool			 reading;
	bool			 again;		/* a hint came while reading */
	bool			 dead;		/* freed while reading: the scan's end frees it */
};

bool
nodes_are_known(const struct nodes *n)
{
	return n->known;
}

size_t
nodes_count(const struct nodes *n)
{
	return n->n;
}

const char *
nodes_name(const struct nodes *n, size_t i)
{
	return n->rows[i].name;
}

const char *
nodes_zone(const struct nodes *n, size_t i)
{
	return n->rows[i].zone;
}

int
nodes_find(const struct nodes *n, const char *name)
{
	for (size_t i = 0; i < n->n; i++) {
		if (strcmp(n->rows[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

void
nodes_heard(struct nodes *n, const char *name)
{
	int i = nodes_find(n, name);

	if (i >= 0)
		n->rows[i].silent_until_ms = 0;
	else if (n->known && !n->reading)	/* it joined, and the hint of it was lost */
		loop_timer_at(n->reread, n->read_ms + NODES_RETRY_MS);
}

void
nodes_missed(struct nodes *n, const char *name)
{
	int i = nodes_find(n, name);

	if (i >= 0)
		n->rows[i].silent_until_ms = loop_now_ms(n->loop) + NODES_SILENT_MS;
}

bool
nodes_is_silent(const struct nodes *n, size_t i)
{
	return loop_now_ms(n->loop) < n->rows[i].silent_until_ms;
}

static int
nodes_compare(const void *a, const void *b)
{
	return strcmp(((const struct nodes_row *)a)->name, ((const struct nodes_row *)b)->name);
}

static void
nodes_each(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct nodes *n = arg;
	struct nodes_row *row;
	char why[JSON_WHY_MAX];
	struct node node;

	if (res != CAS_OK || n->next_n == NODES_MAX || strlen(key) > NODES_NAME_MAX)
		return;		/* a marker: it left the cluster */
	row = &n->next[n->next_n++];
	*row = (struct nodes_row){ 0 };
	memcpy(row->name, key, strlen(key));
	/* One that cannot be read is a node all the same. */
	if (node_from_json(e->value, e->len, key, &node, why) == 0)
		memcpy(row->zone, node.zone, sizeof(row->zone));
}

/* The new list, with what the old one knew of each node's silence. */
static void
nodes_take(struct nodes *n)
{
	if (n->next_n > 1)
		qsort(n->next, n->next_n, sizeof(n->next[0]), nodes_compare);
	for (size_t i = 0; i < n->next_n; i++) {
		int old = nodes_find(n, n->next[i].name);

		if (old >= 0)
			n->next[i].silent_until_ms = n->rows[old].silent_until_ms;
	}
	free(n->rows);
	n->rows = n->next;
	n->n = n->next_n;
	n->next = NULL;
	n->known = n->n > 0;	/* of a cluster without nodes nothing is complete */
}

static void
nodes_release(struct nodes *n)
{
	free(n->rows);
	free(n->next);
	free(n);
}

static void	 nodes_read(void *arg);

static void
nodes_end(void *arg, enum cas_result res)
{
	struct nodes *n = arg;

	n->reading = false;
	n->read_ms = loop_now_ms(n->loop);
	if (n->dead) {
		nodes_release(n);
		return;
	}
	if (res == CAS_OK)
		nodes_take(n);
	else
		log_debug("the list of nodes cannot be read: %s", cas_result_text(res));
	free(n->next);
	n->next = NULL;
	loop_timer_in(n->reread, n->again && res == CAS_OK ? 0 :
	    res == CAS_OK && n->known ? NODES_REREAD_MS : NODES_RETRY_MS);
	n->again = false;
}

static void
nodes_read(void *arg)
{
	struct nodes *n = arg;
	struct scan_spec spec = { .bucket = n->bucket, .timeout_ms = NODES_READ_MS,
	    .each = nodes_each, .end = nodes_end, .arg = n };

	if (n->reading) {
		n->again = true;
		return;
	}
	n->next = calloc(NODES_MAX, sizeof(n->next[0]));
	n->next_n = 0;
	n->reading = n->next && scan_prefix(&spec, "");
	if (!n->reading) {
		free(n->next);
		n->next = NULL;
		loop_timer_in(n->reread, NODES_RETRY_MS);
	}
}

static void
nodes_hint(void *arg, const char *key)
{
	nodes_read(arg);
}

int
nodes_new(struct loop *l, struct bucket *b, struct nodes **ret)
{
	struct nodes *n = calloc(1, sizeof(*n));
	int r;

	if (!n)
		return -ENOMEM;
	n->loop = l;
	n->bucket = b;
	r = loop_timer_new(l, nodes_read, n, &n->reread);
	if (r == 0)
		r = kv_watch(b, nodes_hint, n);
	if (r < 0) {
		nodes_free(n);
		return r;
	}
	loop_timer_in(n->reread, 0);
	*ret = n;
	return 0;
}

/* After this no hint comes: the caller ends the bucket's watch with the bucket. */
void
nodes_free(struct nodes *n)
{
	if (!n)
		return;
	loop_timer_free(n->reread);
	n->reread = NULL;
	n->dead = true;
	if (!n->reading)
		nodes_release(n);
}
