/*
 * kvprobe - a client of the bus and of kv for system tests: it reads one command a line and
 * answers each with one line; events come as lines that begin with '!'.
 *
 *	kvprobe URL STATE_DIR CLUSTER_SIZE BUCKET=kept|remade[=TTL_MS[=GUARD]]...
 *
 *	put B KEY VALUE EXPECTED MS	remove B KEY EXPECTED MS	get B KEY MS
 *	aput B KEY VALUE EXPECTED MS	(the same on the loop)
 *	create B KEY VALUE MS		(the store's swap at 0: over a marker too)
 *	list B PREFIX|- MS		fill B PREFIX N			state B
 *	publish SUBJECT TEXT		ask SUBJECT TEXT MS		keep B
 *	watch B				race B KEY ROUNDS		quit
 *	cas B KEY N			acas B KEY N	(swaps, each after the last: how many a
 *							 second; the same on the loop)
 */
#include "common/buf.h"
#include "common/kv.h"
#include "tests/support/probe.h"

#define BUCKETS_MAX	4
#define FILL_WINDOW	256
#define NODE_TTL_MS	1500	/* unless the environment has one: a quiet of 500 ms */

struct kvprobe {
	struct probe		 probe;		/* first */
	struct kv		*kv;
	struct bucket_spec	 spec[BUCKETS_MAX];
	struct bucket		*bucket[BUCKETS_MAX];
	size_t			 nbuckets;
};

static const char *const names[CAS_RESULTS] = {
	"OK", "NOT_FOUND", "LOST", "UNAVAILABLE", "UNKNOWN", "BUCKET_LOST", "REFUSED", "INVALID",
	"NOMEM",
};

static struct bucket *
bucket_of(const struct command *c)
{
	const struct kvprobe *p = (const struct kvprobe *)c->probe;

	for (size_t i = 0; i < p->nbuckets; i++)
		if (strcmp(bucket_name(p->bucket[i]), word(c, 1)) == 0)
			return p->bucket[i];
	fprintf(stderr, "kvprobe: no bucket %s\n", word(c, 1));
	exit(2);
}

/* ---- commands that wait, on the reading thread ---- */

static void
do_put(struct command *c)
{
	uint64_t revision = 0;
	enum cas_result res = kv_put_wait(bucket_of(c), word(c, 2), word(c, 3),
	    strlen(word(c, 3)), number(c, 4), number(c, 5), &revision);

	say(c->probe, "%s %" PRIu64, names[res], revision);
}

static void
do_remove(struct command *c)
{
	uint64_t revision = 0;
	enum cas_result res = kv_remove_wait(bucket_of(c), word(c, 2), number(c, 3),
	    number(c, 4), &revision);

	say(c->probe, "%s %" PRIu64, names[res], revision);
}

static void
do_create(struct command *c)
{
	struct kv_store s;
	uint64_t revision = 0;
	enum cas_result res;

	kv_store_init(&s, bucket_of(c), number(c, 4));
	res = s.cas.swap(s.cas.ctx, word(c, 2), word(c, 3), strlen(word(c, 3)), 0, &revision);
	say(c->probe, "%s %" PRIu64, names[res], revision);
}

static void
do_get(struct command *c)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_load_wait(bucket_of(c), word(c, 2), number(c, 3), &e);

	say(c->probe, "%s %" PRIu64 " %s%s", names[res], e.revision, e.value ? e.value : "",
	    e.is_marker ? "(marker)" : "");
}

static void
do_list(struct command *c)
{
	struct kv_keys keys = { 0 };
	enum cas_result res = kv_list_wait(bucket_of(c),
	    strcmp(word(c, 2), "-") == 0 ? "" : word(c, 2), number(c, 3), &keys);

	say(c->probe, "%s %zu %s %s", names[res], keys.n, keys.n ? keys.key[0] : "",
	    keys.n ? keys.key[keys.n - 1] : "");
	kv_keys_deinit(&keys);
}

static void
do_publish(struct command *c)
{
	int r = bus_publish(c->probe->bus, word(c, 1), NULL, 0, word(c, 2), strlen(word(c, 2)));

	say(c->probe, "%s", r == 0 ? "OK" : strerrorname_np(-r));
}

