/*
 * place.h - which nodes get the instances of a RunInstances.  Spread first: the node that got
 * the fewest of this request; then the emptiest.  Either MinCount fit or nothing is placed.
 * Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define PLACE_NAME_MAX	64	/* bytes of a node's or a zone's name */

struct place_node {			/* what a node says of itself, for one instance type */
	char		 name[PLACE_NAME_MAX + 1];
	char		 zone[PLACE_NAME_MAX + 1];
	bool		 drained;	/* takes no new instance */
	bool		 offers;	/* runs this type at all */
	uint32_t	 fits;		/* how many more of the type */
	uint64_t	 memory_free_mib;
	uint32_t	 vcpus_free;
	uint32_t	 take;		/* out: how many it gets */
};
enum place_result {
	PLACE_OK,
	PLACE_NO_NODES,		/* no node answered */
	PLACE_NO_ZONE,		/* no node lies in that zone */
	PLACE_NO_TYPE,		/* no node there runs the type */
	PLACE_NO_ROOM,		/* less than min fit */
	PLACE_RESULTS
};
/*
 * zone "": any.  Places between min and max instances: take is set in each node, the sum is
 * *ret_total.  On failure every take is 0.
 */
enum place_result place_pick(struct place_node *nodes, size_t n, const char *zone, uint32_t min,
    uint32_t max, uint32_t *ret_total) MUST_CHECK;
