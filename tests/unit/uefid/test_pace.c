/* When a write-back is due, on a clock of the test's own. */
#include <stdlib.h>

#include "uefid/pace.h"
#include "tests/unit/unit.h"

#define QUIET	500
#define MOST	5000

static uint64_t
due(const struct pace *p)
{
	return pace_due_ms(p, QUIET, MOST);
}

START_TEST(nothing_is_due_before_a_write)
{
	struct pace p = { 0 };

	ck_assert_uint_eq(due(&p), PACE_NEVER);
}
END_TEST

START_TEST(a_save_comes_after_the_quiet_time)
{
	struct pace p = { 0 };

	pace_wrote(&p, 1000);
	ck_assert_uint_eq(due(&p), 1500);
	pace_wrote(&p, 1400);
	ck_assert_uint_eq(due(&p), 1900);
}
END_TEST

START_TEST(a_guest_that_never_rests_is_saved_each_five_seconds)
{
	struct pace p = { 0 };
	unsigned saves = 0;

	for (uint64_t now = 0; now < 60000; now += 10) {
		pace_wrote(&p, now);
		if (due(&p) <= now) {
			pace_begin(&p);
			pace_end(&p, true, now);
			saves++;
		}
	}
	ck_assert_uint_ge(saves, 11);
	ck_assert_uint_le(saves, 12);
}
END_TEST

/* Saves of a guest that writes each so often, in the time. */
static unsigned
saves_of(struct pace *p, uint64_t from, uint64_t ms, uint64_t each)
{
	unsigned saves = 0;

	for (uint64_t now = from; now < from + ms; now += 10) {
		if ((now - from) % each == 0)
			pace_wrote(p, now);
		if (due(p) <= now) {
			pace_begin(p);
			pace_stored(p, MOST, now);
			pace_end(p, true, now);
			saves++;
		}
	}
	return saves;
}

START_TEST(a_guest_that_rests_between_its_writes_costs_no_more_objects)
{
	static const uint64_t each[] = { 10, QUIET - 10, QUIET, QUIET + 10, 600, 1000, 2500, 4990 };

	for (unsigned i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		struct pace p = { 0 };

		ck_assert_uint_le(saves_of(&p, 100000, 60000, each[i]), 60000 / MOST + PACE_AHEAD);
		ck_assert_uint_le(saves_of(&p, 160000, 60000, each[i]), 60000 / MOST + 1);
		ck_assert_uint_ge(saves_of(&p, 220000, 60000, each[i]), 60000 / MOST - 1);
	}
}
END_TEST

START_TEST(the_first_writes_wait_for_the_quiet_time_alone_and_after_a_rest_again)
{
	struct pace p = { 0 };

	(void)saves_of(&p, 100000, 60000, 600);
	pace_begin(&p);
	pace_end(&p, true, 160000);
	for (uint64_t now = 160000 + PACE_AHEAD * MOST; now < 400000; now += 100000)
		for (unsigned i = 0; i < PACE_AHEAD; i++, now += 2 * QUIET) {
			pace_wrote(&p, now);
			ck_assert_uint_eq(due(&p), now + QUIET);
			pace_begin(&p);
			pace_stored(&p, MOST, now + QUIET);
			pace_end(&p, true, now + QUIET);
		}
}
END_TEST

START_TEST(no_write_waits_longer_than_the_most_whatever_was_stored_before)
{
	struct pace p = { 0 };

	for (unsigned i = 0; i < 20; i++)	/* an operator's flushes */
		pace_stored(&p, MOST, 1000);
	pace_wrote(&p, 1000);
	ck_assert_uint_eq(due(&p), 1000 + MOST);
}
END_TEST

START_TEST(nothing_is_due_while_a_save_runs_and_later_writes_count_from_their_own_first)
{
	struct pace p = { 0 };

	pace_wrote(&p, 1000);
	pace_begin(&p);
	pace_wrote(&p, 1600);
	pace_wrote(&p, 1700);
	ck_assert_uint_eq(due(&p), PACE_NEVER);
	pace_end(&p, true, 1800);
	ck_assert_uint_eq(due(&p), 2200);
	for (uint64_t now = 1800; now < 6600; now += 100)
		pace_wrote(&p, now);
	ck_assert_uint_eq(due(&p), 1600 + MOST);
}
END_TEST

START_TEST(a_save_without_later_writes_leaves_nothing_due)
{
	struct pace p = { 0 };

	pace_wrote(&p, 1000);
	pace_begin(&p);
	pace_end(&p, true, 1600);
	ck_assert_uint_eq(due(&p), PACE_NEVER);
}
END_TEST

/* An operator's flush waits behind a save, and looks at the copy once that has ended: what is
 * written after its look is in neither. */
START_TEST(a_write_after_the_look_of_a_flush_that_waited_for_a_save_is_due)
{
	struct pace p = { 0 };

	pace_wrote(&p, 1000);
	pace_begin(&p);
	pace_begin(&p);
	pace_end(&p, true, 1600);
	ck_assert_uint_eq(due(&p), PACE_NEVER);
	pace_wrote(&p, 1700);
	pace_end(&p, true, 1800);
	ck_assert_uint_eq(due(&p), 1700 + QUIET);
}
END_TEST

START_TEST(what_another_job_owes_does_not_end_the_save_that_waits_behind_it)
{
	struct pace p = { 0 };

	pace_begin(&p);
	pace_owes(&p, 1000);
	ck_assert_uint_eq(due(&p), PACE_NEVER);
	pace_wrote(&p, 1500);
	pace_end(&p, true, 1600);
	ck_assert_uint_eq(due(&p), 1500 + QUIET);
}
END_TEST

START_TEST(a_failure_is_retried_later_and_later_up_to_a_minute)
{
	static const uint64_t waits[] = { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000 };
	struct pace p = { 0 };
	uint64_t now = 1000;

	pace_wrote(&p, now);
	for (unsigned i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		pace_begin(&p);
		pace_end(&p, false, now);
		ck_assert_uint_eq(due(&p), now + waits[i]);
		now = due(&p);
	}
	pace_wrote(&p, now - 1);	/* writing does not hurry it */
	ck_assert_uint_eq(due(&p), now > p.first_ms + MOST ? now : p.first_ms + MOST);
	pace_begin(&p);
	pace_end(&p, true, now);
	ck_assert_uint_eq(due(&p), PACE_NEVER);
	pace_begin(&p);
	pace_end(&p, false, now);	/* a flush that failed, of nothing known to be unsaved */
	ck_assert_uint_eq(due(&p), now + 1000);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("pace");

	tcase_add_test(t, nothing_is_due_before_a_write);
	tcase_add_test(t, a_save_comes_after_the_quiet_time);
	tcase_add_test(t, a_guest_that_never_rests_is_saved_each_five_seconds);
	tcase_add_test(t, a_guest_that_rests_between_its_writes_costs_no_more_objects);
	tcase_add_test(t,
	    the_first_writes_wait_for_the_quiet_time_alone_and_after_a_rest_again);
	tcase_add_test(t, no_write_waits_longer_than_the_most_whatever_was_stored_before);
	tcase_add_test(t,
	    nothing_is_due_while_a_save_runs_and_later_writes_count_from_their_own_first);
	tcase_add_test(t, a_save_without_later_writes_leaves_nothing_due);
	tcase_add_test(t, a_write_after_the_look_of_a_flush_that_waited_for_a_save_is_due);
	tcase_add_test(t, what_another_job_owes_does_not_end_the_save_that_waits_behind_it);
	tcase_add_test(t, a_failure_is_retried_later_and_later_up_to_a_minute);
	return unit_run("pace", t);
}
