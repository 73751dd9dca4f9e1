/* reaperctl.c - asks the reaperd that leads: what would go, what stays, and why. */
#include <stdio.h>
#include <string.h>

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

static int
ask(struct tool *t, const char *subject, const char *class, const char *id)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int r;

	if (!in || (class && !cJSON_AddStringToObject(in, "class", class)) ||
	    (id && !cJSON_AddStringToObject(in, "id", id))) {
		fprintf(stderr, "reaperctl: no memory\n");
		return 1;
	}
	if ((r = tool_call(t, subject, in, WAIT_MS, &out)) != 0)
		return r;
	if (t->json) {
		AUTO(str) char *text = json_print(out);

		printf("%s\n", text ? text : "");
	} else {
		print_verdicts(out);
	}
	return 0;
}

static int
run_explain(struct tool *t, int argc, char **argv)
{
	/* One word that is an id rather than a class: "i-..." or an object's key. */
	bool is_id = argc == 2 && (strncmp(argv[1], "i-", 2) == 0 || strchr(argv[1], '/'));

	return ask(t, "reap.v1.explain", argc > 1 && !is_id ? argv[1] : NULL,
	    is_id ? argv[1] : argc > 2 ? argv[2] : NULL);
}

static int
run_sweep(struct tool *t, int argc, char **argv)
{
	return ask(t, "reap.v1.sweep", argc > 1 ? argv[1] : NULL, NULL);
}

static const struct tool_verb verbs[] = {
	{ "explain",	"[CLASS] [ID]",	0, 2,	"print every verdict, kept ones too, and why",
	    run_explain },
	{ "sweep",	"[CLASS]",	0, 1,	"sweep now and print what was done", run_sweep },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "reaperctl", "reaperd", verbs, ARRAY_LEN(verbs));
}
