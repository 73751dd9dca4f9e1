#include "vmd/volume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"
#include "vmd/volume_sweep.h"
#include "vmd/volume_wait.h"
#include "vmd/volume_world.h"

struct volume_op {
	struct vmd		*d;
	struct command		*c;		/* who asked; NULL: nobody waits */
	char			 id[INSTANCE_ID_MAX + 1];	/* of the instance */
	struct instance_volume	 v;
	uint64_t		 revision;	/* of the volume's record, as we left or read it */
	bool			 outlive;	/* of an instance at its end */
	bool			 in_guest;	/* QEMU is being asked */
	bool			 failed;	/* what is left is to take it back; error says why */
	struct volume_refusal	 error;
};

enum volume_act { ACT_TAKE, ACT_ATTACHED, ACT_KEEP, ACT_MARK, ACT_LET_GO };

struct volume_job {
	struct volume_op	*op;
	enum volume_act		 act;
	struct volume_place	 at;
	struct instance_volume	 v;
	uint64_t		 revision, wall_ms;
	bool			 outlive;
	bool			 ok;
	struct volume_refusal	 no;
};

static void	 on_plugged(void *arg, struct guest *g, int r, const char *why);
static void	 on_unplugged(void *arg, struct guest *g, int r, const char *why);

/* NULL: it has left this node meanwhile. */
static struct vm *
vm_of(const struct volume_op *op)
{
	struct vm *vm = vm_find(op->d, op->id);

	return vm && vm->volume_op == op ? vm : NULL;
}

/* ---- who waits ---- */

static void
run_next(struct vm *vm)
{
	struct volume_wait *w;

	while (!vm->volume_op && (w = volume_wait_take(vm))) {
		w->run(w->c, vm, w->in);
		cJSON_Delete(w->in);
		free(w);
	}
}

/* ---- the end ---- */

static cJSON *
view(const struct volume_op *op, const char *state)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!out || !cJSON_AddStringToObject(out, "VolumeId", op->v.id) ||
	    !cJSON_AddStringToObject(out, "InstanceId", op->id) ||
	    !cJSON_AddStringToObject(out, "Device", op->v.device) ||
	    !cJSON_AddStringToObject(out, "State", state) ||
	    !json_add_time(out, "AttachTime", op->v.attached_ms) ||
	    !cJSON_AddBoolToObject(out, "DeleteOnTermination", !op->v.keep))
		return NULL;
	return steal_json(&out);
}

/* state: of the attachment, for the answer; NULL: it failed, and error says why. */
static void
op_end(struct volume_op *op, const char *state)
{
	struct vm *vm = vm_of(op);
	struct command *c = op->c;

	if (vm) {
		vm->volume_op = NULL;
		vm_step(vm);
	}
	if (c && state) {
		c->answer = view(op, state);
		command_end(c, NULL, false, "");
	} else if (c) {
		command_end(c, op->error.code, op->error.retryable, op->error.why);
	} else if (!state) {
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = op->id, .object = op->v.id,
		    .code = op->error.code }, "%s: %s: %s", op->id, op->v.id, op->error.why);
	}
	free(op);
	if (vm)
		run_next(vm);
}

static void
op_fail(struct volume_op *op, const char *code, bool retryable, const char *why)
{
	op->error.code = code;
	op->error.retryable = retryable;
	snprintf(op->error.why, sizeof(op->error.why), "%s", why);
	op_end(op, NULL);
}

/* Somewhere on the way: what is left is done when it is looked at next. */
static void
op_leave(struct volume_op *op, const char *why)
{
	volume_sweep_soon(op->d->volume_sweep);
	op_fail(op, "ServiceUnavailable", true, why);
}

/* ---- jobs ---- */

