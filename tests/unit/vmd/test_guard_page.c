#include "vmd/guard_page.h"

#include "tests/unit/unit.h"

#define T	60000u
#define D	100000u		/* the deadline */

static struct guard_limit limit;
static uint64_t wake_ms;

static void
setup(void)
{
	limit = (struct guard_limit){ .ttl_ms = T, .deadline_ms = D };
}

static enum guard_act
at(uint64_t now_ms, uint64_t deadline_ms)
{
	struct guard_page page = { .ttl_ms = T, .generation = 1, .deadline_ms = deadline_ms };

	guard_page_seal(&page);
	return guard_page_judge(&limit, deadline_ms ? &page : NULL, now_ms, &wake_ms);
}

START_TEST(a_deadline_that_moves_on_lets_the_guest_run)
{
	for (uint64_t now = D - T / 2; now < D + 10 * (uint64_t)T; now += T / 12) {
		ck_assert_int_eq(at(now, now + 2 * T / 3), GUARD_WAIT);
		ck_assert_uint_gt(wake_ms, now);
		ck_assert_uint_le(wake_ms, limit.deadline_ms);
	}
}
END_TEST

START_TEST(at_the_deadline_it_is_frozen_and_a_third_later_killed)
{
	ck_assert_int_eq(at(D - 1, D), GUARD_WAIT);
	ck_assert_uint_eq(wake_ms, D);
	ck_assert_int_eq(at(D, D), GUARD_FREEZE);
	ck_assert_int_eq(at(D + T / 3 - 1, D), GUARD_WAIT);
	ck_assert_uint_eq(wake_ms, D + T / 3);
	ck_assert_int_eq(at(D + T / 3, D), GUARD_KILL);
}
END_TEST

START_TEST(moved_on_in_time_it_is_let_go_on)
{
	ck_assert_int_eq(at(D, D), GUARD_FREEZE);
	ck_assert_int_eq(at(D + 1000, D + T), GUARD_THAW);
	ck_assert_int_eq(at(D + T - 1, D + T), GUARD_WAIT);
	ck_assert_int_eq(at(D + T, D + T), GUARD_FREEZE);
}
END_TEST

START_TEST(who_wakes_too_late_kills_whatever_the_page_says)
{
	ck_assert_int_eq(at(D + T / 3, D + 5 * T), GUARD_KILL);
	limit.is_frozen = true;
	ck_assert_int_eq(at(D + T, D + 5 * T), GUARD_KILL);
}
END_TEST

START_TEST(a_page_that_cannot_be_read_or_goes_back_moves_nothing)
{
	ck_assert_int_eq(at(D - 10, 0), GUARD_WAIT);
	ck_assert_int_eq(at(D - 5, D - T), GUARD_WAIT);
	ck_assert_uint_eq(limit.deadline_ms, D);
	ck_assert_int_eq(at(D, 0), GUARD_FREEZE);
}
END_TEST

START_TEST(a_page_half_written_is_none)
{
	struct guard_page p = { .ttl_ms = T, .generation = 7, .deadline_ms = D }, got = { 0 };

	ck_assert(!guard_page_read(&p, &got));
	guard_page_seal(&p);
	ck_assert(guard_page_read(&p, &got));
	ck_assert(got.generation == 7 && got.deadline_ms == D);
	p.deadline_ms += 1000;
	ck_assert(!guard_page_read(&p, &got));
	ck_assert_uint_eq(got.deadline_ms, D);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("guard_page");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, a_deadline_that_moves_on_lets_the_guest_run);
	tcase_add_test(tc, at_the_deadline_it_is_frozen_and_a_third_later_killed);
	tcase_add_test(tc, moved_on_in_time_it_is_let_go_on);
	tcase_add_test(tc, who_wakes_too_late_kills_whatever_the_page_says);
	tcase_add_test(tc, a_page_that_cannot_be_read_or_goes_back_moves_nothing);
	tcase_add_test(tc, a_page_half_written_is_none);
	return unit_run("guard_page", tc);
}
