/* A store and a node whose firmware is of the same size, but another build. */
#include "store_world.h"

static void
closed_store(void)
{
	struct store_call c = call("l-1");

	opened_store("l-1");
	ck_store(store_close(&c), STORE_OK, c);
}

START_TEST(another_build_of_the_same_size_starts_and_is_told)
{
	struct store_call c = call("l-2");

	closed_store();
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(!c.is_other_code);
	c = call("l-2");
	ck_store(store_close(&c), STORE_OK, c);
	world_firmware("code", "another", 7);
	c = call("l-3");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(c.is_other_code);
}
END_TEST

START_TEST(what_is_written_under_it_is_of_the_new_build)
{
	struct make m = written("Later");
	struct store_call c = call("l-2");
	char before[65], now[65];

	closed_store();
	snprintf(before, sizeof(before), "%s", record().pointer.firmware.code_sha256);
	world_firmware("code", "another", 7);
	ck_store(store_open(&c), STORE_OK, c);
	snprintf(now, sizeof(now), "%s", c.firmware.id.code_sha256);
	ck_assert_str_ne(before, now);
	guest_writes(m.p);
	c = call("l-2");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert_str_eq(record().pointer.firmware.code_sha256, now);
	c = call("l-3");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(!c.is_other_code);
}
END_TEST

START_TEST(where_it_must_be_exact_another_build_is_refused_before_the_claim_is_touched)
{
	struct store_call c = call("l-2");
	uint64_t generation;

	closed_store();
	generation = record().generation;
	w->env.exact_firmware = true;
	world_firmware("code", "another", 7);
	ck_store(store_open(&c), STORE_MISMATCH, c);
	ck_assert_ptr_nonnull(strstr(c.why, "firmware_match"));
	ck_assert(claim_is_free());
	ck_assert_uint_eq(record().generation, generation);
	c = call("l-2");
	ck_store(store_probe(&c), STORE_MISMATCH, c);
	world_firmware("code", "code", 4);
	c = call("l-2");
	ck_store(store_open(&c), STORE_OK, c);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("store_firmware");

	tcase_add_checked_fixture(tc, world_setup, world_teardown);
	tcase_add_test(tc, another_build_of_the_same_size_starts_and_is_told);
	tcase_add_test(tc, what_is_written_under_it_is_of_the_new_build);
	tcase_add_test(tc, where_it_must_be_exact_another_build_is_refused_before_the_claim_is_touched);
	return unit_run("store_firmware", tc);
}
