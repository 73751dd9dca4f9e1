#include "tests/unit/leased/site.h"

static struct fixture {
	struct store	 s;
	struct site	 a, b;
} *f;

static void
setup(void)
{
	f = calloc(1, sizeof(*f));
	ck_assert_ptr_nonnull(f);
	site_init(&f->a, "node-a", &f->s, 1000);
	site_init(&f->b, "node-b", &f->s, 1000);
}

static void
teardown(void)
{
	free(f);
}

START_TEST(the_first_attempt_is_immediate_and_each_change_is_told_once_52)
{
	site_stand(&f->a, true);
	ck_assert_uint_eq(f->a.gained, 1);
	ck_assert(site_holds(&f->a));
	site_stand(&f->a, true);
	site_pass(&f->a, 2 * T);
	ck_assert_uint_eq(f->a.gained, 1);
	ck_assert_uint_eq(f->a.lost, 0);
	f->s.is_away = true;
	site_pass(&f->a, T);
	ck_assert_uint_eq(f->a.lost, 1);
	f->s.is_away = false;
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.gained, 2);
}
END_TEST

START_TEST(while_not_held_an_attempt_is_made_each_third_53)
{
	site_stand(&f->a, true);
	site_stand(&f->b, true);
	for (int i = 1; i < 9; i++) {
		unsigned loads = f->s.loads;

		site_pass(&f->a, T / 3);
		site_pass(&f->b, T / 3 - 1);
		ck_assert_uint_eq(f->s.loads, loads);
		site_pass(&f->b, 1);
		ck_assert_uint_eq(f->s.loads, loads + 1);
	}
	ck_assert_uint_eq(f->b.gained, 0);
}
END_TEST

START_TEST(the_take_over_is_armed_at_first_sight_plus_T_53)
{
	store_set(&f->s, "node-c", 0);
	site_stand(&f->a, true);
	site_pass(&f->a, T / 4);
	store_set(&f->s, "node-c", 1);		/* renewed between two looks */
	site_pass(&f->a, T / 3 - T / 4);	/* first seen here */
	site_pass(&f->a, T - 1);
	ck_assert_uint_eq(f->a.gained, 0);
	site_pass(&f->a, 1);
	ck_assert_uint_eq(f->a.gained, 1);
	ck_assert_uint_eq(f->a.sent[0], 1000 + T / 3 + T);
}
END_TEST

START_TEST(a_hint_is_a_look_and_shortens_the_way_53)
{
	struct lease_out out = { .edges = 0 };

	store_set(&f->s, "node-c", 0);
	site_stand(&f->a, true);
	site_pass(&f->a, 1000);
	store_set(&f->s, "", 0);
	lease_hint(&f->a.l, 0, f->a.now, &out);
	site_take(&f->a, &out);
	ck_assert_uint_eq(f->a.gained, 1);
}
END_TEST

START_TEST(a_hint_during_a_look_is_not_forgotten_53)
{
	struct lease_out out = { .edges = 0 };
	struct lease_seen seen;
	struct lease_request q;

	store_set(&f->s, "node-c", 0);
	f->a.is_stuck = true;
	site_stand(&f->a, true);
	q = f->a.held;
	(void)store_load(&f->s, &seen);		/* read, and the answer is on its way */
	store_set(&f->s, "", 0);
	lease_hint(&f->a.l, 0, f->a.now, &out);
	ck_assert_int_eq(out.request.kind, LEASE_NOTHING);
	f->a.is_stuck = false;
	lease_loaded(&f->a.l, q.op, &seen, f->a.now, &out);
	site_take(&f->a, &out);
	ck_assert_uint_eq(f->a.refused, 1);
	ck_assert_uint_eq(f->a.gained, 1);
}
END_TEST

