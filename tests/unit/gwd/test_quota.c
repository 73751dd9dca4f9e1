#include <check.h>
#include <stdlib.h>

#include "gwd/quota.h"

static struct type rows[] = {
	{ .name = "m5.xlarge", .arch = "x86_64", .vcpus = 4, .threads = 2 },
	{ .name = "t3.micro", .arch = "x86_64", .vcpus = 2, .threads = 2 },
};
static const struct types types = { .row = rows, .n = 2 };

#define INSTANCE(account, type, s)	{ .account_id = account, .instance_type = type, .state = s }

START_TEST(vcpus_are_counted_from_records)
{
	const struct instance records[] = {
		INSTANCE("000000000001", "m5.xlarge", INSTANCE_RUNNING),
		INSTANCE("000000000001", "t3.micro", INSTANCE_STOPPED),
		INSTANCE("000000000001", "m5.xlarge", INSTANCE_TERMINATED),
		INSTANCE("000000000002", "m5.xlarge", INSTANCE_RUNNING),
		INSTANCE("000000000001", "x9.gone", INSTANCE_PENDING),
	};

	ck_assert_uint_eq(quota_used(records, 5, "000000000001", &types), 7);
	ck_assert_uint_eq(quota_used(records, 5, "000000000002", &types), 4);
	ck_assert_uint_eq(quota_used(records, 5, "000000000003", &types), 0);
}
END_TEST

START_TEST(a_limit_leaves_what_fits_or_nothing)
{
	ck_assert_uint_eq(quota_leaves(8, 0, 2, 1, 10), 4);
	ck_assert_uint_eq(quota_leaves(8, 7, 2, 1, 10), 0);
	ck_assert_uint_eq(quota_leaves(8, 6, 2, 1, 10), 1);
	ck_assert_uint_eq(quota_leaves(8, 0, 2, 5, 10), 0);
	ck_assert_uint_eq(quota_leaves(8, 0, 2, 1, 3), 3);
	ck_assert_uint_eq(quota_leaves(8, 100, 2, 1, 3), 0);
	ck_assert_uint_eq(quota_leaves(8, 8, 2, 1, 3), 0);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("quota");
	TCase *t = tcase_create("quota");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_test(t, vcpus_are_counted_from_records);
	tcase_add_test(t, a_limit_leaves_what_fits_or_nothing);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
