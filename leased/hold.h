/*
 * hold.h - a lease and the client of this node for which it is held.  Pure.
 *
 *	client     ask a .............. a+T/6 ask again ........ a+2T/3 believes no longer
 *	leased       ^ answers valid_until <= a+2T/3 and <= the lease's own
 *
 * A client acts only before the last valid_until that it was told, on CLOCK_BOOTTIME, which
 * it shares with us.  So its belief needs no message to end, and leased lets go of the key
 * only after that instant: when the client unlocks (it stopped before it said so), or when
 * it has been silent for 2T/3.  A clean stop of leased is no exception.
 *
 * A client is a name, and an incarnation of it: a random word for one life of one process's
 * wish.  The lease is held for one incarnation, the tenant; another is refused until the
 * tenant's belief has ended, and then the key is won anew, so its generation is larger.
 */
#pragma once

#include "leased/lease.h"
#include "leased/registry.h"

#define HOLD_INCARNATION_MAX	64
#define HOLD_ASK		2	/* twelfths of T: a client asks each T/6 */
#define HOLD_SILENT		8	/* twelfths of T after its last ask */

_Static_assert(HOLD_SILENT <= LEASE_GIVE_UP, "no client believes longer than its lease");
_Static_assert(2 * HOLD_ASK <= LEASE_GIVE_UP - LEASE_RENEW,
    "two answers between a renewal and the deadline");

#define HOLD_TTL_MIN_MS		5000	/* one server: a quick restart takes well under 2 s */
#define HOLD_TTL_MIN_MANY_MS	30000	/* more: a stream's new leader takes 4 to 9 s */
#define HOLD_TTL_MAX_MS		3600000
bool	 hold_ttl_is_allowed(uint64_t ttl_ms, uint32_t cluster_size);

struct hold {
	struct lease	 lease;
	char		 key[CAS_KEY_MAX + 1];
	char		 client[REGISTRY_CLIENT_MAX + 1];
	char		 tenant[HOLD_INCARNATION_MAX + 1];	/* empty: nobody asks */
	uint64_t	 asked_ms;	/* the tenant's last ask */
	uint64_t	 told_ms;	/* the largest valid_until it was told */
	uint64_t	 named;		/* see hold_names */
};

struct hold_ask {
	const char	*incarnation;
	uint64_t	 generation;	/* what this client last held, 0: nothing */
};

struct hold_answer {
	bool			 is_held;
	struct cas_token	 token;		/* who has it; empty holder: not known, or nobody */
	uint64_t		 valid_until_ms;	/* is_held */
	uint64_t		 revisit_ms;	/* ask again after so long */
	bool			 is_pending;	/* no verdict yet: one comes as an edge */
	bool			 is_corrupt;	/* the value is no token: an operator's case */
	enum cas_result		 why;		/* the last attempt's failure, else CAS_OK */
};

enum lease_made hold_init(struct hold *h, const char *key, const char *client,
    const char *holder, uint64_t ttl_ms, uint64_t first_op) MUST_CHECK;
/* A node's own lease: stood for always, never unlocked, without tenant: all may ask. */
enum lease_made hold_init_own(struct hold *h, const char *key, const char *holder,
    uint64_t ttl_ms, uint64_t first_op) MUST_CHECK;

/* The ask of one incarnation; *ret is its answer, and what it is told counts as told. */
void	 hold_ask(struct hold *h, const struct hold_ask *ask, uint64_t now_ms,
    struct hold_answer *ret, struct lease_out *out);
/* The answer alone: for an ask that waited for a verdict, and for events. */
void	 hold_answer(struct hold *h, const char *incarnation, uint64_t now_ms,
    struct hold_answer *ret);
/*
 * The tenant stops.  generation 0: whatever it has; else only this one.  Anybody else's
 * word is ignored: false.  True: it had the lease, and it is being unlocked.
 */
bool	 hold_release(struct hold *h, const char *incarnation, uint64_t generation,
    uint64_t now_ms, struct lease_out *out);
/*
 * The daemon stops: what no client believes in is unlocked, but never the node's own.  What
 * one believes in stays: the next leased adopts it, or another node takes it over after T.
 */
void	 hold_leave(struct hold *h, uint64_t now_ms, struct lease_out *out);

/* Around lease_tick, _loaded and _written, with the same out. */
void	 hold_tick(struct hold *h, uint64_t now_ms, struct lease_out *out);
void	 hold_settle(struct hold *h, uint64_t now_ms, struct lease_out *out);
uint64_t hold_deadline(const struct hold *h);
/* An attempt ended since another has it, or since its value is no token, and that is news:
 * once for each generation, or revision. */
bool	 hold_names(struct hold *h, unsigned edges);
/* Nobody asks and nothing is held or in flight: it may be forgotten. */
bool	 hold_is_idle(const struct hold *h);
