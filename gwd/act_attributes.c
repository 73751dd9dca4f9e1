/*
 * act_attributes.c - DescribeInstanceAttribute and DescribeInstanceCreditSpecifications: what an
 * instance's record says beside its state.
 */
#include <string.h>

#include "common/instance_view.h"
#include "gwd/acts.h"
#include "gwd/command.h"
#include "gwd/gwd.h"

/* ---- describe one ---- */

struct attribute {
	const char	*name;		/* as the request has it */
	const char	*member;	/* as the answer has it */
	/* {"Value": ...}, or a list; owned; NULL: no memory. */
	cJSON		*(*show)(const struct instance *i, const cJSON *view);
};

static cJSON *
attribute_text(const char *text)
{
	cJSON *obj = cJSON_CreateObject();

	if (text && *text && !cJSON_AddStringToObject(obj, "Value", text)) {
		cJSON_Delete(obj);
		return NULL;
	}
	return obj;
}

static cJSON *
attribute_bool(bool value)
{
	cJSON *obj = cJSON_CreateObject();

	if (cJSON_AddBoolToObject(obj, "Value", value))
		return obj;
	cJSON_Delete(obj);
	return NULL;
}

static cJSON *
show_type(const struct instance *i, const cJSON *view)
{
	return attribute_text(i->instance_type);
}

/* Byte for byte as it was given: clients compare digests. */
static cJSON *
show_user_data(const struct instance *i, const cJSON *view)
{
	return attribute_text(i->user_data);
}

static cJSON *
show_termination(const struct instance *i, const cJSON *view)
{
	return attribute_bool(i->disable_api_termination);
}

static cJSON *
show_stop(const struct instance *i, const cJSON *view)
{
	return attribute_bool(i->disable_api_stop);
}

static cJSON *
show_behavior(const struct instance *i, const cJSON *view)
{
	return attribute_text(i->shutdown_behavior);
}

static cJSON *
show_root(const struct instance *i, const cJSON *view)
{
	return attribute_text(i->root_device);
}

static cJSON *
show_ebs_optimized(const struct instance *i, const cJSON *view)
{
	return attribute_bool(i->ebs_optimized);
}

static cJSON *
show_true(const struct instance *i, const cJSON *view)
{
	return attribute_bool(true);
}

static cJSON *
show_nothing(const struct instance *i, const cJSON *view)
{
	return cJSON_CreateObject();
}

static cJSON *
show_no_list(const struct instance *i, const cJSON *view)
{
	return cJSON_CreateArray();
}

static cJSON *
show_groups(const struct instance *i, const cJSON *view)
{
	return cJSON_Duplicate(json_member(view, "SecurityGroups"), true);
}

static cJSON *
show_mappings(const struct instance *i, const cJSON *view)
{
	return cJSON_Duplicate(json_member(view, "BlockDeviceMappings"), true);
}

static cJSON *
show_enclave(const struct instance *i, const cJSON *view)
{
	return cJSON_Duplicate(json_member(view, "EnclaveOptions"), true);
}

static const struct attribute attributes[] = {
	{ "blockDeviceMapping",		"BlockDeviceMappings",	show_mappings },
	{ "disableApiStop",		"DisableApiStop",	show_stop },
	{ "disableApiTermination",	"DisableApiTermination", show_termination },
	{ "ebsOptimized",		"EbsOptimized",		show_ebs_optimized },
	{ "enaSupport",			"EnaSupport",		show_true },
	{ "enclaveOptions",		"EnclaveOptions",	show_enclave },
	{ "groupSet",			"Groups",		show_groups },
	{ "instanceInitiatedShutdownBehavior", "InstanceInitiatedShutdownBehavior",
	  show_behavior },
	{ "instanceType",		"InstanceType",		show_type },
	{ "kernel",			"KernelId",		show_nothing },
	{ "productCodes",		"ProductCodes",		show_no_list },
	{ "ramdisk",			"RamdiskId",		show_nothing },
	{ "rootDeviceName",		"RootDeviceName",	show_root },
	{ "sourceDestCheck",		"SourceDestCheck",	show_true },
	{ "sriovNetSupport",		"SriovNetSupport",	show_nothing },
	{ "userData",			"UserData",		show_user_data },
};

