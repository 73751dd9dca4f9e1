/* The record of a variable store and its fence: rules 94 to 116. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/ident.h"
#include "common/uefi_record.h"
#include "fake_cas.h"
#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"
#define OTHER	"i-0123456789abcdef1"
#define KEY_A	"uefi/" ID "/11111111-1111-4111-8111-111111111111"
#define KEY_B	"uefi/" ID "/22222222-2222-4222-8222-222222222222"
#define KEY_C	"uefi/" ID "/33333333-3333-4333-8333-333333333333"

static struct fake_cas *f;

static void
setup(void)
{
	f = malloc(sizeof(*f));
	fake_init(f);
}

static void
teardown(void)
{
	free(f);
}

static struct uefi_pointer
pointer(const char *key)
{
	struct uefi_pointer p = {
		.firmware = { .arch = "x86_64", .vars_size = 540672 },
		.writer_node = "node-a",
		.written_at_ms = 1793322123000,
	};

	snprintf(p.key, sizeof(p.key), "%s", key);
	return p;
}

static struct uefi_record
record(uint64_t generation, const char *key)
{
	struct uefi_record r = {
		.instance_id = ID, .account_id = "123456789012", .generation = generation,
	};

	if (key)
		r.pointer = pointer(key);
	return r;
}

/* Puts r as it is, whatever is there. */
static uint64_t
store(const struct uefi_record *r)
{
	char *text = uefi_record_print(r);
	uint64_t revision = fake_put(f, r->instance_id, text);

	free(text);
	return revision;
}

static struct uefi_record
stored(void)
{
	struct uefi_record r = { 0 };
	enum cas_result c;
	uint64_t revision;

	f->load_fault = CAS_OK;
	ck_assert_int_eq(uefi_record_get(&f->cas, ID, &r, &revision, &c), UEFI_OK);
	return r;
}

START_TEST(create_round_trips_the_record_and_a_second_one_is_refused_94)
{
	struct uefi_record r = record(7, KEY_A), got;
	enum cas_result c;

	r.pointer.firmware.code_sha256[0] = '\0';
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_OK);
	got = stored();
	ck_assert_str_eq(got.account_id, r.account_id);
	ck_assert_uint_eq(got.generation, 7);
	ck_assert_str_eq(got.pointer.key, KEY_A);
	ck_assert_str_eq(got.pointer.firmware.arch, "x86_64");
	ck_assert_uint_eq(got.pointer.firmware.vars_size, 540672);
	ck_assert_str_eq(got.pointer.writer_node, "node-a");
	ck_assert_uint_eq(got.pointer.written_at_ms, 1793322123000);
	ck_assert_ptr_nonnull(strstr(fake_entry(f, ID)->value, "\"schema_version\":1"));
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_EXISTS);
	r.deleting = true;
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_INVALID);
}
END_TEST

START_TEST(a_record_without_a_pointer_prints_its_generation_and_no_pointer_95)
{
	struct uefi_record r = record(0, NULL);
	char *text = uefi_record_print(&r);

	ck_assert_str_eq(text, "{\"schema_version\":1,\"instance_id\":\"" ID "\","
	    "\"account_id\":\"123456789012\",\"state\":\"live\",\"generation\":0}");
	free(text);
}
END_TEST

START_TEST(a_record_has_exactly_the_members_of_the_cluster_95)
{
	static const char wire[] =
	    "{\"schema_version\":1,\"instance_id\":\"" ID "\",\"account_id\":\"123456789012\","
	    "\"state\":\"deleting\",\"generation\":18446744073709551615,"
	    "\"pointer\":{\"key\":\"" KEY_A "\",\"firmware\":{\"arch\":\"x86_64\","
	    "\"vars_size\":540672,\"code_sha256\":\"ab\"},\"writer_node\":\"node-a\","
	    "\"written_at\":\"2026-10-29T20:22:03.000Z\"}}";
	struct uefi_record r;
	char why[JSON_WHY_MAX];
	char *text;

	ck_assert_int_eq(uefi_record_parse(wire, sizeof(wire) - 1, ID, &r, why), 0);
	ck_assert(r.deleting);
	ck_assert_uint_eq(r.generation, UINT64_MAX);
	text = uefi_record_print(&r);
	ck_assert_str_eq(text, wire);
	free(text);
}
END_TEST

