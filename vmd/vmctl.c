/* vmctl - the operator's tool of vmd: its subjects, and a terminal on a guest's serial line. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sysexits.h>
#include <termios.h>
#include <unistd.h>

#include "common/file.h"
#include "common/tool.h"

#define TIMEOUT_MS	10000
#define IMPORT_MS	600000
#define RECOVER_MS	70000	/* burial, disk and store */
#define DRAIN_DEFAULT_MS 60000
#define ANSWER_MAX	(1024 * 1024)	/* bytes of what QEMU says at once */
#define LEAVE		0x1d	/* ^] */

/* 0, or the exit status. */
static int
subject_of(const struct tool *t, const char *verb, char ret[static BUS_SUBJECT_MAX + 1])
{
	if (file_path(ret, BUS_SUBJECT_MAX + 1, "vm.v1.%s.%s", t->node, verb) == 0)
		return 0;
	fprintf(stderr, "vmctl: %s: no node has such a name\n", t->node);
	return 2;
}

static int
call(struct tool *t, const char *verb, const cJSON *in, uint64_t timeout_ms, cJSON **ret)
{
	char subject[BUS_SUBJECT_MAX + 1];
	int status = subject_of(t, verb, subject);

	return status ? status : tool_call(t, subject, in, timeout_ms, ret);
}

static int
print_json(const cJSON *tree)
{
	AUTO(str) char *text = json_print(tree);

	if (!text || puts(text) < 0 || fflush(stdout) != 0)
		return EX_TEMPFAIL;
	return 0;
}

static const char *
text_of(const cJSON *obj, const char *key)
{
	const char *text = json_text(obj, key);

	return text && *text ? text : "-";
}

static unsigned long long
number_of(const cJSON *obj, const char *key)
{
	const cJSON *item = json_member(obj, key);
	uint64_t v = 0;

	return item && json_get_u64(item, &v) ? v : 0;
}

/* ---- list, show ---- */

static int
list_instances(struct tool *t, cJSON **ret)
{
	char subject[BUS_SUBJECT_MAX + 1];
	int status = subject_of(t, "list", subject);

	return status ? status : tool_list(t, subject, "instances", TIMEOUT_MS, ret);
}

static int
run_list(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *out = NULL;
	const cJSON *i;
	int r = list_instances(t, &out);

	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%-20s %-14s %-10s %-8s %-15s %-9s %-9s %s\n", "INSTANCE", "STATE", "TYPE", "PID",
	    "ADDRESS", "QMP", "PHASE", "VOLUMES");
	cJSON_ArrayForEach(i, json_member(out, "instances"))
		printf("%-20s %-14s %-10s %-8llu %-15s %-9s %-9s %d\n", text_of(i, "instance_id"),
		    text_of(i, "state"), text_of(i, "instance_type"), number_of(i, "pid"),
		    text_of(i, "private_ip"), text_of(i, "qmp"), text_of(i, "phase"),
		    cJSON_GetArraySize(json_member(i, "volumes")));
	return 0;
}

/* 0 and the instance, borrowed from *ret_tree. */
static int
find_instance(struct tool *t, const char *id, cJSON **ret_tree, const cJSON **ret)
{
	const cJSON *i;
	int r = list_instances(t, ret_tree);

	if (r != 0)
		return r;
	cJSON_ArrayForEach(i, json_member(*ret_tree, "instances")) {
		const char *has = json_text(i, "instance_id");

		if (has && strcmp(has, id) == 0) {
			*ret = i;
			return 0;
		}
	}
	fprintf(stderr, "vmctl: %s is not an instance of node %s\n", id, t->node);
	return 1;
}

static void
print_volumes(const cJSON *list)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, list)
		printf("%-14s %s %s%s\n", "volume", text_of(v, "volume_id"), text_of(v, "device"),
		    cJSON_IsTrue(json_member(v, "keep")) ? " kept on termination" : "");
}

static void
print_member(const cJSON *m)
{
	uint64_t v;

	if (cJSON_IsArray(m))
		print_volumes(m);
	else if (cJSON_IsString(m))
		printf("%-14s %s\n", m->string, *m->valuestring ? m->valuestring : "-");
	else if (json_get_u64(m, &v))
		printf("%-14s %llu\n", m->string, (unsigned long long)v);
}

