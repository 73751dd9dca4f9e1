#include "vmd/vm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "common/msgid.h"
#include "vmd/command.h"
#include "vmd/leftover.h"
#include "vmd/room.h"
#include "vmd/volume.h"

static const char *const phase_names[VM_PHASES] = {
	[VM_IDLE]	= "",
	[VM_ADOPT]	= "adopting",
	[VM_WAIT]	= "waiting",
	[VM_PREPARE]	= "preparing",
	[VM_START]	= "launching",
	[VM_CONT]	= "launching",
	[VM_POWER_DOWN]	= "powering-down",
	[VM_QUIT]	= "quitting",
	[VM_KILL]	= "killing",
	[VM_TEARDOWN]	= "putting-away",
	[VM_WRITE]	= "recording",
};

const char *
vm_phase_name(enum vm_phase p)
{
	return phase_names[p];
}

void
vm_log(const struct vm *vm, int priority, const char *fmt, ...)
{
	const struct log_ctx ctx = { .instance = vm->id,
		.request_id = vm->request_id[0] ? vm->request_id : NULL };
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	log_fields(priority, &ctx, "%s: %s", vm->id, text);
}

struct vm *
vm_find(const struct vmd *d, const char *id)
{
	struct record *r = records_find(d->records, id);

	return r ? record_owner(r) : NULL;
}

static void	 on_timer(void *arg);

struct vm *
vm_new(struct vmd *d, struct record *r)
{
	struct vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return NULL;
	vm->d = d;
	vm->r = r;
	snprintf(vm->id, sizeof(vm->id), "%s", record_instance(r)->id);
	if (loop_timer_new(d->d.loop, on_timer, vm, &vm->timer) < 0 ||
	    command_serve(vm) < 0) {
		vm_free(vm);
		return NULL;
	}
	record_set_owner(r, vm);
	return vm;
}

struct vm *
vm_new_ghost(struct vmd *d, const char *id)
{
	struct vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return NULL;
	vm->d = d;
	vm->phase = VM_KILL;
	snprintf(vm->id, sizeof(vm->id), "%s", id);
	vm->next_ghost = d->ghosts;
	d->ghosts = vm;
	if (loop_timer_new(d->d.loop, on_timer, vm, &vm->timer) < 0) {
		vm_free(vm);
		return NULL;
	}
	return vm;
}

static void
forget_ghost(struct vm *vm)
{
	for (struct vm **g = &vm->d->ghosts; *g; g = &(*g)->next_ghost) {
		if (*g == vm) {
			*g = vm->next_ghost;
			return;
		}
	}
}

void
vm_free(struct vm *vm)
{
	if (!vm)
		return;
	if (vm->r)
		record_set_owner(vm->r, NULL);
	else
		forget_ghost(vm);
	if (vm->is_reserved)
		capacity_release(&vm->d->capacity, &vm->need);
	bus_sub_free(vm->commands);
	volume_abandon(vm);
	guest_free(vm->guest);
	loop_timer_free(vm->timer);
	free(vm->shown.text);
	free(vm);
}

/* ---- capacity ---- */

bool
vm_reserve(struct vm *vm)
{
	struct vmd *d = vm->d;

	if (vm->is_reserved)
		return true;
	room_see(d);
	if (!room_need_of(d, vm_instance(vm)->instance_type, &vm->need) ||
	    !capacity_reserve(&d->capacity, &vm->need, 1))
		return false;
	vm->is_reserved = true;
	return true;
}

static bool
is_counted(const struct vm *vm)
{
	enum instance_state s;

	if (vm->guest || vm->is_starting)
		return true;
	if (!vm->r)
		return false;
	s = vm_instance(vm)->state;
	return (s == INSTANCE_PENDING && !vm->has_failed) || s == INSTANCE_RUNNING;
}

