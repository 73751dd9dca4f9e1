#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/place.h"

static struct place_node
node(const char *name, uint32_t fits, uint64_t free_mib)
{
	struct place_node p = { .offers = true, .fits = fits, .memory_free_mib = free_mib,
	    .vcpus_free = 8 };

	memcpy(p.name, name, strlen(name) + 1);
	memcpy(p.zone, "us-east-1a", sizeof("us-east-1a"));
	return p;
}

START_TEST(one_instance_goes_to_the_emptiest)
{
	struct place_node n[] = { node("n1", 4, 1000), node("n2", 4, 3000), node("n3", 4, 2000) };
	uint32_t total = 0;

	ck_assert_int_eq(place_pick(n, 3, "", 1, 1, &total), PLACE_OK);
	ck_assert_uint_eq(total, 1);
	ck_assert_uint_eq(n[1].take, 1);
}
END_TEST

START_TEST(equal_nodes_are_told_apart_by_name)
{
	struct place_node n[] = { node("n2", 4, 1000), node("n1", 4, 1000) };
	uint32_t total;

	ck_assert_int_eq(place_pick(n, 2, "", 1, 1, &total), PLACE_OK);
	ck_assert_uint_eq(n[1].take, 1);
}
END_TEST

START_TEST(several_are_spread_over_the_nodes)
{
	struct place_node n[] = { node("n1", 9, 9000), node("n2", 9, 100), node("n3", 1, 50) };
	uint32_t total;

	ck_assert_int_eq(place_pick(n, 3, "", 7, 7, &total), PLACE_OK);
	ck_assert_uint_eq(n[0].take, 3);
	ck_assert_uint_eq(n[1].take, 3);
	ck_assert_uint_eq(n[2].take, 1);	/* no more fit there */
}
END_TEST

START_TEST(less_than_max_is_placed_when_min_fits)
{
	struct place_node n[] = { node("n1", 2, 9000), node("n2", 1, 100) };
	uint32_t total;

	ck_assert_int_eq(place_pick(n, 2, "", 2, 10, &total), PLACE_OK);
	ck_assert_uint_eq(total, 3);
}
END_TEST

START_TEST(less_than_min_places_nothing)
{
	struct place_node n[] = { node("n1", 2, 9000), node("n2", 1, 100) };
	uint32_t total = 77;

	ck_assert_int_eq(place_pick(n, 2, "", 4, 10, &total), PLACE_NO_ROOM);
	ck_assert_uint_eq(total, 77);
	ck_assert_uint_eq(n[0].take + n[1].take, 0);
}
END_TEST

START_TEST(a_drained_node_takes_none)
{
	struct place_node n[] = { node("n1", 2, 9000), node("n2", 1, 100) };
	uint32_t total;

	n[0].drained = true;
	ck_assert_int_eq(place_pick(n, 2, "", 1, 2, &total), PLACE_OK);
	ck_assert_uint_eq(total, 1);
	ck_assert_uint_eq(n[1].take, 1);
	n[1].drained = true;
	ck_assert_int_eq(place_pick(n, 2, "", 1, 2, &total), PLACE_NO_ROOM);
}
END_TEST

START_TEST(a_zone_is_kept)
{
	struct place_node n[] = { node("n1", 9, 9000), node("n2", 2, 100) };
	uint32_t total;

	memcpy(n[1].zone, "us-east-1b", sizeof("us-east-1b"));
	ck_assert_int_eq(place_pick(n, 2, "us-east-1b", 1, 5, &total), PLACE_OK);
	ck_assert_uint_eq(total, 2);
	ck_assert_uint_eq(n[0].take, 0);
	ck_assert_int_eq(place_pick(n, 2, "us-east-1c", 1, 5, &total), PLACE_NO_ZONE);
}
END_TEST

START_TEST(the_reason_tells_a_full_cluster_from_a_wrong_one)
{
	struct place_node n[] = { node("n1", 0, 9000), node("n2", 0, 100) };
	uint32_t total;

	ck_assert_int_eq(place_pick(n, 2, "", 1, 1, &total), PLACE_NO_ROOM);
	n[0].offers = n[1].offers = false;
	ck_assert_int_eq(place_pick(n, 2, "", 1, 1, &total), PLACE_NO_TYPE);
	ck_assert_int_eq(place_pick(n, 0, "", 1, 1, &total), PLACE_NO_NODES);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("place");
	TCase *t = tcase_create("place");
	SRunner *r;
	int failed;

	tcase_add_test(t, one_instance_goes_to_the_emptiest);
	tcase_add_test(t, equal_nodes_are_told_apart_by_name);
	tcase_add_test(t, several_are_spread_over_the_nodes);
	tcase_add_test(t, less_than_max_is_placed_when_min_fits);
	tcase_add_test(t, less_than_min_places_nothing);
	tcase_add_test(t, a_drained_node_takes_none);
	tcase_add_test(t, a_zone_is_kept);
	tcase_add_test(t, the_reason_tells_a_full_cluster_from_a_wrong_one);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
