/* main.c - reaperd's table of contents. */
#include "common/buckets.h"
#include "common/subjects.h"
#include "reaperd/reaperd.h"

static const struct conf_key keys[] = {
	OBJECT_STORE_KEYS(offsetof(struct reaperd_conf, objects)),
	{ NULL, "sweep_period",	CONF_MS, offsetof(struct reaperd_conf, sweep_period_ms), "60s",
	    1000, 3600000, NULL },
	{ NULL, "terminated_keep", CONF_MS, offsetof(struct reaperd_conf, terminated_keep_ms), "1h",
	    1000, 604800000, NULL },
	{ NULL, "prune_age",	CONF_MS, offsetof(struct reaperd_conf, prune_age_ms), "10m",
	    1000, 86400000, NULL },
	{ NULL, "image_grace",	CONF_MS, offsetof(struct reaperd_conf, image_grace_ms), "1d",
	    1000, 604800000, NULL },
	{ NULL, "teardown_limit", CONF_MS, offsetof(struct reaperd_conf, teardown_limit_ms), "10m",
	    1000, 86400000, NULL },
};
const struct conf_table reaperd_conf_table = { keys, ARRAY_LEN(keys) };

static int
open_buckets(void *self)
{
	struct reaperd *r = self;
	const struct reaperd_conf *conf = (const struct reaperd_conf *)r->d.conf;
	int err;

	if ((err = bucket_open(r->d.kv, &bucket_specs[SPEC_INSTANCES], &r->instances)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_UEFI_STORES], &r->stores)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_SYNC], &r->sync)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_ADDRESSES], &r->addresses)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_VOLUMES], &r->volumes)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_IMAGES], &r->images)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_NODES], &r->nodes)) < 0 ||
	    (err = bucket_open(r->d.kv, &bucket_specs[SPEC_CLUSTER_STATE], &r->beats)) < 0 ||
	    (err = object_store_open(&r->objects, &conf->objects, r->d.kv, r->d.bus,
	    r->d.clock)) < 0)
		return err;
	return 0;
}

static int
make_timers(void *self)
{
	struct reaperd *r = self;
	int err = loop_timer_new(r->d.loop, reaperd_on_timer, r, &r->timer);

	return err < 0 ? err : loop_timer_new(r->d.loop, reaperd_on_renewal, r, &r->renewal);
}

static void
free_timers(void *self)
{
	struct reaperd *r = self;

	loop_timer_free(r->timer);
	loop_timer_free(r->renewal);
}

static int
watch(void *self)
{
	struct reaperd *r = self;
	int err = kv_watch(r->stores, reaperd_on_hint, r);

	return err < 0 ? err : kv_watch(r->instances, reaperd_on_hint, r);
}

static int
stand(void *self)
{
	struct reaperd *r = self;

	return lead_new(r->d.bus, &(struct lead_spec){ .node = r->d.conf->node,
	    .client = "reaperd", .key = REAPER_KEY, .ttl_ms = REAPER_TTL_MS,
	    .gained = reaperd_on_gained, .lost = reaperd_on_lost,
	    .started = reaperd_on_started, .arg = r }, &r->lead);
}

static void
stand_down(void *self)
{
	struct reaperd *r = self;

	atomic_store(&r->may_act_until_ms, 0);	/* a sweep that runs stops before its next act */
	lead_free(r->lead);
	reaperd_refuse_waiting(r);
	reaperd_serve_not(r);
	sweep_marks_deinit(&r->marks);
	remembered_deinit(&r->remembered);
}

static const struct daemon_step steps[] = {
	{ "open the buckets",		open_buckets,	NULL },
	{ "make the sweep's timers",	make_timers,	free_timers },
	{ "serve the services protocol", reaperd_announce,		NULL },
	{ "watch for hints",		watch,		NULL },
	{ "stand for election",		stand,		stand_down },
};

static int
check(const void *conf, char *why, size_t size)
{
	return object_store_check(&((const struct reaperd_conf *)conf)->objects, why, size);
}

int
main(int argc, char **argv)
{
	return daemon_main(argc, argv, &(struct daemon_spec){ .name = "reaperd",
	    .size = sizeof(struct reaperd), .conf_size = sizeof(struct reaperd_conf),
	    .conf = &reaperd_conf_table, .check = check, .steps = steps, .nsteps = ARRAY_LEN(steps),
	    .threads = 1 });
}
