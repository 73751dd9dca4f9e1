/* From pending to running; see vm.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/ident.h"
#include "common/network.h"
#include "vmd/forward_port.h"

#define BEGIN_WAIT_MS		500	/* before a launch that may not begin yet is tried again */
#define CONT_AGAIN_MS		500

static void	 launch_cont(struct vm *vm);

/* Is this launch still what the record asks for? */
static bool
is_wanted(const struct vm *vm)
{
	enum instance_state s = vm_instance(vm)->state;

	return (s == INSTANCE_PENDING && !vm->has_failed) ||
	    (s == INSTANCE_RUNNING && vm->relaunch);
}

static bool
has_time(const struct vm *vm)
{
	return vmd_now_ms(vm->d) - vm->since_ms < VM_LAUNCH_MS;
}

/* ---- what failed ---- */

static int
fail_new(void *arg, struct instance *i)
{
	struct vm *vm = arg;

	if (i->state != INSTANCE_PENDING)
		return -ECANCELED;
	i->state = INSTANCE_SHUTTING_DOWN;
	policy_explain(i, POLICY_WHY_LAUNCH, vmd_wall_ms(vm->d), vm->why);
	return 0;
}

static int
fail_again(void *arg, struct instance *i)
{
	struct vm *vm = arg;

	if (i->state != INSTANCE_RUNNING)
		return -ECANCELED;
	i->state = INSTANCE_STOPPING;
	policy_explain(i, POLICY_WHY_CRASH, vmd_wall_ms(vm->d), vm->why);
	return 0;
}

void
launch_fail(struct vm *vm, const char *code, const char *why)
{
	const struct instance *i = vm_instance(vm);

	log_fields(LOG_ERR, &(const struct log_ctx){ .instance = vm->id, .code = code,
	    .request_id = vm->request_id }, "%s: launch failed: %s", vm->id, why);
	vm->d->counts[VMD_COUNT_LAUNCH_FAILED]++;
	snprintf(vm->why, sizeof(vm->why), "%s", why);
	snprintf(vm->why_code, sizeof(vm->why_code), "%s", code);
	vm->since_ms = vm->retry_ms = 0;
	if (i->state == INSTANCE_RUNNING) {
		vm->relaunch = false;
		vm_write(vm, fail_again);
	} else if (i->state == INSTANCE_PENDING && !*i->last_node) {
		vm_write(vm, fail_new);
	} else {
		vm->has_failed = i->state == INSTANCE_PENDING;
		vm_rest(vm);
	}
}

/* ---- it runs ---- */

static int
become_running(void *arg, struct instance *i)
{
	struct vm *vm = arg;

	if (i->state != INSTANCE_PENDING && i->state != INSTANCE_RUNNING)
		return -ECANCELED;
	i->state = INSTANCE_RUNNING;
	snprintf(i->last_node, sizeof(i->last_node), "%.64s", vm->d->conf->common.node);
	snprintf(i->private_ip, sizeof(i->private_ip), "%s", vm->made.address);
	policy_explain(i, POLICY_WHY_NONE, 0, NULL);
	return 0;
}

/* Where the time of a launch went; nothing of a guest that an earlier vmd started. */
static void
log_times(const struct vm *vm)
{
	uint64_t now_ms = vmd_now_ms(vm->d);
	struct buf b = BUF_EMPTY(256);

	if (!vm->cont_ms)
		return;
	for (unsigned row = 0; row < LAUNCH_ROWS; row++)
		(void)buf_printf(&b, "%s %u ms, ", launch_row_name((enum launch_row)row),
		    vm->made.row_ms[row]);
	(void)buf_printf(&b, "qemu %llu ms, cont %llu ms",
	    (unsigned long long)(vm->cont_ms - vm->start_ms),
	    (unsigned long long)(now_ms - vm->cont_ms));
	if (buf_text(&b))
		vm_log(vm, LOG_INFO, "launched: %s", buf_text(&b));
	buf_deinit(&b);
}