static void
run_job(void *job)
{
	struct volume_job *j = job;
	AUTO(volume) struct volume v = { 0 };

	switch (j->act) {
	case ACT_TAKE:
		j->ok = volume_take(&j->at, j->v.id, j->v.device, j->wall_ms, &v, &j->revision,
		    &j->no);
		break;
	case ACT_ATTACHED:
		j->ok = volume_set_state(&j->at, j->v.id, VOLUME_IN_USE, &v, &j->revision, &j->no);
		break;
	case ACT_KEEP:
		j->ok = volume_set_keep(&j->at, j->v.id, j->v.keep, &v, &j->revision, &j->no);
		break;
	case ACT_MARK:
		j->ok = volume_set_state(&j->at, j->v.id, VOLUME_DETACHING, &v, &j->revision, &j->no);
		break;
	case ACT_LET_GO:
		j->ok = volume_let_go(&j->at, j->v.id, j->revision, j->outlive, &j->no);
		return;
	}
	if (j->ok) {
		j->v.bytes = v.bytes;
		j->v.attached_ms = v.attached_ms;
		j->v.keep = v.keep;
	}
}

static void	 taken(struct volume_op *op, struct vm *vm);
static void	 marked(struct volume_op *op, struct vm *vm);
static void	 kept(struct volume_op *op, struct vm *vm);

static void
on_job(void *arg, void *job)
{
	struct volume_job *j = job;
	struct volume_op *op = j->op;
	struct vm *vm = vm_of(op);
	enum volume_act act = j->act;
	bool ok = j->ok;

	op->revision = j->revision;
	if (ok && act != ACT_LET_GO) {
		op->v.bytes = j->v.bytes;
		op->v.attached_ms = j->v.attached_ms;
		op->v.keep = j->v.keep;
	}
	if (!ok && !op->failed)
		op->error = j->no;
	free(j);
	if (!ok || op->failed)
		op_end(op, NULL);
	else if (act == ACT_ATTACHED)
		op_end(op, "attached");
	else if (act == ACT_LET_GO)
		op_end(op, "detached");
	else if (!vm)
		op_leave(op, "The instance has moved.");
	else if (act == ACT_TAKE)
		taken(op, vm);
	else if (act == ACT_KEEP)
		kept(op, vm);
	else
		marked(op, vm);
}

static void
submit(struct volume_op *op, struct vm *vm, enum volume_act act)
{
	struct volume_job *j = calloc(1, sizeof(*j));

	if (j) {
		*j = (struct volume_job){ .op = op, .act = act, .v = op->v, .outlive = op->outlive,
			.revision = op->revision, .wall_ms = vmd_wall_ms(op->d) };
		if (vm_volume_place(vm, &j->at) == 0 &&
		    jobs_submit(op->d->d.jobs, op->id, run_job, on_job, NULL, j, NULL) == 0)
			return;
	}
	free(j);
	op_leave(op, "no memory");
}

/* ---- the instance's list ---- */

static bool
may_have(const struct instance *i)
{
	return i->state != INSTANCE_SHUTTING_DOWN && i->state != INSTANCE_TERMINATED;
}

static int
list_it(void *arg, struct instance *i)
{
	const struct volume_op *op = arg;

	if (!may_have(i))
		return -ECANCELED;
	return instance_volume_find(i, op->v.id) ? 0 : instance_volume_add(i, &op->v);
}

/* Written also when there is nothing to change: that it lands is the proof that it is ours. */
static int
unlist_it(void *arg, struct instance *i)
{
	const struct volume_op *op = arg;

	(void)instance_volume_drop(i, op->v.id);
	return 0;
}

static void
on_unlisted(void *arg, int r)
{
	struct volume_op *op = arg;
	struct vm *vm = vm_of(op);

	if (r < 0 || !vm)
		op_leave(op, "The instance has moved.");
	else
		submit(op, vm, ACT_LET_GO);
}

static void
unlist(struct volume_op *op, struct vm *vm)
{
	if (record_change(vm->r, RECORD_UNTIL_DONE, unlist_it, on_unlisted, op) < 0)
		op_leave(op, "no memory");
}

/* ---- attach ---- */

static void
take_back(struct volume_op *op, struct vm *vm, const char *code, const char *why)
{
	op->failed = true;
	op->error.code = code;
	op->error.retryable = false;
	snprintf(op->error.why, sizeof(op->error.why), "%s", why);
	unlist(op, vm);
}

