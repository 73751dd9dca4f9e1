#include "vmd/volume_sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "vmd/volume.h"
#include "vmd/volume_world.h"

#define TIMEOUT_MS	4000
#define HINTS_MAX	64	/* between two looks; more: all are looked at */

struct volume_sweep {
	struct vmd		*d;
	struct loop_timer	*timer;
	bool			 busy;
	bool			 all;		/* the next look is at all of them */
	size_t			 nhints;
	char			 hint[HINTS_MAX][VOLUME_KEY_MAX];
};

struct found {			/* what names an instance */
	char			 id[22], instance_id[20], key[VOLUME_KEY_MAX];
	enum volume_state	 state;
	uint64_t		 revision;
};

struct sweep_job {
	struct volume_sweep	*s;
	struct volume_place	 at;
	bool			 all, ok;
	size_t			 nhints;
	char			 hint[HINTS_MAX][VOLUME_KEY_MAX];
	struct found		*found;		/* owned */
	size_t			 n, room;
	char			 why[VOLUME_TEXT_MAX];
	char			 about[VOLUME_KEY_MAX];		/* why's volume; empty: all of them */
};

/* ---- the look ---- */

static bool
note(struct sweep_job *j, const struct volume *v, uint64_t revision)
{
	size_t room = j->room ? 2 * j->room : 16;
	void *more = j->n < j->room ? j->found : realloc(j->found, room * sizeof(*j->found));

	if (!more)
		return false;
	if (j->n == j->room)
		j->room = room;
	j->found = more;
	j->found[j->n] = (struct found){ .state = v->state, .revision = revision };
	volume_key(v->account_id, v->id, j->found[j->n].key);
	memcpy(j->found[j->n].id, v->id, sizeof(v->id));
	memcpy(j->found[j->n++].instance_id, v->instance_id, sizeof(v->instance_id));
	return true;
}

static void
complain(struct sweep_job *j, const char *key, const char *why)
{
	snprintf(j->about, sizeof(j->about), "%s", key);
	snprintf(j->why, sizeof(j->why), "%s: %.200s", key, why);
}

static bool
look_at(struct sweep_job *j, const char *key)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(volume) struct volume v = { 0 };
	char why[JSON_WHY_MAX] = "";
	struct volume_refusal no = { 0 };
	enum cas_result res = kv_load_wait(j->at.bucket, key, TIMEOUT_MS, &e);

	if (res == CAS_NOT_FOUND)
		return true;
	if (res != CAS_OK) {
		complain(j, key, cas_result_text(res));
		return false;
	}
	if (volume_from_json(e.value, e.len, &v, why) < 0) {
		complain(j, key, why);
		return true;		/* an operator's case; the others are looked at all the same */
	}
	if (*v.instance_id)
		return note(j, &v, e.revision);
	if (v.state == VOLUME_DELETING && !volume_finish(&j->at, &v, e.revision, &no))
		complain(j, key, no.why);
	return true;
}

static void
run(void *job)
{
	struct sweep_job *j = job;
	struct kv_keys keys = { 0 };

	j->ok = true;
	if (j->all) {
		enum cas_result res = kv_list_wait(j->at.bucket, "", TIMEOUT_MS, &keys);

		j->ok = res == CAS_OK;
		if (!j->ok)
			snprintf(j->why, sizeof(j->why), "listing: %s", cas_result_text(res));
	}
	for (size_t n = 0; n < keys.n && j->ok; n++)
		j->ok = look_at(j, keys.key[n]);
	for (size_t n = 0; n < j->nhints && !j->all && j->ok; n++)
		j->ok = look_at(j, j->hint[n]);
	kv_keys_deinit(&keys);
}

static void
drop(void *job)
{
	struct sweep_job *j = job;

	free(j->found);
	free(j);
}

static void
add_hint(struct volume_sweep *s, const char *key)
{
	for (size_t n = 0; n < s->nhints; n++)
		if (strcmp(s->hint[n], key) == 0)
			return;
	if (!*key || s->nhints == HINTS_MAX)
		s->all = true;
	else if (*key != '_' && strlen(key) < VOLUME_KEY_MAX)
		snprintf(s->hint[s->nhints++], VOLUME_KEY_MAX, "%s", key);
}

static void
on_run(void *arg, void *job)
{
	struct sweep_job *j = job;
	struct volume_sweep *s = j->s;

	s->busy = false;
	s->all |= !j->ok;
	if (*j->why)
		log_fields(LOG_WARNING, &(struct log_ctx){ .object = *j->about ? j->about : NULL },
		    "volumes: %s", j->why);
	for (size_t n = 0; n < j->n; n++) {
		struct vm *vm = vm_find(s->d, j->found[n].instance_id);

		if (vm && !volume_settle(vm, j->found[n].id, j->found[n].state,
		    j->found[n].revision))
			add_hint(s, j->found[n].key);
	}
	if (s->nhints > 0 || s->all)
		loop_timer_in(s->timer, VOLUME_SWEEP_SOON_MS);
	drop(j);
}

/* ---- when ---- */

static struct sweep_job *
job_new(struct volume_sweep *s)
{
	struct sweep_job *j = calloc(1, sizeof(*j));
	const struct vmd *d = s->d;

	if (!j)
		return NULL;
	j->s = s;
	j->all = s->all;
	j->nhints = s->nhints;
	memcpy(j->hint, s->hint, sizeof(j->hint));
	j->at.bucket = d->volumes;
	if (file_path(j->at.node, sizeof(j->at.node), "%s", d->conf->common.node) < 0 ||
	    file_path(j->at.disk_dir, sizeof(j->at.disk_dir), "%s", d->disk_dir) < 0) {
		free(j);
		return NULL;
	}
	return j;
}

static void
on_timer(void *arg)
{
	struct volume_sweep *s = arg;
	struct sweep_job *j;

	loop_timer_in(s->timer, VOLUME_SWEEP_MS);
	s->all |= s->nhints == 0;	/* it was not a hint that woke it */
	if (s->busy || !vmd_may_launch(s->d) || !records_are_listed(s->d->records)) {
		loop_timer_in(s->timer, VOLUME_SWEEP_SOON_MS);
		return;
	}
	j = job_new(s);
	if (!j || jobs_submit(s->d->d.jobs, NULL, run, on_run, NULL, j, drop) < 0) {
		free(j);
		return;
	}
	s->busy = true;
	s->all = false;
	s->nhints = 0;
}

static void
on_hint(void *arg, const char *key)
{
	struct volume_sweep *s = arg;

	add_hint(s, key);
	loop_timer_in(s->timer, VOLUME_SWEEP_SOON_MS);
}

void
volume_sweep_soon(struct volume_sweep *s)
{
	if (!s)
		return;
	s->all = true;
	loop_timer_in(s->timer, VOLUME_SWEEP_SOON_MS);
}

int
volume_sweep_new(struct vmd *d, struct volume_sweep **ret)
{
	struct volume_sweep *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->d = d;
	s->all = true;
	r = loop_timer_new(d->d.loop, on_timer, s, &s->timer);
	if (r == 0)
		r = kv_watch(d->volumes, on_hint, s);
	if (r < 0) {
		loop_timer_free(s->timer);
		free(s);
		return r;
	}
	loop_timer_in(s->timer, 0);
	*ret = s;
	return 0;
}

void
volume_sweep_free(struct volume_sweep *s)
{
	if (!s)
		return;
	loop_timer_free(s->timer);
	free(s);
}
