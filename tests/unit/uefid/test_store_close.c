/* How a store ends: closed, rolled back, deleted, or minded by the node's loop. */
#include <stdio.h>
#include <sys/stat.h>

#include "store_world.h"

/* ---- close and rollback ---- */

static void
nothing_is_left(void)
{
	struct copy p = paths();

	ck_assert(!copy_has_vars(&p));
	ck_assert_int_ne(access(p.seeded, F_OK), 0);
	ck_assert_int_ne(access(p.state, F_OK), 0);
	ck_assert(claim_is_free());
}

START_TEST(close_saves_what_the_guest_wrote_removes_the_copy_and_frees_the_claim)
{
	struct make m = guest_wrote("Last");
	struct store_call c = call("l-1");

	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(c.has_saved);
	ck_assert(pointer_holds(m.p));
	nothing_is_left();
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
}
END_TEST

/* uefid was killed after the move, before it wrote so beside the copy. */
START_TEST(close_believes_the_records_pointer_and_not_its_own_notes)
{
	AUTO(buf) struct buf notes = BUF_EMPTY(SEEDED_MAX);
	struct make m = written("Once");
	struct store_call c = call("");
	struct copy p = paths();

	opened_store("l-1");
	ck_assert_int_eq(file_read(p.seeded, &notes), 0);
	guest_writes(m.p);
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert_int_eq(file_write(p.seeded, notes.data, notes.len, 0600), 0);
	guest_writes(w->template.p);		/* what the notes say is saved */
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(pointer_holds(w->template.p));
	nothing_is_left();
}
END_TEST

START_TEST(close_of_an_instance_that_never_had_a_store_is_clean)
{
	struct store_call c = call("l-1");

	ck_store(store_close(&c), STORE_OK, c);
	ck_assert_uint_eq(w->records.swaps + w->sync.swaps, 0);
	ck_store(store_rollback(&c), STORE_OK, c);
}
END_TEST

START_TEST(close_of_another_launch_is_stale_and_of_a_running_guest_busy)
{
	struct store_call c = call("l-2");
	struct copy p = paths();

	opened_store("l-1");
	ck_store(store_close(&c), STORE_STALE, c);
	ck_store(store_rollback(&c), STORE_STALE, c);
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	c = call("l-1");
	ck_store(store_close(&c), STORE_BUSY, c);
	ck_store(store_rollback(&c), STORE_BUSY, c);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
}
END_TEST

START_TEST(close_that_cannot_save_keeps_copy_and_claim_until_it_can)
{
	static const struct { enum object_result put; enum cas_result record; } rows[] = {
		{ OBJECT_UNAVAILABLE, CAS_OK }, { OBJECT_REFUSED, CAS_OK },
		{ OBJECT_LOST, CAS_OK }, { OBJECT_UNKNOWN, CAS_OK },
		{ OBJECT_OK, CAS_UNAVAILABLE }, { OBJECT_OK, CAS_UNKNOWN },
		{ OBJECT_OK, CAS_BUCKET_LOST }, { OBJECT_OK, CAS_REFUSED },
	};
	struct make m = guest_wrote("Last");
	struct copy p = paths();
	struct store_call c;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		w->objects.fault = rows[i].put;
		w->records.swap_fault = rows[i].record;
		c = call("l-1");
		ck_store(store_close(&c), STORE_OWED, c);
		ck_assert(copy_has_vars(&p));
		ck_assert(!claim_is_free());
	}
	w->objects.fault = OBJECT_OK;
	w->records.swap_fault = CAS_OK;
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	nothing_is_left();
}
END_TEST

START_TEST(close_when_the_record_vanished_without_a_marker_gives_nothing_up)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	opened_store("l-1");
	memset(fake_entry(&w->records, ID), 0, sizeof(struct fake_entry));
	ck_store(store_close(&c), STORE_OWED, c);
	ck_assert(c.is_store_lost);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
}
END_TEST

/* Whether it has lost cannot be read: nothing may be concluded, least of all that it has. */
START_TEST(a_copy_whose_state_cannot_be_read_is_owed_and_gives_nothing_up)
{
	struct make m = guest_wrote("Last");
	struct store_call c = call("");
	struct copy p = paths();
	int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	ck_assert_int_eq(mkdir(p.state, 0700), 0);	/* reading it fails, whoever reads */
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_ptr_nonnull(strstr(c.why, p.state));
	c = call("");
	ck_store(store_mind(&c), STORE_UNREADABLE, c);
	c = call("l-1");
	ck_store(store_open(&c), STORE_UNREADABLE, c);
	close(guest);
	c = call("l-1");
	ck_store(store_close(&c), STORE_OWED, c);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
	c = call("l-2");
	ck_store(store_open(&c), STORE_UNREADABLE, c);
	ck_assert_ptr_nonnull(strstr(c.why, p.state));
	ck_assert_int_eq(rmdir(p.state), 0);
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	nothing_is_left();
}
END_TEST

