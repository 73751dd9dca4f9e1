/*
 * quota.h - how many vCPUs an account may have: [gwd] vcpu_limit.  What it has is read from the
 * instances' records when it asks for more, so that nothing has to be kept true; what is being
 * launched through this gateway meanwhile counts in full.  Rules; loop thread only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/instance.h"
#include "common/types.h"

/* Of one instance; 0 of a terminated one.  A type that is no longer known counts as one. */
uint32_t quota_vcpus(const struct instance *record, const struct types *types);
/* vCPUs of the account's instances. */
uint64_t quota_used(const struct instance *records, size_t n, const char *account,
    const struct types *types);
/* How many of max instances the limit leaves; 0: less than min, nothing is to be launched. */
uint32_t quota_leaves(uint64_t limit, uint64_t used, uint32_t vcpus, uint32_t min, uint32_t max);
