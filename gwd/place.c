#include "gwd/place.h"

#include <string.h>

static bool
place_is_in(const struct place_node *p, const char *zone)
{
	return zone[0] == '\0' || strcmp(p->zone, zone) == 0;
}

static bool
place_may(const struct place_node *p, const char *zone)
{
	return place_is_in(p, zone) && p->offers && !p->drained && p->take < p->fits;
}

/* Is a a better place for the next instance than b?  The name makes it the same everywhere. */
static bool
place_is_better(const struct place_node *a, const struct place_node *b)
{
	if (a->take != b->take)
		return a->take < b->take;
	if (a->memory_free_mib != b->memory_free_mib)
		return a->memory_free_mib > b->memory_free_mib;
	if (a->vcpus_free != b->vcpus_free)
		return a->vcpus_free > b->vcpus_free;
	return strcmp(a->name, b->name) < 0;
}

static struct place_node *
place_best(struct place_node *nodes, size_t n, const char *zone)
{
	struct place_node *best = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!place_may(&nodes[i], zone))
			continue;
		if (!best || place_is_better(&nodes[i], best))
			best = &nodes[i];
	}
	return best;
}

/* Why nothing could be placed, the most telling reason first. */
static enum place_result
place_why(const struct place_node *nodes, size_t n, const char *zone)
{
	bool in_zone = false;

	for (size_t i = 0; i < n; i++) {
		if (!place_is_in(&nodes[i], zone))
			continue;
		in_zone = true;
		if (nodes[i].offers)
			return PLACE_NO_ROOM;
	}
	if (n == 0)
		return PLACE_NO_NODES;
	return in_zone ? PLACE_NO_TYPE : PLACE_NO_ZONE;
}

enum place_result
place_pick(struct place_node *nodes, size_t n, const char *zone, uint32_t min, uint32_t max,
    uint32_t *ret_total)
{
	uint32_t total = 0;
	struct place_node *best;

	for (size_t i = 0; i < n; i++)
		nodes[i].take = 0;
	while (total < max && (best = place_best(nodes, n, zone))) {
		best->take++;
		total++;
	}
	if (total >= min && total > 0) {
		*ret_total = total;
		return PLACE_OK;
	}
	for (size_t i = 0; i < n; i++)
		nodes[i].take = 0;
	return place_why(nodes, n, zone);
}
