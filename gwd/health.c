/*
 * health.c - is this gateway of use?  Each part says "ok" or what is wrong; the canary is a
 * write of the kind that every change here is made of, by the same path, in the bucket that is
 * there for such.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buckets.h"
#include "common/ident.h"
#include "gwd/gwd.h"
#include "gwd/monitor.h"

#define WRITE_MS	2000	/* of its read, and of its write */

/* A read or write that is out; it outlives health_free. */
struct canary {
	struct health	*health;	/* NULL: gone */
};

struct health {
	struct gwd	*g;
	struct monitor	*monitor;
	struct bucket	*bucket;
	struct canary	*canary;	/* NULL: none is out */
	char		 key[CAS_KEY_MAX + 1];
};

static const char *
part_nats(const struct health *h)
{
	return bus_is_up(h->g->d.bus) ? NULL : "there is no connection to NATS";
}

static const char *
part_buckets(const struct health *h)
{
	return kv_trouble(h->g->d.kv);
}

static const char *
part_nodes(const struct health *h)
{
	return nodes_are_known(h->g->cloud->nodes) ? NULL : "no node of the cluster is known yet";
}

static const struct {
	const char	*name;
	const char	*(*why)(const struct health *h);
} parts[] = {
	{ "nats",	part_nats },
	{ "buckets",	part_buckets },
	{ "nodes",	part_nodes },
};

static bool
add_part(cJSON *o, const char *name, const char *why, bool *ok)
{
	*ok = *ok && !why;
	return cJSON_AddStringToObject(o, name, why ? why : "ok") != NULL;
}

/* {"status": "ok" or "failing", "parts": {<part>: "ok" or a sentence}} */
static void
answer(struct health *h, const char *write_why)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *list = o ? cJSON_AddObjectToObject(o, "parts") : NULL;
	struct buf body = BUF_EMPTY(8192);
	bool ok = true, whole = list != NULL;

	for (size_t i = 0; whole && i < ARRAY_LEN(parts); i++)
		whole = add_part(list, parts[i].name, parts[i].why(h), &ok);
	whole = whole && add_part(list, "write", write_why, &ok) &&
	    cJSON_AddStringToObject(o, "status", ok ? "ok" : "failing");
	AUTO(str) char *text = whole ? json_print(o) : NULL;

	if (!text || buf_printf(&body, "%s\n", text) < 0)
		body.failed = true;
	monitor_answer(h->monitor, MONITOR_HEALTH, ok ? 200 : 503, "application/json", &body);
}

static void
end_write(struct canary *c, const char *why)
{
	struct health *h = c->health;

	free(c);
	if (!h)
		return;
	h->canary = NULL;
	answer(h, why);
}

static const char *
why_of(enum cas_result res)
{
	/* Another gateway of the same name has written: so it can be written. */
	return res == CAS_OK || res == CAS_LOST ? NULL : cas_result_text(res);
}

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	end_write(arg, why_of(res));
}

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct canary *c = arg;
	struct health *h = c->health;
	char text[64], nonce[IDENT_UUID_LEN + 1];
	int n;

	if (!h || (res != CAS_OK && res != CAS_NOT_FOUND)) {
		end_write(c, why_of(res));
		return;
	}
	ident_uuid(nonce);
	n = snprintf(text, sizeof(text), "{\"canary\":\"%s\"}", nonce);
	if (!kv_put(h->bucket, h->key, text, (size_t)n, e->revision, WRITE_MS, on_written, c))
		end_write(c, "no memory");
}

void
health_begin(struct health *h)
{
	struct canary *c;

	if (part_nats(h)) {
		answer(h, "there is nobody to write to");
		return;
	}
	if (!(c = calloc(1, sizeof(*c)))) {
		answer(h, "no memory");
		return;
	}
	c->health = h;
	h->canary = c;
	if (!kv_load(h->bucket, h->key, WRITE_MS, on_loaded, c))
		end_write(c, "no memory");
}

int
health_new(struct gwd *g, struct monitor *m, struct health **ret)
{
	struct health *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return -ENOMEM;
	h->g = g;
	h->monitor = m;
	(void)snprintf(h->key, sizeof(h->key), "%.64s.gwd", g->conf->common.node);
	if ((r = bucket_open(g->d.kv, &bucket_specs[SPEC_CANARY], &h->bucket)) < 0) {
		free(h);
		return r;
	}
	*ret = h;
	return 0;
}

void
health_free(struct health *h)
{
	if (!h)
		return;
	if (h->canary)
		h->canary->health = NULL;
	free(h);
}
