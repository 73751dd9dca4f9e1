/* EC2's UefiData, written from regions and read back. */
#include <errno.h>
#include <zlib.h>

#include "common/file.h"
#include "region_make.h"
#include "tests/unit/unit.h"
#include "uefid/uefi_data.h"

struct seen {
	size_t	 n;
	char	 names[128][72];
	size_t	 sizes[128];
	uint32_t attributes[128];
	uint8_t	 times[128][16];
};

static bool
note(void *arg, const struct region_variable *v)
{
	struct seen *s = arg;

	if (s->n == ARRAY_LEN(s->names))
		return false;
	snprintf(s->names[s->n], sizeof(s->names[0]), "%.27s-%.36s", v->name, v->guid);
	s->sizes[s->n] = v->size;
	s->attributes[s->n] = v->attributes;
	if (v->time && v->attributes & 0x20)
		memcpy(s->times[s->n], v->time, 16);
	s->n++;
	return true;
}

static int
read_back(const struct buf *b, struct seen *ret)
{
	AUTO(buf) struct buf scratch = BUF_EMPTY(UEFI_DATA_INFLATED_MAX);
	char why[JSON_WHY_MAX] = "";
	int r = uefi_data_read(b->data, b->len, NULL, &scratch, note, ret, why);

	ck_assert_msg((r == -EINVAL) == (why[0] != '\0'), "%d with \"%s\"", r, why);
	return r;
}

static void
write_region(const void *p, size_t n, struct buf *ret)
{
	char why[JSON_WHY_MAX];
	struct region r;

	ck_assert_msg(region_open(p, n, n, &r, why) == 0, "%s", why);
	ck_assert_msg(uefi_data_write(&r, ret, why) == 0, "%s", why);
}

/* Of a region with two variables. */
static void
write_two(struct buf *ret)
{
	struct make m;

	make_init(&m);
	make_variable(&m, "Boot0000", 0x3f, "abc", 3);
	make_variable(&m, "Gone", 0x3c, "x", 1);
	make_variable(&m, "Empty", 0x3f, "", 0);
	write_region(m.p, MAKE_SIZE, ret);
}

START_TEST(live_variables_go_out_and_come_back)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX);
	struct seen s = { 0 };

	write_two(&b);
	ck_assert_mem_eq(b.data, "AMZNUEFI", 8);
	ck_assert_mem_eq(b.data + 12, "\0\0\0\0", 4);
	ck_assert_int_eq(read_back(&b, &s), 0);
	ck_assert_uint_eq(s.n, 2);
	ck_assert_str_eq(s.names[0], "Boot0000-8be4df61-93ca-11d2-aa0d-00e098032b8c");
	ck_assert_uint_eq(s.sizes[0], 3);
	ck_assert_uint_eq(s.attributes[0], 7);
	ck_assert_uint_eq(s.sizes[1], 0);
}
END_TEST

START_TEST(the_plain_bytes_are_as_the_format_says)
{
	static const uint8_t want[] = {
		1, 0, 0, 0, 0, 0, 0, 0,
		1, 0, 0, 0, 0, 0, 0, 0, 'V',
		2, 0, 0, 0, 0, 0, 0, 0, 'h', 'i',
		0x61, 0xdf, 0xe4, 0x8b, 0xca, 0x93, 0xd2, 0x11,
		0xaa, 0x0d, 0x00, 0xe0, 0x98, 0x03, 0x2b, 0x8c,
		7, 0, 0, 0,
	};
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX);
	uint8_t plain[256];
	uLongf n = sizeof(plain);
	struct make m;

	make_init(&m);
	make_variable(&m, "V", 0x3f, "hi", 2);
	write_region(m.p, MAKE_SIZE, &b);
	ck_assert_int_eq(uncompress(plain, &n, b.data + 16, b.len - 16), Z_OK);
	ck_assert_uint_eq(n, sizeof(want));
	ck_assert_mem_eq(plain, want, sizeof(want));
}
END_TEST

