#include "common/held.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define REQUEST_MAX	1024
#define DEADLINE_MS	5000
#define ANSWER_MAX	(400u << 10)	/* bytes of values; more come in further answers */
#define AFTER_MAX	300		/* "<bucket> <key>" */

struct held_item {
	char		*bucket, *key, *value;
	uint64_t	 rank;
};
struct held {
	struct held_item	*item;
	size_t			 n, room;
};

struct held_service {
	struct kv	*kv;
	struct bus_sub	*sub;
	held_fn		*fn;
	void		*arg;
};

struct held_in {
	char	 after[AFTER_MAX + 1];
};
static const struct json_field held_fields[] = {
	{ "after",	JSON_STR,	offsetof(struct held_in, after), 0, AFTER_MAX, .need = false },
};

static bool
grow(struct held *h)
{
	size_t room = h->room ? h->room * 2 : 16;
	struct held_item *item = reallocarray(h->item, room, sizeof(*item));

	if (!item)
		return false;
	h->item = item;
	h->room = room;
	return true;
}

bool
held_add(struct held *h, const char *bucket, const char *key, const char *value, uint64_t rank)
{
	struct held_item i = { .rank = rank };

	if (h->n == h->room && !grow(h))
		return false;
	i.bucket = strdup(bucket);
	i.key = strdup(key);
	i.value = strdup(value);
	h->item[h->n++] = i;			/* held_deinit frees what there is of it */
	return i.bucket && i.key && i.value;
}

static void
held_deinit(struct held *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->item[i].bucket);
		free(h->item[i].key);
		free(h->item[i].value);
	}
	free(h->item);
}

static int
by_name(const void *a, const void *b)
{
	const struct held_item *x = a, *y = b;
	int r = strcmp(x->bucket, y->bucket);

	return r ? r : strcmp(x->key, y->key);
}

static bool
add_item(cJSON *all, const struct held_item *i)
{
	cJSON *o = cJSON_CreateObject();

	if (o && cJSON_AddStringToObject(o, "bucket", i->bucket) &&
	    cJSON_AddStringToObject(o, "key", i->key) &&
	    cJSON_AddStringToObject(o, "value", i->value) &&
	    json_add_u64_str(o, "rank", i->rank) && cJSON_AddItemToArray(all, o))
		return true;
	cJSON_Delete(o);
	return false;
}

/* Those that come after in->after, and where to go on. */
static bool
add_items(cJSON *out, const struct held *h, const struct held_in *in)
{
	cJSON *all = cJSON_AddArrayToObject(out, "held");
	char at[AFTER_MAX + 1] = "";
	size_t bytes = 0;

	for (size_t i = 0; all && i < h->n; i++) {
		char name[AFTER_MAX + 1];

		(void)snprintf(name, sizeof(name), "%s %s", h->item[i].bucket, h->item[i].key);
		if (strcmp(name, in->after) <= 0)
			continue;
		if (bytes > ANSWER_MAX)
			return cJSON_AddStringToObject(out, "after", at) != NULL;
		if (!add_item(all, &h->item[i]))
			return false;
		bytes += strlen(h->item[i].value);
		memcpy(at, name, sizeof(at));
	}
	return all != NULL;
}

static void
on_held(void *arg, struct bus_req *req, const void *in)
{
	struct held_service *s = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *marks = kv_marks_json(s->kv);
	struct held h = { 0 };
	bool ok = !s->fn || s->fn(s->arg, &h);

	if (ok && h.n > 0)
		qsort(h.item, h.n, sizeof(*h.item), by_name);
	if (!out || !marks || !cJSON_AddItemToObject(out, "marks", marks)) {
		cJSON_Delete(marks);
		ok = false;
	}
	if (ok && add_items(out, &h, in))
		bus_reply(req, out);
	else
		bus_refuse(req, "kv.unavailable", true, "what is held is not known");
	held_deinit(&h);
}

static const struct bus_route rows[] = {
	{ "kv.v1.<node>.<daemon>.held",	on_held,	BUS_REQUEST, REQUEST_MAX, DEADLINE_MS, 0,
	    held_fields, ARRAY_LEN(held_fields), sizeof(struct held_in), "kv" },
};

int
held_new(struct bus *b, struct kv *k, const char *node, const char *daemon,
    struct held_service **ret)
{
	struct held_service *s = calloc(1, sizeof(*s));
	char subject[BUS_SUBJECT_MAX + 1];
	int n = snprintf(subject, sizeof(subject), "kv.v1.%s.%s.held", node, daemon), r;

	if (!s)
		return -ENOMEM;
	s->kv = k;
	r = n < 0 || (size_t)n >= sizeof(subject) ? -ENAMETOOLONG :
	    bus_sub_new(b, subject, &rows[0], s, &s->sub);
	if (r < 0) {
		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void
held_free(struct held_service *s)
{
	if (!s)
		return;
	bus_sub_free(s->sub);
	free(s);
}

void
held_by(struct held_service *s, held_fn *fn, void *arg)
{
	s->fn = fn;
	s->arg = arg;
}
