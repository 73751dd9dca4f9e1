/* leasectl.c - leases of a node, from outside.  Asks leased; holds no logic. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "common/subjects.h"
#include "common/tool.h"
#include "leased/doctor_verb.h"

#define ASK_MS		15000
#define BURY_MS		25000	/* leased answers within 20 s */
#define RESEED_MS	610000	/* longer than leased takes for it */
#define PING_MS		500	/* for the other nodes to say that they are there */
#define NODES_MAX	1024
#define EXIT_REFUSED	1
#define EXIT_USAGE	2

/* lease.v1.<node>.<verb>; the exit status after saying why not. */
static int
call_node(struct tool *t, const char *node, const char *verb, const cJSON *in,
    uint64_t timeout_ms, cJSON **ret)
{
	char subject[BUS_SUBJECT_MAX + 1];
	int n = snprintf(subject, sizeof(subject), "lease.v1.%s.%s", node, verb);

	if (n < 0 || (size_t)n >= sizeof(subject)) {
		fprintf(stderr, "leasectl: the name of the node is too long\n");
		return EXIT_USAGE;
	}
	return tool_call(t, subject, in, timeout_ms, ret);
}

static int
call(struct tool *t, const char *verb, const cJSON *in, cJSON **ret)
{
	return call_node(t, t->node, verb, in, ASK_MS, ret);
}

static int
print_json(const cJSON *tree)
{
	AUTO(str) char *text = json_print(tree);

	return text && puts(text) >= 0 ? 0 : EXIT_REFUSED;
}

static int
no_memory(void)
{
	fprintf(stderr, "leasectl: no memory\n");
	return EXIT_REFUSED;
}

static const char *
text_of(const cJSON *o, const char *key)
{
	const char *s = json_text(o, key);

	return s && *s ? s : "-";
}

static uint64_t
number_of(const cJSON *o, const char *key)
{
	const cJSON *item = json_member(o, key);
	uint64_t v = 0;

	return item && json_get_u64(item, &v) ? v : 0;
}

/* ---- list ---- */

/* All pages of a node, as one array in *ret. */
static int
list_node(struct tool *t, const char *node, cJSON **ret)
{
	AUTO(json) cJSON *all = cJSON_CreateArray();
	char after[256] = "";

	for (bool more = true; more;) {
		AUTO(json) cJSON *in = cJSON_CreateObject();
		AUTO(json) cJSON *page = NULL;
		cJSON *one;
		int status;

		if (!all || !in || !cJSON_AddStringToObject(in, "after", after))
			return no_memory();
		status = call_node(t, node, "list", in, ASK_MS, &page);
		if (status != 0)
			return status;
		while ((one = cJSON_DetachItemFromArray(cJSON_GetObjectItemCaseSensitive(page,
		    "leases"), 0)))
			cJSON_AddItemToArray(all, one);
		more = json_text(page, "after") != NULL;
		(void)snprintf(after, sizeof(after), "%s", more ? json_text(page, "after") : "");
	}
	*ret = steal_json(&all);
	return 0;
}

struct peers {
	char	 name[NODES_MAX][BUS_NODE_MAX + 1];
	size_t	 n;
	bool	 is_over;
};

static bool
on_pong(void *arg, const struct bus_msg *m)
{
	struct peers *p = arg;

	if (bus_pong_node(m, p->name[p->n]))
		p->n++;
	return p->n == NODES_MAX;
}

static void
on_pinged(void *arg, enum bus_result res)
{
	struct peers *p = arg;

	p->is_over = true;
}

/* The nodes whose leased is there, in the order in which they said so. */
static void
find_peers(struct tool *t, struct peers *ret)
{
	ret->is_over = bus_gather(t->bus, &(struct bus_ask){ .subject = "$SRV.PING.leased",
	    .data = "", .timeout_ms = PING_MS }, on_pong, on_pinged, ret) == 0;
	while (!ret->is_over && loop_step(t->loop, UINT64_MAX) >= 0)
		;
}

static cJSON *
row_of(cJSON *rows, const char *key)
{
	cJSON *row;

	cJSON_ArrayForEach(row, rows)
		if (strcmp(text_of(row, "key"), key) == 0)
			return row;
	return NULL;
}

/* Adds node to what waits for each key that it wants and has not. */
static void
note_waiting(cJSON *rows, const cJSON *theirs, const char *node)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, theirs) {
		cJSON *ours = strcmp(text_of(row, "holder"), node) == 0 ? NULL :
		    row_of(rows, text_of(row, "key"));
		cJSON *name = ours ? cJSON_CreateString(node) : NULL;

		if (name && !cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(ours,
		    "waiting"), name))
			cJSON_Delete(name);
	}
}