static int
run_show(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const cJSON *i = NULL;
	int r = find_instance(t, argv[1], &tree, &i);

	if (r != 0 || !i)
		return r;
	if (t->json)
		return print_json(i);
	for (const cJSON *m = i->child; m; m = m->next)
		print_member(m);
	return 0;
}

/* ---- console ---- */

static int
connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	AUTO(fd) int fd = -1;

	if (strlen(path) >= sizeof(to.sun_path))
		return -ENAMETOOLONG;
	memcpy(to.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof(to)) < 0)
		return -errno;
	return steal_fd(&fd);
}

enum passed { PASSED_END, PASSED_SOME, PASSED_LEAVE };

/* From one to the other, up to ^] where that leaves.  One of the above, or -errno. */
static int
pass(int from, int to, bool may_leave)
{
	char buf[4096];
	ssize_t n = read(from, buf, sizeof(buf));
	const char *leave;
	int r;

	if (n <= 0)
		return n == 0 ? PASSED_END : errno == EINTR ? PASSED_SOME : -errno;
	leave = may_leave ? memchr(buf, LEAVE, (size_t)n) : NULL;
	r = file_write_all(to, buf, leave ? (size_t)(leave - buf) : (size_t)n);
	if (r < 0)
		return r;
	return leave ? PASSED_LEAVE : PASSED_SOME;
}

static int
attach(int fd)
{
	struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN } };
	int r = PASSED_SOME;

	while (r == PASSED_SOME) {
		if (poll(p, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (p[0].revents)
			r = pass(fd, STDOUT_FILENO, false);
		if (r == PASSED_SOME && p[1].revents) {
			r = pass(STDIN_FILENO, fd, true);
			if (r == PASSED_END) {
				p[1].fd = -1;	/* nothing more is said; the guest talks on */
				r = PASSED_SOME;
			}
		}
	}
	return r < 0 ? r : 0;
}

static int
attach_terminal(int fd)
{
	struct termios old, raw;
	bool is_tty = tcgetattr(STDIN_FILENO, &old) == 0;
	int r;

	if (is_tty) {
		raw = old;
		cfmakeraw(&raw);
		if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) < 0)
			return -errno;
		fprintf(stderr, "the serial line; leave with ^]\r\n");
	}
	r = attach(fd);
	if (is_tty) {
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &old);
		fprintf(stderr, "\n");
	}
	return r;
}

static int
run_console(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *tree = NULL;
	const cJSON *i = NULL;
	const char *path;
	int r = find_instance(t, argv[1], &tree, &i);

	if (r != 0)
		return r;
	path = json_text(i, "console");
	if (!path || !*path) {
		fprintf(stderr, "vmctl: %s has no guest now: it is %s\n", argv[1],
		    text_of(i, "state"));
		return 1;
	}
	AUTO(fd) int fd = connect_to(path);

	if (fd < 0) {
		fprintf(stderr, "vmctl: %s: %s (only on its node, and as root)\n", path,
		    strerror(-fd));
		return 1;
	}
	r = attach_terminal(fd);
	if (r < 0)
		fprintf(stderr, "vmctl: console: %s\n", strerror(-r));
	return r < 0;
}

/* ---- qmp, kill ---- */

/* The next answer, events left out; NULL: none came in time, or it cannot be read. */
static cJSON *
read_answer(FILE *f, bool is_greeting)
{
	char *line = NULL, why[JSON_WHY_MAX];
	AUTO(json) cJSON *m = NULL;
	size_t size = 0;
	ssize_t n;

	while ((n = getline(&line, &size, f)) > 0) {
		if (json_parse(line, (size_t)n, ANSWER_MAX, &m, why) < 0 || is_greeting ||
		    json_member(m, "return") || json_member(m, "error"))
			break;
		cJSON_Delete(m);
		m = NULL;
	}
	free(line);
	return steal_json(&m);
}

static cJSON *
execute(FILE *f, const char *command, const char *arguments)
{
	if (dprintf(fileno(f), "{\"execute\":\"%s\"%s%s}\n", command, arguments ? ",\"arguments\":" : "",
	    arguments ? arguments : "") < 0)
		return NULL;
	return read_answer(f, false);
}

