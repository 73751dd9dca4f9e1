/* Choosing firmware from descriptors, in a folder of the test's own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "region_make.h"
#include "uefid/firmware.h"
#include "uefid/region.h"
#include "tests/unit/unit.h"

static char dir[] = "/tmp/spinifex-firmware-XXXXXX";

static void
setup(void)
{
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void
teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void
put(const char *name, const void *p, size_t n)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ck_assert_int_eq(file_write(path, p, n, 0644), 0);
}

/* A descriptor with files of its own: CODE of some bytes, VARS of vars_size. */
static void
describe(const char *name, const char *arch, const char *feature, size_t vars_size)
{
	uint8_t *vars = malloc(vars_size);
	struct make m;
	char text[1024], file[64];
	int n = snprintf(text, sizeof(text), "{\"interface-types\":[\"bios\",\"uefi\"],"
	    "\"mapping\":{\"device\":\"flash\","
	    "\"executable\":{\"filename\":\"%s/%s.code\",\"format\":\"raw\"},"
	    "\"nvram-template\":{\"filename\":\"%s/%s.vars\",\"format\":\"raw\"}},"
	    "\"targets\":[{\"architecture\":\"%s\",\"machines\":[\"pc-q35-*\"]}],"
	    "\"features\":[\"acpi-s3\"%s%s%s],\"tags\":[]}", dir, name, dir, name, arch,
	    feature ? ",\"" : "", feature ? feature : "", feature ? "\"" : "");

	make_init(&m);
	memset(vars, 0xff, vars_size);
	memcpy(vars, m.p, vars_size < MAKE_SIZE ? vars_size : MAKE_SIZE);
	snprintf(file, sizeof(file), "%s.json", name);
	put(file, text, (size_t)n);
	snprintf(file, sizeof(file), "%s.code", name);
	put(file, name, strlen(name));
	snprintf(file, sizeof(file), "%s.vars", name);
	put(file, vars, vars_size);
	free(vars);
}

static int
find(const char *where, const char *arch, enum firmware_kind kind, uint64_t vars_size,
    struct firmware *ret, char why[static JSON_WHY_MAX])
{
	struct firmware_want want = { .kind = kind, .vars_size = vars_size };

	snprintf(want.arch, sizeof(want.arch), "%s", arch);
	return firmware_find(where, &want, ret, why);
}

static void
chosen_for(const char *arch, enum firmware_kind kind, uint64_t vars_size, const char *name)
{
	struct firmware f;
	char why[JSON_WHY_MAX], path[128];

	ck_assert_msg(find(dir, arch, kind, vars_size, &f, why) == 0, "%s", why);
	snprintf(path, sizeof(path), "%s/%s.code", dir, name);
	ck_assert_str_eq(f.code, path);
	ck_assert_uint_eq(strlen(f.id.code_sha256), 64);
	ck_assert_str_eq(f.id.arch, arch);
}

static void
chosen(const char *arch, const char *name)
{
	chosen_for(arch, FIRMWARE_PLAIN, 0, name);
}

START_TEST(one_without_secure_boot_comes_first_then_the_larger_then_the_order_of_names)
{
	describe("10-secure", "riscv64", "secure-boot", 16384);
	describe("20-small", "aarch64", NULL, MAKE_SIZE);
	describe("10-enrolled", "aarch64", "enrolled-keys", 16384);
	describe("30-large", "aarch64", NULL, 16384);
	describe("40-large", "aarch64", NULL, 16384);
	chosen("arm64", "30-large");
}
END_TEST

START_TEST(one_with_secure_boot_is_better_than_none_and_says_so)
{
	struct firmware f;
	char why[JSON_WHY_MAX];

	describe("10-secure", "aarch64", "requires-smm", MAKE_SIZE);
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert(f.secure_boot);
	ck_assert_uint_eq(f.id.vars_size, MAKE_SIZE);
}
END_TEST

