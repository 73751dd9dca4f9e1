#include "common/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "tests/unit/unit.h"

static int
parse(const char *text, cJSON **ret, char *why)
{
	return json_parse(text, strlen(text), 65536, ret, why);
}

static const char *const well_formed[] = {
	"{}", "[]", "0", "-0", "true", "false", "null", "\"\"", " \t\r\n1 ", "[1,2,3]",
	"{\"a\":{\"b\":[{},[]]}}", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"",
	"\"\\ud83d\\ude00\"", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"", "1.5e-3", "1E+2",
	"[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]", "\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"",
	"123456789012345678901234567890123456789012345678901234567890", "\"\x7f\"",
	"{\"a\":1,\"A\":2}",
};

START_TEST(well_formed_text_is_accepted)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX] = "";

	ck_assert_msg(parse(well_formed[_i], &tree, why) == 0, "%s: %s", well_formed[_i], why);
	ck_assert_ptr_nonnull(tree);
}
END_TEST

static const struct {
	const char	*text, *why;
} malformed[] = {
	{ "", "byte 0: expected a value" },
	{ "   ", "byte 3: expected a value" },
	{ "{", "byte 1: expected a member's name" },
	{ "[", "byte 1: expected a value" },
	{ "[1", "byte 2: expected a comma or ]" },
	{ "[1,]", "byte 3: expected a value" },
	{ "[,1]", "byte 1: expected a value" },
	{ "[1 2]", "byte 3: expected a comma or ]" },
	{ "{\"a\":1,}", "byte 7: expected a member's name" },
	{ "{\"a\"}", "byte 4: expected a colon" },
	{ "{\"a\":}", "byte 5: expected a value" },
	{ "{a:1}", "byte 1: expected a member's name" },
	{ "{\"a\":1 \"b\":2}", "byte 7: expected a comma or }" },
	{ "[1}", "byte 2: expected a comma or ]" },
	{ "{} {}", "byte 3: expected nothing after the value" },
	{ "{}x", "byte 2: expected nothing after the value" },
	{ "nul", "byte 0: expected a value" },
	{ "nullx", "byte 4: expected nothing after the value" },
	{ "True", "byte 0: expected a value" },
	{ "NaN", "byte 0: expected a value" },
	{ "Infinity", "byte 0: expected a value" },
	{ "'a'", "byte 0: expected a value" },
	{ "// x\n1", "byte 0: expected a value" },
	{ "\xef\xbb\xbf{}", "byte 0: expected a value" },
	{ "01", "byte 0: expected a number without a leading zero" },
	{ "-01", "byte 1: expected a number without a leading zero" },
	{ "+1", "byte 0: expected a value" },
	{ "-", "byte 1: expected a digit" },
	{ "1.", "byte 2: expected a digit" },
	{ ".5", "byte 0: expected a value" },
	{ "1e", "byte 2: expected a digit" },
	{ "1e+", "byte 3: expected a digit" },
	{ "0x10", "byte 1: expected nothing after the value" },
	{ "1e999", "byte 0: expected a number in range" },
	{ "-1e999", "byte 0: expected a number in range" },
	{ "1234567890123456789012345678901234567890123456789012345678901",
	  "byte 0: expected a number in range" },
	{ "\"", "byte 1: expected the end of a string" },
	{ "\"a", "byte 2: expected the end of a string" },
	{ "\"a\nb\"", "byte 2: expected no raw control character in a string" },
	{ "\"\x01\"", "byte 1: expected no raw control character in a string" },
	{ "\"\\\"", "byte 3: expected the end of a string" },
	{ "\"\\x\"", "byte 2: expected one of \" \\ / b f n r t u after a backslash" },
	{ "\"\\", "byte 2: expected one of \" \\ / b f n r t u after a backslash" },
	{ "\"\\u12\"", "byte 2: expected four hexadecimal digits after \\u" },
	{ "\"\\u12g4\"", "byte 2: expected four hexadecimal digits after \\u" },
	{ "\"\\u0000\"", "byte 2: expected no \\u0000 in a string" },
	{ "\"\\ud83d\"", "byte 7: expected the low half of a surrogate pair" },
	{ "\"\\ud83dx\"", "byte 7: expected the low half of a surrogate pair" },
	{ "\"\\ud83d\\u0041\"", "byte 7: expected the low half of a surrogate pair" },
	{ "\"\\ude00\"", "byte 2: expected the high half of a surrogate pair first" },
	{ "\"\x80\"", "byte 1: expected UTF-8" },
	{ "\"\xc3\"", "byte 1: expected UTF-8" },
	{ "\"\xc3", "byte 1: expected UTF-8" },
	{ "\"\xc0\xaf\"", "byte 1: expected UTF-8" },
	{ "\"\xe0\x9f\xbf\"", "byte 1: expected UTF-8" },
	{ "\"\xed\xa0\x80\"", "byte 1: expected UTF-8" },
	{ "\"\xf0\x8f\xbf\xbf\"", "byte 1: expected UTF-8" },
	{ "\"\xf4\x90\x80\x80\"", "byte 1: expected UTF-8" },
	{ "\"\xf5\x80\x80\x80\"", "byte 1: expected UTF-8" },
	{ "\"\xff\"", "byte 1: expected UTF-8" },
	{ "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", "byte 16: expected no deeper nesting" },
	{ "{\"a\":1,\"a\":2}", "expected no member's name twice in one object" },
	{ "{\"a\":1,\"\\u0061\":2}", "expected no member's name twice in one object" },
	{ "[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]",
	  "expected no member's name twice in one object" },
};

