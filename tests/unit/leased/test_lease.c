#include "tests/unit/leased/site.h"

static struct fixture {
	struct store	 s;
	struct site	 a, b, c;
} *f;

static void
setup(void)
{
	f = calloc(1, sizeof(*f));
	ck_assert_ptr_nonnull(f);
	site_init(&f->a, "node-a", &f->s, 1000);
	site_init(&f->b, "node-b", &f->s, 777000);	/* clocks that have nothing in common */
	site_init(&f->c, "node-c", &f->s, 5);
}

static void
teardown(void)
{
	free(f);
}

START_TEST(an_absent_key_is_created_and_its_revision_is_the_generation_19)
{
	f->s.sequence = 41;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_int_eq(f->a.last.kind, LEASE_WIN);
	ck_assert_uint_eq(f->a.last.expected, 0);
	ck_assert_uint_eq(f->s.token.generation, 0);
	ck_assert_str_eq(f->s.token.holder, "node-a");
	ck_assert_uint_eq(f->a.l.generation, 42);
	ck_assert(site_holds(&f->a));
}
END_TEST

START_TEST(a_delete_marker_is_swapped_at_its_own_sequence_19)
{
	store_set(&f->s, "", 0);
	store_set(&f->s, "", 0);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_eq(f->a.last.expected, 2);
	ck_assert_uint_eq(f->a.l.generation, 3);
}
END_TEST

START_TEST(a_restarted_holder_swaps_at_once_with_a_generation_of_its_own_20)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->s.token.generation, f->a.l.generation);
	site_init(&f->a, "node-a", &f->s, 900);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_eq(f->s.token.generation, 0);
	ck_assert_uint_eq(f->a.l.generation, 3);
	ck_assert_uint_eq(f->s.revision, 3);
}
END_TEST

START_TEST(a_first_look_at_another_only_begins_the_count_21)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->b.now += 10 * T;
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	ck_assert_str_eq(f->b.l.seen.holder, "node-a");
	ck_assert_uint_eq(f->b.l.seen.generation, f->a.l.generation);
	ck_assert_uint_eq(f->b.l.seen_ms, f->b.now);
	ck_assert_uint_eq(f->s.swaps, 1);
}
END_TEST

START_TEST(an_unchanged_revision_is_taken_over_at_T_and_not_before_22)
{
	uint64_t generation;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	generation = f->a.l.generation;
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += T - 1;
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += 1;
	ck_assert_uint_eq(site_try(&f->b), LEASE_GAINED);
	ck_assert_uint_gt(f->b.l.generation, generation);
	ck_assert_str_eq(f->s.token.holder, "node-b");
}
END_TEST

START_TEST(a_renewed_lease_is_never_taken_23)
{
	uint64_t revision;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	for (int i = 0; i < 9; i++) {
		revision = f->s.revision;
		ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
		site_pass(&f->a, T / 3);
		f->b.now += T / 3;
		ck_assert_uint_gt(f->s.revision, revision);
	}
	ck_assert_uint_eq(f->a.renewed, 9);
	ck_assert(site_holds(&f->a));
}
END_TEST

START_TEST(another_revision_begins_the_count_again_24)
{
	store_set(&f->s, "node-a", 0);
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += T - 1;
	store_set(&f->s, "node-a", 1);
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += T - 1;
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += 1;
	ck_assert_uint_eq(site_try(&f->b), LEASE_GAINED);
	ck_assert_uint_eq(f->b.l.seen_revision, 0);
}
END_TEST

START_TEST(what_one_site_saw_is_no_other_sites_watch_24)
{
	store_set(&f->s, "node-a", 0);
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->c.now += T;
	ck_assert_uint_eq(site_try(&f->c), LEASE_REFUSED);
}
END_TEST

