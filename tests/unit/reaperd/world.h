/*
 * world.h - a real server with the cluster's buckets, and sweeps over them: what is in the
 * buckets is written by the test, no other daemon runs.
 */
#pragma once

#include <stdarg.h>

#include "common/buckets.h"
#include "common/job.h"
#include "common/subjects.h"
#include "reaperd/sweep.h"
#include "tests/unit/nats_server.h"

#define PATIENCE_MS	30000
#define VALUE_MAX	2048
#define ACCOUNT		"123456789012"
#define A_UUID		"11111111-1111-4111-8111-111111111111"
#define B_UUID		"22222222-2222-4222-8222-222222222222"

struct world {
	struct nats_server	 server;
	struct loop		*loop;
	struct bus		*bus;
	struct kv		*kv;
	struct jobs		*jobs;
	struct bucket		*bucket[BUCKET_SPECS];
	struct objects_jetstream store;
	struct objects		 objects;	/* the store's, or what a test puts before it */
	struct clock		 clock;
	uint64_t		 wall_shift_ms;
	uint64_t		 step_ms;	/* of the wall clock, after its first reading */
	_Atomic uint64_t	 may_act_until_ms;
	struct sweep_marks	 marks;
	struct sweep_clock	 steady;
	struct remembered		 remembered;
	uint64_t		 now_shift_ms;	/* of CLOCK_BOOTTIME */
	struct sweep		*last;		/* the last sweep, for its verdicts */
	bool			 done;		/* of the job that is waited for */
};
static struct world *w;

static void
on_done(void *arg, void *job)
{
	w->done = true;
}

static inline void
in_job(void (*fn)(void *arg), void *arg)
{
	const uint64_t end = loop_now_ms(w->loop) + PATIENCE_MS;

	w->done = false;
	ck_assert_int_eq(jobs_submit(w->jobs, NULL, fn, on_done, NULL, arg, NULL), 0);
	while (!w->done) {
		ck_assert_msg(loop_now_ms(w->loop) < end, "waited in vain");
		ck_assert_int_ge(loop_step(w->loop, 100), 0);
	}
}

/* ---- what is in the buckets ---- */

struct change {
	struct bucket	*bucket;
	const char	*key, *value;	/* NULL: a delete marker */
	enum known	 found;
	uint64_t	 revision;
};

static inline void
change_run(void *arg)
{
	struct change *c = arg;
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(c->bucket, c->key, 5000, &e);

	ck_assert(res == CAS_OK || res == CAS_NOT_FOUND);
	if (c->value)
		res = kv_put_wait(c->bucket, c->key, c->value, strlen(c->value), e.revision, 5000,
		    &c->revision);
	else
		res = kv_remove_wait(c->bucket, c->key, e.revision, 5000, &c->revision);
	ck_assert_int_eq(res, CAS_OK);
}

static inline void
look_run(void *arg)
{
	struct change *c = arg;
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(c->bucket, c->key, 5000, &e);

	ck_assert(res == CAS_OK || res == CAS_NOT_FOUND);
	c->found = res == CAS_OK ? KNOWN_PRESENT : e.is_marker ? KNOWN_MARKER : KNOWN_NO_MESSAGE;
}

__attribute__((format(printf, 3, 4))) static inline void
put(unsigned spec, const char *key, const char *fmt, ...)
{
	char value[VALUE_MAX];
	va_list ap;

	va_start(ap, fmt);
	ck_assert_int_lt(vsnprintf(value, sizeof(value), fmt, ap), VALUE_MAX);
	va_end(ap);
	in_job(change_run, &(struct change){ .bucket = w->bucket[spec], .key = key, .value = value });
}

static inline void
put_marker(unsigned spec, const char *key)
{
	in_job(change_run, &(struct change){ .bucket = w->bucket[spec], .key = key });
}

static inline enum known
found(unsigned spec, const char *key)
{
	struct change c = { .bucket = w->bucket[spec], .key = key };

	in_job(look_run, &c);
	return c.found;
}

/* more: members, each after a comma. */
static inline void
put_instance(const char *id, const char *state, const char *more)
{
	char key[64];

	snprintf(key, sizeof(key), "instance.%s", id);
	put(SPEC_INSTANCES, key, "{\"schema_version\":1,\"id\":\"%s\",\"account_id\":\"" ACCOUNT
	    "\",\"node\":\"node-9\",\"state\":\"%s\"%s}", id, state, more);
}

#define LONG_AGO	",\"terminated\":\"2020-01-01T00:00:00Z\""
#define TORN_DOWN	",\"teardown_uefi\":\"done\",\"teardown_volume\":\"done\"," \
			"\"teardown_address\":\"done\""