/* One command on an open socket. */
static int
talk(FILE *f, const char *command, const char *arguments)
{
	AUTO(json) cJSON *greeting = read_answer(f, true);
	AUTO(json) cJSON *ready = greeting ? execute(f, "qmp_capabilities", NULL) : NULL;
	AUTO(json) cJSON *m = ready ? execute(f, command, arguments) : NULL;

	if (!m) {
		fprintf(stderr, "vmctl: QEMU does not answer; does another client have its socket?\n");
		return EX_TEMPFAIL;
	}
	if (json_member(m, "error")) {
		fprintf(stderr, "vmctl: %s\n", text_of(json_member(m, "error"), "desc"));
		return 1;
	}
	return print_json(json_member(m, "return"));
}

static bool
is_command(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	return n > 0 && !s[n];
}

static int
run_qmp(struct tool *t, int argc, char **argv)
{
	const struct timeval limit = { .tv_sec = TIMEOUT_MS / 1000 };
	AUTO(json) cJSON *tree = NULL, *arguments = NULL;
	const char *path, *text = argc > 3 ? argv[3] : NULL;
	char why[JSON_WHY_MAX];
	const cJSON *i = NULL;
	int r;

	if (!is_command(argv[2]) || (text && json_parse(text, strlen(text), ANSWER_MAX,
	    &arguments, why) < 0)) {
		fprintf(stderr, "vmctl: expected a QMP command, and its arguments as JSON\n");
		return 2;
	}
	r = find_instance(t, argv[1], &tree, &i);
	if (r != 0)
		return r;
	path = json_text(i, "monitor");
	AUTO(fd) int fd = path && *path ? connect_to(path) : -ENOENT;
	AUTO(file) FILE *f = fd >= 0 ? fdopen(dup(fd), "r") : NULL;

	if (!f) {
		fprintf(stderr, "vmctl: %s: %s (only on its node, as root, while it has a guest)\n",
		    text_of(i, "monitor"), strerror(fd < 0 ? -fd : errno));
		return 1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return talk(f, argv[2], text);
}

static int
run_kill(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int r;

	if (!in || !cJSON_AddStringToObject(in, "instance_id", argv[1]))
		return EX_TEMPFAIL;
	r = call(t, "kill", in, TIMEOUT_MS, &out);
	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%llu\n", number_of(out, "pid"));
	return 0;
}

/* ---- drain, start ---- */

static int
run_drain(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	uint64_t deadline_ms = DRAIN_DEFAULT_MS;
	char *end = NULL;
	int r;

	if (argc > 1) {
		errno = 0;
		deadline_ms = strtoull(argv[1], &end, 10);
		if (errno || end == argv[1] || *end || argv[1][0] == '-') {
			fprintf(stderr, "vmctl: %s: expected milliseconds\n", argv[1]);
			return 2;
		}
	}
	if (!in || !json_add_u64(in, "deadline_ms", deadline_ms))
		return EX_TEMPFAIL;
	r = call(t, "drain", in, deadline_ms + 30000, &out);
	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%llu stopped\n", number_of(out, "stopped"));
	return 0;
}

static int
run_start(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int r;

	if (argc > 2 && strcmp(argv[2], "discard-owed") != 0) {
		fprintf(stderr, "vmctl: %s: expected discard-owed or nothing\n", argv[2]);
		return 2;
	}
	if (!in || !cJSON_AddStringToObject(in, "instance_id", argv[1]) ||
	    (argc > 2 && !cJSON_AddTrueToObject(in, "discard_owed")))
		return EX_TEMPFAIL;
	r = call(t, "start", in, 30000, &out);
	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%s\n", text_of(out, "state"));
	return 0;
}

static int
run_recover(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int r;

	if (!in || !cJSON_AddStringToObject(in, "instance_id", argv[1]))
		return EX_TEMPFAIL;
	for (int n = 2; n < argc; n++) {
		const char *key = strcmp(argv[n], "--fenced") == 0 ? "fenced" :
		    strcmp(argv[n], "--discard-owed") == 0 ? "discard_owed" : NULL;

		if (!key) {
			fprintf(stderr, "vmctl: %s: expected --fenced or --discard-owed\n", argv[n]);
			return 2;
		}
		if (!cJSON_AddTrueToObject(in, key))
			return EX_TEMPFAIL;
	}
	r = call(t, "recover", in, RECOVER_MS, &out);
	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%s\n", text_of(out, "state"));
	return 0;
}

/* ---- images ---- */

static int
image_list(struct tool *t)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	const cJSON *i;
	int r = in ? call(t, "image-list", in, 20000, &out) : EX_TEMPFAIL;

	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%-22s %-13s %-8s %-12s %-7s %8s %s\n", "IMAGE", "ACCOUNT", "ARCH", "BOOT",
	    "FORMAT", "MIB", "NAME");
	cJSON_ArrayForEach(i, json_member(out, "images"))
		printf("%-22s %-13s %-8s %-12s %-7s %8llu %s\n", text_of(i, "id"),
		    text_of(i, "account_id"), text_of(i, "arch"), text_of(i, "boot_mode"),
		    text_of(i, "format"), number_of(i, "virtual_bytes") >> 20,
		    text_of(i, "name"));
	return 0;
}

