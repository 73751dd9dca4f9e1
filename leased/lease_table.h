/*
 * lease_table.h - the leases of one node: found by key, due by one heap of deadlines.  Rules
 * still: the store is a port of three calls that answer later, time is an argument, and the
 * owner keeps one timer at lease_table_deadline.  Loop thread only.
 */
#pragma once

#include "leased/hold.h"

#define LEASE_TABLE_MAX	65536	/* keys at one time */

struct lease_table;

/*
 * What the table needs.  load, put and remove send at once or soon (all is counted from the
 * call) and answer exactly once, later (never from inside the call), by lease_table_loaded or
 * _written with the same key and op; false: not sent, and no answer will come.  While the store
 * is not sound (it went back, or another server was met just now) the port sends renewals alone:
 * no win and no remove.
 */
struct lease_port {
	void	*ctx;
	bool	(*load)(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms);
	bool	(*put)(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
	    uint64_t expected, uint64_t timeout_ms);
	bool	(*remove)(void *ctx, const char *key, uint64_t op, uint64_t expected,
	    uint64_t timeout_ms);
	/* Each turn with edges (bits of lease_edge), told before the request of that turn is
	 * sent.  h is as it is after the turn; must not call the table. */
	void	(*edges)(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms);
};

/*
 * holder: this node.  start_ms: when this process knew that no predecessor of it runs; keys
 * found in our name are granted to unknown clients 2T/3 after it.  0; -EINVAL without port
 * or with a bad holder; -ENOMEM.
 */
int	 lease_table_new(const char *holder, const struct lease_port *port, uint64_t start_ms,
    struct lease_table **ret) MUST_CHECK;
void	 lease_table_free(struct lease_table *t);	/* NULL is fine; unlocks nothing */
DEFINE_AUTO(struct lease_table *, lease_table, lease_table_free)

/* Ownership of names: add what is no client's lease before anyone asks. */
struct registry *lease_table_registry(struct lease_table *t);
/* The node's own lease, held from now on.  0, -EEXIST, -ENOMEM. */
int	 lease_table_add_own(struct lease_table *t, const char *key, uint64_t ttl_ms,
    uint64_t now_ms) MUST_CHECK;

enum table_result {
	TABLE_OK,
	TABLE_BAD_KEY,
	TABLE_OWNED,		/* another client of this node has the key */
	TABLE_TTL,		/* here it has another ttl, which must be one for all */
	TABLE_FULL,
	TABLE_NOMEM,
	TABLE_RESULTS
};
struct table_ask {
	const char	*key, *client, *incarnation;
	uint64_t	 ttl_ms;
	uint64_t	 generation;
};
/* TABLE_OK: *ret is filled; it may be pending (the verdict comes through edges). */
enum table_result lease_table_ask(struct lease_table *t, const struct table_ask *ask,
    uint64_t now_ms, struct hold_answer *ret) MUST_CHECK;
/* As hold_release; also false for a key that client has not. */
bool	 lease_table_release(struct lease_table *t, const char *key, const char *client,
    const char *incarnation, uint64_t generation, uint64_t now_ms);
/* A clean stop: see hold_leave.  Ask no more afterwards. */
void	 lease_table_leave_all(struct lease_table *t, uint64_t now_ms);
size_t	 lease_table_leaving(const struct lease_table *t);	/* unlocks in flight */

void	 lease_table_loaded(struct lease_table *t, const char *key, uint64_t op,
    const struct lease_seen *seen, uint64_t now_ms);
void	 lease_table_written(struct lease_table *t, const char *key, uint64_t op,
    enum cas_result res, uint64_t revision, uint64_t now_ms);
/* key "": all.  turn_ms: see lease_hint. */
void	 lease_table_hint(struct lease_table *t, const char *key, uint64_t turn_ms, uint64_t now_ms);
void	 lease_table_tick(struct lease_table *t, uint64_t now_ms);
uint64_t lease_table_deadline(const struct lease_table *t);	/* or LEASE_NEVER */

/* Borrowed until the next call that takes now_ms; NULL: not here. */
struct hold *lease_table_find(struct lease_table *t, const char *key);
size_t	 lease_table_count(const struct lease_table *t);
/* In no order; fn must not call the table. */
void	 lease_table_each(const struct lease_table *t, void (*fn)(void *arg,
    const struct hold *h), void *arg);