static void
do_ask(struct command *c)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	enum bus_result res = bus_ask_wait(c->probe->bus, &(struct bus_ask){
	    .subject = word(c, 1), .data = word(c, 2), .len = strlen(word(c, 2)),
	    .timeout_ms = number(c, 3) }, &m);
	size_t len = 0;
	const char *data = m ? bus_msg_data(m, &len) : "";

	say(c->probe, "%s: %.*s", bus_result_text(res), (int)len, data);
}

static void
do_state(struct command *c)
{
	struct bucket *b = bucket_of(c);

	say(c->probe, "%s %s %s", bus_is_up(c->probe->bus) ? "up" : "down",
	    bucket_is_open(b) ? "open" : "closed", bucket_went_back(b) ? "back" :
	    bucket_is_sound(b) ? "sound" : "-");
}

static void
do_keep(struct command *c)
{
	bucket_keep_writing(bucket_of(c));
	say(c->probe, "OK");
}

/* As a contender among several probes: reads, and swaps at what it read.  Says at which
 * revisions it won. */
static void
do_race(struct command *c)
{
	AUTO(buf) struct buf won = BUF_EMPTY(1 << 20);
	uint64_t rounds = number(c, 3), revision;
	struct bucket *b = bucket_of(c);

	for (uint64_t i = 0; i < rounds; i++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };

		if (kv_load_wait(b, word(c, 2), 5000, &e) == CAS_OK &&
		    kv_put_wait(b, word(c, 2), "x", 1, e.revision, 5000, &revision) == CAS_OK &&
		    buf_printf(&won, " %" PRIu64, e.revision) < 0)
			exit(2);
	}
	say(c->probe, "OK%s", buf_text(&won));
}

#define TOKEN	"{\"holder\":\"node-1\",\"generation\":12345}"

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
do_cas(struct command *c)
{
	struct bucket *b = bucket_of(c);
	uint64_t n = number(c, 3), at = 0;
	enum cas_result res = kv_put_wait(b, word(c, 2), TOKEN, strlen(TOKEN), 0, 5000, &at);
	double begun = now_s();

	for (uint64_t i = 0; res == CAS_OK && i < n; i++)
		res = kv_put_wait(b, word(c, 2), TOKEN, strlen(TOKEN), at, 5000, &at);
	say(c->probe, "%s %.0f", names[res], (double)n / (now_s() - begun));
}

/* ---- commands on the loop ---- */

static void
on_cas(void *arg, enum cas_result res, uint64_t revision)
{
	struct command *c = arg;

	if (c->sent++ == 0)
		c->begun_s = now_s();
	if (res == CAS_OK && c->sent <= number(c, 3)) {
		if (!kv_put(bucket_of(c), word(c, 2), TOKEN, strlen(TOKEN), revision, 5000, on_cas, c))
			exit(2);
		return;
	}
	say(c->probe, "%s %.0f", names[res], (double)number(c, 3) / (now_s() - c->begun_s));
	command_free(c);
}

static void
do_acas(void *arg)
{
	struct command *c = arg;

	if (!kv_put(bucket_of(c), word(c, 2), TOKEN, strlen(TOKEN), 0, 5000, on_cas, c))
		exit(2);
}

static void
on_put(void *arg, enum cas_result res, uint64_t revision)
{
	struct command *c = arg;

	say(c->probe, "%s %" PRIu64, names[res], revision);
	command_free(c);
}

static void
do_aput(void *arg)
{
	struct command *c = arg;

	if (!kv_put(bucket_of(c), word(c, 2), word(c, 3), strlen(word(c, 3)), number(c, 4),
		number(c, 5), on_put, c)) {
		say(c->probe, "FALSE");
		command_free(c);
	}
}

static void fill_more(struct command *c);

static void
on_filled(void *arg, enum cas_result res, uint64_t revision)
{
	struct command *c = arg;

	c->failed += res != CAS_OK;
	if (--c->left == 0) {
		say(c->probe, "OK %" PRIu64 " failed", c->failed);
		command_free(c);
		return;
	}
	fill_more(c);
}