static inline void
put_store(const char *id, const char *state)
{
	put(SPEC_UEFI_STORES, id, "{\"schema_version\":1,\"instance_id\":\"%s\",\"account_id\":\""
	    ACCOUNT "\",\"state\":\"%s\",\"generation\":7}", id, state);
}

static inline void
put_address(const char *address, const char *instance_id)
{
	char key[64];

	snprintf(key, sizeof(key), ACCOUNT ".%s", address);
	put(SPEC_ADDRESSES, key, "{\"instance_id\":\"%s\"}", instance_id);
}

static inline void
put_claim(const char *id, const char *holder)
{
	char key[64];

	snprintf(key, sizeof(key), "uefi.%s", id);
	put(SPEC_SYNC, key, "{\"holder\":\"%s\",\"generation\":7}", holder);
}

struct put_object {
	struct object_info info;
};

static inline void
object_run(void *arg)
{
	struct put_object *o = arg;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(w->store.objects.put(w->store.objects.ctx, &o->info, "x", 1, why), OBJECT_OK);
}

static inline void
put_object(const char *id, const char *uuid)
{
	struct put_object o = { 0 };

	snprintf(o.info.key, sizeof(o.info.key), "uefi/%s/%s", id, uuid);
	in_job(object_run, &o);
}

#define AMI	"ami-00000000000000001"
#define IMAGE_OBJECT	"uefi/" AMI "/" A_UUID
#define IMAGE_KEY	ACCOUNT "." AMI

/* Of the image that is to be AMI; account NULL: it does not say whose. */
static inline void
put_image_object(const char *account)
{
	struct put_object o = { .info.key = IMAGE_OBJECT };

	if (account)
		ck_assert_int_eq(object_meta_add(&o.info, OBJECT_META_ACCOUNT, account), 0);
	in_job(object_run, &o);
}

static inline void
put_image(const char *object)
{
	put(SPEC_IMAGES, IMAGE_KEY, "{\"id\":\"" AMI "\",\"account_id\":\"" ACCOUNT "\",\"name\":\"n\","
	    "\"arch\":\"x86_64\",\"boot_mode\":\"uefi\",\"format\":\"raw\",\"file\":\"f\","
	    "\"sha256\":\"%064d\",\"virtual_bytes\":1,\"uefi_object\":\"%s\"}", 0, object);
}

struct count_objects {
	const char	*prefix;
	size_t		 n;
};

static inline void
count_run(void *arg)
{
	struct count_objects *c = arg;
	struct object_keys keys = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(w->store.objects.keys(w->store.objects.ctx, c->prefix, &keys, why),
	    OBJECT_OK);
	c->n = keys.n;
	object_keys_deinit(&keys);
}

static inline size_t
objects_of(const char *id)
{
	char prefix[64];
	struct count_objects c = { .prefix = prefix };

	snprintf(prefix, sizeof(prefix), "uefi/%s/", id);
	in_job(count_run, &c);
	return c.n;
}

static inline void
put_node(const char *name)
{
	put(SPEC_NODES, name, "{\"node\":\"%s\",\"uuid\":\"" A_UUID "\",\"boot_id\":\"" B_UUID
	    "\",\"address\":\"\",\"since\":\"2026-01-01T00:00:00Z\"}", name);
}

/* Of a stream that is no bucket of ours. */
struct ask {
	const char	*subject, *body;
};

static inline void
ask_run(void *arg)
{
	const struct ask *a = arg;
	AUTO(bus_msg) struct bus_msg *m = NULL;

	ck_assert_int_eq(bus_ask_wait(w->bus, &(struct bus_ask){ .subject = a->subject,
	    .data = a->body, .len = strlen(a->body), .timeout_ms = 5000 }, &m), BUS_OK);
}

static inline void
make_stream(const char *bucket)
{
	char subject[128], body[256];

	snprintf(subject, sizeof(subject), "$JS.API.STREAM.CREATE.KV_%s", bucket);
	snprintf(body, sizeof(body), "{\"name\":\"KV_%s\",\"subjects\":[\"$KV.%s.>\"],"
	    "\"max_msgs_per_subject\":1}", bucket, bucket);
	in_job(ask_run, &(struct ask){ subject, body });
}

/* ---- sweeps ---- */

static inline struct inventory_sources
world_sources(void)
{
	return (struct inventory_sources){ .bus = w->bus, .instances = w->bucket[SPEC_INSTANCES],
		.stores = w->bucket[SPEC_UEFI_STORES], .sync = w->bucket[SPEC_SYNC],
		.addresses = w->bucket[SPEC_ADDRESSES], .nodes = w->bucket[SPEC_NODES],
		.beats = w->bucket[SPEC_CLUSTER_STATE], .volumes = w->bucket[SPEC_VOLUMES],
		.images = w->bucket[SPEC_IMAGES], .objects = &w->objects, .timeout_ms = 5000 };
}

