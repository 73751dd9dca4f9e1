/*
 * act_modify.c - ModifyInstanceAttribute: one attribute of one instance.  EC2 has each in two
 * ways, DisableApiStop.Value=true and Attribute=disableApiStop&Value=true.  What cannot be
 * changed here may still be set to what it is.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gwd/acts.h"
#include "gwd/command.h"
#include "gwd/gwd.h"
#include "gwd/run_check.h"

struct modify {
	const char			*name;		/* as Attribute names it */
	const char			*member;	/* of the input */
	/* Is the value one that it can have?  0, or -EINVAL. */
	int				(*check)(const cJSON *in, const char *value,
					    struct shape_error *e);
	const struct command_spec	*spec;		/* NULL: act_groups.c has it */
	const char			*data;		/* what the owner calls it */
};

static const struct modify *modify_the(const cJSON *in);

/* The value as a text, in whichever way it is given; NULL: none, or a list. */
static const char *
modify_value(const cJSON *in, const struct modify *m)
{
	const cJSON *given = json_member(json_member(in, m->member), "Value");

	if (cJSON_IsBool(given))
		return cJSON_IsTrue(given) ? "true" : "false";
	return cJSON_IsString(given) ? given->valuestring : json_text(in, "Value");
}

/* ---- checks ---- */

static int
modify_refuse_value(struct shape_error *e, const char *value, const char *expected)
{
	return shape_refuse(e, "InvalidParameterValue", "Value (%.64s) for parameter value is "
	    "invalid. Expecting %s.", value ? value : "", expected);
}

static int
check_bool(const cJSON *in, const char *value, struct shape_error *e)
{
	if (value && (strcasecmp(value, "true") == 0 || strcasecmp(value, "false") == 0))
		return 0;
	return modify_refuse_value(e, value, "true or false");
}

static int
check_is(const char *value, const char *only, struct shape_error *e)
{
	int r = check_bool(NULL, value, e);

	if (r < 0 || strcasecmp(value, only) == 0)
		return r;
	return shape_refuse(e, "UnsupportedOperation", "This attribute cannot be %.5s here.",
	    value);
}

static int
check_true(const cJSON *in, const char *value, struct shape_error *e)
{
	return check_is(value, "true", e);
}

static int
check_false(const cJSON *in, const char *value, struct shape_error *e)
{
	return check_is(value, "false", e);
}

static int
check_behavior(const cJSON *in, const char *value, struct shape_error *e)
{
	if (value && (strcmp(value, "stop") == 0 || strcmp(value, "terminate") == 0))
		return 0;
	return modify_refuse_value(e, value, "stop or terminate");
}

static int
check_type(const cJSON *in, const char *value, struct shape_error *e)
{
	return value && *value ? 0 : modify_refuse_value(e, value, "an instance type");
}

static int
check_user_data(const cJSON *in, const char *value, struct shape_error *e)
{
	if (value)
		return run_check_data(value, e);
	return shape_refuse(e, "InvalidUserData.Malformed",
	    "Invalid BASE64 encoding of user data.");
}

/* The first mapping's DeleteOnTermination, which is all that can be changed of one; or NULL. */
static const cJSON *
modify_mapping(const cJSON *in)
{
	return cJSON_GetArrayItem(json_member(in, "BlockDeviceMappings"), 0);
}

static int
check_mappings(const cJSON *in, const char *value, struct shape_error *e)
{
	const cJSON *mapping = modify_mapping(in);

	if (cJSON_GetArraySize(json_member(in, "BlockDeviceMappings")) == 1 &&
	    json_text(mapping, "DeviceName") &&
	    cJSON_IsBool(json_member(json_member(mapping, "Ebs"), "DeleteOnTermination")))
		return 0;
	return shape_refuse(e, "InvalidParameterValue", "Expecting one block device mapping with "
	    "DeviceName and Ebs.DeleteOnTermination.");
}

