/*
 * prune.h - which objects of a store may go.  Rules 122 to 124.  Pure.
 *
 * Never: the pointer's; the newest keep_versions beside it; one that was set aside; one whose
 * generation cannot be read.  Else: one of the holder's own generation at once (it alone moves
 * the pointer, so nothing can come to name it), one of an older generation once it is
 * older than PRUNE_AGE_MS, one of a newer generation never.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/uefi_record.h"

#define PRUNE_AGE_MS	(10 * 60 * 1000)

struct prune_object {
	const char	*key;
	uint64_t	 written_ms;		/* 0: unknown, which counts as young */
	uint64_t	 generation;		/* 0: unreadable */
	bool		 is_set_aside;
};
struct prune {
	const char	*owner;
	const char	*pointer_key;		/* of a read answered by the leader */
	uint64_t	 generation;		/* ours, which is the record's */
	uint64_t	 now_ms;		/* wall */
	uint32_t	 keep_versions;
};

enum prune_verdict {
	PRUNE_KEEP,
	PRUNE_YOUNG,		/* surplus, but too young: come back later */
	PRUNE_DELETE,
};
/*
 * Fills verdicts[0..n-1].  0, or -EINVAL with nothing decided: the pointer or any object is
 * not directly under the owner's prefix.
 */
int	 prune_judge(const struct prune *p, const struct prune_object *objects, size_t n,
    enum prune_verdict *verdicts) MUST_CHECK;
