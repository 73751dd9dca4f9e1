#include "common/buf.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

START_TEST(bytes_are_added_up_to_the_ceiling_exactly)
{
	AUTO(buf) struct buf b = BUF_EMPTY(10);

	ck_assert_int_eq(buf_add(&b, "12345", 5), 0);
	ck_assert_int_eq(buf_add_str(&b, "67890"), 0);
	ck_assert_str_eq(buf_text(&b), "1234567890");
	ck_assert_int_eq(buf_add(&b, "", 0), 0);
	ck_assert(!b.failed);
	ck_assert_int_eq(buf_add(&b, "x", 1), -EMSGSIZE);
	ck_assert(b.failed);
	ck_assert_uint_eq(b.len, 10);
	ck_assert_ptr_null(buf_text(&b));
}
END_TEST

START_TEST(a_failure_stays_until_the_buffer_is_emptied)
{
	AUTO(buf) struct buf b = BUF_EMPTY(4);

	ck_assert_int_eq(buf_add(&b, "12345", 5), -EMSGSIZE);
	ck_assert_int_eq(buf_add(&b, "1", 1), 0);
	ck_assert_ptr_null(buf_text(&b));
	ck_assert_ptr_null(buf_take(&b));
	ck_assert_uint_eq(b.max, 4);
	ck_assert_int_eq(buf_add(&b, "1234", 4), 0);
	ck_assert_str_eq(buf_text(&b), "1234");
}
END_TEST

START_TEST(a_length_near_the_end_of_the_address_space_is_refused)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);

	ck_assert_int_eq(buf_add(&b, "1", 1), 0);
	ck_assert_int_eq(buf_add(&b, "1", SIZE_MAX), -EMSGSIZE);
	ck_assert_int_eq(buf_add(&b, "1", SIZE_MAX - 1), -EMSGSIZE);
	ck_assert_uint_eq(b.len, 1);
}
END_TEST

START_TEST(printf_grows_the_buffer_and_fails_whole)
{
	AUTO(buf) struct buf b = BUF_EMPTY(300);

	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(buf_printf(&b, "%03d", i), 0);
	ck_assert_uint_eq(b.len, 300);
	ck_assert_int_eq(buf_printf(&b, "%d", 1), -EMSGSIZE);
	ck_assert_mem_eq(b.data + 294, "098099", 7);
}
END_TEST

START_TEST(taking_hands_the_text_over_and_empties)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	AUTO(str) char *none = buf_take(&b);
	AUTO(str) char *some = NULL;

	ck_assert_str_eq(none, "");
	ck_assert_int_eq(buf_add_str(&b, "some"), 0);
	some = buf_take(&b);
	ck_assert_str_eq(some, "some");
	ck_assert_uint_eq(b.len, 0);
	ck_assert_ptr_null(b.data);
	ck_assert_str_eq(buf_text(&b), "");
}
END_TEST

START_TEST(a_cursor_reads_little_endian_to_its_end)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xff };
	struct cursor c = cursor_over(bytes, sizeof(bytes));
	const uint8_t *p;

	ck_assert_uint_eq(cursor_u8(&c), 1);
	ck_assert_uint_eq(cursor_le16(&c), 0x0302);
	ck_assert_uint_eq(cursor_le32(&c), 0x07060504);
	ck_assert_uint_eq(cursor_le64(&c), 0x0f0e0d0c0b0a0908);
	ck_assert(!cursor_is_done(&c));
	ck_assert_uint_eq(cursor_left(&c), 1);
	p = cursor_take(&c, 1);
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(*p, 0xff);
	ck_assert(cursor_is_done(&c));
}
END_TEST

START_TEST(a_cursor_that_passed_its_end_stays_bad)
{
	static const uint8_t bytes[3] = { 1, 2, 3 };
	struct cursor c = cursor_over(bytes, sizeof(bytes));

	ck_assert_uint_eq(cursor_le32(&c), 0);
	ck_assert_uint_eq(cursor_u8(&c), 0);
	ck_assert_ptr_null(cursor_take(&c, 0));
	ck_assert_uint_eq(cursor_left(&c), 3);
	ck_assert(!cursor_is_done(&c));
	c = cursor_over(bytes, sizeof(bytes));
	ck_assert_ptr_null(cursor_take(&c, SIZE_MAX));
	ck_assert(c.bad);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("buf");

	tcase_add_test(tc, bytes_are_added_up_to_the_ceiling_exactly);
	tcase_add_test(tc, a_failure_stays_until_the_buffer_is_emptied);
	tcase_add_test(tc, a_length_near_the_end_of_the_address_space_is_refused);
	tcase_add_test(tc, printf_grows_the_buffer_and_fails_whole);
	tcase_add_test(tc, taking_hands_the_text_over_and_empties);
	tcase_add_test(tc, a_cursor_reads_little_endian_to_its_end);
	tcase_add_test(tc, a_cursor_that_passed_its_end_stays_bad);
	return unit_run("buf", tc);
}
