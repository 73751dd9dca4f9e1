#include "common/conf_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "common/buf.h"
#include "common/ident.h"

struct unit {
	const char	*name;
	uint64_t	 factor;
};

/* The largest first: a value prints in the largest unit that divides it. */
static const struct unit times[] = {
	{ "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 },
};
static const struct unit sizes[] = {
	{ "T", 1ull << 40 }, { "G", 1ull << 30 }, { "M", 1ull << 20 }, { "K", 1ull << 10 },
	{ "", 1 },
};
static const struct unit plain[] = { { "", 1 } };

static const struct unit *
units_of(const struct conf_key *k, size_t *ret_n)
{
	if (k->type == CONF_MS) {
		*ret_n = ARRAY_LEN(times);
		return times;
	}
	*ret_n = k->type == CONF_BYTES ? ARRAY_LEN(sizes) : ARRAY_LEN(plain);
	return k->type == CONF_BYTES ? sizes : plain;
}

static void *
field(const struct conf_key *k, void *out)
{
	return (char *)out + k->offset;
}

static const void *
const_field(const struct conf_key *k, const void *in)
{
	return (const char *)in + k->offset;
}

/* ---- numbers with a unit ---- */

static void
number_text(const struct conf_key *k, uint64_t v, char ret[static CONF_TEXT_MAX + 1])
{
	const struct unit *u;
	size_t n, i = 0;

	u = units_of(k, &n);
	while (i + 1 < n && (v == 0 || v % u[i].factor != 0))
		i++;
	(void)snprintf(ret, CONF_TEXT_MAX + 1, "%" PRIu64 "%s", v / u[i].factor, u[i].name);
}

static bool
take_number(const struct conf_key *k, const char *text, uint64_t *ret)
{
	size_t digits = strspn(text, "0123456789"), n;
	const struct unit *u = units_of(k, &n);
	uint64_t v = 0;

	if (digits == 0)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text[i] - '0'), &v))
			return false;
	text += digits;
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, u[i].name) == 0)
			return !__builtin_mul_overflow(v, u[i].factor, ret);
	*ret = v;
	return v == 0 && text[0] == '\0';	/* nought needs no unit */
}

static uint64_t
max_of(const struct conf_key *k)
{
	uint64_t top = k->type == CONF_U32 ? UINT32_MAX : UINT64_MAX;

	return k->max == 0 || k->max > top ? top : k->max;
}

static int
expect_number(const struct conf_key *k, char *expect)
{
	static const char *const kinds[] = {
		[CONF_MS] = "a time with its unit (ms, s, m, h, d)",
		[CONF_BYTES] = "bytes, plain or in K, M, G, T",
		[CONF_U32] = "a number",
	};
	char low[CONF_TEXT_MAX + 1], high[CONF_TEXT_MAX + 1];

	number_text(k, k->min, low);
	number_text(k, max_of(k), high);
	(void)snprintf(expect, CONF_EXPECT_MAX, "expected %s to be %s from %.40s to %.40s",
	    k->name, kinds[k->type], low, high);
	return -EINVAL;
}

static int
set_number(const struct conf_key *k, const char *text, void *out, char *expect)
{
	uint64_t v;

	if (!take_number(k, text, &v) || v < k->min || v > max_of(k))
		return expect_number(k, expect);
	if (k->type == CONF_U32)
		*(uint32_t *)field(k, out) = (uint32_t)v;
	else
		*(uint64_t *)field(k, out) = v;
	return 0;
}

/* ---- words ---- */

static int
expect_words(const struct conf_key *k, char *expect)
{
	AUTO(buf) struct buf b = BUF_EMPTY(CONF_EXPECT_MAX - 1);

	buf_printf(&b, "expected %s to be ", k->name);
	for (size_t i = 0; k->words[i]; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : k->words[i + 1] ? ", " : " or ", k->words[i]);
	(void)snprintf(expect, CONF_EXPECT_MAX, "%s", buf_text(&b) ? buf_text(&b) : k->name);
	return -EINVAL;
}

