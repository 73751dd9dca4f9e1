/*
 * key_pair.h - `<account>.<sha256 of the name>` in spinifex-ec2-key-pair: a public key that
 * guests are launched with.  The name is in the key, so that two of one name cannot be; the
 * private side is given to the client that made it and kept nowhere.  Pure.
 */
#pragma once

#include "common/json.h"

#define KEY_PAIR_NAME_MAX	255	/* characters of printable ASCII */
#define KEY_PAIR_KEY_MAX	96	/* bytes of the bucket's key, with the NUL */

struct key_pair {
	char		 id[22];		/* "key-" and 17 digits */
	char		 name[KEY_PAIR_NAME_MAX + 1];
	char		 type[9];		/* "rsa", "ed25519" */
	char		 fingerprint[65];
	char		*public_key;		/* a line of OpenSSH; owned */
	uint64_t	 created_ms;
	cJSON		*tags;			/* [{"Key", "Value"}]; owned; NULL: none */
};
void	 key_pair_deinit(struct key_pair *k);
static inline void __attribute__((unused))
auto_key_pair(struct key_pair *k)
{
	key_pair_deinit(k);
}

bool	 key_pair_name_is_valid(const char *name);
void	 key_pair_key(const char *account, const char *name, char ret[static KEY_PAIR_KEY_MAX]);

int	 key_pair_from_json(const char *value, size_t len, struct key_pair *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *key_pair_to_json(const struct key_pair *k);	/* NULL: no memory */
/* EC2's KeyPairInfo; NULL: no memory. */
OWNED_BY(cJSON_Delete) cJSON *key_pair_view(const struct key_pair *k, bool with_public_key);