static int
check_groups(const cJSON *in, const char *value, struct shape_error *e)
{
	if (cJSON_GetArraySize(json_member(in, "Groups")) > 0)
		return 0;
	return shape_refuse(e, "InvalidParameterValue", "Expecting at least one security group.");
}

/* ---- against the record ---- */

static bool
may_while_stopped(const struct command *c)
{
	const struct instance *i = &c->items[0].record;

	if (i->state == INSTANCE_STOPPED)
		return true;
	call_fail(c->call, "IncorrectInstanceState", "The instance '%s' is not in the 'stopped' "
	    "state.", i->id);
	return false;
}

static bool
may_have_type(const struct command *c)
{
	const struct instance *i = &c->items[0].record;
	const char *name = modify_value(c->call->in, modify_the(c->call->in));
	const struct type *t = types_find(&c->call->gwd->cloud->types, name);

	if (!t) {
		call_fail(c->call, "InvalidInstanceAttributeValue", "Invalid value '%.64s' for "
		    "InstanceType.", name);
		return false;
	}
	if (!t->offered || strcmp(t->arch, i->arch) != 0) {
		call_fail(c->call, "Unsupported", "The requested configuration is currently not "
		    "supported: %s does not run an instance of the architecture %s here.", t->name,
		    i->arch);
		return false;
	}
	return may_while_stopped(c);
}

static bool
may_map(const struct command *c)
{
	const struct instance *i = &c->items[0].record;
	const cJSON *mapping = modify_mapping(c->call->in);
	const char *device = json_text(mapping, "DeviceName");
	const char *asked = json_text(json_member(mapping, "Ebs"), "VolumeId"), *has = NULL;
	const struct instance_volume *v = instance_volume_at(i, device);

	if (strcmp(device, i->root_device) == 0)
		has = i->volume_id;
	else if (v)
		has = v->id;
	if (has && (!asked || strcmp(asked, has) == 0))
		return true;
	call_fail(c->call, "InvalidInstanceAttributeValue", "No device is currently mapped at "
	    "%.64s", device);
	return false;
}

/* ---- what the owner is told ---- */

static bool
fill_switch(const struct command *c, const struct instance *i, cJSON *command)
{
	const struct modify *m = modify_the(c->call->in);
	cJSON *data = cJSON_AddObjectToObject(command, m->data);

	return data && cJSON_AddBoolToObject(data, "value",
	    strcasecmp(modify_value(c->call->in, m), "true") == 0) != NULL;
}

static bool
fill_text(const struct command *c, const struct instance *i, cJSON *command)
{
	const struct modify *m = modify_the(c->call->in);
	cJSON *data = cJSON_AddObjectToObject(command, "instance_attribute_data");

	return data && cJSON_AddStringToObject(data, m->data, modify_value(c->call->in, m)) != NULL;
}

static bool
fill_mapping(const struct command *c, const struct instance *i, cJSON *command)
{
	cJSON *data = cJSON_AddObjectToObject(command, "instance_attribute_data");
	const cJSON *goes = json_member(json_member(modify_mapping(c->call->in), "Ebs"),
	    "DeleteOnTermination");

	return data && cJSON_AddStringToObject(data, "device",
	    json_text(modify_mapping(c->call->in), "DeviceName")) &&
	    cJSON_AddBoolToObject(data, "keep_volume", !cJSON_IsTrue(goes));
}

static const struct command_spec set_termination = { .verb = &verb_set_termination,
	.ids = "InstanceId", .fill = fill_switch, .answer = command_nothing };
static const struct command_spec set_stop = { .verb = &verb_set_stop, .ids = "InstanceId",
	.fill = fill_switch, .answer = command_nothing };
static const struct command_spec set_behavior = { .verb = &verb_set_attribute,
	.ids = "InstanceId", .fill = fill_text, .answer = command_nothing };
