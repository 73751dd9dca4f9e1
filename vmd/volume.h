/*
 * volume.h - volumes of this node's instances come and go.  One at a time of each instance:
 *
 *	attach	claim the volume (its record), list it (the instance's), plug it in, "in-use"
 *	detach	mark it detaching, take it out, unlist it, release it
 *
 * The volume's record names the instance from before it is listed until after; so whatever is
 * cut short anywhere is seen there, and volume_settle carries it on, by any vmd that owns the
 * instance.  A release is a swap at the revision that was read before a swap of the instance's
 * record landed: so it is never another owner's doing that is taken back.  Loop thread only.
 */
#pragma once

#include "common/volume.h"
#include "vmd/command.h"

/* Commands: in is the payload.  attribute.c's are like them. */
void	 volume_attach(struct command *c, struct vm *vm, const cJSON *in);
void	 volume_detach(struct command *c, struct vm *vm, const cJSON *in);
/* instance_attribute_data of a `device` that is not the root's, and a `keep_volume`: checked. */
void	 volume_keep(struct command *c, struct vm *vm, const cJSON *in);

/* What the record of a volume says that names vm's instance, at that revision: the rest of an
 * attach or detach is begun, if any.  False: there is one, and it cannot be begun now. */
bool	 volume_settle(struct vm *vm, const char *id, enum volume_state state, uint64_t revision);
/* vm goes: nobody waits for its guest any more. */
void	 volume_abandon(struct vm *vm);
