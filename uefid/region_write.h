/*
 * region_write.h - a variable store as firmware would write it into empty flash: volume header,
 * store, variables, and the working block of firmware's own recovery.  Pure; any thread.
 *
 * Sources: as region.h; EDK2 MdeModulePkg/Include/Guid/FaultTolerantWrite.h (working block).
 */
#pragma once

#include "uefid/region_entry.h"

enum region_rest {		/* what follows the variable store, in the volume and after it */
	REGION_REST_CLEAN,	/* erased, nothing for firmware to recover */
	REGION_REST_KEPT,	/* as it is: with the same variables, byte for byte the same */
};
struct region_writer {
	struct region	 view;		/* of what is written */
	uint8_t		*bytes;		/* the same */
	size_t		 at;		/* where the next variable goes */
};
/*
 * A blank region of size bytes, as firmware formats flash that holds nothing at all: for the
 * templates of firmware that ships empty flash.  0; -EINVAL with a sentence: no firmware is
 * known that has flash of this size; -ENOMEM.
 */
int	 region_format(uint64_t size, struct buf *ret, char why[static JSON_WHY_MAX]) MUST_CHECK;
/*
 * A region of like's size and shape, without variables, in ret, which is empty and stays where
 * it is as long as w is used.  0; -EINVAL with a sentence: like is not one that can be written
 * anew (it lies in the spare half, or its headers say more than is known); -ENOMEM.
 */
int	 region_begin(const struct region *like, enum region_rest rest, struct buf *ret,
    struct region_writer *w, char why[static JSON_WHY_MAX]) MUST_CHECK;
/* As it is, whatever its state.  -ENOSPC: it does not fit behind those before it. */
int	 region_add_entry(struct region_writer *w, const struct region_entry *e) MUST_CHECK;
/*
 * A live one: of v counts name, guid_bytes, attributes, data, size and time.  0; -ENOSPC;
 * -EINVAL with a sentence: one of this name is there, a name that is not UTF-8, no data, not
 * non-volatile, or signed by time in a store that has no place for it.
 */
int	 region_add(struct region_writer *w, const struct region_variable *v,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
/* Calls fn for each header of r, whatever its state; as region_list. */
typedef bool region_entry_fn(void *arg, const struct region_entry *e);
int	 region_entries(const struct region *r, region_entry_fn *fn, void *arg,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
