/* inotify on the loop. */
#include "uefid/watch.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>

#define EVENTS_BYTES	16384
#define READS_MAX	16	/* a turn; a guest that writes without a pause must not hold the loop */

struct watch {
	int		 fd;
	struct loop_io	*io;
	watch_fn	*fn;
	void		*arg;
};

static void
take_events(struct watch *w, const uint8_t *p, size_t n)
{
	struct inotify_event e;
	int last = WATCH_NONE;

	while (n >= sizeof(e)) {
		size_t size;

		memcpy(&e, p, sizeof(e));
		size = sizeof(e) + e.len;
		if (size > n)
			return;
		if (e.mask & IN_Q_OVERFLOW)
			w->fn(w->arg, WATCH_ALL);
		else if ((e.mask & IN_MODIFY) && e.wd != last)
			w->fn(w->arg, e.wd);
		last = e.wd;
		p += size;
		n -= size;
	}
}

static void
on_events(void *arg, uint32_t revents)
{
	struct watch *w = arg;
	uint8_t events[EVENTS_BYTES];

	for (int i = 0; i < READS_MAX; i++) {
		ssize_t n = read(w->fd, events, sizeof(events));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		take_events(w, events, (size_t)n);
	}
}

int
watch_new(struct loop *l, watch_fn *fn, void *arg, struct watch **ret)
{
	struct watch *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	*w = (struct watch){ .fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), .fn = fn, .arg = arg };
	r = w->fd < 0 ? -errno : loop_io_new(l, w->fd, EPOLLIN, on_events, w, &w->io);
	if (r < 0) {
		watch_free(w);
		return r;
	}
	*ret = w;
	return 0;
}

void
watch_free(struct watch *w)
{
	if (!w)
		return;
	loop_io_free(w->io);
	if (w->fd >= 0)
		close(w->fd);
	free(w);
}

int
watch_add(struct watch *w, const char *path)
{
	int id = inotify_add_watch(w->fd, path, IN_MODIFY);

	return id < 0 ? -errno : id;
}

void
watch_remove(struct watch *w, int id)
{
	if (id >= 0)
		(void)inotify_rm_watch(w->fd, id);
}
