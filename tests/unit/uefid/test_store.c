/* The sequences on a store, over fakes: what each does, refuses, and leaves.  Its end is in
 * test_store_close.c, its claim in test_store_claim.c. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store_world.h"
#include "uefid/look.h"

START_TEST(seed_makes_a_live_record_whose_pointer_names_the_only_object_125)
{
	struct store_call c = call("");
	struct uefi_record r;

	ck_store(store_seed(&c), STORE_OK, c);
	r = record();
	ck_assert_uint_eq(r.generation, c.generation);
	ck_assert_uint_eq(c.generation, 101);
	ck_assert_str_eq(r.pointer.key, c.key);
	ck_assert_str_eq(r.account_id, ACCOUNT);
	ck_assert_str_eq(r.pointer.writer_node, "node-a");
	ck_assert_uint_eq(r.pointer.firmware.vars_size, MAKE_SIZE);
	ck_assert_uint_eq(objects_there(), 1);
	ck_assert(pointer_holds(w->template.p));
	ck_assert(!claim_is_free());
}
END_TEST

START_TEST(an_object_says_whose_it_is_and_where_it_came_from_117)
{
	const struct object_info *o = &w->objects.v[0].info;
	char digest[DIGEST_HEX + 1];

	seeded_store();
	ck_assert_str_eq(object_meta(o, "instance-id"), ID);
	ck_assert_ptr_null(object_meta(o, "image-id"));
	ck_assert_str_eq(object_meta(o, "writer-node"), "node-a");
	ck_assert_str_eq(object_meta(o, "firmware-arch"), "arm64");
	ck_assert_str_eq(object_meta(o, "firmware-vars-size"), "8192");
	ck_assert_int_eq(digest_bytes("code", 4, digest), 0);
	ck_assert_str_eq(object_meta(o, "firmware-code-sha256"), digest);
	ck_assert_ptr_nonnull(strstr(object_meta(o, "firmware-code-path"), "/code"));
	ck_assert_str_eq(object_meta(o, "source"), "template");
	ck_assert_str_eq(object_meta(o, "generation"), "101");
}
END_TEST

START_TEST(seeding_twice_has_the_effect_of_once_129)
{
	struct store_call first = call(""), second = call("");

	ck_store(store_seed(&first), STORE_OK, first);
	ck_store(store_seed(&second), STORE_OK, second);
	ck_assert_str_eq(first.key, second.key);
	ck_assert_uint_eq(first.generation, second.generation);
	ck_assert_uint_eq(objects_there(), 1);
}
END_TEST

START_TEST(a_seed_that_cannot_begin_touches_nothing)
{
	struct store_call c = call("");

	snprintf(c.arch, sizeof(c.arch), "sparc");
	ck_store(store_seed(&c), STORE_NO_FIRMWARE, c);
	c = call("");
	c.lease_until_ms = w->now_ms;
	ck_store(store_seed(&c), STORE_NODE_LEASE, c);
	c = call("");
	snprintf(c.instance_id, sizeof(c.instance_id), "../etc");
	ck_store(store_seed(&c), STORE_INVALID, c);
	ck_assert_uint_eq(w->sync.swaps + w->records.swaps + w->objects.puts, 0);
}
END_TEST

START_TEST(a_seed_without_an_object_store_leaves_what_a_terminate_cleans_126)
{
	struct store_call c = call("");

	w->objects.fault = OBJECT_UNAVAILABLE;
	ck_store(store_seed(&c), STORE_UNAVAILABLE, c);
	ck_assert_str_eq(record().pointer.key, "");
	c = call("");
	ck_store(store_open(&c), STORE_NO_STORE, c);
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_store(store_delete(&c), STORE_OK, c);
	ck_assert(claim_is_free());
	ck_assert(record().deleting);
}
END_TEST

START_TEST(a_seed_after_a_terminate_is_refused)
{
	struct store_call c = call("");

	ck_store(store_delete(&c), STORE_OK, c);
	ck_assert(c.had_none);
	ck_store(store_seed(&c), STORE_DELETING, c);
	ck_assert(claim_is_free());
}
END_TEST

/* ---- open ---- */

