/*
 * forward.h - the setting `forward`: ports of the node's loopback, each of which leads to one
 * port of one guest.  Pure.
 */
#pragma once

#include <stdint.h>

#include "common/cleanup.h"

struct forward {
	uint16_t	first, last;	/* of the node */
	uint16_t	to;		/* of the guest; 0: nothing is forwarded */
};
/* "tcp:2222:22", "tcp:2200-2299:22", or "": nothing.  0 or -EINVAL. */
int	 forward_parse(const char *text, struct forward *ret) MUST_CHECK;