static void
plug(struct volume_op *op, struct vm *vm)
{
	const struct instance_volume *v = instance_volume_find(vm_instance(vm), op->v.id);
	char path[VOLUME_PATH_MAX];
	struct qemu_volume q = { op->v.id, path, v ? v->port : 0 };
	int r;

	if (!vm->guest || !v) {
		on_plugged(op, NULL, 0, "");
		return;
	}
	r = volume_path(op->d->disk_dir, op->v.id, path);
	if (r == 0)
		r = guest_plug(vm->guest, &q, on_plugged, op);
	if (r == 0)
		op->in_guest = true;
	else
		on_plugged(op, vm->guest, r, strerror(-r));
}

static void
on_listed(void *arg, int r)
{
	struct volume_op *op = arg;
	struct vm *vm = vm_of(op);

	if (vm && r == 0) {
		plug(op, vm);
	} else if (vm && r == -E2BIG) {
		take_back(op, vm, "AttachmentLimitExceeded", "More volumes cannot be attached.");
	} else if (vm && r == -ECANCELED) {
		take_back(op, vm, "IncorrectState", "The instance is being terminated.");
	} else {
		op_leave(op, "The instance has moved.");
	}
}

static void
taken(struct volume_op *op, struct vm *vm)
{
	if (record_change(vm->r, RECORD_UNTIL_DONE, list_it, on_listed, op) < 0)
		op_leave(op, "no memory");
}

static void
on_plugged(void *arg, struct guest *g, int r, const char *why)
{
	struct volume_op *op = arg;
	struct vm *vm = vm_of(op);
	char text[VOLUME_TEXT_MAX];

	op->in_guest = false;
	if (!vm) {
		op_leave(op, "The instance has moved.");
	} else if (r == 0 || r == -ESRCH) {
		submit(op, vm, ACT_ATTACHED);		/* or the next launch has it */
	} else if (r == -EREMOTEIO) {
		snprintf(text, sizeof(text), "QEMU does not take the volume: %.180s", why);
		take_back(op, vm, "InternalError", text);
	} else {
		op_leave(op, "The guest's QEMU does not answer: the volume is attached when it does.");
	}
}

/* ---- detach ---- */

static void
marked(struct volume_op *op, struct vm *vm)
{
	int r = vm->guest ? guest_unplug(vm->guest, op->v.id, on_unplugged, op) : 0;

	if (!vm->guest)
		on_unplugged(op, NULL, 0, "");
	else if (r == 0)
		op->in_guest = true;
	else
		on_unplugged(op, vm->guest, r, strerror(-r));
}

static void
on_unplugged(void *arg, struct guest *g, int r, const char *why)
{
	struct volume_op *op = arg;
	struct vm *vm = vm_of(op);
	char text[VOLUME_TEXT_MAX];

	op->in_guest = false;
	if (!vm) {
		op_leave(op, "The instance has moved.");
	} else if (r == 0 || (r == -ESRCH && !vm->guest)) {
		unlist(op, vm);
	} else if (r == -ETIMEDOUT) {
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = op->id, .object = op->v.id },
		    "the guest of %s has not let go of %s within %d s; it is asked again until it "
		    "has, or is stopped", op->id, op->v.id, GUEST_UNPLUG_MS / 1000);
		op_end(op, "detaching");
	} else {
		snprintf(text, sizeof(text), "%.160s: the volume is detached as soon as that is over.",
		    why);
		op_leave(op, text);
	}
}

/* ---- DeleteOnTermination: in the volume's record, then in the instance's list ---- */

static int
keep_it(void *arg, struct instance *i)
{
	const struct volume_op *op = arg;

	return instance_volume_keep(i, op->v.id, op->v.keep) ? 0 : 1;
}

static void
on_kept(void *arg, int r)
{
	struct volume_op *op = arg;

	if (r < 0)
		op_fail(op, "ServiceUnavailable", true, "The instance has moved.");
	else
		op_end(op, "attached");
}

