/*
 * objectprobe - what every object store has to do, tried on a real one:
 *
 *	objectprobe jetstream URL STATE_DIR
 *	objectprobe s3 URL BUCKET [CA]		credentials of the environment; OBJECT_LARGEST=1
 *						for one of the 64 MiB that any may have, too
 *
 * Prints a line "ok WHAT" or "not ok WHAT" for each; exit status 1 if any is not.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "common/buckets.h"
#include "common/ident.h"
#include "common/kv.h"
#include "common/log.h"
#include "common/objects.h"
#include "common/objects_s3.h"

#define TIMEOUT_MS	30000
#define PATIENT_MS	180000
#define LARGE		(300 * 1024)
#define EDGE_MAX	4096	/* headers, at most */
#define MANY		40
#define PAGE		7	/* so that 40 take several */

struct probe {
	struct loop			*loop;
	struct bus			*bus;
	struct kv			*kv;
	struct bucket			*bucket;
	struct objects_jetstream	 jetstream;
	struct objects_s3		 s3;
	const struct objects		*s;
	size_t				 too_large;	/* bytes that the store refuses */
	const char			*limit;		/* ... and what it then says */
	int				 bad;
	char				 owner[20];
};

static void
verdict(struct probe *p, bool ok, const char *what, const char *why)
{
	printf("%s %s%s%s\n", ok ? "ok" : "not ok", what, ok ? "" : ": ", ok ? "" : why);
	fflush(stdout);
	p->bad += !ok;
}

static struct object_info
fresh(struct probe *p)
{
	char uuid[IDENT_UUID_LEN + 1];
	struct object_info o = { 0 };

	ident_uuid(uuid);
	snprintf(o.key, sizeof(o.key), "uefi/%s/%s", p->owner, uuid);
	return o;
}

static bool
holds(struct probe *p, const char *key, const void *bytes, size_t n, struct object_info *ret)
{
	AUTO(buf) struct buf b = BUF_EMPTY(n > 1 << 20 ? n : 1 << 20);
	char why[JSON_WHY_MAX] = "";

	return p->s->get(p->s->ctx, key, &b, ret, why) == OBJECT_OK && b.len == n &&
	    (n == 0 || memcmp(b.data, bytes, n) == 0);
}

static void
try_put_and_get(struct probe *p)
{
	struct object_info o = fresh(p), got = { 0 };
	char why[JSON_WHY_MAX] = "";
	bool ok = object_meta_add(&o, "instance-id", p->owner) == 0 &&
	    object_meta_add(&o, "generation", "18446744073709551615") == 0 &&
	    object_meta_add(&o, "code-path", "/usr/share/OVMF/a b~!.fd") == 0;

	ok = ok && p->s->put(p->s->ctx, &o, "\0bytes\xff", 7, why) == OBJECT_OK;
	verdict(p, ok, "an object is put", why);
	ok = holds(p, o.key, "\0bytes\xff", 7, &got);
	verdict(p, ok, "it comes back byte for byte", "other bytes");
	ok = got.bytes == 7 && got.written_ms > 1700000000000 && got.nmeta == 3 &&
	    strcmp(got.key, o.key) == 0;
	for (size_t i = 0; ok && i < o.nmeta; i++) {
		const char *v = object_meta(&got, o.meta[i].name);

		ok = v && strcmp(v, o.meta[i].value) == 0;
	}
	verdict(p, ok, "and so do its size, its time and its metadata", "they do not");
	ok = p->s->put(p->s->ctx, &o, "other", 5, why) == OBJECT_EXISTS &&
	    holds(p, o.key, "\0bytes\xff", 7, NULL);
	verdict(p, ok, "a put never replaces", why);
}

static void
try_sizes(struct probe *p)
{
	AUTO(mem) void *bytes = malloc(p->too_large);
	AUTO(buf) struct buf small = BUF_EMPTY(LARGE - 1);
	struct object_info o = fresh(p), huge = fresh(p), none = fresh(p);
	char why[JSON_WHY_MAX] = "";
	bool ok;

	if (!bytes)
		abort();
	memset(bytes, 0, p->too_large);
	ident_bytes(bytes, LARGE);
	ok = p->s->put(p->s->ctx, &o, bytes, LARGE, why) == OBJECT_OK &&
	    holds(p, o.key, bytes, LARGE, NULL);
	verdict(p, ok, "an object of 300 KiB is kept", why);
	ok = p->s->get(p->s->ctx, o.key, &small, NULL, why) == OBJECT_REFUSED;
	verdict(p, ok, "a download stops at its ceiling", why);
	ok = p->s->put(p->s->ctx, &none, "", 0, why) == OBJECT_OK && holds(p, none.key, "", 0, NULL);
	verdict(p, ok, "an empty object is kept", why);
	ok = p->s->put(p->s->ctx, &huge, bytes, p->too_large, why) == OBJECT_REFUSED &&
	    strstr(why, p->limit) && p->s->get(p->s->ctx, huge.key, &small, NULL, why) ==
	    OBJECT_NOT_FOUND;
	verdict(p, ok, "one over the store's limit is refused with the limit", why);
}

