#include "vmd/capacity.h"

#include <check.h>

#define MIB(n)	((uint64_t)(n))

START_TEST(vcpus_are_shared_and_memory_never_is)
{
	static const struct capacity_need micro = { 2, 1024 };
	struct capacity c;

	capacity_init(&c, 2, 8, MIB(4096), MIB(512));
	ck_assert_uint_eq(c.vcpus, 16);
	ck_assert_uint_eq(c.memory_mib, 3584);
	ck_assert_uint_eq(capacity_fits(&c, &micro), 3);
	ck_assert(!capacity_reserve(&c, &micro, 4));
	ck_assert_uint_eq(capacity_memory_free(&c), 3584);
	ck_assert(capacity_reserve(&c, &micro, 3));
	ck_assert_uint_eq(capacity_fits(&c, &micro), 0);
	capacity_release(&c, &micro);
	ck_assert_uint_eq(capacity_fits(&c, &micro), 1);
}
END_TEST

START_TEST(vcpus_can_be_what_runs_out)
{
	static const struct capacity_need wide = { 9, 64 };
	struct capacity c;

	capacity_init(&c, 2, 8, MIB(1 << 20), 0);
	ck_assert_uint_eq(capacity_fits(&c, &wide), 1);
}
END_TEST

START_TEST(a_reserve_above_the_memory_leaves_nothing)
{
	static const struct capacity_need nano = { 2, 512 };
	struct capacity c;

	capacity_init(&c, 2, 8, MIB(400), MIB(512));
	ck_assert_uint_eq(capacity_fits(&c, &nano), 0);
	ck_assert(!capacity_reserve(&c, &nano, 1));
}
END_TEST

/* Two launches that ask in any order, with any sizes: never more is held than there is. */
START_TEST(racing_launches_never_both_take_the_last_room)
{
	uint32_t seed = 1 + (uint32_t)_i;

	for (int round = 0; round < 2000; round++) {
		struct capacity c;
		uint64_t taken = 0;

		capacity_init(&c, 1, 4, MIB(2048), 0);
		for (int ask = 0; ask < 6; ask++) {
			struct capacity_need need;
			uint64_t n;

			seed = seed * 1664525u + 1013904223u;
			need = (struct capacity_need){ 1 + (seed >> 28) % 3,
				64 * (1 + (seed >> 20) % 24) };
			n = 1 + (seed >> 16) % 3;
			if (capacity_reserve(&c, &need, n))
				taken += n * need.memory_mib;
			ck_assert_uint_le(c.vcpus_used, c.vcpus);
			ck_assert_uint_eq(c.memory_used_mib, taken);
			ck_assert_uint_le(taken, c.memory_mib);
		}
	}
}
END_TEST

START_TEST(a_guest_that_runs_already_is_counted_even_without_room)
{
	static const struct capacity_need big = { 4, 4096 }, nano = { 2, 512 };
	struct capacity c;

	capacity_init(&c, 2, 8, MIB(2048), 0);
	capacity_adopt(&c, &big);
	ck_assert_uint_eq(capacity_memory_free(&c), 0);
	ck_assert_uint_eq(capacity_fits(&c, &nano), 0);
	capacity_release(&c, &big);
	ck_assert_uint_eq(capacity_fits(&c, &nano), 4);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("capacity");
	TCase *tc = tcase_create("capacity");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, vcpus_are_shared_and_memory_never_is);
	tcase_add_test(tc, vcpus_can_be_what_runs_out);
	tcase_add_test(tc, a_reserve_above_the_memory_leaves_nothing);
	tcase_add_loop_test(tc, racing_launches_never_both_take_the_last_room, 0, 5);
	tcase_add_test(tc, a_guest_that_runs_already_is_counted_even_without_room);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
