/*
 * registry.h - who on this node may use which lease key.  A key has one client, a prefix has
 * one client, and neither may lie in the other's way; entries are never given back, since a
 * name that changes hands would let two clients believe in one key.  Pure.
 *
 * Keys and prefixes share the bucket with claims and with the bucket's own keys, so
 * everything that is no lease is registered here too, by whoever owns it.
 */
#pragma once

#include <stddef.h>

#include "common/cas.h"

#define REGISTRY_CLIENT_MAX	64	/* bytes of a client's name */
#define REGISTRY_MAX		65536	/* entries */

enum registry_result {
	REGISTRY_OK,
	REGISTRY_BAD_KEY,	/* no valid key, prefix, member name or client */
	REGISTRY_OWNED,		/* the key, or a prefix over it, is another's */
	REGISTRY_OVERLAP,	/* a prefix inside, around, or over something registered */
	REGISTRY_FULL,
	REGISTRY_NOMEM,
	REGISTRY_RESULTS
};
const char *registry_result_text(enum registry_result r);

struct registry;
void	 registry_free(struct registry *r);		/* NULL is fine */
OWNED_BY(registry_free) struct registry *registry_new(void);	/* NULL: no memory */

/* A key of its own.  Again by the same client: REGISTRY_OWNED, since a construction site is
 * one; registry_use is the call for who comes twice. */
enum registry_result registry_add_key(struct registry *r, const char *key, const char *client)
    MUST_CHECK;
/* All keys under "prefix.": its client names them freely. */
enum registry_result registry_add_prefix(struct registry *r, const char *prefix,
    const char *client) MUST_CHECK;
/*
 * May client use key?  REGISTRY_OK if the key or the prefix over it is the client's, or if
 * nobody's: it is the client's from then on.
 */
enum registry_result registry_use(struct registry *r, const char *key, const char *client)
    MUST_CHECK;
/* Whose it is, or NULL.  Borrowed. */
const char *registry_owner(const struct registry *r, const char *key);

/* A member of a group: as a key, but an underscore may come first. */
bool	 registry_member_is_valid(const char *name);
/* prefix and name as one key.  Its length, or -EINVAL, or -ENAMETOOLONG. */
int	 registry_member_key(const char *prefix, const char *name, char *ret, size_t size)
    MUST_CHECK;