START_TEST(open_puts_the_pointers_object_in_place_and_says_where)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct store_call c = call("l-1");
	struct copy p = paths();
	char why[JSON_WHY_MAX];
	struct seeded s;

	seeded_store();
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_str_eq(c.copy.vars, p.vars);
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, w->template.p, MAKE_SIZE);
	ck_assert_int_eq(copy_seeded(&p, &s, why), REUSE_PRESENT);
	ck_assert_str_eq(s.launch_id, "l-1");
	ck_assert_str_eq(s.boot_id, BOOT_A);
	ck_assert_uint_eq(s.generation, record().generation);
	ck_assert_str_eq(s.key, record().pointer.key);
	ck_assert_uint_eq(c.generation, 101);
}
END_TEST

START_TEST(the_space_of_vars_is_allocated_and_other_users_cannot_list_the_folder)
{
	struct copy p = paths();
	struct stat st;

	opened_store("l-1");
	ck_assert_int_eq(stat(p.vars, &st), 0);
	ck_assert_int_ge(st.st_blocks * 512, (int)MAKE_SIZE);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(stat(p.dir, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0711);
}
END_TEST

START_TEST(open_keeps_what_the_guest_wrote_on_this_boot)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct make m = guest_wrote("Unsaved");
	struct store_call c = call("l-2");
	struct copy p = paths();

	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, m.p, MAKE_SIZE);
}
END_TEST

START_TEST(open_of_the_launch_that_has_the_lock_repeats_its_answer_and_of_another_is_refused)
{
	struct store_call again = call("l-1"), other = call("l-2");
	struct copy p = paths();

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	w->sync.swaps = w->records.swaps = 0;
	ck_store(store_open(&again), STORE_OK, again);
	ck_assert_uint_eq(again.generation, 101);
	ck_assert_str_eq(again.copy.lock, p.lock);
	ck_store(store_open(&other), STORE_BUSY, other);
	ck_assert_uint_eq(w->sync.swaps, 1);	/* its claim was confirmed */
	ck_assert_uint_eq(w->records.swaps, 0);
}
END_TEST

START_TEST(open_without_a_store_or_of_a_deleted_one_is_refused)
{
	struct store_call c = call("l-1");

	ck_store(store_open(&c), STORE_NO_STORE, c);
	seeded_store();
	ck_store(store_delete(&c), STORE_OK, c);
	c = call("l-1");
	ck_store(store_open(&c), STORE_DELETING, c);
}
END_TEST

START_TEST(firmware_that_does_not_fit_is_refused_before_the_claim_is_touched)
{
	struct store_call c = call("l-1");
	static uint8_t larger[2 * MAKE_SIZE];
	struct copy p = paths();
	unsigned before;

	seeded_store();
	before = w->sync.loads + w->sync.swaps;
	memcpy(larger, w->template.p, MAKE_SIZE);
	world_firmware("vars", larger, sizeof(larger));
	ck_store(store_open(&c), STORE_MISMATCH, c);
	ck_assert_ptr_nonnull(strstr(c.why, "8192"));
	ck_assert_ptr_nonnull(strstr(c.why, "16384"));
	ck_assert_uint_eq(w->sync.loads + w->sync.swaps, before);
	ck_assert_int_ne(access(p.dir, F_OK), 0);
}
END_TEST

START_TEST(without_the_nodes_own_lease_nothing_is_opened)
{
	struct store_call c = call("l-1");
	unsigned before;

	seeded_store();
	before = w->records.swaps;
	w->now_ms = c.lease_until_ms;
	ck_store(store_open(&c), STORE_NODE_LEASE, c);
	ck_assert_uint_eq(w->records.swaps, before);
}
END_TEST