START_TEST(malformed_text_is_refused_with_its_place)
{
	cJSON *tree = NULL;
	char why[JSON_WHY_MAX] = "";

	ck_assert_int_eq(parse(malformed[_i].text, &tree, why), -EINVAL);
	ck_assert_str_eq(why, malformed[_i].why);
	ck_assert_ptr_null(tree);
}
END_TEST

START_TEST(a_raw_nul_byte_is_refused_anywhere)
{
	static const char texts[][5] = { "\"\0\"", "1\0", "\0", "{\0}", "[1,\0]" };
	static const size_t lens[] = { 3, 2, 1, 3, 5 };
	cJSON *tree = NULL;
	char why[JSON_WHY_MAX];

	for (size_t i = 0; i < ARRAY_LEN(lens); i++)
		ck_assert_int_eq(json_parse(texts[i], lens[i], 100, &tree, why), -EINVAL);
}
END_TEST

START_TEST(text_needs_no_nul_and_its_every_prefix_is_handled)
{
	static const char text[] = "{\"a\":[1,-2.5e3,\"\\ud83d\\ude00\xc3\xa4\",null,true],\"b\":{}}";
	size_t whole = sizeof(text) - 1;

	for (size_t n = 0; n <= whole; n++) {
		AUTO(mem) void *exact = malloc(n ? n : 1);
		AUTO(json) cJSON *tree = NULL;
		char why[JSON_WHY_MAX];

		ck_assert_ptr_nonnull(exact);
		memcpy(exact, text, n);
		ck_assert_int_eq(json_parse(exact, n, whole, &tree, why), n == whole ? 0 : -EINVAL);
	}
}
END_TEST

START_TEST(text_over_the_ceiling_is_refused_unread)
{
	cJSON *tree = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(json_parse("[1,2]", 5, 4, &tree, why), -EMSGSIZE);
	ck_assert_str_eq(why, "expected at most 4 bytes");
}
END_TEST

START_TEST(many_members_are_compared_and_one_twin_is_found)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1 << 20);
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];

	for (int i = 0; i < 5000; i++)
		buf_printf(&b, "%c\"k%d\":%d", i ? ',' : '{', i, i);
	ck_assert_int_eq(buf_add_str(&b, ",\"k2500\":0}"), 0);
	ck_assert_int_eq(json_parse(b.data, b.len, 1 << 20, &tree, why), -EINVAL);
	b.len -= strlen(",\"k2500\":0}");
	ck_assert_int_eq(buf_add_str(&b, "}"), 0);
	ck_assert_int_eq(json_parse(b.data, b.len, 1 << 20, &tree, why), 0);
}
END_TEST

static const struct {
	const char	*text;
	bool		 is;
	uint64_t	 v;
} integers[] = {
	{ "0", true, 0 },
	{ "1", true, 1 },
	{ "999999999999999", true, 999999999999999 },
	{ "1000000000000000", true, 1000000000000000 },
	{ "9007199254740991", true, 9007199254740991 },
	{ "9007199254740992", true, 9007199254740992 },
	{ "9007199254740993", true, 9007199254740993 },
	{ "9223372036854775807", true, 9223372036854775807 },
	{ "9223372036854775809", true, 9223372036854775809u },
	{ "18446744073709551614", true, UINT64_MAX - 1 },
	{ "18446744073709551615", true, UINT64_MAX },
	{ "18446744073709551616", false, 0 },
	{ "99999999999999999999999", false, 0 },
	{ "-1", false, 0 },
	{ "-9007199254740993", false, 0 },
	{ "1.0", false, 0 },
	{ "1.5", false, 0 },
	{ "1e3", false, 0 },
	{ "9007199254740993.0", false, 0 },
	{ "1.00000000000000000000000001", false, 0 },
	{ "\"1\"", false, 0 },
	{ "true", false, 0 },
	{ "null", false, 0 },
	{ "[1]", false, 0 },
};

START_TEST(integers_are_exact_over_all_of_u64_and_nothing_else_is_one)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];
	uint64_t v = 7;

	ck_assert_int_eq(parse(integers[_i].text, &tree, why), 0);
	ck_assert_int_eq(json_get_u64(tree, &v), integers[_i].is);
	ck_assert_uint_eq(v, integers[_i].is ? integers[_i].v : 7);
}
END_TEST