void
vm_count(struct vm *vm)
{
	struct vmd *d = vm->d;
	bool counted = is_counted(vm);

	if (counted == vm->is_reserved)
		return;
	if (!counted) {
		capacity_release(&d->capacity, &vm->need);
		vm->is_reserved = false;
	} else if (vm->r && room_need_of(d, vm_instance(vm)->instance_type, &vm->need)) {
		capacity_adopt(&d->capacity, &vm->need);
		vm->is_reserved = true;
	}
}

/* ---- phases ---- */

void
vm_enter(struct vm *vm, enum vm_phase p)
{
	vm->phase = p;
	loop_timer_off(vm->timer);
	vm_count(vm);
}

void
vm_rest(struct vm *vm)
{
	vm_enter(vm, VM_IDLE);
	loop_timer_in(vm->timer, 0);
}

void
vm_wait_ms(struct vm *vm, uint64_t ms)
{
	vm_enter(vm, VM_WAIT);
	loop_timer_in(vm->timer, ms);
}

void
vm_wait(struct vm *vm)
{
	vm->retry_ms = vm->retry_ms == 0 ? VM_RETRY_MIN_MS : 2 * vm->retry_ms;
	if (vm->retry_ms > VM_RETRY_MAX_MS)
		vm->retry_ms = VM_RETRY_MAX_MS;
	vm_wait_ms(vm, vm->retry_ms);
}

/* The record wants something of an instance whose guest is not there, or not wanted. */
static void
step_idle(struct vm *vm)
{
	switch (vm_instance(vm)->state) {
	case INSTANCE_PENDING:
		if (vm->has_failed && vm->guest)
			stop_begin(vm);
		else if (vm->has_failed)
			stop_teardown(vm, LAUNCH_END_LAUNCH);
		else
			launch_begin(vm);
		return;
	case INSTANCE_RUNNING:
		if (vm->relaunch && vm->has_run && !vm->guest)
			stop_teardown(vm, LAUNCH_END_LAUNCH);
		else if (vm->relaunch)
			launch_begin(vm);
		else if (!vm->guest)
			stop_ended(vm);
		else if (guest_run_of(vm->guest) == GUEST_RUN_SHUTDOWN)
			stop_hurry(vm);		/* the quit that it was told did not arrive */
		return;
	case INSTANCE_STOPPING:
	case INSTANCE_SHUTTING_DOWN:
		if (vm->guest)
			stop_begin(vm);
		else
			stop_teardown(vm, vm_instance(vm)->state == INSTANCE_STOPPING ?
			    LAUNCH_END_LAUNCH : LAUNCH_END_INSTANCE);
		return;
	case INSTANCE_STOPPED:
		if (vm->guest)
			stop_begin(vm);
		return;
	case INSTANCE_TERMINATED:
		if (vm->guest)
			stop_begin(vm);
		else if (stop_is_owed(vm_instance(vm)))
			stop_teardown(vm, LAUNCH_END_INSTANCE);
		return;
	}
}

void
vm_step(struct vm *vm)
{
	if (!vm->r || vm->is_held || vm->d->ending)
		return;
	vm_count(vm);
	if (vm->phase == VM_IDLE) {
		step_idle(vm);
		if (vm->phase == VM_IDLE)
			vm->request_id[0] = '\0';	/* it is done */
	} else if (vm->phase == VM_POWER_DOWN &&
	    vm_instance(vm)->state != INSTANCE_STOPPING) {
		stop_hurry(vm);
	}
}

void
vm_follow(struct vm *vm, const char *request_id)
{
	snprintf(vm->request_id, sizeof(vm->request_id), "%s", request_id ? request_id : "");
}

static void
on_timer(void *arg)
{
	struct vm *vm = arg;

	switch (vm->phase) {
	case VM_IDLE:
		vm_step(vm);
		return;
	case VM_WAIT:
		vm->phase = VM_IDLE;
		vm_step(vm);
		return;
	case VM_ADOPT:
		recover_begin(vm);
		return;
	case VM_START:
	case VM_CONT:
		launch_on_timer(vm);
		return;
	case VM_POWER_DOWN:
	case VM_QUIT:
	case VM_KILL:
		stop_on_timer(vm);
		return;
	case VM_PREPARE:
	case VM_TEARDOWN:
	case VM_WRITE:
	case VM_PHASES:
		return;		/* these end by themselves */
	}
}

