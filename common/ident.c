#include "common/ident.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>

static const char hex_digits[] = "0123456789abcdef";
static const char nonce_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void
ident_bytes(void *p, size_t n)
{
	uint8_t *at = p;

	while (n > 0) {
		ssize_t got = getrandom(at, n, 0);

		if (got < 0 && errno != EINTR)
			abort();
		if (got > 0) {
			at += got;
			n -= (size_t)got;
		}
	}
}

/* n digits, the high half of each byte first. */
static void
put_hex(char *ret, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = hex_digits[i % 2 ? p[i / 2] & 15 : p[i / 2] >> 4];
}

void
ident_uuid(char ret[static IDENT_UUID_LEN + 1])
{
	static const struct { uint8_t at, from, n; } groups[] = {
		{ 0, 0, 8 }, { 9, 4, 4 }, { 14, 6, 4 }, { 19, 8, 4 }, { 24, 10, 12 },
	};
	uint8_t b[16];

	ident_bytes(b, sizeof(b));
	b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);		/* version 4 */
	b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);		/* the variant of RFC 4122 */
	memset(ret, '-', IDENT_UUID_LEN);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		put_hex(ret + groups[i].at, b + groups[i].from, groups[i].n);
	ret[IDENT_UUID_LEN] = '\0';
}

void
ident_nonce(char ret[static IDENT_NONCE_LEN + 1])
{
	uint8_t b[17] = { 0 };		/* 132 bits are read; the last four are zero */

	ident_bytes(b, 16);
	for (size_t i = 0; i < IDENT_NONCE_LEN; i++) {
		size_t bit = i * 6, byte = bit / 8;
		unsigned two = (unsigned)b[byte] << 8 | b[byte + 1];

		ret[i] = nonce_digits[two >> (10 - bit % 8) & 63];
	}
	ret[IDENT_NONCE_LEN] = '\0';
}

void
ident_ec2(const char *prefix, char *ret, size_t size)
{
	size_t n = strlen(prefix);
	uint8_t b[(IDENT_EC2_LEN + 1) / 2];

	if (n + 1 + IDENT_EC2_LEN + 1 > size)
		abort();
	ident_bytes(b, sizeof(b));
	memcpy(ret, prefix, n);
	ret[n] = '-';
	put_hex(ret + n + 1, b, IDENT_EC2_LEN);
	ret[n + 1 + IDENT_EC2_LEN] = '\0';
}

bool
ident_is_ec2(const char *s, const char *prefix)
{
	size_t n = strlen(prefix), digits;

	if (strncmp(s, prefix, n) != 0 || s[n] != '-')
		return false;
	s += n + 1;
	digits = strspn(s, hex_digits);
	return s[digits] == '\0' && (digits == 8 || digits == IDENT_EC2_LEN);
}

bool
ident_is_uuid4(const char *s)
{
	static const char form[] = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < IDENT_UUID_LEN; i++) {
		const char *allowed = form[i] == 'x' ? hex_digits : "89ab";

		if (s[i] == '\0')
			return false;
		if (form[i] == '-' || form[i] == '4') {
			if (s[i] != form[i])
				return false;
		} else if (!strchr(allowed, s[i])) {
			return false;
		}
	}
	return s[IDENT_UUID_LEN] == '\0';
}

bool
ident_is_token(const char *s)
{
	size_t n = strspn(s, nonce_digits);

	return s[n] == '\0' && n >= 1 && n <= 64;
}
