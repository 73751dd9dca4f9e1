#include "vmd/trim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "vmd/console.h"
#include "vmd/vm.h"

struct trim {
	struct vmd		*d;
	struct loop_timer	*timer;
	bool			 busy;
};

struct trim_job {
	struct trim	*t;
	size_t		 n;
	int		 worst;			/* the last error */
	char		 dir[][512];
};

static void
trim_all(void *job)
{
	struct trim_job *j = job;

	for (size_t i = 0; i < j->n; i++) {
		int r = console_trim(j->dir[i]);

		if (r < 0 && r != -ENOENT)
			j->worst = r;
	}
}

static void
on_trimmed(void *arg, void *job)
{
	struct trim_job *j = job;

	j->t->busy = false;
	if (j->worst < 0)
		log_warning("a console log cannot be cut: %s", strerror(-j->worst));
	free(j);
}

static struct trim_job *
job_new(struct trim *t)
{
	struct records *rs = t->d->records;
	struct trim_job *j = calloc(1, sizeof(*j) + records_count(rs) * sizeof(j->dir[0]));

	if (!j)
		return NULL;
	j->t = t;
	for (size_t i = 0; i < records_count(rs); i++) {
		const struct vm *vm = record_owner(records_get(rs, i));
		struct launch_job at;

		if (vm && vm->guest && vm_paths(t->d, vm_instance(vm), &at) == 0)
			memcpy(j->dir[j->n++], at.dir, sizeof(at.dir));
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