static void
rival_stamps(struct fake_cas *fake)
{
	struct uefi_record r = record(20, KEY_C);

	store(&r);
}

START_TEST(a_write_at_a_stale_revision_changes_nothing_96)
{
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;

	store(&r);
	f->hook = rival_stamps;
	f->hooks = 1;
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_FENCED);
	ck_assert_str_eq(stored().pointer.key, KEY_C);
	ck_assert_uint_eq(stored().generation, 20);
}
END_TEST

START_TEST(a_remove_at_a_stale_revision_keeps_the_record_98)
{
	struct uefi_record r = record(7, KEY_A), got;
	uint64_t first = store(&r), second = store(&r), revision;
	enum cas_result c;

	ck_assert_int_eq(uefi_record_remove(&f->cas, ID, first, &c), UEFI_CONFLICT);
	ck_assert_uint_eq(stored().generation, 7);
	ck_assert_int_eq(uefi_record_remove(&f->cas, ID, second, &c), UEFI_OK);
	ck_assert_int_eq(uefi_record_get(&f->cas, ID, &got, &revision, &c), UEFI_NOT_FOUND);
	ck_assert_uint_eq(revision, second + 1);
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_EXISTS);
	ck_assert_int_eq(uefi_record_remove(&f->cas, ID, 0, &c), UEFI_INVALID);
}
END_TEST

static const char *const bad_keys[] = {
	"uefi/" OTHER "/11111111-1111-4111-8111-111111111111",
	"uefi/ami-0123456789abcdef0/11111111-1111-4111-8111-111111111111",
	"uefi/" ID "/",
	"uefi/" ID,
	"uefi/" ID "/11111111-1111-4111-8111-111111111111/x",
	"uefi/" ID "/x",
	"uefi/" ID "/11111111-1111-1111-8111-111111111111",
	"other/" ID "/11111111-1111-4111-8111-111111111111",
};

START_TEST(a_pointer_that_is_not_directly_under_its_prefix_is_refused_before_any_read_99_112)
{
	struct uefi_record r = record(7, bad_keys[_i]);
	struct uefi_pointer p = pointer(bad_keys[_i]);
	enum cas_result c;

	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_INVALID);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &p, &c), UEFI_INVALID);
	ck_assert_uint_eq(f->loads, 0);
	ck_assert_uint_eq(f->swaps, 0);
}
END_TEST

START_TEST(a_record_with_an_empty_part_is_refused_99)
{
	struct uefi_record r[5];
	enum cas_result c;

	for (size_t i = 0; i < ARRAY_LEN(r); i++)
		r[i] = record(7, KEY_A);
	snprintf(r[0].instance_id, sizeof(r[0].instance_id), "ami-01234567");
	r[1].pointer.firmware.arch[0] = '\0';
	r[2].pointer.firmware.vars_size = 0;
	r[3].pointer.writer_node[0] = '\0';
	r[4].account_id[3] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(r); i++)
		ck_assert_int_eq(uefi_record_create(&f->cas, &r[i], &c), UEFI_INVALID);
	ck_assert_uint_eq(f->swaps, 0);
}
END_TEST

#define WIRE(schema, id, state, rest)	"{" schema "\"instance_id\":\"" id "\"," \
	"\"account_id\":\"123456789012\",\"state\":\"" state "\",\"generation\":3" rest "}"
