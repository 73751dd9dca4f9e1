#include "vmd/disk_use.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "vmd/volume_world.h"

#define DISKS_MAX	(INSTANCE_VOLUMES_MAX + 1)

struct disk_look {
	disk_use_fn	*fn;
	void		*arg;
	char		 qemu_img[sizeof(((struct vmd *)0)->qemu_img)];
	struct {
		char	 id[22], path[VOLUME_PATH_MAX];
	} disk[DISKS_MAX];
	size_t		 n, found;	/* found == n: nobody writes any */
	struct vmd	*d;
	char		 id[INSTANCE_ID_MAX + 1];
	char		 node[65], launch_id[37];	/* of the record, as was given */
	enum instance_state state;
};

static void
end(struct disk_look *u, enum disk_use use)
{
	u->fn(u->arg, use, use == DISK_USE_NONE ? "" : u->disk[u->found].id);
	free(u);
}

static void
look(void *job)
{
	struct disk_look *u = job;

	for (u->found = 0; u->found < u->n; u->found++) {
		struct disk_info info;
		char why[DISK_WHY_MAX];

		if (disk_info(u->qemu_img, u->disk[u->found].path, &info, why) == -EBUSY)
			return;
	}
}

/* Whoever writes it may be the guest of a start that came first. */
static void
on_record(void *arg, int r, const struct instance *i, uint64_t revision)
{
	struct disk_look *u = arg;
	bool is_same = r == 0 && i->state == u->state && strcmp(i->node, u->node) == 0 &&
	    strcmp(i->launch_id, u->launch_id) == 0;

	end(u, is_same ? DISK_USE_TAKEN : DISK_USE_CHANGED);
}

static void
on_looked(void *arg, void *job)
{
	struct disk_look *u = job;

	if (u->found == u->n)
		end(u, DISK_USE_NONE);
	else if (records_look(u->d->records, u->id, on_record, u) < 0)
		end(u, DISK_USE_CHANGED);
}

static int
add(struct disk_look *u, const struct vmd *d, const char *id)
{
	int r = volume_path(d->disk_dir, id, u->disk[u->n].path);

	if (r == 0)
		r = file_path(u->disk[u->n].id, sizeof(u->disk[u->n].id), "%s", id);
	u->n++;
	return r;
}

static int
name_disks(struct disk_look *u, const struct vmd *d, const struct instance *i)
{
	int r = add(u, d, i->volume_id);

	for (size_t n = 0; r == 0 && n < i->nvolumes; n++)
		r = add(u, d, i->volume[n].id);
	return r;
}

int
disk_use_look(struct vmd *d, const struct instance *i, disk_use_fn *fn, void *arg)
{
	struct disk_look *u = calloc(1, sizeof(*u));
	int r = u ? name_disks(u, d, i) : -ENOMEM;

	if (r == 0) {
		u->fn = fn;
		u->arg = arg;
		u->d = d;
		u->state = i->state;
		snprintf(u->id, sizeof(u->id), "%s", i->id);
		snprintf(u->node, sizeof(u->node), "%s", i->node);
		snprintf(u->launch_id, sizeof(u->launch_id), "%s", i->launch_id);
		memcpy(u->qemu_img, d->qemu_img, sizeof(u->qemu_img));
		r = jobs_submit(d->d.jobs, NULL, look, on_looked, NULL, u, NULL);
	}
	if (r < 0)
		free(u);
	return r;
}

void
disk_use_explain(const char *volume, char ret[static LAUNCH_WHY_MAX])
{
	(void)snprintf(ret, LAUNCH_WHY_MAX, "The volume '%s' is in use elsewhere: a process has the "
	    "lock of its disk.", volume);
}
