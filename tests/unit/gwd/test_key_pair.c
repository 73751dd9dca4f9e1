#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/key_pair.h"

START_TEST(a_record_comes_back_as_it_was)
{
	AUTO(key_pair) struct key_pair k = { .id = "key-0123456789abcdef0", .name = "my key",
	    .type = "rsa", .fingerprint = "aa:bb", .created_ms = 1793408523004 };
	AUTO(key_pair) struct key_pair back = { 0 };
	AUTO(str) char *text = NULL;
	AUTO(json) cJSON *view = NULL;
	char why[JSON_WHY_MAX];

	k.public_key = strdup("ssh-rsa AAAA my key");
	k.tags = cJSON_Parse("[{\"Key\":\"a\",\"Value\":\"b\"}]");
	text = key_pair_to_json(&k);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(key_pair_from_json(text, strlen(text), &back, why), 0);
	ck_assert_str_eq(back.id, k.id);
	ck_assert_str_eq(back.name, k.name);
	ck_assert_str_eq(back.public_key, k.public_key);
	ck_assert_uint_eq(back.created_ms, k.created_ms);
	view = key_pair_view(&back, false);
	ck_assert_str_eq(json_text(view, "KeyName"), "my key");
	ck_assert_str_eq(json_text(view, "KeyPairId"), k.id);
	ck_assert_str_eq(json_text(view, "CreateTime"), "2026-10-31T01:02:03.004Z");
	ck_assert_ptr_null(json_member(view, "PublicKey"));
	ck_assert_int_eq(cJSON_GetArraySize(json_member(view, "Tags")), 1);
}
END_TEST

START_TEST(a_broken_record_is_refused)
{
	static const char *const bad[] = { "", "{}", "[]", "{\"id\":\"key-1\"}",
	    "{\"id\":\"key-1\",\"name\":\"n\",\"type\":\"rsa\",\"fingerprint\":\"f\"}" };
	struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_int_ne(key_pair_from_json(bad[i], strlen(bad[i]), &k, why), 0);
	ck_assert_ptr_null(k.public_key);
}
END_TEST

START_TEST(a_name_is_printable_and_has_no_space_at_its_ends)
{
	char text[KEY_PAIR_NAME_MAX + 2];

	memset(text, 'x', sizeof(text));
	text[KEY_PAIR_NAME_MAX] = '\0';
	ck_assert(key_pair_name_is_valid(text));
	text[KEY_PAIR_NAME_MAX] = 'x';
	text[KEY_PAIR_NAME_MAX + 1] = '\0';
	ck_assert(!key_pair_name_is_valid(text));
	ck_assert(key_pair_name_is_valid("a key (of mine)"));
	ck_assert(!key_pair_name_is_valid(""));
	ck_assert(!key_pair_name_is_valid(" a"));
	ck_assert(!key_pair_name_is_valid("a "));
	ck_assert(!key_pair_name_is_valid("a\nb"));
	ck_assert(!key_pair_name_is_valid("caf\xc3\xa9"));
}
END_TEST

START_TEST(a_name_has_one_key_in_each_account)
{
	char a[KEY_PAIR_KEY_MAX], b[KEY_PAIR_KEY_MAX];

	key_pair_key("000000000001", "abc", a);
	key_pair_key("000000000002", "abc", b);
	ck_assert_str_eq(a, "000000000001."
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	ck_assert_str_ne(a, b);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("key_pair");
	TCase *t = tcase_create("key_pair");
	SRunner *r;
	int failed;

	tcase_add_test(t, a_record_comes_back_as_it_was);
	tcase_add_test(t, a_broken_record_is_refused);
	tcase_add_test(t, a_name_is_printable_and_has_no_space_at_its_ends);
	tcase_add_test(t, a_name_has_one_key_in_each_account);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
