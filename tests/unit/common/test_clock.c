#include "common/clock.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "common/cleanup.h"
#include "tests/unit/unit.h"

static const struct {
	uint64_t	 ms;
	const char	*text;
} both_ways[] = {
	{ 0, "1970-01-01T00:00:00.000Z" },
	{ 951782399999, "2000-02-28T23:59:59.999Z" },
	{ 951782400000, "2000-02-29T00:00:00.000Z" },
	{ 1793322123004, "2026-10-30T01:02:03.004Z" },
	{ 4107542400000, "2100-03-01T00:00:00.000Z" },
	{ 253402300799999, "9999-12-31T23:59:59.999Z" },
};

START_TEST(a_time_prints_and_reads_back)
{
	char text[CLOCK_TEXT_MAX];
	uint64_t ms = 1;

	clock_to_text(both_ways[_i].ms, text);
	ck_assert_str_eq(text, both_ways[_i].text);
	ck_assert_int_eq(clock_from_text(text, &ms), 0);
	ck_assert_uint_eq(ms, both_ways[_i].ms);
}
END_TEST

START_TEST(a_time_beyond_the_year_9999_prints_as_its_end)
{
	char text[CLOCK_TEXT_MAX];

	clock_to_text(UINT64_MAX, text);
	ck_assert_str_eq(text, "9999-12-31T23:59:59.999Z");
}
END_TEST

static const struct {
	const char	*text;
	uint64_t	 ms;
} accepted[] = {
	{ "2026-10-30T01:02:03.123456789Z", 1793322123123 },
	{ "2026-10-30T01:02:03.5Z", 1793322123500 },
	{ "2026-10-30T03:02:03+02:00", 1793322123000 },
	{ "2026-10-29T19:32:03.250-05:30", 1793322123250 },
	{ "2026-10-30t01:02:03z", 1793322123000 },
	{ "2016-12-31T23:59:60Z", 1483228800000 },
};

START_TEST(fractions_and_offsets_are_read)
{
	uint64_t ms;

	ck_assert_int_eq(clock_from_text(accepted[_i].text, &ms), 0);
	ck_assert_uint_eq(ms, accepted[_i].ms);
}
END_TEST

static const char *const refused[] = {
	"", "2026", "2026-10-30", "2026-10-30T01:02:03", "2026-10-30 01:02:03Z",
	"2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
	"2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-10-30T24:00:00Z",
	"2026-10-30T01:60:00Z", "2026-10-30T01:02:61Z", "2026-10-30T01:02:03.Z",
	"2026-10-30T01:02:03+2:00", "2026-10-30T01:02:03+24:00", "2026-10-30T01:02:03Z ",
	"1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "-026-10-30T01:02:03Z",
	"2026-1-30T01:02:03Z", "2026-10-30T01:02:03ZZ", "2026-10-30T01:02:03+0200",
};

START_TEST(anything_else_is_refused_and_leaves_the_output)
{
	uint64_t ms = 77;

	ck_assert_int_eq(clock_from_text(refused[_i], &ms), -EINVAL);
	ck_assert_uint_eq(ms, 77);
}
END_TEST

START_TEST(the_system_clocks_are_boottime_and_realtime)
{
	struct timespec ts;
	uint64_t before;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	before = (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
	ck_assert_uint_ge(clock_now_ms(&clock_system), before);
	ck_assert_uint_lt(clock_now_ms(&clock_system), before + 10000);
	clock_gettime(CLOCK_REALTIME, &ts);
	ck_assert_uint_lt(clock_wall_ms(&clock_system) - (uint64_t)ts.tv_sec * 1000, 10000);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("clock");

	tcase_add_loop_test(tc, a_time_prints_and_reads_back, 0, ARRAY_LEN(both_ways));
	tcase_add_test(tc, a_time_beyond_the_year_9999_prints_as_its_end);
	tcase_add_loop_test(tc, fractions_and_offsets_are_read, 0, ARRAY_LEN(accepted));
	tcase_add_loop_test(tc, anything_else_is_refused_and_leaves_the_output, 0,
	    ARRAY_LEN(refused));
	tcase_add_test(tc, the_system_clocks_are_boottime_and_realtime);
	return unit_run("clock", tc);
}