START_TEST(a_variable_that_is_lost_at_a_reset_stays_out)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX);
	struct seen s = { 0 };
	struct make m;
	size_t at;

	make_init(&m);
	at = make_variable(&m, "Volatile", 0x3f, "x", 1);
	make_u32(m.p + at + 4, 6);
	write_region(m.p, MAKE_SIZE, &b);
	ck_assert_int_eq(read_back(&b, &s), 0);
	ck_assert_uint_eq(s.n, 0);
}
END_TEST

START_TEST(each_byte_that_is_changed_is_found)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX);
	struct seen s = { 0 };

	write_two(&b);
	for (size_t i = 0; i < b.len; i++) {
		b.data[i] ^= 1;
		ck_assert_msg(read_back(&b, &s) == -EINVAL, "byte %zu", i);
		b.data[i] ^= 1;
	}
	for (size_t n = b.len; n-- > 0;) {
		struct buf cut = b;

		cut.len = n;
		ck_assert_msg(read_back(&cut, &s) == -EINVAL, "%zu bytes", n);
	}
	ck_assert_uint_eq(s.n, 0);
}
END_TEST

/* Made anew with a right checksum around this zlib stream. */
static void
frame(const uint8_t *z, size_t n, struct buf *ret)
{
	uint8_t head[16] = { 'A', 'M', 'Z', 'N', 'U', 'E', 'F', 'I' };
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n + 4; i++) {
		crc ^= i < 4 ? 0 : z[i - 4];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	make_u32(head + 8, ~crc);
	ck_assert_int_eq(buf_add(ret, head, sizeof(head)), 0);
	ck_assert_int_eq(buf_add(ret, z, n), 0);
}

START_TEST(what_says_more_than_it_has_is_refused)
{
	/* A count, and a variable's name that passes the end. */
	static const struct { uint8_t p[24]; size_t n; } rows[] = {
		{ { 0 }, 7 },
		{ { 1 }, 8 },
		{ { 0 }, 9 },
		{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 8 },
		{ { 1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 16 },
		{ { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 16 },
	};
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX);
	struct seen s = { 0 };
	uint8_t z[128];
	uLongf n = sizeof(z);

	ck_assert_int_eq(compress(z, &n, rows[_i].p, rows[_i].n), Z_OK);
	frame(z, n, &b);
	ck_assert_int_eq(read_back(&b, &s), -EINVAL);
}
END_TEST

START_TEST(a_bomb_ends_at_the_ceiling_and_a_dictionary_is_named)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX), scratch = BUF_EMPTY(
	    UEFI_DATA_INFLATED_MAX);
	static uint8_t zeros[UEFI_DATA_INFLATED_MAX + 1];
	char why[JSON_WHY_MAX] = "";
	struct seen s = { 0 };
	uint8_t z[65536];
	uLongf n = sizeof(z);
	z_stream d = { 0 };

	ck_assert_int_eq(compress(z, &n, zeros, sizeof(zeros)), Z_OK);
	frame(z, n, &b);
	ck_assert_int_eq(read_back(&b, &s), -EINVAL);
	buf_deinit(&b);
	ck_assert_int_eq(deflateInit(&d, 9), Z_OK);
	ck_assert_int_eq(deflateSetDictionary(&d, zeros, 100), Z_OK);
	d.next_in = zeros;
	d.avail_in = 8;
	d.next_out = z;
	d.avail_out = sizeof(z);
	ck_assert_int_eq(deflate(&d, Z_FINISH), Z_STREAM_END);
	frame(z, sizeof(z) - d.avail_out, &b);
	deflateEnd(&d);
	ck_assert_int_eq(uefi_data_read(b.data, b.len, NULL, &scratch, note, &s, why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "dictionary"));
}
END_TEST

static const char *const shipped[] = {
	"/usr/share/OVMF/OVMF_VARS.ms.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd",
	"/usr/share/OVMF/OVMF_VARS_4M.ms.fd", "/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd",
	"/usr/share/AAVMF/AAVMF_VARS.ms.fd", "/usr/share/AAVMF/AAVMF_VARS.snakeoil.fd",
};

