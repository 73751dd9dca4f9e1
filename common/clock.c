#include "common/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>

#define WALL_MS_MAX	253402300799999ull	/* 9999-12-31T23:59:59.999Z */

static uint64_t
read_ms(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) < 0)
		abort();	/* both clocks exist since Linux 2.6.39 */
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static uint64_t
system_now_ms(const struct clock *c)
{
	return read_ms(CLOCK_BOOTTIME);
}

static uint64_t
system_wall_ms(const struct clock *c)
{
	return read_ms(CLOCK_REALTIME);
}

const struct clock clock_system = {
	.now_ms = system_now_ms,
	.wall_ms = system_wall_ms,
};

/* The last n decimal digits of v, and the character that follows them. */
static char *
put_digits(char *p, int n, int v, char after)
{
	for (int i = n - 1; i >= 0; i--, v /= 10)
		p[i] = (char)('0' + v % 10);
	p[n] = after;
	return p + n + 1;
}

void
clock_to_text(uint64_t wall_ms, char ret[static CLOCK_TEXT_MAX])
{
	struct tm tm;
	char *p = ret;
	time_t s;

	if (wall_ms > WALL_MS_MAX)
		wall_ms = WALL_MS_MAX;
	s = (time_t)(wall_ms / 1000);
	if (!gmtime_r(&s, &tm))
		abort();	/* every second up to the year 9999 has a date */
	p = put_digits(p, 4, tm.tm_year + 1900, '-');
	p = put_digits(p, 2, tm.tm_mon + 1, '-');
	p = put_digits(p, 2, tm.tm_mday, 'T');
	p = put_digits(p, 2, tm.tm_hour, ':');
	p = put_digits(p, 2, tm.tm_min, ':');
	p = put_digits(p, 2, tm.tm_sec, '.');
	p = put_digits(p, 3, (int)(wall_ms % 1000), 'Z');
	*p = '\0';
}

/* Exactly n digits into *ret; moves *p past them. */
static bool
take_digits(const char **p, int n, int *ret)
{
	int v = 0;

	for (int i = 0; i < n; i++) {
		if (**p < '0' || **p > '9')
			return false;
		v = v * 10 + (*(*p)++ - '0');
	}
	*ret = v;
	return true;
}

static bool
take_char(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

static bool
take_date(const char **p, struct tm *tm)
{
	static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap;
	int y, m, d;

	if (!take_digits(p, 4, &y) || !take_char(p, '-') || !take_digits(p, 2, &m) ||
	    !take_char(p, '-') || !take_digits(p, 2, &d))
		return false;
	leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
	if (m < 1 || m > 12 || d < 1 || d > days[m - 1] + (m == 2 && leap))
		return false;
	tm->tm_year = y - 1900;
	tm->tm_mon = m - 1;
	tm->tm_mday = d;
	return true;
}

/* A leap second reads as the first second of the next minute. */
static bool
take_time(const char **p, struct tm *tm)
{
	return take_digits(p, 2, &tm->tm_hour) && tm->tm_hour <= 23 && take_char(p, ':') &&
	    take_digits(p, 2, &tm->tm_min) && tm->tm_min <= 59 && take_char(p, ':') &&
	    take_digits(p, 2, &tm->tm_sec) && tm->tm_sec <= 60;
}

/* An optional fraction of any length, cut to milliseconds. */
static bool
take_fraction(const char **p, int *ret_ms)
{
	int ms = 0, scale = 100;

	if (!take_char(p, '.')) {
		*ret_ms = 0;
		return true;
	}
	if (**p < '0' || **p > '9')
		return false;
	for (; **p >= '0' && **p <= '9'; (*p)++, scale /= 10)
		ms += (**p - '0') * scale;
	*ret_ms = ms;
	return true;
}

static bool
take_offset(const char **p, int *ret_s)
{
	bool west = **p == '-';
	int h, m;

	if (take_char(p, 'Z') || take_char(p, 'z')) {
		*ret_s = 0;
		return true;
	}
	if (!take_char(p, '+') && !take_char(p, '-'))
		return false;
	if (!take_digits(p, 2, &h) || h > 23 || !take_char(p, ':') || !take_digits(p, 2, &m) ||
	    m > 59)
		return false;
	*ret_s = (h * 3600 + m * 60) * (west ? -1 : 1);
	return true;
}

int
clock_from_text(const char *text, uint64_t *ret_wall_ms)
{
	const char *p = text;
	struct tm tm = { 0 };
	int ms, offset_s;
	int64_t s;

	if (!take_date(&p, &tm) || (!take_char(&p, 'T') && !take_char(&p, 't')) ||
	    !take_time(&p, &tm) || !take_fraction(&p, &ms) || !take_offset(&p, &offset_s) ||
	    *p != '\0')
		return -EINVAL;
	s = (int64_t)timegm(&tm) - offset_s;
	if (s < 0)
		return -EINVAL;
	*ret_wall_ms = (uint64_t)s * 1000 + (uint64_t)ms;
	return 0;
}
