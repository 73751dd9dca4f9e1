/*
 * waiting.h - asks for a key whose first look is still under way: they are answered when its
 * verdict comes, or as not held when that takes too long.  Loop thread.
 */
#pragma once

#include "common/bus.h"
#include "leased/lease_table.h"

struct waiting;
int	 waiting_new(struct loop *l, size_t max, struct lease_table *t, struct waiting **ret)
    MUST_CHECK;
void	 waiting_free(struct waiting *w);	/* NULL is fine; refuses what waits */
/* Takes req; over the maximum, or without memory, it is refused as retryable. */
void	 waiting_add(struct waiting *w, struct bus_req *req, const char *key,
    const char *incarnation, uint64_t until_ms);
void	 waiting_verdict(struct waiting *w, struct hold *h, uint64_t now_ms);
/* An answer as JSON, or as the refusal that it is. */
void	 waiting_answer(struct bus_req *req, const struct hold_answer *a);
