/*
 * zone_list.h - the availability zones of the cluster, sorted.  Loop thread only.
 */
#pragma once

#include <stddef.h>

#define ZONES_MAX	64
#define ZONE_NAME_MAX	64

struct gwd;
struct zone_list {
	char	 zone[ZONES_MAX][ZONE_NAME_MAX + 1];
	size_t	 n;
};
/* Each node's own, as its record says it, whether or not it answers; and this gateway's. */
void	 zone_list_of(const struct gwd *g, struct zone_list *ret);
