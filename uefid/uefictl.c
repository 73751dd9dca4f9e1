/* uefictl: looks at variable stores, and asks uefid to act on them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "common/base64.h"
#include "common/buf.h"
#include "common/tool.h"

#define TIMEOUT_MS	35000

static const char *
text(const cJSON *o, const char *key)
{
	const char *s = json_text(o, key);

	return s ? s : "";
}

static bool
is_json_option(const char *arg)
{
	return strcmp(arg, "--json") == 0;
}

/* A word of "--json" may also stand after the verb's arguments. */
static bool
wants_json(const struct tool *t, int argc, char **argv)
{
	return t->json || (argc > 1 && is_json_option(argv[argc - 1]));
}

static int
print_json(const cJSON *tree)
{
	AUTO(str) char *s = json_print(tree);

	if (!s || puts(s) == EOF)
		return EXIT_FAILURE;
	return 0;
}

/* Asks uefi.v1.[<node>.]verb about an instance, or a version of its store. */
static int
ask_version(struct tool *t, bool of_node, const char *verb, const char *id, const char *version,
    cJSON **ret)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	char subject[BUS_SUBJECT_MAX + 1];

	if (!in || (id && !cJSON_AddStringToObject(in, "instance_id", id)) ||
	    (version && !cJSON_AddStringToObject(in, "version", version)))
		return EX_TEMPFAIL;
	snprintf(subject, sizeof(subject), "uefi.v1.%s%s%s", of_node ? t->node : "",
	    of_node ? "." : "", verb);
	return tool_call(t, subject, in, TIMEOUT_MS, ret);
}

static int
ask(struct tool *t, bool of_node, const char *verb, const char *id, cJSON **ret)
{
	return ask_version(t, of_node, verb, id, NULL, ret);
}

static void
print_listed(const cJSON *item)
{
	AUTO(json) cJSON *time = cJSON_CreateObject();
	uint64_t since_ms;

	if (time && json_get_u64(json_member(item, "since_ms"), &since_ms))
		(void)json_add_time(time, "since", since_ms);
	printf("%-20s %-9s %12s  %-24s  %s\n", text(item, "instance_id"), text(item, "state"),
	    text(item, "generation"), text(time, "since"), text(item, "why"));
}

static int
run_list(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	const cJSON *item;
	int r;

	snprintf(subject, sizeof(subject), "uefi.v1.%s.list", t->node);
	r = tool_list(t, subject, "stores", TIMEOUT_MS, &tree);
	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	printf("%-20s %-9s %12s  %-24s  %s\n", "INSTANCE", "STATE", "GENERATION", "SINCE", "WHY");
	cJSON_ArrayForEach(item, json_member(tree, "stores"))
		print_listed(item);
	return 0;
}

static void
print_show(const cJSON *o)
{
	const cJSON *p = json_member(o, "pointer"), *c = json_member(o, "claim");
	const cJSON *l = json_member(o, "local"), *item;

	printf("instance    %s\naccount     %s\nstate       %s\ngeneration  %s\n",
	    text(o, "instance_id"), text(o, "account_id"), text(o, "state"),
	    text(o, "generation"));
	if (p)
		printf("pointer     %s\n            %s, %s bytes, by %s at %s\n", text(p, "key"),
		    text(p, "arch"), text(p, "vars_size"), text(p, "writer_node"),
		    text(p, "written_at"));
	if (c)
		printf("claim       %s at generation %s\n", text(c, "holder"), text(c, "generation"));
	if (l)
		printf("local       %s%s%s, generation %s, launch %s, claim %s%s\n",
		    text(l, "state"), text(l, "since")[0] ? " since " : "", text(l, "since"),
		    text(l, "generation"),
		    text(l, "launch_id"), text(l, "claim"),
		    cJSON_IsTrue(json_member(l, "guest")) ? ", a guest runs" : "");
	if (l && text(l, "why")[0] != '\0')
		printf("            %s\n", text(l, "why"));
	cJSON_ArrayForEach(item, json_member(o, "objects"))
		printf("object      %s\n            %s by %s at %s, generation %s, sha256 %.16s\n",
		    text(item, "key"), text(item, "source"), text(item, "writer_node"),
		    text(item, "written_at"), text(item, "generation"), text(item, "sha256"));
}

static int
run_show(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	int r = ask(t, true, "show", argv[1], &tree);

	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	print_show(tree);
	return 0;
}

/* ---- versions ---- */

static int
compare_written(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;

	return strcmp(text(*y, "written_at"), text(*x, "written_at"));
}

/* The last part of an object's key. */
static const char *
version_of(const cJSON *object)
{
	const char *key = text(object, "key"), *slash = strrchr(key, '/');

	return slash ? slash + 1 : key;
}

