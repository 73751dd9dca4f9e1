#include "common/ident.h"

#include <string.h>

#include "common/cleanup.h"
#include "tests/unit/unit.h"

START_TEST(a_uuid_is_a_version_4_uuid_and_new_each_time)
{
	char a[IDENT_UUID_LEN + 1], b[IDENT_UUID_LEN + 1];

	for (int i = 0; i < 1000; i++) {
		ident_uuid(a);
		ident_uuid(b);
		ck_assert(ident_is_uuid4(a));
		ck_assert_str_ne(a, b);
	}
}
END_TEST

START_TEST(a_nonce_is_22_token_characters_and_uses_them_all)
{
	char n[IDENT_NONCE_LEN + 1];
	bool seen[256] = { false };
	int kinds = 0;

	for (int i = 0; i < 1000; i++) {
		ident_nonce(n);
		ck_assert_uint_eq(strlen(n), IDENT_NONCE_LEN);
		ck_assert(ident_is_token(n));
		for (size_t k = 0; k + 1 < IDENT_NONCE_LEN; k++)
			seen[(unsigned char)n[k]] = true;
	}
	for (int i = 0; i < 256; i++)
		kinds += seen[i];
	ck_assert_int_eq(kinds, 64);
}
END_TEST

START_TEST(an_ec2_id_is_its_prefix_and_17_digits)
{
	char id[23], again[23];

	ident_ec2("i", id, 20);
	ck_assert(ident_is_ec2(id, "i"));
	ck_assert_uint_eq(strlen(id), 19);
	ident_ec2("vol", id, 22);
	ident_ec2("vol", again, sizeof(again));
	ck_assert(ident_is_ec2(id, "vol"));
	ck_assert_str_ne(id, again);
}
END_TEST

START_TEST(an_ec2_id_that_does_not_fit_aborts)
{
	char id[19];

	ident_ec2("i", id, sizeof(id));
}
END_TEST

static const struct {
	const char	*s, *prefix;
	bool		 is;
} ec2_ids[] = {
	{ "i-0123456789abcdef0", "i", true },
	{ "i-01234567", "i", true },
	{ "ami-0123456789abcdef0", "ami", true },
	{ "i-0123456789abcdef", "i", false },
	{ "i-0123456789abcdef01", "i", false },
	{ "i-0123456789ABCDEF0", "i", false },
	{ "i-0123456789abcdeg0", "i", false },
	{ "i0123456789abcdef0", "i", false },
	{ "ami-0123456789abcdef0", "i", false },
	{ "i-", "i", false },
	{ "", "i", false },
	{ "i", "i", false },
	{ "i-0123456789abcdef0 ", "i", false },
};

START_TEST(ec2_ids_are_told_from_others)
{
	ck_assert_int_eq(ident_is_ec2(ec2_ids[_i].s, ec2_ids[_i].prefix), ec2_ids[_i].is);
}
END_TEST

static const struct {
	const char	*s;
	bool		 is;
} uuids[] = {
	{ "8c1f0f6e-2d1e-4d0c-9a5b-1b9d7f2f4f01", true },
	{ "8c1f0f6e-2d1e-4d0c-ba5b-1b9d7f2f4f01", true },
	{ "8c1f0f6e-2d1e-5d0c-9a5b-1b9d7f2f4f01", false },
	{ "8c1f0f6e-2d1e-4d0c-ca5b-1b9d7f2f4f01", false },
	{ "8C1f0f6e-2d1e-4d0c-9a5b-1b9d7f2f4f01", false },
	{ "8c1f0f6e-2d1e-4d0c-9a5b-1b9d7f2f4f0", false },
	{ "8c1f0f6e-2d1e-4d0c-9a5b-1b9d7f2f4f012", false },
	{ "8c1f0f6e02d1e-4d0c-9a5b-1b9d7f2f4f01", false },
	{ "", false },
};

START_TEST(uuids_are_told_from_others)
{
	ck_assert_int_eq(ident_is_uuid4(uuids[_i].s), uuids[_i].is);
}
END_TEST

START_TEST(a_token_has_1_to_64_safe_characters)
{
	char longest[66];

	memset(longest, 'a', sizeof(longest));
	longest[64] = '\0';
	ck_assert(ident_is_token(longest));
	longest[64] = 'a';
	longest[65] = '\0';
	ck_assert(!ident_is_token(longest));
	ck_assert(ident_is_token("Node_1-b"));
	ck_assert(!ident_is_token(""));
	ck_assert(!ident_is_token("a.b"));
	ck_assert(!ident_is_token("a b"));
	ck_assert(!ident_is_token("a*"));
	ck_assert(!ident_is_token("\xc3\xa4"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("ident");

	tcase_add_test(tc, a_uuid_is_a_version_4_uuid_and_new_each_time);
	tcase_add_test(tc, a_nonce_is_22_token_characters_and_uses_them_all);
	tcase_add_test(tc, an_ec2_id_is_its_prefix_and_17_digits);
	tcase_add_test_raise_signal(tc, an_ec2_id_that_does_not_fit_aborts, 6);
	tcase_add_loop_test(tc, ec2_ids_are_told_from_others, 0, ARRAY_LEN(ec2_ids));
	tcase_add_loop_test(tc, uuids_are_told_from_others, 0, ARRAY_LEN(uuids));
	tcase_add_test(tc, a_token_has_1_to_64_safe_characters);
	return unit_run("ident", tc);
}