static void
on_written(void *arg, int r)
{
	struct vm *vm = arg;

	if (r == -EPERM)
		return;		/* lost: vm_lose follows */
	if (r == -ENOMEM)
		vm_wait(vm);
	else
		vm_rest(vm);
}

void
vm_write(struct vm *vm, record_change_fn *change)
{
	vm_enter(vm, VM_WRITE);
	if (record_change(vm->r, RECORD_UNTIL_DONE, change, on_written, vm) < 0)
		vm_wait(vm);
}

void
vm_lose(struct vm *vm, const char *why)
{
	struct vmd *d = vm->d;
	bool has_guest = vm->guest != NULL;

	d->counts[VMD_COUNT_LOST]++;
	if (has_guest)
		log_fields(LOG_ERR, &(const struct log_ctx){ .instance = vm->id,
		    .message_id = MSG_OWNERSHIP_LOST }, "%s: %s: its guest is killed", vm->id, why);
	vm->r = NULL;
	vm->next_ghost = d->ghosts;
	d->ghosts = vm;
	bus_sub_free(vm->commands);
	vm->commands = NULL;
	vm->volume_op = NULL;		/* it ends when the guest does, or its job */
	leftover_soon(d->leftover);
	if (!has_guest) {
		vm_free(vm);
		return;
	}
	(void)guest_kill(vm->guest);
	vm_enter(vm, VM_KILL);
	loop_timer_in(vm->timer, VM_KILL_MS);
}

/* ---- places and jobs ---- */

bool
vm_is_uefi(const struct instance *i)
{
	return strncmp(i->boot_mode, "uefi", 4) == 0;
}

bool
vm_stops_alone(const struct instance *i)
{
	return strcmp(i->on_isolation, "stop") == 0;
}

int
vm_paths(const struct vmd *d, const struct instance *i, struct launch_job *ret)
{
	const char *state = d->conf->common.state_dir;
	int r = file_path(ret->dir, sizeof(ret->dir), "%s/vm/%s", state, i->id);

	if (r == 0)
		r = file_path(ret->lock, sizeof(ret->lock), "%s/%s/%s/lock", state,
		    vm_is_uefi(i) ? "uefi" : "vm", i->id);
	if (r == 0)
		r = file_path(ret->seed, sizeof(ret->seed), "%s/seed.img", ret->dir);
	if (r == 0)
		r = file_path(ret->deadline, sizeof(ret->deadline), "%s/deadline", ret->dir);
	if (r == 0)
		r = file_path(ret->disk, sizeof(ret->disk), "%s/%s.qcow2", d->disk_dir,
		    i->volume_id);
	return r;
}

int
vm_volume_place(const struct vm *vm, struct volume_place *ret)
{
	const struct instance *i = vm_instance(vm);
	const struct vmd *d = vm->d;
	const struct { char *to; size_t size; const char *from; } texts[] = {
		{ ret->node, sizeof(ret->node), d->conf->common.node },
		{ ret->zone, sizeof(ret->zone), i->zone },
		{ ret->disk_dir, sizeof(ret->disk_dir), d->disk_dir },
		{ ret->qemu_img, sizeof(ret->qemu_img), d->qemu_img },
		{ ret->account_id, sizeof(ret->account_id), i->account_id },
		{ ret->instance_id, sizeof(ret->instance_id), i->id },
	};
	int r = 0;

	ret->bucket = d->volumes;
	ret->uid = d->env.uid;
	ret->gid = d->env.gid;
	for (size_t n = 0; r == 0 && n < ARRAY_LEN(texts); n++)
		r = file_path(texts[n].to, texts[n].size, "%s", texts[n].from);
	return r;
}

