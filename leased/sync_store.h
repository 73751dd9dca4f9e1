/*
 * sync_store.h - the lease table's port over the bucket of leases: tokens to JSON and back,
 * one kv call per request, its answer handed to the table.  A thousand are under way at most;
 * what becomes due beside them waits for its turn, renewals first, and is told as unavailable
 * when its time is over before.  Loop thread.
 */
#pragma once

#include "common/kv.h"
#include "leased/lease_table.h"

/* What a load says, for the rules.  A value that is no token is corrupt, not an error. */
void	 sync_seen(enum cas_result res, const struct cas_entry *e, struct lease_seen *ret);

struct sync_store;
struct sync_store_spec {
	struct bucket	*bucket;
	struct loop	*loop;
	const char	*holder;	/* this node, as the table has it; borrowed, as own_key */
	const char	*own_key;	/* of its own lease, which waits for no other */
	/* Edges of the table, see lease_port. */
	void		(*edges)(void *arg, struct hold *h, unsigned edges, uint64_t now_ms);
	/* After each answer: the table's deadline may have moved. */
	void		(*turned)(void *arg);
	void		*arg;
};
int	 sync_store_new(const struct sync_store_spec *spec, struct sync_store **ret) MUST_CHECK;
void	 sync_store_free(struct sync_store *s);		/* NULL is fine; after the loop's end */
/* The port to make the table with; then the table that gets the answers. */
struct lease_port sync_store_port(struct sync_store *s);
void	 sync_store_attach(struct sync_store *s, struct lease_table *t);
/* A token as the bucket holds it.  Its length, or -ENAMETOOLONG, -ENOMEM. */
#define SYNC_VALUE_MAX	256
int	 sync_print(const struct cas_token *t, char ret[static SYNC_VALUE_MAX]) MUST_CHECK;