#define SCHEMA	"\"schema_version\":1,"
static const char *const foreign[] = {
	WIRE("\"schema_version\":2,", ID, "live", ""),
	WIRE("", ID, "live", ""),
	WIRE(SCHEMA, OTHER, "live", ""),
	WIRE(SCHEMA, ID, "purged", ""),
	WIRE(SCHEMA, ID, "gone", ""),
	WIRE(SCHEMA, ID, "live", ",\"pointer\":{\"key\":\"uefi/" OTHER
	    "/11111111-1111-4111-8111-111111111111\",\"firmware\":{\"arch\":\"x86_64\","
	    "\"vars_size\":1},\"writer_node\":\"a\",\"written_at\":\"2026-10-30T01:02:03Z\"}"),
	WIRE(SCHEMA, ID, "live", ",\"pointer\":{}"),
	"not json", "", "[]",
};

START_TEST(a_foreign_record_is_refused_and_never_acted_on_100)
{
	struct uefi_record r;
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;
	uint64_t revision;

	fake_put(f, ID, foreign[_i]);
	ck_assert_int_eq(uefi_record_get(&f->cas, ID, &r, &revision, &c), UEFI_INVALID);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 9, &r, &c), UEFI_INVALID);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 3, &b, &c), UEFI_INVALID);
	ck_assert_int_eq(uefi_record_mark_deleting(&f->cas, ID, &c), UEFI_INVALID);
	ck_assert_str_eq(fake_entry(f, ID)->value, foreign[_i]);
}
END_TEST

START_TEST(a_pointer_may_lack_the_digest_of_code_101)
{
	static const char wire[] = WIRE(SCHEMA, ID, "live", ",\"pointer\":{\"key\":\"" KEY_A "\","
	    "\"firmware\":{\"arch\":\"x86_64\",\"vars_size\":1},\"writer_node\":\"a\","
	    "\"written_at\":\"2026-10-30T01:02:03Z\"}");
	struct uefi_record r;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(uefi_record_parse(wire, sizeof(wire) - 1, ID, &r, why), 0);
	ck_assert_str_eq(r.pointer.firmware.code_sha256, "");
}
END_TEST

START_TEST(marking_deleting_keeps_the_rest_and_is_final_102_103)
{
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;

	store(&r);
	ck_assert_int_eq(uefi_record_mark_deleting(&f->cas, ID, &c), UEFI_OK);
	ck_assert(stored().deleting);
	ck_assert_str_eq(stored().pointer.key, KEY_A);
	ck_assert_str_eq(stored().account_id, "123456789012");
	f->swaps = 0;
	ck_assert_int_eq(uefi_record_mark_deleting(&f->cas, ID, &c), UEFI_OK);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 9, &r, &c), UEFI_DELETING);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_DELETING);
	ck_assert_uint_eq(f->swaps, 0);
	ck_assert_int_eq(uefi_record_mark_deleting(&f->cas, OTHER, &c), UEFI_NOT_FOUND);
}
END_TEST

START_TEST(a_stamp_raises_the_generation_and_returns_the_pointer_105)
{
	struct uefi_record r = record(7, KEY_A), got;
	enum cas_result c;

	store(&r);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 9, &got, &c), UEFI_OK);
	ck_assert_uint_eq(got.generation, 9);
	ck_assert_str_eq(got.pointer.key, KEY_A);
	ck_assert_uint_eq(stored().generation, 9);
}
END_TEST

START_TEST(a_stamp_at_the_same_generation_still_writes_106)
{
	struct uefi_record r = record(7, KEY_A);
	enum cas_result c;
	uint64_t before = store(&r);

	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 7, &r, &c), UEFI_OK);
	ck_assert_uint_gt(fake_entry(f, ID)->revision, before);
}
END_TEST

START_TEST(a_stamp_from_the_past_is_fenced_107)
{
	struct uefi_record r = record(7, KEY_A);
	enum cas_result c;

	store(&r);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 6, &r, &c), UEFI_FENCED);
	ck_assert_uint_eq(f->swaps, 0);
}
END_TEST

START_TEST(a_stamp_of_nothing_or_with_zero_is_refused_108)
{
	struct uefi_record r;
	enum cas_result c;

	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 9, &r, &c), UEFI_NOT_FOUND);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 0, &r, &c), UEFI_INVALID);
}
END_TEST

static void
rival_rewrites(struct fake_cas *fake)
{
	struct uefi_record r = record(7, KEY_A);

	store(&r);
}

