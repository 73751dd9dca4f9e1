/* The table of local copies. */
#include "uefid/locals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uefid/watch.h"

static const char *const state_names[LOCAL_STATES] = {
	[LOCAL_OPEN]	 = "open",
	[LOCAL_CLEAN]	 = "clean",
	[LOCAL_OWED]	 = "owed",
	[LOCAL_FENCED]	 = "fenced",
	[LOCAL_DELETING] = "deleting",
};

const char *
local_state_name(enum local_state s)
{
	return s < LOCAL_STATES ? state_names[s] : "unknown";
}

struct local *
local_find(struct locals *l, const char *instance_id)
{
	struct local *one;

	TAILQ_FOREACH(one, l, link)
		if (strcmp(one->instance_id, instance_id) == 0)
			return one;
	return NULL;
}

struct local *
local_get(struct locals *l, const char *instance_id, uint64_t wall_ms)
{
	struct local *one = local_find(l, instance_id);

	if (one)
		return one;
	one = calloc(1, sizeof(*one));
	if (!one)
		return NULL;
	snprintf(one->instance_id, sizeof(one->instance_id), "%s", instance_id);
	one->since_ms = wall_ms;
	one->watch_id = WATCH_NONE;
	TAILQ_INSERT_TAIL(l, one, link);
	return one;
}

bool
local_move(struct local *l, enum local_state to, const char *why, uint64_t wall_ms)
{
	bool is_news = l->state != to;

	if (is_news)
		l->since_ms = wall_ms;
	l->state = to;
	snprintf(l->why, sizeof(l->why), "%s", why ? why : "");
	return is_news;
}

size_t
local_count(const struct locals *l)
{
	const struct local *one;
	size_t n = 0;

	TAILQ_FOREACH(one, l, link)
		n++;
	return n;
}

void
local_free(struct locals *l, struct local *one)
{
	TAILQ_REMOVE(l, one, link);
	free(one);
}