START_TEST(keys_are_for_who_asks_and_secure_boot_takes_a_blank_template_first)
{
	struct firmware f;
	char why[JSON_WHY_MAX];

	describe("10-enrolled", "aarch64", "enrolled-keys", 16384);
	describe("20-secure", "aarch64", "secure-boot", MAKE_SIZE);
	describe("30-plain", "aarch64", NULL, 16384);
	chosen_for("arm64", FIRMWARE_PLAIN, 0, "30-plain");
	chosen_for("arm64", FIRMWARE_SECURE, 0, "20-secure");
	chosen_for("arm64", FIRMWARE_ENROLLED, 0, "10-enrolled");
	chosen_for("arm64", FIRMWARE_SECURE, 16384, "10-enrolled");
	chosen_for("arm64", FIRMWARE_PLAIN, MAKE_SIZE, "20-secure");
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_ENROLLED, MAKE_SIZE, &f, why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why, "Secure Boot"));
}
END_TEST

START_TEST(broken_descriptors_and_missing_files_are_passed_over)
{
	char path[128];

	describe("10-gone", "aarch64", NULL, 16384);
	snprintf(path, sizeof(path), "%s/10-gone.vars", dir);
	unlink(path);
	put("11-broken.json", "{", 1);
	put("12-other.json", "[]", 2);
	put("13-empty.json", "", 0);
	describe("20-good", "aarch64", NULL, MAKE_SIZE);
	chosen("arm64", "20-good");
}
END_TEST

START_TEST(an_architecture_without_firmware_is_said_by_name)
{
	struct firmware f;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(find(dir, "sparc", FIRMWARE_PLAIN, 0, &f, why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why, "sparc"));
}
END_TEST

START_TEST(a_file_that_changed_is_noticed)
{
	struct firmware f;
	char why[JSON_WHY_MAX];

	describe("10-good", "aarch64", NULL, MAKE_SIZE);
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert(firmware_is_current(&f));
	put("10-good.code", "another", 7);
	ck_assert(!firmware_is_current(&f));
}
END_TEST

START_TEST(a_template_that_is_no_region_is_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct firmware f;
	char why[JSON_WHY_MAX];

	describe("10-good", "aarch64", NULL, MAKE_SIZE);
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert_int_eq(firmware_template(&f, &b, why), 0);
	ck_assert_uint_eq(b.len, MAKE_SIZE);
	put("10-good.vars", "x", 1);
	buf_deinit(&b);
	ck_assert_int_eq(firmware_template(&f, &b, why), -EINVAL);
}
END_TEST

#define EMPTY_FLASH	(64u << 20)
#define ARM_KEYS	"/usr/share/AAVMF/AAVMF_VARS.ms.fd"

static bool
count(void *arg, const struct region_variable *v)
{
	++*(unsigned *)arg;
	return true;
}

/* As Debian ships it for arm64: zeros, which firmware formats when it first starts. */
START_TEST(a_template_of_empty_flash_becomes_what_firmware_makes_of_it)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0), keys = BUF_EMPTY(EMPTY_FLASH);
	struct firmware f;
	struct region r;
	char why[JSON_WHY_MAX], path[128];
	unsigned n = 0;

	describe("10-arm", "aarch64", NULL, MAKE_SIZE);
	snprintf(path, sizeof(path), "%s/10-arm.vars", dir);
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert_int_eq(truncate(path, EMPTY_FLASH), 0);
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert_msg(firmware_template(&f, &b, why) == 0, "%s", why);
	ck_assert_int_eq(region_open(b.data, b.len, EMPTY_FLASH, &r, why), 0);
	ck_assert(region_is_complete(&r));
	ck_assert_int_eq(region_list(&r, count, &n, why), 0);
	ck_assert_uint_eq(n, 0);
	if (access(ARM_KEYS, R_OK) < 0)
		return;
	/* Headers and working block as in a store that firmware or a tool has made.  Of the volume,
	 * attributes and block map are the maker's, and with them the checksum, seen above. */
	ck_assert_int_eq(file_read(ARM_KEYS, &keys), 0);
	ck_assert_uint_eq(keys.len, b.len);
	ck_assert_mem_eq(b.data, keys.data, 44);
	ck_assert_mem_eq(b.data + 72, keys.data + 72, 28);
	ck_assert_mem_eq(b.data + 0x40000, keys.data + 0x40000, b.len - 0x40000);
}
END_TEST

