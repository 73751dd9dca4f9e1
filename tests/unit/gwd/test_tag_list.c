#include "gwd/tag_list.h"

#include <stdio.h>

#include "common/instance.h"
#include "tests/unit/unit.h"

static cJSON *
parsed(const char *text)
{
	cJSON *tree = cJSON_Parse(text);

	ck_assert_ptr_nonnull(tree);
	return tree;
}

static void
is(const cJSON *list, const char *want)
{
	AUTO(str) char *got = json_print(list);

	ck_assert_str_eq(got, want);
}

START_TEST(a_key_that_is_there_gets_the_new_value)
{
	AUTO(json) cJSON *list = parsed("[{\"Key\":\"a\",\"Value\":\"1\"}]");
	AUTO(json) cJSON *tags = parsed("[{\"Key\":\"a\",\"Value\":\"2\"},{\"Key\":\"b\"}]");

	ck_assert_int_eq(tag_list_set(list, tags), TAG_LIST_OK);
	is(list, "[{\"Key\":\"a\",\"Value\":\"2\"},{\"Key\":\"b\",\"Value\":\"\"}]");
}
END_TEST

START_TEST(a_tag_with_a_value_goes_only_while_it_has_it)
{
	AUTO(json) cJSON *list = parsed("[{\"Key\":\"a\",\"Value\":\"1\"},{\"Key\":\"b\",\"Value\":\"2\"},"
	    "{\"Key\":\"c\",\"Value\":\"3\"},{\"Key\":\"d\",\"Value\":\"\"}]");
	AUTO(json) cJSON *tags = parsed("[{\"Key\":\"a\"},{\"Key\":\"b\",\"Value\":\"2\"},"
	    "{\"Key\":\"c\",\"Value\":\"\"},{\"Key\":\"d\",\"Value\":\"\"},{\"Key\":\"none\"}]");

	tag_list_drop(list, tags);
	is(list, "[{\"Key\":\"c\",\"Value\":\"3\"}]");
}
END_TEST

START_TEST(without_a_list_all_go_but_those_of_ec2)
{
	AUTO(json) cJSON *list = parsed("[{\"Key\":\"a\",\"Value\":\"\"},{\"Key\":\"aws:x\",\"Value\":\"1\"},"
	    "{\"Key\":\"b\",\"Value\":\"\"}]");

	tag_list_drop(list, NULL);
	is(list, "[{\"Key\":\"aws:x\",\"Value\":\"1\"}]");
}
END_TEST

START_TEST(one_too_many_is_full)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	char text[64];

	for (int i = 0; i <= INSTANCE_TAGS_MAX; i++) {
		AUTO(json) cJSON *tags = NULL;

		snprintf(text, sizeof(text), "[{\"Key\":\"k%d\",\"Value\":\"\"}]", i);
		tags = parsed(text);
		ck_assert_int_eq(tag_list_set(list, tags),
		    i < INSTANCE_TAGS_MAX ? TAG_LIST_OK : TAG_LIST_FULL);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("tag_list");

	tcase_add_test(tc, a_key_that_is_there_gets_the_new_value);
	tcase_add_test(tc, a_tag_with_a_value_goes_only_while_it_has_it);
	tcase_add_test(tc, without_a_list_all_go_but_those_of_ec2);
	tcase_add_test(tc, one_too_many_is_full);
	return unit_run("tag_list", tc);
}
