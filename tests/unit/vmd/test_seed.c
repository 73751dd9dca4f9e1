#include "vmd/seed.h"

#include <errno.h>
#include <string.h>

#include "common/json.h"
#include "tests/unit/unit.h"

#define SECTOR	512u
#define ROOT	(5 * SECTOR)
#define DATA	(6 * SECTOR)

static uint32_t
le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

/* The file by its long name, over its chain of clusters; its length. */
static size_t
read_file(const uint8_t *disk, const char *name, uint8_t *ret)
{
	const uint8_t *table = disk + SECTOR, *e = disk + ROOT;
	size_t len, done = 0;

	for (; e < disk + DATA; e += 32)
		if (e[11] == 0x0f && e[1] == (uint8_t)name[0] && e[3] == (uint8_t)name[1])
			break;
	ck_assert_msg(e < disk + DATA, "%s is not there", name);
	e += 32;			/* the entry with the short name follows */
	len = le16(e + 28) | (size_t)le16(e + 30) << 16;
	for (uint32_t c = le16(e + 26); done < len; ) {
		const size_t n = len - done < SECTOR ? len - done : SECTOR;
		uint32_t pair = le16(table + c * 3 / 2);

		ck_assert_uint_ge(c, 2);
		memcpy(ret + done, disk + DATA + (size_t)(c - 2) * SECTOR, n);
		done += n;
		c = c & 1 ? pair >> 4 : pair & 0xfff;
	}
	return len;
}

START_TEST(user_data_is_there_byte_for_byte_at_any_length)
{
	static const size_t lens[] = { 0, 1, 511, 512, 513, 16383, 16384 };
	static uint8_t data[16384], back[16384];

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
		AUTO(mem) void *owned = NULL;
		uint8_t *disk = NULL;

		ck_assert_int_eq(seed_make(&(struct seed){ .instance_id = "i-1",
		    .address = "172.31.0.10", .user_data = data, .user_len = lens[i] }, &disk), 0);
		owned = disk;
		ck_assert_uint_eq(read_file(disk, "user-data", back), lens[i]);
		ck_assert_mem_eq(back, data, lens[i]);
	}
}
END_TEST

START_TEST(meta_data_names_instance_host_and_key)
{
	static const char key[] = "ssh-ed25519 AAAA \"quoted\" comment";
	AUTO(mem) void *owned = NULL;
	AUTO(json) cJSON *meta = NULL;
	uint8_t *disk = NULL, text[4096];
	char why[JSON_WHY_MAX];
	size_t len;

	ck_assert_int_eq(seed_make(&(struct seed){ .instance_id = "i-0123456789abcdef0",
	    .address = "172.31.5.10", .public_key = key }, &disk), 0);
	owned = disk;
	ck_assert_mem_eq(disk + 43, "CIDATA     FAT12", 16);
	len = read_file(disk, "meta-data", text);
	ck_assert_msg(json_parse(text, len, sizeof(text), &meta, why) == 0, "%s", why);
	ck_assert_str_eq(json_text(meta, "instance-id"), "i-0123456789abcdef0");
	ck_assert_str_eq(json_text(meta, "local-hostname"), "ip-172-31-5-10");
	ck_assert_str_eq(json_member(meta, "public-keys")->child->valuestring, key);
	ck_assert_uint_eq(read_file(disk, "user-data", text), 0);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
	static uint8_t much[SEED_BYTES];
	uint8_t *disk = NULL;

	ck_assert_int_eq(seed_make(&(struct seed){ .instance_id = "i-1", .address = "172.31.0.10",
	    .user_data = much, .user_len = sizeof(much) }, &disk), -E2BIG);
	ck_assert_ptr_null(disk);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("seed");

	tcase_add_test(tc, user_data_is_there_byte_for_byte_at_any_length);
	tcase_add_test(tc, meta_data_names_instance_host_and_key);
	tcase_add_test(tc, what_does_not_fit_is_refused);
	return unit_run("seed", tc);
}