static int
copy_owned(const struct instance *i, struct launch_job *j)
{
	j->public_key = i->public_key ? strdup(i->public_key) : NULL;
	j->user_data = i->user_data ? strdup(i->user_data) : NULL;
	if ((i->public_key && !j->public_key) || (i->user_data && !j->user_data))
		return -ENOMEM;
	return instance_tags_copy(&i->tags[INSTANCE_TAGS_VOLUME], &j->volume_tags);
}

/* What it made and how it went is kept; what it owned is not, and it is gone. */
void
vm_take_job(struct vm *vm, struct launch_job *j)
{
	vm->job = NULL;
	vm->made = *j;
	vm->made.public_key = vm->made.user_data = NULL;
	vm->made.volume_tags = (struct instance_tags){ 0 };
	launch_job_free(j);
}

struct launch_job *
vm_job_new(const struct vm *vm)
{
	const struct instance *i = vm_instance(vm);
	const struct vmd *d = vm->d;
	struct launch_job *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return NULL;
	const struct { char *to; size_t size; const char *from; } texts[] = {
		{ j->node, sizeof(j->node), d->conf->common.node },
		{ j->instance_id, sizeof(j->instance_id), i->id },
		{ j->account_id, sizeof(j->account_id), i->account_id },
		{ j->image_id, sizeof(j->image_id), i->image_id },
		{ j->arch, sizeof(j->arch), i->arch },
		{ j->launch_id, sizeof(j->launch_id), i->launch_id },
		{ j->request_id, sizeof(j->request_id), vm->request_id },
		{ j->address, sizeof(j->address), i->private_ip },
		{ j->image_dir, sizeof(j->image_dir), d->image_dir },
		{ j->qemu_img, sizeof(j->qemu_img), d->qemu_img },
		{ j->volume_id, sizeof(j->volume_id), i->volume_id },
		{ j->volume_type, sizeof(j->volume_type), *i->volume_type ? i->volume_type : "gp2" },
	};

	r = vm_paths(d, i, j);
	for (size_t n = 0; r == 0 && n < ARRAY_LEN(texts); n++)
		r = file_path(texts[n].to, texts[n].size, "%s", texts[n].from);
	if (r == 0)
		r = address_range_of(i->subnet_cidr, &j->range);
	if (r == 0)
		r = copy_owned(i, j);
	if (r == 0)
		r = vm_volume_place(vm, &j->at);
	if (r < 0) {
		launch_job_free(j);
		return NULL;
	}
	j->bus = d->d.bus;
	j->nats_urls = d->conf->common.nats_url;
	j->net = d->net;
	j->addresses = d->addresses;
	j->images = d->images;
	j->disk_bytes = i->volume_bytes;
	j->volume_iops = i->volume_iops;
	j->volume_throughput = i->volume_throughput;
	j->created_ms = i->created_ms;
	memcpy(j->volume, i->volume, sizeof(j->volume));
	j->nvolumes = i->nvolumes;
	j->uid = d->env.uid;
	j->gid = d->env.gid;
	j->is_uefi = vm_is_uefi(i);
	/* It ran nowhere yet: what is an instance's own is still to be made. */
	j->is_first = !*i->last_node;
	j->has_run = vm->has_run;
	j->has_deadline = vm_stops_alone(i);
	j->ttl_ms = d->conf->common.node_ttl_ms;
	j->generation = d->lead ? lead_generation(d->lead) : 0;
	j->valid_until_ms = d->lead ? lead_valid_until_ms(d->lead) : 0;
	j->keep_disk = i->keep_volume && !j->is_first;
	return j;
}

void
vm_forget_launch(struct vm *vm)
{
	vm->since_ms = vm->retry_ms = 0;
	vm->has_run = vm->has_failed = vm->relaunch = vm->force = vm->cont_sent = false;
	/* why stays until the next launch: the write of the record's end still reads it. */
	vm->end_reason[0] = '\0';
}
