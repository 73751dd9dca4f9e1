#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buckets.h"
#include "common/clock.h"
#include "common/subjects.h"
#include "leased/doctor_look.h"

#define CALL_MS		5000
#define GATHER_MS	1000
#define CLOCK_MS	2000		/* between the two looks at the clocks */
#define API		"$JS.API.STREAM."

struct asking {
	struct loop		*loop;
	struct bus		*bus;
	struct doctor_facts	*f;
	bool			 is_over;
	enum bus_result		 res;
	cJSON			*answer;	/* owned */
	/* of a gather */
	bool			 is_second;
	uint64_t		 sent_ms;
	struct look { uint64_t sent_ms, at_ms, clock_ms; } first[DOCTOR_NODES];
};

static void
run_until_over(struct asking *a)
{
	while (!a->is_over)
		if (loop_step(a->loop, UINT64_MAX) < 0)
			abort();	/* nothing ends a tool's loop */
}

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct asking *a = arg;
	struct bus_error why;

	a->is_over = true;
	a->res = res;
	if (res == BUS_OK && bus_msg_json(m, &a->answer, &why) < 0)
		a->answer = NULL;	/* as if nobody had answered */
}

/* The answer, or NULL. */
static cJSON *
ask(struct asking *a, const char *subject, const char *body)
{
	a->is_over = false;
	a->answer = NULL;
	if (bus_ask(a->bus, &(struct bus_ask){ .subject = subject, .data = body,
	    .len = strlen(body), .timeout_ms = CALL_MS }, on_answer, a) == 0)
		return NULL;
	run_until_over(a);
	return a->answer;
}

static uint64_t
number(const cJSON *o, const char *key)
{
	uint64_t v;

	return json_get_u64(json_member(o, key), &v) ? v : 0;
}

/* ---- buckets ---- */

/* Those that follow count where they have it all and their server is there; the leader does. */
static uint64_t
current_of(const cJSON *info)
{
	const cJSON *cluster = json_member(info, "cluster"), *one;
	const char *leader = json_text(cluster, "leader");
	uint64_t n = !cluster || (leader && *leader);

	cJSON_ArrayForEach(one, json_member(cluster, "replicas"))
		n += cJSON_IsTrue(json_member(one, "current")) &&
		    !cJSON_IsTrue(json_member(one, "offline"));
	return n;
}

static void
read_stream(const cJSON *info, struct doctor_bucket *b)
{
	const cJSON *c = json_member(info, "config");
	const char *storage = json_text(c, "storage");

	b->seen = DOCTOR_THERE;
	b->replicas = number(c, "num_replicas");
	b->current = current_of(info);
	b->per_key = number(c, "max_msgs_per_subject");
	b->duplicates_ms = number(c, "duplicate_window") / 1000000;
	b->in_files = storage && strcmp(storage, "file") == 0;
	b->denies_delete = cJSON_IsTrue(json_member(c, "deny_delete"));
	b->denies_purge = cJSON_IsTrue(json_member(c, "deny_purge"));
}

static void
ask_bucket(struct asking *a, const struct bucket_spec *spec, const char *state_dir)
{
	struct doctor_bucket *b = &a->f->bucket[a->f->nbuckets++];
	char subject[BUS_SUBJECT_MAX + 1], mark[4096];
	AUTO(json) cJSON *info = NULL;
	const cJSON *error;

	b->name = spec->name;
	b->is_remade = spec->loss == BUCKET_REMADE;
	b->may_erase = spec->may_erase;
	(void)snprintf(mark, sizeof(mark), "%s/seen/%s", state_dir, spec->name);
	b->was_there = access(mark, F_OK) == 0;
	(void)snprintf(subject, sizeof(subject), API "INFO.KV_%s", spec->name);
	info = ask(a, subject, "{}");
	error = json_member(info, "error");
	if (cJSON_IsObject(json_member(info, "config")))
		read_stream(info, b);
	else if (number(error, "err_code") == 10059)
		b->seen = DOCTOR_MISSING;
}

/* ---- nodes ---- */

static struct doctor_node *
node_of(struct doctor_facts *f, const char *name)
{
	for (size_t i = 0; i < f->nnodes; i++)
		if (strcmp(f->node[i].name, name) == 0)
			return &f->node[i];
	if (f->nnodes == DOCTOR_NODES || strlen(name) > BUS_NODE_MAX)
		return NULL;
	(void)snprintf(f->node[f->nnodes].name, sizeof(f->node[0].name), "%s", name);
	return &f->node[f->nnodes++];
}

/* The key of a node has a record, and not the mark of one that was deleted. */
static bool
has_record(struct asking *a, const char *key)
{
	char body[BUS_SUBJECT_MAX + 64];
	AUTO(json) cJSON *answer = NULL;
	const char *data;

	(void)snprintf(body, sizeof(body), "{\"last_by_subj\":\"%s\"}", key);
	answer = ask(a, API "MSG.GET.KV_" BUCKET_NODES, body);
	data = json_text(json_member(answer, "message"), "data");
	return data && *data;
}

