#include "common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/msgid.h"
#include "tests/unit/unit.h"

struct seen {
	int	 n, priority;
	char	 text[2048], instance[64];
};

static void
remember(void *arg, int priority, const struct log_ctx *ctx, const char *text)
{
	struct seen *s = arg;

	s->n++;
	s->priority = priority;
	snprintf(s->text, sizeof(s->text), "%s", text);
	snprintf(s->instance, sizeof(s->instance), "%s", ctx ? ctx->instance : "");
}

/* What log_fields writes to standard error, the stamp cut off. */
static void
line_of(const struct log_ctx *ctx, const char *text, char *ret, size_t size)
{
	int p[2], saved = dup(STDERR_FILENO);
	ssize_t n;

	ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
	ck_assert_int_ge(dup2(p[1], STDERR_FILENO), 0);
	log_fields(LOG_WARNING, ctx, "%s", text);
	ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
	close(saved);
	close(p[1]);
	n = read(p[0], ret, size - 1);
	close(p[0]);
	ck_assert_int_gt(n, 25);
	ret[n] = '\0';
	memmove(ret, ret + 25, (size_t)n - 24);
}

START_TEST(a_sink_gets_the_sentence_and_the_fields)
{
	struct seen s = { 0 };

	log_register(remember, &s);
	log_fields(LOG_NOTICE, &(struct log_ctx){ .instance = "i-1" }, "it moved from %s to %d",
	    "a", 2);
	ck_assert_int_eq(s.n, 1);
	ck_assert_int_eq(s.priority, LOG_NOTICE);
	ck_assert_str_eq(s.text, "it moved from a to 2");
	ck_assert_str_eq(s.instance, "i-1");
}
END_TEST

START_TEST(the_level_decides_what_is_said)
{
	struct seen s = { 0 };

	log_register(remember, &s);
	log_debug("not at the level that a process starts with");
	ck_assert_int_eq(s.n, 0);
	log_level(LOG_DEBUG);
	log_debug("now");
	ck_assert_int_eq(s.n, 1);
	log_level(LOG_ERR);
	log_warning("no more");
	ck_assert_int_eq(s.n, 1);
	log_level(LOG_EMERG);
	log_err("silent");
	ck_assert_int_eq(s.n, 1);
}
END_TEST

START_TEST(a_line_on_stderr_has_a_level_word_and_short_fields)
{
	const struct log_ctx ctx = {
		.message_id = MSG_UEFI_OWED, .instance = "i-1", .lease = "uefi.i-1", .node = "n1",
		.subject = "uefi.v1.n1.open", .request_id = "r9", .code = "uefi.held",
		.object = "uefi/a/b", .generation = UINT64_MAX,
	};
	char line[4096];

	log_open("uefid", 1);
	line_of(&ctx, "it is held", line, sizeof(line));
	ck_assert_str_eq(line, "uefid warning: it is held [instance=i-1 lease=uefi.i-1 node=n1 "
	    "subject=uefi.v1.n1.open request=r9 code=uefi.held object=uefi/a/b "
	    "generation=18446744073709551615]\n");
	line_of(NULL, "plain", line, sizeof(line));
	ck_assert_str_eq(line, "uefid warning: plain\n");
	line_of(&(struct log_ctx){ .generation = 3 }, "x", line, sizeof(line));
	ck_assert_str_eq(line, "uefid warning: x [generation=3]\n");
}
END_TEST

START_TEST(foreign_text_cannot_forge_a_line)
{
	const struct log_ctx ctx = { .subject = "a\nuefid err: forged" };
	char line[4096];

	log_open("uefid", 1);
	line_of(&ctx, "one\ntwo\x1b[2J\r", line, sizeof(line));
	ck_assert_str_eq(line, "uefid warning: one two [2J  [subject=a uefid err: forged]\n");
}
END_TEST

START_TEST(a_long_line_is_cut_and_still_ends)
{
	char text[5000], line[8192];
	struct log_ctx ctx = { .object = text, .subject = text, .node = text, .code = text,
	    .lease = text, .instance = text };

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_open("uefid", 1);
	line_of(&ctx, text, line, sizeof(line));
	ck_assert_uint_lt(strlen(line), 2048);
	ck_assert_int_eq(line[strlen(line) - 1], '\n');
}
END_TEST

