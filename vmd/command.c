#include "vmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/instance_view.h"
#include "common/subjects.h"
#include "vmd/disk_use.h"
#include "vmd/room.h"
#include "vmd/volume.h"
#include "vmd/wire.h"

#define COMMAND_MAX_BYTES	(128 * 1024)	/* 50 tags as long as EC2 lets them be */
#define COMMAND_DEADLINE_MS	15000

/* ---- the end ---- */

void
command_end(struct command *c, const char *code, bool retryable, const char *why)
{
	c->end(c, code, retryable, why);
	cJSON_Delete(c->data);
	cJSON_Delete(c->answer);
	free(c);
}

static const struct {
	int		 r;
	const char	*code;
	bool		 retryable;
	const char	*why;
} command_errors[] = {
	{ -ENOSPC,	"InsufficientInstanceCapacity", false,
	  "There is not enough capacity to fulfill your request on the instance's node." },
	{ -E2BIG,	"TagLimitExceeded",	false, "More than 50 tags" },
	{ -EBUSY,	"IncorrectInstanceState", false,
	  "The instance is not in the 'stopped' state." },
	{ -EPERM,	"ServiceUnavailable",	true, "The instance has moved." },
	{ -EAGAIN,	"ServiceUnavailable",	true,
	  "Instance records cannot be written now; nothing was done." },
	{ -ETIMEDOUT,	"InternalError",	false, "It is not known whether it was done." },
	{ -ENOMEM,	"InternalError",	true, "no memory" },
};

void
command_written(struct command *c, int r)
{
	char text[POLICY_TEXT_MAX];
	const char *code;

	if (r == 0) {
		command_end(c, NULL, false, "");
		return;
	}
	if (r == -EACCES) {
		code = policy_refusal(c->verdict, c->ask.command, c->id, text);
		command_end(c, code, false, text);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(command_errors); i++) {
		if (command_errors[i].r == r) {
			command_end(c, command_errors[i].code, command_errors[i].retryable,
			    command_errors[i].why);
			return;
		}
	}
	command_end(c, "InternalError", false, "An internal error has occurred.");
}

/* ---- start, stop, reboot, terminate ---- */

void
command_make_pending(struct vmd *d, struct instance *i)
{
	i->state = INSTANCE_PENDING;
	i->launch_time_ms = vmd_wall_ms(d);
	ident_uuid(i->launch_id);
	/* For this launch, whatever a configuration says later. */
	snprintf(i->on_isolation, sizeof(i->on_isolation), "%s", vmd_isolation_name(d));
	policy_explain(i, POLICY_WHY_NONE, 0, NULL);
}

static bool
has_right_room(const struct command *c, const struct instance *i)
{
	const struct vm *vm = vm_find(c->d, c->id);
	struct capacity_need need;

	return vm && room_need_of(c->d, i->instance_type, &need) &&
	    need.vcpus == vm->need.vcpus && need.memory_mib == vm->need.memory_mib;
}

static int
apply(void *arg, struct instance *i)
{
	struct command *c = arg;

	c->ask.keep_running = i->disable_api_stop;
	c->ask.keep_alive = i->disable_api_termination;
	c->before = c->after = i->state;
	c->verdict = policy_judge(i->state, &c->ask);
	if (c->verdict == POLICY_REFUSED || c->verdict == POLICY_PROTECTED)
		return -EACCES;
	if (c->verdict != POLICY_DO || c->ask.command == POLICY_REBOOT)
		return 1;
	if (c->ask.command == POLICY_START) {
		if (!c->has_room)
			return -ENOSPC;
		/* The room is that of another type, which was set in between. */
		if (!has_right_room(c, i))
			return -EAGAIN;
		command_make_pending(c->d, i);
	} else {
		i->state = c->ask.command == POLICY_STOP ? INSTANCE_STOPPING :
		    INSTANCE_SHUTTING_DOWN;
		policy_explain(i, c->why, vmd_wall_ms(c->d), NULL);
	}
	c->after = i->state;
	return 0;
}

static int
act(struct command *c, struct vm *vm)
{
	if (c->ask.command == POLICY_STOP && c->ask.force &&
	    (c->verdict == POLICY_DO || c->verdict == POLICY_HURRY))
		vm->force = true;
	if (c->verdict == POLICY_DO)
		vm_follow(vm, c->request_id);
	if (c->verdict == POLICY_HURRY && vm->phase == VM_POWER_DOWN)
		stop_hurry(vm);
	if (c->ask.command == POLICY_REBOOT)
		return vm->guest ? guest_reset(vm->guest, NULL, NULL) : -EAGAIN;
	vm_step(vm);
	return 0;
}