static const struct attribute *
attribute_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(attributes); i++) {
		if (strcmp(attributes[i].name, name) == 0)
			return &attributes[i];
	}
	return NULL;
}

int
act_describe_instance_attribute_check(const cJSON *in, struct shape_error *e)
{
	const char *name = json_text(in, "Attribute");

	if (attribute_find(name))
		return 0;
	return shape_refuse(e, "InvalidParameterValue", "Value (%.64s) for parameter attribute is "
	    "invalid. Unknown attribute.", name ? name : "");
}

/* {"InstanceId", <member>} */
static cJSON *
attribute_answer(const struct command *c)
{
	const struct gwd *g = c->call->gwd;
	const struct instance *i = &c->items[0].record;
	const struct attribute *a = attribute_find(json_text(c->call->in, "Attribute"));
	const struct instance_view how = { g->d.conf->region, &g->cloud->types };
	AUTO(json) cJSON *view = instance_view(i, &how);
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *shown = view && a ? a->show(i, view) : NULL;

	if (shown && cJSON_AddStringToObject(out, "InstanceId", i->id) &&
	    cJSON_AddItemToObject(out, a->member, shown))
		return steal_json(&out);
	cJSON_Delete(shown);
	return NULL;
}

static const struct command_spec attribute_read = { .ids = "InstanceId",
	.answer = attribute_answer };

void
act_describe_instance_attribute(struct gwd *g, struct call *c)
{
	command_start(g, c, &attribute_read);
}

/* ---- credits ---- */

static const struct type *
credits_type(const struct command *c, size_t at)
{
	return types_find(&c->call->gwd->cloud->types, c->items[at].record.instance_type);
}

static bool
credits_may(const struct command *c)
{
	for (size_t i = 0; i < c->ids.n; i++) {
		const struct type *t = credits_type(c, i);

		if (t && t->burstable)
			continue;
		call_fail(c->call, "InstanceCreditSpecification.NotSupported", "The instance '%s' "
		    "is not a burstable performance instance.", c->ids.id[i]);
		return false;
	}
	return true;
}

static const struct filter_name credits_names[] = {
	{ "instance-id",	"InstanceId" },
};
const struct filter_table act_filters_credits = { credits_names, ARRAY_LEN(credits_names),
	NULL };

/* No guest here earns or spends credits: "standard" promises nothing.  False: no memory. */
static bool
credits_add(const struct command *c, cJSON *list, const char *id)
{
	AUTO(json) cJSON *one = cJSON_CreateObject();

	if (!one || !cJSON_AddStringToObject(one, "InstanceId", id) ||
	    !cJSON_AddStringToObject(one, "CpuCredits", "standard"))
		return false;
	if (!filter_match(&act_filters_credits, json_member(c->call->in, "Filters"), one, NULL))
		return true;
	return cJSON_AddItemToArray(list, steal_json(&one));
}

static cJSON *
credits_answer(const struct command *c)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "InstanceCreditSpecifications") : NULL;

	for (size_t i = 0; list && i < c->ids.n; i++)
		if (!credits_add(c, list, c->ids.id[i]))
			return NULL;
	return list ? steal_json(&out) : NULL;
}

static const struct command_spec credits_read = { .ids = "InstanceIds", .may = credits_may,
	.answer = credits_answer };

/* Without ids EC2 lists the instances that are "unlimited": there are none. */
void
act_describe_instance_credit_specifications(struct gwd *g, struct call *c)
{
	cJSON *out;

	if (cJSON_GetArraySize(json_member(c->in, "InstanceIds")) > 0) {
		command_start(g, c, &credits_read);
		return;
	}
	out = cJSON_CreateObject();
	if (!cJSON_AddArrayToObject(out, "InstanceCreditSpecifications")) {
		cJSON_Delete(out);
		out = NULL;
	}
	call_answer(c, out);
}
