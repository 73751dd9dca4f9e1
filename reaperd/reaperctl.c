/* reaperctl.c - asks the reaperd that leads: what would go, what stays, and why. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/json.h"
#include "common/tool.h"

#define WAIT_MS	120000

static const char *
text_of(const cJSON *o, const char *key)
{
	const char *s = json_text(o, key);

	return s ? s : "-";
}

static void
print_evidence(const cJSON *e)
{
	const cJSON *m;

	cJSON_ArrayForEach(m, e)
		if (cJSON_IsString(m))
			printf("\t%s: %s\n", m->string, m->valuestring);
}

static void
print_verdicts(const cJSON *answer)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, json_member(answer, "verdicts")) {
		printf("%-8s %-20s %s\n\t%s\n",
		    cJSON_IsTrue(json_member(v, "done")) ? "reaped" : text_of(v, "verdict"),
		    text_of(v, "class"), text_of(v, "id"), text_of(v, "reason"));
		print_evidence(json_member(v, "evidence"));
	}
	if (cJSON_IsTrue(json_member(answer, "more")))
		printf("more than these: name a class or an id\n");
}

static void
print_seconds(const cJSON *launched)
{
	uint64_t at_ms, now_ms = clock_wall_ms(&clock_system);

	if (cJSON_IsString(launched) && clock_from_text(launched->valuestring, &at_ms) == 0 &&
	    at_ms <= now_ms)
		printf(" age=%" PRIu64 "s", (now_ms - at_ms) / 1000);
}

/* ORPHAN and UNREADABLE lines, counted apart. */
static void
print_orphans(const cJSON *answer)
{
	unsigned orphans = 0, unreadable = 0;
	const cJSON *v;

	cJSON_ArrayForEach(v, json_member(answer, "verdicts")) {
		const cJSON *e = json_member(v, "evidence");
		bool is_orphan = strcmp(text_of(v, "verdict"), "report") == 0;

		if (!is_orphan && strcmp(text_of(v, "verdict"), "unknown") != 0)
			continue;
		orphans += is_orphan;
		unreadable += !is_orphan;
		printf("%-10s %s cluster=%s account=%s az=%s", is_orphan ? "ORPHAN" : "UNREADABLE",
		    text_of(v, "id"), text_of(e, "cluster"), text_of(e, "account"), text_of(e, "az"));
		print_seconds(json_member(e, "launched"));
		printf(" reason=\"%s\"\n", text_of(v, "reason"));
	}
	printf("%u orphan%s, %u unreadable\n", orphans, orphans == 1 ? "" : "s", unreadable);
}

static void
print_account(const cJSON *answer)
{
	const cJSON *i;

	printf("%s %s\n", text_of(answer, "account_id"), text_of(answer, "status"));
	cJSON_ArrayForEach(i, json_member(answer, "items"))
		printf("%-10s %-34s %-13s %s\n", text_of(i, "kind"), text_of(i, "resource_id"),
		    text_of(i, "state"), text_of(i, "reason"));
	cJSON_ArrayForEach(i, json_member(answer, "incomplete_reasons"))
		printf("not complete: %s\n", cJSON_IsString(i) ? i->valuestring : "-");
	if (json_text(answer, "why"))
		printf("\t%s\n", text_of(answer, "why"));
}

static void
print_nodes(const cJSON *answer)
{
	const cJSON *n;

	cJSON_ArrayForEach(n, json_member(answer, "nodes")) {
		const char *name = text_of(n, "node"), *holder = text_of(n, "holder");

		printf("%-20s %-8s", name, cJSON_IsTrue(json_member(n, "answers")) ? "answers" :
		    "silent");
		if (json_text(n, "beat_age_ms"))
			printf(" beat %s ms ago", text_of(n, "beat_age_ms"));
		else
			printf(" no beat");
		if (!*holder)
			printf(", nobody holds its lease\n");
		else if (strcmp(holder, name) != 0)
			printf(", buried by %s\n", holder);
		else
			printf("\n");
	}
}

typedef void print_fn(const cJSON *answer);

static int
call(struct tool *t, const char *subject, const cJSON *in, print_fn *print)
{
	AUTO(json) cJSON *out = NULL;
	int r = tool_call(t, subject, in, WAIT_MS, &out);

	if (r != 0)
		return r;
	if (t->json) {
		AUTO(str) char *text = json_print(out);

		printf("%s\n", text ? text : "");
	} else {
		print(out);
	}
	return 0;
}

static int
no_memory(void)
{
	fprintf(stderr, "reaperctl: no memory\n");
	return 1;
}

static int
ask(struct tool *t, const char *subject, const char *class, const char *id, print_fn *print)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!in || (class && !cJSON_AddStringToObject(in, "class", class)) ||
	    (id && !cJSON_AddStringToObject(in, "id", id)))
		return no_memory();
	return call(t, subject, in, print);
}

static int
run_explain(struct tool *t, int argc, char **argv)
{
	/* One word that is an id rather than a class: "i-...", or an object's key. */
	bool is_id = argc == 2 && (strncmp(argv[1], "i-", 2) == 0 ||
	    strncmp(argv[1], "vol-", 4) == 0 || strncmp(argv[1], "ami-", 4) == 0 ||
	    strchr(argv[1], '/'));
	const char *class = argc > 1 && !is_id ? argv[1] : NULL;

	return ask(t, "reap.v1.explain", class, is_id ? argv[1] : argc > 2 ? argv[2] : NULL,
	    class && strcmp(class, "control-plane-orphan") == 0 ? print_orphans : print_verdicts);
}

static int
run_sweep(struct tool *t, int argc, char **argv)
{
	return ask(t, "reap.v1.sweep", argc > 1 ? argv[1] : NULL, NULL, print_verdicts);
}

static int
run_account(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!in || !cJSON_AddStringToObject(in, "account_id", argv[1]))
		return no_memory();
	return call(t, "reap.v1.account", in, print_account);
}

static int
run_nodes(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	return in ? call(t, "reap.v1.nodes", in, print_nodes) : no_memory();
}

static const struct tool_verb verbs[] = {
	{ "account",	"ID",		1, 1,	"print what an account still holds", run_account },
	{ "explain",	"[CLASS] [ID]",	0, 2,	"print every verdict, kept ones too, and why",
	    run_explain },
	{ "nodes",	"",		0, 0,	"print the known nodes and whether they answer", run_nodes },
	{ "sweep",	"[CLASS]",	0, 1,	"sweep now and print what was done", run_sweep },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "reaperctl", "reaperd", verbs, ARRAY_LEN(verbs));
}