/* The largest that is taken, by halves; one byte more is refused and leaves nothing. */
static void
try_edge(struct probe *p, size_t limit)
{
	AUTO(mem) void *bytes = calloc(1, limit + 1);
	size_t taken = LARGE, refused = limit + 1;
	struct object_info o;
	char why[JSON_WHY_MAX] = "";
	bool ok = bytes;

	while (ok && refused - taken > 1) {
		size_t n = taken + (refused - taken) / 2;
		enum object_result r;

		o = fresh(p);
		r = p->s->put(p->s->ctx, &o, bytes, n, why);
		ok = r == OBJECT_OK || (r == OBJECT_REFUSED && strstr(why, p->limit));
		if (r == OBJECT_OK)
			taken = n;
		else
			refused = n;
	}
	o = fresh(p);
	ok = ok && limit - taken < EDGE_MAX &&
	    p->s->put(p->s->ctx, &o, bytes, taken, why) == OBJECT_OK &&
	    holds(p, o.key, bytes, taken, NULL);
	verdict(p, ok, "the largest object that the server's limit leaves room for is kept", why);
}

static void
try_bad(struct probe *p)
{
	static const char *const keys[] = {
		"", "/a", "a/", "a//b", "a.b", "a b", "a/*", "_a/b", "a/\xc3\xa9",
	};
	AUTO(buf) struct buf b = BUF_EMPTY(16);
	struct object_info o = fresh(p);
	char why[JSON_WHY_MAX] = "", key[OBJECT_KEY_MAX + 1];
	bool ok = true;

	snprintf(key, sizeof(key), "%s", o.key);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		snprintf(o.key, sizeof(o.key), "%s", keys[i]);
		ok &= p->s->put(p->s->ctx, &o, "x", 1, why) == OBJECT_INVALID &&
		    p->s->get(p->s->ctx, o.key, &b, NULL, why) == OBJECT_INVALID &&
		    p->s->remove(p->s->ctx, o.key, why) == OBJECT_INVALID;
	}
	verdict(p, ok, "a key that is not one is refused", why);
	ok = object_meta_add(&o, "Upper", "x") < 0 && object_meta_add(&o, "a", "x\r\ny: z") < 0 &&
	    object_meta_add(&o, "a", " x") < 0 && object_meta_add(&o, "a", "\xc3\xa9") < 0 &&
	    o.nmeta == 0;
	verdict(p, ok, "metadata that no header can carry is refused", "it was taken");
	ok = p->s->get(p->s->ctx, key, &b, NULL, why) == OBJECT_NOT_FOUND &&
	    p->s->remove(p->s->ctx, key, why) == OBJECT_NOT_FOUND;
	verdict(p, ok, "what is not there is not found", why);
}

