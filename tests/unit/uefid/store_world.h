/*
 * store_world.h - a world for the sequences of store.h: fake buckets and objects in memory that
 * processes share, real files in a folder of the test's own, firmware of the test's making.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "common/file.h"
#include "common/subjects.h"
#include "region_make.h"
#include "tests/unit/common/fake_cas.h"
#include "tests/unit/unit.h"
#include "uefid/store_impl.h"

#define ID	"i-0123456789abcdef0"
#define ACCOUNT	"123456789012"
#define CLAIM	KEY_UEFI_CLAIM_PREFIX ID
#define BOOT_A	"aaaaaaaa-1111-4111-8111-111111111111"
#define BOOT_B	"bbbbbbbb-1111-4111-8111-111111111111"

#define FAKE_OBJECTS	32
#define FAKE_BYTES	2048
#define FAKE_GONE	256

struct fake_object {
	bool			 is_there;
	struct object_info	 info;
	uint8_t			 bytes[FAKE_BYTES];
};
struct fake_objects {
	struct objects		 objects;
	struct fake_object	 v[FAKE_OBJECTS];
	enum object_result	 fault;		/* of put, list and remove */
	uint64_t		 wall_ms;	/* of the next put */
	unsigned		 puts, removed;
	char			 gone[FAKE_GONE][OBJECT_KEY_MAX + 1];	/* nobody may put them again */
	size_t			 ngone;
};
struct world {
	struct fake_cas		 sync, records;
	struct fake_objects	 objects;
	struct clock		 clock;
	uint64_t		 now_ms, wall_ms;
	struct store_env	 env;
	enum store_launch	 launch;
	bool			 may_bury;
	unsigned		 buried;
	char			 dir[64], firmware[80];
	struct make		 template;
};

static struct world *w;

/* ---- objects ---- */

static inline struct fake_object *
object_find(struct fake_objects *f, const char *key)
{
	for (size_t i = 0; i < FAKE_OBJECTS; i++)
		if (f->v[i].is_there && strcmp(f->v[i].info.key, key) == 0)
			return &f->v[i];
	return NULL;
}

static inline enum object_result
fake_fail(enum object_result r, char *why)
{
	snprintf(why, JSON_WHY_MAX, "%s", object_result_text(r));
	return r;
}

static inline enum object_result
fake_object_put(void *ctx, const struct object_info *o, const void *p, size_t n, char *why)
{
	struct fake_objects *f = ctx;

	(void)getppid();
	if (f->fault != OBJECT_OK)
		return fake_fail(f->fault, why);
	if (object_find(f, o->key))
		return fake_fail(OBJECT_EXISTS, why);
	for (size_t i = 0; i < f->ngone; i++)
		if (strcmp(f->gone[i], o->key) == 0)
			abort();
	for (size_t i = 0; i < FAKE_OBJECTS; i++) {
		if (f->v[i].is_there)
			continue;
		ck_assert_uint_le(n, FAKE_BYTES);
		f->v[i].info = *o;
		f->v[i].info.bytes = n;
		f->v[i].info.written_ms = f->wall_ms++;
		memcpy(f->v[i].bytes, p, n);
		f->v[i].is_there = true;
		f->puts++;
		(void)getppid();
		return OBJECT_OK;
	}
	abort();
}

static inline enum object_result
fake_object_get(void *ctx, const char *key, struct buf *ret, struct object_info *ret_info,
    char *why)
{
	struct fake_object *o = object_find(ctx, key);

	if (!o)
		return fake_fail(OBJECT_NOT_FOUND, why);
	ck_assert_int_eq(buf_add(ret, o->bytes, o->info.bytes), 0);
	if (ret_info)
		*ret_info = o->info;
	return OBJECT_OK;
}

static inline enum object_result
fake_object_list(void *ctx, const char *prefix, struct object_list *ret, char *why)
{
	struct fake_objects *f = ctx;

	if (f->fault != OBJECT_OK)
		return fake_fail(f->fault, why);
	ret->v = calloc(FAKE_OBJECTS, sizeof(*ret->v));
	for (size_t i = 0; i < FAKE_OBJECTS; i++)
		if (f->v[i].is_there && strncmp(f->v[i].info.key, prefix, strlen(prefix)) == 0)
			ret->v[ret->n++] = f->v[i].info;
	return OBJECT_OK;
}

static inline enum object_result
fake_object_remove(void *ctx, const char *key, char *why)
{
	struct fake_objects *f = ctx;
	struct fake_object *o = object_find(f, key);

	(void)getppid();
	if (!o)
		return fake_fail(OBJECT_NOT_FOUND, why);
	o->is_there = false;
	if (f->ngone == FAKE_GONE)
		abort();
	memcpy(f->gone[f->ngone++], o->info.key, sizeof(f->gone[0]));
	return OBJECT_OK;
}

static inline size_t
objects_there(void)
{
	size_t n = 0;

	for (size_t i = 0; i < FAKE_OBJECTS; i++)
		n += w->objects.v[i].is_there;
	return n;
}

/* ---- the rest of the world ---- */

static inline uint64_t
world_now(const struct clock *c)
{
	return w->now_ms;
}

static inline uint64_t
world_wall(const struct clock *c)
{
	return w->wall_ms;
}

static inline enum store_launch
world_launch(void *world, const char *instance_id)
{
	return w->launch;
}

static inline int
world_bury(void *world, const char *node, const char *request_id, char *why)
{
	w->buried++;
	snprintf(why, STORE_WHY_MAX, "%s was seen alive", node);
	return w->may_bury ? 0 : -EAGAIN;
}

