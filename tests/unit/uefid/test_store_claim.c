/* Whose the claim is: probed before a record moves, confirmed when a node comes back. */
#include "store_world.h"
#include "uefid/look.h"

/* Its launch l-1 runs: the lock is held. */
static int
running_store(void)
{
	struct copy p = paths();
	int guest;

	opened_store("l-1");
	guest = file_lock(p.lock);
	ck_assert_int_ge(guest, 0);
	return guest;
}

static void
stamped_by_other(uint64_t generation)
{
	struct uefi_record r;
	enum cas_result cas;

	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, generation, &r, &cas), UEFI_OK);
}

static bool
other_still_has_it(void)
{
	return strstr(fake_entry(&w->sync, CLAIM)->value, "node-b") != NULL;
}

/* ---- what is not what it should be ---- */

/* An operator is told where it lies and what was expected there. */
START_TEST(what_is_no_claim_is_named_by_whatever_reads_it)
{
	struct look l = { 0 };
	struct store_call c = call("l-1");
	enum store_result (*const runs[])(struct store_call *c) = { store_open, store_probe,
		store_close };

	seeded_store();
	fake_put(&w->sync, CLAIM, "{\"generation\":7}");
	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		c = call("l-1");
		ck_store(runs[i](&c), STORE_INVALID, c);
		ck_assert_ptr_nonnull(strstr(c.why, CLAIM));
		ck_assert_ptr_nonnull(strstr(c.why, "expected"));
	}
	c = call("");
	ck_store(look_at(&c, &l), STORE_INVALID, c);
	ck_assert_ptr_nonnull(strstr(c.why, CLAIM));
	look_deinit(&l);
	w->sync.load_fault = CAS_UNAVAILABLE;
	ck_store(look_at(&c, &l), STORE_UNAVAILABLE, c);
	ck_assert_ptr_nonnull(strstr(c.why, cas_result_text(CAS_UNAVAILABLE)));
	look_deinit(&l);
}
END_TEST

START_TEST(a_record_that_is_not_valid_is_told_with_what_was_expected)
{
	static const struct { const char *value, *expected; } rows[] = {
		{ "{", "" },
		{ "{\"schema_version\":2,\"instance_id\":\"" ID "\",\"account_id\":\"" ACCOUNT "\","
		    "\"state\":\"live\",\"generation\":1}", "schema_version" },
		{ "{\"schema_version\":1,\"instance_id\":\"" ID "\",\"account_id\":\"" ACCOUNT "\","
		    "\"state\":\"gone\",\"generation\":1}", "expected live or deleting" },
	};
	struct store_call c;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		fake_put(&w->records, ID, rows[i].value);
		c = call("l-1");
		ck_store(store_open(&c), STORE_INVALID, c);
		ck_assert_ptr_nonnull(strstr(c.why, "the record of " ID " is not valid: "));
		ck_assert_ptr_nonnull(strstr(c.why, rows[i].expected));
		c = call("");
		ck_store(store_delete(&c), STORE_INVALID, c);
		ck_assert_ptr_nonnull(strstr(c.why, "the record of " ID " is not valid: "));
		ck_assert_ptr_null(strstr(c.why, "account's"));
	}
}
END_TEST

/* ---- probe ---- */

START_TEST(a_probe_of_a_free_claim_or_our_own_is_fine_and_changes_nothing)
{
	struct store_call c = call("");

	opened_store("l-1");
	w->sync.swaps = w->records.swaps = 0;
	ck_store(store_probe(&c), STORE_OK, c);
	fake_put(&w->sync, CLAIM, NULL);
	c = call("");
	ck_store(store_probe(&c), STORE_OK, c);
	ck_assert_uint_eq(w->sync.swaps + w->records.swaps + w->buried, 0);
}
END_TEST

START_TEST(a_probe_of_a_live_nodes_claim_is_held_and_names_holder_and_generation_127)
{
	struct store_call c = call("");

	seeded_store();
	other_has_it(500);
	w->sync.swaps = 0;
	ck_store(store_probe(&c), STORE_HELD, c);
	ck_assert_ptr_nonnull(strstr(c.why, "node-b"));
	ck_assert_ptr_nonnull(strstr(c.why, "500"));
	ck_assert(store_may_retry(STORE_HELD));
	ck_assert_uint_eq(w->sync.swaps, 0);
}
END_TEST

