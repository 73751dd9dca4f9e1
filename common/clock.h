/*
 * clock.h - the two clocks.  Durations, deadlines and leases use CLOCK_BOOTTIME, which goes
 * on while a host sleeps; wall time is for stamps that other nodes read.  A rule never asks
 * a clock, it is told the time.  Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

struct clock {
	uint64_t (*now_ms)(const struct clock *);	/* CLOCK_BOOTTIME, or the test's own */
	uint64_t (*wall_ms)(const struct clock *);	/* CLOCK_REALTIME, since the epoch */
};

extern const struct clock clock_system;

static inline uint64_t
clock_now_ms(const struct clock *c)
{
	return c->now_ms(c);
}

static inline uint64_t
clock_wall_ms(const struct clock *c)
{
	return c->wall_ms(c);
}

#define CLOCK_TEXT_MAX	25	/* "2026-10-30T01:02:03.004Z" and its NUL */

/* wall_ms as RFC 3339 in UTC with milliseconds (EC2's form). */
void	 clock_to_text(uint64_t wall_ms, char ret[static CLOCK_TEXT_MAX]);

/*
 * RFC 3339 (any fraction, Z or an offset) to milliseconds since the epoch.  -EINVAL when
 * text is not exactly one such time at or after 1970; *ret_wall_ms is then untouched.
 */
int	 clock_from_text(const char *text, uint64_t *ret_wall_ms) MUST_CHECK;
