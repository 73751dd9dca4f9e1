#include "gwd/throttle.h"

#include <stdlib.h>

#include "common/hash.h"

#define SETS	1024		/* a power of two */
#define WAYS	8		/* places that one hash may have */

struct seat {			/* of an address, or of an address and a key */
	uint64_t	 hash;		/* 0: free */
	uint64_t	 used_ms;
	uint64_t	 since_ms;	/* of the window; 0: no failure */
	uint64_t	 passed_ms;	/* 0: never */
	uint64_t	 last;		/* the failure before, to know it again */
	uint32_t	 failures;
};
struct throttle {
	uint64_t	 salt;
	struct seat	 seats[SETS][WAYS];
};

struct throttle *
throttle_new(uint64_t salt)
{
	struct throttle *t = calloc(1, sizeof(*t));

	if (t)
		t->salt = salt;
	return t;
}

void
throttle_free(struct throttle *t)
{
	free(t);
}

/* Begun with what went before. */
static uint64_t
hash(uint64_t h, const char *text)
{
	h = hash_text(h ^ HASH_BEGIN, text);
	h ^= h >> 29;
	return h ? h : 1;
}

/* Its seat: its own, or NULL; with make, else a free one or that used longest ago. */
static struct seat *
find(struct throttle *t, uint64_t h, uint64_t now_ms, bool make)
{
	struct seat *set = t->seats[h & (SETS - 1)], *oldest = set;

	for (size_t i = 0; i < WAYS; i++) {
		if (set[i].hash == h) {
			set[i].used_ms = now_ms;
			return &set[i];
		}
		if (set[i].used_ms < oldest->used_ms)
			oldest = &set[i];
	}
	if (!make)
		return NULL;
	*oldest = (struct seat){ .hash = h, .used_ms = now_ms };
	return oldest;
}

static bool
is_full(const struct seat *s, uint32_t max, uint64_t now_ms)
{
	return s && s->failures >= max && now_ms - s->since_ms < THROTTLE_WINDOW_MS;
}

static bool
is_trusted(const struct seat *s, uint64_t now_ms)
{
	return s && s->passed_ms && now_ms - s->passed_ms < THROTTLE_TRUST_MS;
}

static uint64_t
hash_address(const struct throttle *t, const char *address)
{
	return hash(t->salt, address);
}

static uint64_t
hash_pair(const struct throttle *t, const char *address, const char *key)
{
	return hash(hash_address(t, address), key);
}

bool
throttle_may(struct throttle *t, const char *address, const char *key, uint64_t now_ms)
{
	const struct seat *pair = find(t, hash_pair(t, address, key), now_ms, false);

	if (is_trusted(pair, now_ms))
		return true;
	return !is_full(pair, THROTTLE_KEY_MAX, now_ms) &&
	    !is_full(find(t, hash_address(t, address), now_ms, false), THROTTLE_ADDRESS_MAX, now_ms);
}

/* True: the first of its window. */
static bool
count(struct seat *s, uint64_t what, uint64_t now_ms)
{
	const bool is_first = !s->failures || now_ms - s->since_ms >= THROTTLE_WINDOW_MS;

	if (is_first) {
		s->since_ms = now_ms;
		s->failures = 0;
	} else if (s->last == what)
		return false;
	s->last = what;
	s->failures++;
	return is_first;
}

void
throttle_failed(struct throttle *t, const char *address, const char *key,
    const char *signature, uint64_t now_ms)
{
	const uint64_t h = hash_pair(t, address, key);

	if (count(find(t, h, now_ms, true), hash(t->salt, signature), now_ms))
		(void)count(find(t, hash_address(t, address), now_ms, true), h, now_ms);
}

void
throttle_passed(struct throttle *t, const char *address, const char *key, uint64_t now_ms)
{
	struct seat *s = find(t, hash_pair(t, address, key), now_ms, true);

	s->passed_ms = now_ms;
	s->failures = 0;
}
