/*
 * takeover_impl.h - what takeover.c (a stopped instance starts here) and recovery.c (one whose
 * node is dead) share.
 */
#pragma once

#include "vmd/takeover.h"

struct takeover {
	struct vmd		*d;
	char			 id[INSTANCE_ID_MAX + 1];
	char			 account[13];	/* "": an operator's */
	char			 request_id[BUS_REQUEST_ID_MAX + 1];	/* or empty */
	bool			 discard_owed;
	bool			 is_recovery, is_fenced, is_stop;
	takeover_fn		*fn;
	void			*arg;
	const char		*code;		/* of a refusal, code_text; NULL: none */
	char			 code_text[BUS_CODE_MAX + 1];
	char			 why[LAUNCH_WHY_MAX];
	struct instance		 i;		/* as it was */
	enum instance_state	 now;		/* as it became */
	uint64_t		 revision;	/* ... then */
	struct capacity_need	 need;
	bool			 has_room;
};

/* Ends t: it is so already. */
void	 takeover_is_so(struct takeover *t);
/* Ends t. */
void	 takeover_refuse(struct takeover *t, const char *code, bool retryable, const char *why);
/* What reading or writing a record came to, when it was not 0.  Ends t. */
void	 takeover_refuse_record(struct takeover *t, int r);
/* Nothing forbids that it moves: disk and store are looked at, and it does. */
void	 takeover_go_on(struct takeover *t);
