/*
 * act_status.c - DescribeInstanceStatus.  An instance whose node is silent, or whose
 * QEMU is, is impaired; it is never absent.
 */
#include <stdlib.h>
#include <string.h>

#include "common/instance.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"
#include "gwd/inventory.h"

static const struct filter_name status_names[] = {
	{ "attached-ebs-status.status",	"InstanceStatus.Status" },
	{ "availability-zone",			"AvailabilityZone" },
	{ "event.code",				"Events.Code" },
	{ "event.description",			"Events.Description" },
	{ "event.instance-event-id",		"Events.InstanceEventId" },
	{ "event.not-after",			"Events.NotAfter" },
	{ "event.not-before",			"Events.NotBefore" },
	{ "event.not-before-deadline",		"Events.NotBeforeDeadline" },
	{ "instance-state-code",		"InstanceState.Code" },
	{ "instance-state-name",		"InstanceState.Name" },
	{ "instance-status.reachability",	"InstanceStatus.Details.Status" },
	{ "instance-status.status",		"InstanceStatus.Status" },
	{ "operator.managed",			"=false" },
	{ "operator.principal",		NULL },
	{ "system-status.reachability",		"SystemStatus.Details.Status" },
	{ "system-status.status",		"SystemStatus.Status" },
};
const struct filter_table act_filters_instance_status = { status_names, ARRAY_LEN(status_names), NULL };

struct status {
	struct call	*call;
	struct id_list	 ids;
	struct page	 page;
	cJSON		*out, *list;
	uint32_t	 n;
	char		 last[INSTANCE_ID_MAX + 1];
	bool		 all;		/* IncludeAllInstances: not only running ones */
	bool		 more;
	bool		 nomem;
};

static void
status_free(struct status *s)
{
	cJSON_Delete(s->out);
	id_list_deinit(&s->ids);
	free(s);
}

/* {"Status", "Details": [{"Name": "reachability", "Status"}]} */
static bool
status_add(cJSON *item, const char *member, const char *status, const char *reachability)
{
	cJSON *summary = cJSON_AddObjectToObject(item, member);
	cJSON *details, *detail;

	if (!summary || !cJSON_AddStringToObject(summary, "Status", status))
		return false;
	if (!reachability)
		return true;
	details = cJSON_AddArrayToObject(summary, "Details");
	detail = cJSON_CreateObject();
	if (!details || !detail || !cJSON_AddItemToArray(details, detail)) {
		cJSON_Delete(detail);
		return false;
	}
	return cJSON_AddStringToObject(detail, "Name", "reachability") &&
	    cJSON_AddStringToObject(detail, "Status", reachability);
}

static bool
status_add_summaries(cJSON *item, bool running, bool impaired)
{
	const char *status = !running ? "not-applicable" : impaired ? "impaired" : "ok";
	const char *reachability = !running ? NULL : impaired ? "failed" : "passed";

	return status_add(item, "SystemStatus", status, reachability) &&
	    status_add(item, "InstanceStatus", status, reachability);
}

static cJSON *
status_item(const struct inventory_item *i, const char *state)
{
	AUTO(json) cJSON *item = cJSON_CreateObject();
	const char *zone = json_text(json_member(i->instance, "Placement"), "AvailabilityZone");
	cJSON *copy = cJSON_Duplicate(json_member(i->instance, "State"), true);

	if (!item || !copy || !cJSON_AddItemToObject(item, "InstanceState", copy)) {
		cJSON_Delete(copy);
		return NULL;
	}
	if (!cJSON_AddStringToObject(item, "InstanceId", i->id) ||
	    !cJSON_AddStringToObject(item, "AvailabilityZone", zone ? zone : "") ||
	    !cJSON_AddArrayToObject(item, "Events") ||
	    !status_add_summaries(item, strcmp(state, "running") == 0, i->impaired))
		return NULL;
	return steal_json(&item);
}

/* True: the page is full. */
static bool
status_take(struct status *s, const struct inventory_item *i)
{
	const char *state = json_text(json_member(i->instance, "State"), "Name");
	AUTO(json) cJSON *item = NULL;

	if (!state || (!s->all && strcmp(state, "running") != 0))
		return false;
	item = status_item(i, state);
	if (!item) {
		s->nomem = true;
		return true;
	}
	if (!filter_match(&act_filters_instance_status, json_member(s->call->in, "Filters"), item, NULL))
		return false;
	if (s->page.max > 0 && s->n == s->page.max) {
		s->more = true;
		return true;
	}
	s->n++;
	snprintf(s->last, sizeof(s->last), "%s", i->id);
	cJSON_AddItemToArray(s->list, steal_json(&item));
	return false;
}

static bool
status_round(void *arg, struct inventory_item *items, size_t n)
{
	struct status *s = arg;

	for (size_t i = 0; i < n; i++) {
		if (status_take(s, &items[i]))
			return true;
	}
	return false;
}

static void
status_end(void *arg, const struct inventory_error *e)
{
	struct status *s = arg;

	if (e)
		call_fail(s->call, e->code, "%s", e->message);
	else if (s->nomem || (s->more && !ask_next(s->call, s->last, s->out)))
		ask_fail_nomem(s->call);
	else
		call_answer(s->call, steal_json(&s->out));
	status_free(s);
}

/* False: the call was failed. */
static bool
status_read(struct status *s)
{
	struct call *c = s->call;

	s->all = cJSON_IsTrue(json_member(c->in, "IncludeAllInstances"));
	s->out = cJSON_CreateObject();
	s->list = s->out ? cJSON_AddArrayToObject(s->out, "InstanceStatuses") : NULL;
	if (!s->list) {
		ask_fail_nomem(c);
		return false;
	}
	return ask_ids(c, "InstanceIds", "i", "InvalidInstanceID", &s->ids) &&
	    ask_page(c, s->ids.n > 0, &s->page);
}

void
act_describe_instance_status(struct gwd *g, struct call *c)
{
	struct status *s = calloc(1, sizeof(*s));
	struct inventory_ask ask = { .call = c, .round = status_round, .end = status_end, .arg = s };

	if (!s) {
		ask_fail_nomem(c);
		return;
	}
	s->call = c;
	if (!status_read(s)) {
		status_free(s);
		return;
	}
	ask.ids = &s->ids;
	ask.after = s->page.after;
	if (inventory_start(g, &ask))
		return;
	ask_fail_unready(c);
	status_free(s);
}
