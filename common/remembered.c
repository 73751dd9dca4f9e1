#include "common/remembered.h"

#include <stdlib.h>
#include <string.h>

void
remembered_deinit(struct remembered *m)
{
	for (size_t i = 0; i < REMEMBERED_BUCKETS; i++)
		free(m->bucket[i].v);
	*m = (struct remembered){ 0 };
}

/* NULL: there is no place for it. */
static struct remembered_bucket *
bucket_of(struct remembered *m, const struct bucket *b)
{
	struct remembered_bucket *l = m ? m->bucket : NULL;

	while (l && l < m->bucket + REMEMBERED_BUCKETS && l->of && l->of != b)
		l++;
	if (!l || l == m->bucket + REMEMBERED_BUCKETS)
		return NULL;
	l->of = b;
	return l;
}

static int
by_key(const void *a, const void *b)
{
	return strcmp(a, b);		/* key is the first member */
}

static struct remembered_key *
find(const struct remembered_bucket *l, const char *key)
{
	char want[REMEMBERED_KEY_MAX + 1];
	size_t n = strlen(key);

	if (l->known == 0 || n > REMEMBERED_KEY_MAX)
		return NULL;
	memcpy(want, key, n + 1);
	return bsearch(want, l->v, l->known, sizeof(*l->v), by_key);
}

/* Those that were read since the last listing are known now, each once. */
static void
sort(struct remembered_bucket *l)
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
 * in doubt is of no use later. */
static void
begin(struct remembered_bucket *l, const struct kv_keys *keys, uint64_t doubted_ms,
    uint64_t now_ms)
{
	bool is_sound = bucket_is_sound(l->of);

	memcpy(l->created, is_sound ? keys->created : "", is_sound ? sizeof(l->created) : 1);
	l->upto = keys->last_seq;
	l->since_ms = now_ms;
	l->doubted_ms = doubted_ms;
	l->n = l->known = 0;
}

/* Whoever's key it is that changed. */
static void
forget(struct remembered_bucket *l, const char *key)
{
	struct remembered_key *k = find(l, key);

	if (k)
		k->revision = 0;
}

/* False: what has changed is not known.  What is written from now on is the next listing's. */
static bool
look_through(struct remembered_bucket *l, struct bucket *b, const char *prefix, uint64_t last_seq,
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

/* It is the one that was looked through then, and has gone on since. */
static bool
is_the_same(const struct remembered_bucket *l, const struct kv_keys *keys, uint64_t doubted_ms)
{
	return bucket_is_sound(l->of) && l->doubted_ms == doubted_ms &&
	    *l->created && strcmp(l->created, keys->created) == 0 && keys->last_seq >= l->upto;
}

enum cas_result
remembered_list(struct remembered *m, struct bucket *b, const char *prefix, uint64_t now_ms,
    uint64_t timeout_ms, struct kv_keys *ret)
{
	struct remembered_bucket *l = bucket_of(m, b);
	uint64_t doubted_ms = bucket_doubted_ms(b);	/* before: one that is met meanwhile counts */
	enum cas_result res = kv_list_wait(b, prefix, timeout_ms, ret);

	if (!l || res != CAS_OK)
		return res;
	sort(l);
	if (!is_the_same(l, ret, doubted_ms) || now_ms - l->since_ms >= REMEMBERED_MS ||
	    !look_through(l, b, prefix, ret->last_seq, timeout_ms))
		begin(l, ret, doubted_ms, now_ms);
	return CAS_OK;
}

uint64_t
remembered_revision(struct remembered *m, const struct bucket *b, const char *key)
{
	struct remembered_bucket *l = bucket_of(m, b);
	const struct remembered_key *k = l ? find(l, key) : NULL;

	return k ? k->revision : 0;
}

/* Without room it is read again. */
void
remembered_add(struct remembered *m, const struct bucket *b, const char *key, uint64_t revision)
{
	struct remembered_bucket *l = bucket_of(m, b);

	if (!l || strlen(key) > REMEMBERED_KEY_MAX)
		return;
	if (l->n == l->room) {
		size_t room = l->room ? l->room * 2 : 256;
		struct remembered_key *more = reallocarray(l->v, room, sizeof(*more));

		if (!more)
			return;
		l->v = more;
		l->room = room;
	}
	l->v[l->n] = (struct remembered_key){ .revision = revision };
	memcpy(l->v[l->n++].key, key, strlen(key) + 1);
}
