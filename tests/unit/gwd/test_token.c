#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/token.h"

struct judge_case {
	bool			 exists, same;
	size_t			 n;
	enum token_instance	 instances[3];
	enum token_verdict	 verdict;
};
static const struct judge_case judge_cases[] = {
	{ false, false, 0, { 0 }, TOKEN_FRESH },
	{ true, false, 1, { TOKEN_THERE }, TOKEN_OTHER },
	{ true, false, 1, { TOKEN_TERMINATED }, TOKEN_OTHER },
	{ true, false, 1, { TOKEN_NEVER }, TOKEN_OTHER },
	{ true, true, 1, { TOKEN_THERE }, TOKEN_ANSWER },
	{ true, true, 1, { TOKEN_NEVER }, TOKEN_RESEND },
	{ true, true, 1, { TOKEN_TERMINATED }, TOKEN_DEAD },
	{ true, true, 1, { TOKEN_GONE }, TOKEN_DEAD },
	{ true, true, 3, { TOKEN_THERE, TOKEN_THERE, TOKEN_THERE }, TOKEN_ANSWER },
	{ true, true, 3, { TOKEN_THERE, TOKEN_NEVER, TOKEN_THERE }, TOKEN_RESEND },
	{ true, true, 3, { TOKEN_TERMINATED, TOKEN_THERE, TOKEN_GONE }, TOKEN_ANSWER },
	{ true, true, 3, { TOKEN_TERMINATED, TOKEN_GONE, TOKEN_GONE }, TOKEN_DEAD },
	{ true, true, 3, { TOKEN_TERMINATED, TOKEN_NEVER, TOKEN_GONE }, TOKEN_RESEND },
};

START_TEST(a_token_is_judged_as_the_table_says_6)
{
	const struct judge_case *c = &judge_cases[_i];
	struct token_found f = { c->exists, c->same, c->instances, c->n };

	ck_assert_int_eq(token_judge(&f), c->verdict);
}
END_TEST

START_TEST(a_token_is_printable_and_short_6)
{
	char text[TOKEN_TEXT_MAX + 2];

	memset(text, 'x', sizeof(text));
	text[TOKEN_TEXT_MAX] = '\0';
	ck_assert(token_is_valid(text));
	text[TOKEN_TEXT_MAX] = 'x';
	text[TOKEN_TEXT_MAX + 1] = '\0';
	ck_assert(!token_is_valid(text));
	ck_assert(!token_is_valid(""));
	ck_assert(!token_is_valid("a\nb"));
	ck_assert(!token_is_valid("a\x7f"));
	ck_assert(!token_is_valid("caf\xc3\xa9"));
	ck_assert(token_is_valid("a b~!/+%"));
}
END_TEST

START_TEST(a_token_is_its_account_s_own)
{
	char a[TOKEN_KEY_MAX], b[TOKEN_KEY_MAX];

	token_key("000000000001", "abc", a);
	token_key("000000000002", "abc", b);
	ck_assert_str_eq(a, "000000000001."
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	ck_assert_str_ne(a, b);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("token");
	TCase *t = tcase_create("token");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, a_token_is_judged_as_the_table_says_6, 0,
	    (int)ARRAY_LEN(judge_cases));
	tcase_add_test(t, a_token_is_printable_and_short_6);
	tcase_add_test(t, a_token_is_its_account_s_own);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
