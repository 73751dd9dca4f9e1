#include "common/log_repeat.h"

#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "tests/unit/unit.h"

static struct log_repeat lately;

static void
expect(uint64_t hash, uint64_t now_ms, uint32_t times, uint32_t withheld)
{
	struct log_count n = log_repeat_add(&lately, hash, now_ms);

	ck_assert_uint_eq(n.times, times);
	ck_assert_uint_eq(n.withheld, withheld);
}

START_TEST(within_a_minute_the_second_fourth_and_eighth_are_said)
{
	static const uint32_t said[] = { 1, 2, 0, 4, 0, 0, 0, 8, 0 };

	for (size_t i = 0; i < ARRAY_LEN(said); i++)
		expect(7, 1000 + i, said[i], 0);
}
END_TEST

START_TEST(after_a_minute_it_is_said_anew_with_what_was_never_told)
{
	for (int i = 0; i < 7; i++)		/* the fourth was the last that was said */
		(void)log_repeat_add(&lately, 7, 1000);
	expect(7, 1000 + LOG_REPEAT_MS - 1, 8, 0);
	expect(7, 1000 + LOG_REPEAT_MS, 1, 0);
	(void)log_repeat_add(&lately, 7, 62000);
	(void)log_repeat_add(&lately, 7, 62000);
	expect(7, 200000, 1, 1);
	expect(7, 300000, 1, 0);
}
END_TEST

START_TEST(a_million_in_a_minute_are_twenty_lines)
{
	int said = 0;

	for (int i = 0; i < 1000000; i++)
		said += log_repeat_add(&lately, 7, (uint64_t)i / 20).times != 0;
	ck_assert_int_eq(said, 20);
}
END_TEST

START_TEST(lines_do_not_count_for_each_other)
{
	for (uint64_t h = 1; h <= LOG_REPEAT_LINES; h++)
		expect(h, h, 1, 0);
	for (uint64_t h = 1; h <= LOG_REPEAT_LINES; h++)
		expect(h, 1000, 2, 0);
	expect(9999, 1000, 1, 0);		/* one too many: the first is forgotten */
	expect(1, 1000, 1, 0);
	expect(3, 1000, 0, 0);
}
END_TEST

START_TEST(where_a_field_ends_is_part_of_a_line)
{
	uint64_t ab = log_repeat_hash(log_repeat_hash(0, "ab"), "");
	uint64_t a_b = log_repeat_hash(log_repeat_hash(0, "a"), "b");

	ck_assert(ab != a_b && ab != 0);
	ck_assert(log_repeat_hash(0, "") != 0);
}
END_TEST

struct seen {
	int	 n;
	char	 text[2048];
};

static void
remember(void *arg, int priority, const struct log_ctx *ctx, const char *text)
{
	struct seen *s = arg;

	s->n++;
	snprintf(s->text, sizeof(s->text), "%s", text);
}

START_TEST(the_logger_says_how_often_a_line_came)
{
	struct seen s = { 0 };

	log_register(remember, &s);
	for (int i = 0; i < 5; i++)
		log_fields(LOG_WARNING, &(struct log_ctx){ .instance = "i-1" }, "it is %s", "full");
	ck_assert_int_eq(s.n, 3);
	ck_assert_str_eq(s.text, "it is full (4 times within a minute)");
	log_fields(LOG_WARNING, &(struct log_ctx){ .instance = "i-2" }, "it is %s", "full");
	ck_assert_int_eq(s.n, 4);
	ck_assert_str_eq(s.text, "it is full");
}
END_TEST

START_TEST(debug_and_the_lines_of_requests_are_said_as_they_come)
{
	const struct log_ctx one = { .request_id = "r", .subject = "s" };
	struct seen s = { 0 };

	log_register(remember, &s);
	log_level(LOG_DEBUG);
	for (int i = 0; i < 5; i++) {
		log_debug("looked");
		log_fields(LOG_INFO, &one, "answered");
	}
	ck_assert_int_eq(s.n, 10);
}
END_TEST

START_TEST(a_full_line_keeps_room_for_its_count)
{
	struct seen s = { 0 };
	char text[3000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_register(remember, &s);
	log_err("%s", text);
	log_err("%s", text);
	ck_assert_uint_eq(strlen(s.text), 1023);
	ck_assert_str_eq(s.text + 1023 - strlen(" (2 times within a minute)"), " (2 times within a minute)");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("log_repeat");

	tcase_add_test(tc, within_a_minute_the_second_fourth_and_eighth_are_said);
	tcase_add_test(tc, after_a_minute_it_is_said_anew_with_what_was_never_told);
	tcase_add_test(tc, a_million_in_a_minute_are_twenty_lines);
	tcase_add_test(tc, lines_do_not_count_for_each_other);
	tcase_add_test(tc, where_a_field_ends_is_part_of_a_line);
	tcase_add_test(tc, the_logger_says_how_often_a_line_came);
	tcase_add_test(tc, debug_and_the_lines_of_requests_are_said_as_they_come);
	tcase_add_test(tc, a_full_line_keeps_room_for_its_count);
	return unit_run("log_repeat", tc);
}
