/*
 * key_record.h - `<access key id>` in spinifex-iam-access-keys, and the table of those in
 * memory.  Pure.
 */
#pragma once

#include "common/json.h"
#include "gwd/keys.h"
#include "gwd/seal.h"

#define KEY_RECORD_MAX	4096	/* bytes of JSON */

struct key_record {
	char		 account_id[13];
	char		 user[65];
	char		 secret[SEAL_TEXT_MAX];		/* sealed */
	char		 status[9];			/* "active", "inactive" */
	uint64_t	 created_ms;
};
int	 key_record_from_json(const char *value, size_t len, struct key_record *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *key_record_to_json(const struct key_record *r);	/* NULL: no memory */
bool	 key_account_is_valid(const char *account);			/* 12 digits */

/* "AKIA" and 16 of A-Z2-7; 40 of base64's characters. */
#define KEY_ID_LEN	20
#define KEY_SECRET_LEN	40
void	 key_random(char ret_id[static KEY_ID_LEN + 1], char ret_secret[static KEY_SECRET_LEN + 1]);

/* ---- the table ---- */

#define KEY_SCOPES	3	/* signing keys kept per access key */

struct key_scope {		/* a signing key is of one day, region and service */
	char	 date[9], region[65], service[65];
	uint8_t	 signing_key[32];
};
struct key_entry {
	struct key	 key;
	char		 secret[SEAL_SECRET_MAX + 1];
	bool		 is_readable;
	uint64_t	 revision;
	uint64_t	 pass;			/* the last pass over the bucket that saw it */
	struct key_scope scope[KEY_SCOPES];
	unsigned	 next_scope;		/* which to forget next */
};
struct key_table {		/* zero is an empty one */
	struct key_entry	**entry;	/* sorted by id */
	size_t			  n, room;
};
void	 key_table_deinit(struct key_table *t);
struct key_entry *key_table_find(const struct key_table *t, const char *id);
/* The entry of that id, made when there is none.  NULL: no memory. */
struct key_entry *key_table_put(struct key_table *t, const char *id);
void	 key_table_remove(struct key_table *t, const char *id);
/* Removes what pass did not see. */
void	 key_table_sweep(struct key_table *t, uint64_t pass);
/* The signing key, derived on first use.  Borrowed: until the entry changes.  NULL: no memory. */
const uint8_t *key_signing_key(struct key_entry *e, const char *date, const char *region,
    const char *service);
