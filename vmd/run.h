/*
 * run.h - ec2.RunInstances.<type>.<node>: image, room, records, answer; the launches follow by
 * themselves.  All instances of a request, or none.  Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

/* The rows' handler. */
void	 run_on_request(void *arg, struct bus_req *req, const void *in);
/* The request under way that makes this instance takes it: held until it is answered, its
 * room already counted.  False: there is none. */
bool	 run_claims(struct vmd *d, struct vm *vm);
/* The daemon ends: requests under way are forgotten, unanswered. */
void	 run_free_all(struct vmd *d);
