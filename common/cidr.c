#include "common/cidr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint32_t
mask_of(unsigned bits)
{
	return bits ? ~(uint32_t)0 << (32 - bits) : 0;
}

int
cidr_read(const char *text, struct cidr *ret)
{
	const char *slash = strchr(text, '/');
	char address[16];
	struct in_addr a;
	unsigned bits = 0;
	size_t n;

	if (!slash || (size_t)(slash - text) >= sizeof(address))
		return -EINVAL;
	memcpy(address, text, (size_t)(slash - text));
	address[slash - text] = '\0';
	n = strspn(slash + 1, "0123456789");
	if (n < 1 || n > 2 || slash[1 + n] || (n == 2 && slash[1] == '0') ||
	    inet_pton(AF_INET, address, &a) != 1)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		bits = 10 * bits + (unsigned)(slash[1 + i] - '0');
	if (bits > 32)
		return -EINVAL;
	*ret = (struct cidr){ ntohl(a.s_addr) & mask_of(bits), (uint8_t)bits };
	return 0;
}

void
cidr_print(const struct cidr *c, char ret[static CIDR_TEXT_MAX])
{
	(void)snprintf(ret, CIDR_TEXT_MAX, "%u.%u.%u.%u/%u", c->base >> 24 & 255,
	    c->base >> 16 & 255, c->base >> 8 & 255, c->base & 255, c->bits & 63u);
}

bool
cidr_has(const struct cidr *outer, const struct cidr *inner)
{
	return inner->bits >= outer->bits && (inner->base & mask_of(outer->bits)) == outer->base;
}

bool
cidr_meets(const struct cidr *a, const struct cidr *b)
{
	return cidr_has(a, b) || cidr_has(b, a);
}

uint32_t
cidr_size(const struct cidr *c)
{
	return c->bits ? (uint32_t)1 << (32 - c->bits) : (uint32_t)1 << 31;
}
