#include "common/volume.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

#define ID	"vol-0123456789abcdef0"
#define HEAD	"{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"000000000001\"," \
		"\"bytes\":1073741824"
#define OURS	"i-0123456789abcdef0"

static int
parse(const char *text, struct volume *ret, char why[static JSON_WHY_MAX])
{
	why[0] = '\0';
	return volume_from_json(text, strlen(text), ret, why);
}

START_TEST(a_record_comes_back_as_it_was_written)
{
	AUTO(volume) struct volume v = { 0 };
	AUTO(volume) struct volume back = { 0 };
	AUTO(str) char *text = NULL;
	AUTO(str) char *again = NULL;
	char why[JSON_WHY_MAX], key[VOLUME_KEY_MAX];

	ck_assert_int_eq(parse(HEAD ",\"state\":\"detaching\",\"instance_id\":\"" OURS "\","
	    "\"device\":\"/dev/sdf\",\"type\":\"gp3\",\"iops\":4000,\"keep\":true,\"made\":true,"
	    "\"node\":\"n1\",\"tags\":[{\"Key\":\"a\",\"Value\":\"b\"}]}", &v, why), 0);
	ck_assert_int_eq(v.state, VOLUME_DETACHING);
	text = volume_to_json(&v);
	ck_assert_int_eq(parse(text, &back, why), 0);
	again = volume_to_json(&back);
	ck_assert_str_eq(text, again);
	volume_key(v.account_id, v.id, key);
	ck_assert_str_eq(key, "000000000001." ID);
}
END_TEST

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "" },
	{ "[]", "" },
	{ "{}", "" },
	{ HEAD "}", "state" },
	{ HEAD ",\"state\":\"lost\"}", "state" },
	{ HEAD ",\"state\":\"in-use\"}", "instance_id" },
	{ HEAD ",\"state\":\"available\",\"instance_id\":\"" OURS "\"}", "instance_id" },
	{ HEAD ",\"state\":\"deleting\",\"instance_id\":\"" OURS "\"}", "instance_id" },
	{ "{\"id\":\"i-0123456789abcdef0\",\"account_id\":\"000000000001\",\"bytes\":1,"
	  "\"state\":\"available\"}", "id" },
	{ "{\"id\":\"" ID "\",\"account_id\":\"000000000001\",\"bytes\":0,"
	  "\"state\":\"available\"}", "bytes" },
};

START_TEST(a_record_that_is_wrong_is_refused_with_a_sentence)
{
	struct volume v = { .bytes = 77 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(parse(bad[_i].text, &v, why), -EINVAL);
	ck_assert_msg(strstr(why, bad[_i].why), "%s", why);
	ck_assert_uint_eq(v.bytes, 77);
}
END_TEST

START_TEST(only_an_available_volume_is_claimed)
{
	for (int s = 0; s < VOLUME_STATES; s++) {
		struct volume v = { .state = (enum volume_state)s };

		ck_assert_int_eq(volume_claim(&v, OURS, "/dev/sdf", 9),
		    s == VOLUME_AVAILABLE ? 0 : -EBUSY);
		ck_assert(volume_is_of(&v, OURS) == (s == VOLUME_AVAILABLE));
	}
}
END_TEST

START_TEST(a_release_leaves_nothing_of_the_claim_but_where_the_disk_is)
{
	struct volume v = { .node = "n1" };

	ck_assert_int_eq(volume_claim(&v, OURS, "/dev/sdf", 9), 0);
	ck_assert(v.keep && v.state == VOLUME_ATTACHING && v.attached_ms == 9);
	volume_release(&v);
	ck_assert_int_eq(v.state, VOLUME_AVAILABLE);
	ck_assert(!*v.instance_id && !*v.device && !v.keep && v.attached_ms == 0);
	ck_assert_str_eq(v.node, "n1");
}
END_TEST

START_TEST(at_the_end_of_its_instance_a_volume_goes_unless_it_is_kept)
{
	struct volume v = { .state = VOLUME_IN_USE, .instance_id = OURS, .keep = true };

	volume_outlive(&v);
	ck_assert_int_eq(v.state, VOLUME_AVAILABLE);
	v = (struct volume){ .state = VOLUME_IN_USE, .instance_id = OURS };
	volume_outlive(&v);
	ck_assert_int_eq(v.state, VOLUME_DELETING);
	ck_assert(!*v.instance_id);
}
END_TEST

START_TEST(ec2_has_one_word_for_all_that_are_somebody_s)
{
	for (int s = 0; s < VOLUME_STATES; s++) {
		const char *attachment = volume_attachment_state((enum volume_state)s);

		ck_assert(!attachment ==
		    (strcmp(volume_ec2_state((enum volume_state)s), "in-use") != 0));
	}
	ck_assert_str_eq(volume_attachment_state(VOLUME_IN_USE), "attached");
	ck_assert_str_eq(volume_state_name(VOLUME_IN_USE), "in-use");
}
END_TEST

START_TEST(a_device_has_a_name_that_ec2_lets_it_have)
{
	static const struct { const char *name; bool is_valid; } rows[] = {
		{ "/dev/sdf", true }, { "/dev/sda1", true }, { "sdf", true }, { "/dev/xvda", true },
		{ "xvdba", true }, { "/dev/hdb", true }, { "/dev/sdf15", true },
		{ "", false }, { "/dev/", false }, { "/dev/sd", false }, { "/dev/sd1", false },
		{ "/dev/sdf/", false }, { "/dev/sdf1a", false }, { "/dev/sdf123", false },
		{ "/dev/sdabc", false }, { "/dev/nvme0n1", false }, { "/dev//sdf", false },
		{ "/dev/sdF", false }, { "bad", false }, { " /dev/sdf", false }, { "/dev/sdf ", false },
	};

	for (size_t n = 0; n < ARRAY_LEN(rows); n++)
		ck_assert_msg(volume_device_is_valid(rows[n].name) == rows[n].is_valid, "'%s'",
		    rows[n].name);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("volume");

	tcase_add_test(tc, a_record_comes_back_as_it_was_written);
	tcase_add_loop_test(tc, a_record_that_is_wrong_is_refused_with_a_sentence, 0,
	    (int)ARRAY_LEN(bad));
	tcase_add_test(tc, only_an_available_volume_is_claimed);
	tcase_add_test(tc, a_release_leaves_nothing_of_the_claim_but_where_the_disk_is);
	tcase_add_test(tc, at_the_end_of_its_instance_a_volume_goes_unless_it_is_kept);
	tcase_add_test(tc, ec2_has_one_word_for_all_that_are_somebody_s);
	tcase_add_test(tc, a_device_has_a_name_that_ec2_lets_it_have);
	return unit_run("volume", tc);
}
