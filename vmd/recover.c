/* Guests of an earlier vmd; see vm.h. */
#include <errno.h>
#include <string.h>

#include "common/log.h"
#include "common/msgid.h"
#include "vmd/forward_port.h"

#define LOOK_AGAIN_MS	500	/* a lock that names nobody yet */

static void
let_go(struct vm *vm, struct guest *g)
{
	guest_free(g);
	vm->guest = NULL;
}

static void
on_adopted(void *arg, struct guest *g, int r, const char *why)
{
	struct vm *vm = arg;

	if (!vm->r) {			/* lost while we looked */
		if (r == 0)
			(void)guest_kill(g);
		else
			vm_free(vm);
		return;
	}
	switch (r) {
	case 0:
		vm->d->counts[VMD_COUNT_ADOPTED]++;
		vm_log(vm, LOG_NOTICE, "adopted, pid %d, launch %s", (int)guest_pid(g),
		    guest_launch_id(g));
		vm->started_ms = vmd_wall_ms(vm->d);
		vm->forward_port = forward_port_recall(vm);
		if (strcmp(guest_launch_id(g), vm_instance(vm)->launch_id) != 0) {
			vm_log(vm, LOG_ERR, "its record has launch %s: ended",
			    vm_instance(vm)->launch_id);
			stop_hurry(vm);
			return;
		}
		vm_rest(vm);
		return;
	case -ESRCH:
		let_go(vm, g);
		vm_rest(vm);
		return;
	default:
		if (r != -EAGAIN)
			vm_log(vm, LOG_WARNING, "its guest cannot be looked for: %s: again", why);
		let_go(vm, g);
		vm_enter(vm, VM_ADOPT);
		loop_timer_in(vm->timer, LOOK_AGAIN_MS);
		return;
	}
}

void
recover_begin(struct vm *vm)
{
	const struct instance *i = vm_instance(vm);
	struct launch_job at;

	vm->has_run = true;		/* unless we know better */
	vm_enter(vm, VM_ADOPT);
	if (vm_paths(vm->d, i, &at) < 0 || guest_adopt(&vm->d->env,
	    &(const struct guest_place){ .instance = i->id, .dir = at.dir, .lock = at.lock },
	    vm_on_news, on_adopted, vm, &vm->guest) < 0)
		loop_timer_in(vm->timer, LOOK_AGAIN_MS);
}

void
recover_ghost(struct vmd *d, const char *id, const char *dir, const char *lock)
{
	struct vm *vm = vm_new_ghost(d, id);

	if (!vm)
		return;			/* at the next look */
	log_fields(LOG_ERR, &(const struct log_ctx){ .instance = id,
	    .message_id = MSG_OWNERSHIP_LOST },
	    "%s: its record has left this node, and its lock is held: its guest is killed", id);
	if (guest_adopt(&d->env, &(const struct guest_place){ .instance = id, .dir = dir,
	    .lock = lock }, vm_on_news, on_adopted, vm, &vm->guest) < 0)
		vm_free(vm);
}
