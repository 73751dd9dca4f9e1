/*
 * watch.h - which stores guests write: one inotify descriptor on the loop for all of them.
 * It says that something was written, never that nothing was.  Loop thread only.
 */
#pragma once

#include "common/cleanup.h"
#include "common/loop.h"

#define WATCH_NONE	(-1)
#define WATCH_ALL	(-2)	/* to fn: events were lost, anything may have been written */

struct watch;

typedef void watch_fn(void *arg, int id);
int	 watch_new(struct loop *l, watch_fn *fn, void *arg, struct watch **ret) MUST_CHECK;
void	 watch_free(struct watch *w);		/* NULL is fine */
/* An id for path's present file, or -errno. */
int	 watch_add(struct watch *w, const char *path) MUST_CHECK;
void	 watch_remove(struct watch *w, int id);	/* WATCH_NONE is fine */
