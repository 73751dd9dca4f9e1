/*
 * drain.h - stopping this node's guests so that they come back: each is stopped with the reason
 * "drain", nothing new is launched until vmd starts again, and a start of vmd after another
 * boot of the host starts what a drain stopped.  What somebody else stopped stays so.
 * Loop thread only.
 */
#pragma once

#include "vmd/vmd.h"

#define DRAIN_MAX_MS	600000

/* The row of vm.v1.<node>.drain: {deadline_ms} -> {stopped}. */
void	 drain_on_request(void *arg, struct bus_req *req, const void *in);
extern const struct json_field drain_fields[];
extern const size_t drain_nfields;
struct drain_in { uint64_t deadline_ms; };

/* When records are listed and at each gain of the lease: does nothing without a drain of another
 * boot. */
void	 drain_recover(struct vmd *d);
/* Forgets what is under way. */
void	 drain_free(struct vmd *d);
