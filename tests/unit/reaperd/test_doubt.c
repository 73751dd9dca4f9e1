/* Each class of what goes, under each doubt: nothing goes, and the reason is shown. */
#include "reaperd/sweep.h"

#include "tests/unit/reaperd/world.h"

#define ID	"i-00000000000000001"
#define NODE_9	"node.node-9"
#define OBJECT	"uefi/" ID "/" A_UUID
#define ADDRESS	ACCOUNT ".172-31-0-4"
#define HELD	ACCOUNT ".172-31-0-5"
#define OBSOLETE "spinifex-dhcp-leases"

static void
make_store(void)
{
	put_store(ID, "deleting");
}

static void
make_object(void)
{
	put_object(ID, A_UUID);
	put_store(ID, "live");
	put_marker(SPEC_UEFI_STORES, ID);
}

static void
make_claim(void)
{
	put_claim(ID, "node-9");
	put(SPEC_SYNC, NODE_9, "{\"holder\":\"node-1\",\"generation\":0}");	/* buried */
	put_store(ID, "live");
	put_marker(SPEC_UEFI_STORES, ID);
}

static void
make_address(void)
{
	put_address("172-31-0-4", ID);
	put_instance(ID, "running", "");
	put_marker(SPEC_INSTANCES, "instance." ID);
}

/* Its instance has a record yet, and with it a node. */
static void
make_held_address(void)
{
	put_address("172-31-0-5", ID);
	put_instance(ID, "terminated", TORN_DOWN);
}

static void
make_image_object(void)
{
	put_image_object(ACCOUNT);
}

static void
make_instance(void)
{
	put_instance(ID, "terminated", LONG_AGO TORN_DOWN);
}

static void
make_bucket(void)
{
	make_stream(OBSOLETE);
}

static const char mute[] = "it may go, but its node does not answer";

static const struct row {
	enum reap_class	 class;
	const char	*id;
	void		(*make)(void);
	unsigned	 spec;			/* the record that proves it gone, and what is said */
	const char	*key, *unreadable;	/* ... when it cannot be read; NULL: there is none */
	bool		 by_age;
	const char	*silent;		/* said when its node is; NULL: no node has a part in it */
} rows[] = {
	{ REAP_UEFI_STORE, ID, make_store, SPEC_UEFI_STORES, ID, "its record cannot be read", false,
	    mute },
	{ REAP_UEFI_OBJECT, OBJECT, make_object, SPEC_UEFI_STORES, ID,
	    "its store's record cannot be read", true, mute },
	{ REAP_UEFI_CLAIM, ID, make_claim, SPEC_UEFI_STORES, ID, "its store's record cannot be read",
	    false, "its holder's node does not answer" },
	{ REAP_UEFI_IMAGE, IMAGE_OBJECT, make_image_object, SPEC_IMAGES, IMAGE_KEY,
	    "its image's record cannot be read", true, NULL },
	{ REAP_ADDRESS, ADDRESS, make_address, SPEC_INSTANCES, "instance." ID,
	    "its instance's record cannot be read", false, NULL },
	{ REAP_ADDRESS, HELD, make_held_address, SPEC_INSTANCES, "instance." ID,
	    "its instance's record cannot be read", false, mute },
	{ REAP_INSTANCE_TERMINATED, ID, make_instance, SPEC_INSTANCES, "instance." ID,
	    "its record cannot be read", true, mute },
	{ REAP_BUCKET_OBSOLETE, OBSOLETE, make_bucket, 0, NULL, NULL, false, NULL },
};
#define NROWS	((int)ARRAY_LEN(rows))

static const struct sweep_verdict *
verdict(int row)
{
	return verdict_of(rows[row].class, rows[row].id);
}

/* The first of the two sweeps that have to agree. */
static void
make_and_sweep(int row)
{
	rows[row].make();
	sweep_all();
	ck_assert(verdict_is_reap(verdict(row)->j.verdict));
	ck_assert_str_eq(verdict(row)->kept_because, "the next sweep has to agree");
}