static inline const struct sweep *
sweep(const struct sweep_ask *ask)
{
	struct sweep *s = calloc(1, sizeof(*s));

	ck_assert_ptr_nonnull(s);
	*s = (struct sweep){ .ask = *ask, .from = world_sources(), .clock = &w->clock,
		.may_act_until_ms = &w->may_act_until_ms, .terminated_keep_ms = 1000,
		.prune_age_ms = 1, .image_grace_ms = 1, .stuck_ms = 1, .period_ms = 60000, .before = w->marks,
		.steady = w->steady, .remembered = w->remembered };
	if (w->last)
		sweep_free(w->last);
	w->last = s;
	in_job(sweep_run, s);
	w->marks = s->marks;		/* before goes with s */
	s->marks = (struct sweep_marks){ 0 };
	w->steady = s->steady;
	w->remembered = s->remembered;
	s->remembered = (struct remembered){ 0 };
	return s;
}

static inline const struct sweep *
sweep_all(void)
{
	const struct sweep *s = sweep(&(struct sweep_ask){ .act = true });

	ck_assert_str_eq(s->why, "");
	return s;
}

/* Of the last sweep; the test fails where there is none. */
static inline const struct sweep_verdict *
verdict_of(enum reap_class class, const char *id)
{
	for (size_t i = 0; i < w->last->verdicts.n; i++) {
		const struct sweep_verdict *v = &w->last->verdicts.v[i];

		if (v->class == class && strcmp(v->id, id) == 0)
			return v;
	}
	ck_abort_msg("no verdict on %s %s", reap_class_name(class), id);
}

/* ---- the world ---- */

static inline uint64_t
world_now_ms(const struct clock *c)
{
	return clock_now_ms(&clock_system) + w->now_shift_ms;
}

static inline uint64_t
world_wall_ms(const struct clock *c)
{
	uint64_t shift_ms = w->wall_shift_ms;

	w->wall_shift_ms += w->step_ms;
	w->step_ms = 0;
	return clock_wall_ms(&clock_system) + shift_ms;
}

static inline void
world_open_buckets(void)
{
	const uint64_t end = loop_now_ms(w->loop) + PATIENCE_MS;

	for (size_t i = 0; i < BUCKET_SPECS; i++)
		ck_assert_int_eq(bucket_open(w->kv, &bucket_specs[i], &w->bucket[i]), 0);
	for (size_t i = 0; i < BUCKET_SPECS; i++)
		while (!bucket_is_sound(w->bucket[i])) {
			ck_assert_msg(loop_now_ms(w->loop) < end, "waited in vain for the buckets");
			ck_assert_int_ge(loop_step(w->loop, 100), 0);
		}
}

static inline void
world_setup(void)
{
	char dir[128];

	w = calloc(1, sizeof(*w));
	ck_assert_ptr_nonnull(w);
	nats_server_start(&w->server);
	snprintf(dir, sizeof(dir), "%s/state", w->server.dir);
	ck_assert_int_eq(loop_new(&w->loop), 0);
	ck_assert_int_eq(bus_new(w->loop, &(struct bus_conf){ .name = "t", .url = w->server.url },
	    &w->bus), 0);
	ck_assert_int_eq(kv_new(w->bus, &(struct kv_conf){ .state_dir = dir, .cluster_size = 1 },
	    &w->kv), 0);
	ck_assert_int_eq(jobs_new(w->loop, 1, 16, &w->jobs), 0);
	world_open_buckets();
	objects_jetstream_init(&w->store, w->bus, w->bucket[SPEC_OBJECTS], 5000);
	w->objects = w->store.objects;
	w->clock = (struct clock){ .now_ms = world_now_ms, .wall_ms = world_wall_ms };
	w->may_act_until_ms = UINT64_MAX;
	w->wall_shift_ms = 100;		/* what was written just now is no longer young */
	put(SPEC_SYNC, REAPER_KEY, "{\"holder\":\"node-1\",\"generation\":3}");
	put_node("node-0");		/* one is known, and buried: it holds up nothing */
	put(SPEC_SYNC, "node.node-0", "{\"holder\":\"node-1\",\"generation\":2}");
}

static inline void
world_teardown(void)
{
	if (w->last)
		sweep_free(w->last);
	sweep_marks_deinit(&w->marks);
	remembered_deinit(&w->remembered);
	jobs_free(w->jobs);
	kv_free(w->kv);
	bus_free(w->bus);
	loop_free(w->loop);
	nats_server_stop(&w->server);
	free(w);
}