START_TEST(of_a_restarted_holder_and_a_follower_at_one_revision_one_wins_25)
{
	struct lease_request b;

	store_set(&f->s, "node-a", 0);
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += T;
	f->b.is_stuck = true;
	(void)site_try(&f->b);			/* its read is on its way */
	b = f->b.held;
	site_serve(&f->b, &b);			/* it read 1; its swap is on its way */
	ck_assert_int_eq(f->b.held.kind, LEASE_WIN);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_gt(f->a.l.generation, 1);
	f->b.is_stuck = false;
	b = f->b.held;
	site_serve(&f->b, &b);
	ck_assert_uint_eq(site_edges(&f->b) & LEASE_VERDICT, LEASE_REFUSED);
	ck_assert_uint_eq(f->b.l.seen.generation, f->a.l.generation);
	ck_assert(!site_holds(&f->b));
	ck_assert_str_eq(f->s.token.holder, "node-a");
}
END_TEST

START_TEST(a_second_try_while_held_costs_nothing_and_names_us_26)
{
	struct lease_out out = { .edges = 0 };
	struct cas_token token;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_int_eq(lease_try(&f->a.l, f->a.now, &out), LEASE_TRY_HELD);
	ck_assert_int_eq(out.request.kind, LEASE_NOTHING);
	lease_token(&f->a.l, &token);
	ck_assert_str_eq(token.holder, "node-a");
	ck_assert_uint_eq(token.generation, f->a.l.generation);
}
END_TEST

START_TEST(a_second_try_during_the_first_is_busy_27)
{
	struct lease_out out = { .edges = 0 };

	f->a.is_stuck = true;
	(void)site_try(&f->a);
	ck_assert_int_eq(lease_try(&f->a.l, f->a.now, &out), LEASE_TRY_BUSY);
	ck_assert_int_eq(out.request.kind, LEASE_NOTHING);
	ck_assert_uint_eq(f->a.l.generation, 0);
}
END_TEST

START_TEST(after_an_unlock_the_next_generation_is_higher_28)
{
	uint64_t generation;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	generation = f->a.l.generation;
	ck_assert(site_leave(&f->a, generation));
	ck_assert(!site_holds(&f->a));
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_gt(f->a.l.generation, generation);
	ck_assert_uint_eq(f->a.lost, 1);
}
END_TEST

START_TEST(nothing_is_held_before_the_first_acquisition_29)
{
	ck_assert(!site_holds(&f->a));
	ck_assert_uint_eq(lease_valid_until(&f->a.l), 0);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert(site_leave(&f->a, f->a.l.generation));
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert(site_leave(&f->a, f->a.l.generation));
	ck_assert_uint_eq(f->a.lost, 2);
}
END_TEST

START_TEST(an_unlock_of_a_lost_acquisition_leaves_the_next_alone_30)
{
	uint64_t first, revision;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	first = f->a.l.generation;
	f->s.is_away = true;
	site_pass(&f->a, T);
	f->s.is_away = false;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	revision = f->s.revision;
	ck_assert(!site_leave(&f->a, first));
	ck_assert(site_holds(&f->a));
	ck_assert_uint_eq(f->s.revision, revision);
}
END_TEST

START_TEST(an_overwritten_key_is_found_out_by_the_renewal_and_left_alone_31)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	store_set(&f->s, "node-b", 0);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert(!site_holds(&f->a));
	ck_assert_uint_eq(lease_deadline(&f->a.l), LEASE_NEVER);
	site_pass(&f->a, 10 * T);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(f->s.swaps, 2);
}
END_TEST

START_TEST(after_such_a_loss_the_taker_is_watched_for_T_32)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	store_set(&f->s, "node-b", 0);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(site_try(&f->a), LEASE_REFUSED);
	f->a.now += T - 1;
	ck_assert_uint_eq(site_try(&f->a), LEASE_REFUSED);
	f->a.now += 1;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
}
END_TEST

START_TEST(after_such_a_loss_a_deleted_key_is_won_at_once_33)
{
	uint64_t generation;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	generation = f->a.l.generation;
	store_set(&f->s, "", 0);
	site_pass(&f->a, T / 3);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_gt(f->a.l.generation, generation);
}
END_TEST

