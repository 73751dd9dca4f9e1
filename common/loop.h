/*
 * loop.h - the one thread that owns a daemon's state: descriptors, timers on CLOCK_BOOTTIME,
 * signals, and calls posted from other threads.  A thin cover over sd-event.
 * Loop thread only, but for loop_post and loop_now_ms.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#include "common/cleanup.h"

struct loop;
struct loop_timer;
struct loop_soon;
struct loop_io;
struct loop_signal;

int	 loop_new(struct loop **ret) MUST_CHECK;
void	 loop_free(struct loop *l);		/* NULL is fine; timers and ios freed before */
int	 loop_run(struct loop *l) MUST_CHECK;	/* until loop_exit; its code, or -errno */
int	 loop_step(struct loop *l, uint64_t wait_ms) MUST_CHECK; /* tests: one turn */
void	 loop_exit(struct loop *l, int code);
uint64_t loop_now_ms(const struct loop *l);	/* CLOCK_BOOTTIME, read now */

/* Feeds the service manager's watchdog when WATCHDOG_USEC is set.  0 or -errno. */
int	 loop_watchdog(struct loop *l) MUST_CHECK;

/* One shot; re-armed by loop_timer_at, also from its own callback.  Made disarmed. */
typedef void loop_timer_fn(void *arg);
int	 loop_timer_new(struct loop *l, loop_timer_fn *fn, void *arg, struct loop_timer **ret)
    MUST_CHECK;
void	 loop_timer_at(struct loop_timer *t, uint64_t at_ms);	/* past: next turn */
void	 loop_timer_in(struct loop_timer *t, uint64_t in_ms);
void	 loop_timer_off(struct loop_timer *t);
bool	 loop_timer_is_on(const struct loop_timer *t);
void	 loop_timer_free(struct loop_timer *t);			/* NULL is fine */

/* fn(arg) once, on the next turn, however often it is asked for; also from fn.  What a timer of
 * 0 ms does, without its system calls. */
typedef void loop_soon_fn(void *arg);
int	 loop_soon_new(struct loop *l, loop_soon_fn *fn, void *arg, struct loop_soon **ret)
    MUST_CHECK;
void	 loop_soon(struct loop_soon *s);
void	 loop_soon_free(struct loop_soon *s);			/* NULL is fine; also in fn */

/* fd is borrowed and must outlive the io.  A pidfd is readable when its process ends. */
typedef void loop_io_fn(void *arg, uint32_t revents);
int	 loop_io_new(struct loop *l, int fd, uint32_t events, loop_io_fn *fn, void *arg,
    struct loop_io **ret) MUST_CHECK;
void	 loop_io_events(struct loop_io *io, uint32_t events);	/* 0: paused */
void	 loop_io_free(struct loop_io *io);			/* NULL is fine; also in fn */

/* Blocks signo in this thread (call before threads start) and delivers it to fn. */
typedef void loop_signal_fn(void *arg, int signo);
int	 loop_signal(struct loop *l, int signo, loop_signal_fn *fn, void *arg) MUST_CHECK;

/*
 * Any thread: fn(arg) runs on the loop, in order of posting.  Never fails and never blocks on
 * the loop: each caller bounds what it has in flight (bus inbox, jobs).  Calls still queued
 * when the loop is freed are dropped.
 */
typedef void loop_post_fn(void *arg);
void	 loop_post(struct loop *l, loop_post_fn *fn, void *arg);