static const struct command_spec set_type = { .verb = &verb_set_attribute, .ids = "InstanceId",
	.may = may_have_type, .fill = fill_text, .answer = command_nothing };
static const struct command_spec set_user_data = { .verb = &verb_set_attribute,
	.ids = "InstanceId", .may = may_while_stopped, .fill = fill_text, .answer = command_nothing };
static const struct command_spec set_mapping = { .verb = &verb_set_attribute,
	.ids = "InstanceId", .may = may_map, .fill = fill_mapping, .answer = command_nothing };
/* It is so already: the instance has to exist, and nothing is sent. */
static const struct command_spec set_nothing = { .ids = "InstanceId", .answer = command_nothing };

static const struct modify modifies[] = {
	{ "blockDeviceMapping",	"BlockDeviceMappings", check_mappings, &set_mapping, NULL },
	{ "disableApiStop",	"DisableApiStop", check_bool, &set_stop, "disable_api_stop_data" },
	{ "disableApiTermination", "DisableApiTermination", check_bool, &set_termination,
	  "disable_api_termination_data" },
	{ "ebsOptimized",	"EbsOptimized", check_false, &set_nothing, NULL },
	{ "enaSupport",		"EnaSupport", check_true, &set_nothing, NULL },
	{ "groupSet",		"Groups", check_groups, NULL, NULL },
	{ "instanceInitiatedShutdownBehavior", "InstanceInitiatedShutdownBehavior",
	  check_behavior, &set_behavior, "shutdown_behavior" },
	{ "instanceType",	"InstanceType", check_type, &set_type, "instance_type" },
	{ "sourceDestCheck",	"SourceDestCheck", check_true, &set_nothing, NULL },
	{ "userData",		"UserData", check_user_data, &set_user_data, "user_data" },
};

/* ---- the request ---- */

static bool
modify_names(const cJSON *in, const struct modify *m)
{
	const char *name = json_text(in, "Attribute");

	return (name && strcmp(name, m->name) == 0) || json_member(in, m->member);
}

static const struct modify *
modify_of(const cJSON *in)
{
	for (size_t i = 0; i < ARRAY_LEN(modifies); i++) {
		if (modify_names(in, &modifies[i]))
			return &modifies[i];
	}
	return NULL;
}

/* Of a request that was checked: there is one. */
static const struct modify *
modify_the(const cJSON *in)
{
	const struct modify *m = modify_of(in);

	if (!m)
		abort();
	return m;
}

/* How many attributes it names; the id and the words beside it are none. */
static size_t
modify_count(const cJSON *in)
{
	static const char *const beside[] = { "Attribute", "InstanceId", "Value", "DryRun" };
	size_t n = 0, named = 0;
	const cJSON *member;

	for (size_t i = 0; i < ARRAY_LEN(modifies); i++)
		named += modify_names(in, &modifies[i]);
	cJSON_ArrayForEach(member, in) {
		bool is_beside = false;

		for (size_t i = 0; i < ARRAY_LEN(beside); i++)
			is_beside |= strcmp(member->string, beside[i]) == 0;
		n += !is_beside;
	}
	if (named > 0)
		return n > 1 ? n : named;
	return n + (json_text(in, "Attribute") != NULL);
}

int
act_modify_instance_attribute_check(const cJSON *in, struct shape_error *e)
{
	const struct modify *m = modify_of(in);

	if (modify_count(in) != 1)
		return shape_refuse(e, "InvalidParameterCombination", "Exactly one attribute must "
		    "be specified.");
	if (!m)
		return shape_refuse(e, "UnsupportedOperation",
		    "This attribute of an instance cannot be modified.");
	return m->check(in, modify_value(in, m), e);
}

void
act_modify_instance_attribute(struct gwd *g, struct call *c)
{
	const struct command_spec *spec = modify_the(c->in)->spec;

	if (spec)
		command_start(g, c, spec);
	else
		act_instance_groups(g, c);
}