START_TEST(empty_flash_of_another_size_or_anywhere_else_is_no_region)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct firmware f;
	struct region r;
	char why[JSON_WHY_MAX], path[128];
	AUTO(mem) void *zeros = calloc(1, EMPTY_FLASH);

	describe("10-arm", "aarch64", NULL, MAKE_SIZE);
	snprintf(path, sizeof(path), "%s/10-arm.vars", dir);
	ck_assert_int_eq(truncate(path, 0), 0);
	ck_assert_int_eq(truncate(path, MAKE_SIZE), 0);
	ck_assert_int_eq(find(dir, "arm64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert_int_eq(firmware_template(&f, &b, why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "shipped empty"));
	/* What is over the limit is not even looked at. */
	ck_assert_int_eq(region_open(zeros, REGION_MAX + 1, REGION_MAX + 1, &r, why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "at most 67108864"));
	/* A guest's copy that lost its header, and an object of one. */
	ck_assert_int_eq(region_open(zeros, EMPTY_FLASH, EMPTY_FLASH, &r, why), -EINVAL);
}
END_TEST

START_TEST(architecture_and_size_of_vars_must_be_equal)
{
	const struct firmware f = { .id = { "x86_64", 540672, "aa" } };
	const struct uefi_firmware same = { "x86_64", 540672, "bb" };
	const struct uefi_firmware small = { "x86_64", 131072, "aa" };
	const struct uefi_firmware arm = { "arm64", 540672, "aa" };

	ck_assert(firmware_fits(&f, &same));
	ck_assert(!firmware_fits(&f, &small));
	ck_assert(!firmware_fits(&f, &arm));
}
END_TEST

START_TEST(this_machines_own_firmware_is_the_four_megabyte_one_without_secure_boot)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct firmware f;
	char why[JSON_WHY_MAX];

	if (access("/usr/share/OVMF/OVMF_CODE_4M.fd", R_OK) < 0)
		return;
	ck_assert_int_eq(find("/usr/share/qemu/firmware", "x86_64", FIRMWARE_PLAIN, 0, &f, why), 0);
	ck_assert_str_eq(f.code, "/usr/share/OVMF/OVMF_CODE_4M.fd");
	ck_assert_uint_eq(f.id.vars_size, 540672);
	ck_assert_int_eq(find(dir, "x86_64", FIRMWARE_PLAIN, 0, &f, why), 0);	/* by known path */
	ck_assert_str_eq(f.code, "/usr/share/OVMF/OVMF_CODE_4M.fd");
	ck_assert_int_eq(firmware_template(&f, &b, why), 0);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("firmware");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);		/* 64 MiB under a sanitizer */
	tcase_add_test(t,
	    one_without_secure_boot_comes_first_then_the_larger_then_the_order_of_names);
	tcase_add_test(t, one_with_secure_boot_is_better_than_none_and_says_so);
	tcase_add_test(t, keys_are_for_who_asks_and_secure_boot_takes_a_blank_template_first);
	tcase_add_test(t, broken_descriptors_and_missing_files_are_passed_over);
	tcase_add_test(t, an_architecture_without_firmware_is_said_by_name);
	tcase_add_test(t, a_file_that_changed_is_noticed);
	tcase_add_test(t, a_template_that_is_no_region_is_refused);
	tcase_add_test(t, a_template_of_empty_flash_becomes_what_firmware_makes_of_it);
	tcase_add_test(t, empty_flash_of_another_size_or_anywhere_else_is_no_region);
	tcase_add_test(t, architecture_and_size_of_vars_must_be_equal);
	tcase_add_test(t,
	    this_machines_own_firmware_is_the_four_megabyte_one_without_secure_boot);
	return unit_run("firmware", t);
}
