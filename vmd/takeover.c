#include "vmd/takeover_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/ident.h"
#include "common/instance_view.h"
#include "vmd/command.h"
#include "vmd/disk_use.h"
#include "vmd/recovery.h"
#include "vmd/room.h"
#include "vmd/wire.h"

#define PROBE_TIMEOUT_MS	20000	/* a burial fits in */

static const char no_room[] = "InsufficientInstanceCapacity";

static void
end(struct takeover *t, bool retryable)
{
	enum instance_state before = t->i.state;

	/* The vm that has the record now has counted its own. */
	if (t->has_room)
		capacity_release(&t->d->capacity, &t->need);
	t->fn(t->arg, t->code, retryable, t->code ? t->why : "", before, t->code ? before : t->now);
	instance_deinit(&t->i);
	free(t);
}

void
takeover_refuse(struct takeover *t, const char *code, bool retryable, const char *why)
{
	snprintf(t->code_text, sizeof(t->code_text), "%s", code);
	t->code = t->code_text;
	snprintf(t->why, sizeof(t->why), "%s", why);
	end(t, retryable);
}

void
takeover_is_so(struct takeover *t)
{
	t->now = t->i.state;
	end(t, false);
}

void
takeover_refuse_record(struct takeover *t, int r)
{
	if (r == -ENOENT)
		takeover_refuse(t, "InvalidInstanceID.NotFound", false,
		    "The instance ID does not exist");
	else if (r == -EAGAIN || r == -ENOMEM)
		takeover_refuse(t, "ServiceUnavailable", true,
		    "The record was changed meanwhile, or cannot be read and written now.");
	else
		takeover_refuse(t, "InternalError", false, "It is not known whether it was done.");
}

/* ---- the record moves ---- */

static void
taken(struct takeover *t, const struct record *r)
{
	struct vm *vm = record_owner(r);

	t->now = record_instance(r)->state;
	/* Its guest ran elsewhere: what is looked for here is not there, and that is no crash. */
	if (vm && t->now == INSTANCE_RUNNING) {
		vm->relaunch = true;
		vm->has_run = false;
	}
	end(t, false);
}

static void
on_taken(void *arg, int res, struct record *r)
{
	struct takeover *t = arg;

	if (res < 0)
		takeover_refuse_record(t, res);
	else
		taken(t, r);
}

static const char *
why_not_here(const struct vmd *d, const char **ret_code)
{
	*ret_code = d->drained ? no_room : "ServiceUnavailable";
	if (d->drained)
		return "This node is drained.";
	return vmd_may_launch(d) ? NULL : "This node does not hold its lease.";
}

/* Ours and pending, by a swap at the revision that all was judged by. */
static void
take(struct takeover *t)
{
	const struct vmd *d = t->d;
	struct instance *i = &t->i;
	enum instance_state before = i->state;
	const char *code, *why = why_not_here(d, &code);
	bool launches;
	int r;

	if (why) {
		takeover_refuse(t, code, !d->drained, why);
		return;
	}
	if (!t->is_recovery)
		command_make_pending(t->d, i);
	else
		recovery_change(t);
	room_see(t->d);
	launches = i->state == INSTANCE_PENDING || i->state == INSTANCE_RUNNING;
	t->has_room = launches && room_need_of(d, i->instance_type, &t->need) &&
	    capacity_reserve(&t->d->capacity, &t->need, 1);
	if (launches && !t->has_room) {
		i->state = before;
		takeover_refuse(t, no_room, false,
		    "There is not enough capacity to fulfill your request.");
		return;
	}
	snprintf(i->node, sizeof(i->node), "%.64s", d->conf->common.node);
	snprintf(i->zone, sizeof(i->zone), "%.64s", d->conf->common.zone);
	r = records_take(d->records, i, t->revision, on_taken, t);
	i->state = before;
	if (r < 0)
		takeover_refuse_record(t, r);
}

/* ---- the store ---- */

static const struct {
	const char	*uefi, *code;
} probe_codes[] = {
	{ "uefi.full",		no_room },
	{ "uefi.held",		no_room },
	{ "uefi.mismatch",	no_room },
	{ "uefi.no_firmware",	no_room },
};

static void
refuse_probe(struct takeover *t, const struct bus_error *e)
{
	const char *code = e->retryable ? "ServiceUnavailable" : "InternalError";
	char why[LAUNCH_WHY_MAX];

	for (size_t n = 0; n < ARRAY_LEN(probe_codes); n++)
		if (strcmp(probe_codes[n].uefi, e->code) == 0)
			code = probe_codes[n].code;
	snprintf(why, sizeof(why), "The variable store cannot be opened here: %.140s (%.48s)",
	    e->message, e->code);
	takeover_refuse(t, code, e->retryable, why);
}

