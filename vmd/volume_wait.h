/* volume_wait.h - commands that wait behind the change of an instance's volumes that is under
 * way: terraform asks for several at once.  Loop thread only. */
#pragma once

#include "vmd/command.h"

struct volume_wait {
	struct volume_wait	*next;
	struct command		*c;
	cJSON			*in;	/* owned */
	void			(*run)(struct command *c, struct vm *vm, const cJSON *in);
};

/* Last in vm's line.  False: it cannot wait; nothing was taken. */
bool	 volume_wait_add(struct vm *vm, struct command *c, const cJSON *in,
    void (*run)(struct command *, struct vm *, const cJSON *)) MUST_CHECK;
/* The first in the line, the caller's to free with what it owns; NULL: nobody waits. */
struct volume_wait *volume_wait_take(struct vm *vm);