static int
run_versions(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const cJSON *list, *item;
	size_t n = 0;
	int r = ask(t, true, "show", argv[1], &tree);

	list = json_member(tree, "objects");
	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(list);
	AUTO(mem) void *mem = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(cJSON *));
	const cJSON **sorted = mem;
	const char *now = text(json_member(tree, "pointer"), "key");

	if (!sorted)
		return EX_TEMPFAIL;
	cJSON_ArrayForEach(item, list)
		sorted[n++] = item;
	qsort(sorted, n, sizeof(*sorted), compare_written);
	printf("  %-36s  %-24s  %-10s  %10s  %-12s  %s\n", "VERSION", "WRITTEN", "NODE",
	    "GENERATION", "SHA256", "SOURCE");
	for (size_t i = 0; i < n; i++)
		printf("%c %-36s  %-24s  %-10s  %10s  %.12s  %s\n",
		    strcmp(now, text(sorted[i], "key")) == 0 ? '*' : ' ', version_of(sorted[i]),
		    text(sorted[i], "written_at"), text(sorted[i], "writer_node"),
		    text(sorted[i], "generation"), text(sorted[i], "sha256"),
		    text(sorted[i], "source"));
	return 0;
}

static int
run_rollback(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	int r = ask_version(t, true, "restore", argv[1], argv[2], &tree);

	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	printf("%s %s\n", argv[1], text(tree, "object"));
	return 0;
}

static const cJSON *
same_variable(const cJSON *list, const cJSON *v)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list)
		if (strcmp(text(item, "name"), text(v, "name")) == 0 &&
		    strcmp(text(item, "guid"), text(v, "guid")) == 0)
			return item;
	return NULL;
}

static bool
is_equal(const cJSON *a, const cJSON *b)
{
	return strcmp(text(a, "data"), text(b, "data")) == 0 &&
	    cJSON_Compare(json_member(a, "attributes"), json_member(b, "attributes"), true);
}

/* A guest chose it: of what would command a terminal nothing is passed on. */
static void
print_name(const cJSON *variable)
{
	const uint8_t *p = (const uint8_t *)text(variable, "name");

	for (; *p != '\0'; p++) {
		bool is_c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;	/* in UTF-8 */

		(void)putchar(p[0] < ' ' || p[0] == 0x7f || is_c1 ? '?' : p[0]);
		p += is_c1;
	}
	(void)putchar('\n');
}

/* What from has and to has not, or with changes has otherwise; returns how many. */
static unsigned
print_differing(const cJSON *from, const cJSON *to, char sign, bool changes)
{
	const cJSON *item;
	unsigned n = 0;

	cJSON_ArrayForEach(item, from) {
		const cJSON *other = same_variable(to, item);

		if (other && (!changes || is_equal(item, other)))
			continue;
		n++;
		printf("%c %s-", other ? '~' : sign, text(item, "guid"));
		print_name(item);
	}
	return n;
}

static int
run_diff(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *a = NULL, *b = NULL;
	int r = ask_version(t, true, "vars", argv[1], argv[2], &a);
	const cJSON *from, *to;

	if (r == 0)
		r = ask_version(t, true, "vars", argv[1], argc > 3 ? argv[3] : NULL, &b);
	if (r != 0)
		return r;
	from = json_member(a, "variables");
	to = json_member(b, "variables");
	return print_differing(from, to, '-', true) + print_differing(to, from, '+', false) > 0 ?
	    EXIT_FAILURE : 0;
}

/* Attributes as UEFI's specification numbers them: non-volatile, boot, runtime, ... */
static void
print_attributes(uint64_t a)
{
	static const struct { uint64_t bit; const char *name; } names[] = {
		{ 1, "nv" }, { 2, "bs" }, { 4, "rt" }, { 8, "hr" }, { 0x10, "aw" },
		{ 0x20, "at" }, { 0x40, "ap" },
	};
	char words[32] = "";

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (a & names[i].bit)
			snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s",
			    words[0] ? "," : "", names[i].name);
	printf("%-14s", words);
}

static int
run_vars(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const cJSON *item;
	const char *version = argc > 2 && !is_json_option(argv[2]) ? argv[2] : NULL;
	int r = ask_version(t, true, "vars", argv[1], version, &tree);

	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	printf("Secure Boot: %s\n", text(tree, "secure_boot"));
	printf("%-36s  %-14s%8s  %s\n", "GUID", "ATTRIBUTES", "SIZE", "NAME");
	cJSON_ArrayForEach(item, json_member(tree, "variables")) {
		uint64_t attributes = 0, size = 0;

		if (!json_get_u64(json_member(item, "attributes"), &attributes) ||
		    !json_get_u64(json_member(item, "size"), &size))
			continue;
		printf("%-36s  ", text(item, "guid"));
		print_attributes(attributes);
		printf("%8" PRIu64 "  ", size);
		print_name(item);
	}
	return 0;
}

static int
write_data(const char *data)
{
	AUTO(mem) void *mem = NULL;
	uint8_t *bytes;
	size_t n;

	if (base64_decode(data, strlen(data), &bytes, &n) < 0) {
		fprintf(stderr, "uefictl: the answer's data is not base64\n");
		return EXIT_FAILURE;
	}
	mem = bytes;
	return fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0 ? 0 : EXIT_FAILURE;
}

/* As text, the form in which EC2's UefiData goes over the wire. */
static int
run_export(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const char *version = argc > 2 && !is_json_option(argv[2]) ? argv[2] : NULL;
	int r = ask_version(t, true, "export", argv[1], version, &tree);

	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	return puts(text(tree, "data")) == EOF ? EXIT_FAILURE : 0;
}