static inline void
world_firmware(const char *name, const void *p, size_t n)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", w->firmware, name);
	ck_assert_int_eq(file_write(path, p, n, 0644), 0);
}

/* Firmware for arm64 alone, whatever this machine has; features as in JSON. */
static inline void
world_describe(const char *name, const char *features, const char *code, const char *vars)
{
	char text[1024];
	int n = snprintf(text, sizeof(text), "{\"interface-types\":[\"uefi\"],"
	    "\"mapping\":{\"device\":\"flash\","
	    "\"executable\":{\"filename\":\"%s/%s\",\"format\":\"raw\"},"
	    "\"nvram-template\":{\"filename\":\"%s/%s\",\"format\":\"raw\"}},"
	    "\"targets\":[{\"architecture\":\"aarch64\",\"machines\":[\"virt-*\"]}],"
	    "\"features\":[%s]}", w->firmware, code, w->firmware, vars, features);

	world_firmware(name, text, (size_t)n);
}

static inline void
world_make_firmware(void)
{
	make_init(&w->template);
	make_variable(&w->template, "Template", 0x3f, "t", 1);
	world_describe("10-test.json", "", "code", "vars");
	world_firmware("code", "code", 4);
	world_firmware("vars", w->template.p, MAKE_SIZE);
}

static inline void
world_setup(void)
{
	w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(w, MAP_FAILED);
	fake_init(&w->sync);
	w->sync.takes_markers = true;
	w->sync.revision = 100;
	fake_init(&w->records);
	w->objects = (struct fake_objects){
		.objects = {
			.ctx = &w->objects, .put = fake_object_put, .get = fake_object_get,
			.list = fake_object_list, .remove = fake_object_remove,
		},
		.wall_ms = 1800000000000,
	};
	w->clock = (struct clock){ world_now, world_wall };
	w->now_ms = 1000;
	w->wall_ms = 1800000000000;
	/* In memory where there is such a place: each step is synced. */
	snprintf(w->dir, sizeof(w->dir), "%s/spinifex-store-XXXXXX",
	    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(w->dir));
	snprintf(w->firmware, sizeof(w->firmware), "%s/firmware", w->dir);
	ck_assert_int_eq(file_make_dirs(w->firmware, 0755), 0);
	world_make_firmware();
	w->env = (struct store_env){
		.node = "node-a", .state_dir = w->dir, .boot_id = BOOT_A,
		.firmware_dir = w->firmware, .dictionary = "", .clock = &w->clock, .sync = &w->sync.cas,
		.records = &w->records.cas, .objects = &w->objects.objects, .keep_versions = 5,
		.launch = world_launch, .bury = world_bury, .world = w,
	};
}

static inline void
world_teardown(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", w->dir);
	ck_assert_int_eq(system(command), 0);
	munmap(w, sizeof(*w));
}

/* ---- asking ---- */

static inline struct store_call
call(const char *launch_id)
{
	struct store_call c = {
		.env = &w->env, .instance_id = ID, .account_id = ACCOUNT, .arch = "arm64",
		.lease_until_ms = w->now_ms + 1000, .prune = true,
	};

	snprintf(c.launch_id, sizeof(c.launch_id), "%s", launch_id);
	return c;
}

#define ck_store(expr, result, c) \
	ck_assert_msg((expr) == (result), #expr ": expected " #result ": %s", (c).why)

static inline struct uefi_record
record(void)
{
	struct uefi_record r = { 0 };
	enum cas_result cas;
	uint64_t revision;

	ck_assert_int_eq(uefi_record_get(&w->records.cas, ID, &r, &revision, &cas), UEFI_OK);
	return r;
}

static inline bool
claim_is_free(void)
{
	return !fake_entry(&w->sync, CLAIM)->has_value;
}

static inline struct copy
paths(void)
{
	struct copy c;

	ck_assert_int_eq(copy_init(&c, w->dir, ID), 0);
	return c;
}

/* Does the pointer's object hold exactly these bytes? */
static inline bool
pointer_holds(const void *region)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct uefi_record r = record();
	char why[JSON_WHY_MAX];

	return version_get(&w->objects.objects, r.pointer.key, MAKE_SIZE, &b, NULL, why) ==
	    OBJECT_OK && memcmp(b.data, region, MAKE_SIZE) == 0;
}

/* As a guest does: in place. */
static inline void
guest_writes(const void *region)
{
	struct copy c = paths();
	AUTO(fd) int fd = open(c.vars, O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, region, MAKE_SIZE, 0), (ssize_t)MAKE_SIZE);
}

static inline struct make
written(const char *name)
{
	struct make m = w->template;

	make_variable(&m, name, 0x3f, "x", 1);
	return m;
}

static inline void
seeded_store(void)
{
	struct store_call c = call("");

	ck_store(store_seed(&c), STORE_OK, c);
}

static inline void
opened_store(const char *launch_id)
{
	struct store_call c = call(launch_id);

	seeded_store();
	ck_store(store_open(&c), STORE_OK, c);
}

/* Opened for l-1, whose guest wrote this. */
static inline struct make
guest_wrote(const char *name)
{
	struct make m = written(name);

	opened_store("l-1");
	guest_writes(m.p);
	return m;
}

static inline void
other_has_it(uint64_t generation)
{
	char value[128];

	snprintf(value, sizeof(value), "{\"holder\":\"node-b\",\"generation\":%llu}",
	    (unsigned long long)generation);
	fake_put(&w->sync, CLAIM, value);
}
