#include "vmd/guest_world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/file.h"
#include "tests/unit/unit.h"

#define BOOT	"00000000-0000-4000-8000-000000000000"	/* no boot of this machine */

struct scene {
	char	top[40], dir[64], lock[64], launch[64];
};
static struct scene s;		/* the fixture */

static void
setup(void)
{
	s = (struct scene){ .top = "/tmp/test_guest_world.XXXXXX" };
	ck_assert_ptr_nonnull(mkdtemp(s.top));
	(void)snprintf(s.dir, sizeof(s.dir), "%s/vm", s.top);
	(void)snprintf(s.lock, sizeof(s.lock), "%s/lock", s.top);
	(void)snprintf(s.launch, sizeof(s.launch), "%s/launch", s.top);
	ck_assert_int_eq(mkdir(s.dir, 0700), 0);
}

static void
teardown(void)
{
	(void)!guest_remove(s.dir);
	(void)unlink(s.lock);
	(void)unlink(s.launch);
	ck_assert_int_eq(rmdir(s.top), 0);
}

static void
put(const char *dir, const char *name, const char *text)
{
	char path[256];

	ck_assert_int_eq(file_path(path, sizeof(path), "%s/%s", dir, name), 0);
	ck_assert_int_eq(file_write(path, text, strlen(text), 0600), 0);
}

static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

START_TEST(settling_a_free_lock_forbids_the_launch)
{
	put(s.top, "launch", "L1");
	ck_assert_int_eq(guest_settle(s.lock), 0);
	ck_assert(!is_there(s.launch));
	ck_assert(is_there(s.lock));		/* made: a late guard meets the same file */
	ck_assert_int_eq(guest_settle(s.lock), 0);
	ck_assert_int_eq(guest_settle("/nonexistent/folder/lock"), 0);
}
END_TEST

START_TEST(settling_a_held_lock_touches_nothing)
{
	AUTO(fd) int fd = file_lock(s.lock);

	ck_assert_int_ge(fd, 0);
	put(s.top, "launch", "L1");
	ck_assert_int_eq(guest_settle(s.lock), -EWOULDBLOCK);
	ck_assert(is_there(s.launch));
}
END_TEST

START_TEST(a_lock_that_names_this_process_finds_it)
{
	AUTO(fd) int fd = file_lock(s.lock);
	AUTO(buf) struct buf stat = BUF_EMPTY(4096);
	struct guest_found f = { .qemu_fd = -1, .guard_fd = -1 };
	char text[512], boot[37], state;
	uint64_t start;

	ck_assert_int_eq(file_boot_id(boot), 0);
	ck_assert_int_eq(file_read("/proc/self/stat", &stat), 0);
	ck_assert_int_eq(guest_stat_parse(buf_text(&stat), &start, &state), 0);
	(void)snprintf(text, sizeof(text), "{\"launch_id\":\"L1\",\"boot_id\":\"%s\",\"pid\":%d,"
	    "\"start\":%lu,\"guard\":%d,\"guard_start\":%lu}", boot, getpid(), start, getpid(),
	    start + 1);
	ck_assert_int_eq(file_write_all(fd, text, strlen(text)), 0);
	ck_assert_int_eq(guest_world_find(s.lock, boot, &f), 0);
	ck_assert_int_ge(f.qemu_fd, 0);
	ck_assert_int_eq(f.guard_fd, -1);	/* another process had that number */
	ck_assert_str_eq(f.id.launch_id, "L1");
	close(f.qemu_fd);
	ck_assert_int_eq(guest_world_find(s.lock, BOOT, &f), -EAGAIN);	/* of another boot */
}
END_TEST

START_TEST(a_lock_held_without_a_name_tells_nothing)
{
	AUTO(fd) int fd = file_lock(s.lock);
	struct guest_found f;

	put(s.top, "launch", "L1");
	ck_assert_int_eq(guest_world_find(s.lock, BOOT, &f), -EAGAIN);
	ck_assert_int_eq(file_write_all(fd, "{\"launch", 8), 0);
	ck_assert_int_eq(guest_world_find(s.lock, BOOT, &f), -EAGAIN);
	ck_assert(is_there(s.launch));
	ck_assert_int_eq(flock(fd, LOCK_UN), 0);
	ck_assert_int_eq(guest_world_find(s.lock, BOOT, &f), -ESRCH);
	ck_assert(!is_there(s.launch));
}
END_TEST

