/* A consistent copy of a file that QEMU may be writing. */
#include "uefid/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#define TRIES		64
#define QUIET_MS	2	/* without an event: worth another try */
#define WAITS_MAX	64	/* for such a time; then try anyway */

/* Takes all events that are there.  1: there were some; 0; -errno. */
static int
drain(int fd)
{
	uint8_t events[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
	int seen = 0;

	for (;;) {
		ssize_t n = read(fd, events, sizeof(events));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? seen : -errno;
		seen = 1;
	}
}

static int
wait_for_quiet(int fd)
{
	for (int i = 0; i < WAITS_MAX; i++) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int r = poll(&p, 1, QUIET_MS);

		if (r == 0)
			return 0;
		if (r < 0 && errno != EINTR)
			return -errno;
		r = drain(fd);
		if (r < 0)
			return r;
	}
	return 0;
}

static int
read_whole(int fd, uint8_t *p, size_t n)
{
	size_t at = 0;

	while (at < n) {
		ssize_t got = pread(fd, p + at, n - at, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;	/* it got shorter */
		at += (size_t)got;
	}
	return 0;
}

static int
try_read(int watch, int fd, uint8_t *p, size_t n)
{
	int r = drain(watch);

	if (r >= 0)
		r = read_whole(fd, p, n);
	if (r == 0)
		r = drain(watch);
	return r > 0 ? -EAGAIN : r;
}

static int
snapshot(int watch, int fd, uint8_t *p, size_t n)
{
	int r = -EAGAIN;

	for (int i = 0; r == -EAGAIN && i < TRIES; i++) {
		r = i == 0 ? 0 : wait_for_quiet(watch);
		if (r == 0)
			r = try_read(watch, fd, p, n);
	}
	return r;
}

int
copy_snapshot(const struct copy *c, struct buf *ret)
{
	AUTO(fd) int fd = open(c->vars, O_RDONLY | O_CLOEXEC);
	AUTO(fd) int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct stat st;
	int r;

	if (fd < 0 || watch < 0 || inotify_add_watch(watch, c->vars, IN_MODIFY) < 0 ||
	    fdatasync(fd) < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size < 0 || (uint64_t)st.st_size > ret->max)
		return -EMSGSIZE;
	/* Read in place: some regions are of 64 MiB, and several are copied at once. */
	const size_t n = (size_t)st.st_size;
	uint8_t *p = malloc(n + 1);

	if (!p)
		return -ENOMEM;
	p[n] = '\0';
	buf_deinit(ret);
	*ret = (struct buf){ .data = p, .len = n, .max = ret->max, .room = n };
	r = snapshot(watch, fd, p, n);
	if (r < 0)
		buf_deinit(ret);
	return r;
}
