#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance.h"
#include "gwd/tag_rule.h"

static cJSON *
tags(const char *key, const char *value)
{
	cJSON *list = cJSON_CreateArray(), *tag = cJSON_CreateObject();

	cJSON_AddStringToObject(tag, "Key", key);
	if (value)
		cJSON_AddStringToObject(tag, "Value", value);
	cJSON_AddItemToArray(list, tag);
	return list;
}

static const char *
check_one(const char *key, const char *value)
{
	AUTO(json) cJSON *list = tags(key, value);
	char why[TAG_MESSAGE_MAX] = "";

	return tag_rule_check(list, why);
}

static void
fill(char *text, size_t n, const char *character)
{
	size_t len = strlen(character);

	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, character, len);
	text[n * len] = '\0';
}

START_TEST(lengths_are_counted_in_characters)
{
	char text[4 * (TAG_VALUE_MAX + 2)];

	fill(text, TAG_KEY_MAX, "\xc3\xa9");
	ck_assert_ptr_null(check_one(text, ""));
	fill(text, TAG_KEY_MAX + 1, "k");
	ck_assert_str_eq(check_one(text, ""), "InvalidParameterValue");
	fill(text, TAG_VALUE_MAX, "\xe2\x82\xac");
	ck_assert_ptr_null(check_one("k", text));
	fill(text, TAG_VALUE_MAX + 1, "v");
	ck_assert_str_eq(check_one("k", text), "InvalidParameterValue");
	ck_assert_str_eq(check_one("", "v"), "InvalidParameterValue");
	ck_assert_ptr_null(check_one("k", NULL));
}
END_TEST

START_TEST(the_prefix_aws_is_reserved_in_any_case)
{
	ck_assert_str_eq(check_one("aws:x", ""), "InvalidParameterValue");
	ck_assert_str_eq(check_one("AWS:x", ""), "InvalidParameterValue");
	ck_assert_ptr_null(check_one("aws", ""));
	ck_assert_ptr_null(check_one("xaws:", ""));
}
END_TEST

START_TEST(a_key_stands_once_and_there_are_at_most_fifty)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	char key[16], why[TAG_MESSAGE_MAX];

	for (int i = 0; i < INSTANCE_TAGS_MAX; i++) {
		AUTO(json) cJSON *one = NULL;

		snprintf(key, sizeof(key), "k%d", i);
		one = tags(key, "v");
		cJSON_AddItemToArray(list, cJSON_DetachItemFromArray(one, 0));
	}
	ck_assert_ptr_null(tag_rule_check(list, why));
	cJSON_SetValuestring(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 7), "Key"), "k3");
	ck_assert_str_eq(tag_rule_check(list, why), "InvalidParameterValue");
	cJSON_AddItemToArray(list, cJSON_CreateObject());
	ck_assert_str_eq(tag_rule_check(list, why), "TagLimitExceeded");
}
END_TEST

START_TEST(specifications_of_one_type_are_one_list)
{
	static const char text[] = "[{\"ResourceType\":\"instance\",\"Tags\":[{\"Key\":\"a\","
	    "\"Value\":\"1\"}]},{\"ResourceType\":\"volume\",\"Tags\":[{\"Key\":\"a\"}]},"
	    "{\"ResourceType\":\"instance\",\"Tags\":[{\"Key\":\"b\"}]}]";
	static const char *const types[] = { "instance", "volume", NULL };
	static const char *const less[] = { "volume", NULL };
	AUTO(json) cJSON *specs = cJSON_Parse(text);
	AUTO(json) cJSON *of = tag_rule_of(specs, "instance");
	AUTO(json) cJSON *none = tag_rule_of(specs, "vpc");
	AUTO(str) char *printed = json_print(of);
	char why[TAG_MESSAGE_MAX];

	ck_assert_str_eq(printed, "[{\"Key\":\"a\",\"Value\":\"1\"},{\"Key\":\"b\",\"Value\":\"\"}]");
	ck_assert_int_eq(cJSON_GetArraySize(none), 0);
	ck_assert_ptr_null(tag_rule_check_specs(specs, types, why));
	ck_assert_ptr_null(tag_rule_check_specs(NULL, types, why));
	ck_assert_str_eq(tag_rule_check_specs(specs, less, why), "InvalidParameterValue");
	cJSON_SetValuestring(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(
	    cJSON_GetArrayItem(specs, 2), "Tags"), 0), "Key"), "a");
	ck_assert_str_eq(tag_rule_check_specs(specs, types, why), "InvalidParameterValue");
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("tag_rule");
	TCase *t = tcase_create("tag_rule");
	SRunner *r;
	int failed;

	tcase_add_test(t, lengths_are_counted_in_characters);
	tcase_add_test(t, the_prefix_aws_is_reserved_in_any_case);
	tcase_add_test(t, a_key_stands_once_and_there_are_at_most_fifty);
	tcase_add_test(t, specifications_of_one_type_are_one_list);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