/* One line of base64, and what a terminal or an editor put around it. */
static int
read_data(const char *path, struct buf *ret)
{
	AUTO(file) FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "re");
	FILE *in = strcmp(path, "-") == 0 ? stdin : f;
	char chunk[4096];
	size_t n;

	if (!in) {
		fprintf(stderr, "uefictl: %s: %s\n", path, strerror(errno));
		return EXIT_FAILURE;
	}
	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		for (size_t i = 0; i < n; i++)
			if (!strchr(" \t\r\n", chunk[i]) || chunk[i] == '\0')
				(void)buf_add(ret, &chunk[i], 1);	/* asked below */
	if (ferror(in) || ret->failed || ret->len == 0 || memchr(ret->data, 0, ret->len)) {
		fprintf(stderr, "uefictl: %s: expected UefiData in base64, at most %zu bytes\n", path,
		    ret->max);
		return EXIT_FAILURE;
	}
	return 0;
}

static int
run_import(struct tool *t, int argc, char **argv)
{
	AUTO(buf) struct buf data = BUF_EMPTY(256u << 10);
	AUTO(json) cJSON *in = cJSON_CreateObject(), *tree = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	int r = read_data(argv[2], &data);

	if (r != 0)
		return r;
	if (!in || !cJSON_AddStringToObject(in, "instance_id", argv[1]) ||
	    !cJSON_AddStringToObject(in, "data", buf_text(&data)))
		return EX_TEMPFAIL;
	snprintf(subject, sizeof(subject), "uefi.v1.%s.import", t->node);
	r = tool_call(t, subject, in, TIMEOUT_MS, &tree);
	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	printf("%s %s\n", argv[1], text(tree, "object"));
	return 0;
}

/* The data of one variable, as it is; NAME, or GUID-NAME where a name is not alone. */
static const cJSON *
find_variable(const cJSON *list, const char *name, unsigned *ret_found)
{
	const cJSON *item, *found = NULL;

	*ret_found = 0;
	cJSON_ArrayForEach(item, list) {
		const char *guid = text(item, "guid");
		size_t n = strlen(guid);
		bool is_full = n > 0 && strncmp(name, guid, n) == 0 && name[n] == '-' &&
		    strcmp(name + n + 1, text(item, "name")) == 0;

		if (is_full || strcmp(name, text(item, "name")) == 0) {
			found = item;
			(*ret_found)++;
		}
	}
	return found;
}

static int
run_get(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const cJSON *item;
	unsigned found;
	int r = ask(t, true, "vars", argv[1], &tree);

	if (r != 0)
		return r;
	item = find_variable(json_member(tree, "variables"), argv[2], &found);
	if (found != 1) {
		fprintf(stderr, "uefictl: %s %s\n", argv[2], found ?
		    "has more than one vendor: give it as GUID-NAME" : "is not a variable of it");
		return EXIT_FAILURE;
	}
	if (wants_json(t, argc, argv))
		return print_json(item);
	return write_data(text(item, "data"));
}

static int
print_state(struct tool *t, bool of_node, const char *verb, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	int r = ask(t, of_node, verb, argv[1], &tree);

	if (r != 0 || wants_json(t, argc, argv))
		return r != 0 ? r : print_json(tree);
	printf("%s %s\n", argv[1], text(tree, "state"));
	return 0;
}

static int
run_flush(struct tool *t, int argc, char **argv)
{
	return print_state(t, true, "flush", argc, argv);
}

static int
run_adopt(struct tool *t, int argc, char **argv)
{
	return print_state(t, true, "adopt", argc, argv);
}

static int
run_forget(struct tool *t, int argc, char **argv)
{
	return print_state(t, false, "forget", argc, argv);
}

static const struct tool_verb verbs[] = {
	{ "adopt", "ID", 1, 2, "look after a running guest, or close what nothing uses, now",
	    run_adopt },
	{ "diff", "ID VERSION [VERSION]", 2, 3, "what differs from now, or from another version",
	    run_diff },
	{ "export", "ID [VERSION]", 1, 3, "the variables as EC2's UefiData", run_export },
	{ "flush", "ID", 1, 2, "write back what a guest has written, now", run_flush },
	{ "forget", "ID", 1, 2, "have a store deleted, for ever", run_forget },
	{ "get", "ID NAME", 2, 3, "the bytes of one variable", run_get },
	{ "import", "ID FILE", 2, 3, "UefiData in place of all variables of a store", run_import },
	{ "list", "", 0, 1, "the local copies of a node", run_list },
	{ "rollback", "ID VERSION", 2, 3, "go back to an earlier version", run_rollback },
	{ "show", "ID", 1, 2, "record, claim, local copy and objects of a store", run_show },
	{ "vars", "ID [VERSION]", 1, 3, "the variables of a store", run_vars },
	{ "versions", "ID", 1, 2, "the objects of a store, newest first", run_versions },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "uefictl", "uefid", verbs, ARRAY_LEN(verbs));
}
