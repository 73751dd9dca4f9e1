/*
 * verb.h - the changes that an instance's owner makes: their names on the wire, and in which
 * states they are refused before anything is sent.  The owner judges again: it alone knows.
 * Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/instance.h"

struct verb {
	const char	*attribute;	/* "stop_instance" */
	const char	*queue;		/* whom to ask without an owner; NULL: nobody */
	const char	*done;		/* "stopped", as in "it can be stopped" */
	unsigned	 refused;	/* bits: 1 << verb_bit(state) */
	unsigned	 settled;	/* states in which there is nothing left to do */
};
extern const struct verb verb_start, verb_stop, verb_stop_by_force, verb_reboot, verb_terminate,
    verb_console, verb_set_tags, verb_remove_tags, verb_set_termination, verb_set_stop,
    verb_set_attribute, verb_set_monitoring, verb_set_metadata, verb_attach_volume,
    verb_detach_volume;

#define VERB_MESSAGE_MAX	192
/* Does the state refuse it?  Then the code, and the sentence in why. */
const char *verb_refusal(const struct verb *v, const char *id, enum instance_state s,
    char why[static VERB_MESSAGE_MAX]);		/* NULL: it does not */
/* Is it done already, so that a record alone can answer? */
bool	 verb_is_settled(const struct verb *v, enum instance_state s);