START_TEST(who_has_a_later_turn_finds_a_freed_key_taken_53)
{
	struct lease_out first = { .edges = 0 }, later = { .edges = 0 };

	store_set(&f->s, "node-c", 0);
	site_stand(&f->a, true);
	site_stand(&f->b, true);
	store_set(&f->s, "", 0);
	lease_hint(&f->b.l, 25, f->b.now, &later);
	ck_assert_int_eq(later.request.kind, LEASE_NOTHING);
	ck_assert_uint_eq(lease_deadline(&f->b.l), f->b.now + 25);
	lease_hint(&f->a.l, 0, f->a.now, &first);
	site_take(&f->a, &first);
	ck_assert_uint_eq(f->a.gained, 1);
	site_pass(&f->b, 25);
	ck_assert_uint_eq(f->b.refused, 2);	/* by what it read: it wrote nothing */
	ck_assert_uint_eq(f->b.l.op_last, 2);
}
END_TEST

START_TEST(a_hint_during_a_look_waits_for_this_nodes_turn_53)
{
	struct lease_out out = { .edges = 0 };
	struct lease_seen seen;
	struct lease_request q;

	store_set(&f->s, "node-c", 0);
	f->a.is_stuck = true;
	site_stand(&f->a, true);
	q = f->a.held;
	(void)store_load(&f->s, &seen);
	store_set(&f->s, "", 0);
	lease_hint(&f->a.l, 25, f->a.now, &out);
	f->a.is_stuck = false;
	lease_loaded(&f->a.l, q.op, &seen, f->a.now, &out);
	ck_assert_int_eq(out.request.kind, LEASE_NOTHING);
	site_take(&f->a, &out);
	ck_assert_uint_eq(lease_deadline(&f->a.l), f->a.now + 25);
	site_pass(&f->a, 25);
	ck_assert_uint_eq(f->a.gained, 1);
}
END_TEST

START_TEST(a_taken_key_is_regained_after_its_taker_sat_T_54)
{
	site_stand(&f->a, true);
	store_set(&f->s, "node-c", 0);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.lost, 1);
	site_pass(&f->a, T - 1);
	ck_assert_uint_eq(f->a.gained, 1);
	site_pass(&f->a, T / 3 + 1);		/* four steps of T/3 in all */
	ck_assert_uint_eq(f->a.gained, 2);
}
END_TEST

START_TEST(who_stops_while_holding_unlocks_and_the_key_is_free_55)
{
	for (unsigned i = 1; i <= 2; i++) {
		site_stand(&f->a, true);
		ck_assert(site_leave(&f->a, f->a.l.generation));
		ck_assert_uint_eq(f->a.gained, i);
		ck_assert_uint_eq(f->a.lost, i);
		ck_assert_str_eq(f->s.token.holder, "");
		ck_assert_uint_eq(lease_deadline(&f->a.l), LEASE_NEVER);
	}
}
END_TEST

START_TEST(another_waits_no_T_for_what_was_unlocked_55)
{
	site_stand(&f->a, true);
	site_stand(&f->b, true);
	ck_assert(site_leave(&f->a, f->a.l.generation));
	site_pass(&f->b, T / 3);
	ck_assert_uint_eq(f->b.gained, 1);
}
END_TEST

START_TEST(after_a_clean_stop_the_loser_has_it_at_its_next_look_88)
{
	site_stand(&f->a, true);
	site_stand(&f->b, true);
	site_pass(&f->a, T / 3);
	site_pass(&f->b, T / 3);		/* another revision: the count begins again */
	ck_assert(site_leave(&f->a, f->a.l.generation));
	site_pass(&f->b, T / 3 - 1);
	ck_assert_uint_eq(f->b.gained, 0);
	site_pass(&f->b, 1);
	ck_assert_uint_eq(f->b.gained, 1);
}
END_TEST

START_TEST(a_client_that_cannot_begin_stands_down_and_comes_again_56)
{
	for (int i = 0; i < 3; i++) {
		site_stand(&f->a, true);
		ck_assert(site_holds(&f->a));
		ck_assert(site_leave(&f->a, f->a.l.generation));
		ck_assert(!site_holds(&f->a));
		ck_assert_str_eq(f->s.token.holder, "");
		site_pass(&f->a, T / 3);	/* no attempt of its own */
		ck_assert_str_eq(f->s.token.holder, "");
	}
	ck_assert_uint_eq(f->a.gained, 3);
}
END_TEST