START_TEST(a_probe_of_a_dead_nodes_claim_buries_it_and_takes_nothing)
{
	struct store_call c = call("");

	seeded_store();
	other_has_it(150);
	w->may_bury = true;
	w->sync.swaps = 0;
	ck_store(store_probe(&c), STORE_OK, c);
	ck_assert_uint_eq(w->buried, 1);
	ck_assert(other_still_has_it());
	ck_assert_uint_eq(w->sync.swaps, 0);
}
END_TEST

START_TEST(what_a_stopped_instances_node_owes_is_held_even_when_that_node_is_dead)
{
	struct store_call c = call("");

	seeded_store();
	other_has_it(150);
	w->may_bury = true;
	c.keep_owed = true;
	ck_store(store_probe(&c), STORE_HELD, c);
	ck_assert_ptr_nonnull(strstr(c.why, "node-b"));
	ck_assert_ptr_nonnull(strstr(c.why, "owes"));
	ck_assert_uint_eq(w->buried, 0);
	/* It was saved after all: the claim is free, and nothing is owed. */
	fake_put(&w->sync, CLAIM, NULL);
	c = call("");
	c.keep_owed = true;
	ck_store(store_probe(&c), STORE_OK, c);
}
END_TEST

START_TEST(a_probe_refuses_what_an_open_would)
{
	struct store_call c = call("");

	ck_store(store_probe(&c), STORE_NO_STORE, c);
	seeded_store();
	c = call("");
	snprintf(c.arch, sizeof(c.arch), "sparc");
	ck_store(store_probe(&c), STORE_NO_FIRMWARE, c);
	c = call("");
	w->now_ms = c.lease_until_ms;
	ck_store(store_probe(&c), STORE_NODE_LEASE, c);
	c = call("");
	ck_store(store_delete(&c), STORE_OK, c);
	c = call("");
	ck_store(store_probe(&c), STORE_DELETING, c);
}
END_TEST

/* ---- taking over ---- */

static int
bury_and_come_back(void *world, const char *node, const char *request_id,
    char why[static STORE_WHY_MAX])
{
	w->buried++;
	other_has_it(150);		/* the same token, at a new revision: its confirm */
	return 0;
}

START_TEST(a_node_that_confirms_while_it_is_buried_keeps_its_claim)
{
	struct store_call c = call("l-1");

	seeded_store();
	other_has_it(150);
	w->env.bury = bury_and_come_back;
	ck_store(store_open(&c), STORE_UNAVAILABLE, c);
	ck_assert_uint_eq(w->buried, 1);
	ck_assert(other_still_has_it());
	ck_assert_uint_eq(record().generation, 101);
}
END_TEST

/* ---- confirming ---- */

START_TEST(mind_confirms_a_running_guests_claim_by_a_swap_that_keeps_its_generation)
{
	AUTO(fd) int guest = running_store();
	struct store_call c = call("");
	uint64_t revision = fake_entry(&w->sync, CLAIM)->revision;

	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(!c.is_confirmed);
	ck_assert_uint_eq(fake_entry(&w->sync, CLAIM)->revision, revision);
	c = call("");
	c.confirm = true;
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(c.is_confirmed);
	ck_assert_uint_gt(fake_entry(&w->sync, CLAIM)->revision, revision);
	ck_assert_uint_eq(c.generation, 101);
	ck_assert_ptr_nonnull(strstr(fake_entry(&w->sync, CLAIM)->value, "101"));
	ck_assert_int_ge(guest, 0);
}
END_TEST

