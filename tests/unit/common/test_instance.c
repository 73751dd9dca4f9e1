#include "common/instance.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ID	"i-0123456789abcdef0"
#define HEAD	"{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"000000000001\"," \
		"\"node\":\"node-1\",\"state\":\"pending\""

static int
parse(const char *text, struct instance *ret, char why[static JSON_WHY_MAX])
{
	why[0] = '\0';
	return instance_from_json(text, strlen(text), ID, ret, why);
}

START_TEST(a_record_comes_back_as_it_was_written)
{
	struct instance i = { 0 }, back, copy;
	char why[JSON_WHY_MAX];
	char *text, *again;

	ck_assert_int_eq(parse(HEAD ",\"user_data\":\"aGk=\\n\",\"volume_bytes\":9007199254740993,"
	    "\"launch_time\":\"2026-11-29T01:02:03.004Z\",\"private_ip\":\"172.31.0.9\","
	    "\"tags\":{\"Name\":\"a \\\"b\\\"\",\"empty\":\"\"},\"disable_api_stop\":true,"
	    "\"volume_tags\":{\"v\":\"1\"},\"interface_tags\":{\"n\":\"2\",\"m\":\"3\"},"
	    "\"metadata_tokens\":\"required\",\"metadata_hops\":2}", &i, why), 0);
	text = instance_to_json(&i);
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(parse(text, &back, why), 0);
	ck_assert_str_eq(back.user_data, "aGk=\n");
	ck_assert_uint_eq(back.volume_bytes, 9007199254740993u);
	ck_assert_uint_eq(back.launch_time_ms % 1000, 4);
	ck_assert_str_eq(back.private_ip, "172.31.0.9");
	ck_assert(back.disable_api_stop && !back.disable_api_termination);
	ck_assert_uint_eq(back.tags[INSTANCE_TAGS_OWN].n, 2);
	ck_assert_str_eq(instance_tag(&back, "Name"), "a \"b\"");
	ck_assert_str_eq(instance_tag(&back, "empty"), "");
	ck_assert_ptr_null(instance_tag(&back, "name"));
	ck_assert_uint_eq(back.tags[INSTANCE_TAGS_VOLUME].n, 1);
	ck_assert_str_eq(back.tags[INSTANCE_TAGS_VOLUME].tag[0].value, "1");
	ck_assert_uint_eq(back.tags[INSTANCE_TAGS_NIC].n, 2);
	ck_assert_str_eq(back.metadata_tokens, "required");
	ck_assert_uint_eq(back.metadata_hops, 2);
	ck_assert_int_eq(instance_copy(&back, &copy), 0);
	instance_deinit(&back);
	again = instance_to_json(&copy);
	ck_assert_str_eq(again, text);
	free(text);
	free(again);
	instance_deinit(&copy);
	instance_deinit(&i);
}
END_TEST

START_TEST(members_of_a_newer_node_are_kept)
{
	struct instance i;
	char why[JSON_WHY_MAX];
	char *text;

	ck_assert_int_eq(parse(HEAD ",\"later\":{\"n\":18446744073709551615,\"a\":[1,null]}}", &i,
	    why), 0);
	text = instance_to_json(&i);
	ck_assert_ptr_nonnull(strstr(text, "\"later\":{\"n\":18446744073709551615,\"a\":[1,null]}"));
	free(text);
	instance_deinit(&i);
}
END_TEST

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "" },
	{ "[]", "an object" },
	{ "{}", "" },
	{ "{\"schema_version\":2,\"id\":\"" ID "\",\"account_id\":\"000000000001\",\"node\":\"n\","
	  "\"state\":\"pending\"}", "schema_version" },
	{ "{\"schema_version\":1,\"id\":\"i-0123456789abcdef1\",\"account_id\":\"000000000001\","
	  "\"node\":\"n\",\"state\":\"pending\"}", "id" },
	{ "{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"000000000001\",\"node\":\"n\","
	  "\"state\":\"resting\"}", "state" },
	{ "{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"00000000000x\",\"node\":\"n\","
	  "\"state\":\"pending\"}", "account_id" },
	{ "{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"000000000001\",\"node\":\"a.b\","
	  "\"state\":\"pending\"}", "node" },
	{ "{\"schema_version\":1,\"id\":\"" ID "\",\"account_id\":\"000000000001\",\"node\":\"\","
	  "\"state\":\"pending\"}", "node" },
	{ HEAD ",\"tags\":[]}", "tags" },
	{ HEAD ",\"tags\":{\"\":\"x\"}}", "tags" },
	{ HEAD ",\"tags\":{\"k\":1}}", "tags" },
	{ HEAD ",\"volume_tags\":{\"k\":1}}", "volume_tags" },
	{ HEAD ",\"interface_tags\":7}", "interface_tags" },
	{ HEAD ",\"metadata_hops\":65}", "metadata_hops" },
	{ HEAD ",\"private_ip\":\"1234567890.1234567890\"}", "private_ip" },
	{ HEAD ",\"state\":\"running\"}", "" },		/* twice */
};

START_TEST(a_record_that_is_wrong_is_refused_with_a_sentence)
{
	struct instance i = { .launch_index = 7 };
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(parse(bad[_i].text, &i, why), -EINVAL);
	ck_assert_msg(*why, "row %d has no sentence", _i);
	ck_assert_msg(strstr(why, bad[_i].why), "row %d says: %s", _i, why);
	ck_assert_uint_eq(i.launch_index, 7);
}
END_TEST

