#include "vmd/volume_wait.h"

#include <stdlib.h>

#define WAITS_MAX	16		/* more are told to try again */

bool
volume_wait_add(struct vm *vm, struct command *c, const cJSON *in,
    void (*run)(struct command *, struct vm *, const cJSON *))
{
	struct volume_wait **at = &vm->volume_waits, *w;
	size_t n = 0;

	for (; *at; at = &(*at)->next)
		n++;
	w = n < WAITS_MAX ? calloc(1, sizeof(*w)) : NULL;
	if (!w)
		return false;
	*w = (struct volume_wait){ .c = c, .in = cJSON_Duplicate(in, true), .run = run };
	if (!w->in) {
		free(w);
		return false;
	}
	*at = w;
	return true;
}

struct volume_wait *
volume_wait_take(struct vm *vm)
{
	struct volume_wait *w = vm->volume_waits;

	if (w)
		vm->volume_waits = w->next;
	return w;
}
