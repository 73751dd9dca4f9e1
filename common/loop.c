#include "common/loop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <systemd/sd-event.h>

#include "common/clock.h"

#define TIMER_ACCURACY_US	1000
#define POSTS_FIRST		64

struct post {
	loop_post_fn	*fn;
	void		*arg;
};
struct posts {
	struct post	*v;
	size_t		 n, room;
};

struct loop {
	sd_event		*event;
	struct loop_signal	*signals;	/* all, owned */
	struct loop_io		*wake;		/* on wake_fd */
	int			 wake_fd;
	pthread_mutex_t		 lock;		/* of posted */
	struct posts		 posted;	/* by any thread; waits for the next turn */
	struct posts		 running;	/* loop thread: taken from posted */
};
struct loop_timer {
	struct loop		*loop;
	sd_event_source		*source;
	loop_timer_fn		*fn;
	void			*arg;
	/* A deadline that is moved back or given up leaves the kernel's timer as it is: most
	 * are, once per message, and one wake-up too many costs less than a system call each. */
	bool			 is_on;
	uint64_t		 at_us;		/* when it is on */
	uint64_t		 set_us;	/* what the source is set to; UINT64_MAX: nothing */
};
struct loop_soon {
	sd_event_source		*source;
	loop_soon_fn		*fn;
	void			*arg;
};
struct loop_io {
	sd_event_source		*source;
	loop_io_fn		*fn;
	void			*arg;
};
struct loop_signal {
	struct loop_signal	*next;
	sd_event_source		*source;
	loop_signal_fn		*fn;
	void			*arg;
};

/*
 * For calls that fail only when an argument of ours is wrong.  sd-event answers -ESTALE once
 * the loop has ended: what is armed on the way down never runs, and that is no mistake.
 */
static void
must(int r)
{
	if (r < 0 && r != -ESTALE)
		abort();
}

/* ---- posts ---- */

/* No memory for a handful of bytes: nobody upstream could be told, so the process ends. */
static void
posts_add(struct posts *p, loop_post_fn *fn, void *arg)
{
	if (p->n == p->room) {
		size_t room = p->room ? p->room * 2 : POSTS_FIRST;
		struct post *v = reallocarray(p->v, room, sizeof(*v));

		if (!v)
			abort();
		p->v = v;
		p->room = room;
	}
	p->v[p->n++] = (struct post){ .fn = fn, .arg = arg };
}

void
loop_post(struct loop *l, loop_post_fn *fn, void *arg)
{
	bool first;

	pthread_mutex_lock(&l->lock);
	first = l->posted.n == 0;
	posts_add(&l->posted, fn, arg);
	pthread_mutex_unlock(&l->lock);
	if (first)
		must(eventfd_write(l->wake_fd, 1));
}

/* Calls posted from here on wait for the next turn, so that no poster starves the rest. */
static void
run_posts(void *arg, uint32_t revents)
{
	struct loop *l = arg;
	struct posts taken;
	eventfd_t woken;

	if (eventfd_read(l->wake_fd, &woken) < 0)
		return;
	pthread_mutex_lock(&l->lock);
	taken = l->posted;
	l->posted = l->running;
	pthread_mutex_unlock(&l->lock);
	l->running = (struct posts){ 0 };
	for (size_t i = 0; i < taken.n; i++)
		taken.v[i].fn(taken.v[i].arg);
	taken.n = 0;
	l->running = taken;
}

/* ---- the loop ---- */

static int
open_loop(struct loop *l)
{
	int r = sd_event_new(&l->event);

	if (r < 0)
		return r;
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake_fd < 0)
		return -errno;
	return loop_io_new(l, l->wake_fd, EPOLLIN, run_posts, l, &l->wake);
}

int
loop_new(struct loop **ret)
{
	struct loop *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	l->wake_fd = -1;
	must(-pthread_mutex_init(&l->lock, NULL));
	r = open_loop(l);
	if (r < 0) {
		loop_free(l);
		return r;
	}
	*ret = l;
	return 0;
}

void
loop_free(struct loop *l)
{
	if (!l)
		return;
	while (l->signals) {
		struct loop_signal *s = l->signals;

		l->signals = s->next;
		sd_event_source_disable_unref(s->source);
		free(s);
	}
	loop_io_free(l->wake);
	if (l->wake_fd >= 0)
		close(l->wake_fd);
	sd_event_unref(l->event);
	pthread_mutex_destroy(&l->lock);
	free(l->posted.v);
	free(l->running.v);
	free(l);
}

int
loop_run(struct loop *l)
{
	return sd_event_loop(l->event);
}

int
loop_step(struct loop *l, uint64_t wait_ms)
{
	uint64_t us;

	if (__builtin_mul_overflow(wait_ms, 1000, &us))
		us = UINT64_MAX;	/* no end */
	return sd_event_run(l->event, us);
}

void
loop_exit(struct loop *l, int code)
{
	must(sd_event_exit(l->event, code));
}

uint64_t
loop_now_ms(const struct loop *l)
{
	return clock_now_ms(&clock_system);
}

int
loop_watchdog(struct loop *l)
{
	int r = sd_event_set_watchdog(l->event, 1);

	return r < 0 ? r : 0;
}

/* ---- timers ---- */

static void
set_source(struct loop_timer *t, uint64_t us)
{
	t->set_us = us;
	must(sd_event_source_set_time(t->source, us));
	must(sd_event_source_set_enabled(t->source, SD_EVENT_ONESHOT));
}

