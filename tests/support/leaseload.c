/*
 * leaseload - what `bench leases` measures leased with, and beside.
 *
 *	leaseload -c FILE ask N T SECONDS SUBJECT
 *		N clients of as many keys, each asks SUBJECT each T/6 as lead.h does; events are
 *		not listened to
 *	leaseload -c FILE swaps N T SECONDS SUBJECT DIR
 *		no leased: the same swaps by the bare loop, each key once in T/3, each told as an
 *		event, and each ask of SUBJECT answered, with the same words; DIR: an empty
 *		folder
 *
 * Prints "held" once everything is, and at the end "asks N lost N" or "swaps N lost N".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/buckets.h"
#include "common/kv.h"
#include "common/tool.h"

#define TURN_MS		10
#define BUSY_MAX	64
#define CALL_MS		5000
#define EVENT		"bench.v1.event.load"

struct one {
	struct load	*load;
	uint64_t	 revision, due_ms;
	bool		 is_held, is_busy;
	char		 key[32];
};
struct load {
	struct tool		*t;
	struct bucket		*bucket;
	struct one		*one;
	size_t			 n, held, next, busy;
	uint64_t		 ttl_ms, every_ms, end_ms, seconds;
	uint64_t		 done, lost;
	const char		*subject;
	void			(*turn)(struct load *l, struct one *o);
	struct loop_timer	*timer;
	bool			 is_measured, is_over;
};

/* Once all are held the measuring begins. */
static void
measure(struct load *l, uint64_t now)
{
	if (!l->is_measured && l->held == l->n && l->busy == 0) {
		l->is_measured = true;
		l->end_ms = now + l->seconds * 1000;
		l->done = l->lost = 0;
		puts("held");
		(void)fflush(stdout);
	}
	if (l->is_measured && now >= l->end_ms)
		l->is_over = true;
}

static void
on_turn(void *arg)
{
	struct load *l = arg;
	uint64_t now = loop_now_ms(l->t->loop);

	for (size_t i = 0; i < l->n && l->busy < BUSY_MAX; i++) {
		struct one *o = &l->one[l->next];

		if (o->due_ms > now || o->is_busy)
			break;
		l->next = (l->next + 1) % l->n;
		/* Evenly over the period, whatever the beginning was like. */
		o->due_ms = now + l->every_ms;
		l->turn(l, o);
	}
	measure(l, now);
	loop_timer_in(l->timer, TURN_MS);
}

static void
ended(struct one *o, bool is_held, bool is_good)
{
	struct load *l = o->load;

	o->is_busy = false;
	l->busy--;
	l->done += is_good;
	l->lost += !is_good;
	l->held += is_held && !o->is_held;
	o->is_held |= is_held;
}

/* ---- asks ---- */

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct one *o = arg;
	AUTO(json) cJSON *a = NULL;
	struct bus_error e;
	bool is_held = res == BUS_OK && bus_msg_json(m, &a, &e) == 0 &&
	    cJSON_IsTrue(json_member(a, "held"));

	ended(o, is_held, is_held);
}

static void
ask(struct load *l, struct one *o)
{
	char text[256];
	int n = snprintf(text, sizeof(text), "{\"key\":\"%s\",\"client\":\"load\",\"incarnation\":"
	    "\"i\",\"ttl_ms\":%" PRIu64 ",\"generation\":\"0\"}", o->key, l->ttl_ms);

	if (n > 0 && bus_ask(l->t->bus, &(struct bus_ask){ .subject = l->subject, .data = text,
	    .len = (size_t)n, .timeout_ms = CALL_MS }, on_answer, o) != 0) {
		o->is_busy = true;
		l->busy++;
	}
}