static void
ask_records(struct asking *a)
{
	AUTO(json) cJSON *info = ask(a, API "INFO.KV_" BUCKET_NODES, "{\"subjects_filter\":\">\"}");
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(json_member(info, "state"), "subjects")) {
		const char *name = strrchr(one->string, '.');
		struct doctor_node *n;

		if (!name || name[1] == '_' || !has_record(a, one->string))
			continue;
		n = node_of(a->f, name + 1);
		if (n)
			n->is_known = true;
	}
}

/* ---- what daemons answer of themselves ---- */

/* Between the two looks lay at least, and at most, what the way to and fro leaves open. */
static void
compare_clocks(const struct asking *a, struct doctor_node *n, const cJSON *data, uint64_t now_ms)
{
	const struct look *first = &a->first[n - a->f->node];
	uint64_t clock = number(data, "clock_ms"), wall = number(data, "wall_ms");
	uint64_t passed, least, most;

	if (first->clock_ms == 0 || clock <= first->clock_ms || a->sent_ms <= first->at_ms)
		return;
	passed = clock - first->clock_ms;
	least = a->sent_ms - first->at_ms;
	most = now_ms - first->sent_ms;
	n->rate_low = passed * 1000 / most;
	n->rate_high = passed * 1000 / least + 1;
	n->unsure_ms = (now_ms - a->sent_ms) / 2 + 1;
	n->ahead_ms = (int64_t)(wall - (clock_wall_ms(&clock_system) - (now_ms - a->sent_ms) / 2));
	n->has_clock = true;
}

static void
note_daemon(struct asking *a, struct doctor_node *n, const cJSON *answer, const char *daemon)
{
	const cJSON *data = json_member(answer, "data");
	const char *version = json_text(json_member(answer, "metadata"), "subjects_version");
	uint64_t now = loop_now_ms(a->loop);
	char ours[16];

	(void)snprintf(ours, sizeof(ours), "%d", SUBJECTS_VERSION);
	n->is_other_version = n->is_other_version || !version || strcmp(version, ours) != 0;
	for (size_t i = 0; !a->is_second && i < DOCTOR_DAEMONS; i++)
		n->answers[i] += strcmp(doctor_daemons[i], daemon) == 0;
	if (strcmp(daemon, "leased") != 0)
		return;
	if (a->is_second)
		compare_clocks(a, n, data, now);
	else
		a->first[n - a->f->node] = (struct look){ .sent_ms = a->sent_ms, .at_ms = now,
		    .clock_ms = number(data, "clock_ms") };
}

static bool
on_stats(void *arg, const struct bus_msg *m)
{
	struct asking *a = arg;
	AUTO(json) cJSON *answer = NULL;
	struct bus_error why;
	char name[BUS_NODE_MAX + 1];
	const char *daemon;
	struct doctor_node *n;

	if (!bus_pong_node(m, name) || bus_msg_json(m, &answer, &why) < 0)
		return false;
	daemon = json_text(answer, "name");
	n = node_of(a->f, name);
	if (daemon && n)
		note_daemon(a, n, answer, daemon);
	return false;
}

static void
on_gathered(void *arg, enum bus_result res)
{
	struct asking *a = arg;

	a->is_over = true;
}

static int
gather(struct asking *a)
{
	a->is_over = false;
	a->sent_ms = loop_now_ms(a->loop);
	if (bus_gather(a->bus, &(struct bus_ask){ .subject = "$SRV.STATS", .data = "",
	    .timeout_ms = GATHER_MS }, on_stats, on_gathered, a) == 0)
		return -ENOMEM;
	run_until_over(a);
	return 0;
}

static void
on_time(void *arg)
{
	struct asking *a = arg;

	a->is_over = true;
}

static int
pause_between(struct asking *a)
{
	struct loop_timer *t;
	int r = loop_timer_new(a->loop, on_time, a, &t);

	if (r < 0)
		return r;
	a->is_over = false;
	loop_timer_in(t, CLOCK_MS);
	run_until_over(a);
	loop_timer_free(t);
	return 0;
}

int
doctor_ask_around(struct loop *l, struct bus *b, const char *state_dir, struct doctor_facts *ret)
{
	AUTO(mem) void *space = calloc(1, sizeof(struct asking));
	struct asking *a = space;
	int r;

	if (!a)
		return -ENOMEM;
	*a = (struct asking){ .loop = l, .bus = b, .f = ret };
	_Static_assert(BUCKET_SPECS <= DOCTOR_BUCKETS, "one for each");
	for (size_t i = 0; i < BUCKET_SPECS; i++)
		ask_bucket(a, &bucket_specs[i], state_dir);
	ask_records(a);
	r = gather(a);
	if (r == 0)
		r = pause_between(a);
	a->is_second = true;
	return r < 0 ? r : gather(a);
}
