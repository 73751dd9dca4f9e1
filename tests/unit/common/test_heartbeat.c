#include "common/heartbeat.h"

#include <string.h>

#include "tests/unit/unit.h"

#define WALL	1793322123000u	/* 2026-10-30T01:02:03Z */
#define TTL	60000u

START_TEST(a_beat_is_live_for_less_than_its_ttl_91)
{
	ck_assert(heartbeat_is_live(WALL, WALL, TTL));
	ck_assert(heartbeat_is_live(WALL, WALL + TTL - 1, TTL));
	ck_assert(!heartbeat_is_live(WALL, WALL + TTL, TTL));
}
END_TEST

START_TEST(a_stamp_in_the_future_is_live_up_to_a_ttl_91)
{
	ck_assert(heartbeat_is_live(WALL + 1000, WALL, TTL));
	ck_assert(heartbeat_is_live(WALL + TTL, WALL, TTL));
	ck_assert(!heartbeat_is_live(WALL + TTL + 1, WALL, TTL));
	ck_assert(!heartbeat_is_live(UINT64_MAX, WALL, TTL));
}
END_TEST

START_TEST(no_stamp_is_not_live)
{
	ck_assert(!heartbeat_is_live(0, WALL, TTL));
	ck_assert(!heartbeat_is_live(0, 10, TTL));
}
END_TEST

static const struct {
	const char	*text;
	uint64_t	 stamp;
} beats[] = {
	{ "{\"node\":\"node-a\",\"timestamp\":\"2026-10-30T01:02:03Z\"}", WALL },
	{ "{\"node\":\"node-a\",\"timestamp\":\"2026-10-30T02:02:03+01:00\",\"vm_count\":3}", WALL },
	{ "not json", 0 },
	{ "", 0 },
	{ "[]", 0 },
	{ "{\"node\":\"node-a\"}", 0 },
	{ "{\"timestamp\":null}", 0 },
	{ "{\"timestamp\":\"\"}", 0 },
	{ "{\"timestamp\":1793322123}", 0 },
	{ "{\"timestamp\":\"yesterday\"}", 0 },
};

START_TEST(a_beat_that_cannot_be_read_has_no_stamp_92)
{
	ck_assert_uint_eq(heartbeat_stamp(beats[_i].text, strlen(beats[_i].text)),
	    beats[_i].stamp);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("heartbeat");

	tcase_add_test(tc, a_beat_is_live_for_less_than_its_ttl_91);
	tcase_add_test(tc, a_stamp_in_the_future_is_live_up_to_a_ttl_91);
	tcase_add_test(tc, no_stamp_is_not_live);
	tcase_add_loop_test(tc, a_beat_that_cannot_be_read_has_no_stamp_92, 0,
	    sizeof(beats) / sizeof(*beats));
	return unit_run("heartbeat", tc);
}