static void
try_list_and_remove(struct probe *p)
{
	char prefix[OBJECT_KEY_MAX + 1], why[JSON_WHY_MAX] = "", keys[MANY][OBJECT_KEY_MAX + 1];
	struct object_list l = { 0 };
	bool ok = true;

	ident_ec2("i", p->owner, sizeof(p->owner));
	snprintf(prefix, sizeof(prefix), "uefi/%s/", p->owner);
	ok = p->s->list(p->s->ctx, prefix, &l, why) == OBJECT_OK && l.n == 0;
	verdict(p, ok, "a prefix without objects lists none", why);
	object_list_deinit(&l);
	for (size_t i = 0; i < MANY; i++) {
		struct object_info o = fresh(p);

		ok &= object_meta_add(&o, "generation", "7") == 0 &&
		    p->s->put(p->s->ctx, &o, &i, sizeof(i), why) == OBJECT_OK;
		snprintf(keys[i], sizeof(keys[i]), "%s", o.key);
	}
	ok &= p->s->list(p->s->ctx, prefix, &l, why) == OBJECT_OK && l.n == MANY;
	for (size_t i = 0; ok && i < l.n; i++)
		ok = strncmp(l.v[i].key, prefix, strlen(prefix)) == 0 && l.v[i].written_ms != 0 &&
		    l.v[i].bytes == sizeof(i) && object_meta(&l.v[i], "generation");
	verdict(p, ok, "a listing has every object of the prefix, with its metadata", why);
	object_list_deinit(&l);
	for (size_t i = 0; i < MANY / 2; i++)
		ok &= p->s->remove(p->s->ctx, keys[i], why) == OBJECT_OK &&
		    p->s->remove(p->s->ctx, keys[i], why) == OBJECT_NOT_FOUND;
	ok &= p->s->list(p->s->ctx, prefix, &l, why) == OBJECT_OK && l.n == MANY / 2;
	verdict(p, ok, "a removed object is gone, and the others are there", why);
	object_list_deinit(&l);
	struct object_keys k = { 0 };

	ok = p->s->keys(p->s->ctx, prefix, &k, why) == OBJECT_OK && k.n == MANY - MANY / 2;
	for (size_t i = 0; ok && i < k.n; i++)
		ok = strncmp(k.v[i], prefix, strlen(prefix)) == 0;
	verdict(p, ok, "the keys alone are those of what is left", why);
	object_keys_deinit(&k);
}

/* As many as one list may have, and one more. */
static void
try_list_limit(struct probe *p)
{
	char prefix[OBJECT_KEY_MAX + 1], why[JSON_WHY_MAX] = "", limit[16];
	struct object_list l = { 0 };
	struct object_keys k = { 0 };
	bool ok = true;

	ident_ec2("i", p->owner, sizeof(p->owner));
	snprintf(prefix, sizeof(prefix), "uefi/%s/", p->owner);
	snprintf(limit, sizeof(limit), "%d", OBJECT_LIST_MAX);
	for (size_t i = 0; ok && i <= OBJECT_LIST_MAX; i++) {
		struct object_info o = fresh(p);

		if (i == OBJECT_LIST_MAX) {
			ok = p->s->list(p->s->ctx, prefix, &l, why) == OBJECT_OK &&
			    l.n == OBJECT_LIST_MAX;
			object_list_deinit(&l);
		}
		ok = ok && p->s->put(p->s->ctx, &o, "x", 1, why) == OBJECT_OK;
	}
	verdict(p, ok, "a list has as many objects as it may", why);
	ok = p->s->list(p->s->ctx, prefix, &l, why) != OBJECT_OK && l.n == 0 && strstr(why, limit);
	verdict(p, ok, "one more is an error that says how many, and no list", why);
	ok = p->s->keys(p->s->ctx, prefix, &k, why) == OBJECT_OK && k.n == OBJECT_LIST_MAX + 1;
	verdict(p, ok, "keys alone are listed, however many", why);
	object_keys_deinit(&k);
}

static void
try_all(struct probe *p)
{
	ident_ec2("i", p->owner, sizeof(p->owner));
	try_put_and_get(p);
	try_sizes(p);
	try_bad(p);
	try_list_and_remove(p);
}

/* ---- jetstream: calls are for jobs, while a loop turns ---- */

static void
end(void *arg)
{
	struct probe *p = arg;

	loop_exit(p->loop, p->bad ? 1 : 0);
}

static void *
run(void *arg)
{
	struct probe *p = arg;

	try_all(p);
	try_list_limit(p);
	try_edge(p, 1 << 20);
	loop_post(p->loop, end, p);
	return NULL;
}

static void
on_open(void *arg)
{
	struct probe *p = arg;
	pthread_t t;

	if (pthread_create(&t, NULL, run, p) != 0 || pthread_detach(t) != 0)
		abort();
}

static int
probe_jetstream(struct probe *p, const char *url, const char *state_dir)
{
	int r;

	if (loop_new(&p->loop) < 0 ||
	    bus_new(p->loop, &(struct bus_conf){ .name = "objectprobe", .url = url }, &p->bus) < 0 ||
	    kv_new(p->bus, &(struct kv_conf){ .state_dir = state_dir, .cluster_size = 1,
		.node_ttl_ms = 60000 }, &p->kv) < 0 ||
	    bucket_open(p->kv, &bucket_specs[SPEC_OBJECTS], &p->bucket) < 0)
		return 2;
	objects_jetstream_init(&p->jetstream, p->bus, p->bucket, TIMEOUT_MS);
	p->s = &p->jetstream.objects;
	p->too_large = 2 << 20;
	p->limit = "1048576";
	if (kv_on_open(p->kv, on_open, p) < 0)
		return 2;
	r = loop_run(p->loop);
	kv_free(p->kv);
	bus_free(p->bus);
	loop_free(p->loop);
	return r;
}

