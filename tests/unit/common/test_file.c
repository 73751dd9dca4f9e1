#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/unit.h"

static char dir[64];	/* the fixture's folder */

static void
setup(void)
{
	snprintf(dir, sizeof(dir), "/tmp/test_file.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void
teardown(void)
{
	unit_remove_tree(dir);
}

static const char *
in_dir(const char *name)
{
	static char path[PATH_MAX];

	ck_assert_int_eq(file_path(path, sizeof(path), "%s/%s", dir, name), 0);
	return path;
}

static int
entries(void)
{
	AUTO(dir) DIR *d = opendir(dir);
	int n = -2;	/* . and .. */

	while (readdir(d))
		n++;
	return n;
}

START_TEST(a_file_is_written_whole_with_its_mode_and_read_back)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	struct stat st;

	umask(077);
	ck_assert_int_eq(file_write(in_dir("f"), "a\0b", 3, 0640), 0);
	ck_assert_int_eq(file_read(in_dir("f"), &b), 0);
	ck_assert_uint_eq(b.len, 3);
	ck_assert_mem_eq(b.data, "a\0b", 4);
	ck_assert_int_eq(stat(in_dir("f"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(replacing_makes_a_new_file_and_readers_of_the_old_keep_it)
{
	char old[4] = "";
	struct stat before, after;

	ck_assert_int_eq(file_write(in_dir("f"), "old", 3, 0600), 0);
	AUTO(fd) int fd = open(in_dir("f"), O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(fstat(fd, &before), 0);
	ck_assert_int_eq(file_write(in_dir("f"), "newer", 5, 0600), 0);
	ck_assert_int_eq(stat(in_dir("f"), &after), 0);
	ck_assert(before.st_ino != after.st_ino);
	ck_assert_int_eq(read(fd, old, 4), 3);
	ck_assert_mem_eq(old, "old", 3);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_failed_write_leaves_the_old_content_and_no_litter)
{
	ck_assert_int_eq(file_write(in_dir("no/f"), "x", 1, 0600), -ENOENT);
	ck_assert_int_eq(mkdir(in_dir("d"), 0700), 0);
	ck_assert_int_eq(file_write(in_dir("d"), "x", 1, 0600), -EISDIR);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_larger_file_than_the_ceiling_is_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(3);

	ck_assert_int_eq(file_write(in_dir("f"), "abcd", 4, 0600), 0);
	ck_assert_int_eq(file_read(in_dir("f"), &b), -EMSGSIZE);
	ck_assert_uint_eq(b.len, 0);
	ck_assert(!b.failed);
	ck_assert_int_eq(file_write(in_dir("f"), "abc", 3, 0600), 0);
	ck_assert_int_eq(file_read(in_dir("f"), &b), 0);
	ck_assert_str_eq(buf_text(&b), "abc");
}
END_TEST

START_TEST(an_absent_file_is_an_error_to_read_and_none_to_remove)
{
	AUTO(buf) struct buf b = BUF_EMPTY(3);

	ck_assert_int_eq(file_read(in_dir("f"), &b), -ENOENT);
	ck_assert_int_eq(file_read(dir, &b), -EISDIR);
	ck_assert_int_eq(file_remove(in_dir("f")), 0);
	ck_assert_int_eq(file_write(in_dir("f"), "", 0, 0600), 0);
	ck_assert_int_eq(file_remove(in_dir("f")), 0);
	ck_assert_int_eq(file_remove(in_dir("no/f")), 0);
	ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(folders_are_made_level_by_level_and_once)
{
	struct stat st;

	umask(077);
	ck_assert_int_eq(file_make_dirs(in_dir("a/b/c"), 0755), 0);
	ck_assert_int_eq(file_make_dirs(in_dir("a/b/c"), 0700), 0);
	ck_assert_int_eq(stat(in_dir("a/b"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0755);
	ck_assert_int_eq(stat(in_dir("a/b/c"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0755);
	ck_assert_int_eq(file_write(in_dir("f"), "", 0, 0600), 0);
	ck_assert_int_eq(file_make_dirs(in_dir("f/g"), 0755), -ENOTDIR);
	ck_assert_int_eq(file_make_dirs(in_dir("f"), 0755), -ENOTDIR);
	ck_assert_int_eq(file_make_dirs("", 0755), -EINVAL);
}
END_TEST

START_TEST(a_lock_is_held_against_another_open_and_free_after_close)
{
	int fd = file_lock(in_dir("lock"));
	struct stat st;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(file_lock(in_dir("lock")), -EWOULDBLOCK);
	close(fd);
	fd = file_lock(in_dir("lock"));
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

START_TEST(a_path_that_does_not_fit_is_refused)
{
	char p[8];

	ck_assert_int_eq(file_path(p, sizeof(p), "%s", "1234567"), 0);
	ck_assert_str_eq(p, "1234567");
	ck_assert_int_eq(file_path(p, sizeof(p), "%s", "12345678"), -ENAMETOOLONG);
}
END_TEST

START_TEST(everything_is_written_over_short_writes)
{
	enum { BIG = 1 << 20 };
	AUTO(mem) void *data = calloc(1, BIG);
	int p[2], status;
	char chunk[4096];
	size_t total = 0;
	ssize_t n;
	pid_t pid;

	ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		_exit(file_write_all(p[1], data, BIG) == 0 ? 0 : 1);
	close(p[1]);
	while ((n = read(p[0], chunk, sizeof(chunk))) > 0)
		total += (size_t)n;
	close(p[0]);
	ck_assert_uint_eq(total, BIG);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(file_write_all(-1, "x", 1), -EBADF);
}
END_TEST

START_TEST(the_boot_id_is_a_uuid_and_stays)
{
	char a[37], b[37];

	ck_assert_int_eq(file_boot_id(a), 0);
	ck_assert_int_eq(file_boot_id(b), 0);
	ck_assert_uint_eq(strlen(a), 36);
	ck_assert_str_eq(a, b);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("file");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_file_is_written_whole_with_its_mode_and_read_back);
	tcase_add_test(tc, replacing_makes_a_new_file_and_readers_of_the_old_keep_it);
	tcase_add_test(tc, a_failed_write_leaves_the_old_content_and_no_litter);
	tcase_add_test(tc, a_larger_file_than_the_ceiling_is_refused);
	tcase_add_test(tc, an_absent_file_is_an_error_to_read_and_none_to_remove);
	tcase_add_test(tc, folders_are_made_level_by_level_and_once);
	tcase_add_test(tc, a_lock_is_held_against_another_open_and_free_after_close);
	tcase_add_test(tc, a_path_that_does_not_fit_is_refused);
	tcase_add_test(tc, everything_is_written_over_short_writes);
	tcase_add_test(tc, the_boot_id_is_a_uuid_and_stays);
	return unit_run("file", tc);
}
