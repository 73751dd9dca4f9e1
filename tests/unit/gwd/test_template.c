#include "gwd/template.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static const struct template_value values[] = {
	{ "a", "1" }, { "quote", "\"\\\n$a" }, { "none", NULL }, { "empty", "" },
};

static char *
filled(const char *text)
{
	AUTO(json) cJSON *tree = template_fill(text, values, ARRAY_LEN(values));

	ck_assert_ptr_nonnull(tree);
	return json_print(tree);
}

START_TEST(places_are_filled_wherever_they_are)
{
	AUTO(str) char *got = filled("{\"x\":\"$a\",\"y\":[\"$a\",{\"z\":\"$a\"}],\"n\":1,"
	    "\"b\":true,\"t\":\"a$a\",\"e\":\"$empty\"}");

	ck_assert_str_eq(got, "{\"x\":\"1\",\"y\":[\"1\",{\"z\":\"1\"}],\"n\":1,\"b\":true,"
	    "\"t\":\"a$a\",\"e\":\"\"}");
}
END_TEST

START_TEST(a_value_is_text_and_nothing_else)
{
	AUTO(str) char *got = filled("{\"x\":\"$quote\"}");

	ck_assert_str_eq(got, "{\"x\":\"\\\"\\\\\\n$a\"}");
}
END_TEST

START_TEST(what_has_no_value_goes)
{
	AUTO(str) char *got = filled("{\"x\":\"$none\",\"y\":[\"$none\",\"$a\"],\"z\":\"$none\"}");

	ck_assert_str_eq(got, "{\"y\":[\"1\"]}");
}
END_TEST

START_TEST(a_place_that_nobody_fills_aborts)
{
	(void)filled("{\"x\":\"$b\"}");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("template");

	tcase_add_test(tc, places_are_filled_wherever_they_are);
	tcase_add_test(tc, a_value_is_text_and_nothing_else);
	tcase_add_test(tc, what_has_no_value_goes);
	tcase_add_test_raise_signal(tc, a_place_that_nobody_fills_aborts, SIGABRT);
	return unit_run("template", tc);
}
