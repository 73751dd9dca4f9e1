#include "common/tool.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "common/connect.h"
#include "common/ident.h"
#include "common/log.h"
#include "common/page.h"
#include "common/subjects.h"

#define CONF_DEFAULT	"/etc/spinifex/spinifex.conf"
#define CONNECT_MS	5000	/* how long the first question waits for a connection */
#define STEP_MS		100
#define EXIT_REFUSED	1
#define EXIT_USAGE	2

struct options {
	const char	*conf, *node;
	bool		 json, help;
	int		 argc;		/* the verb and its arguments */
	char		**argv;
};

/* ---- usage ---- */

static void
print_usage(FILE *f, const char *name, const struct tool_verb *verbs, size_t n)
{
	fprintf(f, "usage: %s [-c file] [-N node] [--json] verb [argument ...]\n\n", name);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %s%s%s\n\t%s\n", verbs[i].name, verbs[i].args[0] ? " " : "",
		    verbs[i].args, verbs[i].help);
}

/* Options stand before the verb: what follows it is the verb's own. */
static bool
parse_options(int argc, char **argv, struct options *ret)
{
	static const struct option names[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*ret = (struct options){ .conf = CONF_DEFAULT };
	while ((c = getopt_long(argc, argv, "+c:N:h", names, NULL)) != -1) {
		if (c == 'c')
			ret->conf = optarg;
		else if (c == 'N')
			ret->node = optarg;
		else if (c == 'j')
			ret->json = true;
		else if (c == 'h')
			ret->help = true;
		else
			return false;
	}
	ret->argc = argc - optind;
	ret->argv = argv + optind;
	return ret->help || (ret->argc > 0 && (!ret->node || ident_is_token(ret->node)));
}

static const struct tool_verb *
find_verb(const struct options *o, const char *name, const struct tool_verb *verbs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct tool_verb *v = &verbs[i];

		if (strcmp(v->name, o->argv[0]) != 0)
			continue;
		if (o->argc - 1 >= v->min_args && o->argc - 1 <= v->max_args)
			return v;
		fprintf(stderr, "usage: %s %s %s\n", name, v->name, v->args);
		return NULL;
	}
	fprintf(stderr, "%s: no verb %s; %s -h lists them\n", name, o->argv[0], name);
	return NULL;
}

/* ---- a question ---- */

struct question {
	bool			 ended;
	enum bus_result		 res;
	int			 r;		/* of bus_msg_json */
	cJSON			*tree;
	struct bus_error	 error;
};

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct question *q = arg;

	q->ended = true;
	q->res = res;
	if (res == BUS_OK)
		q->r = bus_msg_json(m, &q->tree, &q->error);
}

static int
complain(int status, const char *what, const char *of)
{
	fprintf(stderr, "%s: %s%s%s\n", program_invocation_short_name, what, of[0] ? " " : "", of);
	return status;
}

static int
await_connection(struct tool *t)
{
	uint64_t end = loop_now_ms(t->loop) + CONNECT_MS;

	while (!bus_is_up(t->bus)) {
		int r = loop_now_ms(t->loop) < end ? loop_step(t->loop, STEP_MS) : -ETIMEDOUT;

		if (r < 0)
			return complain(EX_TEMPFAIL, "no connection to NATS", "");
	}
	return 0;
}

/* What an answer that is no success means for the exit status. */
static int
judge(const struct question *q, const char *subject)
{
	static const char *const problems[BUS_RESULTS] = {
		[BUS_NO_RESPONDERS] = "nobody serves",
		[BUS_NOT_SENT] = "lost the connection before asking",
		[BUS_TIMEOUT] = "no answer in time from",
	};

	if (q->res != BUS_OK)
		return complain(EX_TEMPFAIL, problems[q->res], subject);
	if (q->r == -EBADMSG)
		return complain(q->error.retryable ? EX_TEMPFAIL : EXIT_REFUSED,
		    q->error.message, "");
	return q->r < 0 ? complain(EXIT_REFUSED, strerror(-q->r), "") : 0;
}

int
tool_call(struct tool *t, const char *subject, const cJSON *in, uint64_t timeout_ms,
    cJSON **ret)
{
	AUTO(str) char *text = in ? json_print(in) : strdup("{}");
	struct question q = { .ended = false };
	const struct bus_header follow = { HEADER_REQUEST_ID, t->request_id };
	struct bus_ask ask = { .subject = subject, .timeout_ms = timeout_ms, .headers = &follow,
		.nheaders = 1 };
	int status;

	if (!text)
		return complain(EXIT_REFUSED, strerror(ENOMEM), "");
	status = await_connection(t);
	if (status != 0)
		return status;
	ask.data = text;
	ask.len = strlen(text);
	if (bus_ask(t->bus, &ask, on_answer, &q) == 0)
		return complain(EXIT_REFUSED, strerror(ENOMEM), "");
	while (!q.ended)
		if (loop_step(t->loop, STEP_MS) < 0)
			abort();	/* nothing ends a tool's loop */
	status = judge(&q, subject);
	if (status == 0)
		*ret = q.tree;
	return status;
}

int
tool_list(struct tool *t, const char *subject, const char *member, uint64_t timeout_ms,
    cJSON **ret)
{
	AUTO(json) cJSON *all = NULL;
	char after[PAGE_AFTER_SIZE] = "";
	int r;

	do {
		AUTO(json) cJSON *in = page_ask(after);
		cJSON *page = NULL;
		int status = in ? tool_call(t, subject, in, timeout_ms, &page) :
		    complain(EXIT_REFUSED, strerror(ENOMEM), "");

		if (status != 0)
			return status;
		r = page_join(&all, page, member, after);
	} while (r > 0);
	if (r < 0)
		return complain(EXIT_REFUSED, "no answer that can be read from", subject);
	*ret = steal_json(&all);
	return 0;
}

/* ---- main ---- */

static int
run_connected(struct tool *t, const char *name, const struct tool_verb *v,
    const struct options *o)
{
	AUTO(str) char *why = NULL;
	int r = loop_new(&t->loop), status;

	if (r < 0)
		return complain(EXIT_REFUSED, strerror(-r), "");
	r = connect_new(t->loop, &t->conf, name, &t->bus, &why);
	if (r < 0) {
		status = complain(EX_CONFIG, why ? why : strerror(-r), "");
	} else {
		status = v->run(t, o->argc, o->argv);
		bus_free(t->bus);
	}
	loop_free(t->loop);
	return status;
}

int
tool_main(int argc, char **argv, const char *name, const char *section,
    const struct tool_verb *verbs, size_t n)
{
	AUTO(str) char *why = NULL;
	const struct tool_verb *v;
	struct tool t = { .loop = NULL };
	struct options o;

	if (!parse_options(argc, argv, &o)) {
		print_usage(stderr, name, verbs, n);
		return EXIT_USAGE;
	}
	if (o.help) {
		print_usage(stdout, name, verbs, n);
		return EX_OK;
	}
	v = find_verb(&o, name, verbs, n);
	if (!v)
		return EXIT_USAGE;
	if (conf_load_tool(o.conf, name, section, &t.conf, &why) < 0) {
		fprintf(stderr, "%s\n", why ? why : strerror(ENOMEM));
		return EX_CONFIG;
	}
	log_open(name, 1);
	ident_uuid(t.request_id);
	t.node = o.node ? o.node : t.conf.node;
	t.json = o.json;
	return run_connected(&t, name, v, &o);
}
