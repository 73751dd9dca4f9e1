#include "common/kv_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/bus_impl.h"

#define AGAIN_MAX	64	/* keys; past it one hint stands for all */

/*
 * A hint comes with the message, on its way to the stream: who reads at once may be before it,
 * the longer the more servers have to agree.  So each is given again a moment later.
 */
struct again {
	char		 key[CAS_KEY_MAX + 1];
	uint64_t	 at_ms;
};

struct kv_watch {
	kv_hint_fn		*fn;
	void			*arg;
	size_t			 skip;		/* bytes of "$KV.<bucket>." */
	struct loop		*loop;
	struct bus_sub		*sub;
	struct loop_timer	*timer;		/* the first of again */
	struct again		 again[AGAIN_MAX];	/* by time */
	size_t			 nagain;
	LIST_ENTRY(kv_watch)	 next;
};

static void
watch_arm(struct kv_watch *w)
{
	const uint64_t now = loop_now_ms(w->loop);

	if (w->nagain > 0)
		loop_timer_in(w->timer, w->again[0].at_ms > now ? w->again[0].at_ms - now : 0);
}

static void
forget(struct kv_watch *w, size_t i)
{
	w->nagain--;
	memmove(&w->again[i], &w->again[i + 1], (w->nagain - i) * sizeof(w->again[0]));
}

/* Of the hints of one key only the last is given again. */
static void
remember(struct kv_watch *w, const char *key)
{
	struct again *a;

	for (size_t i = 0; i < w->nagain; i++) {
		if (strcmp(w->again[i].key, key) == 0) {
			forget(w, i);
			break;
		}
	}
	if (w->nagain == AGAIN_MAX) {
		w->nagain = 0;
		key = "";
	}
	a = &w->again[w->nagain++];
	snprintf(a->key, sizeof(a->key), "%s", key);
	a->at_ms = loop_now_ms(w->loop) + KV_HINT_AGAIN_MS;
	watch_arm(w);
}

static void
on_again(void *arg)
{
	struct kv_watch *w = arg;
	const uint64_t now = loop_now_ms(w->loop);

	while (w->nagain > 0 && w->again[0].at_ms <= now) {
		struct again a = w->again[0];

		forget(w, 0);
		w->fn(w->arg, a.key);
	}
	watch_arm(w);
}

static void
on_hint(void *arg, const struct bus_msg *m)
{
	struct kv_watch *w = arg;
	const char *key = bus_msg_subject(m) + w->skip;

	if (!cas_key_is_valid(key))	/* the bucket's own */
		return;
	w->fn(w->arg, key);
	remember(w, key);
}

static void
on_missed(void *arg)
{
	struct kv_watch *w = arg;

	w->fn(w->arg, "");
	remember(w, "");
}

static void
watch_free(struct kv_watch *w)
{
	bus_sub_free(w->sub);
	loop_timer_free(w->timer);
	free(w);
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
	w->loop = bus_loop(b->kv->bus);
	w->skip = strlen("$KV.") + strlen(bucket_name(b)) + 1;
	r = kv_wire_subject(bucket_name(b), ">", subject) ? 0 : -EINVAL;
	if (r == 0)
		r = loop_timer_new(w->loop, on_again, w, &w->timer);
	if (r == 0)
		r = bus_hint_new_missed(b->kv->bus, subject, on_hint, on_missed, w, &w->sub);
	if (r < 0) {
		watch_free(w);
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
		on_missed(w);	/* and again, once all servers know of the subscription */
	}
}

void
kv_watch_free_all(struct kv *k)
{
	struct kv_watch *w;

	while ((w = LIST_FIRST(&k->watches))) {
		LIST_REMOVE(w, next);
		watch_free(w);
	}
}
