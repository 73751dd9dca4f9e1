/* The judge of a store's objects. */
#include "uefid/prune.h"

#include <errno.h>
#include <string.h>

static bool
is_candidate(const struct prune *p, const struct prune_object *o)
{
	return strcmp(o->key, p->pointer_key) != 0 && !o->is_set_aside && o->generation != 0;
}

/* Newer first; among equals by key, so that the order is one. */
static bool
is_newer(const struct prune_object *a, const struct prune_object *b)
{
	if (a->written_ms != b->written_ms)
		return a->written_ms > b->written_ms;
	return strcmp(a->key, b->key) > 0;
}

static bool
is_kept_version(const struct prune *p, const struct prune_object *objects, size_t n, size_t i)
{
	size_t newer = 0;

	for (size_t j = 0; j < n; j++)
		newer += j != i && is_candidate(p, &objects[j]) &&
		    is_newer(&objects[j], &objects[i]);
	return newer < p->keep_versions;
}

static enum prune_verdict
judge_one(const struct prune *p, const struct prune_object *objects, size_t n, size_t i)
{
	const struct prune_object *o = &objects[i];

	if (!is_candidate(p, o) || o->generation > p->generation)
		return PRUNE_KEEP;
	if (o->written_ms == 0)
		return PRUNE_YOUNG;
	if (is_kept_version(p, objects, n, i))
		return PRUNE_KEEP;
	if (o->generation == p->generation)
		return PRUNE_DELETE;
	return o->written_ms + PRUNE_AGE_MS < p->now_ms ? PRUNE_DELETE : PRUNE_YOUNG;
}

int
prune_judge(const struct prune *p, const struct prune_object *objects, size_t n,
    enum prune_verdict *verdicts)
{
	if (!uefi_key_is_of(p->pointer_key, p->owner) || p->generation == 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!uefi_key_is_of(objects[i].key, p->owner))
			return -EINVAL;
	for (size_t i = 0; i < n; i++)
		verdicts[i] = judge_one(p, objects, n, i);
	return 0;
}
