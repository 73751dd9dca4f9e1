#include "vmd/leftover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/ident.h"
#include "common/log.h"
#include "vmd/vm.h"

struct leftover {
	struct vmd		*d;
	struct loop_timer	*timer;
	bool			 busy;
	struct look		*waiting;	/* for a record; else a job's, or none */
};

struct look {			/* over all folders, one after the other */
	struct leftover		*lo;
	size_t			 n, next;
	char			 (*id)[INSTANCE_ID_MAX + 1];	/* owned */
	/* of the job about one */
	char			 dir[512], lock[512];
	int			 r;
};

static void	 look_next(struct look *l);

static void
look_drop(void *job)
{
	struct look *l = job;

	free(l->id);
	free(l);
}

static void
look_end(struct look *l)
{
	l->lo->busy = false;
	look_drop(l);
}

/* ---- what is there ---- */

static void
list_folders(void *job)
{
	struct look *l = job;
	AUTO(dir) DIR *d = opendir(l->dir);
	const struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		size_t bytes = strlen(e->d_name) + 1;
		void *more;

		if (!ident_is_ec2(e->d_name, "i") || bytes > sizeof(*l->id))
			continue;
		more = realloc(l->id, (l->n + 1) * sizeof(*l->id));
		if (!more)
			return;		/* the rest another time */
		l->id = more;
		memcpy(l->id[l->n++], e->d_name, bytes);
	}
}

static void
on_folders(void *arg, void *job)
{
	look_next(job);
}

/* ---- one of them ---- */

static bool
has_ghost(const struct vmd *d, const char *id)
{
	for (const struct vm *vm = d->ghosts; vm; vm = vm->next_ghost)
		if (strcmp(vm->id, id) == 0)
			return true;
	return false;
}

/* Under uefid's lock, where it had a store. */
static void
remove_folder(void *job)
{
	struct look *l = job;

	l->r = guest_settle(l->lock);
	if (l->r == 0)
		l->r = guest_remove(l->dir);
}

static void
on_removed(void *arg, void *job)
{
	struct look *l = job;
	const char *id = l->id[l->next - 1];
	struct vmd *d = l->lo->d;

	if (l->r == -EWOULDBLOCK && !vm_find(d, id))
		recover_ghost(d, id, l->dir, l->lock);
	else if (l->r == 0)
		log_info("%s: its folder is removed: it has left this node", id);
	else if (l->r < 0)
		log_warning("%s: %s: %s", id, l->dir, strerror(-l->r));
	look_next(l);
}

static int
set_paths(struct look *l, const char *id)
{
	const char *state = l->lo->d->conf->common.state_dir;
	int r = file_path(l->dir, sizeof(l->dir), "%s/vm/%s", state, id);

	if (r == 0)
		r = file_path(l->lock, sizeof(l->lock), "%s/uefi/%s/lock", state, id);
	if (r == 0 && access(l->lock, F_OK) < 0)
		r = file_path(l->lock, sizeof(l->lock), "%s/lock", l->dir);
	return r;
}

static void
on_looked(void *arg, int r, const struct instance *i, uint64_t revision)
{
	struct look *l = arg;
	struct vmd *d = l->lo->d;
	const char *id = l->id[l->next - 1];
	bool has_left = r == 0 ? strcmp(i->node, d->conf->common.node) != 0 :
	    r == -ENOENT && revision > 0;

	l->lo->waiting = NULL;
	if (!has_left || vm_find(d, id) || has_ghost(d, id) || set_paths(l, id) < 0 ||
	    jobs_submit(d->d.jobs, id, remove_folder, on_removed, NULL, l, look_drop) < 0)
		look_next(l);
}

static void
look_next(struct look *l)
{
	struct vmd *d = l->lo->d;

	while (l->next < l->n && !d->ending) {
		const char *id = l->id[l->next++];

		if (!vm_find(d, id) && !has_ghost(d, id) &&
		    records_look(d->records, id, on_looked, l) == 0) {
			l->lo->waiting = l;
			return;
		}
	}
	look_end(l);
}

static void
on_timer(void *arg)
{
	struct leftover *lo = arg;
	struct vmd *d = lo->d;
	struct look *l;

	loop_timer_in(lo->timer, LEFTOVER_MS);
	if (lo->busy || !records_are_listed(d->records))
		return;
	l = calloc(1, sizeof(*l));
	if (!l)
		return;
	l->lo = lo;
	lo->busy = true;
	if (file_path(l->dir, sizeof(l->dir), "%s/vm", d->conf->common.state_dir) < 0 ||
	    jobs_submit(d->d.jobs, NULL, list_folders, on_folders, NULL, l, look_drop) < 0)
		look_end(l);
}

int
leftover_new(struct vmd *d, struct leftover **ret)
{
	struct leftover *lo = calloc(1, sizeof(*lo));
	int r;

	if (!lo)
		return -ENOMEM;
	lo->d = d;
	r = loop_timer_new(d->d.loop, on_timer, lo, &lo->timer);
	if (r < 0) {
		free(lo);
		return r;
	}
	loop_timer_in(lo->timer, LEFTOVER_SOON_MS);
	*ret = lo;
	return 0;
}

void
leftover_soon(struct leftover *lo)
{
	if (lo)
		loop_timer_in(lo->timer, LEFTOVER_SOON_MS);
}

void
leftover_free(struct leftover *lo)
{
	if (!lo)
		return;
	loop_timer_free(lo->timer);
	if (lo->waiting)
		look_drop(lo->waiting);
	free(lo);
}
