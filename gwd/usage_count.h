/*
 * usage_count.h - the vCPUs of each account, counted from the instances' records, and one account's
 * count in the store.  Rules over a store of three calls; usage_set may block: for jobs.
 */
#pragma once

#include "common/cas.h"
#include "common/instance.h"
#include "common/types.h"

struct usage_sum {
	char		 account[13];
	uint64_t	 vcpus;
};
/* Sorted by account; one whose instances are all terminated has 0.  Caller frees *ret.  0 or
 * -ENOMEM. */
int	 usage_sums(const struct instance *records, size_t n, const struct types *types,
    struct usage_sum **ret, size_t *ret_n) MUST_CHECK;
uint64_t usage_of(const struct usage_sum *sums, size_t n, const char *account);	/* 0: not there */

/*
 * The count of that account is vcpus: written where another number, or no number, stands.  A write
 * that meets another's is left to the next count.  *ret_changed: it was written.
 */
enum cas_result usage_set(const struct cas_store *store, const char *account, uint64_t vcpus,
    bool *ret_changed) MUST_CHECK;
