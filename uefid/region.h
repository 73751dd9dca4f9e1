/*
 * region.h - the bytes of a variable store as firmware keeps them in flash: an EDK2 firmware
 * volume that holds a store of (authenticated) variables.  Here they are read, and foreign.
 * Pure; any thread.
 *
 * Sources: Platform Initialization Specification, volume 3 (firmware volume header);
 * EDK2 MdeModulePkg/Include/Guid/VariableFormat.h (variable store and variable headers).
 *
 * EDK2 MdeModulePkg/Include/Guid/SystemNvDataGuid.h (working block, queue of writes).
 *
 * Firmware rewrites a full store through the spare half of the same volume.  A copy taken in
 * that moment (or a machine that lost power in it) has a whole volume in the spare half alone;
 * firmware recovers from it at the next boot, so such a region is whole, and says so.  Later in
 * the rewrite the first half has a header again but old and new blocks behind it: that shows in
 * the queue alone (region_is_being_rewritten).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "common/json.h"

#define REGION_MAX		(64u << 20)	/* bytes: the largest that any firmware uses */
#define REGION_NAME_MAX		1024		/* bytes of a name in UTF-8 */
#define REGION_GUID_LEN		36
/* Variables caught between "being replaced" and "replaced": one for each loss of power. */
#define REGION_TRANSITIONS_MAX	64
#define REGION_WORKING_HEADER	32u	/* bytes, before the queue */

/* Attributes, as UEFI's specification numbers them. */
#define REGION_NON_VOLATILE	0x01u
#define REGION_TIME_BASED	0x20u	/* signed; the time of the last change is kept */

/* The sentence into why; -EINVAL. */
int	 region_refuse(char why[static JSON_WHY_MAX], const char *fmt, ...) PRINTF_LIKE(2, 3);

/* EFI_SYSTEM_NV_DATA_FV_GUID, EFI_AUTHENTICATED_VARIABLE_GUID and EDKII_WORKING_BLOCK_SIGNATURE_GUID,
 * as they lie in flash. */
extern const uint8_t region_guid_volume[16], region_guid_authenticated[16], region_guid_working[16];

struct region {			/* a view: borrows the bytes it was opened over */
	const uint8_t	*bytes;
	size_t		 size;
	size_t		 store;		/* offset of the first variable */
	size_t		 end;		/* offset past the variable store */
	bool		 authenticated;
	bool		 in_spare;	/* the volume of the spare half is what is whole */
};

/*
 * Checks what must hold of every region: exactly expected_size bytes; a volume header with
 * signature, length and checksum; the NVRAM file system's GUID; a formatted, healthy variable
 * store inside it.  0, or -EINVAL with a sentence.
 */
int	 region_open(const void *p, size_t n, uint64_t expected_size, struct region *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;

struct region_variable {
	char		 name[REGION_NAME_MAX + 1];	/* UTF-8 */
	char		 guid[REGION_GUID_LEN + 1];	/* lower case */
	uint32_t	 attributes;
	const uint8_t	*data;				/* inside the region */
	size_t		 size;
	const uint8_t	*guid_bytes;			/* as it lies in flash */
	const uint8_t	*time;				/* EFI_TIME; NULL: the store has none */
};

/*
 * Calls fn for each live variable, in the order of the store, until it returns false.
 * 0 once the end was reached: nothing but erased flash after the last variable, which is what
 * "parses completely" means; -EINVAL with a sentence when the list is broken (fn was called
 * for those before it).
 */
typedef bool region_variable_fn(void *arg, const struct region_variable *v);
int	 region_list(const struct region *r, region_variable_fn *fn, void *arg,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
/* A GUID as it lies in flash, as text. */
void	 region_guid_text(const uint8_t *g, char ret[static REGION_GUID_LEN + 1]);
enum region_secure_boot {
	REGION_SETUP,		/* no platform key: whoever comes first may enroll keys */
	REGION_DISABLED,	/* keys are enrolled, and a user switched the check off */
	REGION_ENABLED,
};
/* What firmware that knows Secure Boot will do with this store; "setup", "disabled", "enabled". */
enum region_secure_boot region_secure_boot(const struct region *r);
const char *region_secure_boot_text(enum region_secure_boot s);
/* Offset of the block in which firmware queues its writes; 0: none is found. */
size_t	 region_working_block(const struct region *r);
/* The queue has a write whose spare copy is complete and whose destination is not. */
bool	 region_is_being_rewritten(const struct region *r);
/* Parses completely, not out of the spare half, and nothing is being rewritten. */
bool	 region_is_complete(const struct region *r);
