#include "common/json_scan.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NUMBERS_FIRST	16

struct scan {
	const uint8_t		*p, *end, *start;
	unsigned		 depth;
	struct json_numbers	*numbers;
	char			*why;		/* JSON_WHY_MAX bytes */
};

static int scan_value(struct scan *s);

void
json_numbers_deinit(struct json_numbers *n)
{
	free(n->v);
	*n = (struct json_numbers){ 0 };
}

static int
expected(const struct scan *s, const char *what)
{
	(void)snprintf(s->why, JSON_WHY_MAX, "byte %zu: expected %s",
	    (size_t)(s->p - s->start), what);
	return -EINVAL;
}

static bool
at(const struct scan *s, uint8_t c)
{
	return s->p < s->end && *s->p == c;
}

static bool
at_digit(const struct scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static void
skip_space(struct scan *s)
{
	while (at(s, ' ') || at(s, '\t') || at(s, '\n') || at(s, '\r'))
		s->p++;
}

static int
scan_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return expected(s, "a value");
	s->p += n;
	return 0;
}

/* ---- strings ---- */

/* Four hexadecimal digits at p into *ret. */
static bool
hex4(const uint8_t *p, const uint8_t *end, unsigned *ret)
{
	unsigned v = 0;

	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		unsigned c = p[i];

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | ((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	*ret = v;
	return true;
}

/* At the u of an escape.  The NUL is refused: it would end the text early for everybody. */
static int
scan_unicode(struct scan *s)
{
	unsigned hi, lo;

	if (!hex4(s->p + 1, s->end, &hi))
		return expected(s, "four hexadecimal digits after \\u");
	if (hi == 0)
		return expected(s, "no \\u0000 in a string");
	if (hi >= 0xdc00 && hi <= 0xdfff)
		return expected(s, "the high half of a surrogate pair first");
	s->p += 5;
	if (hi < 0xd800 || hi > 0xdbff)
		return 0;
	if (s->end - s->p < 6 || s->p[0] != '\\' || s->p[1] != 'u' ||
	    !hex4(s->p + 2, s->end, &lo) || lo < 0xdc00 || lo > 0xdfff)
		return expected(s, "the low half of a surrogate pair");
	s->p += 6;
	return 0;
}

static int
scan_escape(struct scan *s)
{
	s->p++;
	if (at(s, 'u'))
		return scan_unicode(s);
	if (s->p == s->end || *s->p == '\0' || !strchr("\"\\/bfnrt", *s->p))
		return expected(s, "one of \" \\ / b f n r t u after a backslash");
	s->p++;
	return 0;
}

/* Bytes of the UTF-8 sequence at p (RFC 3629: shortest form, no surrogates), or 0. */
static size_t
utf8_len(const uint8_t *p, const uint8_t *end)
{
	uint8_t low = 0x80, high = 0xbf;
	size_t n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if ((size_t)(end - p) < n)
		return 0;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf4)
		high = 0x8f;
	if (p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static int
scan_string(struct scan *s)
{
	size_t n;
	int r;

	if (!at(s, '"'))
		return expected(s, "a string");
	s->p++;
	while (s->p < s->end && *s->p != '"') {
		if (*s->p < ' ')
			return expected(s, "no raw control character in a string");
		if (*s->p == '\\') {
			if ((r = scan_escape(s)) < 0)
				return r;
			continue;
		}
		n = utf8_len(s->p, s->end);
		if (n == 0)
			return expected(s, "UTF-8");
		s->p += n;
	}
	if (s->p == s->end)
		return expected(s, "the end of a string");
	s->p++;
	return 0;
}

/* ---- numbers ---- */

static int
note_number(struct scan *s, const uint8_t *from, bool is_integer)
{
	struct json_numbers *n = s->numbers;

	if (n->n == n->room) {
		size_t room = n->room ? n->room * 2 : NUMBERS_FIRST;
		struct json_number *v = reallocarray(n->v, room, sizeof(*v));

		if (!v)
			return -ENOMEM;
		n->v = v;
		n->room = room;
	}
	n->v[n->n++] = (struct json_number){
		.ordinal = n->total,
		.text = (const char *)from,
		.len = (size_t)(s->p - from),
		.is_integer = is_integer,
	};
	return 0;
}

static int
scan_digits(struct scan *s)
{
	if (!at_digit(s))
		return expected(s, "a digit");
	while (at_digit(s))
		s->p++;
	return 0;
}

/* The fraction and the exponent, both optional. */
static int
scan_real_part(struct scan *s)
{
	int r = 0;

	if (at(s, '.')) {
		s->p++;
		r = scan_digits(s);
	}
	if (r < 0 || (!at(s, 'e') && !at(s, 'E')))
		return r;
	s->p++;
	if (at(s, '+') || at(s, '-'))
		s->p++;
	return scan_digits(s);
}

static bool
is_finite_text(const uint8_t *p, size_t n)
{
	char text[JSON_NUMBER_MAX + 1];

	memcpy(text, p, n);
	text[n] = '\0';
	return isfinite(strtod(text, NULL)) != 0;
}

static int
scan_number(struct scan *s)
{
	const uint8_t *from = s->p, *digits, *whole;
	int r;

	if (at(s, '-'))
		s->p++;
	digits = s->p;
	r = scan_digits(s);
	whole = s->p;
	if (r == 0 && *digits == '0' && whole - digits > 1) {
		s->p = digits;
		return expected(s, "a number without a leading zero");
	}
	if (r < 0 || (r = scan_real_part(s)) < 0)
		return r;
	if (s->p - from > JSON_NUMBER_MAX || !is_finite_text(from, (size_t)(s->p - from))) {
		s->p = from;
		return expected(s, "a number in range");
	}
	if (s->p != whole || whole - digits > JSON_PLAIN_DIGITS)
		r = note_number(s, from, s->p == whole);
	s->numbers->total++;
	return r;
}

/* ---- objects and arrays ---- */

static int
scan_member(struct scan *s)
{
	int r;

	skip_space(s);
	if (!at(s, '"'))
		return expected(s, "a member's name");
	if ((r = scan_string(s)) < 0)
		return r;
	skip_space(s);
	if (!at(s, ':'))
		return expected(s, "a colon");
	s->p++;
	return scan_value(s);
}

/* From the opening bracket to the closing one. */
static int
scan_list(struct scan *s, uint8_t close, int (*item)(struct scan *), const char *next)
{
	int r;

	if (++s->depth > JSON_DEPTH_MAX)
		return expected(s, "no deeper nesting");
	s->p++;
	skip_space(s);
	if (!at(s, close)) {
		for (;;) {
			if ((r = item(s)) < 0)
				return r;
			skip_space(s);
			if (!at(s, ','))
				break;
			s->p++;
		}
	}
	if (!at(s, close))
		return expected(s, next);
	s->p++;
	s->depth--;
	return 0;
}

static int
scan_value(struct scan *s)
{
	skip_space(s);
	if (s->p == s->end)
		return expected(s, "a value");
	switch (*s->p) {
	case '{':
		return scan_list(s, '}', scan_member, "a comma or }");
	case '[':
		return scan_list(s, ']', scan_value, "a comma or ]");
	case '"':
		return scan_string(s);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	default:
		if (*s->p != '-' && !at_digit(s))
			return expected(s, "a value");
		return scan_number(s);
	}
}

int
json_scan(const void *data, size_t len, struct json_numbers *ret,
    char why[static JSON_WHY_MAX])
{
	struct json_numbers numbers = { 0 };
	const uint8_t *from = len > 0 ? data : (const void *)"";
	struct scan s = {
		.p = from,
		.end = from + len,
		.start = from,
		.numbers = &numbers,
		.why = why,
	};
	int r = scan_value(&s);

	skip_space(&s);
	if (r == 0 && s.p != s.end)
		r = expected(&s, "nothing after the value");
	if (r < 0) {
		json_numbers_deinit(&numbers);
		return r;
	}
	*ret = numbers;
	return 0;
}