START_TEST(what_firmware_packages_ship_comes_back_with_every_time_and_size)
{
	AUTO(buf) struct buf file = BUF_EMPTY(REGION_MAX), b = BUF_EMPTY(UEFI_DATA_MAX);
	char why[JSON_WHY_MAX];
	static struct seen in, out;
	struct region r;

	memset(&in, 0, sizeof(in));
	memset(&out, 0, sizeof(out));
	if (file_read(shipped[_i], &file) < 0)
		return;				/* this package is not here */
	ck_assert_int_eq(region_open(file.data, file.len, file.len, &r, why), 0);
	ck_assert_int_eq(region_list(&r, note, &in, why), 0);
	write_region(file.data, file.len, &b);
	ck_assert_int_eq(read_back(&b, &out), 0);
	ck_assert_uint_eq(in.n, out.n);
	ck_assert_mem_eq(&in, &out, sizeof(in));
	ck_assert_int_eq(region_secure_boot(&r), in.n ? REGION_ENABLED : REGION_SETUP);
}
END_TEST

START_TEST(secure_boot_follows_the_platform_key_and_the_users_switch)
{
	char why[JSON_WHY_MAX];
	struct region r;
	struct make m;
	size_t at;

	make_init(&m);
	ck_assert_int_eq(region_open(m.p, MAKE_SIZE, MAKE_SIZE, &r, why), 0);
	ck_assert_int_eq(region_secure_boot(&r), REGION_SETUP);
	make_variable(&m, "PK", 0x3f, "key", 3);
	ck_assert_int_eq(region_secure_boot(&r), REGION_ENABLED);
	at = make_variable(&m, "SecureBootEnable", 0x3f, "\0", 1);
	ck_assert_int_eq(region_secure_boot(&r), REGION_ENABLED);	/* another vendor's */
	memcpy(m.p + at + 44, "\x05\x3b\xa3\xf0\x08\xaf\x56\x45\x99\xc4\x00\x10\x09\xc9\x3a\x44", 16);
	ck_assert_str_eq(region_secure_boot_text(region_secure_boot(&r)), "enabled");
	memcpy(m.p + at + 44, "\xc7\x0b\xa3\xf0\x08\xaf\x56\x45\x99\xc4\x00\x10\x09\xc9\x3a\x44", 16);
	ck_assert_str_eq(region_secure_boot_text(region_secure_boot(&r)), "disabled");
}
END_TEST

