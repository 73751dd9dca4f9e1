/*
 * command.h - ec2.cmd.<instance-id>: what is asked of one instance of this node, served by its
 * owner alone, and ec2.StartInstances, by which any node takes over a stopped instance whose
 * owner is silent.  Loop thread only.
 */
#pragma once

#include "vmd/vm.h"

/* Serves ec2.cmd.<id> for as long as vm lives.  0 or -ENOMEM. */
int	 command_serve(struct vm *vm) MUST_CHECK;

/* The row of ec2.StartInstances. */
void	 command_on_start(void *arg, struct bus_req *req, const void *in);

/*
 * Starts a stopped instance here, taking it over when it is another node's.  account NULL: an
 * operator's.  done once, later: code NULL when it is pending, or was already; before is its
 * state then.  0 or -ENOMEM.
 */
typedef void command_started_fn(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now);
int	 command_start(struct vmd *d, const char *id, const char *account,
    command_started_fn *done, void *arg) MUST_CHECK;

/* Stops a running instance so that it comes back after the node's next boot. */
int	 command_drain(struct vm *vm) MUST_CHECK;
/* Starts what a drain before this boot stopped. */
void	 command_undrain(struct vm *vm);