static void
launch_up(struct vm *vm)
{
	if (!is_wanted(vm)) {
		vm_rest(vm);
		return;
	}
	vm_log(vm, LOG_NOTICE, "running, pid %d, launch %s, address %s",
	    (int)guest_pid(vm->guest), vm_instance(vm)->launch_id, vm->made.address);
	log_times(vm);
	vm->start_ms = vm->cont_ms = 0;
	vm->d->counts[VMD_COUNT_LAUNCHED]++;
	vm->relaunch = false;
	vm->since_ms = vm->retry_ms = 0;
	vm->started_ms = vmd_wall_ms(vm->d);
	vm_write(vm, become_running);
}

static void
on_cont(void *arg, struct guest *g, int r, const char *why)
{
	struct vm *vm = arg;

	if (r == 0 || !vm->r || vm->phase != VM_CONT)
		return;
	vm->cont_sent = false;
	if (r == -EREMOTEIO)
		launch_fail(vm, "", why);	/* else the timer tries again */
}

/* Also called again by the timer until the guest runs or the time is over. */
static void
launch_cont(struct vm *vm)
{
	enum guest_run run = guest_run_of(vm->guest);

	if (!is_wanted(vm)) {
		vm_rest(vm);
		return;
	}
	if (run == GUEST_RUN_RUNNING) {
		launch_up(vm);
		return;
	}
	vm_enter(vm, VM_CONT);
	loop_timer_in(vm->timer, CONT_AGAIN_MS);
	/* Never without the node's lease: the record may be another's by now. */
	if (run == GUEST_RUN_PRELAUNCH && !vm->cont_sent && vmd_may_launch(vm->d) &&
	    record_is_confirmed(vm->r)) {
		/* Its store was opened under another: the claim is confirmed first. */
		if (vm->prepared_under != lead_generation(vm->d->lead)) {
			launch_begin(vm);
			return;
		}
		vm->cont_ms = vm->start_ms ? vmd_now_ms(vm->d) : 0;
		vm->cont_sent = guest_cont(vm->guest, on_cont, vm) == 0;
	}
}

void
launch_on_timer(struct vm *vm)
{
	if (vm->phase != VM_CONT)
		return;		/* a start has its own bound */
	/* Unknown is one of an earlier vmd that has not answered yet: it may run. */
	if (has_time(vm) || guest_run_of(vm->guest) == GUEST_RUN_UNKNOWN)
		launch_cont(vm);
	else
		launch_fail(vm, "", "QEMU did not begin to run in time");
}

void
launch_on_news(struct vm *vm, const struct guest_news *n)
{
	char why[LAUNCH_WHY_MAX];

	if (vm->phase != VM_CONT)
		return;
	if (n->what == GUEST_HAS_EXITED) {
		launch_fail(vm, "", "QEMU ended before it ran; its words are in qemu.log");
	} else if (n->run == GUEST_RUN_BROKEN) {
		snprintf(why, sizeof(why), "QEMU stopped as it began to run: %.64s", n->reason);
		launch_fail(vm, "", why);
	} else if (n->run == GUEST_RUN_RUNNING || n->run == GUEST_RUN_PRELAUNCH) {
		launch_cont(vm);
	}
}

/* ---- guard and QEMU ---- */

static void
on_started(void *arg, struct guest *g, int r, const char *why)
{
	struct vm *vm = arg;
	char text[GUEST_WHY_MAX];

	if (r == 0) {
		if (!vm->r)
			(void)guest_kill(g);
		else
			launch_cont(vm);
		return;
	}
	snprintf(text, sizeof(text), "%s", why);
	guest_free(g);
	vm->guest = NULL;
	if (!vm->r) {
		vm_free(vm);
	} else if (r == -EBUSY || (r == -EWOULDBLOCK && has_time(vm))) {
		/* It neither began nor gave up, or a guard that an earlier vmd sent off has the
		 * lock, for this launch too: look who is there. */
		recover_begin(vm);
	} else {
		launch_fail(vm, "", text);
	}
}