START_TEST(integers_print_as_they_came)
{
	static const char text[] = "{\"a\":9007199254740993,\"b\":[18446744073709551615,1,"
	    "123456789012345,-9223372036854775808],\"c\":99999999999999999999999,\"d\":0.5}";
	AUTO(json) cJSON *tree = NULL;
	AUTO(json) cJSON *copy = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(parse(text, &tree, why), 0);
	copy = cJSON_Duplicate(tree, 1);
	AUTO(str) char *printed = json_print(copy);

	ck_assert_str_eq(printed, text);
}
END_TEST

START_TEST(added_integers_print_and_read_exactly)
{
	static const uint64_t edges[] = {
		0, 1, UINT32_MAX, 999999999999999, 1000000000000000, 9007199254740991,
		9007199254740993, INT64_MAX, UINT64_MAX - 1, UINT64_MAX,
	};

	for (size_t i = 0; i < ARRAY_LEN(edges); i++) {
		AUTO(json) cJSON *obj = cJSON_CreateObject();
		AUTO(json) cJSON *back = NULL;
		char expect[80], why[JSON_WHY_MAX];
		uint64_t v;

		ck_assert(json_add_u64(obj, "n", edges[i]));
		ck_assert(json_add_u64_str(obj, "s", edges[i]));
		ck_assert(json_get_u64(json_member(obj, "n"), &v));
		ck_assert_uint_eq(v, edges[i]);
		AUTO(str) char *text = json_print(obj);

		snprintf(expect, sizeof(expect), "{\"n\":%llu,\"s\":\"%llu\"}",
		    (unsigned long long)edges[i], (unsigned long long)edges[i]);
		ck_assert_str_eq(text, expect);
		ck_assert_int_eq(parse(text, &back, why), 0);
		ck_assert(json_get_u64(json_member(back, "n"), &v));
		ck_assert_uint_eq(v, edges[i]);
		ck_assert(json_get_u64_str(json_member(back, "s"), &v));
		ck_assert_uint_eq(v, edges[i]);
	}
}
END_TEST

START_TEST(digits_in_a_string_are_canonical_or_refused)
{
	static const char *const bad[] = {
		"\"\"", "\"01\"", "\"+1\"", "\"-1\"", "\" 1\"", "\"1 \"", "\"1x\"", "\"0x1\"",
		"\"18446744073709551616\"", "\"184467440737095516150\"", "1", "null",
	};
	char why[JSON_WHY_MAX];
	uint64_t v = 7;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		AUTO(json) cJSON *tree = NULL;

		ck_assert_int_eq(parse(bad[i], &tree, why), 0);
		ck_assert(!json_get_u64_str(tree, &v));
	}
	ck_assert_uint_eq(v, 7);
}
END_TEST

START_TEST(members_are_found_by_exact_name)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(parse("{\"Key\":\"a\",\"key\":\"b\",\"n\":1}", &tree, why), 0);
	ck_assert_str_eq(json_text(tree, "key"), "b");
	ck_assert_str_eq(json_text(tree, "Key"), "a");
	ck_assert_ptr_null(json_member(tree, "KEY"));
	ck_assert_ptr_null(json_text(tree, "n"));
	ck_assert_ptr_null(json_member(NULL, "key"));
	ck_assert_ptr_null(json_member(json_member(tree, "key"), "key"));
	ck_assert_ptr_null(json_print(NULL));
}
END_TEST

START_TEST(a_time_is_added_with_milliseconds)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	ck_assert(json_add_time(obj, "at", 1793322123004));
	ck_assert_str_eq(json_text(obj, "at"), "2026-10-30T01:02:03.004Z");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("json");

	tcase_add_loop_test(tc, well_formed_text_is_accepted, 0, ARRAY_LEN(well_formed));
	tcase_add_loop_test(tc, malformed_text_is_refused_with_its_place, 0,
	    ARRAY_LEN(malformed));
	tcase_add_test(tc, a_raw_nul_byte_is_refused_anywhere);
	tcase_add_test(tc, text_needs_no_nul_and_its_every_prefix_is_handled);
	tcase_add_test(tc, text_over_the_ceiling_is_refused_unread);
	tcase_add_test(tc, many_members_are_compared_and_one_twin_is_found);
	tcase_add_loop_test(tc, integers_are_exact_over_all_of_u64_and_nothing_else_is_one, 0,
	    ARRAY_LEN(integers));
	tcase_add_test(tc, integers_print_as_they_came);
	tcase_add_test(tc, added_integers_print_and_read_exactly);
	tcase_add_test(tc, digits_in_a_string_are_canonical_or_refused);
	tcase_add_test(tc, members_are_found_by_exact_name);
	tcase_add_test(tc, a_time_is_added_with_milliseconds);
	return unit_run("json", tc);
}
