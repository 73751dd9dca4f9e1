/*
 * The node's loop: a scan of folders and claims as a job, then a look at each store that needs
 * one.  It adopts guests that it finds running and closes what nothing uses any more.  It
 * judges by this node's files and claims, not by whose instance a record says it is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/subjects.h"
#include "common/vm_list.h"
#include "uefid/uefid.h"

#define LIST_TIMEOUT_MS	2000
#define SCAN_MAX	65536	/* folders or claims that one sweep looks at */
#define SWEEPS_ALL	6	/* each so many sweeps look at claims and records too */
#define SWEEPS_IDLE	60	/* ... and at folders that hold a lock alone */

struct ids {
	char	(*v)[INSTANCE_ID_MAX + 1];
	size_t	 n, room;
};
struct scan {
	struct uefid	*u;
	bool		 wants_claims;
	bool		 wants_idle;	/* folders that hold a lock alone */
	struct ids	 known;		/* looked at without their claim's word; sorted */
	struct ids	 folders, claims;	/* with a copy or a lock; ours, of no known store */
	struct remembered claims_of_others;	/* and free ones; in and out, owned */
	struct ids	 guests;	/* vmd says that their QEMU is there; sorted */
	bool		 has_vms;	/* vmd answered */
	bool		 is_short;	/* claims or vmd's word could not be had */
};

static void
ids_add(struct ids *l, const char *id)
{
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		void *v = room > SCAN_MAX ? NULL : reallocarray(l->v, room, sizeof(*l->v));

		if (!v)
			return;		/* the next sweep begins with those that are left */
		l->v = v;
		l->room = room;
	}
	snprintf(l->v[l->n++], sizeof(*l->v), "%s", id);
}

static void
scan_free(void *arg)
{
	struct scan *s = arg;

	free(s->known.v);
	free(s->folders.v);
	free(s->claims.v);
	free(s->guests.v);
	remembered_deinit(&s->claims_of_others);
	free(s);
}

static void
scan_folders(struct scan *s)
{
	char path[COPY_PATH_MAX + 1];
	struct dirent *e;

	snprintf(path, sizeof(path), "%s/uefi", s->u->conf->common.state_dir);
	AUTO(dir) DIR *d = opendir(path);

	while (d && (e = readdir(d)))
		if (ident_is_ec2(e->d_name, "i"))
			ids_add(&s->folders, e->d_name);
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
ids_sort(struct ids *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), by_id);
}

static bool
ids_has(const struct ids *l, const char *id)
{
	return l->n > 0 && bsearch(id, l->v, l->n, sizeof(*l->v), by_id);
}

/* Whose it is now; one that is not ours is remembered as that. */
static void
scan_claim(struct scan *s, const char *key, const char *id)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct cas_token t;
	enum cas_result res;

	if (remembered_revision(&s->claims_of_others, s->u->sync, key) > 0)
		return;
	res = kv_load_wait(s->u->sync, key, LIST_TIMEOUT_MS, &e);
	if (res == CAS_OK && cas_token_parse(e.value, e.len, e.revision, &t) == 0 &&
	    strcmp(t.holder, s->u->conf->common.node) == 0)
		ids_add(&s->claims, id);
	else if (res == CAS_OK || (res == CAS_NOT_FOUND && e.is_marker))
		remembered_add(&s->claims_of_others, s->u->sync, key, e.revision);
}

/* Claims of ours beside those of known stores: a listing that is not complete is none. */
static void
scan_claims(struct scan *s)
{
	struct kv_keys keys = { 0 };

	if (remembered_list(&s->claims_of_others, s->u->sync, KEY_UEFI_CLAIM_PREFIX,
	    clock_now_ms(s->u->d.clock), LIST_TIMEOUT_MS, &keys) != CAS_OK) {
		s->is_short = true;
		return;
	}
	for (size_t i = 0; i < keys.n; i++) {
		const char *id = keys.key[i] + strlen(KEY_UEFI_CLAIM_PREFIX);

		if (ident_is_ec2(id, "i") && !ids_has(&s->known, id))
			scan_claim(s, keys.key[i], id);
	}
	kv_keys_deinit(&keys);
}

