/* vm.v1.<node>.{finish,kill,list,recover,start}: the operator's view, and reaperd's; see wire.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/page.h"
#include "vmd/takeover.h"
#include "vmd/wire.h"

/* ---- list ---- */

/* uefid leaves a store alone whose instance is "launching" here. */
static const char *
phase_of(const struct vm *vm)
{
	enum instance_state s = vm->r ? vm_instance(vm)->state : INSTANCE_STOPPED;

	if ((s == INSTANCE_PENDING && !vm->has_failed) ||
	    (s == INSTANCE_RUNNING && (vm->relaunch || vm->phase == VM_ADOPT)))
		return "launching";
	return vm_phase_name(vm->phase);
}

static const char *
qmp_of(const struct vm *vm)
{
	if (!vm->guest)
		return "";
	return guest_is_impaired(vm->guest) ? "impaired" : "ok";
}

static bool
add_volume(cJSON *list, const char *id, const char *device, bool keep)
{
	cJSON *obj = cJSON_CreateObject();

	if (!obj || !cJSON_AddItemToArray(list, obj)) {
		cJSON_Delete(obj);
		return false;
	}
	return cJSON_AddStringToObject(obj, "volume_id", id) &&
	    cJSON_AddStringToObject(obj, "device", device) &&
	    cJSON_AddBoolToObject(obj, "keep", keep);
}

/* The root volume first. */
static bool
add_volumes(cJSON *obj, const struct instance *i)
{
	cJSON *list = cJSON_AddArrayToObject(obj, "volumes");
	bool ok = list && (!*i->volume_id ||
	    add_volume(list, i->volume_id, i->root_device, i->keep_volume));

	for (size_t n = 0; ok && n < i->nvolumes; n++)
		ok = add_volume(list, i->volume[n].id, i->volume[n].device, i->volume[n].keep);
	return ok;
}

static cJSON *
vm_json(const struct vm *vm)
{
	/* One that is not this node's any more, while its QEMU is, has no record. */
	static const struct instance none = { .state = INSTANCE_STOPPED };
	const struct instance *i = vm->r ? vm_instance(vm) : &none;
	const struct guest *g = vm->guest;
	const char *state = vm->r ? instance_state_name(i->state) : "lost";
	const char *launch = vm->r || !g ? i->launch_id : guest_launch_id(g);
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	return obj && cJSON_AddStringToObject(obj, "instance_id", vm->id) &&
	    cJSON_AddStringToObject(obj, "account_id", i->account_id) &&
	    cJSON_AddStringToObject(obj, "state", state) &&
	    cJSON_AddStringToObject(obj, "instance_type", i->instance_type) &&
	    cJSON_AddStringToObject(obj, "node", i->node) &&
	    cJSON_AddStringToObject(obj, "private_ip", i->private_ip) &&
	    json_add_u64(obj, "pid", g ? (uint64_t)guest_pid(g) : 0) &&
	    cJSON_AddStringToObject(obj, "launch_id", launch) &&
	    cJSON_AddStringToObject(obj, "phase", phase_of(vm)) &&
	    cJSON_AddStringToObject(obj, "run", g ? guest_run_name(guest_run_of(g)) : "") &&
	    cJSON_AddStringToObject(obj, "qmp", qmp_of(vm)) &&
	    cJSON_AddStringToObject(obj, "console", g ? guest_console_path(g) : "") &&
	    cJSON_AddStringToObject(obj, "monitor", g ? guest_monitor_path(g) : "") &&
	    cJSON_AddStringToObject(obj, "why", vm->why) &&
	    json_add_u64(obj, "forward", g ? vm->forward_port : 0) &&
	    json_add_u64(obj, "started_ms", vm->started_ms) && add_volumes(obj, i) ?
	    steal_json(&obj) : NULL;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp((*(const struct vm *const *)a)->id, (*(const struct vm *const *)b)->id);
}

/* All that the page may have, by id; those that left are among them. */
static size_t
pick(const struct vmd *d, const struct page *p, const struct vm **ret)
{
	size_t n = 0, first = p->after ? records_index_after(d->records, p->after) : 0;

	for (size_t k = first; k < records_count(d->records); k++) {
		const struct vm *vm = record_owner(records_get(d->records, k));

		if (vm)
			ret[n++] = vm;
	}
	for (const struct vm *vm = d->ghosts; vm; vm = vm->next_ghost)
		if (page_wants(p, vm->id))
			ret[n++] = vm;
	if (d->ghosts && n > 1)
		qsort(ret, n, sizeof(*ret), by_id);
	return n;
}