/* A machine's UUID, as a version 4 one, from the instance's id. */
static void
uuid_of(const char *id, char ret[static IDENT_UUID_LEN + 1])
{
	char a[32], b[32];

	network_id("machine", id, a, sizeof(a));
	network_id("uuid", id, b, sizeof(b));
	snprintf(ret, IDENT_UUID_LEN + 1, "%.8s-%.4s-4%.3s-8%.3s-%.12s", a + 8, a + 16, a + 20,
	    b + 5, b + 8);
}

static bool
name_volumes(const struct launch_job *j, struct qemu_volume *ret,
    char (*ret_path)[VOLUME_PATH_MAX])
{
	for (size_t n = 0; n < j->nvolumes; n++) {
		if (volume_path(j->at.disk_dir, j->volume[n].id, ret_path[n]) < 0)
			return false;
		ret[n] = (struct qemu_volume){ j->volume[n].id, ret_path[n], j->volume[n].port };
	}
	return true;
}

static void
start_guest(struct vm *vm)
{
	const struct instance *i = vm_instance(vm);
	struct vmd *d = vm->d;
	const struct launch_job *j = &vm->made;
	const struct qemu_disk disks[] = {
		{ .path = j->disk, .format = DISK_QCOW2, .serial = i->volume_id + strlen("vol-") },
		{ .path = j->seed, .format = DISK_RAW, .read_only = true },
	};
	const struct guest_place place = { .instance = i->id, .dir = j->dir, .lock = j->lock,
		.deadline = j->has_deadline ? j->deadline : NULL };
	struct qemu_volume volumes[INSTANCE_VOLUMES_MAX];
	char paths[INSTANCE_VOLUMES_MAX][VOLUME_PATH_MAX];
	char uuid[IDENT_UUID_LEN + 1], why[GUEST_WHY_MAX] = "", mac[ADDRESS_MAC_MAX];
	bool had_run = vm->has_run;
	int r;
	struct qemu_spec spec = {
		.qemu = d->qemu, .is_arm64 = strcmp(d->arch, ARM64) == 0, .accel = d->accel, .cpu = d->conf->cpu, .name = i->id,
		.uuid = uuid, .dir = j->dir, .vcpus = vm->need.vcpus,
		.memory_mib = vm->need.memory_mib, .disks = disks, .ndisks = ARRAY_LEN(disks),
		.volumes = volumes, .nvolumes = j->nvolumes, .mac = mac,
		.address = j->address, .prefix = j->range.prefix,
		.smbios_product = i->instance_type, .smbios_serial = "ds=nocloud",
		.net = &j->net, .forward_from = forward_port_take(vm),
		.forward_to = d->forward.to,
	};

	if (strcmp(i->arch, d->arch) != 0) {
		launch_fail(vm, "", "this node runs guests of another architecture");
		return;
	}
	if (!name_volumes(j, volumes, paths)) {
		launch_fail(vm, "", "a volume's path is too long");
		return;
	}
	vm->forward_port = spec.forward_from;
	if (!spec.forward_from)
		spec.forward_to = 0;
	uuid_of(i->id, uuid);
	snprintf(mac, sizeof(mac), "%s", i->mac);
	if (j->is_uefi) {
		spec.code = j->files.code;
		spec.code_format = j->files.code_format;
		spec.vars = j->files.vars;
		spec.secure_boot = j->files.secure_boot;
	}
	vm->has_run = true;
	vm->cont_sent = false;
	vm->said_at = 0;
	vm->start_ms = vmd_now_ms(d);
	r = guest_start(&d->env, &place, i->launch_id, &spec, vm_on_news, on_started, vm,
	    &vm->guest, why);
	if (r == 0) {
		vm_enter(vm, VM_START);
	} else if ((r == -EAGAIN || r == -ENOMEM) && has_time(vm)) {
		vm->has_run = had_run;		/* nothing was begun */
		vm_wait(vm);
	} else {
		launch_fail(vm, "", *why ? why : "QEMU's arguments could not be made");
	}
}

