#include "gwd/key_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/file.h"
#include "tests/unit/unit.h"

static const uint8_t master[SEAL_MASTER_BYTES] = "0123456789abcdef0123456789abcde";

START_TEST(a_secret_comes_back_only_with_its_key_and_id)
{
	uint8_t other[SEAL_MASTER_BYTES];
	char box[SEAL_TEXT_MAX], again[SEAL_TEXT_MAX], secret[SEAL_SECRET_MAX + 1];

	memcpy(other, master, sizeof(other));
	other[31] ^= 1;
	ck_assert_int_eq(seal_close(master, "AKIA1", "s/e+cret", box), 0);
	ck_assert_ptr_null(strstr(box, "cret"));
	ck_assert_int_eq(seal_open(master, "AKIA1", box, secret), 0);
	ck_assert_str_eq(secret, "s/e+cret");
	ck_assert_int_eq(seal_open(other, "AKIA1", box, secret), -EBADMSG);
	ck_assert_int_eq(seal_open(master, "AKIA2", box, secret), -EBADMSG);
	ck_assert_int_eq(seal_close(master, "AKIA1", "s/e+cret", again), 0);
	ck_assert_str_ne(box, again);		/* a nonce of its own each time */
}
END_TEST

/* Many, since what its last digit leaves over differs from box to box. */
START_TEST(a_damaged_box_is_refused)
{
	char box[SEAL_TEXT_MAX], bad[SEAL_TEXT_MAX + 8], secret[SEAL_SECRET_MAX + 1] = "kept";

	ck_assert_int_eq(seal_close(master, "AKIA1", "secret", box), 0);
	for (size_t i = 0; box[i]; i++) {
		memcpy(bad, box, sizeof(box));
		bad[i] = bad[i] == 'A' ? 'B' : 'A';
		if (!strcmp(bad, box))
			continue;
		ck_assert_int_eq(seal_open(master, "AKIA1", bad, secret), -EBADMSG);
	}
	ck_assert_int_eq(seal_open(master, "AKIA1", "", secret), -EBADMSG);
	ck_assert_int_eq(seal_open(master, "AKIA1", "AAAA", secret), -EBADMSG);
	ck_assert_int_eq(seal_open(master, "AKIA1", "====", secret), -EBADMSG);
	ck_assert_int_eq(seal_open(master, "AKIA1", "not base64!!", secret), -EBADMSG);
	memset(bad, 'A', sizeof(bad) - 1);
	bad[sizeof(bad) - 1] = '\0';
	ck_assert_int_eq(seal_open(master, "AKIA1", bad, secret), -EBADMSG);
	ck_assert_str_eq(secret, "kept");
}
END_TEST

START_TEST(a_secret_has_a_ceiling)
{
	char text[SEAL_SECRET_MAX + 2], box[SEAL_TEXT_MAX], secret[SEAL_SECRET_MAX + 1];

	memset(text, 'x', sizeof(text));
	text[SEAL_SECRET_MAX + 1] = '\0';
	ck_assert_int_eq(seal_close(master, "A", text, box), -EMSGSIZE);
	text[SEAL_SECRET_MAX] = '\0';
	ck_assert_int_eq(seal_close(master, "A", text, box), 0);
	ck_assert_int_eq(seal_open(master, "A", box, secret), 0);
	ck_assert_str_eq(secret, text);
}
END_TEST