START_TEST(a_claim_of_a_live_node_is_refused_naming_holder_and_generation_127)
{
	struct store_call c = call("l-1");

	seeded_store();
	other_has_it(500);
	ck_store(store_open(&c), STORE_HELD, c);
	ck_assert_ptr_nonnull(strstr(c.why, "node-b"));
	ck_assert_ptr_nonnull(strstr(c.why, "500"));
	ck_assert(store_may_retry(STORE_HELD));
	ck_assert_uint_eq(w->buried, 1);
	ck_assert_uint_eq(record().generation, 101);
}
END_TEST

START_TEST(a_claim_of_a_buried_node_is_taken_over_at_a_greater_generation)
{
	struct store_call c = call("l-1");

	seeded_store();
	other_has_it(150);
	w->may_bury = true;
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(c.has_taken_over);
	ck_assert_str_eq(c.taken_from, "node-b");
	ck_assert_uint_gt(c.generation, 101);
	ck_assert_uint_eq(c.generation, fake_entry(&w->sync, CLAIM)->revision);
	ck_assert_uint_eq(record().generation, c.generation);
	ck_assert_ptr_nonnull(strstr(fake_entry(&w->sync, CLAIM)->value, "node-a"));
}
END_TEST

static void
returning_node_confirms(struct fake_cas *f)
{
	other_has_it(150);
}

START_TEST(a_confirm_between_the_burial_and_the_swap_makes_the_swap_lose)
{
	struct store_call c = call("l-1");

	seeded_store();
	other_has_it(150);
	w->may_bury = true;
	w->sync.hook = returning_node_confirms;
	w->sync.hooks = 2;	/* the try to create, and the take-over */
	ck_store(store_open(&c), STORE_UNAVAILABLE, c);
	ck_assert_ptr_nonnull(strstr(fake_entry(&w->sync, CLAIM)->value, "node-b"));
	ck_assert_uint_eq(record().generation, 101);
}
END_TEST

START_TEST(a_copy_of_another_generation_is_replaced)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct store_call c = call("l-2");
	struct copy p = paths();

	(void)guest_wrote("Lost");
	other_has_it(150);
	w->may_bury = true;
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, w->template.p, MAKE_SIZE);
}
END_TEST

START_TEST(a_torn_copy_after_a_crash_of_the_host_is_set_aside_as_a_version)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct make m = written("Torn");
	struct store_call c = call("l-2");
	struct copy p = paths();

	opened_store("l-1");
	m.p[MAKE_STORE + 200] = 0;	/* neither erased nor a variable */
	m.p[m.at + 100] = 0;
	guest_writes(m.p);
	w->env.boot_id = BOOT_B;
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, w->template.p, MAKE_SIZE);
	ck_assert_uint_eq(objects_there(), 2);
	ck_assert_str_eq(object_meta(&w->objects.v[1].info, "source"), "set-aside");
}
END_TEST

/* No prune ever takes one. */
START_TEST(a_copy_is_set_aside_once_however_often_its_open_fails)
{
	struct make m = written("Torn");
	struct store_call c;

	opened_store("l-1");
	m.p[MAKE_STORE + 200] = 0;
	m.p[m.at + 100] = 0;
	guest_writes(m.p);
	w->env.boot_id = BOOT_B;
	w->objects.v[0].bytes[w->objects.v[0].info.bytes - 6] ^= 1;
	for (int i = 0; i < 3; i++) {
		c = call("l-2");
		ck_store(store_open(&c), STORE_INVALID, c);
		ck_assert_uint_eq(objects_there(), 2);
	}
	w->objects.v[0].bytes[w->objects.v[0].info.bytes - 6] ^= 1;
	c = call("l-2");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert_uint_eq(objects_there(), 2);
}
END_TEST

START_TEST(an_unreadable_seeded_json_is_refused_and_everything_is_kept)
{
	struct store_call c = call("l-2");
	struct copy p = paths();

	opened_store("l-1");
	ck_assert_int_eq(file_write(p.seeded, "{", 1, 0600), 0);
	ck_store(store_open(&c), STORE_UNREADABLE, c);
	ck_assert(store_may_retry(STORE_UNREADABLE));
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
	c = call("l-1");
	ck_store(store_close(&c), STORE_OWED, c);
	ck_assert(copy_has_vars(&p));
	ck_assert(!claim_is_free());
}
END_TEST