START_TEST(without_a_doubt_it_goes_in_the_second_sweep)
{
	make_and_sweep(_i);
	sweep_all();
	ck_assert(verdict(_i)->done);
}
END_TEST

START_TEST(without_the_lease_it_stays)
{
	make_and_sweep(_i);
	w->may_act_until_ms = 0;
	ck_assert(sweep_all()->lost);
	ck_assert(!verdict(_i)->done);
	ck_assert_str_eq(verdict(_i)->kept_because, "the lease ended");
	ck_assert_uint_eq(w->last->acts, 0);
}
END_TEST

START_TEST(with_an_unreadable_record_it_stays_and_the_reason_is_shown)
{
	const struct row *r = &rows[_i];

	if (!r->key)
		return;		/* no record says anything of an obsolete bucket */
	make_and_sweep(_i);
	put(r->spec, r->key, "{\"schema_version\":");
	for (int i = 0; i < 2; i++) {
		sweep_all();
		ck_assert_int_eq(verdict(_i)->j.verdict, KEEP_UNKNOWN);
		ck_assert_str_eq(verdict(_i)->j.reason, r->unreadable);
		ck_assert_uint_eq(w->last->acts, 0);
	}
}
END_TEST

/* It is known, nobody answers for it, and its own lease names it. */
static void
silence_node_9(void)
{
	put_node("node-9");
	put_claim(ID, "node-9");
	put(SPEC_SYNC, NODE_9, "{\"holder\":\"node-9\",\"generation\":0}");
}

START_TEST(with_its_node_silent_it_stays_until_that_is_buried)
{
	make_and_sweep(_i);
	silence_node_9();
	sweep_all();
	if (!rows[_i].silent) {
		ck_assert(verdict(_i)->done);
		return;
	}
	ck_assert_int_eq(verdict(_i)->j.verdict, KEEP_UNKNOWN);
	ck_assert_str_eq(verdict(_i)->j.reason, rows[_i].silent);
	ck_assert_str_eq(verdict(_i)->holder, "node-9");
	ck_assert_uint_eq(w->last->acts, 0);
	put(SPEC_SYNC, NODE_9, "{\"holder\":\"node-1\",\"generation\":1}");
	sweep_all();
	ck_assert_str_eq(verdict(_i)->kept_because, "the next sweep has to agree");
	sweep_all();
	ck_assert(verdict(_i)->done);
}
END_TEST

#define YEAR_MS	(365ull * 24 * 3600 * 1000)

START_TEST(after_a_step_of_the_clock_what_goes_by_age_stays_and_the_reason_is_shown)
{
	make_and_sweep(_i);
	w->wall_shift_ms = 100 * YEAR_MS;
	sweep_all();
	if (!rows[_i].by_age) {
		ck_assert(verdict(_i)->done);	/* it asks no clock */
		return;
	}
	ck_assert_int_eq(verdict(_i)->j.verdict, KEEP_UNKNOWN);
	ck_assert_str_eq(verdict(_i)->j.reason,
	    "this node's clock was stepped: ages are not known");
	ck_assert_uint_eq(w->last->acts, 0);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("doubts");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, without_a_doubt_it_goes_in_the_second_sweep, 0, NROWS);
	tcase_add_loop_test(t, without_the_lease_it_stays, 0, NROWS);
	tcase_add_loop_test(t, with_an_unreadable_record_it_stays_and_the_reason_is_shown, 0,
	    NROWS);
	tcase_add_loop_test(t, with_its_node_silent_it_stays_until_that_is_buried, 0, NROWS);
	tcase_add_loop_test(t,
	    after_a_step_of_the_clock_what_goes_by_age_stays_and_the_reason_is_shown, 0, NROWS);
	return unit_run("doubt", t);
}
