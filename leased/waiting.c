#include "leased/waiting.h"

#include <errno.h>
#include <string.h>
#include <sys/queue.h>

#include "common/json.h"

struct one {
	struct bus_req		*req;
	uint64_t		 until_ms;
	char			 key[CAS_KEY_MAX + 1];
	char			 incarnation[HOLD_INCARNATION_MAX + 1];
	TAILQ_ENTRY(one)	 next;
};

struct waiting {
	struct loop		*loop;
	struct lease_table	*table;
	struct loop_timer	*timer;
	size_t			 n, max;
	TAILQ_HEAD(, one)	 ones;		/* by until_ms, nearly: waits differ by ttl */
};

void
waiting_answer(struct bus_req *req, const struct hold_answer *a)
{
	AUTO(json) cJSON *out = NULL;
	bool ok;

	if (a->is_corrupt) {
		bus_refuse(req, "lease.corrupt", false,
		    "the key has a value that is no token; an operator has to unlock it");
		return;
	}
	if (!a->is_held && a->why != CAS_OK) {
		bus_refuse(req, "lease.unavailable", true, "%s", cas_result_text(a->why));
		return;
	}
	out = cJSON_CreateObject();
	ok = out && cJSON_AddBoolToObject(out, "held", a->is_held) &&
	    (a->is_held ? json_add_u64_str(out, "valid_until_ms", a->valid_until_ms) :
	    cJSON_AddStringToObject(out, "holder", a->token.holder) != NULL) &&
	    json_add_u64_str(out, "generation", a->token.generation) &&
	    json_add_u64(out, "revisit_ms", a->revisit_ms);
	if (ok)
		bus_reply(req, out);
	else
		bus_refuse(req, "lease.unavailable", true, "no memory");
}

static struct bus_req *
take(struct waiting *w, struct one *o)
{
	struct bus_req *req = o->req;

	TAILQ_REMOVE(&w->ones, o, next);
	w->n--;
	free(o);
	return req;
}

static void
arm(struct waiting *w)
{
	const struct one *o;
	uint64_t first = UINT64_MAX;

	TAILQ_FOREACH(o, &w->ones, next)
		first = o->until_ms < first ? o->until_ms : first;
	if (first == UINT64_MAX)
		loop_timer_off(w->timer);
	else
		loop_timer_at(w->timer, first);
}

static void
on_timer(void *arg)
{
	struct waiting *w = arg;
	uint64_t now = loop_now_ms(w->loop);
	struct one *o, *next;

	for (o = TAILQ_FIRST(&w->ones); o; o = next) {
		struct hold *h;
		struct hold_answer a = { .revisit_ms = 0 };

		next = TAILQ_NEXT(o, next);
		if (o->until_ms > now)
			continue;
		h = lease_table_find(w->table, o->key);
		if (h)
			hold_answer(h, o->incarnation, now, &a);
		waiting_answer(take(w, o), &a);
	}
	arm(w);
}

void
waiting_add(struct waiting *w, struct bus_req *req, const char *key, const char *incarnation,
    uint64_t until_ms)
{
	struct one *o = w->n < w->max ? calloc(1, sizeof(*o)) : NULL;

	if (!o) {
		bus_refuse(req, "lease.unavailable", true, "too many asks wait; try again");
		return;
	}
	o->req = req;
	o->until_ms = until_ms;
	memcpy(o->key, key, strlen(key) + 1);
	memcpy(o->incarnation, incarnation, strlen(incarnation) + 1);
	TAILQ_INSERT_TAIL(&w->ones, o, next);
	w->n++;
	arm(w);
}

void
waiting_verdict(struct waiting *w, struct hold *h, uint64_t now_ms)
{
	struct one *o, *next;

	for (o = TAILQ_FIRST(&w->ones); o; o = next) {
		struct hold_answer a;

		next = TAILQ_NEXT(o, next);
		if (strcmp(o->key, h->key) != 0)
			continue;
		hold_answer(h, o->incarnation, now_ms, &a);
		waiting_answer(take(w, o), &a);
	}
	arm(w);
}

int
waiting_new(struct loop *l, size_t max, struct lease_table *t, struct waiting **ret)
{
	struct waiting *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->loop = l;
	w->max = max;
	w->table = t;
	TAILQ_INIT(&w->ones);
	r = loop_timer_new(l, on_timer, w, &w->timer);
	if (r < 0) {
		free(w);
		return r;
	}
	*ret = w;
	return 0;
}

void
waiting_free(struct waiting *w)
{
	if (!w)
		return;
	while (!TAILQ_EMPTY(&w->ones))
		bus_refuse(take(w, TAILQ_FIRST(&w->ones)), "lease.unavailable", true,
		    "leased stops");
	loop_timer_free(w->timer);
	free(w);
}
