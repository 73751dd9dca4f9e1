#include "gwd/quota.h"

#include <string.h>

uint32_t
quota_vcpus(const struct instance *record, const struct types *types)
{
	const struct type *t;

	if (record->state == INSTANCE_TERMINATED)
		return 0;
	t = types_find(types, record->instance_type);
	return t ? t->vcpus : 1;
}

uint64_t
quota_used(const struct instance *records, size_t n, const char *account,
    const struct types *types)
{
	uint64_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(records[i].account_id, account) == 0)
			used += quota_vcpus(&records[i], types);
	return used;
}

uint32_t
quota_leaves(uint64_t limit, uint64_t used, uint32_t vcpus, uint32_t min, uint32_t max)
{
	const uint64_t fit = used < limit && vcpus ? (limit - used) / vcpus : 0;

	if (fit < min)
		return 0;
	return fit < max ? (uint32_t)fit : max;
}
