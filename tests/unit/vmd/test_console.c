#include "vmd/console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "tests/unit/unit.h"

static char dir[32];	/* the fixture */

static const char *
path(const char *name)
{
	static char p[128];

	ck_assert_int_eq(file_path(p, sizeof(p), "%s/%s", dir, name), 0);
	return p;
}

static void
setup(void)
{
	(void)snprintf(dir, sizeof(dir), "/tmp/test_console.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void
teardown(void)
{
	static const char *const names[] = { "console.log", "console.log.1", "console.log.tmp",
	    "qemu.log", "qemu.log.1", "elsewhere" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		(void)unlink(path(names[i]));
	ck_assert_int_eq(rmdir(dir), 0);
}

/* As QEMU does: appends, wherever the end is. */
static void
append(int fd, const char *text, size_t times)
{
	for (size_t i = 0; i < times; i++)
		ck_assert_int_eq(file_write_all(fd, text, strlen(text)), 0);
}

static int
open_log(const char *name)
{
	int fd = open(path(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static size_t
size_of(const char *name)
{
	struct stat st;

	return stat(path(name), &st) == 0 ? (size_t)st.st_size : 0;
}

START_TEST(a_guest_that_has_said_nothing_has_an_empty_tail)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONSOLE_TAIL);
	uint64_t at_ms = 1;

	ck_assert_int_eq(console_trim(dir), 0);
	ck_assert_int_eq(console_tail(dir, &b, &at_ms), 0);
	ck_assert_uint_eq(b.len, 0);
	ck_assert_uint_eq(at_ms, 0);
}
END_TEST

START_TEST(a_long_log_is_cut_and_goes_on)
{
	AUTO(fd) int fd = open_log("console.log");

	append(fd, "0123456789abcdef", CONSOLE_MAX / 16);
	ck_assert_int_eq(console_trim(dir), 0);		/* just full */
	append(fd, "the end\n", 1);
	ck_assert_int_eq(console_trim(dir), 1);
	ck_assert_uint_eq(size_of("console.log"), 0);
	ck_assert_uint_eq(size_of("console.log.1"), CONSOLE_MAX);
	append(fd, "more\n", 1);
	ck_assert_uint_eq(size_of("console.log"), 5);	/* at the start, no hole */
	ck_assert_int_eq(console_trim(dir), 0);
	ck_assert_uint_eq(size_of("console.log.tmp"), 0);
}
END_TEST

START_TEST(the_tail_goes_over_both_parts)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONSOLE_TAIL);
	AUTO(fd) int fd = open_log("console.log");
	uint64_t at_ms = 0;

	append(fd, "0123456789abcdef", CONSOLE_MAX / 16);
	append(fd, "old end\n", 1);
	ck_assert_int_eq(console_trim(dir), 1);
	append(fd, "new\n", 1);
	ck_assert_int_eq(console_tail(dir, &b, &at_ms), 0);
	ck_assert_uint_eq(b.len, CONSOLE_TAIL);
	ck_assert_str_eq(buf_text(&b) + b.len - 12, "old end\nnew\n");
	ck_assert_uint_gt(at_ms, 1700000000000);
}
END_TEST

START_TEST(the_tail_of_a_long_log_is_its_last_64_KiB)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONSOLE_TAIL);
	AUTO(fd) int fd = open_log("console.log");
	uint64_t at_ms;

	append(fd, "0123456789abcdef", CONSOLE_TAIL / 16);
	append(fd, "x", 1);
	ck_assert_int_eq(console_tail(dir, &b, &at_ms), 0);
	ck_assert_uint_eq(b.len, CONSOLE_TAIL);
	ck_assert_int_eq(b.data[0], '1');
	ck_assert_int_eq(b.data[b.len - 1], 'x');
}
END_TEST

START_TEST(a_link_in_place_of_the_log_is_not_followed)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONSOLE_TAIL);
	char target[128];
	uint64_t at_ms;

	(void)snprintf(target, sizeof(target), "%s", path("elsewhere"));
	ck_assert_int_eq(file_write(target, "secret", 6, 0600), 0);
	ck_assert_int_eq(symlink(target, path("console.log")), 0);
	ck_assert_int_eq(console_tail(dir, &b, &at_ms), -ELOOP);
	ck_assert_int_eq(console_trim(dir), -ELOOP);
	ck_assert_uint_eq(b.len, 0);
	ck_assert_uint_eq(size_of("elsewhere"), 6);
}
END_TEST

START_TEST(a_pipe_in_place_of_the_log_holds_nobody_up)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONSOLE_TAIL);
	uint64_t at_ms;

	ck_assert_int_eq(mkfifo(path("console.log"), 0600), 0);
	ck_assert_int_eq(console_tail(dir, &b, &at_ms), -EINVAL);
	ck_assert_int_lt(console_trim(dir), 0);
}
END_TEST

START_TEST(what_qemu_says_is_bounded_too)
{
	AUTO(fd) int fd = open_log("qemu.log");

	append(fd, "0123456789abcdef", CONSOLE_MAX / 16 + 1);
	ck_assert_int_eq(console_trim(dir), 0);
	ck_assert_uint_eq(size_of("qemu.log"), 0);
	ck_assert_uint_eq(size_of("qemu.log.1"), CONSOLE_MAX);
}
END_TEST

START_TEST(a_word_of_qemu_s_is_found_once_however_it_comes)
{
	AUTO(fd) int fd = -1;
	uint64_t at = 0;

	ck_assert_int_eq(console_said(dir, "no space", &at), 0);
	fd = open_log("qemu.log");
	append(fd, "all is well\nthere is no sp", 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 0);
	append(fd, "ace\n", 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 0);
	append(fd, "and on it goes\n", 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 0);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	append(fd, "no space\n", 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 1);
	append(fd, "0123456789abcdef", CONSOLE_MAX / 16);
	append(fd, "no space\n", 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 1);
	ck_assert_int_eq(console_said(dir, "no space", &at), 0);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("console");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_guest_that_has_said_nothing_has_an_empty_tail);
	tcase_add_test(tc, a_long_log_is_cut_and_goes_on);
	tcase_add_test(tc, the_tail_goes_over_both_parts);
	tcase_add_test(tc, the_tail_of_a_long_log_is_its_last_64_KiB);
	tcase_add_test(tc, a_link_in_place_of_the_log_is_not_followed);
	tcase_add_test(tc, a_pipe_in_place_of_the_log_holds_nobody_up);
	tcase_add_test(tc, what_qemu_says_is_bounded_too);
	tcase_add_test(tc, a_word_of_qemu_s_is_found_once_however_it_comes);
	return unit_run("console", tc);
}