static int
on_time(sd_event_source *s, uint64_t us, void *userdata)
{
	struct loop_timer *t = userdata;
	uint64_t was_us = t->set_us;

	t->set_us = UINT64_MAX;		/* one shot: the source is off now */
	if (t->is_on && t->at_us > was_us) {
		set_source(t, t->at_us);
	} else if (t->is_on) {
		t->is_on = false;
		t->fn(t->arg);		/* may free t */
	}
	return 0;
}

int
loop_timer_new(struct loop *l, loop_timer_fn *fn, void *arg, struct loop_timer **ret)
{
	struct loop_timer *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return -ENOMEM;
	*t = (struct loop_timer){ .loop = l, .fn = fn, .arg = arg,
	    .set_us = UINT64_MAX };
	r = sd_event_add_time(l->event, &t->source, CLOCK_BOOTTIME, UINT64_MAX,
	    TIMER_ACCURACY_US, on_time, t);
	if (r >= 0)
		r = sd_event_source_set_enabled(t->source, SD_EVENT_OFF);
	if (r < 0) {
		loop_timer_free(t);
		return r;
	}
	*ret = t;
	return 0;
}

void
loop_timer_at(struct loop_timer *t, uint64_t at_ms)
{
	if (__builtin_mul_overflow(at_ms, 1000, &t->at_us))
		t->at_us = UINT64_MAX;		/* never */
	t->is_on = true;
	if (t->at_us < t->set_us)
		set_source(t, t->at_us);
}

void
loop_timer_in(struct loop_timer *t, uint64_t in_ms)
{
	uint64_t at_ms;

	if (__builtin_add_overflow(loop_now_ms(t->loop), in_ms, &at_ms))
		at_ms = UINT64_MAX;
	loop_timer_at(t, at_ms);
}

void
loop_timer_off(struct loop_timer *t)
{
	t->is_on = false;
}

bool
loop_timer_is_on(const struct loop_timer *t)
{
	return t->is_on;
}

void
loop_timer_free(struct loop_timer *t)
{
	if (!t)
		return;
	sd_event_source_disable_unref(t->source);
	free(t);
}

/* ---- soon ---- */

static int
on_soon(sd_event_source *source, void *userdata)
{
	struct loop_soon *s = userdata;

	s->fn(s->arg);		/* may free s */
	return 0;
}

int
loop_soon_new(struct loop *l, loop_soon_fn *fn, void *arg, struct loop_soon **ret)
{
	struct loop_soon *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	*s = (struct loop_soon){ .fn = fn, .arg = arg };
	r = sd_event_add_defer(l->event, &s->source, on_soon, s);
	if (r >= 0)
		r = sd_event_source_set_enabled(s->source, SD_EVENT_OFF);
	if (r < 0) {
		loop_soon_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void
loop_soon(struct loop_soon *s)
{
	must(sd_event_source_set_enabled(s->source, SD_EVENT_ONESHOT));
}

void
loop_soon_free(struct loop_soon *s)
{
	if (!s)
		return;
	sd_event_source_disable_unref(s->source);
	free(s);
}

/* ---- descriptors ---- */

static int
on_io(sd_event_source *s, int fd, uint32_t revents, void *userdata)
{
	struct loop_io *io = userdata;

	io->fn(io->arg, revents);	/* may free io */
	return 0;
}

int
loop_io_new(struct loop *l, int fd, uint32_t events, loop_io_fn *fn, void *arg,
    struct loop_io **ret)
{
	struct loop_io *io = calloc(1, sizeof(*io));
	int r;

	if (!io)
		return -ENOMEM;
	*io = (struct loop_io){ .fn = fn, .arg = arg };
	r = sd_event_add_io(l->event, &io->source, fd, events, on_io, io);
	if (r >= 0 && events == 0)
		r = sd_event_source_set_enabled(io->source, SD_EVENT_OFF);
	if (r < 0) {
		loop_io_free(io);
		return r;
	}
	*ret = io;
	return 0;
}

/* Off, and not only without events: a hang-up is reported whatever was asked for. */
void
loop_io_events(struct loop_io *io, uint32_t events)
{
	if (events != 0)
		must(sd_event_source_set_io_events(io->source, events));
	must(sd_event_source_set_enabled(io->source, events ? SD_EVENT_ON : SD_EVENT_OFF));
}

void
loop_io_free(struct loop_io *io)
{
	if (!io)
		return;
	sd_event_source_disable_unref(io->source);
	free(io);
}

/* ---- signals ---- */

static int
on_signal(sd_event_source *s, const struct signalfd_siginfo *si, void *userdata)
{
	struct loop_signal *sig = userdata;

	sig->fn(sig->arg, (int)si->ssi_signo);
	return 0;
}

int
loop_signal(struct loop *l, int signo, loop_signal_fn *fn, void *arg)
{
	struct loop_signal *s;
	sigset_t set;
	int r;

	if (sigemptyset(&set) < 0 || sigaddset(&set, signo) < 0)
		return -errno;
	r = pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (r != 0)
		return -r;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	*s = (struct loop_signal){ .next = l->signals, .fn = fn, .arg = arg };
	r = sd_event_add_signal(l->event, &s->source, signo, on_signal, s);
	if (r < 0) {
		free(s);
		return r;
	}
	l->signals = s;
	return 0;
}
