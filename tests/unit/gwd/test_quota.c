#include <check.h>
#include <stdlib.h>

#include "gwd/quota.h"
#include "gwd/usage_count.h"
#include "tests/unit/common/fake_cas.h"

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

START_TEST(each_account_has_its_sum)
{
	const struct instance records[] = {
		INSTANCE("000000000002", "m5.xlarge", INSTANCE_RUNNING),
		INSTANCE("000000000001", "m5.xlarge", INSTANCE_RUNNING),
		INSTANCE("000000000003", "m5.xlarge", INSTANCE_TERMINATED),
		INSTANCE("000000000001", "t3.micro", INSTANCE_STOPPED),
	};
	struct usage_sum *sums, *none;
	size_t n;

	ck_assert_int_eq(usage_sums(records, 4, &types, &sums, &n), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_uint_eq(usage_of(sums, n, "000000000001"), 6);
	ck_assert_uint_eq(usage_of(sums, n, "000000000002"), 4);
	ck_assert_uint_eq(usage_of(sums, n, "000000000003"), 0);
	ck_assert_uint_eq(usage_of(sums, n, "000000000004"), 0);
	ck_assert_int_eq(usage_sums(NULL, 0, &types, &none, &n), 0);
	ck_assert_uint_eq(n, 0);
	free(sums);
	free(none);
}
END_TEST

#define ACCOUNT	"000000000001"

START_TEST(a_count_is_written_where_it_differs)
{
	struct fake_cas f;
	bool changed;

	fake_init(&f);
	f.takes_markers = true;
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 4, &changed), CAS_OK);
	ck_assert(changed);
	ck_assert_str_eq(fake_entry(&f, ACCOUNT)->value, "4");
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 4, &changed), CAS_OK);
	ck_assert(!changed);
	ck_assert_uint_eq(f.swaps, 1);
	fake_put(&f, ACCOUNT, "four");
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 0, &changed), CAS_OK);
	ck_assert_str_eq(fake_entry(&f, ACCOUNT)->value, "0");
	fake_put(&f, ACCOUNT, NULL);
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 2, &changed), CAS_OK);
	ck_assert_str_eq(fake_entry(&f, ACCOUNT)->value, "2");
}
END_TEST

static void
a_rival_writes(struct fake_cas *f)
{
	fake_put(f, ACCOUNT, "9");
}

START_TEST(a_count_that_meets_anothers_is_left_to_the_next)
{
	struct fake_cas f;
	bool changed;

	fake_init(&f);
	fake_put(&f, ACCOUNT, "8");
	f.hook = a_rival_writes;
	f.hooks = 1;
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 4, &changed), CAS_LOST);
	ck_assert(!changed);
	ck_assert_str_eq(fake_entry(&f, ACCOUNT)->value, "9");
	f.load_fault = CAS_UNAVAILABLE;
	ck_assert_int_eq(usage_set(&f.cas, ACCOUNT, 4, &changed), CAS_UNAVAILABLE);
	ck_assert(!changed);
}
END_TEST

static bool
while_there_is_room(void *arg)
{
	unsigned *left = arg;

	return *left > 0 && (*left)--;
}

static void
nothing_to_say(void *arg, const char *account, uint64_t vcpus)
{
}

/* The lease quota.reconcile is lost between two writes: the rest is the next holder's. */
START_TEST(a_count_ends_where_its_lease_does)
{
	static const struct usage_sum sums[] = { { "000000000001", 4 }, { "000000000002", 6 } };
	char gone[] = "000000000003", *keys[] = { gone };
	unsigned left = 1;
	const struct usage_count c = { sums, ARRAY_LEN(sums), while_there_is_room, nothing_to_say, &left };
	struct fake_cas f;

	fake_init(&f);
	fake_put(&f, "000000000002", "1");
	fake_put(&f, gone, "2");
	ck_assert_int_eq(usage_write(&f.cas, &c, keys, 1), CAS_OK);
	ck_assert_str_eq(fake_entry(&f, "000000000001")->value, "4");
	ck_assert_str_eq(fake_entry(&f, "000000000002")->value, "1");
	ck_assert_str_eq(fake_entry(&f, gone)->value, "2");
	left = 3;
	ck_assert_int_eq(usage_write(&f.cas, &c, keys, 1), CAS_OK);
	ck_assert_str_eq(fake_entry(&f, "000000000002")->value, "6");
	ck_assert_str_eq(fake_entry(&f, gone)->value, "0");
	ck_assert_uint_eq(left, 0);
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
	tcase_add_test(t, a_count_ends_where_its_lease_does);
	tcase_add_test(t, a_limit_leaves_what_fits_or_nothing);
	tcase_add_test(t, each_account_has_its_sum);
	tcase_add_test(t, a_count_is_written_where_it_differs);
	tcase_add_test(t, a_count_that_meets_anothers_is_left_to_the_next);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