void
vm_on_list(void *arg, struct bus_req *req, const void *in)
{
	const struct vmd *d = arg;
	AUTO(mem) void *mem = NULL;
	size_t room = records_count(d->records), n;
	const struct vm **vms;
	struct page p;

	if (page_begin(&p, "instances", in, bus_max_payload(d->d.bus)) < 0) {
		bus_refuse_input(req, "after: expected a text");
		return;
	}
	for (const struct vm *vm = d->ghosts; vm; vm = vm->next_ghost)
		room++;
	vms = mem = calloc(room + 1, sizeof(*vms));
	if (!vms) {
		page_deinit(&p);
		bus_refuse(req, "vm.memory", true, "no memory");
		return;
	}
	n = pick(d, &p, vms);
	for (size_t k = 0; k < n && page_wants(&p, vms[k]->id); k++) {
		AUTO(json) cJSON *item = vm_json(vms[k]);

		page_add(&p, vms[k]->id, item);
	}
	page_reply(&p, req, "vm.memory");
}

/* ---- kill ---- */

void
vm_on_kill(void *arg, struct bus_req *req, const void *in)
{
	const struct vm_kill_in *ask = in;
	struct vm *vm = vm_find(arg, ask->instance_id);
	AUTO(json) cJSON *out = cJSON_CreateObject();
	pid_t pid = vm && vm->guest ? guest_pid(vm->guest) : 0;

	if (!out || !json_add_u64(out, "pid", (uint64_t)pid)) {
		bus_refuse(req, "vm.memory", true, "no memory");
	} else if (pid == 0 || guest_kill(vm->guest) < 0) {
		bus_refuse(req, "vm.no_guest", false, "no QEMU of that instance is here");
	} else {
		vm_log(vm, LOG_WARNING, "an operator kills its QEMU, pid %d", (int)pid);
		bus_reply(req, out);
	}
}

/* ---- finish: what is ending here anyway is tried now; nothing that lives is touched ---- */

static struct vm *
find_ghost(const struct vmd *d, const char *id)
{
	struct vm *vm = d->ghosts;

	while (vm && strcmp(vm->id, id) != 0)
		vm = vm->next_ghost;
	return vm;
}

static bool
is_ending(const struct vm *vm)
{
	const struct instance *i = vm_instance(vm);

	return i->state == INSTANCE_SHUTTING_DOWN ||
	    (i->state == INSTANCE_TERMINATED && (vm->guest || stop_is_owed(i)));
}

static void
finish(struct vm *vm)
{
	if (!vm->r && vm->guest)
		(void)guest_kill(vm->guest);	/* one that has exited is as good */
	else if (vm->r && is_ending(vm) && (vm->phase == VM_IDLE || vm->phase == VM_WAIT))
		vm_rest(vm);
}

void
vm_on_finish(void *arg, struct bus_req *req, const void *in)
{
	const struct vm_kill_in *ask = in;
	struct vm *vm = vm_find(arg, ask->instance_id);
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!vm)
		vm = find_ghost(arg, ask->instance_id);
	if (!vm) {
		bus_refuse(req, "vm.not_here", false, "no instance of that id is here");
		return;
	}
	if (!out || !cJSON_AddStringToObject(out, "state", vm->r ?
	    instance_state_name(vm_instance(vm)->state) : "lost") ||
	    !cJSON_AddStringToObject(out, "phase", phase_of(vm)) ||
	    !cJSON_AddStringToObject(out, "why", vm->why)) {
		bus_refuse(req, "vm.memory", true, "no memory");
		return;
	}
	finish(vm);
	bus_reply(req, out);
}

/* ---- start ---- */

static void
on_started(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now)
{
	struct bus_req *req = arg;
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (code)
		bus_refuse(req, code, retryable, "%s", why);
	else if (out && cJSON_AddStringToObject(out, "state", instance_state_name(now)))
		bus_reply(req, out);
	else
		bus_refuse(req, "vm.memory", true, "no memory");
}

static void
take_over(struct vmd *d, struct bus_req *req, const struct takeover_ask *ask)
{
	if (!ident_is_ec2(ask->id, "i"))
		bus_refuse_input(req, "instance_id: expected an instance id");
	else if (takeover_start(d, ask, on_started, req) < 0)
		bus_refuse(req, "vm.memory", true, "no memory");
}

void
vm_on_start(void *arg, struct bus_req *req, const void *in)
{
	const struct vm_start_in *ask = in;

	take_over(arg, req, &(const struct takeover_ask){ .id = ask->instance_id,
	    .request_id = bus_req_id(req), .discard_owed = ask->discard_owed });
}

void
vm_on_recover(void *arg, struct bus_req *req, const void *in)
{
	const struct vm_recover_in *ask = in;

	take_over(arg, req, &(const struct takeover_ask){ .id = ask->instance_id,
	    .request_id = bus_req_id(req), .discard_owed = ask->discard_owed, .is_recovery = true,
	    .is_fenced = ask->fenced });
}