START_TEST(an_object_that_is_not_the_region_it_should_be_is_not_used)
{
	struct store_call c = call("l-1");
	struct copy p = paths();

	seeded_store();
	w->objects.v[0].bytes[w->objects.v[0].info.bytes - 6] ^= 1;
	ck_store(store_open(&c), STORE_INVALID, c);
	ck_assert(!copy_has_vars(&p));
}
END_TEST

START_TEST(an_object_that_is_gone_is_named_by_whatever_wants_it)
{
	AUTO(buf) struct buf data = BUF_EMPTY(64);
	struct look l = { 0 };
	struct store_call c = call("l-1");
	char key[UEFI_KEY_MAX + 1];

	seeded_store();
	ck_store(store_close(&c), STORE_OK, c);
	memcpy(key, record().pointer.key, sizeof(key));
	w->objects.v[0].is_there = false;
	c = call("l-1");
	ck_store(store_open(&c), STORE_INVALID, c);
	ck_assert_ptr_nonnull(strstr(c.why, key));
	ck_store(store_rollback(&c), STORE_OK, c);
	c = call("");
	ck_store(look_vars(&c, &l), STORE_INVALID, c);
	ck_assert_ptr_nonnull(strstr(c.why, key));
	look_deinit(&l);
	c = call("");
	c.uefi_data = &data;
	ck_store(store_import(&c), STORE_INVALID, c);
	ck_assert_ptr_nonnull(strstr(c.why, key));
}
END_TEST

/* ---- save ---- */

START_TEST(equal_bytes_write_nothing)
{
	struct store_call c = call("");

	opened_store("l-1");
	w->records.swaps = 0;
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(!c.has_saved);
	ck_assert_uint_eq(w->objects.puts, 1);
	ck_assert_uint_eq(w->records.swaps, 0);
}
END_TEST

/* uefid was killed after the move, before it wrote so beside the copy: what the notes call saved
 * is not what the pointer names. */
START_TEST(a_save_believes_the_records_pointer_and_not_its_own_notes)
{
	AUTO(buf) struct buf notes = BUF_EMPTY(SEEDED_MAX);
	struct make m = written("Once");
	struct store_call c = call("");
	struct copy p = paths();

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	ck_assert_int_eq(file_read(p.seeded, &notes), 0);
	guest_writes(m.p);
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert_int_eq(file_write(p.seeded, notes.data, notes.len, 0600), 0);
	guest_writes(w->template.p);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(w->template.p));
}
END_TEST

START_TEST(a_save_puts_nothing_whose_pointer_could_not_move)
{
	struct store_call c = call("");
	struct uefi_record r;
	enum cas_result cas;

	(void)guest_wrote("x");
	w->records.load_fault = CAS_UNAVAILABLE;
	ck_store(store_save(&c), STORE_OWED, c);
	w->records.load_fault = CAS_OK;
	ck_assert_uint_eq(w->objects.puts, 1);
	/* Nor need the object store answer for a copy to learn that it has lost. */
	w->objects.fault = OBJECT_UNAVAILABLE;
	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, 200, &r, &cas), UEFI_OK);
	c = call("");
	ck_store(store_save(&c), STORE_FENCED, c);
	w->objects.fault = OBJECT_OK;
	ck_assert_uint_eq(w->objects.puts, 1);
}
END_TEST

START_TEST(what_a_guest_wrote_becomes_a_new_object_and_the_pointer_moves)
{
	struct make m = written("Boot0007");
	struct store_call c = call("");
	struct copy p = paths();

	opened_store("l-1");
	AUTO(fd) int guest = file_lock(p.lock);

	guest_writes(m.p);
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(c.has_saved);
	ck_assert(c.is_locked);
	ck_assert(pointer_holds(m.p));
	ck_assert_str_eq(object_meta(&w->objects.v[1].info, "source"), "write-back");
	ck_assert_uint_eq(record().generation, 101);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(!c.has_saved);
	ck_assert_int_ge(guest, 0);
}
END_TEST

