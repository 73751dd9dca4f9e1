#include "common/cas.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

static const struct {
	const char	*key;
	bool		 is_key, is_prefix;
} keys[] = {
	{ "uefi.i-1", true, false },
	{ "eks.cluster.123/prod/teardown", true, false },
	{ "a", true, false },
	{ "A_b=c-9", true, false },
	{ "uefi.", false, true },
	{ "a.b.", false, true },
	{ "", false, false },
	{ ".", false, false },
	{ ".a", false, false },
	{ ".a.", false, false },
	{ "a..b", false, false },
	{ "a..", false, false },
	{ "_version", false, false },
	{ "_x.", false, false },
	{ "a.*", false, false },
	{ "a.>", false, false },
	{ "a b", false, false },
	{ "a\r\nb", false, false },
	{ "a\"b", false, false },
	{ "\xc3\xa4", false, false },
};

START_TEST(keys_and_prefixes_are_told_from_others_60)
{
	ck_assert_int_eq(cas_key_is_valid(keys[_i].key), keys[_i].is_key);
	ck_assert_int_eq(cas_prefix_is_valid(keys[_i].key), keys[_i].is_prefix);
}
END_TEST

START_TEST(a_key_has_at_most_200_bytes_60)
{
	char key[CAS_KEY_MAX + 2];

	memset(key, 'k', sizeof(key));
	key[CAS_KEY_MAX] = '\0';
	ck_assert(cas_key_is_valid(key));
	key[CAS_KEY_MAX] = 'k';
	key[CAS_KEY_MAX + 1] = '\0';
	ck_assert(!cas_key_is_valid(key));
	ck_assert(!cas_key_is_valid(NULL));
}
END_TEST

static int
parse(const char *text, struct cas_token *t)
{
	return cas_token_parse(text, strlen(text), 7, t);
}

START_TEST(a_token_is_a_holder_and_a_generation)
{
	struct cas_token t;

	ck_assert_int_eq(parse("{\"holder\":\"node-a\",\"generation\":18446744073709551615}", &t), 0);
	ck_assert_str_eq(t.holder, "node-a");
	ck_assert_uint_eq(t.generation, UINT64_MAX);
}
END_TEST

static const char *const young[] = {
	"{\"holder\":\"a\",\"generation\":0}", "{\"holder\":\"a\"}",
	"{\"holder\":\"a\",\"generation\":null}", "{\"holder\":\"a\",\"later\":{\"x\":[1]}}",
};

START_TEST(a_generation_that_is_not_stored_is_the_revision)
{
	struct cas_token t;

	ck_assert_int_eq(parse(young[_i], &t), 0);
	ck_assert_uint_eq(t.generation, 7);
}
END_TEST

static const char *const corrupt[] = {
	"", "node-a", "[]", "{}", "{\"holder\":\"\"}", "{\"holder\":1}", "{\"holder\":\"a\"", "null",
	"{\"holder\":\"a\",\"generation\":\"5\"}", "{\"holder\":\"a\",\"generation\":-1}",
	"{\"holder\":\"a\",\"generation\":1.5}", "{\"holder\":\"a\",\"generation\":1e3}",
	"{\"holder\":\"a\",\"generation\":18446744073709551616}",
	"{\"holder\":\"a\",\"holder\":\"b\"}", "{\"holder\":\"a\"} x",
	"{\"holder\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
};

START_TEST(what_is_no_token_is_corrupt)
{
	struct cas_token t = { .holder = "untouched" };

	ck_assert_int_lt(parse(corrupt[_i], &t), 0);
	ck_assert_str_eq(t.holder, "untouched");
}
END_TEST

START_TEST(a_token_prints_and_parses_to_itself)
{
	struct cas_token t = { .holder = "no\"de\\a", .generation = UINT64_MAX - 1 }, again;
	char text[256];
	int n = cas_token_print(&t, text, sizeof(text));

	ck_assert_int_gt(n, 0);
	ck_assert_uint_eq((size_t)n, strlen(text));
	ck_assert_int_eq(cas_token_parse(text, (size_t)n, 1, &again), 0);
	ck_assert_str_eq(again.holder, t.holder);
	ck_assert_uint_eq(again.generation, t.generation);
}
END_TEST

START_TEST(a_token_keeps_the_form_of_the_cluster)
{
	struct cas_token t = { .holder = "node-a" };
	char text[64];

	ck_assert_int_gt(cas_token_print(&t, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "{\"holder\":\"node-a\",\"generation\":0}");
	ck_assert_int_lt(cas_token_print(&t, text, 10), 0);
}
END_TEST

START_TEST(every_result_has_words)
{
	for (int i = 0; i < CAS_RESULTS; i++)
		ck_assert_ptr_nonnull(cas_result_text((enum cas_result)i));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("cas");

	tcase_add_loop_test(tc, keys_and_prefixes_are_told_from_others_60, 0, ARRAY_LEN(keys));
	tcase_add_test(tc, a_key_has_at_most_200_bytes_60);
	tcase_add_test(tc, a_token_is_a_holder_and_a_generation);
	tcase_add_loop_test(tc, a_generation_that_is_not_stored_is_the_revision, 0,
	    ARRAY_LEN(young));
	tcase_add_loop_test(tc, what_is_no_token_is_corrupt, 0, ARRAY_LEN(corrupt));
	tcase_add_test(tc, a_token_prints_and_parses_to_itself);
	tcase_add_test(tc, a_token_keeps_the_form_of_the_cluster);
	tcase_add_test(tc, every_result_has_words);
	return unit_run("cas", tc);
}
