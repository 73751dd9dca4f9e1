/* The block in which EDK2's fault tolerant writes are queued: is one of them half done? */
#include <string.h>

#include "common/buf.h"
#include "uefid/region.h"

#define BLOCK		4096u	/* it begins a block of flash */
#define HEADER		40u	/* of a write: bits, 16 bytes of whose, records, bytes beside each */
#define RECORD		40u	/* of a block that is written: bits, and where */

/* Flash is erased to ones: a bit is set in EDK2's sense once it is zero. */
#define IS_ALLOCATED(bits)		(((bits) & 1u) == 0)	/* of a header */
#define IS_COMPLETE(bits)		(((bits) & 4u) == 0)
#define IS_SPARE_COMPLETE(bits)		(((bits) & 2u) == 0)	/* of a record */
#define IS_DESTINATION_COMPLETE(bits)	(((bits) & 4u) == 0)

/* As it lies in flash. */
const uint8_t region_guid_working[16] = {
	0x2b, 0x29, 0x58, 0x9e, 0x68, 0x7c, 0x7d, 0x49,
	0xa0, 0xce, 0x65, 0x00, 0xfd, 0x9f, 0x1b, 0x95,
};

static size_t
volume_end(const struct region *r)
{
	struct cursor c = cursor_over(r->bytes + 32, 8);

	return (size_t)cursor_le64(&c);
}

/* Firmware looks for it where it was built to; so do we, by its signature. */
size_t
region_working_block(const struct region *r)
{
	size_t at = (r->end + BLOCK - 1) & ~(size_t)(BLOCK - 1), end = volume_end(r);

	for (; !r->in_spare && at < end && end - at >= REGION_WORKING_HEADER; at += BLOCK)
		if (memcmp(r->bytes + at, region_guid_working, 16) == 0)
			return at;
	return 0;
}

/* Of a write that is not complete: is any of its blocks between the spare half and its place? */
static bool
is_half_done(struct cursor *c, uint64_t records, uint64_t beside)
{
	for (uint64_t i = 0; i < records; i++) {
		const uint8_t *p = beside <= cursor_left(c) ? cursor_take(c, RECORD + (size_t)beside) : NULL;

		if (!p)
			return false;
		if (IS_SPARE_COMPLETE(p[0]) && !IS_DESTINATION_COMPLETE(p[0]))
			return true;
	}
	return false;
}

bool
region_is_being_rewritten(const struct region *r)
{
	size_t at = region_working_block(r), left = at > 0 ? volume_end(r) - at : 0;
	struct cursor c = cursor_over(r->bytes + at, left);
	const uint8_t *p;

	if (!cursor_take(&c, REGION_WORKING_HEADER))
		return false;
	/* Each turn takes a header, so this ends. */
	while ((p = cursor_take(&c, HEADER)) && IS_ALLOCATED(p[0])) {
		struct cursor sizes = cursor_over(p + HEADER - 16, 16);
		uint64_t records = cursor_le64(&sizes), beside = cursor_le64(&sizes);

		if (!IS_COMPLETE(p[0]))
			return is_half_done(&c, records, beside);
		if (beside > left || records > left / (RECORD + beside) ||
		    !cursor_take(&c, (size_t)(records * (RECORD + beside))))
			return false;
	}
	return false;
}