START_TEST(a_copy_that_is_no_region_is_owed_and_nothing_is_put)
{
	struct make m = written("x");
	struct store_call c = call("");

	opened_store("l-1");
	m.p[40] = 0;
	guest_writes(m.p);
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_ptr_nonnull(strstr(c.why, "_FVH"));
	ck_assert_uint_eq(w->objects.puts, 1);
}
END_TEST

START_TEST(a_running_guests_half_reclaimed_store_waits_and_a_stopped_ones_is_kept)
{
	struct make m = written("x");
	struct store_call c = call("");
	struct copy p = paths();

	opened_store("l-1");
	make_reclaiming(&m);
	guest_writes(m.p);
	int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_uint_eq(w->objects.puts, 1);
	close(guest);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
}
END_TEST

START_TEST(an_object_store_that_is_down_leaves_it_owed_and_it_heals_121)
{
	struct make m = guest_wrote("x");
	struct store_call c = call("");

	w->objects.fault = OBJECT_UNAVAILABLE;
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_ptr_nonnull(strstr(c.why, "not reachable"));
	ck_assert(pointer_holds(w->template.p));
	w->objects.fault = OBJECT_OK;
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
}
END_TEST

/* Not one more object for each try, however long that takes. */
START_TEST(a_save_that_is_repeated_points_at_the_object_that_was_put)
{
	static const enum cas_result faults[] = { CAS_REFUSED, CAS_UNAVAILABLE, CAS_UNKNOWN,
		CAS_BUCKET_LOST };
	struct make m = guest_wrote("x"), other = written("y");
	struct store_call c;
	char key[UEFI_KEY_MAX + 1];

	for (size_t i = 0; i < 2 * ARRAY_LEN(faults); i++) {
		w->records.swap_fault = faults[i / 2];
		c = call("");
		ck_store(store_save(&c), STORE_OWED, c);
		ck_assert_uint_eq(w->objects.puts, 2);
	}
	w->records.swap_fault = CAS_OK;
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert_uint_eq(w->objects.puts, 2);
	ck_assert(pointer_holds(m.p));
	/* The same bytes in place of others are another version: no pointer returns to an old key. */
	memcpy(key, record().pointer.key, sizeof(key));
	guest_writes(other.p);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	guest_writes(m.p);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	ck_assert_str_ne(record().pointer.key, key);
	ck_assert_uint_eq(objects_there(), 4);
}
END_TEST

/* While its pointer cannot move a guest that goes on writing costs one object, not one for each try. */
START_TEST(a_save_that_failed_asks_whether_the_pointer_can_move_before_it_puts_again)
{
	static const enum cas_result faults[] = { CAS_REFUSED, CAS_BUCKET_LOST, CAS_UNKNOWN };
	struct make m = guest_wrote("First");
	struct store_call c = call("");
	struct uefi_record before;
	char name[16];

	w->records.swap_fault = CAS_REFUSED;
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_uint_eq(w->objects.puts, 2);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		snprintf(name, sizeof(name), "Later%zu", i);
		m = written(name);
		guest_writes(m.p);
		w->records.swap_fault = faults[i];
		c = call("");
		c.is_retry = true;
		ck_store(store_save(&c), STORE_OWED, c);
		ck_assert_ptr_nonnull(strstr(c.why, cas_result_text(faults[i])));
		ck_assert_uint_eq(w->objects.puts, 2);
	}
	w->records.swap_fault = CAS_OK;
	before = record();
	c = call("");
	c.is_retry = true;
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	ck_assert_uint_eq(record().generation, before.generation);
}
END_TEST

static enum object_result
put_unheard(void *ctx, const struct object_info *o, const void *p, size_t n, char *why)
{
	(void)fake_object_put(ctx, o, p, n, why);
	return fake_fail(OBJECT_UNKNOWN, why);
}