START_TEST(close_after_a_take_over_drops_the_copy_and_says_fenced)
{
	struct store_call c = call("l-1");
	struct uefi_record r;
	enum cas_result cas;
	struct copy p = paths();

	(void)guest_wrote("Late");
	other_has_it(200);
	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, 200, &r, &cas), UEFI_OK);
	ck_store(store_close(&c), STORE_FENCED, c);
	ck_assert(pointer_holds(w->template.p));
	ck_assert(!copy_has_vars(&p));
	ck_assert_ptr_nonnull(strstr(fake_entry(&w->sync, CLAIM)->value, "node-b"));
	c = call("l-1");
	ck_store(store_close(&c), STORE_FENCED, c);
}
END_TEST

START_TEST(close_of_a_store_that_is_being_deleted_drops_copy_and_claim)
{
	struct store_call c = call("l-1");

	(void)guest_wrote("x");
	ck_store(store_delete(&c), STORE_OK, c);
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert_uint_eq(w->objects.puts, 1);
	nothing_is_left();
}
END_TEST

/* What it owes cannot be read any more: only the store's end ends that. */
START_TEST(a_copy_whose_bytes_are_gone_is_owed_until_its_store_is_deleted)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	(void)guest_wrote("x");
	ck_assert_int_eq(file_remove(p.vars), 0);
	ck_store(store_close(&c), STORE_OWED, c);
	ck_assert_ptr_nonnull(strstr(c.why, p.vars));
	ck_assert(!claim_is_free());
	ck_store(store_delete(&c), STORE_OK, c);
	ck_store(store_close(&c), STORE_OK, c);
	nothing_is_left();
}
END_TEST

START_TEST(rollback_frees_a_copy_that_nobody_wrote_and_keeps_one_that_a_guest_wrote)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	(void)guest_wrote("x");
	ck_store(store_rollback(&c), STORE_OWED, c);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
	guest_writes(w->template.p);
	c = call("l-1");
	ck_store(store_rollback(&c), STORE_OK, c);
	nothing_is_left();
}
END_TEST

/* ---- delete ---- */

START_TEST(delete_is_final_refuses_another_account_and_may_be_repeated_103)
{
	struct store_call c = call("");

	seeded_store();
	snprintf(c.account_id, sizeof(c.account_id), "999999999999");
	ck_store(store_delete(&c), STORE_INVALID, c);
	ck_assert(!record().deleting);
	for (int i = 0; i < 2; i++) {
		c = call("");
		ck_store(store_delete(&c), STORE_OK, c);
		ck_assert(!c.had_none);
	}
	ck_assert(record().deleting);
	ck_assert_str_ne(record().pointer.key, "");
}
END_TEST

static void
seed_comes_first(struct fake_cas *f)
{
	struct uefi_record r = { .instance_id = ID, .account_id = ACCOUNT, .generation = 101 };
	char *text = uefi_record_print(&r);

	fake_put(f, ID, text);
	free(text);
}

START_TEST(delete_that_races_with_a_seed_marks_what_the_seed_made)
{
	struct store_call c = call("");

	w->records.hook = seed_comes_first;
	w->records.hooks = 1;
	ck_store(store_delete(&c), STORE_OK, c);
	ck_assert(!c.had_none);
	ck_assert(record().deleting);
}
END_TEST

/* ---- the node's loop ---- */

START_TEST(mind_reports_a_running_guest_and_leaves_it_alone)
{
	struct store_call c = call("");
	struct copy p = paths();

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(c.is_locked);
	ck_assert_str_eq(c.launch_id, "l-1");
	ck_assert_uint_eq(c.generation, 101);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
}
END_TEST

START_TEST(mind_marks_the_copy_of_a_running_guest_that_lost_its_store)
{
	struct store_call c = call("");
	struct copy p = paths();
	struct uefi_record r;
	enum cas_result cas;

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, 200, &r, &cas), UEFI_OK);
	ck_store(store_mind(&c), STORE_FENCED, c);
	ck_assert_int_eq(copy_state(&p), COPY_FENCED);
	ck_store(store_mind(&c), STORE_FENCED, c);
	ck_assert(copy_has_vars(&p));
}
END_TEST