START_TEST(an_unreachable_store_is_tried_each_twelfth_until_two_thirds_34)
{
	uint64_t start = f->a.now;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->s.is_away = true;
	site_pass(&f->a, 2 * T / 3 - 1);
	ck_assert_uint_eq(f->a.lost, 0);
	ck_assert_uint_eq(f->a.nsent, 5);
	for (unsigned i = 1; i < 5; i++)
		ck_assert_uint_eq(f->a.sent[i] - start, T / 3 + (i - 1) * (T / 12));
	site_pass(&f->a, 1);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(f->a.nsent, 5);
}
END_TEST

START_TEST(a_retry_waits_a_twelfth_but_a_millisecond_at_least_35)
{
	struct lease_out out = { .edges = 0 };
	struct lease l;

	ck_assert_int_eq(lease_init(&l, "node-a", 11, 0), LEASE_MADE);
	(void)lease_try(&l, 100, &out);
	lease_loaded(&l, out.request.op, &(struct lease_seen){ .result = CAS_NOT_FOUND }, 100,
	    &out);
	lease_written(&l, out.request.op, CAS_OK, 1, 100, &out);
	ck_assert_uint_eq(lease_deadline(&l), 103);
	lease_tick(&l, 103, &out);
	lease_written(&l, out.request.op, CAS_UNAVAILABLE, 0, 103, &out);
	ck_assert_uint_eq(lease_deadline(&l), 104);
	lease_tick(&l, 104, &out);
	lease_written(&l, out.request.op, CAS_UNAVAILABLE, 0, 106, &out);
	ck_assert_uint_eq(lease_deadline(&l), 107);	/* the deadline, and not past it */
	lease_tick(&l, 107, &out);
	ck_assert_uint_ne(out.edges & LEASE_LOST, 0);
}
END_TEST

START_TEST(with_the_store_back_the_key_is_adopted_at_once_36)
{
	uint64_t generation;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	generation = f->a.l.generation;
	f->s.is_away = true;
	site_pass(&f->a, T);
	f->s.is_away = false;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_gt(f->a.l.generation, generation);
	ck_assert(!site_leave(&f->a, generation));
	ck_assert(site_holds(&f->a));
}
END_TEST

START_TEST(a_grant_that_is_told_after_two_thirds_is_no_grant_37)
{
	struct lease_request q;

	f->a.is_stuck = true;
	(void)site_try(&f->a);
	q = f->a.held;
	site_serve(&f->a, &q);
	q = f->a.held;
	ck_assert_int_eq(q.kind, LEASE_WIN);
	f->a.delay = 2 * T / 3;
	site_serve(&f->a, &q);			/* lands; the answer comes 2T/3 later */
	ck_assert_uint_eq(site_edges(&f->a) & LEASE_VERDICT, LEASE_FAILED);
	ck_assert(!site_holds(&f->a));
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);
	f->b.now += T;
	ck_assert_uint_eq(site_try(&f->b), LEASE_GAINED);
	ck_assert(!site_holds(&f->a));
}
END_TEST

START_TEST(a_grant_that_is_told_late_even_without_a_tick_is_no_grant_37)
{
	struct lease_out out = { .edges = 0 };
	struct lease *l = &f->a.l;

	(void)lease_try(l, 0, &out);
	lease_loaded(l, out.request.op, &(struct lease_seen){ .result = CAS_NOT_FOUND }, 0, &out);
	lease_written(l, out.request.op, CAS_OK, 1, 2 * T / 3, &out);
	ck_assert_uint_eq(out.edges, LEASE_FAILED);
	ck_assert_int_eq(l->why, CAS_UNAVAILABLE);
}
END_TEST

START_TEST(a_grant_that_took_half_of_T_is_renewed_at_once_38)
{
	struct lease_request q;
	uint64_t sent;

	f->a.is_stuck = true;
	(void)site_try(&f->a);
	q = f->a.held;
	site_serve(&f->a, &q);
	q = f->a.held;
	sent = f->a.now;
	f->a.delay = T / 2;
	site_serve(&f->a, &q);
	ck_assert_uint_eq(f->a.gained, 1);
	ck_assert(site_holds(&f->a));
	ck_assert_uint_eq(lease_valid_until(&f->a.l), sent + 2 * T / 3);
	ck_assert_int_eq(f->a.held.kind, LEASE_KEEP);
	ck_assert_uint_eq(f->a.sent[1], sent + T / 2);
}
END_TEST