/* What the node has, and of each key who waits for it, as far as the nodes answer. */
static int
list_all(struct tool *t, cJSON **ret)
{
	AUTO(json) cJSON *all = NULL;
	AUTO(mem) void *space = calloc(1, sizeof(struct peers));
	struct peers *p = space;
	cJSON *row;
	int status = p ? list_node(t, t->node, &all) : no_memory();

	if (status != 0)
		return status;
	cJSON_ArrayForEach(row, all)
		if (!cJSON_AddArrayToObject(row, "waiting"))
			return no_memory();
	note_waiting(all, all, t->node);
	find_peers(t, p);
	for (size_t i = 0; i < p->n; i++) {
		AUTO(json) cJSON *theirs = NULL;

		if (strcmp(p->name[i], t->node) != 0 &&
		    list_node(t, p->name[i], &theirs) == 0)
			note_waiting(all, theirs, p->name[i]);
	}
	*ret = steal_json(&all);
	return 0;
}

static void
print_lease(const cJSON *l)
{
	const cJSON *node;
	const char *comma = "";

	printf("%-32s %-16s %10s %10s %8.1f %8" PRIu64 " %9.1f  %-12s ", text_of(l, "key"),
	    text_of(l, "holder"), text_of(l, "generation"), text_of(l, "revision"),
	    (double)number_of(l, "age_ms") / 1000, number_of(l, "renewals"),
	    (double)number_of(l, "valid_for_ms") / 1000, text_of(l, "client"));
	cJSON_ArrayForEach(node, json_member(l, "waiting")) {
		printf("%s%s", comma, node->valuestring);
		comma = ",";
	}
	puts(*comma ? "" : "-");
}

static int
verb_list(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *all = NULL;
	const cJSON *l;
	int status = list_all(t, &all);

	if (status != 0 || t->json)
		return status != 0 ? status : print_json(all);
	printf("%-32s %-16s %10s %10s %8s %8s %9s  %-12s %s\n", "KEY", "HOLDER", "GENERATION",
	    "REVISION", "AGE", "RENEWALS", "VALID FOR", "CLIENT", "WAITING");
	cJSON_ArrayForEach(l, all)
		print_lease(l);
	return 0;
}

/* ---- show ---- */

static cJSON *
key_request(const char *key)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	return in && cJSON_AddStringToObject(in, "key", key) ? steal_json(&in) : NULL;
}

static int
verb_show(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = key_request(argv[1]);
	AUTO(json) cJSON *out = NULL;
	const cJSON *here;
	int status = in ? call(t, "show", in, &out) : no_memory();

	if (status != 0 || t->json)
		return status != 0 ? status : print_json(out);
	printf("key         %s\nstate       %s\nholder      %s\ngeneration  %s\nrevision    %s\n",
	    text_of(out, "key"), text_of(out, "state"), text_of(out, "holder"),
	    text_of(out, "generation"), text_of(out, "revision"));
	here = json_member(out, "here");
	if (here)
		printf("here        client %s, unchanged for %.1f s, valid for %.1f s, "
		    "%" PRIu64 " renewals\n", text_of(here, "client"),
		    (double)number_of(here, "age_ms") / 1000,
		    (double)number_of(here, "valid_for_ms") / 1000, number_of(here, "renewals"));
	return 0;
}

/* ---- bury ---- */

static int
verb_bury(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int status;

	if (argc == 3 && strcmp(argv[2], "--fenced") != 0) {
		fprintf(stderr, "usage: leasectl bury NODE [--fenced]\n");
		return EXIT_USAGE;
	}
	if (!in || !cJSON_AddStringToObject(in, "node", argv[1]) ||
	    (argc == 3 && !cJSON_AddTrueToObject(in, "fenced")))
		return no_memory();
	status = call_node(t, t->node, "bury", in, BURY_MS, &out);
	if (status != 0 || t->json)
		return status != 0 ? status : print_json(out);
	printf("%s is buried, generation %s\n", argv[1], text_of(out, "generation"));
	return 0;
}

/* ---- unlock ---- */

static int
verb_unlock(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = key_request(argv[1]);
	AUTO(json) cJSON *out = NULL;
	int status;

	if (argc != 4 || strcmp(argv[2], "--expect-generation") != 0) {
		fprintf(stderr, "usage: leasectl unlock KEY --expect-generation N\n");
		return EXIT_USAGE;
	}
	if (!in || !cJSON_AddStringToObject(in, "expect_generation", argv[3]))
		return no_memory();
	status = call(t, "unlock", in, &out);
	if (status != 0 || t->json)
		return status != 0 ? status : print_json(out);
	printf("%s is free; its holder may believe in it for 2/3 of the ttl yet\n", argv[1]);
	return 0;
}

/* ---- watch ---- */

struct watching {
	struct tool	*tool;
	bool		 is_over;
};

static void
on_event(void *arg, const struct bus_msg *m)
{
	const struct watching *w = arg;
	AUTO(json) cJSON *e = NULL;
	struct bus_error why;

	if (bus_msg_json(m, &e, &why) < 0)
		return;
	if (w->tool->json)
		(void)print_json(e);
	else
		printf("%-8s %-32s generation %s\n", text_of(e, "event"), text_of(e, "key"),
		    text_of(e, "generation"));
	(void)fflush(stdout);
}

