/*
 * uefi_data.h - a store's variables in the form that EC2's UefiData has, before base64: a magic
 * number, a CRC-32C, a version and a zlib stream of the non-volatile variables.  What is read
 * is foreign.  Pure; any thread.
 *
 * Source: the public description of the format, as python-uefivars reads and writes it.
 */
#pragma once

#include <stdint.h>

#include "common/buf.h"
#include "uefid/region.h"

#define UEFI_DATA_MAX		(1u << 20)	/* bytes, compressed */
#define UEFI_DATA_INFLATED_MAX	(4u << 20)
#define UEFI_DATA_VARIABLES_MAX	4096u

/* The non-volatile variables of r.  0; -EINVAL with a sentence: r's list is broken, or there
 * are more than fit; -ENOMEM. */
int	 uefi_data_write(const struct region *r, struct buf *ret, char why[static JSON_WHY_MAX])
    MUST_CHECK;
/*
 * dictionary: what AWS compresses with, for data that was made so; NULL: there is none.
 * Calls fn for each variable, until it returns false, once all of it was found to be right;
 * data, guid_bytes and time are inside scratch, which is empty and has UEFI_DATA_INFLATED_MAX
 * as its ceiling.  0; -EINVAL with a sentence; -ENOMEM.
 */
int	 uefi_data_read(const void *p, size_t n, const struct buf *dictionary, struct buf *scratch,
    region_variable_fn *fn, void *arg, char why[static JSON_WHY_MAX]) MUST_CHECK;
/*
 * A region of like's size and shape with just these variables, and nothing for firmware to
 * recover, in ret, which is empty.  0; -EINVAL with a sentence: the data is not right, the
 * variables do not fit, or like cannot be written anew; -ENOMEM.
 */
int	 uefi_data_region(const void *p, size_t n, const struct buf *dictionary,
    const struct region *like, struct buf *ret, char why[static JSON_WHY_MAX]) MUST_CHECK;
