/*
 * act_options.c - MonitorInstances, UnmonitorInstances, ModifyInstanceMetadataOptions and
 * ModifyInstanceCreditSpecification: switches of an instance that are kept and shown;
 * GetPasswordData and DescribeIamInstanceProfileAssociations, which have nothing to show.
 */
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "gwd/acts.h"
#include "gwd/ask.h"
#include "gwd/command.h"
#include "gwd/describe.h"
#include "gwd/gwd.h"
#include "gwd/run_check.h"

/* ---- monitoring ---- */

static bool
monitoring_fill(const struct command *c, cJSON *command, bool on)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_monitoring_data");

	return data && cJSON_AddBoolToObject(data, "enabled", on) != NULL;
}

static bool
fill_on(const struct command *c, const struct instance *i, cJSON *command)
{
	return monitoring_fill(c, command, true);
}

static bool
fill_off(const struct command *c, const struct instance *i, cJSON *command)
{
	return monitoring_fill(c, command, false);
}

static bool
monitoring_add(cJSON *list, const char *id, const char *state)
{
	AUTO(json) cJSON *one = cJSON_CreateObject();
	cJSON *monitoring = one ? cJSON_AddObjectToObject(one, "Monitoring") : NULL;

	return monitoring && cJSON_AddStringToObject(one, "InstanceId", id) &&
	    cJSON_AddStringToObject(monitoring, "State", state) &&
	    cJSON_AddItemToArray(list, steal_json(&one));
}

static cJSON *
monitoring_answer(const struct command *c, const char *state)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "InstanceMonitorings") : NULL;

	for (size_t i = 0; list && i < c->ids.n; i++)
		if (!monitoring_add(list, c->ids.id[i], state))
			return NULL;
	return list ? steal_json(&out) : NULL;
}

static cJSON *
answer_on(const struct command *c)
{
	return monitoring_answer(c, "enabled");
}

static cJSON *
answer_off(const struct command *c)
{
	return monitoring_answer(c, "disabled");
}

static const struct command_spec monitor_on = { .verb = &verb_set_monitoring,
	.ids = "InstanceIds", .fill = fill_on, .answer = answer_on };
static const struct command_spec monitor_off = { .verb = &verb_set_monitoring,
	.ids = "InstanceIds", .fill = fill_off, .answer = answer_off };

void
act_monitor_instances(struct gwd *g, struct call *c)
{
	command_start(g, c, &monitor_on);
}

void
act_unmonitor_instances(struct gwd *g, struct call *c)
{
	command_start(g, c, &monitor_off);
}

/* ---- metadata options ---- */

static const struct { const char *member, *data; } metadata_texts[] = {
	{ "HttpEndpoint",		"http_endpoint" },
	{ "HttpProtocolIpv6",		"http_protocol_ipv6" },
	{ "HttpTokens",			"http_tokens" },
	{ "InstanceMetadataTags",	"instance_metadata_tags" },
};

int
act_modify_instance_metadata_options_check(const cJSON *in, struct shape_error *e)
{
	bool is_set = json_member(in, "HttpPutResponseHopLimit") != NULL;

	for (size_t i = 0; i < ARRAY_LEN(metadata_texts); i++)
		is_set |= json_member(in, metadata_texts[i].member) != NULL;
	if (!is_set)
		return shape_refuse(e, "MissingParameter",
		    "The request must contain at least one metadata option");
	return run_check_metadata(in, e);
}

static bool
metadata_fill(const struct command *c, const struct instance *i, cJSON *command)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_metadata_options_data");
	const cJSON *hops = json_member(c->call->in, "HttpPutResponseHopLimit");
	bool ok = data && (!hops || cJSON_AddNumberToObject(data, "http_put_response_hop_limit",
	    hops->valuedouble));

	for (size_t n = 0; ok && n < ARRAY_LEN(metadata_texts); n++) {
		const char *word = json_text(c->call->in, metadata_texts[n].member);

		ok = !word || cJSON_AddStringToObject(data, metadata_texts[n].data, word);
	}
	return ok;
}

/* What it was, with what was set. */
static cJSON *
metadata_answer(const struct command *c)
{
	const struct gwd *g = c->call->gwd;
	const struct instance_view how = { g->d.conf->region, &g->cloud->types };
	AUTO(json) cJSON *view = instance_view(&c->items[0].record, &how);
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *options = cJSON_DetachItemFromObjectCaseSensitive(view, "MetadataOptions");
	const cJSON *member;

	if (!options || !cJSON_AddItemToObject(out, "InstanceMetadataOptions", options) ||
	    !cJSON_AddStringToObject(out, "InstanceId", c->ids.id[0]))
		return NULL;
	cJSON_ArrayForEach(member, c->call->in) {
		cJSON *copy = cJSON_HasObjectItem(options, member->string) ?
		    cJSON_Duplicate(member, true) : NULL;

		if (copy && !cJSON_ReplaceItemInObjectCaseSensitive(options, member->string, copy))
			return NULL;
	}
	return steal_json(&out);
}

