/*
 * act_change.c - StartInstances, StopInstances, RebootInstances, TerminateInstances and
 * GetConsoleOutput: each a verb that the owner carries out.
 */
#include "gwd/acts.h"
#include "gwd/command.h"

/* ---- start, stop, terminate, reboot ---- */

static cJSON *
answer_start(const struct command *c)
{
	return command_state_changes(c, "StartingInstances");
}

static cJSON *
answer_stop(const struct command *c)
{
	return command_state_changes(c, "StoppingInstances");
}

static cJSON *
answer_terminate(const struct command *c)
{
	return command_state_changes(c, "TerminatingInstances");
}

static bool
fill_force(const struct command *c, const struct instance *i, cJSON *command)
{
	return !cJSON_IsTrue(json_member(c->call->in, "Force")) ||
	    cJSON_AddTrueToObject(command, "force") != NULL;
}

static const struct command_spec start_spec = { .verb = &verb_start, .ids = "InstanceIds",
	.answer = answer_start };
static const struct command_spec stop_spec = { .verb = &verb_stop, .ids = "InstanceIds",
	.fill = fill_force, .answer = answer_stop };
static const struct command_spec stop_by_force_spec = { .verb = &verb_stop_by_force,
	.ids = "InstanceIds", .fill = fill_force, .answer = answer_stop };
static const struct command_spec reboot_spec = { .verb = &verb_reboot, .ids = "InstanceIds",
	.answer = command_nothing };
static const struct command_spec terminate_spec = { .verb = &verb_terminate, .ids = "InstanceIds",
	.answer = answer_terminate };

void
act_start_instances(struct gwd *g, struct call *c)
{
	command_start(g, c, &start_spec);
}

/* Hibernation keeps memory, which no guest here was launched for. */
void
act_stop_instances(struct gwd *g, struct call *c)
{
	if (cJSON_IsTrue(json_member(c->in, "Hibernate")))
		call_fail(c, "UnsupportedHibernationConfiguration",
		    "The instances were not launched with hibernation configured.");
	else
		command_start(g, c, cJSON_IsTrue(json_member(c->in, "Force")) ?
		    &stop_by_force_spec : &stop_spec);
}

void
act_reboot_instances(struct gwd *g, struct call *c)
{
	command_start(g, c, &reboot_spec);
}

void
act_terminate_instances(struct gwd *g, struct call *c)
{
	command_start(g, c, &terminate_spec);
}

/* ---- console output ---- */

static cJSON *
answer_console(const struct command *c)
{
	return cJSON_Duplicate(c->items[0].answer, true);
}

static const struct command_spec console_spec = { .verb = &verb_console, .ids = "InstanceId",
	.answer = answer_console };

void
act_get_console_output(struct gwd *g, struct call *c)
{
	command_start(g, c, &console_spec);
}
