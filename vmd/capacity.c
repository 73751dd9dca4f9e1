#include "vmd/capacity.h"

#include <assert.h>

void
capacity_init(struct capacity *c, uint32_t cores, uint32_t ratio, uint64_t memory_mib,
    uint64_t reserve_mib)
{
	*c = (struct capacity){
		.vcpus = (uint64_t)cores * ratio,
		.memory_mib = memory_mib > reserve_mib ? memory_mib - reserve_mib : 0,
		.live_mib = UINT64_MAX,
	};
}

void
capacity_see(struct capacity *c, uint64_t live_mib)
{
	c->live_mib = live_mib;
}

uint64_t
capacity_fits(const struct capacity *c, const struct capacity_need *need)
{
	uint64_t by_vcpus, by_memory;

	assert(need->vcpus > 0 && need->memory_mib > 0);
	by_vcpus = capacity_vcpus_free(c) / need->vcpus;
	by_memory = capacity_memory_free(c) / need->memory_mib;
	return by_vcpus < by_memory ? by_vcpus : by_memory;
}

bool
capacity_reserve(struct capacity *c, const struct capacity_need *need, uint64_t n)
{
	if (capacity_fits(c, need) < n)
		return false;
	c->vcpus_used += n * need->vcpus;
	c->memory_used_mib += n * need->memory_mib;
	return true;
}

void
capacity_adopt(struct capacity *c, const struct capacity_need *need)
{
	c->vcpus_used += need->vcpus;
	c->memory_used_mib += need->memory_mib;
}

void
capacity_release(struct capacity *c, const struct capacity_need *need)
{
	assert(c->vcpus_used >= need->vcpus && c->memory_used_mib >= need->memory_mib);
	c->vcpus_used -= need->vcpus;
	c->memory_used_mib -= need->memory_mib;
}
