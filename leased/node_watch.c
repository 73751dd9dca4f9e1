#include "leased/node_watch.h"

#include <stdlib.h>
#include <string.h>

void
node_watch_deinit(struct node_watch *w)
{
	free(w->sights);
	*w = (struct node_watch){ .n = 0 };
}

static struct node_sight *
find(const struct node_watch *w, const char *node)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->sights[i].node, node) == 0)
			return &w->sights[i];
	return NULL;
}

const struct node_sight *
node_watch_find(const struct node_watch *w, const char *node)
{
	return find(w, node);
}

static struct node_sight *
add(struct node_watch *w, const char *node)
{
	size_t len = strlen(node);
	struct node_sight *grown;

	if (w->n >= NODE_WATCH_MAX || len == 0 || len > CAS_HOLDER_MAX)
		return NULL;
	grown = reallocarray(w->sights, w->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	w->sights = grown;
	grown[w->n] = (struct node_sight){ .revision = 0 };
	memcpy(grown[w->n].node, node, len + 1);
	return &grown[w->n++];
}

void
node_watch_word(struct node_watch *w, const char *node, uint64_t generation, uint64_t now_ms)
{
	struct node_sight *s = find(w, node);

	if (!s)
		s = add(w, node);
	if (!s)
		return;			/* no room: the beat is asked, as for any other */
	s->word_generation = generation;
	s->word_ms = now_ms;
}

const struct node_sight *
node_watch_saw(struct node_watch *w, const char *node, const struct lease_seen *seen,
    uint64_t now_ms)
{
	bool is_read = seen->result == CAS_OK || seen->result == CAS_NOT_FOUND;
	struct node_sight *s = find(w, node);

	if (!is_read || seen->revision == 0)
		return s;
	if (!s)
		s = add(w, node);
	if (!s)
		return NULL;
	if (s->revision != seen->revision) {
		s->revision = seen->revision;
		s->first_ms = now_ms;
	}
	s->last_ms = now_ms;
	s->is_corrupt = seen->is_corrupt;
	s->token = seen->result == CAS_OK && !seen->is_corrupt ? seen->token :
	    (struct cas_token){ .generation = 0 };
	return s;
}
