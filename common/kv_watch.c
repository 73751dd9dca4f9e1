#include "common/kv_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/bus_impl.h"

struct kv_watch {
	kv_hint_fn		*fn;
	void			*arg;
	size_t			 skip;		/* bytes of "$KV.<bucket>." */
	struct bus_sub		*sub;
	LIST_ENTRY(kv_watch)	 next;
};

static void
on_hint(void *arg, const struct bus_msg *m)
{
	struct kv_watch *w = arg;
	const char *key = bus_msg_subject(m) + w->skip;

	if (cas_key_is_valid(key))	/* not the bucket's own */
		w->fn(w->arg, key);
}

static void
on_missed(void *arg)
{
	struct kv_watch *w = arg;

	w->fn(w->arg, "");
}

int
kv_watch(struct bucket *b, kv_hint_fn *fn, void *arg)
{
	char subject[KV_SUBJECT_SIZE];
	struct kv_watch *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->fn = fn;
	w->arg = arg;
	w->skip = strlen("$KV.") + strlen(bucket_name(b)) + 1;
	r = kv_wire_subject(bucket_name(b), ">", subject) ? 0 : -EINVAL;
	if (r == 0)
		r = bus_hint_new_missed(b->kv->bus, subject, on_hint, on_missed, w, &w->sub);
	if (r < 0) {
		free(w);
		return r;
	}
	LIST_INSERT_HEAD(&b->kv->watches, w, next);
	return 0;
}

void
kv_watch_missed_all(struct kv *k)
{
	struct kv_watch *w, *next;

	for (w = LIST_FIRST(&k->watches); w; w = next) {
		next = LIST_NEXT(w, next);
		w->fn(w->arg, "");
	}
}

void
kv_watch_free_all(struct kv *k)
{
	struct kv_watch *w;

	while ((w = LIST_FIRST(&k->watches))) {
		LIST_REMOVE(w, next);
		bus_sub_free(w->sub);
		free(w);
	}
}