static const struct command_spec metadata_spec = { .verb = &verb_set_metadata,
	.ids = "InstanceId", .fill = metadata_fill, .answer = metadata_answer };

void
act_modify_instance_metadata_options(struct gwd *g, struct call *c)
{
	command_start(g, c, &metadata_spec);
}

/* ---- credits ---- */

#define CREDIT_IDS	"InstanceIds"	/* no member of the request's */

int
act_modify_instance_credit_specification_check(const cJSON *in, struct shape_error *e)
{
	const cJSON *one;

	if (cJSON_GetArraySize(json_member(in, "InstanceCreditSpecifications")) == 0)
		return shape_refuse(e, "MissingParameter", "The request must contain the parameter "
		    "InstanceCreditSpecification");
	cJSON_ArrayForEach(one, json_member(in, "InstanceCreditSpecifications")) {
		const char *credits = json_text(one, "CpuCredits");

		if (!json_text(one, "InstanceId"))
			return shape_refuse(e, "MissingParameter", "The request must contain the "
			    "parameter InstanceCreditSpecification.InstanceId");
		if (!credits || (strcmp(credits, "standard") && strcmp(credits, "unlimited")))
			return shape_refuse(e, "InvalidParameterValue", "Value (%.32s) for parameter "
			    "CpuCredits is invalid. Expecting standard or unlimited.",
			    credits ? credits : "");
	}
	return 0;
}

/* Nothing here is limited by credits, so that nothing can be unlimited. */
static bool
credit_add(cJSON *done, cJSON *not_done, const cJSON *asked)
{
	const bool ok = strcmp(json_text(asked, "CpuCredits"), "standard") == 0;
	AUTO(json) cJSON *one = cJSON_CreateObject();
	cJSON *error = NULL;

	if (!one || !cJSON_AddStringToObject(one, "InstanceId", json_text(asked, "InstanceId")))
		return false;
	if (ok)
		return cJSON_AddItemToArray(done, steal_json(&one));
	error = cJSON_AddObjectToObject(one, "Error");
	return error &&
	    cJSON_AddStringToObject(error, "Code", "InstanceCreditSpecification.NotSupported") &&
	    cJSON_AddStringToObject(error, "Message", "CPU credits are not kept here.") &&
	    cJSON_AddItemToArray(not_done, steal_json(&one));
}

static cJSON *
credit_answer(const struct command *c)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *done = cJSON_AddArrayToObject(out, "SuccessfulInstanceCreditSpecifications");
	cJSON *not_done = cJSON_AddArrayToObject(out, "UnsuccessfulInstanceCreditSpecifications");
	bool ok = done && not_done;
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(c->call->in, "InstanceCreditSpecifications"))
		ok = ok && credit_add(done, not_done, one);
	return ok ? steal_json(&out) : NULL;
}

static const struct command_spec credit_spec = { .ids = CREDIT_IDS, .answer = credit_answer };

/* The instances have to exist: their ids are put together as a command reads them. */
void
act_modify_instance_credit_specification(struct gwd *g, struct call *c)
{
	cJSON *ids = cJSON_AddArrayToObject(c->in, CREDIT_IDS);
	bool ok = ids != NULL;
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(c->in, "InstanceCreditSpecifications")) {
		cJSON *id = cJSON_CreateString(json_text(one, "InstanceId"));

		ok = ok && id && cJSON_AddItemToArray(ids, id);
	}
	if (ok)
		command_start(g, c, &credit_spec);
	else
		ask_fail_nomem(c);
}

/* ---- passwords: no guest here has one that EC2 would know ---- */

static cJSON *
password_answer(const struct command *c)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (!out || !cJSON_AddStringToObject(out, "InstanceId", c->ids.id[0]) ||
	    !cJSON_AddStringToObject(out, "PasswordData", "") ||
	    !json_add_time(out, "Timestamp", c->items[0].record.launch_time_ms))
		return NULL;
	return steal_json(&out);
}

static const struct command_spec password_spec = { .ids = "InstanceId",
	.answer = password_answer };

void
act_get_password_data(struct gwd *g, struct call *c)
{
	command_start(g, c, &password_spec);
}

/* ---- instance profiles: there are none ---- */

static const struct filter_name profile_names[] = {
	{ "instance-id",	"InstanceId" },
	{ "state",		"State" },
};
const struct filter_table act_filters_profiles = { profile_names, ARRAY_LEN(profile_names), NULL };

static const struct describe_kind profile_kind = { "IamInstanceProfileAssociations", {
	{ "AssociationIds", NULL, "AssociationId", "association ID", "InvalidAssociationID" } } };

void
act_describe_iam_instance_profile_associations(struct gwd *g, struct call *c)
{
	struct describe *d = describe_open(c, &profile_kind);

	if (d)
		describe_end(d);
}
