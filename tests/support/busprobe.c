/*
 * busprobe - a service on the bus for system tests.  See probe.h for how it is driven.
 *
 *	busprobe URL NODE [USER PASSWORD]
 *
 *	ask SUBJECT TEXT MS	aask SUBJECT TEXT MS (on the loop)	gather SUBJECT MS WANTED
 *	publish SUBJECT TEXT	ready BITS	stall MS	sub SUBJECT	unsub	answer	quit
 */
#include <time.h>

#include "tests/support/probe.h"

struct busprobe {
	struct probe	 probe;		/* first */
	struct bus_sub	*sub;
	struct bus_req	*held;		/* of t.<node>.hold: until "answer" */
	uint64_t	 hints, gathered;
};

struct pair {
	char		name[9];
	uint64_t	count;
};
static const struct json_field pair_fields[] = {
	{ "name",	JSON_STR,	offsetof(struct pair, name), 1, 8, .need = true },
	{ "count",	JSON_U64_STR,	offsetof(struct pair, count), 0, UINT64_MAX, .need = false },
};

/* ---- rows ---- */

static void
on_echo(void *arg, struct bus_req *req, const void *in)
{
	bus_req_header(req, "X-Echo", "1");
	bus_reply(req, in);
}

static void
on_pair(void *arg, struct bus_req *req, const void *in)
{
	AUTO(json) cJSON *out = json_encode(pair_fields, ARRAY_LEN(pair_fields), in);

	bus_reply(req, out);
}

static void
on_hold(void *arg, struct bus_req *req, const void *in)
{
	struct busprobe *p = arg;

	if (p->held)
		bus_reply(p->held, NULL);
	p->held = req;
}

static void
on_hint(void *arg, struct bus_req *req, const void *in)
{
	struct busprobe *p = arg;

	p->hints++;
	bus_reply(req, in);
}

static void
on_refuse(void *arg, struct bus_req *req, const void *in)
{
	bus_refuse(req, "t.refused", true, "not %s", "today");
}

static void
on_large(void *arg, struct bus_req *req, const void *in)
{
	AUTO(mem) void *large = calloc(1, 2 << 20);

	bus_reply_raw(req, NULL, 0, large, 2 << 20);
}

static const struct bus_route rows[] = {
	{ "t.<node>.echo", on_echo, BUS_REQUEST, 1024, 1000, 0, NULL, 0, 0, NULL },
	{ "t.<node>.hint", on_hint, BUS_HINT, 64, 0, 0, NULL, 0, 0, NULL },
	{ "t.<node>.hold", on_hold, BUS_REQUEST, 64, 300, 0, NULL, 0, 0, "t" },
	{ "t.<node>.large", on_large, BUS_REQUEST, 64, 1000, 0, NULL, 0, 0, "t" },
	{ "t.<node>.pair", on_pair, BUS_REQUEST, 64, 1000, 0, pair_fields, ARRAY_LEN(pair_fields),
	    sizeof(struct pair), "t" },
	{ "t.<node>.ready", on_echo, BUS_REQUEST, 64, 1000, 2, NULL, 0, 0, "" },
	{ "t.<node>.refuse", on_refuse, BUS_REQUEST, 64, 1000, 0, NULL, 0, 0, "t" },
	{ "t.all", on_echo, BUS_FANOUT, 64, 1000, 0, NULL, 0, 0, NULL },
	{ "t.one", on_echo, BUS_QUEUE, 64, 1000, 0, NULL, 0, 0, NULL },
};

static const struct bus_route extra_row = {
	"t.cmd.*", on_echo, BUS_REQUEST, 64, 1000, 0, NULL, 0, 0, "",
};

/* ---- commands ---- */

static void
say_answer(struct probe *p, enum bus_result res, const struct bus_msg *m)
{
	size_t len = 0;
	const char *data = m ? bus_msg_data(m, &len) : "";

	say(p, "%s: %.*s", bus_result_text(res), (int)len, data);
}

static struct bus_ask
ask_of(const struct command *c, size_t ms_at)
{
	return (struct bus_ask){ .subject = word(c, 1), .data = word(c, 2),
	    .len = ms_at > 2 ? strlen(word(c, 2)) : 0, .timeout_ms = number(c, ms_at) };
}

