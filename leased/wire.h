/*
 * wire.h - leased's subjects: a row each, JSON in and out, no rule.  spinifex-subjects(7) is
 * their reference.  Loop thread.
 */
#pragma once

#include "leased/leased.h"

int	 wire_new(struct leased *d, struct wire **ret) MUST_CHECK;	/* and serves */
void	 wire_free(struct wire *w);		/* NULL is fine; asks that wait are refused */
/* Edges of a lease: events are published, and the asks that waited for a verdict answered. */
void	 wire_edges(struct wire *w, struct hold *h, unsigned edges, uint64_t now_ms);
/* A stop: each tenant that believes is told that its lease is lost. */
void	 wire_lost_all(struct wire *w);
