/*
 * beat.h - this node's heartbeat, `heartbeat.<node>` in spinifex-cluster-state, each
 * node_ttl/6: when it was, and what the node offers and holds.  Loop thread only.
 */
#pragma once

#include "vmd/vmd.h"

int	 beat_new(struct vmd *d, struct beat **ret) MUST_CHECK;
void	 beat_free(struct beat *b);	/* NULL is fine */