START_TEST(the_next_renewal_is_due_from_the_send_of_the_last_39)
{
	uint64_t start = f->a.now;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.delay = T / 4;
	site_pass(&f->a, T / 3 + T / 4);
	ck_assert_uint_eq(f->a.renewed, 1);
	ck_assert_uint_eq(lease_deadline(&f->a.l), start + 2 * T / 3);
	ck_assert_uint_eq(lease_valid_until(&f->a.l), start + T / 3 + 2 * T / 3);
	site_pass(&f->a, T / 3 - T / 4);
	ck_assert_uint_eq(f->a.sent[2], start + 2 * T / 3);
	ck_assert_uint_eq(f->a.lost, 0);
}
END_TEST

START_TEST(a_renewal_that_hangs_does_not_put_the_end_off_40)
{
	uint64_t start = f->a.now;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.is_stuck = true;
	site_pass(&f->a, 2 * T / 3 - 1);
	ck_assert(site_holds(&f->a));
	site_pass(&f->a, 1);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(f->a.now, start + 2 * T / 3);
}
END_TEST

START_TEST(a_late_answer_to_a_renewal_revives_nothing_40)
{
	struct lease_request q;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.is_stuck = true;
	site_pass(&f->a, 2 * T / 3);
	q = f->a.held;
	ck_assert_int_eq(q.kind, LEASE_KEEP);
	site_serve(&f->a, &q);
	ck_assert(!site_holds(&f->a));
	ck_assert_uint_eq(f->a.renewed, 0);
}
END_TEST

START_TEST(an_unlock_does_not_wait_for_a_renewal_that_hangs_41)
{
	struct lease_request stuck;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.is_stuck = true;
	site_pass(&f->a, T / 3);
	stuck = f->a.held;
	f->a.is_stuck = false;
	ck_assert(site_leave(&f->a, f->a.l.generation));
	ck_assert_uint_eq(f->a.last.expected, 1);
	ck_assert_uint_eq(f->a.left, 1);
	ck_assert_str_eq(f->s.token.holder, "");
	site_serve(&f->a, &stuck);
	ck_assert_str_eq(f->s.token.holder, "");	/* it cannot bring the key back */
	ck_assert_uint_eq(f->s.revision, 2);
}
END_TEST

START_TEST(the_store_is_given_two_thirds_to_grant_and_a_third_to_renew_42)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_eq(f->a.last.timeout_ms, 2 * T / 3);
	site_pass(&f->a, T / 3);
	ck_assert_int_eq(f->a.last.kind, LEASE_KEEP);
	ck_assert_uint_eq(f->a.last.timeout_ms, T / 3);
	f->s.is_away = true;
	site_pass(&f->a, T / 3 + T / 12);
	ck_assert_uint_eq(f->a.last.timeout_ms, T / 3 - T / 12);	/* what is left */
}
END_TEST

START_TEST(who_no_longer_stands_keeps_what_is_held_43)
{
	site_stand(&f->a, true);
	site_stand(&f->a, false);
	site_pass(&f->a, 5 * T);
	ck_assert(site_holds(&f->a));
	ck_assert_uint_eq(f->a.renewed, 15);
	store_set(&f->s, "node-b", 0);
	site_pass(&f->a, 5 * T);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_uint_eq(lease_deadline(&f->a.l), LEASE_NEVER);
}
END_TEST

START_TEST(an_unlock_waits_five_seconds_for_its_delete_and_no_longer_44)
{
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.is_stuck = true;
	ck_assert(site_leave(&f->a, f->a.l.generation));
	ck_assert_uint_eq(f->a.last.timeout_ms, 5000);
	site_pass(&f->a, 4999);
	ck_assert_uint_eq(f->a.left, 0);
	site_pass(&f->a, 1);
	ck_assert_uint_eq(f->a.left, 1);
	ck_assert_int_eq(f->a.l.why, CAS_UNKNOWN);
	ck_assert_uint_eq(site_try(&f->b), LEASE_REFUSED);	/* another waits T, then */
}
END_TEST