static void
on_probed(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct takeover *t = arg;
	AUTO(json) cJSON *out = NULL;
	struct bus_error e;

	if (res != BUS_OK)
		takeover_refuse(t, "ServiceUnavailable", true, "This node's uefid does not answer.");
	else if (bus_msg_json(m, &out, &e) < 0)
		refuse_probe(t, &e);
	else
		take(t);
}

static void
probe(struct takeover *t)
{
	const struct vmd *d = t->d;
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(str) char *text = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	bool keep = policy_is_owed(&t->i) && !t->discard_owed;

	if (in && cJSON_AddStringToObject(in, "instance_id", t->id) &&
	    cJSON_AddStringToObject(in, "arch", t->i.arch) &&
	    cJSON_AddBoolToObject(in, "keep_owed", keep))
		text = json_print(in);
	snprintf(subject, sizeof(subject), "uefi.v1.%.64s.probe", d->conf->common.node);
	if (!text || bus_ask(d->d.bus, &(const struct bus_ask){ .subject = subject, .data = text,
	    .len = strlen(text), .timeout_ms = PROBE_TIMEOUT_MS }, on_probed, t) == 0)
		takeover_refuse_record(t, -ENOMEM);
}

/* ---- the record ---- */

static bool
has_disk(const struct vmd *d, const struct instance *i)
{
	struct launch_job at;

	return vm_paths(d, i, &at) == 0 && access(at.disk, F_OK) == 0;
}

static void
refuse_state(struct takeover *t)
{
	char why[LAUNCH_WHY_MAX];

	snprintf(why, sizeof(why), "The instance is %s on node %.64s; only one that is stopped can "
	    "be started on another.", instance_state_name(t->i.state), t->i.node);
	takeover_refuse(t, "IncorrectInstanceState", false, why);
}

/* A disk that is written elsewhere: the record says stopped, so it is no guest of ours. */
static void
on_disks_seen(void *arg, enum disk_use use, const char *volume)
{
	struct takeover *t = arg;
	char why[LAUNCH_WHY_MAX];

	if (use == DISK_USE_NONE) {
		takeover_go_on(t);
	} else if (use == DISK_USE_CHANGED) {
		takeover_refuse_record(t, -EAGAIN);
	} else {
		disk_use_explain(volume, why);
		takeover_refuse(t, "IncorrectState", false, why);
	}
}

static void
check_disks(struct takeover *t)
{
	int r = disk_use_look(t->d, &t->i, on_disks_seen, t);

	if (r < 0)
		takeover_refuse_record(t, r);
}

/* Can another node's instance be started here, by its record? */
static void
judge(struct takeover *t)
{
	const struct instance *i = &t->i;

	if (*t->account && strcmp(t->account, i->account_id) != 0)
		takeover_refuse_record(t, -ENOENT);
	else if (t->is_recovery)
		recovery_begin(t);
	else if (i->state != INSTANCE_STOPPED)
		refuse_state(t);
	else
		check_disks(t);
}

void
takeover_go_on(struct takeover *t)
{
	const struct instance *i = &t->i;
	const struct vmd *d = t->d;
	const bool launches = !t->is_recovery || recovery_launches(t);

	if (!launches)
		take(t);
	else if (strcmp(i->arch, d->arch) != 0)
		takeover_refuse(t, no_room, false, "This node is of another architecture.");
	else if (!has_disk(d, i))
		takeover_refuse(t, no_room, false,
		    "The instance's root disk is not in a folder that this node shares.");
	else if (vm_is_uefi(i))
		probe(t);
	else
		take(t);
}

static void
on_looked(void *arg, int r, const struct instance *i, uint64_t revision)
{
	struct takeover *t = arg;

	t->revision = revision;
	if (r == 0)
		r = instance_copy(i, &t->i);
	if (r < 0)
		takeover_refuse_record(t, r);
	else
		judge(t);
}

/* ---- one of this node's own ---- */

static void
end_own(struct command *c, const char *code, bool retryable, const char *why)
{
	struct takeover *t = c->arg;

	t->fn(t->arg, code, retryable, why, c->before, c->after);
	free(t);
}

