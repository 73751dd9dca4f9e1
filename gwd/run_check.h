/*
 * run_check.h - what the parameters of RunInstances must satisfy by themselves: asked before
 * DryRun is answered.  What clients send though it says nothing here (Terraform's false and
 * empty members) is taken; what would be promised and not kept is refused.  No clock, no bus,
 * no files; any thread.
 */
#pragma once

#include "gwd/action.h"

#define RUN_COUNT_MAX	100	/* instances of one request */

action_check_fn run_check;
/* User data alone, which ModifyInstanceAttribute takes as well.  0, -EINVAL or -ENOMEM. */
int	 run_check_data(const char *base64, struct shape_error *ret_error) MUST_CHECK;

/* MetadataOptions alone, which ModifyInstanceMetadataOptions takes as well. */
action_check_fn run_check_metadata;

/* Does it say anything?  Empty texts, zero, false and empty lists do not. */
bool	 run_is_set(const cJSON *v);

/* Texts that are empty say nothing: out they go, so that nobody behind has to ask.  Values of
 * tags stay. */
void	 run_prune(cJSON *in);