/* A folder of its own, and the file in it. */
static void
make_folder(char dir[static 64], char path[static 96])
{
	(void)snprintf(dir, 64, "/tmp/test_key_record.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(path, 96, "%s/master-key", dir);
}

START_TEST(the_master_key_is_made_once_and_only_ours_to_read)
{
	char dir[64], path[96];
	uint8_t first[SEAL_MASTER_BYTES], second[SEAL_MASTER_BYTES];
	struct stat st;

	make_folder(dir, path);
	ck_assert_int_eq(seal_master(path, first), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(seal_master(path, second), 0);
	ck_assert_mem_eq(first, second, sizeof(first));
	ck_assert_int_eq(chmod(path, 0644), 0);
	ck_assert_int_eq(seal_master(path, second), -EPERM);
	ck_assert_int_eq(file_write(path, "short", 5, 0600), 0);
	ck_assert_int_eq(seal_master(path, second), -EINVAL);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(dir), 0);		/* and nothing else was left */
	ck_assert_int_eq(seal_master(path, second), -ENOENT);
}
END_TEST

START_TEST(of_many_that_make_the_master_key_at_once_all_read_one)
{
	char dir[64], path[96], result[112];
	uint8_t want[SEAL_MASTER_BYTES];

	make_folder(dir, path);
	for (int i = 0; i < 8; i++) {
		const pid_t pid = fork();
		uint8_t got[SEAL_MASTER_BYTES];

		ck_assert_int_ge(pid, 0);
		if (pid == 0) {
			(void)snprintf(result, sizeof(result), "%s/got%d", dir, i);
			_exit(seal_master(path, got) == 0 &&
			    file_write(result, got, sizeof(got), 0600) == 0 ? 0 : 1);
		}
	}
	for (int i = 0, status; i < 8; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_int_eq(seal_master(path, want), 0);
	for (int i = 0; i < 8; i++) {
		AUTO(buf) struct buf got = BUF_EMPTY(64);

		(void)snprintf(result, sizeof(result), "%s/got%d", dir, i);
		ck_assert_int_eq(file_read(result, &got), 0);
		ck_assert_mem_eq(got.data, want, sizeof(want));
		ck_assert_int_eq(unlink(result), 0);
	}
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(a_record_goes_out_and_comes_back)
{
	struct key_record in = { .account_id = "000000000001", .user = "root", .secret = "Ym94",
	    .status = "active", .created_ms = 1793322123004ull }, out;
	char why[JSON_WHY_MAX];
	AUTO(str) char *text = key_record_to_json(&in);

	ck_assert_str_eq(text, "{\"account_id\":\"000000000001\",\"user\":\"root\",\"secret\":"
	    "\"Ym94\",\"status\":\"active\",\"created\":\"2026-10-30T01:02:03.004Z\"}");
	ck_assert_int_eq(key_record_from_json(text, strlen(text), &out, why), 0);
	ck_assert_str_eq(out.account_id, in.account_id);
	ck_assert_str_eq(out.secret, in.secret);
	ck_assert_uint_eq(out.created_ms, in.created_ms);
}
END_TEST

static const char *const bad_records[] = {
	"", "[]", "{}", "{\"account_id\":\"1\",\"user\":\"r\",\"secret\":\"x\",\"status\":\"active\"}",
	"{\"account_id\":\"00000000000x\",\"user\":\"r\",\"secret\":\"x\",\"status\":\"active\"}",
	"{\"account_id\":\"000000000001\",\"secret\":\"x\",\"status\":\"active\"}",
	"{\"account_id\":\"000000000001\",\"user\":\"r\",\"secret\":5,\"status\":\"active\"}",
};

START_TEST(a_record_that_lacks_something_is_refused)
{
	struct key_record out;
	char why[JSON_WHY_MAX] = "";

	ck_assert_int_eq(key_record_from_json(bad_records[_i], strlen(bad_records[_i]), &out, why),
	    -EINVAL);
	ck_assert_str_ne(why, "");
}
END_TEST

START_TEST(random_keys_look_like_aws)
{
	char id[KEY_ID_LEN + 1], other[KEY_ID_LEN + 1];
	char secret[KEY_SECRET_LEN + 1], other_secret[KEY_SECRET_LEN + 1];

	key_random(id, secret);
	key_random(other, other_secret);
	ck_assert_uint_eq(strlen(id), KEY_ID_LEN);
	ck_assert_uint_eq(strlen(secret), KEY_SECRET_LEN);
	ck_assert(!strncmp(id, "AKIA", 4));
	ck_assert_uint_eq(strspn(id + 4, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), 16);
	ck_assert_str_ne(id, other);
	ck_assert_str_ne(secret, other_secret);
	ck_assert(key_account_is_valid("000000000001"));
	ck_assert(!key_account_is_valid("00000000000"));
	ck_assert(!key_account_is_valid("00000000000a"));
}
END_TEST

START_TEST(a_table_finds_what_was_put_and_forgets_what_a_pass_did_not_see)
{
	struct key_table t = { .n = 0 };
	char id[16];

	for (int i = 0; i < 100; i++) {
		(void)snprintf(id, sizeof(id), "K%d", (i * 37) % 100);
		ck_assert_ptr_nonnull(key_table_put(&t, id));
		key_table_find(&t, id)->pass = (uint64_t)(i % 2);
	}
	ck_assert_uint_eq(t.n, 100);
	ck_assert_ptr_eq(key_table_put(&t, "K5"), key_table_find(&t, "K5"));
	ck_assert_uint_eq(t.n, 100);
	for (int i = 0; i < 100; i++) {
		(void)snprintf(id, sizeof(id), "K%d", i);
		ck_assert_str_eq(key_table_find(&t, id)->key.id, id);
	}
	ck_assert_ptr_null(key_table_find(&t, "K100"));
	ck_assert_ptr_null(key_table_find(&t, ""));
	key_table_remove(&t, "K0");
	key_table_remove(&t, "K100");
	ck_assert_uint_eq(t.n, 99);
	key_table_sweep(&t, 1);
	ck_assert_uint_eq(t.n, 50);
	key_table_deinit(&t);
}
END_TEST

START_TEST(a_signing_key_is_kept_for_its_day_region_and_service)
{
	struct key_table t = { .n = 0 };
	struct key_entry *e = key_table_put(&t, "K");
	uint8_t first[32];
	const uint8_t *p;

	(void)snprintf(e->secret, sizeof(e->secret), "secret");
	p = key_signing_key(e, "20261030", "us-east-1", "ec2");
	memcpy(first, p, sizeof(first));
	ck_assert_ptr_eq(key_signing_key(e, "20261030", "us-east-1", "ec2"), p);
	ck_assert_mem_ne(key_signing_key(e, "20261031", "us-east-1", "ec2"), first, 32);
	ck_assert_mem_ne(key_signing_key(e, "20261030", "us-east-2", "ec2"), first, 32);
	ck_assert_mem_ne(key_signing_key(e, "20261030", "us-east-1", "sts"), first, 32);
	/* More scopes than are kept: the first has gone, and is derived again. */
	ck_assert_mem_eq(key_signing_key(e, "20261030", "us-east-1", "ec2"), first, 32);
	key_table_deinit(&t);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("key_record");

	tcase_add_test(tc, a_secret_comes_back_only_with_its_key_and_id);
	tcase_add_loop_test(tc, a_damaged_box_is_refused, 0, 16);
	tcase_add_test(tc, a_secret_has_a_ceiling);
	tcase_add_test(tc, the_master_key_is_made_once_and_only_ours_to_read);
	tcase_add_test(tc, of_many_that_make_the_master_key_at_once_all_read_one);
	tcase_add_test(tc, a_record_goes_out_and_comes_back);
	tcase_add_loop_test(tc, a_record_that_lacks_something_is_refused, 0,
	    (int)ARRAY_LEN(bad_records));
	tcase_add_test(tc, random_keys_look_like_aws);
	tcase_add_test(tc, a_table_finds_what_was_put_and_forgets_what_a_pass_did_not_see);
	tcase_add_test(tc, a_signing_key_is_kept_for_its_day_region_and_service);
	return unit_run("key_record", tc);
}
