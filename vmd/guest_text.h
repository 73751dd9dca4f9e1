/*
 * guest_text.h - what a guest's files and QEMU say, decoded.  No files here: text in, facts out.
 */
#pragma once

#include "vmd/guest.h"

#define GUEST_LOCK_TEXT_MAX	1024	/* bytes of the lock's and of the status file's text */

struct guest_identity {		/* the text of a held lock */
	char		 launch_id[37];
	char		 boot_id[37];
	uint32_t	 pid, guard;
	uint64_t	 start, guard_start;	/* field 22 of /proc/PID/stat */
};
/* 0; -ENODATA: empty, the holder has not written yet; -EINVAL: not such a text. */
int	 guest_identity_parse(const void *text, size_t len, struct guest_identity *ret) MUST_CHECK;

/* The status file.  0 or -EINVAL. */
int	 guest_end_parse(const void *text, size_t len, struct guest_end *ret) MUST_CHECK;

/* /proc/PID/stat.  0 with its start time and state letter, or -EINVAL. */
int	 guest_stat_parse(const char *text, uint64_t *ret_start, char *ret_state) MUST_CHECK;

/* QMP's run state; one that is not known here is GUEST_RUN_PAUSED. */
enum guest_run guest_run_from_status(const char *status);
