#include "reaperd/markers.h"

#include <stdlib.h>
#include <string.h>

void
markers_deinit(struct markers *m)
{
	for (size_t i = 0; i < MARKERS_BUCKETS; i++)
		free(m->list[i].v);
	*m = (struct markers){ 0 };
}

/* NULL: there is no place for it. */
static struct marker_list *
list_of(struct markers *m, const struct bucket *b)
{
	struct marker_list *l = m ? m->list : NULL;

	while (l && l < m->list + MARKERS_BUCKETS && l->of && l->of != b)
		l++;
	if (!l || l == m->list + MARKERS_BUCKETS)
		return NULL;
	l->of = b;
	return l;
}

static int
by_key(const void *a, const void *b)
{
	return strcmp(a, b);		/* key is the first member */
}

static struct marker *
find(const struct marker_list *l, const char *key)
{
	char want[MARKERS_KEY_MAX + 1];
	size_t n = strlen(key);

	if (l->known == 0 || n > MARKERS_KEY_MAX)
		return NULL;
	memcpy(want, key, n + 1);
	return bsearch(want, l->v, l->known, sizeof(*l->v), by_key);
}

/* Those that the last sweep read are known to the next, each once. */
static void
sort(struct marker_list *l)
{
	size_t kept = 0;

	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), by_key);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].revision > 0 &&
		    (kept == 0 || strcmp(l->v[kept - 1].key, l->v[i].key) != 0))
			l->v[kept++] = l->v[i];
	l->n = l->known = kept;
}

/* Nothing is remembered, and from here on what is written is noticed.  What is read from a stream
 * in doubt is for this sweep alone. */
static void
begin(struct marker_list *l, const struct kv_keys *keys, bool is_sound, uint64_t now_ms)
{
	memcpy(l->created, is_sound ? keys->created : "", is_sound ? sizeof(l->created) : 1);
	l->upto = keys->last_seq;
	l->since_ms = now_ms;
	l->n = l->known = 0;
}

/* Whoever's key it is that changed. */
static void
forget(struct marker_list *l, const char *key)
{
	struct marker *m = find(l, key);

	if (m)
		m->revision = 0;
}

/* False: what has changed is not known.  What is written from now on is the next sweep's. */
static bool
look_through(struct marker_list *l, struct bucket *b, const char *prefix, uint64_t last_seq,
    uint64_t timeout_ms)
{
	char key[CAS_KEY_MAX + 1];
	enum cas_result res = CAS_OK;
	uint64_t seq;

	while (l->upto < last_seq && res == CAS_OK) {
		res = kv_next_wait(b, prefix, l->upto, timeout_ms, key, &seq);
		if (res != CAS_OK)
			break;
		forget(l, key);
		l->upto = seq;
	}
	return res == CAS_OK || res == CAS_NOT_FOUND;
}

static bool
is_same_stream(const struct marker_list *l, const struct kv_keys *keys)
{
	return *l->created && strcmp(l->created, keys->created) == 0 && keys->last_seq >= l->upto;
}

enum cas_result
markers_list(struct markers *m, struct bucket *b, const char *prefix, uint64_t now_ms,
    uint64_t timeout_ms, struct kv_keys *ret)
{
	struct marker_list *l = list_of(m, b);
	enum cas_result res = kv_list_wait(b, prefix, timeout_ms, ret);

	if (!l || res != CAS_OK)
		return res;
	bool is_sound = bucket_is_sound(b);

	sort(l);
	if (!is_sound || !is_same_stream(l, ret) || now_ms - l->since_ms >= MARKERS_KEPT_MS ||
	    !look_through(l, b, prefix, ret->last_seq, timeout_ms))
		begin(l, ret, is_sound, now_ms);
	return CAS_OK;
}

/* Without room it is read again. */
static void
remember(struct marker_list *l, const char *key, uint64_t revision)
{
	if (strlen(key) > MARKERS_KEY_MAX)
		return;
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 256;
		struct marker *more = reallocarray(l->v, room, sizeof(*more));

		if (!more)
			return;
		l->v = more;
		l->room = room;
	}
	l->v[l->n] = (struct marker){ .revision = revision };
	memcpy(l->v[l->n++].key, key, strlen(key) + 1);
}

enum cas_result
markers_load(struct markers *m, struct bucket *b, const char *key, uint64_t timeout_ms,
    struct cas_entry *ret)
{
	struct marker_list *l = list_of(m, b);
	const struct marker *known = l ? find(l, key) : NULL;
	enum cas_result res;

	if (known && known->revision > 0) {
		*ret = (struct cas_entry){ .revision = known->revision, .is_marker = true };
		return CAS_NOT_FOUND;
	}
	res = kv_load_wait(b, key, timeout_ms, ret);
	if (l && res == CAS_NOT_FOUND && ret->is_marker)
		remember(l, key, ret->revision);
	return res;
}
