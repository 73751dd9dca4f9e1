/*
 * console.h - the serial log of a guest: `console.log` in its folder, written by QEMU in append
 * mode, and one older part, `console.log.1`.  The files belong to the guest's user, so they are
 * opened without following links and must be regular.
 * May block on files: for jobs.  Any thread.
 */
#pragma once

#include "common/buf.h"

#define CONSOLE_MAX		(1024 * 1024)	/* bytes of one part; older ones go */
#define CONSOLE_TAIL		(64 * 1024)	/* bytes that GetConsoleOutput answers */
#define CONSOLE_TRIM_MS		5000		/* how often a guest's log is looked at */

/*
 * Copies a log over CONSOLE_MAX to console.log.1 (the last CONSOLE_MAX bytes of it) and empties
 * it; QEMU goes on at its start.  What arrives between the last read and the truncation, some
 * microseconds, is lost.  So it does with qemu.log, which a guest can make grow too.
 * 1 when the serial log was cut, 0 when it was short or absent, or -errno.
 */
int	 console_trim(const char *dir) MUST_CHECK;

/*
 * Has QEMU said text (qemu.log) since *at, 0 at first?  *at moves on; behind the end, since the
 * log was cut, it begins again.  Of very much the last CONSOLE_TAIL bytes are looked at.  1, 0 or
 * -errno.
 */
int	 console_said(const char *dir, const char *text, uint64_t *at) MUST_CHECK;

/*
 * The last CONSOLE_TAIL bytes over both parts into ret (made with at least that ceiling).
 * 0, also with nothing logged yet; *ret_mtime_ms is the wall time of the last byte, 0 without.
 */
int	 console_tail(const char *dir, struct buf *ret, uint64_t *ret_mtime_ms) MUST_CHECK;