START_TEST(conflicts_are_retried_five_times_with_a_new_read_each_109)
{
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;

	store(&r);
	f->hook = rival_rewrites;
	f->hooks = 4;
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_OK);
	f->hooks = 5;
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_CONFLICT);
	ck_assert_uint_eq(f->hooks, 0);
	f->hooks = 5;
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 8, &r, &c), UEFI_CONFLICT);
	ck_assert_uint_eq(stored().generation, 7);
}
END_TEST

START_TEST(a_move_at_the_generation_changes_the_pointer_alone_110_111)
{
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;
	uint64_t before;

	store(&r);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_OK);
	ck_assert_str_eq(stored().pointer.key, KEY_B);
	ck_assert_uint_eq(stored().generation, 7);
	before = fake_entry(f, ID)->revision;
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_OK);
	ck_assert_uint_gt(fake_entry(f, ID)->revision, before);
}
END_TEST

START_TEST(a_move_at_any_other_generation_changes_nothing_112)
{
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;

	store(&r);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 6, &b, &c), UEFI_FENCED);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 8, &b, &c), UEFI_FENCED);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 0, &b, &c), UEFI_INVALID);
	ck_assert_uint_eq(f->swaps, 0);
	ck_assert_str_eq(stored().pointer.key, KEY_A);
}
END_TEST

START_TEST(the_late_move_of_an_old_holder_is_fenced_114)
{
	struct uefi_record r = record(7, KEY_A), taken;
	struct uefi_pointer b = pointer(KEY_B), c_ = pointer(KEY_C);
	enum cas_result c;

	store(&r);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_OK);
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 12, &taken, &c), UEFI_OK);
	ck_assert_str_eq(taken.pointer.key, KEY_B);
	ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &c_, &c), UEFI_FENCED);
	ck_assert_str_eq(stored().pointer.key, KEY_B);
	ck_assert_uint_eq(stored().generation, 12);
}
END_TEST

static void
old_holder_moves(struct fake_cas *fake)
{
	struct uefi_record r = record(7, KEY_B);

	store(&r);
}

START_TEST(the_stamp_returns_a_pointer_that_moved_just_before_it_115)
{
	struct uefi_record r = record(7, KEY_A), taken;
	enum cas_result c;

	store(&r);
	f->hook = old_holder_moves;
	f->hooks = 1;
	ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 12, &taken, &c), UEFI_OK);
	ck_assert_str_eq(taken.pointer.key, KEY_B);
	ck_assert_uint_eq(taken.generation, 12);
}
END_TEST

START_TEST(the_answer_of_a_store_that_fails_is_handed_on)
{
	static const enum cas_result faults[] = {
		CAS_UNAVAILABLE, CAS_UNKNOWN, CAS_BUCKET_LOST, CAS_REFUSED,
	};
	struct uefi_record r = record(7, KEY_A);
	struct uefi_pointer b = pointer(KEY_B);
	enum cas_result c;

	store(&r);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		f->swap_fault = faults[i];
		ck_assert_int_eq(uefi_record_move(&f->cas, ID, 7, &b, &c), UEFI_STORE);
		ck_assert_int_eq(c, faults[i]);
		f->swap_fault = CAS_OK;
		f->load_fault = faults[i];
		ck_assert_int_eq(uefi_record_stamp(&f->cas, ID, 9, &r, &c), UEFI_STORE);
		ck_assert_int_eq(c, faults[i]);
		f->load_fault = CAS_OK;
	}
	ck_assert_str_eq(stored().pointer.key, KEY_A);
}
END_TEST

static void
creator_wins(struct fake_cas *fake)
{
	struct uefi_record r = record(7, NULL);

	store(&r);
}

START_TEST(a_marker_where_no_record_is_makes_a_late_create_lose)
{
	struct uefi_record r = record(7, NULL);
	enum cas_result c;

	ck_assert_int_eq(uefi_record_preclude(&f->cas, ID, &c), UEFI_OK);
	ck_assert_int_eq(uefi_record_preclude(&f->cas, ID, &c), UEFI_OK);
	ck_assert_uint_eq(f->swaps, 1);
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_EXISTS);
}
END_TEST

