#include "vmd/guard_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "vmd/guard_io.h"

#define LOCK_TRIES	20	/* of 50 ms: uefid may look at the lock for a moment */

int
guard_lock_take(struct guard *g)
{
	const struct timespec wait = { .tv_nsec = 50 * 1000000L };
	int tries = 0;

	g->lock_fd = open(g->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (g->lock_fd < 0) {
		guard_io_say("%s: %s", g->lock_path, strerror(errno));
		return GUARD_FAILED;
	}
	while (flock(g->lock_fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK && ++tries >= LOCK_TRIES) {
			guard_io_say("%s is held by another process", g->lock_path);
			return GUARD_LOCK_HELD;
		}
		if (errno != EWOULDBLOCK && errno != EINTR) {
			guard_io_say("lock %s: %s", g->lock_path, strerror(errno));
			return GUARD_FAILED;
		}
		(void)nanosleep(&wait, NULL);
	}
	if (ftruncate(g->lock_fd, 0) < 0) {	/* its text names a process that is gone */
		guard_io_say("%s: %s", g->lock_path, strerror(errno));
		return GUARD_FAILED;
	}
	return GUARD_STARTED;
}

bool
guard_lock_is_wanted(const struct guard *g)
{
	const char *slash = strrchr(g->lock_path, '/');
	char path[GUARD_PATH_MAX], id[GUARD_ID_MAX + 2];
	ssize_t n;

	(void)snprintf(path, sizeof(path), "%.*s/launch", (int)(slash - g->lock_path),
	    g->lock_path);
	n = guard_io_read(path, id, sizeof(id));
	if (n < 0) {
		guard_io_say("this launch was given up: %s: %s", path, strerror(errno));
		return false;
	}
	if (n > 0 && id[n - 1] == '\n')
		id[n - 1] = '\0';
	if (strcmp(id, g->launch_id) != 0) {
		guard_io_say("another launch has taken the place of this one");
		return false;
	}
	return true;
}

bool
guard_lock_name(const struct guard *g)
{
	unsigned long long qemu_start = guard_io_start_time(g->qemu), own_start = guard_io_start_time(getpid());
	char boot_id[64], text[512];
	int n;

	if (!qemu_start || !own_start ||
	    guard_io_read("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id)) < 36) {
		guard_io_say("cannot tell when a process began: is /proc mounted?");
		return false;
	}
	n = snprintf(text, sizeof(text), "{\"launch_id\":\"%s\",\"boot_id\":\"%.36s\",\"pid\":%d,"
	    "\"start\":%llu,\"guard\":%d,\"guard_start\":%llu}\n", g->launch_id, boot_id,
	    g->qemu, qemu_start, getpid(), own_start);
	if (n < 0 || (size_t)n >= sizeof(text) ||
	    pwrite(g->lock_fd, text, (size_t)n, 0) != n) {
		guard_io_say("write %s: %s", g->lock_path, strerror(errno));
		return false;
	}
	return true;
}