START_TEST(a_put_that_nobody_heard_of_is_found_by_the_next)
{
	struct make m = guest_wrote("x");
	struct store_call c;

	w->objects.objects.put = put_unheard;
	for (int i = 0; i < 3; i++) {
		c = call("");
		ck_store(store_save(&c), STORE_OWED, c);
	}
	w->objects.objects.put = fake_object_put;
	ck_assert_uint_eq(objects_there(), 2);
	/* It counts for what it holds, and not for its name. */
	w->objects.v[1].bytes[w->objects.v[1].info.bytes - 6] ^= 1;
	c = call("");
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert(pointer_holds(w->template.p));
	w->objects.v[1].bytes[w->objects.v[1].info.bytes - 6] ^= 1;
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	ck_assert_uint_eq(objects_there(), 2);
}
END_TEST

/* What it comes to where no file can be written: in a child, since the test's own words go to one. */
static enum store_result
on_a_full_disk(enum store_result (*run)(struct store_call *c), const char *launch_id)
{
	const struct rlimit none = { 0, 0 };
	struct store_call c = call(launch_id);
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		signal(SIGXFSZ, SIG_IGN);
		_exit(setrlimit(RLIMIT_FSIZE, &none) == 0 ? (int)run(&c) : STORE_RESULTS);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return (enum store_result)WEXITSTATUS(status);
}

START_TEST(a_full_disk_beside_the_copy_costs_no_object_for_each_try)
{
	struct make m = guest_wrote("x");
	struct store_call c = call("");

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(on_a_full_disk(store_save, ""), STORE_OWED);
		ck_assert(pointer_holds(m.p));	/* safe, if not noted */
		ck_assert_uint_eq(objects_there(), 2);
	}
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert_uint_eq(objects_there(), 2);
}
END_TEST

START_TEST(a_move_of_unknown_outcome_is_owed_whatever_the_copy_holds)
{
	struct store_call c = call("");
	struct copy p = paths();
	char why[JSON_WHY_MAX];
	struct seeded s;

	(void)guest_wrote("x");
	w->records.swap_fault = CAS_UNKNOWN;
	w->records.faults_land = true;
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert_int_eq(copy_seeded(&p, &s, why), REUSE_PRESENT);
	ck_assert_str_eq(s.synced_sha256, "");
	/* The guest goes back to the old bytes: without the mark they would count as saved. */
	guest_writes(w->template.p);
	w->records.swap_fault = CAS_OK;
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(w->template.p));
}
END_TEST

START_TEST(the_late_save_of_an_old_holder_changes_nothing_and_is_marked_114)
{
	struct store_call c = call("");
	struct copy p = paths();
	struct uefi_record r;
	enum cas_result cas;

	(void)guest_wrote("x");
	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, 200, &r, &cas), UEFI_OK);
	ck_store(store_save(&c), STORE_FENCED, c);
	ck_assert(pointer_holds(w->template.p));
	ck_assert_uint_eq(record().generation, 200);
	ck_assert_int_eq(copy_state(&p), COPY_FENCED);
	ck_assert(copy_has_vars(&p));
	w->objects.puts = 0;
	c = call("");
	ck_store(store_save(&c), STORE_FENCED, c);
	ck_assert_uint_eq(w->objects.puts, 0);
}
END_TEST

/* The guest of a store that is another's has to be ended, whatever can be written beside its copy. */
START_TEST(what_is_lost_is_lost_though_the_disk_has_no_room_to_mark_it)
{
	struct store_call c = call("");
	struct copy p = paths();
	struct uefi_record r;
	enum cas_result cas;

	(void)guest_wrote("x");
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	other_has_it(200);
	ck_assert_int_eq(uefi_record_stamp(&w->records.cas, ID, 200, &r, &cas), UEFI_OK);
	ck_assert_int_eq(on_a_full_disk(store_save, ""), STORE_FENCED);
	ck_assert_int_eq(on_a_full_disk(store_mind, ""), STORE_FENCED);
	ck_assert_int_eq(on_a_full_disk(store_open, "l-1"), STORE_FENCED);
	ck_assert_int_eq(copy_state(&p), COPY_FINE);
	ck_store(store_save(&c), STORE_FENCED, c);
	ck_assert_int_eq(copy_state(&p), COPY_FENCED);
	ck_assert_str_eq(c.launch_id, "l-1");	/* whom vmd is told to end */
}
END_TEST

