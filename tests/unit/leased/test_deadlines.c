#include "leased/deadlines.h"

#include "tests/unit/unit.h"

#define N	500

START_TEST(they_come_in_order_whatever_was_moved_or_taken_out)
{
	static struct deadline d[N];
	struct deadlines h = { .n = 0 };
	uint64_t seed = 7, last = 0;
	size_t left = 0;

	ck_assert_int_eq(deadlines_reserve(&h, N), 0);
	for (size_t round = 0; round < 20 * N; round++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		deadline_set(&h, &d[(seed >> 33) % N], (seed >> 20) % 7 == 0 ? DEADLINE_NEVER :
		    (seed >> 40) % 1000);
	}
	for (size_t i = 0; i < N; i++)
		left += d[i].place != 0;
	ck_assert_uint_gt(left, 0);
	for (; deadlines_first(&h); left--) {
		struct deadline *first = deadlines_first(&h);

		ck_assert_uint_ge(first->at_ms, last);
		last = first->at_ms;
		deadline_set(&h, first, DEADLINE_NEVER);
		ck_assert_uint_eq(first->place, 0);
	}
	ck_assert_uint_eq(left, 0);
	deadlines_deinit(&h);
}
END_TEST

START_TEST(taking_out_what_is_not_in_is_nothing)
{
	struct deadlines h = { .n = 0 };
	struct deadline d = { .at_ms = 0 };

	deadline_set(&h, &d, DEADLINE_NEVER);
	ck_assert_ptr_null(deadlines_first(&h));
	deadlines_deinit(&h);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("deadlines");

	tcase_add_test(tc, they_come_in_order_whatever_was_moved_or_taken_out);
	tcase_add_test(tc, taking_out_what_is_not_in_is_nothing);
	return unit_run("deadlines", tc);
}
