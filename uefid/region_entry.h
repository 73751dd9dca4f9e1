/*
 * region_entry.h - one variable as it lies in flash, live or not: its header, name and data.
 * Pure; any thread.
 */
#pragma once

#include "common/buf.h"
#include "uefid/region.h"

/* A variable's state loses a bit with each step of its life. */
#define REGION_ADDED		0x3fu
#define REGION_IN_TRANSITION	0x3eu	/* being replaced: the live one until the new one is added */
#define REGION_NEVER		0xffu	/* its header was being written */

struct region_entry {
	uint8_t		 state, reserved;
	uint32_t	 attributes;
	uint64_t	 count;			/* the deprecated way to sign: a count, and a key */
	uint32_t	 key_index;
	const uint8_t	*time;			/* EFI_TIME, 16 bytes; NULL: the store has none */
	const uint8_t	*guid;			/* 16 bytes */
	uint32_t	 name_size, data_size;	/* as the header says */
	const uint8_t	*name;			/* the data follows it */
	size_t		 body_size;		/* of both; 0 in a header half written */
	const uint8_t	*pad;			/* what aligns the next: firmware leaves it to chance; */
	size_t		 pad_size;		/* NULL: erased */
};

bool	 region_entry_is_next(const struct cursor *c);
/* Takes one, with the bytes that align the next.  False when it passes the end. */
bool	 region_entry_take(const struct region *r, struct cursor *c, struct region_entry *ret)
    MUST_CHECK;
/* Writes one behind at, in erased flash, with time zero where it has none and the store wants
 * one.  Where the next goes; 0 when it does not fit before the store's end. */
size_t	 region_entry_put(const struct region *r, uint8_t *bytes, size_t at,
    const struct region_entry *e) MUST_CHECK;
