/* The local copy's files, and copies of one that is being written. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store_world.h"
#include "uefid/region.h"

static const struct copy_owner nobody_else;

static struct copy
made(void)
{
	struct copy c = paths();

	ck_assert_int_eq(copy_make(&c), 0);
	return c;
}

START_TEST(only_an_instances_id_names_a_folder)
{
	static const char *const bad[] = { "", "..", "i-../../../etc", "ami-01234567", "i-0123" };
	struct copy c;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_int_eq(copy_init(&c, w->dir, bad[i]), -EINVAL);
}
END_TEST

START_TEST(a_fill_takes_seeded_json_away_first)
{
	struct seeded s = { .instance_id = ID, .launch_id = "l-1", .generation = 1,
		.firmware = { "arm64", MAKE_SIZE, "" }, .boot_id = BOOT_A };
	struct copy c = made();
	char why[JSON_WHY_MAX];

	snprintf(s.key, sizeof(s.key), "uefi/" ID "/11111111-1111-4111-8111-111111111111");
	ck_assert_int_eq(copy_fill(&c, "one", 3, &nobody_else), 0);
	ck_assert_int_eq(copy_write_seeded(&c, &s), 0);
	ck_assert_int_eq(copy_seeded(&c, &s, why), REUSE_PRESENT);
	ck_assert_int_eq(copy_fill(&c, "two", 3, &nobody_else), 0);
	ck_assert_int_eq(copy_seeded(&c, &s, why), REUSE_ABSENT);
	ck_assert(copy_has_vars(&c));
}
END_TEST

START_TEST(a_state_of_whatever_words_is_a_lost_copy_and_one_that_cannot_be_read_is_neither)
{
	struct copy c = made();

	ck_assert_int_eq(copy_state(&c), COPY_FINE);
	ck_assert_int_eq(copy_mark(&c, COPY_DELETING), 0);
	ck_assert_int_eq(copy_state(&c), COPY_DELETING);
	ck_assert_int_eq(copy_mark(&c, COPY_FENCED), 0);
	ck_assert_int_eq(copy_state(&c), COPY_FENCED);
	ck_assert_int_eq(file_write(c.state, "", 0, 0600), 0);
	ck_assert_int_eq(copy_state(&c), COPY_FENCED);
	ck_assert_int_eq(copy_mark(&c, COPY_FINE), 0);
	ck_assert_int_eq(copy_state(&c), COPY_FINE);
	ck_assert_int_eq(mkdir(c.state, 0700), 0);
	ck_assert_int_eq(copy_state(&c), COPY_UNREADABLE);
}
END_TEST

START_TEST(a_copy_larger_than_any_region_is_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(2);
	struct copy c = made();

	ck_assert_int_eq(copy_fill(&c, "one", 3, &nobody_else), 0);
	ck_assert_int_eq(copy_snapshot(&c, &b), -EMSGSIZE);
	ck_assert_int_eq(truncate(c.vars, 2), 0);
	ck_assert_int_eq(copy_snapshot(&c, &b), 0);
	ck_assert_mem_eq(b.data, "on", 2);
}
END_TEST

static size_t
peak_kib(void)
{
	struct rusage u;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &u), 0);
	return (size_t)u.ru_maxrss;
}

/* Four at once have to fit uefid's unit, with as many regions fetched or packed beside them. */
START_TEST(a_copy_of_the_largest_region_is_in_memory_once)
{
	AUTO(buf) struct buf b = BUF_EMPTY(REGION_MAX);
	struct copy c = made();
	size_t before;
	int fd;

	ck_assert_int_eq(copy_fill(&c, "one", 3, &nobody_else), 0);
	fd = open(c.vars, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(posix_fallocate(fd, 0, REGION_MAX), 0);
	close(fd);
	before = peak_kib();
	ck_assert_int_eq(copy_snapshot(&c, &b), 0);
	ck_assert_uint_eq(b.len, REGION_MAX);
	ck_assert_uint_lt(peak_kib() - before, REGION_MAX / 1024 * 3 / 2);
}
END_TEST

/* Counts in the first and the last word of the file, in turn, as fast as it can; now and then
 * it reads for a while instead. */
static void
writer(const char *path, size_t size)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	uint8_t *p = malloc(size);

	for (uint32_t n = 1;; n++) {
		if (pwrite(fd, &n, sizeof(n), 0) != sizeof(n) ||
		    pwrite(fd, &n, sizeof(n), (off_t)(size - sizeof(n))) != sizeof(n))
			_exit(1);
		for (int i = 0; n % 16 == 0 && i < 8; i++)
			if (pread(fd, p, size, 0) != (ssize_t)size)
				_exit(1);
	}
}

START_TEST(a_copy_of_a_file_that_is_being_written_is_one_point_in_time)
{
	static uint8_t zeros[540672];
	struct copy c = made();
	unsigned accepted = 0, moved = 0;
	uint32_t before = 0;
	pid_t pid;

	ck_assert_int_eq(copy_fill(&c, zeros, sizeof(zeros), &nobody_else), 0);
	pid = fork();
	if (pid == 0)
		writer(c.vars, sizeof(zeros));
	for (int i = 0; i < 400 && accepted < 100; i++) {
		AUTO(buf) struct buf b = BUF_EMPTY(sizeof(zeros));
		uint32_t first, last;
		int r = copy_snapshot(&c, &b);

		ck_assert(r == 0 || r == -EAGAIN);
		if (r < 0)
			continue;
		memcpy(&first, b.data, sizeof(first));
		memcpy(&last, b.data + sizeof(zeros) - sizeof(last), sizeof(last));
		ck_assert_msg(first == last || first == last + 1, "%u and %u", first, last);
		moved += first != before;
		before = first;
		accepted++;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_uint_ge(accepted, 10);
	ck_assert_uint_ge(moved, 2);		/* it was written meanwhile */
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("copy");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t, only_an_instances_id_names_a_folder);
	tcase_add_test(t, a_fill_takes_seeded_json_away_first);
	tcase_add_test(t, a_state_of_whatever_words_is_a_lost_copy_and_one_that_cannot_be_read_is_neither);
	tcase_add_test(t, a_copy_larger_than_any_region_is_refused);
	tcase_add_test(t, a_copy_of_the_largest_region_is_in_memory_once);
	tcase_add_test(t, a_copy_of_a_file_that_is_being_written_is_one_point_in_time);
	return unit_run("copy", t);
}