/* As after a restore of the server from a copy that is older than this launch. */
START_TEST(a_save_whose_record_went_back_is_owed_and_gives_nothing_up)
{
	char before[FAKE_VALUE_MAX + 1];
	struct store_call c = call("");
	struct copy p = paths();
	struct make m;

	m = guest_wrote("x");
	snprintf(before, sizeof(before), "%s", fake_entry(&w->records, ID)->value);
	const struct uefi_record now = record();
	struct uefi_record r = now;

	r.generation--;
	AUTO(str) char *older = uefi_record_print(&r);

	fake_put(&w->records, ID, older);
	ck_store(store_save(&c), STORE_OWED, c);
	ck_assert(c.is_store_lost);
	ck_assert_ptr_nonnull(strstr(c.why, "went back"));
	ck_assert_int_eq(copy_state(&p), COPY_FINE);
	ck_assert_uint_eq(record().generation, now.generation - 1);
	ck_assert_str_eq(record().pointer.key, now.pointer.key);
	/* Mended, it is saved. */
	fake_put(&w->records, ID, before);
	c = call("");
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(!c.is_store_lost && pointer_holds(m.p));
}
END_TEST

START_TEST(only_the_newest_versions_stay_beside_the_pointer)
{
	struct copy p = paths();

	opened_store("l-1");
	for (int i = 0; i < 12; i++) {
		struct store_call c = call("");
		struct make m;
		char name[16];

		snprintf(name, sizeof(name), "Name%d", i);
		m = written(name);
		guest_writes(m.p);
		ck_store(store_save(&c), STORE_OK, c);
		ck_assert(pointer_holds(m.p));
		ck_assert_uint_le(objects_there(), 1 + w->env.keep_versions);
	}
	ck_assert_uint_eq(objects_there(), 1 + w->env.keep_versions);
	ck_assert(copy_has_vars(&p));
}
END_TEST

/* Between the listing and the removal another may have taken one. */
static enum object_result
remove_gone(void *ctx, const char *key, char *why)
{
	(void)fake_object_remove(ctx, key, why);
	return fake_object_remove(ctx, key, why);
}

/* The second one and all after it. */
static enum object_result
remove_one(void *ctx, const char *key, char *why)
{
	struct fake_objects *f = ctx;

	if (f->removed++ > 0)
		return fake_fail(OBJECT_UNAVAILABLE, why);
	return fake_object_remove(ctx, key, why);
}

/* A save of so many more versions, whose surplus stays. */
static void
surplus(int n)
{
	const uint32_t keep = w->env.keep_versions;

	opened_store("l-1");
	w->env.keep_versions = 1000;
	for (int i = 0; i < n; i++) {
		struct store_call c = call("");
		char name[16];
		struct make m;

		snprintf(name, sizeof(name), "Name%d", i);
		m = written(name);
		guest_writes(m.p);
		ck_store(store_save(&c), STORE_OK, c);
	}
	w->env.keep_versions = keep;
}