/* Its place, or the number of words. */
static uint32_t
place_of(const struct conf_key *k, const char *text)
{
	uint32_t i = 0;

	while (k->words[i] && strcmp(k->words[i], text) != 0)
		i++;
	return i;
}

static int
set_word(const struct conf_key *k, const char *text, void *out, char *expect)
{
	uint32_t i = place_of(k, text);

	if (!k->words[i])
		return expect_words(k, expect);
	if (k->type == CONF_U32)
		return set_number(k, text, out, expect);
	*(uint32_t *)field(k, out) = i;
	return 0;
}

static int
set_bool(const struct conf_key *k, const char *text, void *out, char *expect)
{
	static const char *const yes_no[] = { "yes", "no", NULL };
	struct conf_key words = *k;

	words.words = yes_no;
	if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
		return expect_words(&words, expect);
	*(bool *)field(k, out) = text[0] == 'y';
	return 0;
}

/* ---- text ---- */

static uint64_t
text_max(const struct conf_key *k)
{
	return k->max == 0 || k->max > CONF_TEXT_MAX ? CONF_TEXT_MAX : k->max;
}

static int
set_text(const struct conf_key *k, const char *text, void *out, char *expect)
{
	size_t n = strlen(text);

	if (n < k->min || n > text_max(k)) {
		(void)snprintf(expect, CONF_EXPECT_MAX,
		    "expected %s to have %" PRIu64 " to %" PRIu64 " bytes", k->name, k->min,
		    text_max(k));
		return -EINVAL;
	}
	if (k->type == CONF_PATH && n > 0 && text[0] != '/') {
		(void)snprintf(expect, CONF_EXPECT_MAX, "expected %s to be an absolute path",
		    k->name);
		return -EINVAL;
	}
	memcpy(field(k, out), text, n + 1);
	return 0;
}

static int
set_token(const struct conf_key *k, const char *text, void *out, char *expect)
{
	if (!ident_is_token(text)) {
		(void)snprintf(expect, CONF_EXPECT_MAX,
		    "expected %s to be 1 to 64 of A-Z a-z 0-9 _ and -", k->name);
		return -EINVAL;
	}
	memcpy(field(k, out), text, strlen(text) + 1);
	return 0;
}

int
conf_value_set(const struct conf_key *k, const char *text, void *out,
    char expect[static CONF_EXPECT_MAX])
{
	switch (k->type) {
	case CONF_STR:
	case CONF_PATH:
		return set_text(k, text, out, expect);
	case CONF_TOKEN:
		return set_token(k, text, out, expect);
	case CONF_U32:
		return k->words ? set_word(k, text, out, expect) :
		    set_number(k, text, out, expect);
	case CONF_BOOL:
		return set_bool(k, text, out, expect);
	case CONF_MS:
	case CONF_BYTES:
		return set_number(k, text, out, expect);
	case CONF_WORD:
		return set_word(k, text, out, expect);
	}
	abort();	/* a table with a type that is none */
}

void
conf_value_text(const struct conf_key *k, const void *in, char ret[static CONF_TEXT_MAX + 1])
{
	const void *at = const_field(k, in);

	switch (k->type) {
	case CONF_STR:
	case CONF_PATH:
	case CONF_TOKEN:
		(void)snprintf(ret, CONF_TEXT_MAX + 1, "%s", (const char *)at);
		return;
	case CONF_U32:
		number_text(k, *(const uint32_t *)at, ret);
		return;
	case CONF_BOOL:
		(void)snprintf(ret, CONF_TEXT_MAX + 1, "%s", *(const bool *)at ? "yes" : "no");
		return;
	case CONF_MS:
	case CONF_BYTES:
		number_text(k, *(const uint64_t *)at, ret);
		return;
	case CONF_WORD:
		(void)snprintf(ret, CONF_TEXT_MAX + 1, "%s", k->words[*(const uint32_t *)at]);
		return;
	}
	abort();	/* a table with a type that is none */
}
