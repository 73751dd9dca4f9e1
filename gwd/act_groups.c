/*
 * act_groups.c - the security groups of an instance are changed: ModifyInstanceAttribute with
 * Groups, and ModifyNetworkInterfaceAttribute of an interface that is an instance's.  The groups
 * are looked up in the account's document, then the instance's owner is told.
 */
#include <string.h>

#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/command.h"
#include "gwd/gwd.h"
#include "gwd/net_impl.h"
#include "gwd/net_job.h"

#define LINES	".groups"	/* what we write into the input: as the record has them */
#define VPC	".vpc"

/* {LINES, VPC} of the request's Groups, all of the VPC of the first. */
static cJSON *
look_up(struct net *n, const cJSON *in)
{
	const cJSON *ids = json_member(in, "Groups"), *first = cJSON_GetArrayItem(ids, 0), *g;
	const cJSON *group = net_need(n, NET_GROUP, cJSON_IsString(first) ? first->valuestring : "");
	AUTO(buf) struct buf lines = BUF_EMPTY(INSTANCE_GROUPS_TEXT_MAX);
	AUTO(json) cJSON *groups = group ? net_groups(n, json_text(group, "VpcId"), ids) : NULL;
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!groups)
		return NULL;
	if (cJSON_GetArraySize(groups) > INSTANCE_GROUPS_MAX)
		return net_fail(n, "SecurityGroupsPerInterfaceLimitExceeded", "The maximum number of security "
		    "groups per interface, %d, is reached.", INSTANCE_GROUPS_MAX);
	cJSON_ArrayForEach(g, groups)
		(void)!buf_printf(&lines, "%s%s %s", lines.len ? "\n" : "", json_text(g, "GroupId"),
		    json_text(g, "GroupName"));
	if (lines.failed || !cJSON_AddStringToObject(out, LINES, buf_text(&lines)) ||
	    !cJSON_AddStringToObject(out, VPC, json_text(group, "VpcId")))
		return NULL;
	return steal_json(&out);
}

static bool
may_have(const struct command *c)
{
	const struct instance *i = &c->items[0].record;

	if (strcmp(i->vpc_id, json_text(c->call->in, VPC)) == 0)
		return true;
	call_fail(c->call, "InvalidGroup.NotFound", "The security groups do not exist in VPC '%s', in "
	    "which the instance '%s' is", i->vpc_id, i->id);
	return false;
}

static bool
fill(const struct command *c, const struct instance *i, cJSON *command)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_attribute_data");

	return data && cJSON_AddStringToObject(data, "groups", json_text(c->call->in, LINES));
}

static const struct command_spec set_groups = { .verb = &verb_set_attribute, .ids = "InstanceId",
	.may = may_have, .fill = fill, .answer = command_nothing };

static void
looked_up(struct call *c, const cJSON *out)
{
	cJSON *lines = cJSON_Duplicate(json_member(out, LINES), true);
	cJSON *vpc = cJSON_Duplicate(json_member(out, VPC), true);

	if (!lines || !cJSON_AddItemToObject(c->in, LINES, lines)) {
		cJSON_Delete(lines);
		cJSON_Delete(vpc);
	} else if (!vpc || !cJSON_AddItemToObject(c->in, VPC, vpc)) {
		cJSON_Delete(vpc);
	} else {
		command_start(c->gwd, c, &set_groups);
		return;
	}
	ask_fail_nomem(c);
}

void
act_instance_groups(struct gwd *g, struct call *c)
{
	static const struct net_change change = { "Groups", look_up, false, true };

	net_job_start(g, c, &change, cJSON_Duplicate(c->in, true), looked_up);
}

/* ---- by the interface ---- */

/* Whose is it?  One that is no instance's is the network's. */
static void
on_records(void *arg, enum cas_result res, const struct instance *records, size_t n)
{
	struct call *c = arg;
	const char *eni = json_text(c->in, "NetworkInterfaceId"), *id = NULL;

	if (res != CAS_OK) {
		ask_fail_store(c, res);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (strcmp(records[i].account_id, c->account) == 0 && strcmp(records[i].eni_id, eni) == 0 &&
		    records[i].state != INSTANCE_TERMINATED)
			id = records[i].id;
	if (!id)
		act_net(c->gwd, c);
	else if (cJSON_AddStringToObject(c->in, "InstanceId", id))
		act_instance_groups(c->gwd, c);
	else
		ask_fail_nomem(c);
}

void
act_modify_network_interface_attribute(struct gwd *g, struct call *c)
{
	if (cJSON_GetArraySize(json_member(c->in, "Groups")) == 0)
		act_net(g, c);
	else if (!snapshot_get(g->cloud->snapshot, on_records, c))
		ask_fail_nomem(c);
}
