/* What an account still holds: clean is only what has neither an item nor a reason. */
#include "reaperd/account.h"

#include "tests/unit/reaperd/world.h"

#define ID	"i-00000000000000001"
#define OTHER	"i-00000000000000002"

static const struct account_teardown none[1];	/* read, and empty */

static struct account
judged(const struct inventory *inv, bool strict, const struct account_teardown *t, size_t n)
{
	struct account a = { .account_id = ACCOUNT };

	account_judge(&a, inv, strict, t, n);
	return a;
}

START_TEST(an_account_with_nothing_is_clean)
{
	struct account a = judged(&(struct inventory){ 0 }, true, none, 0);

	ck_assert(account_is_clean(&a));
	account_deinit(&a);
}
END_TEST

START_TEST(what_could_not_be_read_is_a_reason_and_never_clean)
{
	struct account a = judged(&(struct inventory){ 0 }, false, NULL, 0);

	ck_assert(!account_is_clean(&a));
	ck_assert_uint_eq(a.nitems, 0);
	ck_assert_uint_eq(a.nreasons, 2);
	ck_assert_str_eq(a.reasons[0], "instance-inventory-incomplete");
	ck_assert_str_eq(a.reasons[1], "teardown-unread");
	account_deinit(&a);
}
END_TEST

START_TEST(instances_come_from_the_inventory_and_teardowns_that_it_has_not)
{
	struct inv_instance in[] = {
		{ .id = ID, .account_id = ACCOUNT, .state = INSTANCE_SHUTTING_DOWN,
		  .facts.known = KNOWN_PRESENT },
		{ .id = "i-00000000000000009", .account_id = "999999999999",
		  .facts.known = KNOWN_PRESENT },
		{ .id = "i-00000000000000003", .account_id = ACCOUNT, .state = INSTANCE_TERMINATED,
		  .facts = { .known = KNOWN_PRESENT, .is_terminated = true },
		  .kept_volume = "vol-00000000000000003" },
	};
	const struct account_teardown t[] = {
		{ .instance_id = ID, .state = INSTANCE_SHUTTING_DOWN },
		{ .instance_id = OTHER, .state = INSTANCE_TERMINATED },
		{ .instance_id = "i-00000000000000003", .state = INSTANCE_TERMINATED, .is_done = true },
	};
	struct account a = judged(&(struct inventory){ .instances = in, .ninstances = 3 }, true, t, 3);

	ck_assert_uint_eq(a.nreasons, 0);
	ck_assert_uint_eq(a.nitems, 3);
	ck_assert_str_eq(a.items[0].resource_id, ID);
	ck_assert_str_eq(a.items[0].state, "shutting-down");
	ck_assert_str_eq(a.items[0].reason, "record-remains");
	ck_assert_str_eq(a.items[1].kind, "volume");
	ck_assert_str_eq(a.items[2].resource_id, OTHER);
	ck_assert_str_eq(a.items[2].reason, "terminating");
	ck_assert(!account_is_clean(&a));
	account_deinit(&a);
}
END_TEST

START_TEST(stores_and_addresses_count_and_a_store_that_cannot_be_read_is_a_reason)
{
	struct inv_store st[] = {
		{ .id = ID, .account_id = ACCOUNT, .facts = { KNOWN_PRESENT, true } },
		{ .id = OTHER, .facts.known = KNOWN_UNREADABLE },
		{ .id = "i-00000000000000003", .facts.known = KNOWN_MARKER },
	};
	struct inv_address ad[] = { { .id = ACCOUNT ".172-31-0-4", .known = KNOWN_PRESENT },
		{ .id = "999999999999.172-31-0-4", .known = KNOWN_PRESENT } };
	struct account a = judged(&(struct inventory){ .stores = st, .nstores = 3, .addresses = ad,
	    .naddresses = 2 }, true, none, 0);

	ck_assert_uint_eq(a.nitems, 2);
	ck_assert_str_eq(a.items[0].kind, "uefi-store");
	ck_assert_str_eq(a.items[0].state, "deleting");
	ck_assert_str_eq(a.items[1].kind, "address");
	ck_assert_str_eq(a.reasons[0], "store-inventory-incomplete");
	account_deinit(&a);
}
END_TEST

/* ---- over a real server ---- */

static void
take_run(void *arg)
{
	struct inventory_sources from = world_sources();

	ck_assert_int_eq(account_take(arg, &from), 0);
}

START_TEST(a_node_that_does_not_answer_and_no_vmd_make_an_account_incomplete)
{
	struct account a = { .account_id = ACCOUNT };

	put_node("node-9");
	put_instance(ID, "running", "");
	in_job(take_run, &a);
	ck_assert_uint_eq(a.nreasons, 2);
	ck_assert_str_eq(a.why, "an incomplete listing: node node-9 does not answer");
	ck_assert_uint_eq(a.nitems, 1);
	ck_assert(!account_is_clean(&a));
	account_deinit(&a);
}
END_TEST

#define KEPT	"vol-00000000000000003"

START_TEST(every_volume_with_a_record_is_an_item_and_a_kept_one_is_one_item)
{
	struct inv_instance in[] = {
		{ .id = ID, .account_id = ACCOUNT, .state = INSTANCE_TERMINATED,
		  .facts = { .known = KNOWN_PRESENT, .is_terminated = true }, .kept_volume = KEPT },
	};
	struct inv_volume v[] = {
		{ .id = "vol-00000000000000001", .account_id = ACCOUNT, .known = KNOWN_PRESENT,
		  .state = VOLUME_DELETING },
		{ .id = "vol-00000000000000002", .account_id = "999999999999", .known = KNOWN_UNREADABLE },
		{ .id = KEPT, .account_id = ACCOUNT, .known = KNOWN_PRESENT, .state = VOLUME_AVAILABLE },
	};
	const struct inventory inv = { .instances = in, .ninstances = 1, .volumes = v, .nvolumes = 3 };
	struct account a = judged(&inv, true, none, 0);

	ck_assert_uint_eq(a.nreasons, 0);
	ck_assert_uint_eq(a.nitems, 2);
	ck_assert_str_eq(a.items[0].reason, "volume-deleting");
	ck_assert_str_eq(a.items[1].resource_id, KEPT);
	ck_assert_str_eq(a.items[1].reason, "record-remains");
	account_deinit(&a);
	v[1].known = KNOWN_PRESENT;
	v[2].known = KNOWN_UNREADABLE;
	a = judged(&inv, true, none, 0);
	ck_assert_uint_eq(a.nreasons, 1);
	ck_assert_str_eq(a.reasons[0], "volume-inventory-incomplete");
	account_deinit(&a);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("account");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, an_account_with_nothing_is_clean);
	tcase_add_test(t, every_volume_with_a_record_is_an_item_and_a_kept_one_is_one_item);
	tcase_add_test(t, what_could_not_be_read_is_a_reason_and_never_clean);
	tcase_add_test(t, instances_come_from_the_inventory_and_teardowns_that_it_has_not);
	tcase_add_test(t, stores_and_addresses_count_and_a_store_that_cannot_be_read_is_a_reason);
	tcase_add_test(t, a_node_that_does_not_answer_and_no_vmd_make_an_account_incomplete);
	return unit_run("account", t);
}
