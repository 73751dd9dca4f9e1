/* Going back to an earlier version of a store. */
#include "store_world.h"

static struct store_call
back_to(size_t object)
{
	struct store_call c = call("");

	snprintf(c.version, sizeof(c.version), "%s",
	    strrchr(w->objects.v[object].info.key, '/') + 1);
	return c;
}

/* Closed, with a template and one version more. */
static void
closed_store(void)
{
	struct store_call c = call("l-1");

	(void)guest_wrote("Later");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert_uint_eq(objects_there(), 2);
}

START_TEST(a_new_object_with_the_old_bytes_is_pointed_at_and_the_claim_is_free)
{
	struct uefi_record before, after;
	struct store_call c;
	struct version v;
	struct copy p;

	closed_store();
	before = record();
	p = paths();
	c = back_to(0);
	ck_store(store_restore(&c), STORE_OK, c);
	after = record();
	ck_assert_uint_eq(objects_there(), 3);
	ck_assert_str_eq(after.pointer.key, c.key);
	ck_assert_str_ne(after.pointer.key, w->objects.v[0].info.key);
	ck_assert_uint_gt(after.generation, before.generation);
	ck_assert_uint_eq(after.generation, c.generation);
	ck_assert(pointer_holds(w->template.p));
	ck_assert(claim_is_free());
	ck_assert(!copy_has_vars(&p));
	version_from_info(&object_find(&w->objects, c.key)->info, &v);
	ck_assert_int_eq(strncmp(v.source, VERSION_ROLLBACK, strlen(VERSION_ROLLBACK)), 0);
	ck_assert_str_eq(v.source + strlen(VERSION_ROLLBACK), c.version);
	ck_assert_uint_eq(v.generation, c.generation);
}
END_TEST

START_TEST(the_next_launch_boots_from_it_and_a_late_move_of_before_is_fenced)
{
	AUTO(buf) struct buf b = BUF_EMPTY(MAKE_SIZE);
	struct uefi_record before;
	enum cas_result cas;
	struct store_call c;
	struct copy p;

	closed_store();
	before = record();
	c = back_to(0);
	ck_store(store_restore(&c), STORE_OK, c);
	ck_assert_int_eq(uefi_record_move(&w->records.cas, ID, before.generation, &before.pointer,
	    &cas), UEFI_FENCED);
	c = call("l-2");
	ck_store(store_open(&c), STORE_OK, c);
	p = paths();
	ck_assert_int_eq(file_read(p.vars, &b), 0);
	ck_assert_mem_eq(b.data, w->template.p, MAKE_SIZE);
}
END_TEST

static unsigned writes;		/* of the record, while it goes back */
static uint64_t generation;	/* of the claim then */

static void
claim_is_ours(struct fake_cas *f)
{
	const struct fake_entry *e = fake_entry(&w->sync, CLAIM);
	struct cas_token t;

	ck_assert(e->has_value);
	ck_assert_int_eq(cas_token_parse(e->value, strlen(e->value), e->revision, &t), 0);
	ck_assert_str_eq(t.holder, "node-a");
	ck_assert(writes == 0 || e->revision == generation);
	generation = e->revision;
	writes++;
}

START_TEST(the_claim_is_its_own_from_before_the_stamp_until_the_pointer_has_moved)
{
	struct uefi_record before;
	struct store_call c;

	closed_store();
	ck_assert(claim_is_free());
	before = record();
	writes = 0;
	w->records.hook = claim_is_ours;
	w->records.hooks = 2;		/* the stamp and the move */
	c = back_to(0);
	ck_store(store_restore(&c), STORE_OK, c);
	ck_assert_uint_eq(writes, 2);
	ck_assert_uint_gt(generation, before.generation);
	ck_assert_uint_eq(record().generation, generation);
	ck_assert(claim_is_free());
}
END_TEST

/* Another node is faster than all that a claim allows: the record's fence is what stands. */
static void
other_takes_it_before_the_move(struct fake_cas *f)
{
	struct uefi_record r = record();

	if (++writes != 2)
		return;
	other_has_it(500);
	r.generation = 500;
	AUTO(str) char *text = uefi_record_print(&r);

	fake_put(f, ID, text);
}

START_TEST(one_that_loses_its_claim_on_the_way_moves_nothing)
{
	struct uefi_record before;
	struct store_call c;

	closed_store();
	before = record();
	writes = 0;
	w->records.hook = other_takes_it_before_the_move;
	w->records.hooks = 2;
	c = back_to(0);
	ck_store(store_restore(&c), STORE_FENCED, c);
	ck_assert_str_eq(record().pointer.key, before.pointer.key);
	ck_assert_uint_eq(record().generation, 500);
	ck_assert(!claim_is_free());
	ck_assert_ptr_nonnull(strstr(fake_entry(&w->sync, CLAIM)->value, "node-b"));
}
END_TEST

static void
refused(struct store_call c, enum store_result want)
{
	const struct uefi_record before = record();
	const size_t objects = objects_there();

	ck_store(store_restore(&c), want, c);
	ck_assert(c.why[0] != '\0');
	ck_assert_str_eq(record().pointer.key, before.pointer.key);
	ck_assert_uint_eq(record().generation, before.generation);
	ck_assert_uint_eq(objects_there(), objects);
}

