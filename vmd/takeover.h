/*
 * takeover.h - starting a stopped instance on this node, whosever it was: by ec2.StartInstances
 * (the queue, when its owner has no responder) and vm.v1.<node>.start.  The record's node is
 * moved by compare-and-swap together with its state; a record that says anything but stopped is
 * never moved here.  Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

/* code NULL: it is pending, or was so or running already. */
typedef void takeover_fn(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now);
/* account NULL: an operator's.  fn once, later or at once.  0; -ENOMEM: it is not called. */
int	 takeover_start(struct vmd *d, const char *id, const char *account, takeover_fn *fn,
    void *arg) MUST_CHECK;

/* The row of ec2.StartInstances. */
void	 takeover_on_request(void *arg, struct bus_req *req, const void *in);
