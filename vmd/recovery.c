#include "vmd/recovery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/log.h"
#include "common/subjects.h"
#include "vmd/disk_use.h"

#define BURY_TIMEOUT_MS	25000

/* ---- what becomes of it ---- */

/* A launch that never was: it ends as one that failed does. */
static bool
never_ran(const struct instance *i)
{
	return i->state == INSTANCE_PENDING && !*i->last_node;
}

bool
recovery_launches(const struct takeover *t)
{
	const struct instance *i = &t->i;

	return !t->is_stop && (i->state == INSTANCE_RUNNING || (i->state == INSTANCE_PENDING && !never_ran(i)));
}

void
recovery_change(struct takeover *t)
{
	const struct vmd *d = t->d;
	struct instance *i = &t->i;

	if (t->is_stop) {
		i->state = INSTANCE_STOPPING;
		policy_explain(i, POLICY_WHY_USER, vmd_wall_ms(d), NULL);
	} else if (never_ran(i)) {
		i->state = INSTANCE_SHUTTING_DOWN;
		policy_explain(i, POLICY_WHY_LAUNCH, vmd_wall_ms(d), "its node is dead");
	}
	ident_uuid(i->launch_id);
}

/* ---- nobody has its disk ---- */

static void
on_disks_seen(void *arg, enum disk_use use, const char *volume)
{
	struct takeover *t = arg;

	if (use != DISK_USE_NONE)
		takeover_refuse(t, "vm.disk_in_use", true,
		    "A process has the lock of its disk: its guest may run still.");
	else
		takeover_go_on(t);
}

static void
check_disks(struct takeover *t)
{
	int r = disk_use_look(t->d, &t->i, on_disks_seen, t);

	if (r < 0)
		takeover_refuse_record(t, r);
}

/* ---- its node is dead ---- */

static void
on_buried(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct takeover *t = arg;
	AUTO(json) cJSON *out = NULL;
	struct bus_error e;

	if (res != BUS_OK)
		takeover_refuse(t, "ServiceUnavailable", true, "This node's leased does not answer.");
	else if (bus_msg_json(m, &out, &e) < 0)
		takeover_refuse(t, e.code, e.retryable, e.message);
	else
		check_disks(t);
}

static void
bury(struct takeover *t)
{
	const struct vmd *d = t->d;
	const struct bus_header follow = { HEADER_REQUEST_ID, t->request_id };
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(str) char *text = NULL;
	char subject[BUS_SUBJECT_MAX + 1];

	if (in && cJSON_AddStringToObject(in, "node", t->i.node) &&
	    cJSON_AddBoolToObject(in, "fenced", t->is_fenced))
		text = json_print(in);
	snprintf(subject, sizeof(subject), "lease.v1.%.64s.bury", d->conf->common.node);
	if (!text || bus_ask(d->d.bus, &(const struct bus_ask){ .subject = subject, .data = text,
	    .len = strlen(text), .headers = &follow, .nheaders = *t->request_id ? 1 : 0,
	    .timeout_ms = BURY_TIMEOUT_MS }, on_buried, t) == 0)
		takeover_refuse_record(t, -ENOMEM);
}

static bool
is_to_recover(const struct instance *i)
{
	return i->state != INSTANCE_STOPPED &&
	    (i->state != INSTANCE_TERMINATED || stop_is_owed(i));
}

/* May it be stopped?  False: t has ended. */
static bool
may_stop(struct takeover *t)
{
	const struct policy_ask ask = { .command = POLICY_STOP, .force = true,
		.keep_running = t->i.disable_api_stop };
	enum policy_verdict v = policy_judge(t->i.state, &ask);
	char text[POLICY_TEXT_MAX];
	const char *code;

	if (v == POLICY_DO || v == POLICY_HURRY)
		return true;
	if (v == POLICY_NOTHING) {
		takeover_is_so(t);
		return false;
	}
	code = policy_refusal(v, POLICY_STOP, t->id, text);
	takeover_refuse(t, code, false, text);
	return false;
}

void
recovery_begin(struct takeover *t)
{
	const struct instance *i = &t->i;
	char why[LAUNCH_WHY_MAX];

	if (t->is_stop && !may_stop(t))
		return;
	if (!is_to_recover(i)) {
		snprintf(why, sizeof(why), "The instance is %s: there is nothing to recover.",
		    instance_state_name(i->state));
		takeover_refuse(t, "IncorrectInstanceState", false, why);
	} else if (!t->is_fenced && !vm_stops_alone(i)) {
		snprintf(why, sizeof(why), "Node %s may still run it: it was launched under "
		    "on_isolation = keep. Once that machine is off, say so with --fenced.", i->node);
		takeover_refuse(t, "vm.not_fenced", false, why);
	} else {
		log_fields(LOG_WARNING, &(const struct log_ctx){ .instance = t->id, .node = i->node,
		    .request_id = t->request_id }, "%s: %s from node %s%s", t->id, t->is_stop ? "a user stops it by force, away" :
		    "an operator recovers it", i->node,
		    t->is_fenced ? ", and says that its machine is off" : "");
		bury(t);
	}
}
