#include "vmd/policy.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* One row a state, one column a command: start, stop, reboot, terminate. */
static const struct {
	enum instance_state	 state;
	enum policy_verdict	 of[POLICY_COMMANDS];
} policy_table[] = {
	{ INSTANCE_PENDING,	{ POLICY_NOTHING, POLICY_REFUSED, POLICY_REFUSED, POLICY_DO } },
	{ INSTANCE_RUNNING,	{ POLICY_NOTHING, POLICY_DO,	  POLICY_DO,	  POLICY_DO } },
	{ INSTANCE_STOPPING,	{ POLICY_REFUSED, POLICY_NOTHING, POLICY_REFUSED, POLICY_DO } },
	{ INSTANCE_STOPPED,	{ POLICY_DO,	  POLICY_NOTHING, POLICY_REFUSED, POLICY_DO } },
	{ INSTANCE_SHUTTING_DOWN, { POLICY_REFUSED, POLICY_REFUSED, POLICY_REFUSED,
	    POLICY_NOTHING } },
	{ INSTANCE_TERMINATED,	{ POLICY_REFUSED, POLICY_REFUSED, POLICY_REFUSED,
	    POLICY_NOTHING } },
};

static const char *const past_tense[POLICY_COMMANDS] = {
	[POLICY_START]		= "started",
	[POLICY_STOP]		= "stopped",
	[POLICY_REBOOT]		= "rebooted",
	[POLICY_TERMINATE]	= "terminated",
};

static enum policy_verdict
look_up(enum instance_state state, enum policy_command c)
{
	for (size_t i = 0; i < ARRAY_LEN(policy_table); i++)
		if (policy_table[i].state == state)
			return policy_table[i].of[c];
	return POLICY_REFUSED;
}

enum policy_verdict
policy_judge(enum instance_state state, const struct policy_ask *a)
{
	enum policy_verdict v = look_up(state, a->command);

	if (v == POLICY_NOTHING && state == INSTANCE_STOPPING && a->force)
		v = POLICY_HURRY;
	if (v != POLICY_DO)
		return v;
	if (a->command == POLICY_STOP && a->keep_running)
		return POLICY_PROTECTED;
	if (a->command == POLICY_TERMINATE && a->keep_alive)
		return POLICY_PROTECTED;
	return v;
}

const char *
policy_refusal(enum policy_verdict v, enum policy_command c, const char *id,
    char ret_text[static POLICY_TEXT_MAX])
{
	if (v == POLICY_PROTECTED) {
		snprintf(ret_text, POLICY_TEXT_MAX, "The instance '%s' may not be %s. Modify its "
		    "'%s' instance attribute and try again.", id, past_tense[c],
		    c == POLICY_STOP ? "disableApiStop" : "disableApiTermination");
		return "OperationNotPermitted";
	}
	snprintf(ret_text, POLICY_TEXT_MAX, "%s '%s' is not in a state from which it can be %s.",
	    c == POLICY_STOP ? "This instance" : "The instance", id, past_tense[c]);
	return "IncorrectInstanceState";
}

bool
policy_is_guest_shutdown(const char *reason)
{
	return strcmp(reason, "guest-shutdown") == 0;
}

/* The restarts of the last ten minutes stay, in order. */
static void
forget_old(struct policy_restarts *h, uint64_t now_ms)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < h->n; i++)
		if (now_ms - h->at_ms[i] < POLICY_RESTART_MS)
			h->at_ms[kept++] = h->at_ms[i];
	h->n = kept;
}

enum policy_end
policy_ended(enum instance_state state, const char *reason, bool terminate_on_shutdown,
    struct policy_restarts *h, uint64_t now_ms, uint64_t *ret_delay_ms)
{
	static const uint64_t delay_ms[POLICY_RESTARTS] = { 1000, 5000, 20000 };

	if (state == INSTANCE_SHUTTING_DOWN || state == INSTANCE_TERMINATED)
		return POLICY_END_TERMINATE;
	if (state == INSTANCE_STOPPING || state == INSTANCE_STOPPED)
		return POLICY_END_STOP;
	if (policy_is_guest_shutdown(reason))
		return terminate_on_shutdown ? POLICY_END_TERMINATE : POLICY_END_STOP;
	forget_old(h, now_ms);
	if (h->n == POLICY_RESTARTS)
		return POLICY_END_GIVE_UP;
	*ret_delay_ms = delay_ms[h->n];
	h->at_ms[h->n++] = now_ms;
	return POLICY_END_RESTART;
}

static const struct {
	const char *code, *message, *stopped_by;
} policy_words[] = {
	[POLICY_WHY_NONE]	= { "", "", "" },
	[POLICY_WHY_USER]	= { "Client.UserInitiatedShutdown", "User initiated shutdown",
				    "user" },
	[POLICY_WHY_GUEST]	= { "Client.InstanceInitiatedShutdown",
				    "Instance initiated shutdown", "guest" },
	[POLICY_WHY_CRASH]	= { "Server.InternalError", "The instance ended unexpectedly",
				    "crash" },
	[POLICY_WHY_LAUNCH]	= { "Server.InternalError", "Internal error on launch", "crash" },
	[POLICY_WHY_DRAIN]	= { "Server.ScheduledStop", "Stopped while its host is drained",
				    "drain" },
};

void
policy_explain(struct instance *i, enum policy_why why, uint64_t wall_ms, const char *detail)
{
	time_t t = (time_t)(wall_ms / 1000);
	char when[32] = "";
	struct tm tm;

	snprintf(i->stopped_by, sizeof(i->stopped_by), "%s", policy_words[why].stopped_by);
	snprintf(i->reason_code, sizeof(i->reason_code), "%s", policy_words[why].code);
	i->reason_message[0] = i->transition_reason[0] = '\0';
	if (why == POLICY_WHY_NONE)
		return;
	snprintf(i->reason_message, sizeof(i->reason_message), "%s: %s%s%.150s",
	    policy_words[why].code, policy_words[why].message, detail ? ": " : "",
	    detail ? detail : "");
	if (gmtime_r(&t, &tm))
		strftime(when, sizeof(when), " (%Y-%m-%d %H:%M:%S GMT)", &tm);
	if (why == POLICY_WHY_USER)
		snprintf(i->transition_reason, sizeof(i->transition_reason), "User initiated%s",
		    when);
	else if (why != POLICY_WHY_GUEST)
		snprintf(i->transition_reason, sizeof(i->transition_reason), "%s",
		    policy_words[why].code);
}

bool
policy_is_owed(const struct instance *i)
{
	return i->state == INSTANCE_STOPPED && strcmp(i->reason_code, POLICY_OWED) == 0;
}
