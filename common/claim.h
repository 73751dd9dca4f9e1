/*
 * claim.h - ownership of a key without expiry: it ends by unlock or by take-over.  Pure over a
 * cas_store; keeps no state: two calls for one key are equivalent, and callers of one process
 * serialise themselves.  For jobs (the store blocks).
 *
 * A token's generation is the revision at which the key was won, so each later holder's is
 * larger.  A claim fences nothing by itself: whoever writes elsewhere compares generations
 * there (see uefi_record.h).
 */
#pragma once

#include "common/cas.h"

enum claim_result {
	CLAIM_OK,
	CLAIM_HELD,		/* *ret_token: the present holder; empty holder: no key was found */
	CLAIM_LOST,		/* unlock, confirm: no longer ours */
	CLAIM_CORRUPT,		/* the value is not a token: an operator's case */
	CLAIM_STORE,		/* the store's answer stands in *ret_store */
	CLAIM_RESULTS
};

/* Lock, or adopt what holder has (a confirming swap, its generation kept).  Up to 3 rounds. */
enum claim_result claim_lock(const struct cas_store *s, const char *key, const char *holder,
    struct cas_token *ret_token, enum cas_result *ret_store) MUST_CHECK;
/*
 * From exactly the holder and generation `from` at the revision it was read at: one read, one
 * swap.  Whoever takes over reads, then makes sure that the holder is dead, then calls this: a
 * confirm of a holder that came back in between has moved the revision, and CLAIM_HELD says so.
 */
enum claim_result claim_take_over(const struct cas_store *s, const char *key,
    const struct cas_token *from, uint64_t revision, const char *holder,
    struct cas_token *ret_token, enum cas_result *ret_store) MUST_CHECK;
/*
 * Is what we won still ours?  CLAIM_OK: a swap that keeps the token landed; nothing less says
 * so.  CLAIM_LOST: a read above the token's own revision names another token or none, which is
 * *ret_now.  Any other answer proves nothing: ask again.  Up to 3 rounds.
 */
enum claim_result claim_confirm(const struct cas_store *s, const char *key,
    const struct cas_token *token, struct cas_token *ret_now, enum cas_result *ret_store)
    MUST_CHECK;
enum claim_result claim_unlock(const struct cas_store *s, const char *key,
    const struct cas_token *token, enum cas_result *ret_store) MUST_CHECK;
/* CLAIM_OK with an empty holder when the key is free.  *ret_revision is the entry's, or its
 * marker's, or 0. */
enum claim_result claim_read(const struct cas_store *s, const char *key,
    struct cas_token *ret_token, uint64_t *ret_revision, enum cas_result *ret_store) MUST_CHECK;
