/*
 * keys.h - access keys: the bucket spinifex-iam-access-keys and a copy of it in memory that
 * hints and a re-read every 10 s keep true.  Secrets rest encrypted (AES-256-GCM) under the
 * node's master key.  Loop thread only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/clock.h"
#include "common/kv.h"

#define KEYS_ID_MAX		128	/* bytes of an access key id */
#define KEYS_SECRET_MAX		128
#define KEYS_REREAD_MS		10000

struct keys;

struct key {
	char	 id[KEYS_ID_MAX + 1];
	char	 account[13];
	char	 user[65];
	bool	 is_active;
};

int	 keys_new(struct loop *l, struct kv *kv, const char *master_key_file, struct keys **ret)
    MUST_CHECK;
void	 keys_free(struct keys *k);		/* NULL is fine */

enum keys_result {
	KEYS_OK,
	KEYS_UNKNOWN,		/* no such key, or not active */
	KEYS_UNREADABLE,	/* sealed under another master key */
	KEYS_UNAVAILABLE,	/* the bucket cannot be read and the key is not in memory */
	KEYS_BUSY,		/* too many look-ups of unknown keys at once */
};
/*
 * fn(arg, res, key, signing_key) exactly once, now or later; key and signing_key are borrowed
 * for the call and NULL unless KEYS_OK.  The signing key is of date (YYYYMMDD), region, service.
 */
typedef void keys_found_fn(void *arg, enum keys_result res, const struct key *key,
    const uint8_t *signing_key);
void	 keys_find(struct keys *k, const char *id, const char *date, const char *region,
    const char *service, keys_found_fn *fn, void *arg);