static void
add_guest(void *arg, const char *instance_id, const struct vm_seen *seen)
{
	struct scan *s = arg;

	if (seen->has_process && ident_is_ec2(instance_id, "i"))
		ids_add(&s->guests, instance_id);
}

/* An answer without a list has no guests: each is looked at, and its lock says what is so. */
static bool
scan_guests(struct scan *s)
{
	AUTO(json) cJSON *vms = NULL;
	struct bus_error error;

	if (vm_list_wait(s->u->d.bus, s->u->conf->common.node, LIST_TIMEOUT_MS, &vms, &error) < 0)
		return false;
	(void)!vm_list_each(vms, add_guest, s);
	ids_sort(&s->guests);
	return true;
}

static void
scan_run(void *arg)
{
	struct scan *s = arg;

	scan_folders(s);
	if (s->wants_claims)
		scan_claims(s);
	if (s->folders.n == 0 && s->claims.n == 0)
		return;		/* nothing that vmd could say anything of */
	s->has_vms = scan_guests(s);
	s->is_short |= !s->has_vms;
}

static bool
wants_look(const struct scan *s, const char *id)
{
	struct uefid *u = s->u;
	const struct local *l = local_find(&u->locals, id);
	struct copy c;

	if (l && (s->wants_claims || !uefid_is_confirmed(u, l)))
		return true;
	if (l)		/* without vmd's word a guest that was running is still taken to run */
		return s->has_vms && !ids_has(&s->guests, id);
	if (copy_init(&c, u->conf->common.state_dir, id) < 0)
		return false;
	/* A guest may run on it: that is seen without vmd. */
	if (access(c.seeded, F_OK) == 0 || copy_has_vars(&c))
		return true;
	return s->has_vms && s->wants_idle;
}

static void
scan_done(void *arg, void *job)
{
	struct uefid *u = arg;
	struct scan *s = job;

	u->is_sweeping = false;
	for (size_t i = 0; i < s->folders.n; i++)
		if (wants_look(s, s->folders.v[i]))
			uefid_mind(u, s->folders.v[i]);
	for (size_t i = 0; s->has_vms && i < s->claims.n; i++)
		if (!local_find(&u->locals, s->claims.v[i]))
			uefid_mind(u, s->claims.v[i]);
	/* The next sweep has to do what this one could not. */
	u->sweeps_all |= s->wants_claims && s->is_short;
	u->sweeps_idle |= s->wants_idle && s->is_short;
	u->sweeps++;
	u->claims_of_others = s->claims_of_others;
	s->claims_of_others = (struct remembered){ 0 };
	scan_free(s);
}

void
uefid_on_sweep(void *arg)
{
	struct uefid *u = arg;
	const struct local *l;
	struct scan *s;

	loop_timer_in(u->sweep_timer, u->conf->sweep_period_ms);
	if (u->is_sweeping || !u->is_kv_open || !bus_is_up(u->d.bus))
		return;
	s = calloc(1, sizeof(*s));
	if (!s)
		return;
	s->u = u;
	s->wants_claims = u->sweeps_all || u->sweeps % SWEEPS_ALL == 0;
	s->wants_idle = u->sweeps_idle || u->sweeps % SWEEPS_IDLE == 0;
	TAILQ_FOREACH(l, &u->locals, link)
		ids_add(&s->known, l->instance_id);
	ids_sort(&s->known);
	s->claims_of_others = u->claims_of_others;
	u->claims_of_others = (struct remembered){ 0 };
	if (jobs_submit(u->d.jobs, NULL, scan_run, scan_done, u, s, scan_free) < 0) {
		scan_free(s);
		return;
	}
	u->sweeps_all = u->sweeps_idle = false;
	u->is_sweeping = true;
}

void
uefid_sweep_start(struct uefid *u)
{
	u->is_kv_open = true;
	u->sweeps_all = u->sweeps_idle = true;
	loop_timer_at(u->sweep_timer, 0);
}
