#include "vmd/trim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/msgid.h"
#include "vmd/console.h"
#include "vmd/vm.h"

/* QEMU's word for a failed write to its flash, which the guest is not told of. */
#define LOST_WRITE	"Could not update PFLASH"

struct trim {
	struct vmd		*d;
	struct loop_timer	*timer;
	bool			 busy;
};

struct trim_guest {
	char		 id[INSTANCE_ID_MAX + 1];
	char		 dir[512];
	uint64_t	 said_at;		/* see console_said */
	bool		 has_lost_write;
};

struct trim_job {
	struct trim		*t;
	size_t			 n;
	int			 worst;		/* the last error */
	struct trim_guest	 guest[];
};

static void
trim_all(void *job)
{
	struct trim_job *j = job;

	for (size_t i = 0; i < j->n; i++) {
		struct trim_guest *g = &j->guest[i];
		int r = console_said(g->dir, LOST_WRITE, &g->said_at);

		g->has_lost_write = r == 1;
		if (r >= 0)
			r = console_trim(g->dir);
		if (r < 0 && r != -ENOENT)
			j->worst = r;
	}
}

static void
take(struct vmd *d, const struct trim_guest *g)
{
	struct vm *vm = vm_find(d, g->id);

	if (!vm)
		return;
	vm->said_at = g->said_at;
	if (g->has_lost_write)
		log_fields(LOG_ERR, &(const struct log_ctx){ .instance = vm->id,
		    .message_id = MSG_UEFI_WRITE_FAILED },
		    "%s: QEMU could not write the guest's variables: what it has set since may be lost",
		    vm->id);
}

static void
on_trimmed(void *arg, void *job)
{
	struct trim_job *j = job;

	j->t->busy = false;
	if (j->worst < 0)
		log_warning("a console log cannot be cut: %s", strerror(-j->worst));
	for (size_t i = 0; i < j->n; i++)
		take(j->t->d, &j->guest[i]);
	free(j);
}

static struct trim_job *
job_new(struct trim *t)
{
	struct records *rs = t->d->records;
	struct trim_job *j = calloc(1, sizeof(*j) + records_count(rs) * sizeof(j->guest[0]));

	if (!j)
		return NULL;
	j->t = t;
	for (size_t i = 0; i < records_count(rs); i++) {
		const struct vm *vm = record_owner(records_get(rs, i));
		struct launch_job at;

		if (!vm || !vm->guest || vm_paths(t->d, vm_instance(vm), &at) < 0)
			continue;
		j->guest[j->n].said_at = vm->said_at;
		memcpy(j->guest[j->n].id, vm->id, sizeof(vm->id));
		memcpy(j->guest[j->n++].dir, at.dir, sizeof(at.dir));
	}
	return j;
}

static void
on_timer(void *arg)
{
	struct trim *t = arg;
	struct trim_job *j;

	loop_timer_in(t->timer, CONSOLE_TRIM_MS);
	if (t->busy)
		return;
	j = job_new(t);
	if (!j || j->n == 0 ||
	    jobs_submit(t->d->d.jobs, NULL, trim_all, on_trimmed, NULL, j, NULL) < 0)
		free(j);
	else
		t->busy = true;
}

int
trim_new(struct vmd *d, struct trim **ret)
{
	struct trim *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return -ENOMEM;
	t->d = d;
	r = loop_timer_new(d->d.loop, on_timer, t, &t->timer);
	if (r < 0) {
		free(t);
		return r;
	}
	loop_timer_in(t->timer, CONSOLE_TRIM_MS);
	*ret = t;
	return 0;
}

void
trim_free(struct trim *t)
{
	if (!t)
		return;
	loop_timer_free(t->timer);
	free(t);
}
