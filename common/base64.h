/*
 * base64.h - RFC 4648 with padding, strict: no line breaks, no other characters, no bits left
 * over.  Pure; any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

/* Text, NUL-terminated, that the caller owns.  NULL: no memory. */
OWNED_BY(free) char *base64_encode(const void *data, size_t len);

/*
 * 0 and bytes that the caller owns, followed by a NUL that *ret_len does not count; -EINVAL;
 * -ENOMEM.
 */
int	 base64_decode(const char *text, size_t len, uint8_t **ret, size_t *ret_len) MUST_CHECK;
