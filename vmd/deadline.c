#include "vmd/deadline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "vmd/guard_page.h"
#include "vmd/vm.h"

#define MOVES	12	/* in T */

struct deadline {
	struct vmd		*d;
	struct loop_timer	*timer;
	uint64_t		 period_ms;
};

int
deadline_write(const char *path, uint64_t ttl_ms, uint64_t generation, uint64_t deadline_ms,
    bool is_new)
{
	struct guard_page p = { .ttl_ms = ttl_ms, .generation = generation,
		.deadline_ms = deadline_ms };
	AUTO(fd) int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (is_new ? O_CREAT : 0),
	    0600);
	ssize_t n;

	if (fd < 0)
		return -errno;
	guard_page_seal(&p);
	n = pwrite(fd, &p, sizeof(p), 0);
	return n == (ssize_t)sizeof(p) ? 0 : n < 0 ? -errno : -EIO;
}

static void
move(const struct vm *vm)
{
	const struct vmd *d = vm->d;
	char path[512];
	int r = file_path(path, sizeof(path), "%s/vm/%s/deadline", d->conf->common.state_dir, vm->id);

	if (r == 0)
		r = deadline_write(path, d->conf->common.node_ttl_ms, lead_generation(d->lead),
		    lead_valid_until_ms(d->lead), false);
	/* Without the file it is not launched yet, or under an older setting. */
	if (r < 0 && r != -ENOENT)
		vm_log(vm, LOG_ERR, "%s: %s: its guest may be frozen", path, strerror(-r));
}

static void
on_timer(void *arg)
{
	struct deadline *dl = arg;
	const struct vmd *d = dl->d;

	loop_timer_in(dl->timer, dl->period_ms);
	if (!vmd_may_launch(d))
		return;
	for (size_t n = 0; n < records_count(d->records); n++) {
		const struct record *r = records_get(d->records, n);
		const struct vm *vm = record_owner(r);

		if (vm && (vm->guest || vm->job) && vm_stops_alone(record_instance(r)) &&
		    record_is_confirmed(r))
			move(vm);
	}
}

int
deadline_new(struct vmd *d, struct deadline **ret)
{
	struct deadline *dl = calloc(1, sizeof(*dl));
	int r;

	if (!dl)
		return -ENOMEM;
	dl->d = d;
	dl->period_ms = d->conf->common.node_ttl_ms / MOVES;
	if (dl->period_ms == 0)
		dl->period_ms = 1;
	r = loop_timer_new(d->d.loop, on_timer, dl, &dl->timer);
	if (r < 0) {
		free(dl);
		return r;
	}
	loop_timer_in(dl->timer, 0);
	*ret = dl;
	return 0;
}

void
deadline_free(struct deadline *dl)
{
	if (!dl)
		return;
	loop_timer_free(dl->timer);
	free(dl);
}