static void
fill_more(struct command *c)
{
	char key[64];

	if (c->sent == number(c, 3))
		return;
	(void)snprintf(key, sizeof(key), "%s%06" PRIu64, word(c, 2), c->sent++);
	if (!kv_put(bucket_of(c), key, "v", 1, 0, 20000, on_filled, c))
		exit(2);
}

static void
do_fill(void *arg)
{
	struct command *c = arg;

	c->left = number(c, 3);
	for (int i = 0; i < FILL_WINDOW; i++)
		fill_more(c);
}

static void
on_hint(void *arg, const char *key)
{
	say(arg, "!hint %s", key);
}

static void
do_watch(void *arg)
{
	struct command *c = arg;

	say(c->probe, kv_watch(bucket_of(c), on_hint, c->probe) == 0 ? "OK" : "FAILED");
	command_free(c);
}

static const struct verb verbs[] = {
	{ "acas",	NULL,		do_acas },
	{ "aput",	NULL,		do_aput },
	{ "ask",	do_ask,		NULL },
	{ "cas",	do_cas,		NULL },
	{ "create",	do_create,	NULL },
	{ "fill",	NULL,		do_fill },
	{ "get",	do_get,		NULL },
	{ "keep",	do_keep,	NULL },
	{ "list",	do_list,	NULL },
	{ "publish",	do_publish,	NULL },
	{ "put",	do_put,		NULL },
	{ "quit",	NULL,		do_quit },
	{ "race",	do_race,	NULL },
	{ "remove",	do_remove,	NULL },
	{ "state",	do_state,	NULL },
	{ "watch",	NULL,		do_watch },
};

/* ---- life ---- */

static void
on_alarm(void *arg, struct bucket *b, const char *why)
{
	say(arg, "!alarm %s %s", bucket_name(b), why ? why : "-");
}

static void
on_open(void *arg)
{
	say(arg, "!open");
}

static void
open_bucket(struct kvprobe *p, char *arg)
{
	struct bucket_spec *s = &p->spec[p->nbuckets];
	char *save = NULL, *loss, *ttl;

	s->name = strtok_r(arg, "=", &save);
	loss = strtok_r(NULL, "=", &save);
	ttl = strtok_r(NULL, "=", &save);
	s->description = "a test";
	s->loss = loss && strcmp(loss, "remade") == 0 ? BUCKET_REMADE : BUCKET_KEPT;
	s->ttl_ms = ttl ? strtoull(ttl, NULL, 10) : 0;
	s->guard = strtok_r(NULL, "=", &save);
	must(&p->probe, bucket_open(p->kv, s, &p->bucket[p->nbuckets++]), arg);
}

int
main(int argc, char **argv)
{
	struct kvprobe p = { .probe = { .name = "kvprobe", .verbs = verbs,
	    .nverbs = ARRAY_LEN(verbs) } };
	const char *ttl = getenv("NODE_TTL_MS");

	if (argc < 5 || argc > 4 + BUCKETS_MAX) {
		fprintf(stderr, "usage: kvprobe URL STATE_DIR CLUSTER_SIZE BUCKET=kept|remade...\n");
		return 2;
	}
	probe_open(&p.probe, &(struct bus_conf){ .name = "kvprobe", .url = argv[1] });
	must(&p.probe, kv_new(p.probe.bus, &(struct kv_conf){ .state_dir = argv[2],
	    .cluster_size = (uint32_t)strtoul(argv[3], NULL, 10),
	    .node_ttl_ms = ttl ? strtoull(ttl, NULL, 10) : NODE_TTL_MS }, &p.kv), "kv");
	kv_on_alarm(p.kv, on_alarm, &p);
	for (int i = 4; i < argc; i++)
		open_bucket(&p, argv[i]);
	must(&p.probe, kv_on_open(p.kv, on_open, &p), "on_open");
	probe_run(&p.probe);
	kv_free(p.kv);
	probe_close(&p.probe);
	return 0;
}
