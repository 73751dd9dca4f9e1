/* A guest's end, and what it held; see vm.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/msgid.h"
#include "vmd/vm.h"

#define OWED_RETRY_MS	30000	/* of what a terminated instance still holds */

/* ---- the guest ---- */

static void
kill_now(struct vm *vm)
{
	int r;

	vm_enter(vm, VM_KILL);
	r = guest_kill(vm->guest);
	if (r < 0 && r != -ESRCH)
		vm_log(vm, LOG_ERR, "QEMU cannot be killed: %s", strerror(-r));
	loop_timer_in(vm->timer, VM_KILL_MS);
}

static void
on_quit(void *arg, struct guest *g, int r, const char *why)
{
	struct vm *vm = arg;

	if (r < 0 && vm->r && vm->phase == VM_QUIT)
		kill_now(vm);
}

void
stop_hurry(struct vm *vm)
{
	vm_enter(vm, VM_QUIT);
	if (guest_quit(vm->guest, on_quit, vm) < 0)
		kill_now(vm);
	else
		loop_timer_in(vm->timer, VM_QUIT_MS);
}

static void
on_powered_down(void *arg, struct guest *g, int r, const char *why)
{
	struct vm *vm = arg;

	/* A QEMU that does not take the question gets no grace for the answer. */
	if (r < 0 && vm->r && vm->phase == VM_POWER_DOWN)
		stop_hurry(vm);
}

void
stop_begin(struct vm *vm)
{
	enum guest_run run = guest_run_of(vm->guest);
	bool graceful = vm_instance(vm)->state == INSTANCE_STOPPING && !vm->force;

	/* One just adopted has not said yet how it is: its grace is not less for that. */
	vm->is_asked_down = run != GUEST_RUN_UNKNOWN;
	if (!graceful || (vm->is_asked_down && (run != GUEST_RUN_RUNNING ||
	    guest_power_down(vm->guest, on_powered_down, vm) < 0))) {
		stop_hurry(vm);
		return;
	}
	vm_enter(vm, VM_POWER_DOWN);
	loop_timer_in(vm->timer, vm->d->conf->stop_grace_ms);
}

void
stop_on_timer(struct vm *vm)
{
	if (vm->phase == VM_POWER_DOWN) {
		vm_log(vm, LOG_NOTICE, "no power-down in the grace period: ended");
		stop_hurry(vm);
	} else {
		kill_now(vm);
	}
}

/* ---- what the record becomes ---- */

static int
become_stopped(void *arg, struct instance *i)
{
	struct vm *vm = arg;

	if (i->state != INSTANCE_STOPPING && i->state != INSTANCE_PENDING)
		return -ECANCELED;
	if (i->state == INSTANCE_PENDING)
		policy_explain(i, POLICY_WHY_LAUNCH, vmd_wall_ms(vm->d), vm->why);
	i->state = INSTANCE_STOPPED;
	return 0;
}

/* Force: said although the store is still owed its last variables. */
static int
become_stopped_owed(void *arg, struct instance *i)
{
	struct vm *vm = arg;
	int r = become_stopped(arg, i);

	if (r == 0) {
		snprintf(i->reason_code, sizeof(i->reason_code), POLICY_OWED);
		snprintf(i->reason_message, sizeof(i->reason_message), POLICY_OWED ": %.200s",
		    vm->why);
	}
	return r;
}

static void
set_teardown(char ret[static 8], bool done)
{
	snprintf(ret, 8, "%s", done ? "done" : "pending");
}

static int
become_terminated(void *arg, struct instance *i)
{
	struct vm *vm = arg;
	unsigned undone = vm->made.undone;

	if (i->state == INSTANCE_SHUTTING_DOWN) {
		i->terminated_ms = vmd_wall_ms(vm->d);
		i->state = INSTANCE_TERMINATED;
	} else if (i->state != INSTANCE_TERMINATED) {
		return -ECANCELED;
	}
	set_teardown(i->teardown_uefi, (undone & 1u << LAUNCH_ROW_STORE) &&
	    (undone & 1u << LAUNCH_ROW_OPEN));
	set_teardown(i->teardown_volume, (undone & 1u << LAUNCH_ROW_DISK) &&
	    (undone & 1u << LAUNCH_ROW_VOLUMES));
	set_teardown(i->teardown_address, undone & 1u << LAUNCH_ROW_ADDRESS);
	return 0;
}

bool
stop_is_owed(const struct instance *i)
{
	return strcmp(i->teardown_uefi, "pending") == 0 ||
	    strcmp(i->teardown_volume, "pending") == 0 ||
	    strcmp(i->teardown_address, "pending") == 0;
}

/* ---- what it held ---- */

static void
put_away(struct vm *vm, enum launch_end end)
{
	switch (vm_instance(vm)->state) {
	case INSTANCE_PENDING:
	case INSTANCE_STOPPING:
		vm_write(vm, become_stopped);
		vm_forget_launch(vm);
		return;
	case INSTANCE_RUNNING:
		launch_again(vm);
		return;
	case INSTANCE_SHUTTING_DOWN:
	case INSTANCE_TERMINATED:
		if (end == LAUNCH_END_INSTANCE) {
			vm_write(vm, become_terminated);
			vm->since_ms = vm->retry_ms = 0;
		} else {
			vm_rest(vm);	/* terminated while it was stopping */
		}
		return;
	case INSTANCE_STOPPED:
		vm_rest(vm);
		return;
	}
}