/* ---- swaps ---- */

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct one *o = arg;

	static const char renewed[] = "{\"event\":\"renewed\",\"key\":\"bench.s1234\","
	    "\"incarnation\":\"i\",\"generation\":\"12345\",\"valid_until_ms\":\"123456789\"}";

	bool is_told = false;

	if (res == CAS_OK) {
		o->revision = revision;
		is_told = bus_publish(o->load->t->bus, EVENT, NULL, 0, renewed,
		    sizeof(renewed) - 1) == 0;
	}
	ended(o, res == CAS_OK, is_told);
}

static void
swap(struct load *l, struct one *o)
{
	char text[256];
	int n = snprintf(text, sizeof(text), "{\"holder\":\"%.64s\",\"generation\":%" PRIu64 "}",
	    l->t->node, o->revision);

	if (n > 0 && kv_put(l->bucket, o->key, text, (size_t)n, o->revision, CALL_MS, on_written,
	    o)) {
		o->is_busy = true;
		l->busy++;
	}
}

static void
on_ask(void *arg, struct bus_req *req, const void *in)
{
	static const char held[] = "{\"held\":true,\"holder\":\"node-1\",\"generation\":\"12345\","
	    "\"valid_until_ms\":123456789,\"revisit_ms\":10000}";

	bus_reply_raw(req, NULL, 0, held, sizeof(held) - 1);
}

static const struct bus_route answers = { .subject = "", .handler = on_ask,
    .kind = BUS_REQUEST, .max_bytes = 4096, .deadline_ms = CALL_MS };

/* ---- both ---- */

static int
make(struct load *l, char **argv)
{
	l->n = strtoull(argv[1], NULL, 10);
	l->ttl_ms = strtoull(argv[2], NULL, 10);
	l->seconds = strtoull(argv[3], NULL, 10);
	l->one = calloc(l->n, sizeof(*l->one));
	if (!l->one)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		l->one[i].load = l;
		(void)snprintf(l->one[i].key, sizeof(l->one[i].key), "bench.%s%zu",
		    l->turn == ask ? "a" : "s", i);
	}
	return loop_timer_new(l->t->loop, on_turn, l, &l->timer);
}

static int
run(struct load *l, const char *what, char **argv)
{
	int r = make(l, argv);

	if (r == 0)
		loop_timer_in(l->timer, 0);
	while (r >= 0 && !l->is_over)
		r = loop_step(l->t->loop, UINT64_MAX);
	printf("%s %" PRIu64 " lost %" PRIu64 "\n", what, l->done, l->lost);
	loop_timer_free(l->timer);
	free(l->one);
	return r < 0;
}

static int
verb_ask(struct tool *t, int argc, char **argv)
{
	struct load l = { .t = t, .turn = ask, .subject = argv[4] };

	l.every_ms = strtoull(argv[2], NULL, 10) / 6;
	return run(&l, "asks", argv);
}

static int
verb_swaps(struct tool *t, int argc, char **argv)
{
	struct load l = { .t = t, .turn = swap };
	struct kv *kv = NULL;
	struct bus_sub *s = NULL;
	int r = kv_new(t->bus, &(struct kv_conf){ .state_dir = argv[5], .cluster_size = 1,
	    .node_ttl_ms = 60000 }, &kv);

	if (r == 0)
		r = bus_sub_new(t->bus, argv[4], &answers, NULL, &s);
	if (r == 0)
		r = bucket_open(kv, &bucket_specs[SPEC_SYNC], &l.bucket);
	while (r >= 0 && !bucket_is_sound(l.bucket))
		r = loop_step(t->loop, TURN_MS);
	l.every_ms = strtoull(argv[2], NULL, 10) / 3;
	if (r >= 0)
		r = run(&l, "swaps", argv);
	bus_sub_free(s);
	kv_free(kv);
	return r != 0;
}

static const struct tool_verb verbs[] = {
	{ "ask",   "N T SECONDS SUBJECT",	4, 4, "clients of leased",	verb_ask },
	{ "swaps", "N T SECONDS SUBJECT DIR",	5, 5, "the bare loop",		verb_swaps },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "leaseload", "leased", verbs, ARRAY_LEN(verbs));
}
