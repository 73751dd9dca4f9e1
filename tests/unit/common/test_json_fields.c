#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/json.h"
#include "tests/unit/unit.h"

struct inner {
	char		 holder[9];
	uint64_t	 generation;
};
struct outer {
	char		 id[5];
	char		*note;
	uint64_t	 number, generation, at_ms;
	uint32_t	 small;
	bool		 flag;
	cJSON		*tree;
	struct inner	 claim;
};

static const struct json_field inner_fields[] = {
	{ .key = "holder", .type = JSON_STR, .offset = offsetof(struct inner, holder),
	  .min = 1, .max = 8, .need = true },
	{ .key = "generation", .type = JSON_U64_STR,
	  .offset = offsetof(struct inner, generation) },
};
static const struct json_field fields[] = {
	{ .key = "id", .type = JSON_STR, .offset = offsetof(struct outer, id), .min = 2, .max = 4,
	  .need = true },
	{ .key = "note", .type = JSON_DUP, .offset = offsetof(struct outer, note), .max = 10 },
	{ .key = "number", .type = JSON_U64, .offset = offsetof(struct outer, number),
	  .max = UINT64_MAX },
	{ .key = "generation", .type = JSON_U64_STR,
	  .offset = offsetof(struct outer, generation), .min = 1, .max = UINT64_MAX },
	{ .key = "small", .type = JSON_U32, .offset = offsetof(struct outer, small), .min = 5,
	  .max = 500 },
	{ .key = "flag", .type = JSON_BOOL, .offset = offsetof(struct outer, flag) },
	{ .key = "at", .type = JSON_TIME, .offset = offsetof(struct outer, at_ms) },
	{ .key = "tree", .type = JSON_TREE, .offset = offsetof(struct outer, tree) },
	{ .key = "claim", .type = JSON_OBJECT, .offset = offsetof(struct outer, claim),
	  .sub = inner_fields, .nsub = ARRAY_LEN(inner_fields) },
};

static int
read_outer(const char *text, enum json_mode mode, struct outer *ret, char *why)
{
	return json_read(text, strlen(text), 4096, fields, ARRAY_LEN(fields), mode, ret,
	    sizeof(*ret), why);
}

static const char whole[] = "{\"id\":\"abcd\",\"note\":\"0123456789\","
    "\"number\":18446744073709551615,\"generation\":\"18446744073709551615\",\"small\":500,"
    "\"flag\":true,\"at\":\"2026-10-30T01:02:03.004Z\",\"tree\":{\"n\":9007199254740993},"
    "\"claim\":{\"holder\":\"node-a\",\"generation\":\"7\"}}";

START_TEST(every_type_is_decoded_and_encodes_to_the_same_text)
{
	struct outer o = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer(whole, JSON_STRICT, &o, why), 0);
	ck_assert_str_eq(o.id, "abcd");
	ck_assert_str_eq(o.note, "0123456789");
	ck_assert_uint_eq(o.number, UINT64_MAX);
	ck_assert_uint_eq(o.generation, UINT64_MAX);
	ck_assert_uint_eq(o.small, 500);
	ck_assert(o.flag);
	ck_assert_uint_eq(o.at_ms, 1793322123004);
	ck_assert_str_eq(o.claim.holder, "node-a");
	ck_assert_uint_eq(o.claim.generation, 7);
	AUTO(json) cJSON *tree = json_encode(fields, ARRAY_LEN(fields), &o);
	AUTO(str) char *text = json_print(tree);

	ck_assert_str_eq(text, whole);
	AUTO(str) char *kept = json_print(o.tree);

	ck_assert_str_eq(kept, "{\"n\":9007199254740993}");
	json_release(fields, ARRAY_LEN(fields), &o);
	ck_assert_ptr_null(o.note);
	ck_assert_ptr_null(o.tree);
}
END_TEST

START_TEST(what_is_absent_or_null_stays_zero_and_is_left_out)
{
	struct outer o = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer("{\"id\":\"ab\",\"note\":null,\"claim\":null,\"tree\":null}",
	    JSON_STRICT, &o, why), 0);
	ck_assert_ptr_null(o.note);
	ck_assert_ptr_null(o.tree);
	ck_assert_uint_eq(o.at_ms, 0);
	AUTO(json) cJSON *tree = json_encode(fields, ARRAY_LEN(fields), &o);
	AUTO(str) char *text = json_print(tree);

	ck_assert_str_eq(text, "{\"id\":\"ab\"}");
}
END_TEST

START_TEST(a_needed_field_is_encoded_though_empty)
{
	struct outer o = { 0 };
	AUTO(json) cJSON *tree = json_encode(fields, ARRAY_LEN(fields), &o);
	AUTO(str) char *text = json_print(tree);

	ck_assert_str_eq(text, "{\"id\":\"\"}");
}
END_TEST

