/*
 * ownership.h - what a leader read of an instance record says about whose it is.  Pure.
 *
 * Only two readings take a record from its owner: another name at a later revision than the
 * owner's own last landed write, and a delete marker there.  Silence, a stale reader, a key
 * without a message and a record that cannot be read take nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/cas.h"

enum ownership {
	OWNERSHIP_SAME,		/* the revision that we have */
	OWNERSHIP_NEWER,	/* still ours, written by somebody else */
	OWNERSHIP_MOVED,	/* names another node */
	OWNERSHIP_REMOVED,	/* a marker */
	OWNERSHIP_NOTHING,	/* proves nothing: failed, stale, unreadable, no message */
};

struct ownership_read {
	enum cas_result	 result;	/* of the load */
	uint64_t	 revision;	/* of the entry or its marker; 0: no message */
	bool		 is_marker;
	bool		 readable;	/* it could be decoded */
	const char	*node;		/* that it names, when readable */
};
enum ownership ownership_judge(const char *node, uint64_t landed, const struct ownership_read *r);