static int
change_own(struct takeover *t, struct vm *vm)
{
	struct command *c;

	if (*t->account && strcmp(t->account, vm_instance(vm)->account_id) != 0) {
		takeover_refuse_record(t, -ENOENT);
		return 0;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct command){ .d = t->d, .end = end_own, .arg = t,
		.why = POLICY_WHY_USER, .ask = { .command = t->is_stop ? POLICY_STOP : POLICY_START,
		.force = t->is_stop } };
	snprintf(c->id, sizeof(c->id), "%s", vm->id);
	command_change(c, vm);
	return 0;
}

int
takeover_start(struct vmd *d, const struct takeover_ask *ask, takeover_fn *fn, void *arg)
{
	struct vm *vm = vm_find(d, ask->id);
	struct takeover *t = calloc(1, sizeof(*t));
	const char *code, *why;
	int r;

	if (!t)
		return -ENOMEM;
	*t = (struct takeover){ .d = d, .fn = fn, .arg = arg, .discard_owed = ask->discard_owed,
		.is_recovery = ask->is_recovery, .is_fenced = ask->is_fenced, .is_stop = ask->is_stop,
		.now = INSTANCE_PENDING };
	snprintf(t->id, sizeof(t->id), "%s", ask->id);
	snprintf(t->account, sizeof(t->account), "%s", ask->account ? ask->account : "");
	why = vm ? NULL : why_not_here(d, &code);
	if (why) {
		takeover_refuse(t, code, !d->drained, why);
		return 0;
	}
	if (vm && ask->is_recovery && !ask->is_stop) {
		takeover_refuse(t, "IncorrectInstanceState", false, "It is this node's own.");
		return 0;
	}
	r = vm ? change_own(t, vm) : records_look(d->records, ask->id, on_looked, t);
	if (r < 0)
		free(t);
	return r;
}

/* ---- the queue ---- */

struct ask {
	struct bus_req	*req;
	bool		 is_stop;
	char		 id[INSTANCE_ID_MAX + 1];
};

static cJSON *
answer(const struct ask *a, enum instance_state before, enum instance_state now)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	AUTO(json) cJSON *change = instance_view_change(a->id, before, now);
	cJSON *list = !out ? NULL : a->is_stop ?
	    cJSON_AddArrayToObject(out, "StoppingInstances") :
	    cJSON_AddArrayToObject(out, "StartingInstances");

	if (!list || !change || !cJSON_AddItemToArray(list, change))
		return NULL;
	(void)steal_json(&change);
	return steal_json(&out);
}

static void
on_changed(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now)
{
	struct ask *a = arg;
	AUTO(json) cJSON *out = code ? NULL : answer(a, before, now);

	/* Our own words, and leased's, for a node that may live: EC2's clients know one. */
	if (code && strchr(code, '.') && strncmp(code, "Invalid", 7) != 0)
		code = "Unavailable";
	if (code)
		bus_refuse(a->req, code, retryable, "%s", why);
	else if (out)
		bus_reply(a->req, out);
	else
		bus_refuse(a->req, "InternalError", true, "no memory");
	free(a);
}

static void
on_request(struct vmd *d, struct bus_req *req, const cJSON *in, bool is_stop)
{
	const char *account = wire_account(req);
	const cJSON *ids;
	const char *id;
	struct ask *a;

	if (!account)
		return;		/* the request is gone, and its tree with it */
	ids = json_member(in, "InstanceIds");
	id = cJSON_IsArray(ids) && cJSON_GetArraySize(ids) == 1 && cJSON_IsString(ids->child) ?
	    ids->child->valuestring : "";
	if (!ident_is_ec2(id, "i")) {
		bus_refuse_input(req, "InstanceIds: expected one instance id");
		return;
	}
	if (is_stop && !cJSON_IsTrue(json_member(in, "Force"))) {
		bus_refuse_input(req, "Force: expected true: the owner alone stops with grace");
		return;
	}
	a = calloc(1, sizeof(*a));
	if (a) {
		a->req = req;
		a->is_stop = is_stop;
		snprintf(a->id, sizeof(a->id), "%s", id);
	}
	if (!a || takeover_start(d, &(const struct takeover_ask){ .id = id, .account = account,
	    .is_recovery = is_stop, .is_stop = is_stop }, on_changed, a) < 0) {
		free(a);
		bus_refuse(req, "InternalError", true, "no memory");
	}
}

void
takeover_on_start(void *arg, struct bus_req *req, const void *in)
{
	on_request(arg, req, in, false);
}

void
takeover_on_stop(void *arg, struct bus_req *req, const void *in)
{
	on_request(arg, req, in, true);
}