static const struct {
	const char	*text, *why;
} wrong[] = {
	{ "[]", "expected an object" },
	{ "{}", "id: expected a value" },
	{ "{\"id\":null}", "id: expected a value" },
	{ "{\"id\":\"a\"}", "id: expected text of 2 to 4 bytes" },
	{ "{\"id\":\"abcde\"}", "id: expected text of 2 to 4 bytes" },
	{ "{\"id\":7}", "id: expected text of 2 to 4 bytes" },
	{ "{\"id\":\"ab\",\"note\":\"01234567890\"}", "note: expected text of 0 to 10 bytes" },
	{ "{\"id\":\"ab\",\"number\":\"1\"}",
	  "number: expected a whole number from 0 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"number\":-1}",
	  "number: expected a whole number from 0 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"number\":18446744073709551616}",
	  "number: expected a whole number from 0 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"number\":1.5}",
	  "number: expected a whole number from 0 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"generation\":1}",
	  "generation: expected a string of digits from 1 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"generation\":\"0\"}",
	  "generation: expected a string of digits from 1 to 18446744073709551615" },
	{ "{\"id\":\"ab\",\"small\":4}", "small: expected a whole number from 5 to 500" },
	{ "{\"id\":\"ab\",\"small\":501}", "small: expected a whole number from 5 to 500" },
	{ "{\"id\":\"ab\",\"small\":4294967301}",
	  "small: expected a whole number from 5 to 500" },
	{ "{\"id\":\"ab\",\"flag\":1}", "flag: expected true or false" },
	{ "{\"id\":\"ab\",\"at\":\"yesterday\"}",
	  "at: expected a time such as 2026-10-30T01:02:03Z" },
	{ "{\"id\":\"ab\",\"at\":5}", "at: expected a time such as 2026-10-30T01:02:03Z" },
	{ "{\"id\":\"ab\",\"claim\":[]}", "claim: expected an object" },
	{ "{\"id\":\"ab\",\"claim\":{}}", "claim.holder: expected a value" },
	{ "{\"id\":\"ab\",\"claim\":{\"holder\":\"123456789\"}}",
	  "claim.holder: expected text of 1 to 8 bytes" },
	{ "{\"id\":\"ab\",\"claim\":{\"holder\":\"a\",\"x\":1}}",
	  "claim: expected no member \"x\"" },
	{ "{\"id\":\"ab\",\"x\":1}", "expected no member \"x\"" },
	{ "{\"id\":\"ab\",\"ID\":\"ab\"}", "expected no member \"ID\"" },
	{ "{\"id\":\"ab\",\"q\\\"\\u00e4\\n\":1}", "expected no member \"q????\"" },
	{ "{\"id\":\"ab\",\"0123456789012345678901234567890123456789012\":1}",
	  "expected no member \"0123456789012345678901234567890123456789...\"" },
};

START_TEST(a_wrong_member_is_named_and_nothing_is_kept)
{
	static const struct outer zero;
	struct outer o = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer(wrong[_i].text, JSON_STRICT, &o, why), -EINVAL);
	ck_assert_str_eq(why, wrong[_i].why);
	ck_assert_mem_eq(&o, &zero, sizeof(o));
}
END_TEST

START_TEST(what_was_owned_is_released_when_a_later_member_is_wrong)
{
	static const struct outer zero;
	struct outer o = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer("{\"id\":\"ab\",\"note\":\"kept?\",\"tree\":[1],"
	    "\"claim\":{\"holder\":\"\"}}", JSON_LOOSE, &o, why), -EINVAL);
	ck_assert_mem_eq(&o, &zero, sizeof(o));
}
END_TEST

START_TEST(a_loose_reader_passes_over_what_it_does_not_know)
{
	struct outer o = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer("{\"x\":[{}],\"id\":\"ab\",\"claim\":{\"y\":1,\"holder\":"
	    "\"h\"}}", JSON_LOOSE, &o, why), 0);
	ck_assert_str_eq(o.claim.holder, "h");
	json_release(fields, ARRAY_LEN(fields), &o);
}
END_TEST

START_TEST(text_that_does_not_parse_leaves_the_struct)
{
	struct outer o = { .small = 9 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(read_outer("{", JSON_LOOSE, &o, why), -EINVAL);
	ck_assert_uint_eq(o.small, 9);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("json_fields");

	tcase_add_test(tc, every_type_is_decoded_and_encodes_to_the_same_text);
	tcase_add_test(tc, what_is_absent_or_null_stays_zero_and_is_left_out);
	tcase_add_test(tc, a_needed_field_is_encoded_though_empty);
	tcase_add_loop_test(tc, a_wrong_member_is_named_and_nothing_is_kept, 0,
	    ARRAY_LEN(wrong));
	tcase_add_test(tc, what_was_owned_is_released_when_a_later_member_is_wrong);
	tcase_add_test(tc, a_loose_reader_passes_over_what_it_does_not_know);
	tcase_add_test(tc, text_that_does_not_parse_leaves_the_struct);
	return unit_run("json_fields", tc);
}
