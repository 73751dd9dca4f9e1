/* One gzip member and back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/gzip.h"
#include "tests/unit/unit.h"

#define SIZE	540672

static uint8_t *
erased(void)
{
	uint8_t *p = malloc(SIZE);

	memset(p, 0xff, SIZE);
	return p;
}

START_TEST(an_erased_region_shrinks_to_under_a_tenth_and_comes_back_exact_119)
{
	AUTO(buf) struct buf packed = BUF_EMPTY(SIZE), back = BUF_EMPTY(SIZE);
	uint8_t *p = erased();

	p[SIZE - 1] = 0;
	ck_assert_int_eq(gzip_pack(p, SIZE, &packed), 0);
	ck_assert_uint_lt(packed.len, SIZE / 10);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &back), 0);
	ck_assert_uint_eq(back.len, SIZE);
	ck_assert_mem_eq(back.data, p, SIZE);
	free(p);
}
END_TEST

START_TEST(the_header_names_no_time_and_no_file)
{
	static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255 };
	AUTO(buf) struct buf packed = BUF_EMPTY(SIZE);

	ck_assert_int_eq(gzip_pack("x", 1, &packed), 0);
	ck_assert_mem_eq(packed.data, head, sizeof(head));
}
END_TEST

START_TEST(one_byte_over_the_ceiling_is_refused_and_leaves_nothing)
{
	AUTO(buf) struct buf packed = BUF_EMPTY(SIZE), back = BUF_EMPTY(SIZE - 1);
	uint8_t *p = erased();

	ck_assert_int_eq(gzip_pack(p, SIZE, &packed), 0);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &back), -EMSGSIZE);
	ck_assert_uint_eq(back.len, 0);
	free(p);
}
END_TEST

START_TEST(whatever_is_not_exactly_one_member_is_refused)
{
	AUTO(buf) struct buf packed = BUF_EMPTY(4096), back = BUF_EMPTY(4096);
	size_t one;

	ck_assert_int_eq(gzip_pack("hello", 5, &packed), 0);
	one = packed.len;
	for (size_t n = 0; n < one; n++)
		ck_assert_int_eq(gzip_unpack(packed.data, n, &back), -EBADMSG);
	packed.data[one - 5] ^= 1;	/* its checksum */
	ck_assert_int_eq(gzip_unpack(packed.data, one, &back), -EBADMSG);
	packed.data[one - 5] ^= 1;
	ck_assert_int_eq(buf_add(&packed, "\0", 1), 0);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &back), -EBADMSG);
	packed.len = one;
	ck_assert_int_eq(gzip_pack("again", 5, &packed), 0);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &back), -EBADMSG);
	ck_assert_int_eq(gzip_unpack("hello", 5, &back), -EBADMSG);
	ck_assert_uint_eq(back.len, 0);
	ck_assert_int_eq(gzip_unpack(packed.data, one, &back), 0);
	ck_assert_str_eq(buf_text(&back), "hello");
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("gzip");

	tcase_add_test(t, an_erased_region_shrinks_to_under_a_tenth_and_comes_back_exact_119);
	tcase_add_test(t, the_header_names_no_time_and_no_file);
	tcase_add_test(t, one_byte_over_the_ceiling_is_refused_and_leaves_nothing);
	tcase_add_test(t, whatever_is_not_exactly_one_member_is_refused);
	return unit_run("gzip", t);
}
