/*
 * policy.h - what a command does in each state, and what the end of a guest means.  Pure:
 * times are CLOCK_BOOTTIME milliseconds that the caller gives.
 */
#pragma once

#include <stddef.h>

#include "common/instance.h"

/* ---- commands ---- */

enum policy_command {
	POLICY_START,
	POLICY_STOP,
	POLICY_REBOOT,
	POLICY_TERMINATE,
	POLICY_COMMANDS
};

enum policy_verdict {
	POLICY_REFUSED,		/* the state does not allow it */
	POLICY_PROTECTED,	/* DisableApiTermination, DisableApiStop */
	POLICY_NOTHING,		/* it is so already, or on its way: a success */
	POLICY_DO,
	POLICY_HURRY,		/* a forced stop of one that is stopping: no more grace */
};

struct policy_ask {
	enum policy_command	 command;
	bool			 force;		/* of a stop */
	bool			 keep_running;	/* the instance's disable_api_stop */
	bool			 keep_alive;	/* its disable_api_termination */
};
enum policy_verdict policy_judge(enum instance_state state, const struct policy_ask *a);

/* EC2's code and text for a verdict of REFUSED or PROTECTED. */
#define POLICY_TEXT_MAX	192
const char *policy_refusal(enum policy_verdict v, enum policy_command c, const char *id,
    char ret_text[static POLICY_TEXT_MAX]);

/* ---- the end of a guest ---- */

enum policy_end {
	POLICY_END_STOP,	/* record stopped */
	POLICY_END_TERMINATE,	/* record terminated, everything freed */
	POLICY_END_RESTART,	/* it crashed: launch it again after *ret_delay_ms */
	POLICY_END_GIVE_UP,	/* it crashed too often: stopped, with the reason */
};

#define POLICY_RESTARTS		3			/* in */
#define POLICY_RESTART_MS	(10 * 60 * 1000u)	/* this long, then given up */

/* Zero at first; when the last restarts of this instance were. */
struct policy_restarts {
	uint64_t	 at_ms[POLICY_RESTARTS];
	unsigned	 n;
};

/*
 * How the guest of an instance in `state` ended.  reason is QMP's SHUTDOWN reason, "" when
 * none was seen (killed from outside, or a crash of QEMU).  For POLICY_END_RESTART the restart
 * is counted in h.
 */
enum policy_end policy_ended(enum instance_state state, const char *reason,
    bool terminate_on_shutdown, struct policy_restarts *h, uint64_t now_ms,
    uint64_t *ret_delay_ms);
/* Did the guest switch itself off? */
bool	 policy_is_guest_shutdown(const char *reason);

/* ---- words that EC2's clients know ---- */

/* The reason of an instance that was stopped by force before its variables were saved: uefid's
 * own code, and the only sign of it that another node can see. */
#define POLICY_OWED	"uefi.owed"
bool	 policy_is_owed(const struct instance *i);

enum policy_why {
	POLICY_WHY_NONE,	/* clears them */
	POLICY_WHY_USER,	/* Client.UserInitiatedShutdown */
	POLICY_WHY_GUEST,	/* Client.InstanceInitiatedShutdown */
	POLICY_WHY_CRASH,	/* Server.InternalError: QEMU ended too often */
	POLICY_WHY_LAUNCH,	/* Server.InternalError: detail says what failed */
	POLICY_WHY_DRAIN,	/* Server.ScheduledStop */
};
/* Sets reason_code, reason_message, transition_reason and stopped_by.  detail may be NULL. */
void	 policy_explain(struct instance *i, enum policy_why why, uint64_t wall_ms,
    const char *detail);
