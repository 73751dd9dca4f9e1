/* seeded.json there and back, and what is no such file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uefid/seeded.h"
#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"
#define KEY	"uefi/" ID "/11111111-1111-4111-8111-111111111111"
#define SUM	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct seeded
sample(void)
{
	return (struct seeded){
		.instance_id = ID, .launch_id = "launch-1", .generation = UINT64_MAX - 1,
		.key = KEY, .firmware = { "x86_64", 540672, SUM },
		.boot_id = "bbbbbbbb-1111-4111-8111-111111111111", .synced_sha256 = SUM,
	};
}

START_TEST(it_comes_back_as_it_was_written)
{
	struct seeded in = sample(), out;
	char why[JSON_WHY_MAX];
	char *text = seeded_print(&in);

	ck_assert_msg(seeded_parse(text, strlen(text), ID, &out, why) == 0, "%s", why);
	ck_assert_mem_eq(&in, &out, sizeof(in));
	free(text);
	in.synced_sha256[0] = '\0';
	text = seeded_print(&in);
	ck_assert_int_eq(seeded_parse(text, strlen(text), ID, &out, why), 0);
	ck_assert_str_eq(out.synced_sha256, "");
	free(text);
}
END_TEST

START_TEST(a_file_cut_at_any_byte_is_refused)
{
	struct seeded in = sample(), out;
	char why[JSON_WHY_MAX];
	char *text = seeded_print(&in);

	for (size_t n = 0; n < strlen(text); n++)
		ck_assert_int_eq(seeded_parse(text, n, ID, &out, why), -EINVAL);
	free(text);
}
END_TEST

START_TEST(another_instances_file_and_wrong_parts_are_refused)
{
	struct seeded bad[5], out;
	char why[JSON_WHY_MAX];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		bad[i] = sample();
	bad[0].instance_id[18] = '1';
	bad[1].key[20] = '1';
	bad[2].synced_sha256[63] = '\0';
	bad[3].synced_sha256[0] = 'A';
	bad[4].generation = 0;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *text = seeded_print(&bad[i]);

		ck_assert_int_eq(seeded_parse(text, strlen(text), ID, &out, why), -EINVAL);
		free(text);
	}
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("seeded");

	tcase_add_test(t, it_comes_back_as_it_was_written);
	tcase_add_test(t, a_file_cut_at_any_byte_is_refused);
	tcase_add_test(t, another_instances_file_and_wrong_parts_are_refused);
	return unit_run("seeded", t);
}
