/*
 * reseed_plan.h - what a reseed has to write back, from what the nodes that answer say they hold
 * and from what the buckets have.  Pure.
 *
 *	a key that an answering node holds	in the bucket		then
 *						nothing			written
 *						a marker		written; of instances and
 *									 stores unclear: their
 *									 marker is final
 *						the same		written again: its revision has to
 *									 be above the one that is known
 *						a later one		kept
 *						an earlier one		written over it
 *	held by two at different ranks					the higher one counts
 *	held by two at one rank						unclear
 *
 * "Later" is a higher generation of a lease, a claim or a store.  An instance's record is written
 * by the node that it names alone, so what that node holds counts.
 */
#pragma once

#include "common/cas.h"

struct reseed_item {
	char		*bucket, *key, *value, *node;	/* owned */
	uint64_t	 rank;
	uint64_t	 expected;	/* of the write */
	bool		 is_written;	/* it has to be */
	bool		 is_unclear;
};
struct reseed_plan {
	struct reseed_item	*item;
	size_t			 n, room;
};

/* node says that it holds key.  0 or -ENOMEM. */
int	 reseed_plan_add(struct reseed_plan *p, const char *node, const char *bucket,
    const char *key, const char *value, uint64_t rank) MUST_CHECK;
/* The bucket has this (res: CAS_OK or CAS_NOT_FOUND), for an item of p.  0 or -ENOMEM. */
int	 reseed_plan_judge(struct reseed_plan *p, struct reseed_item *i, enum cas_result res,
    const struct cas_entry *e) MUST_CHECK;
/* The highest generation that a value of that bucket carries; 0: none. */
uint64_t reseed_generation(const char *bucket, const char *key, const struct cas_entry *e);
void	 reseed_plan_deinit(struct reseed_plan *p);