/* What a start reserved is the launch's now, or nobody's. */
static void
give_room_back(const struct command *c, struct vm *vm)
{
	if (vm && c->has_room) {
		vm->is_starting = false;
		vm_count(vm);
	}
}

static void
on_applied(void *arg, int r)
{
	struct command *c = arg;
	struct vm *vm = vm_find(c->d, c->id);

	give_room_back(c, vm);
	if (r == 0 && vm)
		r = act(c, vm);
	command_written(c, r);
}

static const char *
why_no_start(const struct vmd *d)
{
	if (d->drained)
		return "This node is drained.";
	return vmd_may_launch(d) ? NULL : "This node does not hold its lease.";
}

/* Room first, so that of two starts at once only one has the last of it. */
static bool
may_start(struct command *c, struct vm *vm)
{
	const char *why = why_no_start(c->d);

	if (vm_instance(vm)->state != INSTANCE_STOPPED || vm->is_starting)
		return true;		/* the table of moves says what that means */
	if (why) {
		command_end(c, c->d->drained ? "InsufficientInstanceCapacity" :
		    "ServiceUnavailable", !c->d->drained, why);
		return false;
	}
	c->has_room = vm_reserve(vm);
	vm->is_starting = c->has_room;
	return true;
}

static void
write_down(struct command *c, struct vm *vm)
{
	if (record_change(vm->r, RECORD_ONCE, apply, on_applied, c) < 0)
		on_applied(c, -ENOMEM);
}

static void
on_disks_seen(void *arg, enum disk_use use, const char *volume)
{
	struct command *c = arg;
	struct vm *vm = vm_find(c->d, c->id);
	char why[LAUNCH_WHY_MAX];

	if (use == DISK_USE_NONE && vm) {
		write_down(c, vm);
		return;
	}
	give_room_back(c, vm);
	if (use == DISK_USE_TAKEN) {
		disk_use_explain(volume, why);
		command_end(c, "IncorrectState", false, why);
	} else {
		command_written(c, vm ? -EAGAIN : -EPERM);
	}
}

void
command_change(struct command *c, struct vm *vm)
{
	int r;

	if (c->ask.command == POLICY_START && !may_start(c, vm))
		return;
	if (!c->has_room) {
		write_down(c, vm);
		return;
	}
	r = disk_use_look(c->d, vm_instance(vm), on_disks_seen, c);
	if (r < 0)
		on_applied(c, r);
}

/* ---- from the bus ---- */

static const struct command_verb {
	const char		*attribute;
	void			(*run)(struct command *c, struct vm *vm, const cJSON *in);
	enum policy_command	 command;	/* when run is NULL */
} command_verbs[] = {
	{ "attach_volume",		volume_attach,		0 },
	{ "detach_volume",		volume_detach,		0 },
	{ "get_console_output",		output_get,		0 },
	{ "modify_instance_metadata_options", attribute_set_metadata, 0 },
	{ "reboot_instance",		NULL,			POLICY_REBOOT },
	{ "remove_instance_tags",	attribute_untag,	0 },
	{ "set_disable_api_stop",	attribute_set_stop,	0 },
	{ "set_disable_api_termination", attribute_set_termination, 0 },
	{ "set_instance_attribute",	attribute_set_data,	0 },
	{ "set_instance_monitoring",	attribute_set_monitoring, 0 },
	{ "set_instance_tags",		attribute_tag,		0 },
	{ "start_instance",		NULL,			POLICY_START },
	{ "stop_instance",		NULL,			POLICY_STOP },
	{ "terminate_instance",		NULL,			POLICY_TERMINATE },
};

static void
end_request(struct command *c, const char *code, bool retryable, const char *why)
{
	AUTO(json) cJSON *out = code ? NULL : c->answer ? steal_json(&c->answer) :
	    instance_view_change(c->id, c->before, c->after);

	if (code)
		bus_refuse(c->arg, code, retryable, "%s", why);
	else if (out)
		bus_reply(c->arg, out);
	else
		bus_refuse(c->arg, "InternalError", true, "no memory");
}