/* As AWS makes it. */
static void
with_dictionary(const uint8_t *plain, size_t n, const char *dictionary, struct buf *ret)
{
	uint8_t out[512] = "AMZNUEFI";
	z_stream z = { .next_in = (Bytef *)(uintptr_t)plain, .avail_in = (uInt)n,
		.next_out = out + 16, .avail_out = sizeof(out) - 16 };
	uint32_t crc = ~0u;

	ck_assert_int_eq(deflateInit(&z, 9), Z_OK);
	ck_assert_int_eq(deflateSetDictionary(&z, (const Bytef *)dictionary,
	    (uInt)strlen(dictionary)), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	for (size_t i = 12; i < 16 + z.total_out; i++) {
		crc ^= out[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	make_u32(out + 8, ~crc);
	ck_assert_int_eq(buf_add(ret, out, 16 + z.total_out), 0);
	deflateEnd(&z);
}

static const uint8_t one_plain[] = {
	1, 0, 0, 0, 0, 0, 0, 0,
	9, 0, 0, 0, 0, 0, 0, 0, 'B', 'o', 'o', 't', 'O', 'r', 'd', 'e', 'r',
	2, 0, 0, 0, 0, 0, 0, 0, 1, 0,
	0x61, 0xdf, 0xe4, 0x8b, 0xca, 0x93, 0xd2, 0x11, 0xaa, 0x0d, 0x00, 0xe0, 0x98, 0x03, 0x2b, 0x8c,
	7, 0, 0, 0,
};

START_TEST(what_a_dictionary_compressed_is_read_with_it_alone)
{
	static const char words[] = "BootOrder Boot0000 Timeout";
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX), right = BUF_EMPTY(64);
	AUTO(buf) struct buf wrong = BUF_EMPTY(64);
	struct seen s = { 0 };
	char why[JSON_WHY_MAX];

	with_dictionary(one_plain, sizeof(one_plain), words, &b);
	ck_assert_int_eq(buf_add_str(&right, words), 0);
	ck_assert_int_eq(buf_add_str(&wrong, "something else"), 0);
	for (int i = 0; i < 2; i++) {
		AUTO(buf) struct buf scratch = BUF_EMPTY(UEFI_DATA_INFLATED_MAX);

		ck_assert_int_eq(uefi_data_read(b.data, b.len, i ? &wrong : NULL, &scratch, note, &s,
		    why), -EINVAL);
		ck_assert_msg(strstr(why, "uefi_dictionary") != NULL, "%s", why);
	}
	AUTO(buf) struct buf scratch = BUF_EMPTY(UEFI_DATA_INFLATED_MAX);

	ck_assert_msg(uefi_data_read(b.data, b.len, &right, &scratch, note, &s, why) == 0, "%s", why);
	ck_assert_uint_eq(s.n, 1);
	ck_assert_str_eq(s.names[0], "BootOrder-8be4df61-93ca-11d2-aa0d-00e098032b8c");
}
END_TEST

START_TEST(a_region_of_it_has_its_variables_and_no_other)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX), out = BUF_EMPTY(0), again = BUF_EMPTY(0);
	AUTO(buf) struct buf back = BUF_EMPTY(UEFI_DATA_MAX);
	char why[JSON_WHY_MAX];
	struct region like;
	struct make m;

	make_init(&m);
	make_variable(&m, "Boot0000", 0x3f, "abc", 3);
	make_variable(&m, "Timeout", 0x3f, "x", 1);
	write_region(m.p, MAKE_SIZE, &b);
	make_init(&m);
	make_variable(&m, "Other", 0x3f, "abc", 3);
	ck_assert_int_eq(region_open(m.p, MAKE_SIZE, MAKE_SIZE, &like, why), 0);
	ck_assert_msg(uefi_data_region(b.data, b.len, NULL, &like, &out, why) == 0, "%s", why);
	write_region(out.data, out.len, &back);
	ck_assert_uint_eq(back.len, b.len);
	ck_assert_mem_eq(back.data, b.data, b.len);
	b.data[20] ^= 1;
	ck_assert_int_eq(uefi_data_region(b.data, b.len, NULL, &like, &again, why), -EINVAL);
	ck_assert_ptr_null(again.data);
}
END_TEST

START_TEST(variables_that_do_not_fit_are_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(UEFI_DATA_MAX), out = BUF_EMPTY(0);
	char why[JSON_WHY_MAX], data[MAKE_END / 2] = "";
	struct region like;
	struct make m;
	int r;

	make_init(&m);
	make_variable(&m, "Large", 0x3f, data, sizeof(data));
	write_region(m.p, MAKE_SIZE, &b);
	make_init(&m);
	make_u32(m.p + MAKE_HEADER + 16, MAKE_END / 2 - MAKE_HEADER);	/* half a store */
	ck_assert_int_eq(region_open(m.p, MAKE_SIZE, MAKE_SIZE, &like, why), 0);
	r = uefi_data_region(b.data, b.len, NULL, &like, &out, why);
	ck_assert_int_eq(r, -EINVAL);
	ck_assert_msg(strstr(why, "do not fit") != NULL, "%s", why);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("uefi_data");

	tcase_add_test(tc, live_variables_go_out_and_come_back);
	tcase_add_test(tc, the_plain_bytes_are_as_the_format_says);
	tcase_add_test(tc, a_variable_that_is_lost_at_a_reset_stays_out);
	tcase_add_test(tc, each_byte_that_is_changed_is_found);
	tcase_add_loop_test(tc, what_says_more_than_it_has_is_refused, 0, 6);
	tcase_add_test(tc, a_bomb_ends_at_the_ceiling_and_a_dictionary_is_named);
	tcase_add_loop_test(tc, what_firmware_packages_ship_comes_back_with_every_time_and_size, 0,
	    ARRAY_LEN(shipped));
	tcase_add_test(tc, secure_boot_follows_the_platform_key_and_the_users_switch);
	tcase_add_test(tc, what_a_dictionary_compressed_is_read_with_it_alone);
	tcase_add_test(tc, a_region_of_it_has_its_variables_and_no_other);
	tcase_add_test(tc, variables_that_do_not_fit_are_refused);
	return unit_run("uefi_data", tc);
}
