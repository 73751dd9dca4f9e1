/* What is written back, from what nodes hold and the bucket has. */
#include "leased/reseed_plan.h"

#include <stdio.h>
#include <string.h>

#include "common/subjects.h"
#include "common/uefi_record.h"
#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"
#define KEY	"uefi/" ID "/1b4e28ba-2fa1-41d2-883f-0016d3cca427"

static struct reseed_plan plan;

static void
setup(void)
{
	plan = (struct reseed_plan){ .n = 0 };
}

static void
teardown(void)
{
	reseed_plan_deinit(&plan);
}

static struct reseed_item *
held(const char *node, const char *bucket, const char *key, const char *value, uint64_t rank)
{
	ck_assert_int_eq(reseed_plan_add(&plan, node, bucket, key, value, rank), 0);
	return &plan.item[plan.n - 1];
}

static void
judge(struct reseed_item *i, const char *value, uint64_t revision, bool is_marker)
{
	struct cas_entry e = { .revision = revision, .is_marker = is_marker };

	if (value) {
		e.value = strdup(value);
		e.len = strlen(value);
	}
	ck_assert_int_eq(reseed_plan_judge(&plan, i, value ? CAS_OK : CAS_NOT_FOUND, &e), 0);
	cas_entry_deinit(&e);
}

START_TEST(of_two_that_hold_a_key_the_later_counts)
{
	struct reseed_item *i = held("a", BUCKET_SYNC, "uefi.x", "{\"holder\":\"a\",\"generation\":5}", 5);

	(void)held("b", BUCKET_SYNC, "uefi.x", "{\"holder\":\"b\",\"generation\":9}", 9);
	(void)held("c", BUCKET_SYNC, "uefi.x", "{\"holder\":\"c\",\"generation\":7}", 7);
	ck_assert_uint_eq(plan.n, 1);
	ck_assert_str_eq(i->node, "b");
	ck_assert(!i->is_unclear);
	(void)held("d", BUCKET_SYNC, "uefi.x", "{\"holder\":\"d\",\"generation\":9}", 9);
	ck_assert(i->is_unclear);
}
END_TEST

static const struct {
	const char	*there;
	uint64_t	 revision;
	bool		 is_marker, written, unclear;
} tokens[] = {
	{ NULL, 0, false, true, false },
	{ NULL, 3, true, true, false },		/* an unlock of before */
	{ "{\"holder\":\"b\",\"generation\":3}", 3, false, true, false },
	{ "{\"holder\":\"b\",\"generation\":0}", 3, false, true, false },
	{ "{\"holder\":\"a\",\"generation\":5}", 4, false, true, false },
	{ "{\"holder\":\"b\",\"generation\":5}", 5, false, false, true },
	{ "{\"holder\":\"b\",\"generation\":8}", 8, false, false, false },
	{ "{\"holder\":\"b\",\"generation\":0}", 8, false, false, false },
	{ "no token", 3, false, false, true },
};

START_TEST(a_claim_is_written_over_what_came_before_it)
{
	struct reseed_item *i = held("a", BUCKET_SYNC, "uefi.x", "{\"holder\":\"a\",\"generation\":5}", 5);

	judge(i, tokens[_i].there, tokens[_i].revision, tokens[_i].is_marker);
	ck_assert(i->is_written == tokens[_i].written);
	ck_assert(i->is_unclear == tokens[_i].unclear);
	ck_assert_uint_eq(i->expected, tokens[_i].revision);
}
END_TEST

START_TEST(an_instance_is_what_its_node_holds_and_its_marker_is_final)
{
	struct reseed_item *i = held("a", BUCKET_INSTANCES, "instance." ID, "{}", 40);

	judge(i, "{\"old\":1}", 7, false);
	ck_assert(i->is_written && !i->is_unclear);
	ck_assert_uint_eq(i->expected, 7);
	judge(i, NULL, 9, true);
	ck_assert(i->is_unclear);
}
END_TEST

static const char *
record(uint64_t generation, const char *state, const char *account)
{
	static char text[2][1024];
	static unsigned n;
	char *t = text[n++ % 2];

	snprintf(t, sizeof(text[0]), "{\"schema_version\":1,\"instance_id\":\"" ID "\",\"account_id\":"
	    "\"%s\",\"state\":\"%s\",\"generation\":%ju,\"pointer\":{\"key\":\"" KEY "\",\"firmware\":"
	    "{\"arch\":\"x86_64\",\"vars_size\":540672},\"writer_node\":\"a\",\"written_at\":"
	    "\"2026-10-30T01:02:03Z\"}}", account, state, (uintmax_t)generation);
	return t;
}

static const struct {
	uint64_t	 there;
	const char	*state;
	bool		 written;
} stores[] = {
	{ 3, "live", true }, { 5, "live", false }, { 8, "live", false }, { 3, "deleting", false },
};

START_TEST(a_store_keeps_its_account_and_never_comes_back_from_deleting)
{
	struct reseed_item *i = held("a", BUCKET_UEFI_STORES, ID, record(5, "live", "000000000000"), 5);
	struct uefi_record r;
	char why[JSON_WHY_MAX];

	judge(i, record(stores[_i].there, stores[_i].state, "123456789012"), 4, false);
	ck_assert(i->is_written == stores[_i].written && !i->is_unclear);
	if (!i->is_written)
		return;
	ck_assert_int_eq(uefi_record_parse(i->value, strlen(i->value), ID, &r, why), 0);
	ck_assert_str_eq(r.account_id, "123456789012");
	ck_assert_uint_eq(r.generation, 5);
}
END_TEST

START_TEST(a_store_whose_account_nobody_knows_is_unclear)
{
	struct reseed_item *i = held("a", BUCKET_UEFI_STORES, ID, record(5, "live", "000000000000"), 5);

	judge(i, NULL, 0, false);
	ck_assert(i->is_unclear && !i->is_written);
}
END_TEST

START_TEST(generations_are_read_from_claims_and_stores)
{
	struct cas_entry e = { .revision = 12 };

	e.value = strdup("{\"holder\":\"a\",\"generation\":0}");
	e.len = strlen(e.value);
	ck_assert_uint_eq(reseed_generation(BUCKET_SYNC, "uefi.x", &e), 12);
	ck_assert_uint_eq(reseed_generation(BUCKET_NODES, "a", &e), 0);
	cas_entry_deinit(&e);
	e = (struct cas_entry){ .revision = 3, .value = strdup(record(77, "live", "123456789012")) };
	e.len = strlen(e.value);
	ck_assert_uint_eq(reseed_generation(BUCKET_UEFI_STORES, ID, &e), 77);
	cas_entry_deinit(&e);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("reseed_plan");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, of_two_that_hold_a_key_the_later_counts);
	tcase_add_loop_test(tc, a_claim_is_written_over_what_came_before_it, 0, ARRAY_LEN(tokens));
	tcase_add_test(tc, an_instance_is_what_its_node_holds_and_its_marker_is_final);
	tcase_add_loop_test(tc, a_store_keeps_its_account_and_never_comes_back_from_deleting, 0,
	    ARRAY_LEN(stores));
	tcase_add_test(tc, a_store_whose_account_nobody_knows_is_unclear);
	tcase_add_test(tc, generations_are_read_from_claims_and_stores);
	return unit_run("reseed_plan", tc);
}
