#include "gwd/verb.h"

#include <stdio.h>

#define BIT(state)	(1u << ((unsigned)(state) / 16))	/* EC2's codes are multiples of 16 */
#define PENDING		BIT(INSTANCE_PENDING)
#define RUNNING		BIT(INSTANCE_RUNNING)
#define SHUTTING_DOWN	BIT(INSTANCE_SHUTTING_DOWN)
#define TERMINATED	BIT(INSTANCE_TERMINATED)
#define STOPPING	BIT(INSTANCE_STOPPING)
#define STOPPED		BIT(INSTANCE_STOPPED)

const struct verb verb_start = { "start_instance", "ec2.StartInstances", "started",
	STOPPING | SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_stop = { "stop_instance", NULL, "stopped",
	PENDING | SHUTTING_DOWN | TERMINATED, STOPPED };
/* Also of an instance whose node is dead: another then says that it is. */
const struct verb verb_stop_by_force = { "stop_instance", "ec2.StopInstances", "stopped",
	PENDING | SHUTTING_DOWN | TERMINATED, STOPPED };
const struct verb verb_reboot = { "reboot_instance", NULL, "rebooted",
	PENDING | STOPPING | STOPPED | SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_terminate = { "terminate_instance", NULL, "terminated", 0, TERMINATED };
const struct verb verb_console = { "get_console_output", NULL, "read", 0, 0 };
const struct verb verb_set_tags = { "set_instance_tags", NULL, "tagged", 0, 0 };
const struct verb verb_remove_tags = { "remove_instance_tags", NULL, "untagged", 0, 0 };
const struct verb verb_set_termination = { "set_disable_api_termination", NULL, "modified",
	SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_set_stop = { "set_disable_api_stop", NULL, "modified",
	SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_set_monitoring = { "set_instance_monitoring", NULL, "monitored",
	SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_set_metadata = { "modify_instance_metadata_options", NULL, "modified",
	SHUTTING_DOWN | TERMINATED, 0 };
const struct verb verb_set_attribute = { "set_instance_attribute", NULL, "modified",
	SHUTTING_DOWN | TERMINATED, 0 };

/* The owner has EC2's own words for the states of these. */
const struct verb verb_attach_volume = { "attach_volume", NULL, "attached to", 0, 0 };
const struct verb verb_detach_volume = { "detach_volume", NULL, "detached from", 0, 0 };

const char *
verb_refusal(const struct verb *v, const char *id, enum instance_state s,
    char why[static VERB_MESSAGE_MAX])
{
	if (!(v->refused & BIT(s)))
		return NULL;
	snprintf(why, VERB_MESSAGE_MAX, "The instance '%s' is not in a state from which it can "
	    "be %s.", id, v->done);
	return "IncorrectInstanceState";
}

bool
verb_is_settled(const struct verb *v, enum instance_state s)
{
	return (v->settled & BIT(s)) != 0;
}