START_TEST(a_loss_is_told_even_when_the_gain_was_heard_late_57)
{
	struct lease_out out = { .edges = 0 };
	struct lease_request q;

	f->a.is_stuck = true;
	site_stand(&f->a, true);
	q = f->a.held;
	site_serve(&f->a, &q);
	q = f->a.held;
	f->a.delay = 2 * T / 3 - 1;
	site_serve(&f->a, &q);
	ck_assert_uint_eq(f->a.gained, 1);
	ck_assert(site_holds(&f->a));
	f->a.now += 1;
	lease_tick(&f->a.l, f->a.now, &out);
	ck_assert_uint_eq(out.edges, LEASE_LOST);
	ck_assert(!site_holds(&f->a));
}
END_TEST

START_TEST(who_stops_while_not_holding_is_told_nothing_58)
{
	store_set(&f->s, "node-c", 0);
	site_stand(&f->a, true);
	(void)site_edges(&f->a);
	site_stand(&f->a, false);
	ck_assert(!site_leave(&f->a, 0));
	ck_assert_uint_eq(site_edges(&f->a), 0);
	site_pass(&f->a, 5 * T);
	ck_assert_uint_eq(site_edges(&f->a), 0);
	ck_assert_uint_eq(f->s.swaps, 0);
}
END_TEST

START_TEST(a_look_that_is_not_answered_is_made_again)
{
	f->a.is_stuck = true;
	site_stand(&f->a, true);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.failed, 1);
	f->a.is_stuck = false;
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.gained, 1);
}
END_TEST

START_TEST(who_loses_each_race_rests_after_three)
{
	struct lease_request q;

	f->a.is_stuck = true;
	site_stand(&f->a, true);
	for (int i = 0; i < LEASE_TRIES; i++) {
		q = f->a.held;
		ck_assert_int_eq(q.kind, LEASE_LOAD);
		site_serve(&f->a, &q);
		store_set(&f->s, "", 0);		/* somebody came and went */
		q = f->a.held;
		ck_assert_int_eq(q.kind, LEASE_WIN);
		site_serve(&f->a, &q);
	}
	ck_assert_uint_eq(f->a.refused, 1);
	ck_assert_uint_eq(lease_deadline(&f->a.l), f->a.now + T / 3);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("election");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_first_attempt_is_immediate_and_each_change_is_told_once_52);
	tcase_add_test(tc, while_not_held_an_attempt_is_made_each_third_53);
	tcase_add_test(tc, the_take_over_is_armed_at_first_sight_plus_T_53);
	tcase_add_test(tc, a_hint_is_a_look_and_shortens_the_way_53);
	tcase_add_test(tc, who_has_a_later_turn_finds_a_freed_key_taken_53);
	tcase_add_test(tc, a_hint_during_a_look_waits_for_this_nodes_turn_53);
	tcase_add_test(tc, a_hint_during_a_look_is_not_forgotten_53);
	tcase_add_test(tc, a_taken_key_is_regained_after_its_taker_sat_T_54);
	tcase_add_test(tc, who_stops_while_holding_unlocks_and_the_key_is_free_55);
	tcase_add_test(tc, another_waits_no_T_for_what_was_unlocked_55);
	tcase_add_test(tc, after_a_clean_stop_the_loser_has_it_at_its_next_look_88);
	tcase_add_test(tc, a_client_that_cannot_begin_stands_down_and_comes_again_56);
	tcase_add_test(tc, a_loss_is_told_even_when_the_gain_was_heard_late_57);
	tcase_add_test(tc, who_stops_while_not_holding_is_told_nothing_58);
	tcase_add_test(tc, a_look_that_is_not_answered_is_made_again);
	tcase_add_test(tc, who_loses_each_race_rests_after_three);
	return unit_run("election", tc);
}
