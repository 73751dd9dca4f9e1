#include "gwd/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/text.h"
#include "tests/unit/unit.h"

static int
parse(struct query *q, const char *text)
{
	char why[QUERY_WHY_MAX] = "";
	const int r = query_parse(q, text, strlen(text), why);

	ck_assert_int_eq(r == -EINVAL, *why != '\0');
	return r;
}

struct decoded {
	const char	*text;
	const char	*name, *value;		/* of the only parameter */
};
static const struct decoded decoded[] = {
	{ "a=b", "a", "b" },
	{ "a=", "a", "" },
	{ "a", "a", "" },
	{ "&&a=b&", "a", "b" },
	{ "a=b=c", "a", "b=c" },
	{ "a=b+c", "a", "b c" },
	{ "a=%2B%20%25%26%3d", "a", "+ %&=" },
	{ "a%2e1=%c3%A9", "a.1", "\xc3\xa9" },
	{ "a=%09%0a%0D", "a", "\t\n\r" },
	{ "a=\xf0\x9f\x98\x80", "a", "\xf0\x9f\x98\x80" },
};

START_TEST(text_is_decoded_as_a_form)
{
	AUTO(query) struct query q = { .n = 0 };

	ck_assert_int_eq(parse(&q, decoded[_i].text), 0);
	ck_assert_uint_eq(q.n, 1);
	ck_assert_str_eq(q.params[0].name, decoded[_i].name);
	ck_assert_str_eq(q.params[0].value, decoded[_i].value);
}
END_TEST

static const char *const refused[] = {
	"a=%", "a=%4", "a=%4x", "a=%x4", "%=a", "a=%%41", "a=b%", "=b", "a=%00", "a=%80", "a=%c3",
	"a=%c0%80", "a=%ed%a0%80", "a=%f4%90%80%80", "a=%ef%bf%bf", "a=%01", "a=%7f%1f", "a=\xff",
	"a=b&%zz=1",
};

START_TEST(a_form_that_is_not_text_is_refused_and_leaves_nothing)
{
	AUTO(query) struct query q = { .n = 0 };

	ck_assert_int_eq(parse(&q, "kept=1"), 0);
	ck_assert_msg(parse(&q, refused[_i]) == -EINVAL, "%s", refused[_i]);
	ck_assert_uint_eq(q.n, 1);
	ck_assert_str_eq(query_get(&q, "kept"), "1");
}
END_TEST

START_TEST(url_and_body_are_read_into_one)
{
	AUTO(query) struct query q = { .n = 0 };

	ck_assert_int_eq(parse(&q, ""), 0);
	ck_assert_int_eq(parse(&q, "a=1&b=2"), 0);
	ck_assert_int_eq(parse(&q, "c=3"), 0);
	ck_assert_uint_eq(q.n, 3);
	ck_assert_str_eq(query_get(&q, "b"), "2");
	ck_assert_str_eq(query_get(&q, "c"), "3");
	ck_assert_ptr_null(query_get(&q, "B"));
}
END_TEST

START_TEST(parameters_and_names_have_ceilings)
{
	AUTO(query) struct query q = { .n = 0 };
	AUTO(mem) void *mem = malloc(2 * QUERY_PARAMS_MAX + 3);
	char *text = mem, name[QUERY_NAME_MAX + 2];

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i <= QUERY_PARAMS_MAX; i++)
		memcpy(text + 2 * i, "a&", 2);
	text[2 * QUERY_PARAMS_MAX + 1] = '\0';		/* one too many */
	ck_assert_int_eq(parse(&q, text), -EINVAL);
	text[2 * QUERY_PARAMS_MAX - 1] = '\0';		/* exactly */
	ck_assert_int_eq(parse(&q, text), 0);
	ck_assert_uint_eq(q.n, QUERY_PARAMS_MAX);
	query_deinit(&q);
	memset(name, 'a', sizeof(name));
	name[QUERY_NAME_MAX + 1] = '\0';
	ck_assert_int_eq(parse(&q, name), -EINVAL);
	name[QUERY_NAME_MAX] = '\0';
	ck_assert_int_eq(parse(&q, name), 0);
}
END_TEST

START_TEST(names_sort_by_component_and_numbers_by_value)
{
	static const char *const want[] = { "Filter.1.Name", "Filter.1.Value.1", "Filter.1.Value.2",
	    "Filter.1.Value.10", "Filter.2.Name", "Filter.10.Name", "Filter-a", "FilterX", "Z",
	    "Z.1" };
	AUTO(query) struct query q = { .n = 0 };

	ck_assert_int_eq(parse(&q, "Z.1&Filter.10.Name&FilterX&Filter.1.Value.10&Filter.2.Name&Z&"
	    "Filter.1.Value.2&Filter-a&Filter.1.Name&Filter.1.Value.1"), 0);
	query_sort(&q);
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		ck_assert_str_eq(q.params[i].name, want[i]);
}
END_TEST

START_TEST(equal_names_keep_their_order)
{
	AUTO(query) struct query q = { .n = 0 };

	ck_assert_int_eq(parse(&q, "b=9&a=1&a=2&a=3"), 0);
	query_sort(&q);
	ck_assert_str_eq(q.params[0].value, "1");
	ck_assert_str_eq(q.params[1].value, "2");
	ck_assert_str_eq(q.params[2].value, "3");
}
END_TEST

START_TEST(a_character_is_what_xml_can_carry)
{
	ck_assert_uint_eq(text_char("", 0), 0);
	ck_assert_uint_eq(text_char("a", 1), 1);
	ck_assert_uint_eq(text_char("\xc3\xa9", 2), 2);
	ck_assert_uint_eq(text_char("\xc3\xa9", 1), 0);
	ck_assert_uint_eq(text_char("\xe2\x82\xac", 3), 3);
	ck_assert_uint_eq(text_char("\xe0\x82\xac", 3), 0);	/* overlong */
	ck_assert_uint_eq(text_char("\xf0\x8f\xbf\xbf", 4), 0);	/* overlong */
	ck_assert_uint_eq(text_char("\xf4\x8f\xbf\xbf", 4), 4);
	ck_assert_uint_eq(text_char("\xef\xbf\xbe", 3), 0);	/* U+FFFE */
	ck_assert_uint_eq(text_char("\0", 1), 0);
	ck_assert(text_is_plain("", 0));
	ck_assert(!text_is_plain("a\x1b[31m", 6));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("query");

	tcase_add_loop_test(tc, text_is_decoded_as_a_form, 0, (int)ARRAY_LEN(decoded));
	tcase_add_loop_test(tc, a_form_that_is_not_text_is_refused_and_leaves_nothing, 0,
	    (int)ARRAY_LEN(refused));
	tcase_add_test(tc, url_and_body_are_read_into_one);
	tcase_add_test(tc, parameters_and_names_have_ceilings);
	tcase_add_test(tc, names_sort_by_component_and_numbers_by_value);
	tcase_add_test(tc, equal_names_keep_their_order);
	tcase_add_test(tc, a_character_is_what_xml_can_carry);
	return unit_run("query", tc);
}
