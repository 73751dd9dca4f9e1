/*
 * capacity.h - what this node offers to guests and what they hold of it.  vCPUs are shared up
 * to a ratio, memory never is.  Pure; one owner, the loop.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct capacity {
	uint64_t	 vcpus, vcpus_used;
	uint64_t	 memory_mib, memory_used_mib;
	uint64_t	 live_mib;	/* what the host has free at this moment; see capacity_see */
};
struct capacity_need {
	uint32_t	 vcpus;
	uint32_t	 memory_mib;
};

/* cores times ratio vCPUs; memory less the reserve (nothing when the reserve is larger). */
void	 capacity_init(struct capacity *c, uint32_t cores, uint32_t ratio, uint64_t memory_mib,
    uint64_t reserve_mib);

/* How much of the host's memory nobody uses now: no launch gets more, whatever was promised to
 * guests, for others than guests use it too.  UINT64_MAX, as after init: not known. */
void	 capacity_see(struct capacity *c, uint64_t live_mib);

/* How many more of need fit. */
uint64_t capacity_fits(const struct capacity *c, const struct capacity_need *need);

/* Room for n of need, all or nothing.  False: nothing was taken. */
bool	 capacity_reserve(struct capacity *c, const struct capacity_need *need, uint64_t n);
/* For a guest that runs already: taken even where there is no room left. */
void	 capacity_adopt(struct capacity *c, const struct capacity_need *need);
/* Gives back what one reserve (of n 1) or one adopt took. */
void	 capacity_release(struct capacity *c, const struct capacity_need *need);

static inline uint64_t
capacity_vcpus_free(const struct capacity *c)
{
	return c->vcpus > c->vcpus_used ? c->vcpus - c->vcpus_used : 0;
}

static inline uint64_t
capacity_memory_free(const struct capacity *c)
{
	uint64_t left = c->memory_mib > c->memory_used_mib ? c->memory_mib - c->memory_used_mib : 0;

	return left < c->live_mib ? left : c->live_mib;
}