START_TEST(a_create_that_comes_first_wins_over_the_marker)
{
	enum cas_result c;

	f->hook = creator_wins;
	f->hooks = 1;
	ck_assert_int_eq(uefi_record_preclude(&f->cas, ID, &c), UEFI_EXISTS);
	ck_assert_uint_eq(stored().generation, 7);
}
END_TEST

static void
marker_wins(struct fake_cas *fake)
{
	fake_put(fake, ID, NULL);
}

START_TEST(a_create_that_loses_to_the_marker_does_not_swap_it)
{
	struct uefi_record r = record(7, NULL);
	enum cas_result c;

	f->hook = marker_wins;
	f->hooks = 1;
	ck_assert_int_eq(uefi_record_create(&f->cas, &r, &c), UEFI_EXISTS);
	ck_assert(!fake_entry(f, ID)->has_value);
}
END_TEST

START_TEST(fresh_keys_are_distinct_and_directly_under_the_prefix_116)
{
	char key[64][sizeof("uefi/" ID "/") + IDENT_UUID_LEN] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(key); i++) {
		memcpy(key[i], "uefi/" ID "/", strlen("uefi/" ID "/"));
		ident_uuid(key[i] + strlen("uefi/" ID "/"));
		ck_assert(uefi_key_is_of(key[i], ID));
		ck_assert(!uefi_key_is_of(key[i], OTHER));
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(key[i], key[j]);
	}
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("uefi_record");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, create_round_trips_the_record_and_a_second_one_is_refused_94);
	tcase_add_test(t, a_record_without_a_pointer_prints_its_generation_and_no_pointer_95);
	tcase_add_test(t, a_record_has_exactly_the_members_of_the_cluster_95);
	tcase_add_test(t, a_write_at_a_stale_revision_changes_nothing_96);
	tcase_add_test(t, a_remove_at_a_stale_revision_keeps_the_record_98);
	tcase_add_loop_test(t,
	    a_pointer_that_is_not_directly_under_its_prefix_is_refused_before_any_read_99_112,
	    0, ARRAY_LEN(bad_keys));
	tcase_add_test(t, a_record_with_an_empty_part_is_refused_99);
	tcase_add_loop_test(t, a_foreign_record_is_refused_and_never_acted_on_100, 0,
	    ARRAY_LEN(foreign));
	tcase_add_test(t, a_pointer_may_lack_the_digest_of_code_101);
	tcase_add_test(t, marking_deleting_keeps_the_rest_and_is_final_102_103);
	tcase_add_test(t, a_stamp_raises_the_generation_and_returns_the_pointer_105);
	tcase_add_test(t, a_stamp_at_the_same_generation_still_writes_106);
	tcase_add_test(t, a_stamp_from_the_past_is_fenced_107);
	tcase_add_test(t, a_stamp_of_nothing_or_with_zero_is_refused_108);
	tcase_add_test(t, conflicts_are_retried_five_times_with_a_new_read_each_109);
	tcase_add_test(t, a_move_at_the_generation_changes_the_pointer_alone_110_111);
	tcase_add_test(t, a_move_at_any_other_generation_changes_nothing_112);
	tcase_add_test(t, the_late_move_of_an_old_holder_is_fenced_114);
	tcase_add_test(t, the_stamp_returns_a_pointer_that_moved_just_before_it_115);
	tcase_add_test(t, the_answer_of_a_store_that_fails_is_handed_on);
	tcase_add_test(t, a_marker_where_no_record_is_makes_a_late_create_lose);
	tcase_add_test(t, a_create_that_comes_first_wins_over_the_marker);
	tcase_add_test(t, a_create_that_loses_to_the_marker_does_not_swap_it);
	tcase_add_test(t, fresh_keys_are_distinct_and_directly_under_the_prefix_116);
	return unit_run("uefi_record", t);
}
