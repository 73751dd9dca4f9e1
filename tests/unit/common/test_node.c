#include "common/node.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/ident.h"
#include "tests/unit/unit.h"

#define UUID	"0f3c1e5a-7b1d-4c6e-9a2b-3d4e5f6a7b8c"
#define BOOT	"1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"

static char dir[64];		/* the fixture: a state folder */

static void
setup(void)
{
	(void)snprintf(dir, sizeof(dir), "/tmp/test_node.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void
teardown(void)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/node-uuid", dir);
	(void)unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);	/* nothing else was left there */
}

static int
parse(const char *text, struct node *n, char *why)
{
	return node_from_json(text, strlen(text), "node-a", n, why);
}

START_TEST(a_record_prints_and_parses_to_itself)
{
	struct node n = { "node-a", UUID, BOOT, "10.0.0.1", "us-east-1a", 1793322123000u }, again;
	char why[JSON_WHY_MAX];
	AUTO(str) char *text = node_to_json(&n);

	ck_assert_int_eq(parse(text, &again, why), 0);
	ck_assert_str_eq(again.name, n.name);
	ck_assert_str_eq(again.uuid, n.uuid);
	ck_assert_str_eq(again.boot_id, n.boot_id);
	ck_assert_str_eq(again.address, n.address);
	ck_assert_uint_eq(again.since_ms, n.since_ms);
}
END_TEST

START_TEST(an_address_may_be_missing_and_what_is_new_is_passed_over)
{
	struct node n;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(parse("{\"node\":\"node-a\",\"uuid\":\"" UUID "\",\"boot_id\":\"" BOOT
	    "\",\"marks\":{}}", &n, why), 0);
	ck_assert_str_eq(n.address, "");
}
END_TEST

static const char *const wrong[] = {
	"", "[]", "{}",
	"{\"node\":\"node-b\",\"uuid\":\"" UUID "\",\"boot_id\":\"" BOOT "\"}",
	"{\"node\":\"node-a\",\"uuid\":\"" UUID "\"}",
	"{\"node\":\"node-a\",\"boot_id\":\"" BOOT "\"}",
	"{\"node\":\"node-a\",\"uuid\":\"0f3c1e5a-7b1d-4c6e-9a2b-3d4e5f6a7b8G\",\"boot_id\":\"" BOOT
	    "\"}",
};

START_TEST(a_record_that_is_wrong_is_refused_with_a_sentence)
{
	struct node n = { .name = "untouched" };
	char why[JSON_WHY_MAX] = "";

	ck_assert_int_lt(parse(wrong[_i], &n, why), 0);
	ck_assert_str_ne(why, "");
	ck_assert_str_eq(n.name, "untouched");
}
END_TEST

START_TEST(a_uuid_is_made_once)
{
	char first[37], second[37];

	ck_assert_int_eq(node_uuid(dir, first), 0);
	ck_assert(ident_is_uuid4(first));
	ck_assert_int_eq(node_uuid(dir, second), 0);
	ck_assert_str_eq(first, second);
}
END_TEST

static const char *const damaged[] = { "", "x", UUID "x", "no uuid at all, but as long as one is" };

START_TEST(a_uuid_that_cannot_be_read_is_not_replaced)
{
	char path[128], uuid[37] = "untouched";
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/node-uuid", dir);
	ck_assert_int_eq(file_write(path, damaged[_i], strlen(damaged[_i]), 0644), 0);
	ck_assert_int_lt(node_uuid(dir, uuid), 0);
	ck_assert_str_eq(uuid, "untouched");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq((int)st.st_size, (int)strlen(damaged[_i]));
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
	char uuid[37];

	ck_assert_int_eq(node_uuid("/tmp/test_node.absent", uuid), -ENOENT);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("node");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_record_prints_and_parses_to_itself);
	tcase_add_test(tc, an_address_may_be_missing_and_what_is_new_is_passed_over);
	tcase_add_loop_test(tc, a_record_that_is_wrong_is_refused_with_a_sentence, 0,
	    ARRAY_LEN(wrong));
	tcase_add_test(tc, a_uuid_is_made_once);
	tcase_add_loop_test(tc, a_uuid_that_cannot_be_read_is_not_replaced, 0, ARRAY_LEN(damaged));
	tcase_add_test(tc, a_folder_that_is_not_there_is_an_error);
	return unit_run("node", tc);
}