START_TEST(a_running_guest_is_never_taken_back)
{
	struct make m = guest_wrote("Later");
	struct copy p = paths();
	AUTO(fd) int guest = file_lock(p.lock);

	refused(back_to(0), STORE_BUSY);
	close(steal_fd(&guest));
	refused(back_to(0), STORE_BUSY);	/* the copy is not saved yet */
	struct store_call c = call("l-1");

	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
}
END_TEST

START_TEST(one_in_launch_or_of_unknown_launch_is_not_taken_back)
{
	closed_store();
	w->launch = STORE_LAUNCH_YES;
	refused(back_to(0), STORE_BUSY);
	w->launch = STORE_LAUNCH_UNKNOWN;
	refused(back_to(0), STORE_BUSY);
}
END_TEST

START_TEST(another_nodes_claim_is_left_alone_though_it_be_dead)
{
	closed_store();
	other_has_it(500);
	w->may_bury = true;
	refused(back_to(0), STORE_HELD);
	ck_assert_uint_eq(w->buried, 0);
	ck_assert(!claim_is_free());
}
END_TEST

START_TEST(without_the_nodes_own_lease_nothing_is_touched)
{
	struct store_call c;

	closed_store();
	c = back_to(0);
	c.lease_until_ms = w->now_ms;
	refused(c, STORE_NODE_LEASE);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(a_version_that_is_not_there_or_none_is_refused)
{
	struct store_call c;

	closed_store();
	c = back_to(0);
	c.version[0] = c.version[0] == 'a' ? 'b' : 'a';
	refused(c, STORE_INVALID);
	snprintf(c.version, sizeof(c.version), "../%s", ID);
	refused(c, STORE_INVALID);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(a_version_of_another_architecture_is_refused)
{
	struct object_info *o;

	closed_store();
	o = &w->objects.v[0].info;
	for (size_t i = 0; i < o->nmeta; i++)
		if (strcmp(o->meta[i].name, "firmware-arch") == 0)
			snprintf(o->meta[i].value, sizeof(o->meta[i].value), "x86_64");
	refused(back_to(0), STORE_MISMATCH);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(a_broken_object_is_refused_before_the_claim_is_touched)
{
	closed_store();
	w->objects.v[0].bytes[12] ^= 0xff;
	refused(back_to(0), STORE_INVALID);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(an_object_store_that_is_down_changes_nothing_and_leaves_no_claim)
{
	struct uefi_record before;
	struct store_call c;

	closed_store();
	before = record();
	c = back_to(0);
	w->objects.fault = OBJECT_UNAVAILABLE;
	ck_store(store_restore(&c), STORE_UNAVAILABLE, c);
	ck_assert_str_eq(record().pointer.key, before.pointer.key);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(a_store_that_is_being_deleted_is_not_taken_back)
{
	struct store_call c;

	closed_store();
	c = call("");
	ck_store(store_delete(&c), STORE_OK, c);
	refused(back_to(0), STORE_DELETING);
}
END_TEST

START_TEST(going_back_often_keeps_the_newest_versions_alone)
{
	closed_store();
	w->env.keep_versions = 2;
	for (int i = 0; i < 6; i++) {
		struct store_call c = back_to(0);

		c.version[0] = '\0';
		snprintf(c.version, sizeof(c.version), "%s", strrchr(record().pointer.key, '/') + 1);
		ck_store(store_restore(&c), STORE_OK, c);
		w->wall_ms = w->objects.wall_ms += 11 * 60 * 1000;
	}
	/* The pointer's, two versions, and the one that was too young when it was looked at last. */
	ck_assert_uint_le(objects_there(), 4);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("store_restore");

	tcase_add_checked_fixture(tc, world_setup, world_teardown);
	tcase_add_test(tc, a_new_object_with_the_old_bytes_is_pointed_at_and_the_claim_is_free);
	tcase_add_test(tc, the_next_launch_boots_from_it_and_a_late_move_of_before_is_fenced);
	tcase_add_test(tc, the_claim_is_its_own_from_before_the_stamp_until_the_pointer_has_moved);
	tcase_add_test(tc, one_that_loses_its_claim_on_the_way_moves_nothing);
	tcase_add_test(tc, a_running_guest_is_never_taken_back);
	tcase_add_test(tc, one_in_launch_or_of_unknown_launch_is_not_taken_back);
	tcase_add_test(tc, another_nodes_claim_is_left_alone_though_it_be_dead);
	tcase_add_test(tc, without_the_nodes_own_lease_nothing_is_touched);
	tcase_add_test(tc, a_version_that_is_not_there_or_none_is_refused);
	tcase_add_test(tc, a_version_of_another_architecture_is_refused);
	tcase_add_test(tc, a_broken_object_is_refused_before_the_claim_is_touched);
	tcase_add_test(tc, an_object_store_that_is_down_changes_nothing_and_leaves_no_claim);
	tcase_add_test(tc, a_store_that_is_being_deleted_is_not_taken_back);
	tcase_add_test(tc, going_back_often_keeps_the_newest_versions_alone);
	return unit_run("store_restore", tc);
}
