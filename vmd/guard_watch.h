/*
 * guard_watch.h - a guard keeps the deadline of guard_page.h: freezes, lets go on, and kills its
 * QEMU.  Nothing but libc; for vmguard.c alone.
 */
#pragma once

#include <sys/types.h>

#include "vmd/guard_page.h"

typedef void guard_say_fn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

struct guard_watch {
	guard_say_fn		*say;
	const struct guard_page	*page;		/* mapped; NULL: no deadline */
	struct guard_limit	 limit;
	pid_t			 qemu;		/* a child, not yet waited for */
	int			 qemu_fd, timer;
};

/* false: the deadline has passed, or cannot be read. */
bool	 guard_watch_open(struct guard_watch *w, const char *path);
/* QEMU is there.  false: it cannot be watched. */
bool	 guard_watch_begin(struct guard_watch *w, pid_t qemu);
/* Until QEMU has ended. */
void	 guard_watch_run(struct guard_watch *w);
