/* Each class of what goes, under each doubt: nothing goes, and the reason is shown. */
#include "reaperd/sweep.h"

#include "tests/unit/reaperd/world.h"

#define ID	"i-00000000000000001"
#define NODE_9	"node.node-9"
#define OBJECT	"uefi/" ID "/" A_UUID
#define ADDRESS	ACCOUNT ".172-31-0-4"
#define HELD	ACCOUNT ".172-31-0-5"
#define OBSOLETE "spinifex-dhcp-leases"
#define AWAY	"i-00000000000000009"	/* something else that has to do with none of it */

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

static const struct row {
	enum reap_class	 class;
	const char	*id;
	void		(*make)(void);
	unsigned	 spec;			/* the record that proves it gone, and what is said */
	const char	*key, *unreadable;	/* ... when it cannot be read; NULL: there is none */
	bool		 by_age;
} rows[] = {
	{ REAP_UEFI_STORE, ID, make_store, SPEC_UEFI_STORES, ID, "its record cannot be read",
	    false },
	{ REAP_UEFI_OBJECT, OBJECT, make_object, SPEC_UEFI_STORES, ID,
	    "its store's record cannot be read", true },
	{ REAP_UEFI_CLAIM, ID, make_claim, SPEC_UEFI_STORES, ID, "its store's record cannot be read",
	    false },
	{ REAP_UEFI_IMAGE, IMAGE_OBJECT, make_image_object, SPEC_IMAGES, IMAGE_KEY,
	    "its image's record cannot be read", true },
	{ REAP_ADDRESS, ADDRESS, make_address, SPEC_INSTANCES, "instance." ID,
	    "its instance's record cannot be read", false },
	{ REAP_ADDRESS, HELD, make_held_address, SPEC_INSTANCES, "instance." ID,
	    "its instance's record cannot be read", false },
	{ REAP_INSTANCE_TERMINATED, ID, make_instance, SPEC_INSTANCES, "instance." ID,
	    "its record cannot be read", true },
	{ REAP_BUCKET_OBSOLETE, OBSOLETE, make_bucket, 0, NULL, NULL, false },
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

/* The line that tells it has the field of what its sentence names. */
static void
expect_named(const char *about)
{
	struct log_ctx f = about_fields(&w->last->about);
	const char *named = f.node ? f.node : f.instance ? f.instance : f.object;

	ck_assert_int_eq(!!f.node + !!f.instance + !!f.object,
	    strstr(about, "no node is known") ? 0 : 1);
	if (!named)
		return;
	ck_assert_msg(strstr(about, named), "%s is not in: %s", named, about);
	ck_assert_int_eq(f.node != NULL, strstr(about, "node ") != NULL);
	ck_assert_int_eq(f.instance != NULL, strncmp(named, "i-", 2) == 0);
}

/* It would go, but for what is doubtful elsewhere; and no other thing goes either. */
static void
expect_held(int row, enum doubt doubt, const char *reason, const char *about)
{
	for (int i = 0; i < 2; i++) {
		sweep_all();
		ck_assert_int_eq(w->last->doubt, doubt);
		ck_assert_int_eq(verdict(row)->j.verdict, KEEP_UNKNOWN);
		ck_assert_str_eq(verdict(row)->j.reason, reason);
		ck_assert_str_eq(verdict(row)->kept_because, about);
		ck_assert_uint_eq(w->last->acts, 0);
		ck_assert_uint_ge(w->last->held, 1);
		expect_named(about);
	}
}

/* It goes once the doubt is over, and two sweeps after that have agreed. */
static void
expect_gone_in_two(int row)
{
	sweep_all();
	ck_assert_str_eq(verdict(row)->kept_because, "the next sweep has to agree");
	sweep_all();
	ck_assert(verdict(row)->done);
}

/* A node that has no part in any of it: known, nobody answers for it, and its lease names it. */
START_TEST(with_any_node_silent_it_stays_until_that_is_buried)
{
	make_and_sweep(_i);
	put_node("node-8");
	put(SPEC_SYNC, "node.node-8", "{\"holder\":\"node-8\",\"generation\":0}");
	expect_held(_i, DOUBT_SILENT, "it may go, but a known node does not answer",
	    "node node-8 does not answer");
	put(SPEC_SYNC, "node.node-8", "{\"holder\":\"node-1\",\"generation\":1}");
	expect_gone_in_two(_i);
}
END_TEST

START_TEST(where_no_node_is_known_it_stays)
{
	make_and_sweep(_i);
	put_marker(SPEC_NODES, "node-0");
	expect_held(_i, DOUBT_NO_NODE, "it may go, but no node is known", "no node is known");
	put_node("node-0");
	expect_gone_in_two(_i);
}
END_TEST

/* Any record: it may be the one that holds the rest. */
static const struct {
	unsigned	 spec;
	const char	*key, *about;
} elsewhere[] = {
	{ SPEC_INSTANCES, "instance." AWAY, "the record of instance " AWAY " cannot be read" },
	{ SPEC_UEFI_STORES, AWAY, "the record of UEFI store " AWAY " cannot be read" },
	{ SPEC_SYNC, "uefi." AWAY, "the record of UEFI claim " AWAY " cannot be read" },
	{ SPEC_ADDRESSES, ACCOUNT ".172-31-0-9",
	    "the record of address " ACCOUNT ".172-31-0-9 cannot be read" },
	{ SPEC_VOLUMES, ACCOUNT ".vol-00000000000000009",
	    "the record of volume vol-00000000000000009 cannot be read" },
	{ SPEC_IMAGES, ACCOUNT ".ami-00000000000000009",
	    "the record of image ami-00000000000000009 cannot be read" },
	{ SPEC_NODES, "node-0", "the record of node node-0 cannot be read" },
};

START_TEST(with_any_record_unreadable_it_stays_until_that_is_gone)
{
	make_and_sweep(_i);
	for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++) {
		put(elsewhere[i].spec, elsewhere[i].key, "{\"schema_version\":");
		expect_held(_i, DOUBT_UNREAD, "it may go, but a record cannot be read",
		    elsewhere[i].about);
		if (elsewhere[i].spec == SPEC_NODES)
			put_node("node-0");
		else
			put_marker(elsewhere[i].spec, elsewhere[i].key);
	}
	expect_gone_in_two(_i);
}
END_TEST

