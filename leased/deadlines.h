/*
 * deadlines.h - a binary heap of instants, with the place of each in its owner, so that one
 * timer serves many and a change costs the logarithm of their number.  Pure.
 */
#pragma once

#include <stdint.h>
#include <stddef.h>

#include "common/cleanup.h"

#define DEADLINE_NEVER	UINT64_MAX

struct deadline {
	uint64_t	 at_ms;
	size_t		 place;		/* 1-based; 0: not in the heap */
};

struct deadlines {
	struct deadline	**heap;		/* heap[0] is the nearest */
	size_t		  n, room;
};

void	 deadlines_deinit(struct deadlines *h);
/* Makes room for n in all: deadline_set never fails afterwards.  0 or -ENOMEM. */
int	 deadlines_reserve(struct deadlines *h, size_t n) MUST_CHECK;
/* Puts d at at_ms, wherever it was; DEADLINE_NEVER takes it out. */
void	 deadline_set(struct deadlines *h, struct deadline *d, uint64_t at_ms);
struct deadline *deadlines_first(const struct deadlines *h);	/* NULL: none */
