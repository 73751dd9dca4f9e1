#include "common/image.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHA	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define WITH(file, format)	"{\"id\":\"ami-0123456789abcdef0\",\"account_id\":\"000000000001\","\
	"\"name\":\"demo\",\"arch\":\"x86_64\",\"boot_mode\":\"uefi\",\"format\":\"" format "\","  \
	"\"file\":\"" file "\",\"sha256\":\"" SHA "\",\"virtual_bytes\":67108864,"		\
	"\"root_device\":\"/dev/sda1\",\"is_public\":true}"

START_TEST(an_image_comes_back_as_it_was_written)
{
	static const char text[] = WITH("ami-0123456789abcdef0.raw", "raw");
	struct image i, back;
	char why[JSON_WHY_MAX];
	char *again;

	ck_assert_int_eq(image_from_json(text, strlen(text), &i, why), 0);
	again = image_to_json(&i, NULL);
	ck_assert_int_eq(image_from_json(again, strlen(again), &back, why), 0);
	ck_assert_str_eq(back.file, "ami-0123456789abcdef0.raw");
	ck_assert_uint_eq(back.virtual_bytes, 67108864);
	ck_assert(back.is_public);
	free(again);
}
END_TEST

static const char *const bad[] = {
	"{}",
	WITH("../etc/shadow", "raw"),
	WITH("..", "raw"),
	WITH("", "raw"),
	WITH("x", "vmdk"),
};

START_TEST(the_tags_of_an_image_are_kept_beside_it)
{
	static const char text[] = WITH("ami-0123456789abcdef0.raw", "raw");
	static const char list[] = "[{\"Key\":\"a\",\"Value\":\"b\"}]";
	AUTO(json) cJSON *tags = cJSON_Parse(list), *back = NULL;
	AUTO(str) char *again = NULL;
	AUTO(str) char *printed = NULL;
	struct image i;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(image_from_json(text, strlen(text), &i, why), 0);
	ck_assert_ptr_null(image_tags_from_json(text, strlen(text)));
	again = image_to_json(&i, tags);
	ck_assert_int_eq(image_from_json(again, strlen(again), &i, why), 0);
	ck_assert_str_eq(i.name, "demo");
	back = image_tags_from_json(again, strlen(again));
	printed = json_print(back);
	ck_assert_str_eq(printed, list);
}
END_TEST

START_TEST(an_image_that_leads_out_of_its_folder_is_refused)
{
	struct image i = { .virtual_bytes = 3 };
	char why[JSON_WHY_MAX] = "";

	ck_assert_int_eq(image_from_json(bad[_i], strlen(bad[_i]), &i, why), -EINVAL);
	ck_assert(*why);
	ck_assert_uint_eq(i.virtual_bytes, 3);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("image");
	TCase *tc = tcase_create("image");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, an_image_comes_back_as_it_was_written);
	tcase_add_test(tc, the_tags_of_an_image_are_kept_beside_it);
	tcase_add_loop_test(tc, an_image_that_leads_out_of_its_folder_is_refused, 0,
	    (int)ARRAY_LEN(bad));
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
