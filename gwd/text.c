#include "gwd/text.h"

#include <stdint.h>

/* First byte: how many follow, and what its bits begin the character with. */
static size_t
lead(unsigned char c, uint32_t *ret)
{
	if (c < 0x80) {
		*ret = c;
		return 1;
	}
	if (c >= 0xc2 && c < 0xe0) {
		*ret = c & 0x1f;
		return 2;
	}
	if (c >= 0xe0 && c < 0xf0) {
		*ret = c & 0x0f;
		return 3;
	}
	*ret = c & 0x07;
	return c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

static bool
is_xml_char(uint32_t c, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return false;
	if (c < 0x20)
		return c == '\t' || c == '\n' || c == '\r';
	return c != 0xfffe && c != 0xffff;
}

size_t
text_char(const char *p, size_t n)
{
	uint32_t c = 0;
	const size_t len = n ? lead((unsigned char)*p, &c) : 0;

	if (!len || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		const unsigned char next = (unsigned char)p[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (next & 0x3f);
	}
	return is_xml_char(c, len) ? len : 0;
}

bool
text_is_plain(const char *p, size_t n)
{
	for (size_t i = 0; i < n;) {
		const size_t len = text_char(p + i, n - i);

		if (!len)
			return false;
		i += len;
	}
	return true;
}
