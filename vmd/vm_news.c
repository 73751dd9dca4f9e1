/* What guests report, by phase; see vm.h. */
#include <stdio.h>
#include <string.h>

#include "vmd/vm.h"

static void
on_exited(struct vm *vm, struct guest *g, const struct guest_news *n)
{
	if (n->end.signal)
		vm_log(vm, LOG_NOTICE, "QEMU was killed by signal %d", n->end.signal);
	else if (n->end.status >= 0)
		vm_log(vm, LOG_NOTICE, "QEMU exited with status %d", n->end.status);
	else
		vm_log(vm, LOG_NOTICE, "QEMU is gone");
	guest_free(g);
	vm->guest = NULL;
	if (!vm->r) {
		vm_free(vm);
		return;
	}
	switch (vm->phase) {
	case VM_CONT:
		launch_on_news(vm, n);
		return;
	case VM_IDLE:
	case VM_POWER_DOWN:
	case VM_QUIT:
	case VM_KILL:
	case VM_ADOPT:
		vm_rest(vm);
		return;
	case VM_WAIT:
	case VM_PREPARE:
	case VM_START:
	case VM_TEARDOWN:
	case VM_WRITE:
	case VM_PHASES:
		vm_count(vm);
		return;		/* whoever ends the phase sees that it is gone */
	}
}

static void
on_shut_down(struct vm *vm, const struct guest_news *n)
{
	bool missed = strcmp(n->reason, "missed") == 0;

	snprintf(vm->end_reason, sizeof(vm->end_reason), "%s", missed ? "guest-shutdown" :
	    n->reason);
	/* -no-shutdown: the process waits, so that this is seen.  Now it may go. */
	if (vm->phase == VM_IDLE || vm->phase == VM_POWER_DOWN)
		stop_hurry(vm);
	else if (vm->phase != VM_QUIT && vm->phase != VM_KILL)
		(void)!guest_quit(vm->guest, NULL, NULL);
}

static bool
is_beyond_help(const struct guest_news *n)
{
	return n->run == GUEST_RUN_BROKEN && strcmp(n->reason, "io-error") != 0;
}

static void
on_stopped(struct vm *vm, const struct guest_news *n)
{
	if (vm->phase == VM_CONT) {
		launch_on_news(vm, n);
		return;
	}
	if (vm->phase != VM_IDLE)
		return;
	if (n->run == GUEST_RUN_PRELAUNCH && vm_instance(vm)->state == INSTANCE_RUNNING) {
		/* A launch after a crash, which an earlier vmd did not end. */
		vm->relaunch = true;
		vm_step(vm);
	} else if (is_beyond_help(n)) {
		snprintf(vm->end_reason, sizeof(vm->end_reason), "%s", n->reason);
		stop_hurry(vm);
	} else {
		vm_log(vm, LOG_WARNING, "the guest is paused: %s", n->reason);
	}
}

void
vm_on_news(void *arg, struct guest *g, const struct guest_news *n)
{
	struct vm *vm = arg;

	if (n->what == GUEST_HAS_EXITED) {
		on_exited(vm, g, n);
		return;
	}
	if (!vm->r)
		return;
	if (vm->phase == VM_POWER_DOWN && !vm->is_asked_down &&
	    (n->what == GUEST_IS_RUNNING || n->what == GUEST_HAS_STOPPED)) {
		stop_begin(vm);		/* now it can be told */
		return;
	}
	switch (n->what) {
	case GUEST_IS_RUNNING:
		launch_on_news(vm, n);
		return;
	case GUEST_HAS_SHUT_DOWN:
		on_shut_down(vm, n);
		return;
	case GUEST_HAS_STOPPED:
		on_stopped(vm, n);
		return;
	case GUEST_DISK_IS_BAD:
		vm_log(vm, LOG_WARNING, "a disk of the guest fails: %s", n->reason);
		return;
	case GUEST_IS_IMPAIRED:
		vm_log(vm, LOG_WARNING, "impaired: %s", n->reason);
		return;
	case GUEST_ANSWERS:
		vm_log(vm, LOG_NOTICE, "QEMU answers again");
		return;
	case GUEST_WAS_RESET:
		vm_log(vm, LOG_DEBUG, "reset: %s", n->reason);
		return;
	case GUEST_HAS_EXITED:
		return;
	}
}
