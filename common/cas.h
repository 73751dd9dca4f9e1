/*
 * cas.h - what a compare-and-swap store answers, and the three calls that the locks need of
 * one.  No library behind it: claims and leases are written against this alone.
 *
 * Revisions never go down or restart, deletes included.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

enum cas_result {
	CAS_OK,
	CAS_NOT_FOUND,		/* loads: no value; the entry's revision is that of its delete
				   marker, or 0 when the key has no message at all */
	CAS_LOST,		/* the key is at another revision and nothing of ours stands there.  After
				   an unknown answer on the way it may have landed and been overwritten:
				   whoever cares reads and judges by content */
	CAS_UNAVAILABLE,	/* not reachable; nothing was written; try again */
	CAS_UNKNOWN,		/* it may have landed or may land yet: read and judge by content */
	CAS_BUCKET_LOST,	/* the bucket is gone, or went back: only an operator mends it */
	CAS_REFUSED,		/* no space, too large, not allowed: an operator's case */
	CAS_INVALID,		/* a key or a call that can never be right */
	CAS_NOMEM,
	CAS_RESULTS
};
const char *cas_result_text(enum cas_result r);		/* "lost the race", ... */

struct cas_entry {
	char		*value;		/* owned: cas_entry_deinit; NUL-terminated; NULL: none */
	size_t		 len;
	uint64_t	 revision;
	bool		 is_marker;
};
void	 cas_entry_deinit(struct cas_entry *e);
static inline void __attribute__((unused))
auto_cas_entry(struct cas_entry *e)
{
	cas_entry_deinit(e);
}

/* Each call may block: for jobs.  Outputs are untouched unless CAS_OK (load: or NOT_FOUND). */
struct cas_store {
	void	*ctx;
	enum cas_result (*load)(void *ctx, const char *key, struct cas_entry *ret);
	/* expected 0 means "absent or deleted" */
	enum cas_result (*swap)(void *ctx, const char *key, const char *value, size_t len,
	    uint64_t expected, uint64_t *ret_revision);
	enum cas_result (*remove)(void *ctx, const char *key, uint64_t expected);
};

/*
 * Keys: [A-Za-z0-9-/_=.], not empty, no dot at either end, no "..", no leading '_' (the
 * bucket's own), at most CAS_KEY_MAX bytes.  A prefix is the same and ends in one dot.
 */
#define CAS_KEY_MAX	200
bool	 cas_key_is_valid(const char *key);
bool	 cas_prefix_is_valid(const char *prefix);
uint64_t cas_key_hash(const char *key);		/* for tables in memory, see hash.h */

/* {"holder": <text>, "generation": <uint64>}: the value of a claim or a lease. */
#define CAS_HOLDER_MAX	64
struct cas_token {
	char		 holder[CAS_HOLDER_MAX + 1];	/* empty: nobody */
	uint64_t	 generation;			/* 0 in a value: that entry's revision */
};
/* 0, or -EINVAL for anything but a JSON object with a non-empty holder.  A missing or zero
 * generation is replaced by revision. */
int	 cas_token_parse(const char *value, size_t len, uint64_t revision,
    struct cas_token *ret) MUST_CHECK;
/* Into ret; length, or -ENAMETOOLONG. */
int	 cas_token_print(const struct cas_token *t, char *ret, size_t size) MUST_CHECK;