/* A journal of the test's own, under a /run that only this process sees.  -1: not root. */
static int
bind_journal(void)
{
	const struct sockaddr_un sa = {
		.sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket",
	};
	int fd;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("run", "/run", "tmpfs", 0, NULL) < 0)
		return -1;
	ck_assert_int_eq(mkdir("/run/systemd", 0755), 0);
	ck_assert_int_eq(mkdir("/run/systemd/journal", 0755), 0);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	return fd;
}

START_TEST(a_journal_gets_the_fields_under_their_own_names)
{
	static const char *const parts[] = {
		"PRIORITY=4\n", "SYSLOG_IDENTIFIER=uefid\n", "INSTANCE=i-1\n", "LEASE=l\n",
		"NODE=n1\n", "SUBJECT=s\n", "REQUEST_ID=r\n", "CODE=c\n", "OBJECT=o\n",
		"MESSAGE_ID=" MSG_UEFI_OWED "\n", "GENERATION=7\n", "MESSAGE=it is owed\n",
	};
	AUTO(fd) int fd = bind_journal();
	char got[4096];
	ssize_t n;

	if (fd < 0)
		return;
	log_open("uefid", 0);
	log_fields(LOG_WARNING, &(struct log_ctx){ .message_id = MSG_UEFI_OWED, .instance = "i-1",
	    .lease = "l", .node = "n1", .subject = "s", .request_id = "r", .code = "c",
	    .object = "o", .generation = 7 }, "it is owed");
	n = recv(fd, got, sizeof(got) - 1, MSG_DONTWAIT);
	ck_assert_int_gt(n, 0);
	got[n] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		ck_assert_msg(strstr(got, parts[i]) != NULL, "no %s in: %s", parts[i], got);
	log_info("plain");
	n = recv(fd, got, sizeof(got) - 1, MSG_DONTWAIT);
	ck_assert_int_gt(n, 0);
	got[n] = '\0';
	ck_assert_ptr_nonnull(strstr(got, "PRIORITY=6\n"));
	ck_assert_ptr_null(strstr(got, "INSTANCE"));
	ck_assert_ptr_null(strstr(got, "GENERATION"));
	log_open("uefid", 1);		/* -d: not to the journal, though one listens */
	log_info("to stderr");
	ck_assert_int_lt(recv(fd, got, sizeof(got), MSG_DONTWAIT), 0);
}
END_TEST

START_TEST(logging_keeps_errno)
{
	struct seen s = { 0 };

	log_register(remember, &s);
	errno = ENOSPC;
	log_err("cannot write: %s", strerror(errno));
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(s.n, 1);
}
END_TEST

START_TEST(a_repeated_line_is_said_once_a_minute_with_what_was_withheld)
{
	struct log_limit l = { 0 };
	uint32_t withheld = 9;

	ck_assert(log_may(&l, 5, &withheld));
	ck_assert_uint_eq(withheld, 0);
	ck_assert(!log_may(&l, 6, &withheld));
	ck_assert(!log_may(&l, 60004, &withheld));
	ck_assert(log_may(&l, 60005, &withheld));
	ck_assert_uint_eq(withheld, 2);
	ck_assert(!log_may(&l, 60006, &withheld));
	ck_assert(log_may(&l, 200000, &withheld));
	ck_assert_uint_eq(withheld, 1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("log");

	tcase_add_test(tc, a_sink_gets_the_sentence_and_the_fields);
	tcase_add_test(tc, the_level_decides_what_is_said);
	tcase_add_test(tc, a_line_on_stderr_has_a_level_word_and_short_fields);
	tcase_add_test(tc, foreign_text_cannot_forge_a_line);
	tcase_add_test(tc, a_long_line_is_cut_and_still_ends);
	tcase_add_test(tc, a_journal_gets_the_fields_under_their_own_names);
	tcase_add_test(tc, logging_keeps_errno);
	tcase_add_test(tc, a_repeated_line_is_said_once_a_minute_with_what_was_withheld);
	return unit_run("log", tc);
}