START_TEST(an_unlock_of_what_is_not_held_does_nothing_45)
{
	ck_assert(!site_leave(&f->a, 0));
	ck_assert(!site_leave(&f->a, 7));
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert(!site_leave(&f->a, f->a.l.generation + 1));
	ck_assert(!site_leave(&f->a, f->a.l.generation - 1));
	ck_assert(site_holds(&f->a));
	ck_assert_uint_eq(f->s.removes, 0);
}
END_TEST

START_TEST(an_unlock_that_lost_to_a_landed_renewal_deletes_at_that_one_46)
{
	struct lease_out out = { .edges = 0 };
	struct lease_request renewal;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	f->a.is_stuck = true;
	site_pass(&f->a, T / 3);
	renewal = f->a.held;
	store_set(&f->s, "node-a", f->a.l.generation);	/* it lands; its answer is on its way */
	f->a.is_stuck = false;
	ck_assert(site_leave(&f->a, f->a.l.generation));
	ck_assert_uint_eq(f->a.left, 0);
	ck_assert_str_eq(f->s.token.holder, "node-a");
	lease_written(&f->a.l, renewal.op, CAS_OK, f->s.revision, f->a.now, &out);
	site_take(&f->a, &out);
	ck_assert_uint_eq(f->a.left, 1);
	ck_assert_str_eq(f->s.token.holder, "");
}
END_TEST

START_TEST(any_failure_but_a_lost_race_is_retried_47)
{
	static const enum cas_result failures[] = { CAS_UNAVAILABLE, CAS_UNKNOWN,
	    CAS_BUCKET_LOST, CAS_REFUSED, CAS_INVALID, CAS_NOMEM };

	for (size_t i = 0; i < ARRAY_LEN(failures); i++) {
		struct lease_out out = { .edges = 0 };

		f->s = (struct store){ .sequence = 10 * i };
		site_init(&f->a, "node-a", &f->s, 1000);
		ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
		f->a.is_stuck = true;
		site_pass(&f->a, T / 3);
		lease_written(&f->a.l, f->a.held.op, failures[i], 0, f->a.now, &out);
		ck_assert_uint_eq(out.edges, 0);
		ck_assert_uint_eq(lease_deadline(&f->a.l), f->a.now + T / 12);
		f->a.is_stuck = false;
		site_pass(&f->a, T / 12);
		ck_assert_uint_eq(f->a.renewed, 1);
	}
}
END_TEST

START_TEST(a_renewal_that_landed_unheard_costs_the_lease_and_is_adopted_at_once_50)
{
	struct lease_out out = { .edges = 0 };
	struct lease_request q;
	uint64_t generation, revision;

	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	generation = f->a.l.generation;
	f->a.is_stuck = true;
	site_pass(&f->a, T / 3);
	q = f->a.held;
	ck_assert_int_eq(store_write(&f->s, "node-a", &q, &revision), CAS_OK);
	f->a.is_stuck = false;
	lease_written(&f->a.l, q.op, CAS_UNKNOWN, 0, f->a.now, &out);
	site_pass(&f->a, T / 12);
	ck_assert_uint_eq(f->a.lost, 1);
	ck_assert_str_eq(f->s.token.holder, "node-a");
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_gt(f->a.l.generation, generation);
}
END_TEST

START_TEST(a_value_that_is_no_token_blocks_the_key_for_everybody_51)
{
	store_set(&f->s, "", 0);
	f->s.is_corrupt = true;
	for (int i = 0; i < 5; i++) {
		ck_assert_uint_eq(site_try(&f->a), LEASE_CORRUPT);
		ck_assert_uint_eq(site_try(&f->b), LEASE_CORRUPT);
		f->a.now += 10 * T;
		f->b.now += 10 * T;
	}
	ck_assert_uint_eq(f->s.swaps, 0);
	ck_assert_uint_eq(f->a.l.seen_revision, f->s.revision);
}
END_TEST

