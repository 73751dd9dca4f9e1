/* The steps that bring the daemon up, and down. */
#include "uefid/uefid.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>

#include "common/buckets.h"
#include "common/file.h"
#include "common/subjects.h"

#define KV_TIMEOUT_MS		5000

static int
find_owner(void *self)
{
	struct uefid *u = self;
	const struct passwd *p;

	u->conf = (const struct uefid_conf *)u->d.conf;
	errno = 0;
	p = getpwnam(u->conf->guest_user);
	if (!p) {
		log_err("guest_user: there is no user %s", u->conf->guest_user);
		return errno ? -errno : -ENOENT;
	}
	u->env.owner = (struct copy_owner){ p->pw_uid != geteuid(), p->pw_uid, p->pw_gid };
	return 0;
}

static int
make_folder(void *self)
{
	struct uefid *u = self;
	char path[COPY_PATH_MAX + 1];
	int r = file_path(path, sizeof(path), "%s/uefi", u->conf->common.state_dir);

	return r < 0 ? r : file_make_dirs(path, 0711);
}

static void
on_kv_open(void *arg)
{
	struct uefid *u = arg;

	bus_ready(u->d.bus, UEFID_NEED_KV);
	uefid_sweep_start(u);
}

static int
open_buckets(void *self)
{
	struct uefid *u = self;
	int r = bucket_open(u->d.kv, &bucket_specs[SPEC_SYNC], &u->sync);

	if (r == 0)
		r = bucket_open(u->d.kv, &bucket_specs[SPEC_UEFI_STORES], &u->records);
	if (r == 0)
		r = object_store_open(&u->objects, &u->conf->objects, u->d.kv, u->d.bus, u->d.clock);
	if (r == 0)
		r = kv_watch(u->records, uefid_on_record, u);
	return r;
}

static int
set_up_stores(void *self)
{
	struct uefid *u = self;
	const struct conf_common *c = &u->conf->common;

	TAILQ_INIT(&u->locals);
	kv_store_init(&u->sync_store, u->sync, KV_TIMEOUT_MS);
	kv_store_init_exact(&u->records_store, u->records, KV_TIMEOUT_MS);
	u->env.node = c->node;
	u->env.state_dir = c->state_dir;
	u->env.boot_id = u->d.boot_id;
	u->env.firmware_dir = u->conf->firmware_dir;
	u->env.clock = u->d.clock;
	u->env.sync = &u->sync_store.cas;
	u->env.records = &u->records_store.cas;
	u->env.objects = u->objects.objects;
	u->env.keep_versions = u->conf->keep_versions;
	u->env.exact_firmware = u->conf->firmware_match == UEFID_MATCH_EXACT;
	u->env.dictionary = u->conf->dictionary;
	u->env.launch = uefid_ask_launch;
	u->env.bury = uefid_ask_bury;
	u->env.world = u;
	held_by(u->d.held, uefid_tell_held, u);
	return 0;
}

static void
forget_stores(void *self)
{
	struct uefid *u = self;
	struct local *l;

	while ((l = TAILQ_FIRST(&u->locals)))
		local_free(&u->locals, l);
	known_free(u->known);
	remembered_deinit(&u->claims_of_others);
	u->known = NULL;
}

static int
hold_lease(void *self)
{
	struct uefid *u = self;
	char key[CAS_KEY_MAX + 1];
	const struct lead_spec s = {
		.node = u->conf->common.node, .client = "uefid", .key = key,
		.ttl_ms = u->conf->common.node_ttl_ms, .gained = uefid_on_node_lease, .arg = u,
	};

	snprintf(key, sizeof(key), KEY_NODE_PREFIX "%.64s", u->conf->common.node);
	return lead_new(u->d.bus, &s, &u->lead);
}

static void
drop_lease(void *self)
{
	struct uefid *u = self;

	lead_free(u->lead);
}

static int
watch_files(void *self)
{
	struct uefid *u = self;

	return watch_new(u->d.loop, uefid_on_written, u, &u->watch);
}

static void
unwatch_files(void *self)
{
	struct uefid *u = self;

	watch_free(u->watch);
}

static int
set_timers(void *self)
{
	struct uefid *u = self;
	int r = loop_timer_new(u->d.loop, uefid_on_pace, u, &u->pace_timer);

	return r < 0 ? r : loop_timer_new(u->d.loop, uefid_on_sweep, u, &u->sweep_timer);
}

static void
stop_timers(void *self)
{
	struct uefid *u = self;

	loop_timer_free(u->pace_timer);
	loop_timer_free(u->sweep_timer);
}

static int
serve(void *self)
{
	struct uefid *u = self;
	int r = uefid_serve(u);

	return r < 0 ? r : kv_on_open(u->d.kv, on_kv_open, u);
}

const struct daemon_step uefid_steps[] = {
	{ "find the guests' user", find_owner, NULL },
	{ "make the folder of local copies", make_folder, NULL },
	{ "open the buckets", open_buckets, NULL },
	{ "set up the stores", set_up_stores, forget_stores },
	{ "hold the node's lease", hold_lease, drop_lease },
	{ "watch what guests write", watch_files, unwatch_files },
	{ "set the timers", set_timers, stop_timers },
	{ "serve subjects", serve, NULL },
};
const size_t uefid_nsteps = ARRAY_LEN(uefid_steps);
