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

/* ---- Secure Boot ---- */

static struct make
with_keys(void)
{
	struct make m = w->template;

	make_variable(&m, "PK", 0x3f, "key", 3);
	return m;
}

static void
add_secure_firmware(void)
{
	struct make m = with_keys();

	world_describe("20-secure.json", "\"secure-boot\"", "secure", "vars");
	world_describe("05-enrolled.json", "\"secure-boot\",\"enrolled-keys\"", "secure", "keys");
	world_firmware("secure", "secure", 6);
	world_firmware("keys", m.p, MAKE_SIZE);
}

static void
guest_enrolls(void)
{
	struct make m = with_keys();
	struct store_call c = call("l-1");

	opened_store("l-1");
	guest_writes(m.p);
	ck_store(store_close(&c), STORE_OK, c);
}

static bool
has_code(const struct store_call *c, const char *name)
{
	return strcmp(strrchr(c->firmware.code, '/') + 1, name) == 0;
}

START_TEST(once_a_guest_has_enrolled_keys_it_gets_code_that_enforces_them)
{
	struct store_call c = call("l-2");
	struct copy p = paths();

	add_secure_firmware();
	guest_enrolls();
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(has_code(&c, "secure") && c.firmware.secure_boot);
	AUTO(fd) int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	c = call("l-2");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(has_code(&c, "secure"));
	close(steal_fd(&guest));
	c = call("l-2");
	ck_store(store_close(&c), STORE_OK, c);
	/* Where it must be exact, the build of the pointer is one that the node has. */
	w->env.exact_firmware = true;
	c = call("l-3");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(has_code(&c, "secure"));
}
END_TEST

START_TEST(without_such_code_a_store_with_keys_is_not_started_and_loses_nothing)
{
	struct make m = with_keys();
	struct store_call c = call("l-2");

	guest_enrolls();
	/* Another node's build: asked before the claim is touched. */
	world_firmware("code", "another", 7);
	ck_store(store_probe(&c), STORE_NO_FIRMWARE, c);
	world_firmware("code", "code", 4);
	c = call("l-2");
	ck_store(store_open(&c), STORE_NO_FIRMWARE, c);
	ck_assert_ptr_nonnull(strstr(c.why, "Secure Boot"));
	c = call("l-2");
	ck_store(store_rollback(&c), STORE_OK, c);
	ck_assert(claim_is_free());
	ck_assert(pointer_holds(m.p));
}
END_TEST

START_TEST(an_image_that_is_made_with_keys_gives_its_instances_keys_and_code)
{
	struct make m = with_keys();
	struct buf none = BUF_EMPTY(0);
	struct store_call c = call("");

	add_secure_firmware();
	c.is_enrolled = true;
	c.uefi_data = &none;
	snprintf(c.image_id, sizeof(c.image_id), "ami-0123456789abcdef0");
	ck_store(store_image_make(&c), STORE_OK, c);
	struct store_call seed = call("");

	snprintf(seed.image_id, sizeof(seed.image_id), "%s", c.image_id);
	snprintf(seed.image_key, sizeof(seed.image_key), "%s", c.key);
	ck_store(store_seed(&seed), STORE_OK, seed);
	ck_assert(pointer_holds(m.p));
	ck_assert(has_code(&seed, "secure"));
	ck_assert_str_eq(record().pointer.firmware.code_sha256, seed.firmware.id.code_sha256);
	c = call("l-1");
	ck_store(store_open(&c), STORE_OK, c);
	ck_assert(has_code(&c, "secure") && !c.is_other_code);
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
	tcase_add_test(tc, once_a_guest_has_enrolled_keys_it_gets_code_that_enforces_them);
	tcase_add_test(tc,
	    without_such_code_a_store_with_keys_is_not_started_and_loses_nothing);
	tcase_add_test(tc, an_image_that_is_made_with_keys_gives_its_instances_keys_and_code);
	return unit_run("store_firmware", tc);
}
