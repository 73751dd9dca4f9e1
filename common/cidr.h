/*
 * cidr.h - IPv4 blocks as EC2 writes them.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/cleanup.h"

#define CIDR_TEXT_MAX	19	/* "255.255.255.255/32" and its NUL */

struct cidr {
	uint32_t	 base;		/* host order; the bits of hosts are 0 */
	uint8_t		 bits;		/* 0 to 32 */
};
/* "10.0.0.0/16"; bits of hosts are cleared.  0, or -EINVAL. */
int	 cidr_read(const char *text, struct cidr *ret) MUST_CHECK;
void	 cidr_print(const struct cidr *c, char ret[static CIDR_TEXT_MAX]);
bool	 cidr_has(const struct cidr *outer, const struct cidr *inner);	/* or is the same */
bool	 cidr_meets(const struct cidr *a, const struct cidr *b);	/* share an address */
uint32_t cidr_size(const struct cidr *c);	/* addresses; at most 2^31 are counted */