#define YEAR_MS	(365ull * 24 * 3600 * 1000)
#define HOUR_MS	(3600ull * 1000)

/* Forward for years, so that no age is too young, and an hour either way: some ages are then. */
static const int64_t steps_ms[] = { 100 * (int64_t)YEAR_MS, (int64_t)HOUR_MS, -(int64_t)HOUR_MS };
#define NSTEPS	((int)ARRAY_LEN(steps_ms))

START_TEST(after_a_step_of_the_clock_it_stays_and_the_reason_is_shown)
{
	int row = _i / NSTEPS;

	make_and_sweep(row);
	w->wall_shift_ms += (uint64_t)steps_ms[_i % NSTEPS];
	for (int i = 0; i < 2; i++) {
		sweep_all();
		ck_assert(!verdict_is_reap(verdict(row)->j.verdict));
		ck_assert_uint_eq(w->last->acts, 0);
		if (verdict(row)->j.verdict == KEEP_YOUNG)
			ck_assert_int_lt(steps_ms[_i % NSTEPS], 0);
		else if (rows[row].by_age)
			ck_assert_str_eq(verdict(row)->j.reason,
			    "this node's clock was stepped: ages are not known");
		else
			ck_assert_str_eq(verdict(row)->j.reason,
			    "it may go, but this node's clock is not to be believed");
	}
}
END_TEST

/* After the sweep has begun with the right time. */
START_TEST(a_step_in_the_middle_of_a_sweep_stops_it)
{
	make_and_sweep(_i);
	w->step_ms = HOUR_MS;
	sweep_all();
	ck_assert_uint_eq(w->last->acts, 0);
	ck_assert_str_eq(verdict(_i)->kept_because, "this node's clock was stepped in the sweep");
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
	tcase_add_loop_test(t, with_any_node_silent_it_stays_until_that_is_buried, 0, NROWS);
	tcase_add_loop_test(t, where_no_node_is_known_it_stays, 0, NROWS);
	tcase_add_loop_test(t, with_any_record_unreadable_it_stays_until_that_is_gone, 0, NROWS);
	tcase_add_loop_test(t, after_a_step_of_the_clock_it_stays_and_the_reason_is_shown, 0,
	    NROWS * NSTEPS);
	tcase_add_loop_test(t, a_step_in_the_middle_of_a_sweep_stops_it, 0, NROWS);
	return unit_run("doubt", t);
}