static void
kept(struct volume_op *op, struct vm *vm)
{
	if (record_change(vm->r, RECORD_UNTIL_DONE, keep_it, on_kept, op) < 0)
		op_fail(op, "InternalError", true, "no memory");
}

/* ---- who asks ---- */

static struct volume_op *
op_new(struct vm *vm, struct command *c, const char *id)
{
	struct volume_op *op = calloc(1, sizeof(*op));

	if (!op)
		return NULL;
	op->d = vm->d;
	op->c = c;
	memcpy(op->id, vm->id, sizeof(op->id));
	snprintf(op->v.id, sizeof(op->v.id), "%s", id);
	vm->volume_op = op;
	return op;
}

/* Nothing else is under way of it, and it is surely ours. */
static bool
is_at_rest(const struct vm *vm)
{
	enum instance_state s = vm_instance(vm)->state;

	return vm->phase == VM_IDLE && !vm->volume_op && !vm->is_starting && !vm->is_held &&
	    vmd_may_launch(vm->d) && record_is_confirmed(vm->r) &&
	    (s == INSTANCE_STOPPED || (s == INSTANCE_RUNNING && vm->guest && !vm->relaunch) ||
	    (s == INSTANCE_TERMINATED && !vm->guest));
}

/* Of a request: the volume's id, where all is well; else the command is ended, or waits. */
static const char *
ask(struct command *c, struct vm *vm, const cJSON *in, const char *id,
    void (*run)(struct command *, struct vm *, const cJSON *))
{
	const struct instance *i = vm_instance(vm);
	char why[VOLUME_TEXT_MAX];

	if (!id || !ident_is_ec2(id, "vol")) {
		command_end(c, "InvalidParameterValue", false, "volume_id: expected a volume's");
		return NULL;
	}
	if (i->state != INSTANCE_RUNNING && i->state != INSTANCE_STOPPED) {
		snprintf(why, sizeof(why), "Instance '%s' is not 'running' or 'stopped'.", i->id);
		command_end(c, "IncorrectState", false, why);
		return NULL;
	}
	if (vm->volume_op && volume_wait_add(vm, c, in, run))
		return NULL;
	if (!is_at_rest(vm)) {
		command_end(c, "ServiceUnavailable", true, "The instance is being changed, or its node "
		    "does not hold its lease. Nothing was done.");
		return NULL;
	}
	return id;
}

void
volume_attach(struct command *c, struct vm *vm, const cJSON *in)
{
	const struct instance *i = vm_instance(vm);
	const cJSON *data = json_member(in, "attach_volume_data");
	const char *device = json_text(data, "device");
	const char *id = ask(c, vm, in, json_text(data, "volume_id"), volume_attach);
	struct volume_op *op;
	char why[VOLUME_TEXT_MAX];

	if (!id)
		return;
	if (!device || !volume_device_is_valid(device) || strlen(device) >= sizeof(op->v.device)) {
		snprintf(why, sizeof(why), "Value (%.32s) for parameter device is invalid. %.32s is not a "
		    "valid EBS device name.", device ? device : "", device ? device : "");
		command_end(c, "InvalidParameterValue", false, why);
	} else if (strcmp(id, i->volume_id) == 0 || instance_volume_find(i, id)) {
		snprintf(why, sizeof(why), "%s is already attached to an instance", id);
		command_end(c, "VolumeInUse", false, why);
	} else if (strcmp(device, i->root_device) == 0 || instance_volume_at(i, device)) {
		snprintf(why, sizeof(why), "Invalid value '%s' for unixDevice. Attachment point %s is "
		    "already in use", device, device);
		command_end(c, "InvalidParameterValue", false, why);
	} else if (i->nvolumes == INSTANCE_VOLUMES_MAX) {
		snprintf(why, sizeof(why), "An instance has at most %d volumes besides its root volume.",
		    INSTANCE_VOLUMES_MAX);
		command_end(c, "AttachmentLimitExceeded", false, why);
	} else if (!(op = op_new(vm, c, id))) {
		command_written(c, -ENOMEM);
	} else {
		snprintf(op->v.device, sizeof(op->v.device), "%s", device);
		submit(op, vm, ACT_TAKE);
	}
}

