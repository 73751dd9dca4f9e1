/*
 * hash.h - FNV-1a, 64 bits, for tables in memory: nothing that is kept or sent depends on it, and
 * who can choose the texts can choose their hashes.
 */
#pragma once

#include <stdint.h>

#define HASH_BEGIN	UINT64_C(0xcbf29ce484222325)

/* Goes on from hash, over the text's end too: "a" "b" is not "ab" "". */
static inline uint64_t
hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	while (*text++ != '\0');
	return hash;
}