static void
do_ask(struct command *c)
{
	AUTO(bus_msg) struct bus_msg *m = NULL;
	struct bus_ask a = ask_of(c, 3);
	enum bus_result res = bus_ask_wait(c->probe->bus, &a, &m);

	say_answer(c->probe, res, m);
}

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct command *c = arg;

	say_answer(c->probe, res, m);
	command_free(c);
}

static void
do_aask(void *arg)
{
	struct command *c = arg;
	struct bus_ask a = ask_of(c, 3);

	if (bus_ask(c->probe->bus, &a, on_answer, c) == 0)
		exit(2);
}

static bool
on_each(void *arg, const struct bus_msg *m)
{
	struct command *c = arg;

	c->sent++;
	return c->sent == number(c, 3);
}

static void
on_end(void *arg, enum bus_result res)
{
	struct command *c = arg;

	say(c->probe, "%s: %" PRIu64, bus_result_text(res), c->sent);
	command_free(c);
}

static void
do_gather(void *arg)
{
	struct command *c = arg;
	struct bus_ask a = ask_of(c, 2);

	if (bus_gather(c->probe->bus, &a, on_each, on_end, c) == 0)
		exit(2);
}

static void
do_publish(struct command *c)
{
	int r = bus_publish(c->probe->bus, word(c, 1), NULL, 0, word(c, 2), strlen(word(c, 2)));

	say(c->probe, "%s", r == 0 ? "OK" : strerrorname_np(-r));
}

static void
do_ready(void *arg)
{
	struct command *c = arg;

	bus_ready(c->probe->bus, (unsigned)number(c, 1));
	say(c->probe, "OK");
	command_free(c);
}

/* The loop is away for so long. */
static void
do_stall(void *arg)
{
	struct command *c = arg;
	uint64_t end = loop_now_ms(c->probe->loop) + number(c, 1);

	say(c->probe, "OK");
	while (loop_now_ms(c->probe->loop) < end)
		;
	command_free(c);
}

static void
do_sub(void *arg)
{
	struct command *c = arg;
	struct busprobe *p = (struct busprobe *)c->probe;

	must(c->probe, bus_sub_new(c->probe->bus, word(c, 1), &extra_row, p, &p->sub), "sub");
	say(c->probe, "OK");
	command_free(c);
}

static void
do_unsub(void *arg)
{
	struct command *c = arg;
	struct busprobe *p = (struct busprobe *)c->probe;

	bus_sub_free(p->sub);
	p->sub = NULL;
	say(c->probe, "OK");
	command_free(c);
}

static void
do_answer(void *arg)
{
	struct command *c = arg;
	struct busprobe *p = (struct busprobe *)c->probe;

	if (p->held)
		bus_reply(p->held, NULL);
	p->held = NULL;
	say(c->probe, "OK");
	command_free(c);
}

static const struct verb verbs[] = {
	{ "aask",	NULL,		do_aask },
	{ "answer",	NULL,		do_answer },
	{ "ask",	do_ask,		NULL },
	{ "gather",	NULL,		do_gather },
	{ "publish",	do_publish,	NULL },
	{ "quit",	NULL,		do_quit },
	{ "ready",	NULL,		do_ready },
	{ "stall",	NULL,		do_stall },
	{ "sub",	NULL,		do_sub },
	{ "unsub",	NULL,		do_unsub },
};

int
main(int argc, char **argv)
{
	struct busprobe p = { .probe = { .name = "busprobe", .verbs = verbs,
	    .nverbs = ARRAY_LEN(verbs) } };
	static const char *const counters[] = { "hints", NULL };

	if (argc != 3 && argc != 5) {
		fprintf(stderr, "usage: busprobe URL NODE [USER PASSWORD]\n");
		return 2;
	}
	probe_open(&p.probe, &(struct bus_conf){ .name = "busprobe", .url = argv[1],
	    .user = argc == 5 ? argv[3] : NULL, .password = argc == 5 ? argv[4] : NULL });
	must(&p.probe, bus_serve(p.probe.bus, &(struct bus_service){ .name = "probe",
	    .description = "a test", .node = argv[2], .rows = rows, .n = ARRAY_LEN(rows),
	    .arg = &p, .counters = counters, .counts = &p.hints }), "serve");
	probe_run(&p.probe);
	probe_close(&p.probe);
	return 0;
}
