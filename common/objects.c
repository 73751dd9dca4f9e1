/* What every object store has in common. */
#include "common/objects.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const result_text[OBJECT_RESULTS] = {
	[OBJECT_OK]		= "done",
	[OBJECT_NOT_FOUND]	= "there is no such object",
	[OBJECT_EXISTS]		= "the key is used already",
	[OBJECT_UNAVAILABLE]	= "the object store is not reachable",
	[OBJECT_UNKNOWN]	= "the object store did not say whether it did it",
	[OBJECT_REFUSED]	= "the object store refused it",
	[OBJECT_LOST]		= "the object store's bucket is gone",
	[OBJECT_INVALID]	= "the key or the metadata is not valid",
	[OBJECT_NOMEM]		= "no memory",
};

const char *
object_result_text(enum object_result r)
{
	return r < OBJECT_RESULTS ? result_text[r] : "unknown";
}

const char *
object_meta(const struct object_info *o, const char *name)
{
	for (size_t i = 0; i < o->nmeta; i++)
		if (strcmp(o->meta[i].name, name) == 0)
			return o->meta[i].value;
	return NULL;
}

static bool
is_made_of(const char *s, const char *allowed, size_t max)
{
	size_t n = strlen(s);

	return n > 0 && n <= max && strspn(s, allowed) == n;
}

static bool
is_printable(const char *s, size_t max)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (s[i] < ' ' || s[i] > '~')
			return false;
	return n <= max && s[0] != ' ' && s[n - 1] != ' ';
}

int
object_meta_add(struct object_info *o, const char *name, const char *value)
{
	struct object_meta *m = &o->meta[o->nmeta];

	if (value[0] == '\0')
		return 0;
	if (o->nmeta == OBJECT_META_MAX ||
	    !is_made_of(name, "abcdefghijklmnopqrstuvwxyz0123456789-", OBJECT_META_NAME_MAX) ||
	    !is_printable(value, OBJECT_META_VALUE_MAX) || object_meta(o, name))
		return -EINVAL;
	snprintf(m->name, sizeof(m->name), "%s", name);
	snprintf(m->value, sizeof(m->value), "%s", value);
	o->nmeta++;
	return 0;
}

bool
object_key_is_valid(const char *key)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789_-/";

	/* No leading '_': buckets keep such keys to themselves. */
	return is_made_of(key, allowed, OBJECT_KEY_MAX) && key[0] != '/' && key[0] != '_' &&
	    key[strlen(key) - 1] != '/' && !strstr(key, "//");
}

void
object_keys_deinit(struct object_keys *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->v[i]);
	free(k->v);
	*k = (struct object_keys){ 0 };
}

void
object_list_deinit(struct object_list *l)
{
	free(l->v);
	*l = (struct object_list){ 0 };
}
