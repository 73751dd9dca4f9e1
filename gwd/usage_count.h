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

/*
 * All of them: each account of sums, then each of keys, those that stand in the store, that has
 * nothing any more.  may is asked before each: once it says no, or the store is not there, the rest
 * is left to whoever counts next.  changed is told of each that was written.
 */
struct usage_count {
	const struct usage_sum	*sums;
	size_t			 n;
	bool			(*may)(void *arg);
	void			(*changed)(void *arg, const char *account, uint64_t vcpus);
	void			*arg;
};
enum cas_result usage_write(const struct cas_store *store, const struct usage_count *c,
    char *const *keys, size_t nkeys) MUST_CHECK;