/* ---- s3 ---- */

/* What goes wrong between us and a server, by what is asked of it wrongly. */
static void
try_s3_refusals(struct probe *p, const struct s3_conf *good)
{
	static const struct {
		const char		*what, *url, *bucket, *region, *file;
		enum object_result	 want;
	} rows[] = {
		{ "nobody listens", "http://127.0.0.1:1", NULL, NULL, NULL, OBJECT_UNAVAILABLE },
		{ "a bucket that is not there is lost", NULL, "no-such-bucket", NULL, NULL,
		    OBJECT_LOST },
		{ "credentials that cannot be read are refused", NULL, NULL, NULL, "/nowhere",
		    OBJECT_REFUSED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct object_keys k = { 0 };
		struct s3_conf conf = *good;
		struct objects_s3 s;
		char why[JSON_WHY_MAX] = "";
		enum object_result got;

		conf.url = rows[i].url ? rows[i].url : conf.url;
		conf.bucket = rows[i].bucket ? rows[i].bucket : conf.bucket;
		conf.credentials_file = rows[i].file ? rows[i].file : conf.credentials_file;
		objects_s3_init(&s, &conf);
		got = s.objects.keys(&s, "uefi/", &k, why);
		verdict(p, got == rows[i].want && why[0], rows[i].what, why);
		object_keys_deinit(&k);
	}
	setenv("AWS_SECRET_ACCESS_KEY", "wrong", 1);
	struct object_info o = fresh(p);
	char why[JSON_WHY_MAX] = "";
	bool ok = p->s->put(p->s->ctx, &o, "x", 1, why) == OBJECT_REFUSED &&
	    strstr(why, "SignatureDoesNotMatch");

	verdict(p, ok, "a wrong secret is refused by the server's own check", why);
}

/* Of exactly as many bytes as any object may have, and as many as a list may have; with time for
 * a slow server's disk. */
static void
try_s3_largest(struct probe *p, const struct s3_conf *good)
{
	AUTO(mem) void *bytes = malloc(OBJECT_BYTES_MAX);
	struct s3_conf conf = *good;
	struct objects_s3 s;
	struct probe patient = *p;
	struct object_info o = fresh(p);
	char why[JSON_WHY_MAX] = "";
	bool ok;

	if (!bytes)
		abort();
	ident_bytes(bytes, LARGE);
	memset((char *)bytes + LARGE, 7, OBJECT_BYTES_MAX - LARGE);
	conf.timeout_ms = PATIENT_MS;
	objects_s3_init(&s, &conf);
	patient.s = &s.objects;
	ok = s.objects.put(&s, &o, bytes, OBJECT_BYTES_MAX, why) == OBJECT_OK &&
	    holds(&patient, o.key, bytes, OBJECT_BYTES_MAX, NULL) &&
	    s.objects.remove(&s, o.key, why) == OBJECT_OK;
	verdict(p, ok, "an object of exactly 64 MiB is kept", why);
	patient.bad = 0;
	try_list_limit(&patient);
	p->bad += patient.bad;
}

static int
probe_s3(struct probe *p, const char *url, const char *bucket, const char *ca)
{
	const struct s3_conf conf = {
		.url = url, .bucket = bucket, .region = "us-east-1", .ca = ca,
		.credentials_file = "", .clock = &clock_system, .timeout_ms = TIMEOUT_MS,
		.page = PAGE,
	};

	objects_s3_init(&p->s3, &conf);
	p->s = &p->s3.objects;
	p->too_large = OBJECT_BYTES_MAX + 1;
	p->limit = "67108864";
	try_all(p);
	if (getenv("OBJECT_LARGEST"))
		try_s3_largest(p, &conf);
	try_s3_refusals(p, &conf);
	return p->bad ? 1 : 0;
}

int
main(int argc, char **argv)
{
	struct probe p = { 0 };

	log_open("objectprobe", true);
	if (argc == 4 && strcmp(argv[1], "jetstream") == 0)
		return probe_jetstream(&p, argv[2], argv[3]);
	if ((argc == 4 || argc == 5) && strcmp(argv[1], "s3") == 0)
		return probe_s3(&p, argv[2], argv[3], argc == 5 ? argv[4] : "");
	fprintf(stderr, "usage: objectprobe jetstream URL STATE_DIR | s3 URL BUCKET [CA]\n");
	return 2;
}