START_TEST(a_key_in_our_name_waits_for_the_client_that_may_believe)
{
	store_set(&f->s, "node-a", 0);
	lease_adopt(&f->a.l, f->a.now + 2 * T / 3, 0);
	ck_assert_uint_eq(site_try(&f->a), LEASE_REFUSED);
	ck_assert_str_eq(f->a.l.seen.holder, "node-a");
	f->a.now += 2 * T / 3 - 1;
	ck_assert_uint_eq(site_try(&f->a), LEASE_REFUSED);
	f->a.now += 1;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
}
END_TEST

START_TEST(a_key_in_our_name_is_adopted_at_once_for_who_shows_its_generation)
{
	store_set(&f->s, "node-a", 0);
	store_set(&f->s, "node-a", 1);
	lease_adopt(&f->a.l, f->a.now + 2 * T / 3, 2);
	ck_assert_uint_eq(site_try(&f->a), LEASE_REFUSED);
	lease_adopt(&f->a.l, f->a.now + 2 * T / 3, 1);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_eq(f->a.l.generation, 3);
}
END_TEST

START_TEST(a_nodes_own_key_is_swapped_back_from_anybody_at_once)
{
	store_set(&f->s, "node-b", 0);
	f->a.l.is_own = true;
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	ck_assert_uint_eq(f->a.l.generation, 2);
}
END_TEST

START_TEST(a_stale_read_cannot_adopt)
{
	struct lease_out out = { .edges = 0 };

	store_set(&f->s, "node-a", 0);
	store_set(&f->s, "node-b", 0);
	f->a.is_stuck = true;
	(void)site_try(&f->a);
	lease_loaded(&f->a.l, f->a.held.op, &(struct lease_seen){ .result = CAS_OK,
	    .revision = 1, .token = { "node-a", 1 } }, f->a.now, &out);
	f->a.is_stuck = false;
	site_take(&f->a, &out);
	ck_assert_uint_eq(site_edges(&f->a) & LEASE_VERDICT, LEASE_REFUSED);
	ck_assert_str_eq(f->s.token.holder, "node-b");
}
END_TEST

START_TEST(answers_to_what_was_not_asked_are_ignored)
{
	struct lease_out out = { .edges = 0 };
	struct lease_seen none = { .result = CAS_NOT_FOUND };

	lease_written(&f->a.l, 0, CAS_OK, 1, 1, &out);
	lease_loaded(&f->a.l, 0, &none, 1, &out);
	ck_assert_uint_eq(site_try(&f->a), LEASE_GAINED);
	lease_written(&f->a.l, f->a.last.op, CAS_LOST, 0, f->a.now, &out);
	lease_written(&f->a.l, 0, CAS_LOST, 0, f->a.now, &out);
	ck_assert_uint_eq(out.edges, 0);
	ck_assert(site_holds(&f->a));
}
END_TEST

static const struct {
	struct lease_seen	found;
	bool			may, healthy;
} anchors[] = {
	{ { .result = CAS_NOT_FOUND }, true, false },
	{ { .result = CAS_NOT_FOUND, .revision = 4 }, true, false },
	{ { .result = CAS_OK, .token = { "node-a", 40 }, .revision = 41 }, true, true },
	{ { .result = CAS_OK, .token = { "node-a", 30 }, .revision = 30 }, true, false },
	{ { .result = CAS_OK, .token = { "node-b", 39 }, .revision = 39 }, true, false },
	{ { .result = CAS_OK, .token = { "node-b", 40 }, .revision = 41 }, false, false },
	{ { .result = CAS_OK, .token = { "node-b", 50 }, .revision = 50 }, false, false },
	{ { .result = CAS_OK, .token = { "node-a", 50 }, .revision = 50 }, false, false },
	{ { .result = CAS_OK, .is_corrupt = true, .revision = 3 }, false, false },
	{ { .result = CAS_UNAVAILABLE }, false, false },
};

