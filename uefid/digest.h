/*
 * digest.h - SHA-256 in lower-case hexadecimal.  Any thread.
 */
#pragma once

#include <stddef.h>

#include "common/cleanup.h"

#define DIGEST_HEX	64

int	 digest_bytes(const void *p, size_t n, char ret[static DIGEST_HEX + 1]) MUST_CHECK;
/* All of a file, read in pieces.  May block. */
int	 digest_file(const char *path, char ret[static DIGEST_HEX + 1]) MUST_CHECK;
