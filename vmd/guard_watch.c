#include "vmd/guard_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static uint64_t
now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool
guard_watch_open(struct guard_watch *w, const char *path)
{
	struct guard_page page = { 0 };
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	w->page = fd < 0 ? MAP_FAILED :
	    mmap(NULL, sizeof(page), PROT_READ, MAP_SHARED, fd, 0);
	if (w->page == MAP_FAILED) {
		w->say("%s: %s", path, strerror(errno));
		return false;
	}
	close(fd);
	if (!guard_page_read(w->page, &page) || page.deadline_ms <= now_ms()) {
		w->say("%s: this node may not run a guest now", path);
		return false;
	}
	w->limit = (struct guard_limit){ .ttl_ms = page.ttl_ms, .deadline_ms = page.deadline_ms };
	return true;
}

/* What the page asks for; the time of the next look. */
static uint64_t
keep_deadline(struct guard_watch *w)
{
	struct guard_page page = { 0 };
	const bool is_whole = guard_page_read(w->page, &page);
	uint64_t wake_ms = 0;

	switch (guard_page_judge(&w->limit, is_whole ? &page : NULL, now_ms(), &wake_ms)) {
	case GUARD_WAIT:
		break;
	case GUARD_FREEZE:
		w->say("this node may be cut off: the guest is frozen");
		(void)kill(w->qemu, SIGSTOP);	/* ours, and not yet waited for */
		break;
	case GUARD_THAW:
		w->say("the guest goes on");
		(void)kill(w->qemu, SIGCONT);
		break;
	case GUARD_KILL:
		w->say("this node was cut off for too long: the guest is killed");
		(void)kill(w->qemu, SIGKILL);
		break;
	}
	return wake_ms;
}

bool
guard_watch_begin(struct guard_watch *w, pid_t qemu)
{
	w->qemu = qemu;
	w->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
	w->qemu_fd = pidfd_open(qemu, 0);
	if (w->timer >= 0 && w->qemu_fd >= 0)
		return true;
	w->say("the deadline cannot be watched: %s", strerror(errno));
	return false;
}

/* The timer runs while the host sleeps, and so ends a wait over that. */
void
guard_watch_run(struct guard_watch *w)
{
	struct pollfd p[2] = { { .fd = w->qemu_fd, .events = POLLIN },
		{ .fd = w->timer, .events = POLLIN } };

	while (!(p[0].revents & POLLIN)) {
		const uint64_t at_ms = keep_deadline(w);
		const struct itimerspec at = { .it_value = { .tv_sec = (time_t)(at_ms / 1000),
			.tv_nsec = (long)(at_ms % 1000) * 1000000 } };

		if (timerfd_settime(w->timer, TFD_TIMER_ABSTIME, &at, NULL) < 0) {
			w->say("the deadline cannot be watched: %s", strerror(errno));
			(void)kill(w->qemu, SIGKILL);
			return;
		}
		(void)poll(p, 2, -1);
	}
	close(w->qemu_fd);
}