START_TEST(a_running_guest_whose_claim_was_taken_is_fenced_before_the_record_is_stamped)
{
	AUTO(fd) int guest = running_store();
	struct store_call c = call("");
	struct copy p = paths();

	other_has_it(200);
	c.confirm = true;
	ck_store(store_mind(&c), STORE_FENCED, c);
	ck_assert_ptr_nonnull(strstr(c.why, "node-b"));
	ck_assert_int_eq(copy_state(&p), COPY_FENCED);
	ck_assert(copy_has_vars(&p));
	ck_assert(other_still_has_it());
	ck_assert_int_ge(guest, 0);
}
END_TEST

START_TEST(a_confirm_that_proves_nothing_fences_nobody_and_is_made_again)
{
	static const enum cas_result no[] = { CAS_UNAVAILABLE, CAS_UNKNOWN, CAS_BUCKET_LOST };
	AUTO(fd) int guest = running_store();
	struct copy p = paths();
	struct store_call c;

	for (size_t i = 0; i < ARRAY_LEN(no); i++) {
		w->sync.swap_fault = no[i];
		c = call("");
		c.confirm = true;
		ck_store(store_mind(&c), STORE_OK, c);
		ck_assert(!c.is_confirmed);
		ck_assert_int_eq(copy_state(&p), COPY_FINE);
	}
	w->sync.swap_fault = CAS_OK;
	c = call("");
	c.confirm = true;
	c.lease_until_ms = 0;
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(!c.is_confirmed);
	ck_assert_int_ge(guest, 0);
}
END_TEST

START_TEST(an_open_that_is_repeated_confirms_before_it_answers)
{
	AUTO(fd) int guest = running_store();
	struct store_call c = call("l-1");
	struct copy p = paths();

	c.lease_until_ms = 0;
	ck_store(store_open(&c), STORE_NODE_LEASE, c);
	c = call("l-1");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(c.is_confirmed);
	other_has_it(200);
	for (int i = 0; i < 2; i++) {
		c = call("l-1");
		ck_store(store_open(&c), STORE_FENCED, c);
		ck_assert_int_eq(copy_state(&p), COPY_FENCED);
	}
	ck_assert_int_ge(guest, 0);
}
END_TEST

START_TEST(the_copy_of_a_node_that_was_taken_over_is_dropped_and_that_is_said)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	(void)guest_wrote("Owed");
	w->objects.fault = OBJECT_UNAVAILABLE;
	ck_store(store_close(&c), STORE_OWED, c);
	w->objects.fault = OBJECT_OK;
	other_has_it(200);
	stamped_by_other(200);
	c = call("");
	ck_store(store_mind(&c), STORE_FENCED, c);
	ck_assert(c.has_dropped);
	ck_assert(!c.has_saved);
	ck_assert(!copy_has_vars(&p));
	ck_assert(pointer_holds(w->template.p));
	ck_assert(other_still_has_it());
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("store_claim");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t, what_is_no_claim_is_named_by_whatever_reads_it);
	tcase_add_test(t, a_record_that_is_not_valid_is_told_with_what_was_expected);
	tcase_add_test(t, a_probe_of_a_free_claim_or_our_own_is_fine_and_changes_nothing);
	tcase_add_test(t,
	    a_probe_of_a_live_nodes_claim_is_held_and_names_holder_and_generation_127);
	tcase_add_test(t, a_probe_of_a_dead_nodes_claim_buries_it_and_takes_nothing);
	tcase_add_test(t,
	    what_a_stopped_instances_node_owes_is_held_even_when_that_node_is_dead);
	tcase_add_test(t, a_probe_refuses_what_an_open_would);
	tcase_add_test(t, a_node_that_confirms_while_it_is_buried_keeps_its_claim);
	tcase_add_test(t,
	    mind_confirms_a_running_guests_claim_by_a_swap_that_keeps_its_generation);
	tcase_add_test(t,
	    a_running_guest_whose_claim_was_taken_is_fenced_before_the_record_is_stamped);
	tcase_add_test(t, a_confirm_that_proves_nothing_fences_nobody_and_is_made_again);
	tcase_add_test(t, an_open_that_is_repeated_confirms_before_it_answers);
	tcase_add_test(t, the_copy_of_a_node_that_was_taken_over_is_dropped_and_that_is_said);
	return unit_run("store_claim", t);
}