/* ---- what it needs ---- */

/* Is it to be launched by BIOS where there is no firmware?  Other machines have none. */
static bool
may_fall_back(const struct instance *i)
{
	return strcmp(i->boot_mode, "uefi-preferred") == 0 && strcmp(i->arch, "x86_64") == 0 &&
	    i->state == INSTANCE_PENDING && !*i->last_node;
}

/* From here on as if its image had said so, whatever firmware a node of its has: the lock that
 * names its process is elsewhere, so this is written before there is one. */
static int
become_bios(void *arg, struct instance *i)
{
	if (!may_fall_back(i))
		return -ECANCELED;
	snprintf(i->boot_mode, sizeof(i->boot_mode), "legacy-bios");
	return 0;
}

static void
on_prepared(void *arg, void *job)
{
	struct vmd *d = arg;
	struct launch_job *j = job;
	struct vm *vm = vm_find(d, j->instance_id);

	if (!vm || vm->job != j) {
		launch_job_free(j);	/* lost meanwhile; uefid's own loop closes what was opened */
		return;
	}
	vm_take_job(vm, j);
	/* With a guest there, which may have run for long, silence is no reason to end it. */
	if (vm->made.falls_back && !vm->guest && is_wanted(vm)) {
		vm_log(vm, LOG_NOTICE, "no firmware here for its architecture: launched by BIOS");
		vm_write(vm, become_bios);
	} else if (!vm->made.ok && vm->made.retry && (has_time(vm) || vm->guest) && is_wanted(vm)) {
		if (vm->retry_ms == 0)
			vm_log(vm, LOG_WARNING, "%s: %s: tried again", vm->made.failed, vm->made.why);
		vm_wait(vm);
	} else if (!vm->made.ok) {
		launch_fail(vm, vm->made.code, vm->made.why);
	} else if (!is_wanted(vm)) {
		vm_rest(vm);
	} else if (vm->guest) {
		launch_cont(vm);	/* of an earlier vmd */
	} else {
		start_guest(vm);
	}
}

void
launch_begin(struct vm *vm)
{
	struct vmd *d = vm->d;
	struct launch_job *j;

	if (!vmd_may_launch(d) || !record_is_confirmed(vm->r)) {
		vm_wait_ms(vm, BEGIN_WAIT_MS);
		return;
	}
	if (vm->since_ms == 0) {
		vm->since_ms = vmd_now_ms(d);
		vm->why[0] = vm->why_code[0] = '\0';
	}
	if (vm->volume_op) {		/* what it is launched with is being decided */
		vm_wait_ms(vm, BEGIN_WAIT_MS);
		return;
	}
	j = vm_job_new(vm);
	if (j)
		j->may_fall_back = may_fall_back(vm_instance(vm));
	if (!j || jobs_submit(d->d.jobs, vm->id, launch_job_do, on_prepared, d, j, NULL) < 0) {
		launch_job_free(j);
		vm_wait(vm);
		return;
	}
	vm->job = j;
	vm->prepared_under = lead_generation(d->lead);
	vm_enter(vm, VM_PREPARE);
}

static int
new_launch(void *arg, struct instance *i)
{
	if (i->state != INSTANCE_RUNNING)
		return -ECANCELED;
	ident_uuid(i->launch_id);
	return 0;
}

void
launch_again(struct vm *vm)
{
	vm->has_run = vm->cont_sent = false;
	vm->since_ms = vm->retry_ms = 0;
	vm->d->counts[VMD_COUNT_RESTARTED]++;
	vm_write(vm, new_launch);
}