static void
not_put_away(struct vm *vm, enum launch_end end)
{
	enum instance_state s = vm_instance(vm)->state;
	bool late = vmd_now_ms(vm->d) - vm->since_ms > VM_TEARDOWN_MS;

	if (vm->retry_ms == 0)
		vm_log(vm, LOG_WARNING, "%s: %s: tried again", vm->made.failed, vm->made.why);
	snprintf(vm->why, sizeof(vm->why), "%s", vm->made.why);
	if (strcmp(vm->made.code, LAUNCH_LOCKED) == 0) {
		vm->retry_ms = VM_RETRY_MIN_MS;		/* said once */
		recover_begin(vm);	/* a guest that nobody minds: found, it is ended */
	} else if (s == INSTANCE_STOPPING && vm->force && strcmp(vm->made.code, POLICY_OWED) == 0) {
		vm_write(vm, become_stopped_owed);
	} else if (s == INSTANCE_SHUTTING_DOWN && late && end == LAUNCH_END_INSTANCE) {
		vm_write(vm, become_terminated);
	} else if (s == INSTANCE_TERMINATED) {
		vm_wait_ms(vm, OWED_RETRY_MS);
	} else {
		vm_wait(vm);
	}
}

static void
on_torn_down(void *arg, void *job)
{
	struct vmd *d = arg;
	struct launch_job *j = job;
	struct vm *vm = vm_find(d, j->instance_id);

	if (!vm || vm->job != j) {
		launch_job_free(j);
		return;
	}
	vm_take_job(vm, j);
	if (vm->made.ok)
		put_away(vm, vm->made.end);
	else
		not_put_away(vm, vm->made.end);
}

void
stop_teardown(struct vm *vm, enum launch_end end)
{
	struct vmd *d = vm->d;
	/* One under way is seen to its end first, and then what it left. */
	struct launch_job *j = vm->volume_op ? NULL : vm_job_new(vm);

	if (vm->since_ms == 0)
		vm->since_ms = vmd_now_ms(d);
	if (j)
		j->end = end;
	if (!j || jobs_submit(d->d.jobs, vm->id, launch_job_undo, on_torn_down, d, j, NULL) < 0) {
		launch_job_free(j);
		vm_wait(vm);
		return;
	}
	vm->job = j;
	vm_enter(vm, VM_TEARDOWN);
}

/* ---- a guest that ended by itself ---- */

static int
end_guest(struct vm *vm, struct instance *i, enum instance_state to, enum policy_why why)
{
	if (i->state != INSTANCE_RUNNING)
		return -ECANCELED;
	i->state = to;
	policy_explain(i, why, vmd_wall_ms(vm->d), NULL);
	return 0;
}

static int
guest_stopped(void *arg, struct instance *i)
{
	return end_guest(arg, i, INSTANCE_STOPPING, POLICY_WHY_GUEST);
}

static int
guest_terminated(void *arg, struct instance *i)
{
	return end_guest(arg, i, INSTANCE_SHUTTING_DOWN, POLICY_WHY_GUEST);
}

static int
guest_gave_up(void *arg, struct instance *i)
{
	return end_guest(arg, i, INSTANCE_STOPPING, POLICY_WHY_CRASH);
}

static void
log_crash(const struct vm *vm)
{
	vm->d->counts[VMD_COUNT_CRASHED]++;
	log_fields(LOG_ERR, &(const struct log_ctx){ .instance = vm->id,
	    .message_id = MSG_QEMU_CRASHED }, "%s: QEMU ended unexpectedly%s%s", vm->id,
	    *vm->end_reason ? ": " : "", vm->end_reason);
}

void
stop_ended(struct vm *vm)
{
	const struct instance *i = vm_instance(vm);
	uint64_t delay_ms = 0;
	enum policy_end end = policy_ended(i->state, vm->end_reason,
	    strcmp(i->shutdown_behavior, "terminate") == 0, &vm->restarts, vmd_now_ms(vm->d),
	    &delay_ms);

	vm->since_ms = vm->retry_ms = 0;
	switch (end) {
	case POLICY_END_STOP:
		vm_log(vm, LOG_NOTICE, "the guest switched itself off");
		vm_write(vm, guest_stopped);
		return;
	case POLICY_END_TERMINATE:
		vm_log(vm, LOG_NOTICE, "the guest switched itself off: terminated");
		vm_write(vm, guest_terminated);
		return;
	case POLICY_END_GIVE_UP:
		log_crash(vm);
		vm_write(vm, guest_gave_up);
		return;
	case POLICY_END_RESTART:
		log_crash(vm);
		vm->relaunch = vm->has_run = true;
		vm->end_reason[0] = '\0';
		vm_wait_ms(vm, delay_ms);
		return;
	}
}
