#include "vmd/takeover.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/ident.h"
#include "common/instance_view.h"
#include "vmd/command.h"
#include "vmd/wire.h"

struct takeover {
	struct vmd		*d;
	char			 id[INSTANCE_ID_MAX + 1];
	char			 account[13];	/* "": an operator's */
	takeover_fn		*fn;
	void			*arg;
	const char		*code, *why;	/* of a refusal */
	enum instance_state	 before;
	struct capacity_need	 need;
	bool			 has_room;
};

static void
end(struct takeover *t, bool retryable)
{
	/* The vm that has the record now has counted its own. */
	if (t->has_room)
		capacity_release(&t->d->capacity, &t->need);
	t->fn(t->arg, t->code, retryable, t->code ? t->why : "", t->before,
	    t->code ? t->before : INSTANCE_PENDING);
	free(t);
}

static int
refuse(struct takeover *t, const char *code, const char *why)
{
	t->code = code;
	t->why = why;
	return -EACCES;
}

static bool
has_disk(const struct vmd *d, const struct instance *i)
{
	struct launch_job at;

	return vm_paths(d, i, &at) == 0 && access(at.disk, F_OK) == 0;
}

static bool
has_room(struct takeover *t, const struct instance *i)
{
	if (!t->has_room)
		t->has_room = vm_need_of(t->d, i->instance_type, &t->need) &&
		    capacity_reserve(&t->d->capacity, &t->need, 1);
	return t->has_room;
}

/* Another node's record: ours and pending, if it is stopped and can run here. */
static int
make_ours(void *arg, struct instance *i)
{
	static const char no_room[] = "InsufficientInstanceCapacity";
	struct takeover *t = arg;
	const struct vmd *d = t->d;

	t->before = i->state;
	if (*t->account && strcmp(t->account, i->account_id) != 0)
		return refuse(t, "InvalidInstanceID.NotFound", "The instance ID does not exist");
	if (i->state != INSTANCE_STOPPED)
		return refuse(t, "IncorrectInstanceState", "The instance's node does not answer, and "
		    "it is not in a state from which it can be started elsewhere.");
	if (strcmp(i->arch, d->arch) != 0)
		return refuse(t, no_room, "This node is of another architecture.");
	if (!has_disk(d, i))
		return refuse(t, no_room,
		    "The instance's root disk is not in a folder that this node shares.");
	if (!has_room(t, i))
		return refuse(t, no_room, "There is not enough capacity to fulfill your request.");
	snprintf(i->node, sizeof(i->node), "%.64s", d->conf->common.node);
	snprintf(i->zone, sizeof(i->zone), "%.64s", d->conf->common.zone);
	command_make_pending(t->d, i);
	return 0;
}

static void
on_taken(void *arg, int res, struct record *r)
{
	struct takeover *t = arg;
	bool retryable = res == -EAGAIN || res == -ENOMEM;

	if (res == -ENOENT)
		refuse(t, "InvalidInstanceID.NotFound", "The instance ID does not exist");
	else if (res < 0 && !t->code && retryable)
		refuse(t, "ServiceUnavailable",
		    "The record was changed meanwhile, or cannot be written now.");
	else if (res < 0 && !t->code)
		refuse(t, "InternalError", "It is not known whether it was done.");
	end(t, retryable);
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
start_own(struct takeover *t, struct vm *vm)
{
	struct command *c;

	if (*t->account && strcmp(t->account, vm_instance(vm)->account_id) != 0) {
		refuse(t, "InvalidInstanceID.NotFound", "The instance ID does not exist");
		end(t, false);
		return 0;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct command){ .d = t->d, .end = end_own, .arg = t,
		.ask = { .command = POLICY_START } };
	snprintf(c->id, sizeof(c->id), "%s", vm->id);
	command_change(c, vm);
	return 0;
}

int
takeover_start(struct vmd *d, const char *id, const char *account, takeover_fn *fn, void *arg)
{
	struct vm *vm = vm_find(d, id);
	struct takeover *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return -ENOMEM;
	*t = (struct takeover){ .d = d, .fn = fn, .arg = arg };
	snprintf(t->id, sizeof(t->id), "%s", id);
	snprintf(t->account, sizeof(t->account), "%s", account ? account : "");
	if (vm) {
		r = start_own(t, vm);
	} else if (d->drained || !vmd_may_launch(d)) {
		refuse(t, d->drained ? "InsufficientInstanceCapacity" : "ServiceUnavailable",
		    d->drained ? "This node is drained." : "This node does not hold its lease.");
		end(t, !d->drained);
		return 0;
	} else {
		r = records_take(d->records, id, make_ours, on_taken, t);
	}
	if (r < 0)
		free(t);
	return r;
}

/* ---- the queue ---- */

struct ask {
	struct bus_req	*req;
	char		 id[INSTANCE_ID_MAX + 1];
};

static cJSON *
answer(const char *id, enum instance_state before, enum instance_state now)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	AUTO(json) cJSON *change = instance_view_change(id, before, now);
	cJSON *list = out ? cJSON_AddArrayToObject(out, "StartingInstances") : NULL;

	if (!list || !change || !cJSON_AddItemToArray(list, change))
		return NULL;
	(void)steal_json(&change);
	return steal_json(&out);
}

static void
on_started(void *arg, const char *code, bool retryable, const char *why,
    enum instance_state before, enum instance_state now)
{
	struct ask *a = arg;
	AUTO(json) cJSON *out = code ? NULL : answer(a->id, before, now);

	if (code)
		bus_refuse(a->req, code, retryable, "%s", why);
	else if (out)
		bus_reply(a->req, out);
	else
		bus_refuse(a->req, "InternalError", true, "no memory");
	free(a);
}

void
takeover_on_request(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
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
	a = calloc(1, sizeof(*a));
	if (a) {
		a->req = req;
		snprintf(a->id, sizeof(a->id), "%s", id);
	}
	if (!a || takeover_start(d, id, account, on_started, a) < 0) {
		free(a);
		bus_refuse(req, "InternalError", true, "no memory");
	}
}