static void
save_one_more(const char *name)
{
	struct make m = written(name);
	struct store_call c = call("");

	guest_writes(m.p);
	ck_store(store_save(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
}

START_TEST(an_object_that_is_gone_already_does_not_stop_a_prune_124)
{
	w->env.keep_versions = 1;
	surplus(4);
	w->objects.objects.remove = remove_gone;
	save_one_more("Last");
	ck_assert_uint_eq(objects_there(), 2);
}
END_TEST

START_TEST(a_prune_that_fails_keeps_what_is_left_and_the_save_is_a_save_124)
{
	size_t before;

	w->env.keep_versions = 1;
	surplus(4);
	before = objects_there();
	w->objects.objects.remove = remove_one;
	save_one_more("Last");
	ck_assert_uint_eq(objects_there(), before);	/* one more, one less */
	w->objects.objects.remove = fake_object_remove;
	save_one_more("Next");
	ck_assert_uint_eq(objects_there(), 2);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("store");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t, seed_makes_a_live_record_whose_pointer_names_the_only_object_125);
	tcase_add_test(t, an_object_says_whose_it_is_and_where_it_came_from_117);
	tcase_add_test(t, seeding_twice_has_the_effect_of_once_129);
	tcase_add_test(t, a_seed_that_cannot_begin_touches_nothing);
	tcase_add_test(t, a_seed_without_an_object_store_leaves_what_a_terminate_cleans_126);
	tcase_add_test(t, a_seed_after_a_terminate_is_refused);
	tcase_add_test(t, open_puts_the_pointers_object_in_place_and_says_where);
	tcase_add_test(t,
	    the_space_of_vars_is_allocated_and_other_users_cannot_list_the_folder);
	tcase_add_test(t, open_keeps_what_the_guest_wrote_on_this_boot);
	tcase_add_test(t,
	    open_of_the_launch_that_has_the_lock_repeats_its_answer_and_of_another_is_refused);
	tcase_add_test(t, open_without_a_store_or_of_a_deleted_one_is_refused);
	tcase_add_test(t, firmware_that_does_not_fit_is_refused_before_the_claim_is_touched);
	tcase_add_test(t, without_the_nodes_own_lease_nothing_is_opened);
	tcase_add_test(t, a_claim_of_a_live_node_is_refused_naming_holder_and_generation_127);
	tcase_add_test(t, a_claim_of_a_buried_node_is_taken_over_at_a_greater_generation);
	tcase_add_test(t, a_confirm_between_the_burial_and_the_swap_makes_the_swap_lose);
	tcase_add_test(t, a_copy_of_another_generation_is_replaced);
	tcase_add_test(t, a_torn_copy_after_a_crash_of_the_host_is_set_aside_as_a_version);
	tcase_add_test(t, a_copy_is_set_aside_once_however_often_its_open_fails);
	tcase_add_test(t, an_unreadable_seeded_json_is_refused_and_everything_is_kept);
	tcase_add_test(t, an_object_that_is_not_the_region_it_should_be_is_not_used);
	tcase_add_test(t, an_object_that_is_gone_is_named_by_whatever_wants_it);
	tcase_add_test(t, equal_bytes_write_nothing);
	tcase_add_test(t, a_save_believes_the_records_pointer_and_not_its_own_notes);
	tcase_add_test(t, a_save_puts_nothing_whose_pointer_could_not_move);
	tcase_add_test(t, what_a_guest_wrote_becomes_a_new_object_and_the_pointer_moves);
	tcase_add_test(t, a_copy_that_is_no_region_is_owed_and_nothing_is_put);
	tcase_add_test(t,
	    a_running_guests_half_reclaimed_store_waits_and_a_stopped_ones_is_kept);
	tcase_add_test(t, an_object_store_that_is_down_leaves_it_owed_and_it_heals_121);
	tcase_add_test(t, a_save_that_is_repeated_points_at_the_object_that_was_put);
	tcase_add_test(t, a_save_that_failed_asks_whether_the_pointer_can_move_before_it_puts_again);
	tcase_add_test(t, a_put_that_nobody_heard_of_is_found_by_the_next);
	tcase_add_test(t, a_full_disk_beside_the_copy_costs_no_object_for_each_try);
	tcase_add_test(t, a_move_of_unknown_outcome_is_owed_whatever_the_copy_holds);
	tcase_add_test(t, the_late_save_of_an_old_holder_changes_nothing_and_is_marked_114);
	tcase_add_test(t, what_is_lost_is_lost_though_the_disk_has_no_room_to_mark_it);
	tcase_add_test(t, a_save_whose_record_went_back_is_owed_and_gives_nothing_up);
	tcase_add_test(t, only_the_newest_versions_stay_beside_the_pointer);
	tcase_add_test(t, an_object_that_is_gone_already_does_not_stop_a_prune_124);
	tcase_add_test(t, a_prune_that_fails_keeps_what_is_left_and_the_save_is_a_save_124);
	return unit_run("store", t);
}
