/*
 * takeover.h - starting a stopped instance on this node, whosever it was: by ec2.StartInstances
 * (the queue, when its owner has no responder or declines) and vm.v1.<node>.start.  The record
 * is read, this node's uefid asked whether the store could be opened here, and the record's
 * node moved together with its state by a swap at exactly the revision read.  A record that
 * says anything but stopped is never moved here.
 *
 * One whose reason is uefi.owed stays with the node that has its copy: what its guest wrote
 * last is only there.  An operator who gives that up says discard_owed; then the claim is
 * taken over, once that node is dead.  Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

/* code NULL: it is `now`: pending, or was so or running already. */
typedef void takeover_fn(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now);
struct takeover_ask {
	const char	*id;
	const char	*account;	/* NULL: an operator's */
	const char	*request_id;	/* NULL: nobody's */
	bool		 discard_owed;
	bool		 is_recovery;	/* see recovery.h */
	bool		 is_fenced;	/* an operator's word: its node's machine is off */
	bool		 is_stop;	/* a recovery that leaves it stopped: by force, for EC2 */
};
/* fn once, later or at once.  0; -ENOMEM: it is not called. */
int	 takeover_start(struct vmd *d, const struct takeover_ask *ask, takeover_fn *fn,
    void *arg) MUST_CHECK;

/* The rows of ec2.StartInstances and ec2.StopInstances. */
void	 takeover_on_start(void *arg, struct bus_req *req, const void *in);
void	 takeover_on_stop(void *arg, struct bus_req *req, const void *in);
