#include "common/base64.h"

#include <errno.h>
#include <stdbool.h>

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *
base64_encode(const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t n = 0;
	char *out;

	if (len > SIZE_MAX / 2 || !(out = malloc((len + 2) / 3 * 4 + 1)))
		return NULL;
	for (size_t i = 0; i < len; i += 3) {
		uint32_t v = (uint32_t)p[i] << 16;

		if (i + 1 < len)
			v |= (uint32_t)p[i + 1] << 8;
		if (i + 2 < len)
			v |= p[i + 2];
		out[n++] = digits[v >> 18];
		out[n++] = digits[v >> 12 & 63];
		out[n++] = i + 1 < len ? digits[v >> 6 & 63] : '=';
		out[n++] = i + 2 < len ? digits[v & 63] : '=';
	}
	out[n] = '\0';
	return out;
}

/* 0 to 63, or 64. */
static uint32_t
digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (uint32_t)(c - 'A');
	if (c >= 'a' && c <= 'z')
		return (uint32_t)(c - 'a') + 26;
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0') + 52;
	return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/* Four digits, pad of them '='; false when one is none, or bits are left over. */
static bool
group(const char *t, size_t pad, uint8_t *out)
{
	uint32_t v = 0;

	for (size_t i = 0; i < 4; i++) {
		uint32_t d = i < 4 - pad ? digit(t[i]) : 0;

		if (d > 63)
			return false;
		v = v << 6 | d;
	}
	if ((pad > 0 && (v & 0xff) != 0) || (pad > 1 && (v & 0xffff) != 0))
		return false;
	out[0] = (uint8_t)(v >> 16);
	if (pad < 2)
		out[1] = (uint8_t)(v >> 8);
	if (pad < 1)
		out[2] = (uint8_t)v;
	return true;
}

int
base64_decode(const char *text, size_t len, uint8_t **ret, size_t *ret_len)
{
	size_t pad = 0, n = len / 4 * 3;
	uint8_t *out;

	if (len % 4 != 0)
		return -EINVAL;
	while (pad < 2 && pad < len && text[len - 1 - pad] == '=')
		pad++;
	n -= pad;
	out = malloc(n + 3);		/* the last group may write past what counts */
	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < len / 4; i++)
		if (!group(text + 4 * i, i + 1 == len / 4 ? pad : 0, out + 3 * i)) {
			free(out);
			return -EINVAL;
		}
	out[n] = '\0';
	*ret = out;
	*ret_len = n;
	return 0;
}
