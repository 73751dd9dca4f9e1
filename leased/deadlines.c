#include "leased/deadlines.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

void
deadlines_deinit(struct deadlines *h)
{
	free(h->heap);
	*h = (struct deadlines){ .n = 0 };
}

int
deadlines_reserve(struct deadlines *h, size_t n)
{
	size_t room = h->room ? h->room : 64;
	struct deadline **grown;

	if (n <= h->room)
		return 0;
	while (room < n)
		room *= 2;
	grown = reallocarray(h->heap, room, sizeof(struct deadline *));
	if (!grown)
		return -ENOMEM;
	h->heap = grown;
	h->room = room;
	return 0;
}

static void
put(struct deadlines *h, size_t i, struct deadline *d)
{
	h->heap[i] = d;
	d->place = i + 1;
}

static void
rise(struct deadlines *h, size_t i)
{
	struct deadline *d = h->heap[i];

	for (; i > 0 && h->heap[(i - 1) / 2]->at_ms > d->at_ms; i = (i - 1) / 2)
		put(h, i, h->heap[(i - 1) / 2]);
	put(h, i, d);
}

static void
sink(struct deadlines *h, size_t i)
{
	struct deadline *d = h->heap[i];
	size_t child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->heap[child + 1]->at_ms < h->heap[child]->at_ms)
			child++;
		if (h->heap[child]->at_ms >= d->at_ms)
			break;
		put(h, i, h->heap[child]);
		i = child;
	}
	put(h, i, d);
}

static void
take_out(struct deadlines *h, struct deadline *d)
{
	size_t i = d->place - 1;

	d->place = 0;
	if (i == --h->n)
		return;
	put(h, i, h->heap[h->n]);
	rise(h, i);
	sink(h, h->heap[i]->place - 1);
}

void
deadline_set(struct deadlines *h, struct deadline *d, uint64_t at_ms)
{
	d->at_ms = at_ms;
	if (at_ms == DEADLINE_NEVER) {
		if (d->place != 0)
			take_out(h, d);
		return;
	}
	if (d->place == 0) {
		assert(h->n < h->room);
		put(h, h->n++, d);
	}
	rise(h, d->place - 1);
	sink(h, d->place - 1);
}

struct deadline *
deadlines_first(const struct deadlines *h)
{
	return h->n > 0 ? h->heap[0] : NULL;
}
