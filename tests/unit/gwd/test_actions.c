#include "gwd/action.h"

#include <string.h>

#include "gwd/names_ec2.h"
#include "tests/unit/unit.h"

START_TEST(rows_are_sorted_and_found)
{
	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i], *b = a - 1;

		if (i > 0)
			ck_assert_msg(b->api < a->api || (b->api == a->api &&
			    strcmp(b->name, a->name) < 0), "%s", a->name);
		ck_assert_ptr_eq(action_find(a->api, a->name), a);
		ck_assert(action_is_known(a->api, a->name));
		ck_assert(a->fn != NULL);
		ck_assert_ptr_nonnull(a->in);
	}
}
END_TEST

START_TEST(names_are_sorted_and_exact)
{
	for (size_t i = 1; i < nnames_ec2; i++)
		ck_assert_str_lt(names_ec2[i - 1], names_ec2[i]);
	for (size_t i = 1; i < nnames_sts; i++)
		ck_assert_str_lt(names_sts[i - 1], names_sts[i]);
	ck_assert(action_is_known(API_EC2, "DescribeHosts"));
	ck_assert(!action_is_known(API_EC2, "describehosts"));
	ck_assert(!action_is_known(API_EC2, "DescribeHost"));
	ck_assert(!action_is_known(API_EC2, ""));
	ck_assert(!action_is_known(API_EC2, "GetCallerIdentity"));
	ck_assert(action_is_known(API_STS, "AssumeRole"));
	ck_assert_ptr_null(action_find(API_EC2, "DescribeHosts"));
	ck_assert_ptr_null(action_find(API_STS, "DescribeRegions"));
}
END_TEST

/* What changes something by its name must say so in its row: DryRun and tokens hang on it. */
START_TEST(a_row_that_changes_something_says_so)
{
	static const char *const reads[] = { "Describe", "Get" };

	for (size_t i = 0; i < nactions; i++) {
		bool is_read = false;

		for (size_t j = 0; j < ARRAY_LEN(reads); j++)
			is_read |= !strncmp(actions[i].name, reads[j], strlen(reads[j]));
		ck_assert_msg(is_read == !(actions[i].flags & ACTION_MUTATES), "%s",
		    actions[i].name);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("actions");

	tcase_add_test(tc, rows_are_sorted_and_found);
	tcase_add_test(tc, names_are_sorted_and_exact);
	tcase_add_test(tc, a_row_that_changes_something_says_so);
	return unit_run("actions", tc);
}