START_TEST(tags_are_set_and_dropped_one_by_one)
{
	struct instance_tags t = { 0 };
	char key[16];

	for (int i = 0; i < INSTANCE_TAGS_MAX; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		ck_assert_int_eq(instance_tags_set(&t, key, "v"), 0);
	}
	ck_assert_int_eq(instance_tags_set(&t, "more", "v"), -E2BIG);
	ck_assert_int_eq(instance_tags_set(&t, "k49", "w"), 0);
	ck_assert_str_eq(t.tag[49].value, "w");
	ck_assert(instance_tags_drop(&t, "k0"));
	ck_assert(!instance_tags_drop(&t, "k0"));
	ck_assert(instance_tags_drop(&t, "k49"));
	ck_assert_uint_eq(t.n, 48);
	ck_assert_str_eq(t.tag[0].key, "k1");
	ck_assert_str_eq(t.tag[47].key, "k48");
	instance_tags_deinit(&t);
	ck_assert_uint_eq(t.n, 0);
}
END_TEST

START_TEST(states_have_their_names_and_only_their_moves)
{
	static const enum instance_state all[] = { INSTANCE_PENDING, INSTANCE_RUNNING,
		INSTANCE_SHUTTING_DOWN, INSTANCE_TERMINATED, INSTANCE_STOPPING, INSTANCE_STOPPED };
	unsigned moves = 0;

	for (size_t a = 0; a < ARRAY_LEN(all); a++) {
		enum instance_state back;

		ck_assert_int_eq(instance_state_from_name(instance_state_name(all[a]), &back), 0);
		ck_assert_int_eq(back, all[a]);
		ck_assert(!instance_may_move(all[a], all[a]));
		ck_assert(!instance_may_move(INSTANCE_TERMINATED, all[a]));
		for (size_t b = 0; b < ARRAY_LEN(all); b++)
			moves += instance_may_move(all[a], all[b]);
	}
	ck_assert_uint_eq(moves, 11);
	ck_assert(!instance_may_move(INSTANCE_RUNNING, INSTANCE_STOPPED));
	ck_assert(!instance_may_move(INSTANCE_RUNNING, INSTANCE_TERMINATED));
	ck_assert(!instance_may_move(INSTANCE_SHUTTING_DOWN, INSTANCE_STOPPED));
	ck_assert(instance_may_move(INSTANCE_STOPPING, INSTANCE_SHUTTING_DOWN));
	ck_assert_int_eq(instance_state_from_name("Running", &(enum instance_state){ 0 }), -EINVAL);
}
END_TEST

START_TEST(volumes_come_back_and_take_the_first_free_port)
{
	struct instance_volume v = { .id = "vol-0123456789abcdef0", .device = "/dev/sdf",
		.bytes = 1ull << 30, .attached_ms = 5, .keep = true };
	struct instance i = { 0 }, back = { 0 };
	char why[JSON_WHY_MAX];
	AUTO(str) char *text = NULL;

	ck_assert_int_eq(parse(HEAD "}", &i, why), 0);
	for (unsigned n = 0; n < INSTANCE_VOLUMES_MAX; n++) {
		v.id[20] = (char)('0' + n);
		v.device[7] = (char)('f' + n);
		ck_assert_int_eq(instance_volume_add(&i, &v), 0);
	}
	v.id[20] = 'f';
	ck_assert_int_eq(instance_volume_add(&i, &v), -E2BIG);
	ck_assert(instance_volume_drop(&i, "vol-0123456789abcdef3"));
	ck_assert(!instance_volume_drop(&i, "vol-0123456789abcdef3"));
	ck_assert_int_eq(instance_volume_add(&i, &v), 0);
	ck_assert(instance_volume_keep(&i, v.id, false));
	ck_assert(!instance_volume_keep(&i, v.id, false));		/* it is so already */
	ck_assert(!instance_volume_keep(&i, "vol-0123456789abcdef3", false));	/* has left */
	ck_assert(!instance_volume_find(&i, v.id)->keep && i.volume[0].keep);
	text = instance_to_json(&i);
	ck_assert_int_eq(parse(text, &back, why), 0);
	ck_assert_uint_eq(back.nvolumes, INSTANCE_VOLUMES_MAX);
	ck_assert_uint_eq(instance_volume_find(&back, "vol-0123456789abcdeff")->port, 3);
	ck_assert_str_eq(instance_volume_at(&back, "/dev/sdj")->id, "vol-0123456789abcdef4");
	ck_assert_ptr_null(instance_volume_at(&back, "/dev/sdi"));
	ck_assert_int_eq(memcmp(i.volume, back.volume, sizeof(i.volume)), 0);
	instance_deinit(&i);
	instance_deinit(&back);
}
END_TEST

START_TEST(two_volumes_in_one_port_are_refused)
{
	struct instance i;
	char why[JSON_WHY_MAX];

#define VOLUME(n)	"{\"id\":\"vol-0123456789abcdef" #n "\",\"device\":\"/dev/sdf\"}"
	ck_assert_int_eq(parse(HEAD ",\"volumes\":[" VOLUME(0) "," VOLUME(1) "]}", &i, why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "ports"));
	ck_assert_int_eq(parse(HEAD ",\"volumes\":{}}", &i, why), -EINVAL);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("instance");
	TCase *tc = tcase_create("instance");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, a_record_comes_back_as_it_was_written);
	tcase_add_test(tc, members_of_a_newer_node_are_kept);
	tcase_add_loop_test(tc, a_record_that_is_wrong_is_refused_with_a_sentence, 0,
	    (int)ARRAY_LEN(bad));
	tcase_add_test(tc, tags_are_set_and_dropped_one_by_one);
	tcase_add_test(tc, volumes_come_back_and_take_the_first_free_port);
	tcase_add_test(tc, two_volumes_in_one_port_are_refused);
	tcase_add_test(tc, states_have_their_names_and_only_their_moves);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
