#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/glob.h"

struct glob_case {
	const char	*pattern, *text;
	bool		 match;
};
static const struct glob_case glob_cases[] = {
	{ "",			"",			true },
	{ "",			"a",			false },
	{ "running",		"running",		true },
	{ "running",		"Running",		false },
	{ "running",		"runnin",		false },
	{ "run",		"running",		false },
	{ "*",			"",			true },
	{ "*",			"anything",		true },
	{ "**",			"",			true },
	{ "run*",		"running",		true },
	{ "*ing",		"running",		true },
	{ "*ing",		"runing-ing",		true },
	{ "*nn*",		"running",		true },
	{ "r*n*g",		"running",		true },
	{ "r*x*g",		"running",		false },
	{ "?",			"",			false },
	{ "?",			"a",			true },
	{ "??",			"a",			false },
	{ "t?.micro",		"t3.micro",		true },
	{ "t?.micro",		"t33.micro",		false },
	{ "?",			"\xc3\xa9",		true },		/* one character, two bytes */
	{ "??",			"\xc3\xa9",		false },
	{ "*?x",		"\xe2\x82\xacx",	true },
	{ "caf?",		"caf\xc3\xa9",		true },
	{ "\\*",		"*",			true },
	{ "\\*",		"a",			false },
	{ "\\?",		"?",			true },
	{ "\\?",		"a",			false },
	{ "\\\\",		"\\",			true },
	{ "a\\*b*",		"a*bcd",		true },
	{ "a\\*b*",		"axbcd",		false },
	{ "*\\*",		"abc*",			true },
	{ "*\\*",		"abc",			false },
	{ "a\\",		"a\\",			true },
	{ "a\\",		"a",			false },
	{ "\\a",		"a",			true },
	{ "*a",			"aaaaab",		false },
	{ "a?b*c",		"axbyyc",		true },
};

START_TEST(a_pattern_matches_as_the_table_says)
{
	const struct glob_case *c = &glob_cases[_i];

	ck_assert_msg(glob_match(c->pattern, c->text) == c->match, "'%s' on '%s'", c->pattern,
	    c->text);
}
END_TEST

START_TEST(a_hostile_pattern_ends_soon)
{
	char pattern[512], text[4096];

	for (size_t i = 0; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	memcpy(pattern + sizeof(pattern) - 2, "b", 2);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert(!glob_match(pattern, text));
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("glob");
	TCase *t = tcase_create("glob");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, a_pattern_matches_as_the_table_says, 0,
	    (int)ARRAY_LEN(glob_cases));
	tcase_add_test(t, a_hostile_pattern_ends_soon);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