/* The one attribute that is true; NULL: none, or more than one. */
static const char *
asked_for(const cJSON *in)
{
	const cJSON *attributes = json_member(in, "attributes");
	const char *found = NULL;

	for (const cJSON *a = attributes ? attributes->child : NULL; a; a = a->next) {
		if (!cJSON_IsTrue(a) || !a->string)
			continue;
		if (found)
			return NULL;
		found = a->string;
	}
	return found;
}

static const struct command_verb *
find_verb(const char *attribute)
{
	for (size_t i = 0; i < ARRAY_LEN(command_verbs); i++)
		if (strcmp(command_verbs[i].attribute, attribute) == 0)
			return &command_verbs[i];
	return NULL;
}

/* What is wrong with the request, as a code; NULL: nothing. */
static const char *
check(const struct vm *vm, const char *account, const cJSON *in,
    const struct command_verb **ret_verb, const char **ret_why)
{
	const char *id = json_text(in, "id");
	const char *attribute = asked_for(in);
	const cJSON *force = json_member(in, "force");

	*ret_why = "The instance ID does not exist";
	if (strcmp(account, vm_instance(vm)->account_id) != 0)
		return "InvalidInstanceID.NotFound";
	*ret_why = "id: expected the instance of the subject";
	if (!id || strcmp(id, vm->id) != 0)
		return "InvalidParameterValue";
	*ret_why = "attributes: expected exactly one that is true";
	if (!attribute)
		return "InvalidParameterValue";
	*ret_why = "force: expected true or false";
	if (force && !cJSON_IsBool(force) && !cJSON_IsNull(force))
		return "InvalidParameterValue";
	*ret_why = "This cannot be asked of an instance here";
	*ret_verb = find_verb(attribute);
	return *ret_verb ? NULL : "UnsupportedOperation";
}

/*
 * A start that cannot be here but may be elsewhere: answered without the handled header, as by
 * an owner that knows nothing of it, which sends it on to the queue.  NULL: it is ours.
 */
static const char *
why_declined(const struct vm *vm, const cJSON *in)
{
	const char *attribute = asked_for(in);
	const struct command_verb *verb = attribute ? find_verb(attribute) : NULL;

	if (!verb || verb->run || verb->command != POLICY_START || vm->is_starting ||
	    vm_instance(vm)->state != INSTANCE_STOPPED)
		return NULL;
	return why_no_start(vm->d);
}

static void
on_command(void *arg, struct bus_req *req, const void *in)
{
	struct vm *vm = arg;
	const struct command_verb *verb = NULL;
	const char *account, *code, *why = "no memory", *not_here = why_declined(vm, in);
	struct command *c;

	if (!not_here)
		bus_req_header(req, HEADER_CMD_HANDLED, "1");
	account = wire_account(req);
	if (!account)
		return;
	code = check(vm, account, in, &verb, &why);
	if (code && strcmp(code, "InvalidParameterValue") == 0) {
		bus_refuse_input(req, "%s", why);
		return;
	}
	if (!code && not_here) {
		bus_refuse(req, "InternalError", true, "%s Nothing was done.", not_here);
		return;
	}
	c = code ? NULL : calloc(1, sizeof(*c));
	if (!c || !verb) {
		bus_refuse(req, code ? code : "InternalError", !code, "%s", code ? why :
		    "no memory");
		free(c);
		return;
	}
	*c = (struct command){ .d = vm->d, .why = POLICY_WHY_USER, .end = end_request,
		.arg = req, .request_id = bus_req_id(req), .ask = { .command = verb->command,
		.force = cJSON_IsTrue(json_member(in, "force")) } };
	snprintf(c->id, sizeof(c->id), "%s", vm->id);
	c->before = c->after = vm_instance(vm)->state;
	if (verb->run)
		verb->run(c, vm, in);
	else
		command_change(c, vm);
}

int
command_serve(struct vm *vm)
{
	static const struct bus_route row[] = {
		{ "ec2.cmd.<instance-id>", on_command, BUS_REQUEST, COMMAND_MAX_BYTES,
		    COMMAND_DEADLINE_MS, 0, NULL, 0, 0, "" },
	};
	char subject[64];

	snprintf(subject, sizeof(subject), "ec2.cmd.%s", vm->id);
	return bus_sub_new(vm->d->d.bus, subject, row, vm, &vm->commands);
}