static int
image_import(struct tool *t, int argc, char **argv)
{
	static const char *const keys[] = { "name", "file", "arch", "boot_mode", "account_id",
		"description" };
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	AUTO(str) char *file = NULL;
	int r;

	if (argc < 5) {
		fprintf(stderr, "usage: vmctl image import name file arch boot-mode account "
		    "[description [public] [secure-boot]]\n");
		return 2;
	}
	/* The file is the node's; a relative path means one here. */
	file = realpath(argv[1], NULL);
	for (int n = 0; n < argc && n < (int)ARRAY_LEN(keys); n++)
		if (!in || !cJSON_AddStringToObject(in, keys[n], n == 1 && file ? file : argv[n]))
			return EX_TEMPFAIL;
	for (int n = 6; n < argc; n++) {
		bool is_public = strcmp(argv[n], "public") == 0;

		if (!is_public && strcmp(argv[n], "secure-boot") != 0) {
			fprintf(stderr, "vmctl: %s: expected public or secure-boot\n", argv[n]);
			return 2;
		}
		if (!cJSON_AddTrueToObject(in, is_public ? "public" : "secure_boot"))
			return EX_TEMPFAIL;
	}
	r = call(t, "image-import", in, IMPORT_MS, &out);
	if (r != 0)
		return r;
	if (t->json)
		return print_json(out);
	printf("%s\n", text_of(out, "image_id"));
	return 0;
}

static int
image_remove(struct tool *t, const char *id)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();
	AUTO(json) cJSON *out = NULL;
	int r;

	if (!in || !cJSON_AddStringToObject(in, "image_id", id))
		return EX_TEMPFAIL;
	r = call(t, "image-remove", in, 60000, &out);
	return r == 0 && t->json ? print_json(out) : r;
}

static int
run_image(struct tool *t, int argc, char **argv)
{
	if (strcmp(argv[1], "list") == 0 && argc == 2)
		return image_list(t);
	if (strcmp(argv[1], "import") == 0)
		return image_import(t, argc - 2, argv + 2);
	if (strcmp(argv[1], "remove") == 0 && argc == 3)
		return image_remove(t, argv[2]);
	fprintf(stderr, "usage: vmctl image list | remove id | import name file arch boot-mode "
	    "account [description [public] [secure-boot]]\n");
	return 2;
}

static const struct tool_verb verbs[] = {
	{ "console", "id", 1, 1, "attach to the serial line; leave with ^]", run_console },
	{ "drain", "[deadline-ms]", 0, 1, "stop this node's guests so that they come back",
	    run_drain },
	{ "image", "list | import ... | remove id", 1, 9, "images", run_image },
	{ "kill", "id", 1, 1, "end its QEMU at once, as a crash does", run_kill },
	{ "list", "", 0, 0, "the instances of the node", run_list },
	{ "qmp", "id command [arguments]", 2, 3, "one QMP command, on the operator's socket",
	    run_qmp },
	{ "recover", "id [--fenced] [--discard-owed]", 1, 3,
	    "bring one here whose node is dead", run_recover },
	{ "show", "id", 1, 1, "all that vmd knows of one", run_show },
	{ "start", "id [discard-owed]", 1, 2, "start a stopped instance on this node",
	    run_start },
};

int
main(int argc, char **argv)
{
	return tool_main(argc, argv, "vmctl", "vmd", verbs, ARRAY_LEN(verbs));
}