START_TEST(in_a_store_that_went_back_a_holder_renews_over_what_came_before_it)
{
	const struct cas_token ours = { "node-a", 40 };

	ck_assert(lease_may_anchor(&ours, &anchors[_i].found, true) == anchors[_i].may);
	ck_assert(lease_may_anchor(&ours, &anchors[_i].found, false) == anchors[_i].healthy);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("lease");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, in_a_store_that_went_back_a_holder_renews_over_what_came_before_it, 0,
	    ARRAY_LEN(anchors));
	tcase_add_test(tc, an_absent_key_is_created_and_its_revision_is_the_generation_19);
	tcase_add_test(tc, a_delete_marker_is_swapped_at_its_own_sequence_19);
	tcase_add_test(tc, a_restarted_holder_swaps_at_once_with_a_generation_of_its_own_20);
	tcase_add_test(tc, a_first_look_at_another_only_begins_the_count_21);
	tcase_add_test(tc, an_unchanged_revision_is_taken_over_at_T_and_not_before_22);
	tcase_add_test(tc, a_renewed_lease_is_never_taken_23);
	tcase_add_test(tc, another_revision_begins_the_count_again_24);
	tcase_add_test(tc, what_one_site_saw_is_no_other_sites_watch_24);
	tcase_add_test(tc, of_a_restarted_holder_and_a_follower_at_one_revision_one_wins_25);
	tcase_add_test(tc, a_second_try_while_held_costs_nothing_and_names_us_26);
	tcase_add_test(tc, a_second_try_during_the_first_is_busy_27);
	tcase_add_test(tc, after_an_unlock_the_next_generation_is_higher_28);
	tcase_add_test(tc, nothing_is_held_before_the_first_acquisition_29);
	tcase_add_test(tc, an_unlock_of_a_lost_acquisition_leaves_the_next_alone_30);
	tcase_add_test(tc, an_overwritten_key_is_found_out_by_the_renewal_and_left_alone_31);
	tcase_add_test(tc, after_such_a_loss_the_taker_is_watched_for_T_32);
	tcase_add_test(tc, after_such_a_loss_a_deleted_key_is_won_at_once_33);
	tcase_add_test(tc, an_unreachable_store_is_tried_each_twelfth_until_two_thirds_34);
	tcase_add_test(tc, a_retry_waits_a_twelfth_but_a_millisecond_at_least_35);
	tcase_add_test(tc, with_the_store_back_the_key_is_adopted_at_once_36);
	tcase_add_test(tc, a_grant_that_is_told_after_two_thirds_is_no_grant_37);
	tcase_add_test(tc, a_grant_that_is_told_late_even_without_a_tick_is_no_grant_37);
	tcase_add_test(tc, a_grant_that_took_half_of_T_is_renewed_at_once_38);
	tcase_add_test(tc, the_next_renewal_is_due_from_the_send_of_the_last_39);
	tcase_add_test(tc, a_renewal_that_hangs_does_not_put_the_end_off_40);
	tcase_add_test(tc, a_late_answer_to_a_renewal_revives_nothing_40);
	tcase_add_test(tc, an_unlock_does_not_wait_for_a_renewal_that_hangs_41);
	tcase_add_test(tc, the_store_is_given_two_thirds_to_grant_and_a_third_to_renew_42);
	tcase_add_test(tc, who_no_longer_stands_keeps_what_is_held_43);
	tcase_add_test(tc, an_unlock_waits_five_seconds_for_its_delete_and_no_longer_44);
	tcase_add_test(tc, an_unlock_of_what_is_not_held_does_nothing_45);
	tcase_add_test(tc, an_unlock_that_lost_to_a_landed_renewal_deletes_at_that_one_46);
	tcase_add_test(tc, any_failure_but_a_lost_race_is_retried_47);
	tcase_add_test(tc, a_renewal_that_landed_unheard_costs_the_lease_and_is_adopted_at_once_50);
	tcase_add_test(tc, a_value_that_is_no_token_blocks_the_key_for_everybody_51);
	tcase_add_test(tc, a_key_in_our_name_waits_for_the_client_that_may_believe);
	tcase_add_test(tc, a_key_in_our_name_is_adopted_at_once_for_who_shows_its_generation);
	tcase_add_test(tc, a_nodes_own_key_is_swapped_back_from_anybody_at_once);
	tcase_add_test(tc, a_stale_read_cannot_adopt);
	tcase_add_test(tc, answers_to_what_was_not_asked_are_ignored);
	return unit_run("lease", tc);
}