START_TEST(mind_closes_only_what_is_not_in_launch_here)
{
	struct make m = guest_wrote("Last");
	struct store_call c = call("");
	struct copy p = paths();

	for (int i = STORE_LAUNCH_YES; i <= STORE_LAUNCH_UNKNOWN; i++) {
		w->launch = (enum store_launch)i;
		c = call("");
		ck_store(store_mind(&c), STORE_OK, c);
		ck_assert(c.is_in_launch);
		ck_assert(copy_has_vars(&p));
		ck_assert(!claim_is_free());
	}
	w->launch = STORE_LAUNCH_NO;
	c = call("");
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	nothing_is_left();
}
END_TEST

START_TEST(mind_settles_a_claim_without_a_record_so_that_a_late_create_loses)
{
	struct store_call c = call("");

	w->records.swap_fault = CAS_UNAVAILABLE;
	ck_store(store_seed(&c), STORE_UNAVAILABLE, c);
	ck_assert(!claim_is_free());
	w->records.swap_fault = CAS_OK;
	c = call("");
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert(claim_is_free());
	ck_assert_uint_ne(fake_entry(&w->records, ID)->revision, 0);
	c = call("");
	ck_store(store_seed(&c), STORE_DELETING, c);
}
END_TEST

START_TEST(mind_removes_the_folder_once_the_records_marker_is_final)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	opened_store("l-1");
	ck_store(store_delete(&c), STORE_OK, c);
	ck_store(store_mind(&c), STORE_OK, c);
	nothing_is_left();
	ck_assert_int_eq(access(p.lock, F_OK), 0);
	fake_put(&w->records, ID, NULL);
	c = call("");
	ck_store(store_mind(&c), STORE_OK, c);
	ck_assert_int_ne(access(p.dir, F_OK), 0);
}
END_TEST

/* An operator had it forgotten, and reaperd was done before the guest was. */
START_TEST(close_removes_the_folder_of_a_store_that_is_gone_by_then)
{
	struct store_call c = call("l-1");
	struct copy p = paths();
	int guest;

	opened_store("l-1");
	guest = file_lock(p.lock);
	ck_assert_int_ge(guest, 0);
	ck_store(store_delete(&c), STORE_OK, c);
	fake_put(&w->records, ID, NULL);
	fake_put(&w->sync, CLAIM, NULL);
	ck_store(store_close(&c), STORE_BUSY, c);
	close(guest);
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert_int_ne(access(p.dir, F_OK), 0);
	ck_store(store_close(&c), STORE_OK, c);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("store_close");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t,
	    close_saves_what_the_guest_wrote_removes_the_copy_and_frees_the_claim);
	tcase_add_test(t, close_believes_the_records_pointer_and_not_its_own_notes);
	tcase_add_test(t, close_of_an_instance_that_never_had_a_store_is_clean);
	tcase_add_test(t, close_of_another_launch_is_stale_and_of_a_running_guest_busy);
	tcase_add_test(t, close_that_cannot_save_keeps_copy_and_claim_until_it_can);
	tcase_add_test(t, close_when_the_record_vanished_without_a_marker_gives_nothing_up);
	tcase_add_test(t, a_copy_whose_state_cannot_be_read_is_owed_and_gives_nothing_up);
	tcase_add_test(t, close_after_a_take_over_drops_the_copy_and_says_fenced);
	tcase_add_test(t, close_of_a_store_that_is_being_deleted_drops_copy_and_claim);
	tcase_add_test(t, a_copy_whose_bytes_are_gone_is_owed_until_its_store_is_deleted);
	tcase_add_test(t,
	    rollback_frees_a_copy_that_nobody_wrote_and_keeps_one_that_a_guest_wrote);
	tcase_add_test(t, delete_is_final_refuses_another_account_and_may_be_repeated_103);
	tcase_add_test(t, delete_that_races_with_a_seed_marks_what_the_seed_made);
	tcase_add_test(t, mind_reports_a_running_guest_and_leaves_it_alone);
	tcase_add_test(t, mind_marks_the_copy_of_a_running_guest_that_lost_its_store);
	tcase_add_test(t, mind_closes_only_what_is_not_in_launch_here);
	tcase_add_test(t, mind_settles_a_claim_without_a_record_so_that_a_late_create_loses);
	tcase_add_test(t, mind_removes_the_folder_once_the_records_marker_is_final);
	tcase_add_test(t, close_removes_the_folder_of_a_store_that_is_gone_by_then);
	return unit_run("store_close", t);
}
