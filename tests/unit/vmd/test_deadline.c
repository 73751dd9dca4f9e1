#include "vmd/deadline.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "vmd/guard_page.h"

START_TEST(only_a_launch_makes_the_file)
{
	char dir[] = "/tmp/test_deadline.XXXXXX", path[64];
	struct guard_page p = { 0 }, got = { 0 };
	AUTO(fd) int fd = -1;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/deadline", dir);
	ck_assert_int_eq(deadline_write(path, 6000, 3, 1000, false), -ENOENT);
	ck_assert_int_eq(deadline_write(path, 6000, 3, 1000, true), 0);
	ck_assert_int_eq(deadline_write(path, 6000, 4, 2000, false), 0);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(read(fd, &p, sizeof(p)), sizeof(p));
	ck_assert(guard_page_read(&p, &got));
	ck_assert(got.ttl_ms == 6000 && got.generation == 4 && got.deadline_ms == 2000);
	unit_remove_tree(dir);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("deadline");

	tcase_add_test(tc, only_a_launch_makes_the_file);
	return unit_run("deadline", tc);
}
