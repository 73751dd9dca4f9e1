#include "gwd/scan.h"

#include <stdlib.h>
#include <string.h>

struct scan {
	struct scan_spec	 spec;
	struct kv_keys		 keys;
	size_t			 next;		/* of keys, not asked yet */
	size_t			 flying;
	enum cas_result		 res;		/* the first that failed */
};

struct scan_read {
	struct scan	*scan;
	size_t		 at;
};

static void	 scan_fill(struct scan *s);

static void
scan_end(struct scan *s)
{
	s->spec.end(s->spec.arg, s->res);
	kv_keys_deinit(&s->keys);
	free(s);
}

static void
scan_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct scan_read *r = arg;
	struct scan *s = r->scan;
	size_t at = r->at;

	free(r);
	s->flying--;
	if (res == CAS_OK || res == CAS_NOT_FOUND)
		s->spec.each(s->spec.arg, s->keys.key[at], res, e);
	else if (s->res == CAS_OK)
		s->res = res;
	scan_fill(s);
	if (s->flying == 0)
		scan_end(s);
}

/* True: its answer will come. */
static bool
scan_ask(struct scan *s, size_t at)
{
	struct scan_read *r = malloc(sizeof(*r));

	if (!r)
		return false;
	*r = (struct scan_read){ s, at };
	if (kv_load(s->spec.bucket, s->keys.key[at], s->spec.timeout_ms, scan_loaded, r))
		return true;
	free(r);
	return false;
}

static void
scan_fill(struct scan *s)
{
	while (s->res == CAS_OK && s->flying < SCAN_AT_ONCE && s->next < s->keys.n) {
		if (scan_ask(s, s->next++))
			s->flying++;
		else
			s->res = CAS_NOMEM;
	}
}

static void
scan_listed(void *arg, enum cas_result res, struct kv_keys *keys)
{
	struct scan *s = arg;

	s->res = res;
	if (res == CAS_OK) {
		s->keys = *keys;
		*keys = (struct kv_keys){ 0 };
	}
	scan_fill(s);
	if (s->flying == 0)
		scan_end(s);
}

bool
scan_prefix(const struct scan_spec *spec, const char *prefix)
{
	struct scan *s = calloc(1, sizeof(*s));

	if (!s)
		return false;
	s->spec = *spec;
	if (kv_list(spec->bucket, prefix, spec->timeout_ms, scan_listed, s))
		return true;
	free(s);
	return false;
}

static int
scan_copy_keys(struct kv_keys *to, const char *const *keys, size_t n)
{
	to->key = calloc(n, sizeof(to->key[0]));
	if (!to->key)
		return -1;
	for (; to->n < n; to->n++) {
		to->key[to->n] = strdup(keys[to->n]);
		if (!to->key[to->n])
			return -1;
	}
	return 0;
}

/* A scan that could not begin any read has nothing in flight that would end it. */
bool
scan_keys(const struct scan_spec *spec, const char *const *keys, size_t n)
{
	struct scan *s = calloc(1, sizeof(*s));

	if (!s)
		return false;
	s->spec = *spec;
	if (n > 0 && scan_copy_keys(&s->keys, keys, n) == 0)
		scan_fill(s);
	if (s->flying > 0)
		return true;
	kv_keys_deinit(&s->keys);
	free(s);
	return false;
}