START_TEST(an_end_is_this_launchs_own_or_unknown)
{
	struct guest_end end;
	char why[GUEST_WHY_MAX];

	put(s.top, "launch", "L1");
	put(s.dir, "status", "{\"launch_id\":\"L0\",\"status\":0,\"signal\":9}");
	guest_world_end(s.dir, s.lock, "L1", &end, why);
	ck_assert_int_eq(end.status, -1);
	ck_assert_str_eq(end.launch_id, "L1");
	ck_assert_str_eq(why, "it said nothing");
	ck_assert(!is_there(s.launch));
	put(s.top, "launch", "L2");
	put(s.dir, "status", "{\"launch_id\":\"L1\",\"status\":1,\"signal\":0}");
	guest_world_end(s.dir, s.lock, "L1", &end, why);
	ck_assert_int_eq(end.status, 1);
	ck_assert(is_there(s.launch));		/* a later launch's */
}
END_TEST

static const struct {
	const char	*log, *why;
} logs[] = {
	{ "", "it said nothing" },
	{ "vmguard: start /x: No such file or directory\n",
	  "vmguard: start /x: No such file or directory" },
	{ "2026-11-29T12:44:42.863279Z qemu-system-x86_64: -device x: 'x' is not a valid model\n"
	  "vmguard: QEMU was killed by signal 6\n",
	  "qemu-system-x86_64: -device x: 'x' is not a valid model" },
	{ "vmguard: memory is not locked\nlibfoo: oops\033[2J\n\n", "libfoo: oops?[2J" },
};

START_TEST(the_reason_is_what_qemu_said_last)
{
	struct guest_end end;
	char why[GUEST_WHY_MAX];

	put(s.dir, "qemu.log", logs[_i].log);
	guest_world_end(s.dir, s.lock, "L1", &end, why);
	ck_assert_str_eq(why, logs[_i].why);
}
END_TEST

START_TEST(a_folder_is_removed_whole_and_no_link_followed)
{
	char path[256];

	put(s.top, "launch", "kept");
	put(s.dir, "qemu.log", "x");
	ck_assert_int_eq(file_path(path, sizeof(path), "%s/sock/deep/er", s.dir), 0);
	ck_assert_int_eq(file_make_dirs(path, 0700), 0);
	ck_assert_int_eq(file_path(path, sizeof(path), "%s/sock/link", s.dir), 0);
	ck_assert_int_eq(symlink(s.top, path), 0);
	ck_assert_int_eq(file_path(path, sizeof(path), "%s/sock/fifo", s.dir), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(guest_remove(s.dir), 0);
	ck_assert(!is_there(s.dir));
	ck_assert(is_there(s.launch));
	ck_assert_int_eq(guest_remove(s.dir), 0);
}
END_TEST

START_TEST(a_folder_whose_lock_is_held_stays)
{
	char lock[128];
	AUTO(fd) int fd = -1;

	ck_assert_int_eq(file_path(lock, sizeof(lock), "%s/lock", s.dir), 0);
	fd = file_lock(lock);
	ck_assert_int_ge(fd, 0);
	put(s.dir, "qemu.log", "x");
	ck_assert_int_eq(guest_remove(s.dir), -EWOULDBLOCK);
	ck_assert_int_eq(file_path(lock, sizeof(lock), "%s/qemu.log", s.dir), 0);
	ck_assert(is_there(lock));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("guest_world");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, settling_a_free_lock_forbids_the_launch);
	tcase_add_test(tc, settling_a_held_lock_touches_nothing);
	tcase_add_test(tc, a_lock_that_names_this_process_finds_it);
	tcase_add_test(tc, a_lock_held_without_a_name_tells_nothing);
	tcase_add_test(tc, an_end_is_this_launchs_own_or_unknown);
	tcase_add_loop_test(tc, the_reason_is_what_qemu_said_last, 0, (int)ARRAY_LEN(logs));
	tcase_add_test(tc, a_folder_is_removed_whole_and_no_link_followed);
	tcase_add_test(tc, a_folder_whose_lock_is_held_stays);
	return unit_run("guest_world", tc);
}