static void
on_signal(void *arg, int signo)
{
	struct watching *w = arg;

	w->is_over = true;
}

static int
verb_watch(struct tool *t, int argc, char **argv)
{
	struct watching w = { .tool = t };
	struct bus_sub *sub = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	int n = snprintf(subject, sizeof(subject), "lease.v1.%s.event.*", t->node);
	int r = n < 0 || (size_t)n >= sizeof(subject) ? -ENAMETOOLONG :
	    bus_hint_new(t->bus, subject, on_event, &w, &sub);

	if (r == 0)
		r = loop_signal(t->loop, SIGINT, on_signal, &w);
	if (r == 0)
		r = loop_signal(t->loop, SIGTERM, on_signal, &w);
	while (r >= 0 && !w.is_over && !ferror(stdout))
		r = loop_step(t->loop, UINT64_MAX);
	bus_sub_free(sub);
	if (r < 0)
		fprintf(stderr, "leasectl: %s\n", strerror(-r));
	return r < 0 || ferror(stdout) ? EXIT_REFUSED : EX_OK;
}

/* ---- reseed ---- */

struct reseed_args {
	char	without[4096 + 1];
	bool	dry;
};

static int
reseed_usage(void)
{
	fprintf(stderr, "usage: leasectl reseed [-n] [--without NODE] ...\n");
	return EXIT_USAGE;
}

static bool
read_args(struct reseed_args *a, int argc, char **argv)
{
	size_t len = 0;

	for (int i = 1; i < argc; i++) {
		int n;

		if (strcmp(argv[i], "-n") == 0) {
			a->dry = true;
			continue;
		}
		if (strcmp(argv[i], "--without") != 0 || ++i == argc)
			return false;
		n = snprintf(a->without + len, sizeof(a->without) - len, "%s%s", len ? "," : "",
		    argv[i]);
		if (n < 0 || (size_t)n >= sizeof(a->without) - len)
			return false;
		len += (size_t)n;
	}
	return true;
}

static void
print_reseed(const cJSON *out)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(out, "nodes"))
		printf("node    %-24s %s\n", text_of(one, "node"),
		    cJSON_IsTrue(json_member(one, "without")) ? "is off, on your word" : "");
	cJSON_ArrayForEach(one, json_member(out, "held"))
		printf("held    %-24s %s by %s, %s%s\n", text_of(one, "bucket"),
		    text_of(one, "key"), text_of(one, "node"), text_of(one, "rank"),
		    cJSON_IsTrue(json_member(one, "write")) ? ": to be written" : "");
	cJSON_ArrayForEach(one, json_member(out, "buckets"))
		printf("bucket  %-24s at %s%s%s%s\n", text_of(one, "bucket"),
		    text_of(one, "sequence"),
		    cJSON_IsTrue(json_member(one, "exists")) ? "" : ", gone",
		    cJSON_IsTrue(json_member(one, "needed")) ? ", to be raised to " : ", well",
		    cJSON_IsTrue(json_member(one, "needed")) ? text_of(one, "base") : "");
	cJSON_ArrayForEach(one, json_member(out, "unclear"))
		printf("unclear %s\n", cJSON_GetStringValue(one));
}

static int
verb_reseed(struct tool *t, int argc, char **argv)
{
	struct reseed_args a = { .dry = false };
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int status;

	if (!read_args(&a, argc, argv))
		return reseed_usage();
	if (!in || !cJSON_AddStringToObject(in, "without", a.without) ||
	    !cJSON_AddBoolToObject(in, "act", !a.dry))
		return no_memory();
	status = call_node(t, t->node, "reseed", in, RESEED_MS, &out);
	if (status != 0)
		return status;
	if (t->json)
		(void)print_json(out);
	else
		print_reseed(out);
	if (cJSON_GetArraySize(json_member(out, "unclear")) > 0) {
		fprintf(stderr, "leasectl: nothing was done: bring back what is unclear, or say "
		    "--without for a machine that is off\n");
		return EXIT_REFUSED;
	}
	return 0;
}

static const struct tool_verb verbs[] = {
	{ "bury",	"NODE [--fenced]", 1, 2,
	    "say that a node is dead, so that nothing waits for it",	verb_bury },
	{ "doctor",	"[--nats-config FILE]", 0, 2,
	    "what is wrong with the cluster, and what to do",	doctor_verb },
	{ "list",	"",	0, 0,	"the leases that the node holds or waits for",	verb_list },
	{ "reseed",	"[-n] [--without NODE] ...", 0, 2 * 256,
	    "make good a store that is gone or went back",	verb_reseed },
	{ "show",	"KEY",	1, 1,	"one key, as the cluster has it",		verb_show },
	{ "unlock",	"KEY --expect-generation N", 3, 3,
	    "free a key that nobody alive holds",	verb_unlock },
	{ "watch",	"",	0, 0,	"what the node's clients are told, as it happens", verb_watch },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "leasectl", "leased", verbs, ARRAY_LEN(verbs));
}