void
volume_detach(struct command *c, struct vm *vm, const cJSON *in)
{
	const struct instance *i = vm_instance(vm);
	const cJSON *data = json_member(in, "detach_volume_data");
	const char *device = json_text(data, "device");
	const char *id = ask(c, vm, in, json_text(data, "volume_id"), volume_detach);
	const struct instance_volume *v = id ? instance_volume_find(i, id) : NULL;
	struct volume_op *op;
	char why[VOLUME_TEXT_MAX];

	if (!id)
		return;
	if (strcmp(id, i->volume_id) == 0) {
		snprintf(why, sizeof(why), "The volume '%s' is the root volume of '%s' and stays with it.",
		    id, i->id);
		command_end(c, "OperationNotPermitted", false, why);
	} else if (device && *device && v && strcmp(v->device, device) != 0) {
		snprintf(why, sizeof(why), "The volume '%s' is not attached to instance '%s' as device %s.",
		    id, i->id, device);
		command_end(c, "InvalidAttachment.NotFound", false, why);
	} else if (!(op = op_new(vm, c, id))) {
		command_written(c, -ENOMEM);
	} else {
		if (v)
			op->v = *v;
		submit(op, vm, ACT_MARK);	/* which says what is wrong, if it is not the instance's */
	}
}

void
volume_keep(struct command *c, struct vm *vm, const cJSON *in)
{
	const cJSON *data = json_member(in, "instance_attribute_data");
	const char *device = json_text(data, "device");
	const struct instance_volume *v = instance_volume_at(vm_instance(vm), device);
	struct volume_op *op;
	char why[VOLUME_TEXT_MAX];

	if (!v) {
		snprintf(why, sizeof(why), "No device is currently mapped at %.64s", device);
		command_end(c, "InvalidInstanceAttributeValue", false, why);
		return;
	}
	if (!ask(c, vm, in, v->id, volume_keep))
		return;
	op = op_new(vm, c, v->id);
	if (!op) {
		command_written(c, -ENOMEM);
		return;
	}
	op->v = *v;
	op->v.keep = cJSON_IsTrue(json_member(data, "keep_volume"));
	submit(op, vm, ACT_KEEP);
}

bool
volume_settle(struct vm *vm, const char *id, enum volume_state state, uint64_t revision)
{
	const struct instance_volume *v = instance_volume_find(vm_instance(vm), id);
	bool is_over = vm_instance(vm)->state == INSTANCE_TERMINATED;
	struct volume_op *op;

	if ((v && !is_over && state == VOLUME_IN_USE) ||
	    (is_over && stop_is_owed(vm_instance(vm))))
		return true;
	op = is_at_rest(vm) ? op_new(vm, NULL, id) : NULL;
	if (!op)
		return false;
	if (v)
		op->v = *v;
	op->revision = revision;
	op->outlive = is_over;
	if (!v || is_over)
		unlist(op, vm);
	else if (state == VOLUME_DETACHING)
		submit(op, vm, ACT_MARK);
	else
		plug(op, vm);
	return true;
}

void
volume_abandon(struct vm *vm)
{
	struct volume_op *op = vm->volume_op;
	struct volume_wait *w;

	vm->volume_op = NULL;
	while ((w = volume_wait_take(vm))) {
		if (vm->d->ending)
			free(w->c);
		else
			command_end(w->c, "ServiceUnavailable", true, "The instance has moved.");
		cJSON_Delete(w->in);
		free(w);
	}
	if (!op || !op->in_guest)
		return;		/* its job or its write ends it */
	op->in_guest = false;
	if (vm->d->ending)
		free(op);	/* nobody can be told any more */
	else
		op_fail(op, "ServiceUnavailable", true, "The instance has moved.");
}
