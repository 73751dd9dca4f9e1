#include "common/types.h"

#include <check.h>
#include <errno.h>
#include <string.h>

START_TEST(the_shipped_table_is_read)
{
	struct types t = { 0 };
	char why[256] = "";
	const struct type *micro, *m1;

	ck_assert_msg(types_load("etc/instance-types", &t, why, sizeof(why)) == 0, "%s", why);
	micro = types_find(&t, "t3.micro");
	ck_assert(micro && micro->vcpus == 2 && micro->memory_mib == 1024 && micro->burstable &&
	    micro->offered && strcmp(micro->arch, "x86_64") == 0);
	m1 = types_find(&t, "m1.small");
	ck_assert(m1 && !m1->offered && !m1->current);
	ck_assert_str_eq(types_find(&t, "m6g.large")->arch, "arm64");
	ck_assert_ptr_null(types_find(&t, "t3"));
	types_deinit(&t);
}
END_TEST

static const struct {
	const char *text, *why;
} bad[] = {
	{ "# nothing\n\n", "line 3: expected at least one type" },
	{ "t3.nano x86_64 2 2 512 yes current\n", "line 1: expected 8 columns" },
	{ "t3.nano x86_64 2 2 512 yes current yes x\n", "line 1: expected 8 columns" },
	{ "\nT3 x86_64 2 2 512 yes current yes", "line 2: expected a type's name" },
	{ "t3.nano mips 2 2 512 yes current yes", "x86_64 or arm64" },
	{ "t3.nano x86_64 0 2 512 yes current yes", "vCPUs" },
	{ "t3.nano x86_64 -2 2 512 yes current yes", "vCPUs" },
	{ "t3.nano x86_64 3 2 512 yes current yes", "divisor" },
	{ "t3.nano x86_64 2 2 99999999999999999999 yes current yes", "memory" },
	{ "t3.nano x86_64 2 2 512 maybe current yes", "burstable" },
	{ "t3.nano x86_64 2 2 512 yes new yes", "generation" },
	{ "t3.nano x86_64 2 2 512 yes current 1", "offered" },
	{ "a x86_64 2 2 512 yes current yes\na x86_64 2 2 512 yes current yes", "line 2: expected each" },
};

START_TEST(a_wrong_row_is_named_by_its_line)
{
	struct types t = { .n = 99 };
	char why[256] = "";

	ck_assert_int_eq(types_parse(bad[_i].text, strlen(bad[_i].text), &t, why, sizeof(why)),
	    -EINVAL);
	ck_assert_msg(strstr(why, bad[_i].why), "row %d says: %s", _i, why);
	ck_assert_uint_eq(t.n, 99);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
	struct types t;
	char why[256] = "";

	ck_assert_int_eq(types_load("/nonexistent/types", &t, why, sizeof(why)), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why, "/nonexistent/types"));
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("types");
	TCase *tc = tcase_create("types");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, the_shipped_table_is_read);
	tcase_add_loop_test(tc, a_wrong_row_is_named_by_its_line, 0, (int)ARRAY_LEN(bad));
	tcase_add_test(tc, a_missing_file_is_named);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
