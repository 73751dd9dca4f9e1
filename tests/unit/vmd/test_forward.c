#include "vmd/forward.h"

#include <errno.h>

#include "tests/unit/unit.h"

START_TEST(one_port_or_many_lead_to_one_of_the_guest)
{
	struct forward f;

	ck_assert_int_eq(forward_parse("tcp:2222:22", &f), 0);
	ck_assert(f.first == 2222 && f.last == 2222 && f.to == 22);
	ck_assert_int_eq(forward_parse("tcp:2200-2299:22", &f), 0);
	ck_assert(f.first == 2200 && f.last == 2299 && f.to == 22);
	ck_assert_int_eq(forward_parse("", &f), 0);
	ck_assert_uint_eq(f.to, 0);
}
END_TEST

START_TEST(anything_else_is_refused_and_changes_nothing)
{
	static const char *const bad[] = { "2222:22", "udp:1:2", "tcp:", "tcp:22", "tcp:0:22",
		"tcp:22:0", "tcp:70000:22", "tcp:3-2:22", "tcp:1-2-3:22", "tcp:1:2:3", "tcp:1:2 ",
		"tcp: 1:2", "tcp:-1:2" };
	struct forward f = { 1, 2, 3 };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(forward_parse(bad[i], &f) == -EINVAL, "%s", bad[i]);
	ck_assert(f.first == 1 && f.last == 2 && f.to == 3);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("forward");

	tcase_add_test(tc, one_port_or_many_lead_to_one_of_the_guest);
	tcase_add_test(tc, anything_else_is_refused_and_changes_nothing);
	return unit_run("forward", tc);
}
