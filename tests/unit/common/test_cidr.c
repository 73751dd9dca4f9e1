#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "common/cidr.h"

static const struct { const char *text, *canonical; uint32_t size; } good[] = {
	{ "10.0.0.0/8", "10.0.0.0/8", 1u << 24 },
	{ "10.1.2.3/16", "10.1.0.0/16", 65536 },
	{ "0.0.0.0/0", "0.0.0.0/0", 1u << 31 },
	{ "1.2.3.4/0", "0.0.0.0/0", 1u << 31 },
	{ "255.255.255.255/32", "255.255.255.255/32", 1 },
	{ "192.168.1.128/25", "192.168.1.128/25", 128 },
};

START_TEST(a_block_is_read_and_printed)
{
	char text[CIDR_TEXT_MAX];
	struct cidr c;

	ck_assert_int_eq(cidr_read(good[_i].text, &c), 0);
	cidr_print(&c, text);
	ck_assert_str_eq(text, good[_i].canonical);
	ck_assert_uint_eq(cidr_size(&c), good[_i].size);
}
END_TEST

static const char *const bad[] = { "", "/", "/8", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08",
	"10.0.0.0/-1", "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0/8", "10.0.0.0.0/8", "256.0.0.0/8",
	"10.0.0.0/8/8", "::/0", "10.0.0.0/888", "0000000010.0.0.0000000000/8" };

START_TEST(what_is_no_block_is_refused)
{
	struct cidr c = { 7, 7 };

	ck_assert_int_eq(cidr_read(bad[_i], &c), -EINVAL);
	ck_assert_uint_eq(c.base, 7);
}
END_TEST

static const struct { const char *a, *b; bool has, meets; } pairs[] = {
	{ "10.0.0.0/8", "10.1.0.0/16", true, true },
	{ "10.1.0.0/16", "10.0.0.0/8", false, true },
	{ "10.1.0.0/16", "10.1.0.0/16", true, true },
	{ "10.1.0.0/16", "10.2.0.0/16", false, false },
	{ "0.0.0.0/0", "1.2.3.4/32", true, true },
	{ "10.0.0.0/31", "10.0.0.2/31", false, false },
};

START_TEST(blocks_contain_and_meet_each_other)
{
	struct cidr a, b;

	ck_assert_int_eq(cidr_read(pairs[_i].a, &a), 0);
	ck_assert_int_eq(cidr_read(pairs[_i].b, &b), 0);
	ck_assert_int_eq(cidr_has(&a, &b), pairs[_i].has);
	ck_assert_int_eq(cidr_meets(&a, &b), pairs[_i].meets);
	ck_assert_int_eq(cidr_meets(&b, &a), pairs[_i].meets);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("cidr");
	TCase *t = tcase_create("cidr");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_loop_test(t, a_block_is_read_and_printed, 0, (int)ARRAY_LEN(good));
	tcase_add_loop_test(t, what_is_no_block_is_refused, 0, (int)ARRAY_LEN(bad));
	tcase_add_loop_test(t, blocks_contain_and_meet_each_other, 0, (int)ARRAY_LEN(pairs));
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
