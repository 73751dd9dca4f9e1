/*
 * lease.h - one lease: this node's side of one key that is kept by renewals.  Pure: events
 * come in (time, answers of the store, wishes), at most one request and some edges go out.
 * No clock, no bus, no memory of its own.  Times are CLOCK_BOOTTIME milliseconds of this host.
 *
 * Why two nodes never hold a key at one instant.  T is the key's ttl, the same on every node:
 *
 *	holder     send s ........ s+T/3 renew ........ s+2T/3 give up
 *	store         ^ lands as revision r
 *	contender       ^ first sees r, at f >= s ................ f+T: still r -> swap at r
 *
 * - The holder counts from s, the SEND of its last write that landed, never from the answer:
 *   an answer may take any time, a send cannot be later than the landing.
 * - A contender counts from f, its own receipt of the first read that showed r.  Nobody can
 *   read r before it landed, so f >= s.
 * - It swaps at exactly r.  A renewal that landed meanwhile has made another revision, and
 *   the swap fails; so if it lands, s is the send of the holder's last landed write, and the
 *   holder stopped at s+2T/3 while the contender begins no earlier than f+T >= s+T.
 * - What is left between is T/3.  It pays for a client that needs time to stop what it
 *   does, and for clocks: with rates that differ by less than 1.5 the order still holds.
 * - A write that this node sent and gave up may land much later.  It carries the revision it
 *   expects, so it lands only where nothing else did; then it is a renewal whose send lies
 *   in the past: it moves the key's revision, and contenders begin their count again.
 * - A holder that finds its own name (a restart) swaps too, with a generation of its own:
 *   belief comes from a swap that landed, never from a read, which may be stale.
 * - Deleting is a swap as well, at the revision of the last landed write: a late unlock
 *   cannot free a later holder.
 *
 * A generation is the revision at which the key was won, so each is above all before it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/cas.h"

/* Twelfths of T. */
#define LEASE_WHOLE	12
#define LEASE_RENEW	4	/* after the send of the last landed write */
#define LEASE_GIVE_UP	8	/* the same; belief ends, whatever is in flight */
#define LEASE_TAKE	12	/* after the first sight of an unchanged revision */
#define LEASE_RETRY	1	/* after a renewal that failed */
#define LEASE_LOOK	4	/* between two looks at a key of another */
#define LEASE_TRIES	3	/* reads and swaps of one attempt that keeps losing the race */
#define LEASE_LEAVE_MS	5000	/* the delete of an unlock is waited for no longer */

_Static_assert(LEASE_TAKE == LEASE_WHOLE, "T is what a contender waits");
_Static_assert(LEASE_TAKE - LEASE_GIVE_UP >= LEASE_WHOLE / 3, "T/3 to stop acting in");
_Static_assert(2 * LEASE_TAKE >= 3 * LEASE_GIVE_UP, "clock rates up to 1.5 apart");
_Static_assert(LEASE_GIVE_UP - LEASE_RENEW >= 4 * LEASE_RETRY, "four tries before giving up");
_Static_assert(LEASE_LOOK + LEASE_TAKE <= LEASE_WHOLE * 4 / 3, "take-over within 4T/3");

static inline uint64_t
lease_share(uint64_t ttl_ms, uint64_t twelfths)
{
	return ttl_ms * twelfths / LEASE_WHOLE;
}

enum lease_state {
	LEASE_IDLE,		/* nothing in flight; standing: the next look is due at look_ms */
	LEASE_LOOKING,		/* a load is in flight */
	LEASE_TAKING,		/* a create, adoption or take-over is in flight */
	LEASE_HELD,		/* ours until valid_until; a renewal may be in flight */
	LEASE_LEAVING,		/* the delete is in flight */
	LEASE_STATES
};

enum lease_kind {
	LEASE_NOTHING,
	LEASE_LOAD,
	LEASE_WIN,		/* write {holder, 0} at expected */
	LEASE_KEEP,		/* write {holder, generation} at expected */
	LEASE_REMOVE,		/* delete at expected */
	LEASE_KINDS
};

struct lease_request {
	enum lease_kind	 kind;
	uint64_t	 op;		/* comes back with the answer; others are ignored */
	uint64_t	 expected;
	uint64_t	 generation;
	uint64_t	 timeout_ms;
};

enum lease_edge {		/* bits; in the order in which they are to be told */
	LEASE_LOST	= 1 << 0,	/* belief ended: found out, expired or unlocked */
	LEASE_LEFT	= 1 << 1,	/* an unlock ended; `why` says how */
	LEASE_GAINED	= 1 << 2,
	LEASE_RENEWED	= 1 << 3,
	LEASE_REFUSED	= 1 << 4,	/* an attempt ended: another has it, see `seen` */
	LEASE_FAILED	= 1 << 5,	/* an attempt ended: the store's answer is `why` */
	LEASE_CORRUPT	= 1 << 6,	/* an attempt ended: the value is no token */
};
#define LEASE_VERDICT	(LEASE_GAINED | LEASE_REFUSED | LEASE_FAILED | LEASE_CORRUPT)

struct lease_out {
	unsigned		edges;
	struct lease_request	request;	/* to be sent at once */
};

/* The answer to a load. */
struct lease_seen {
	enum cas_result		result;		/* CAS_OK, CAS_NOT_FOUND, or why not */
	bool			is_corrupt;	/* CAS_OK: the value is no token */
	struct cas_token	token;
	uint64_t		revision;	/* of the entry or of its delete marker */
};

struct lease {
	char			 holder[CAS_HOLDER_MAX + 1];	/* this node */
	uint64_t		 ttl_ms;
	enum lease_state	 state;
	bool			 is_standing;	/* an attempt each T/3 while not held */
	bool			 is_own;	/* nobody else's name on it counts */
	bool			 is_hinted;	/* the key moved during a look: look again ... */
	uint64_t		 hint_ms;	/* ... then */
	bool			 has_verdict;	/* an attempt ended since standing began */
	bool			 is_corrupt;	/* the last look met a value that is no token */

	/* A key in our own name that this process did not win: see lease_adopt. */
	uint64_t		 adopt_from_ms;
	uint64_t		 shown_generation;

	/* What the last look showed, and since when at this revision. */
	struct cas_token	 seen;
	uint64_t		 seen_revision;		/* 0: no observation */
	uint64_t		 seen_ms;

	/* Holding. */
	uint64_t		 generation;		/* the last one won; 0: none yet */
	uint64_t		 revision;		/* of the last landed write */
	uint64_t		 sent_ms;		/* its send */
	uint64_t		 renew_ms;		/* next attempt to renew */
	uint64_t		 renewals;
	uint64_t		 since_ms;		/* of the acquisition */

	/* In flight. */
	uint64_t		 op;			/* 0: nothing */
	uint64_t		 op_last;
	uint64_t		 op_sent_ms, op_until_ms;
	uint64_t		 stuck_op;		/* a renewal that an unlock overtook */
	unsigned		 tries;

	uint64_t		 look_ms;
	enum cas_result		 why;			/* the last failure; CAS_OK after success */
};

enum lease_made {
	LEASE_MADE,
	LEASE_NO_HOLDER,	/* empty or too long */
	LEASE_NO_TTL,		/* 0 */
};
/* first_op: ops of this lease begin above it; a key that is made anew must not meet answers
 * to its predecessor. */
enum lease_made lease_init(struct lease *l, const char *holder, uint64_t ttl_ms,
    uint64_t first_op) MUST_CHECK;

/*
 * A key in our name that this process has not won was held by our predecessor for a client
 * that may believe still.  It is swapped at once if its generation is `shown` (that client
 * asks), or else from from_ms on; both 0: at once.
 */
void	 lease_adopt(struct lease *l, uint64_t from_ms, uint64_t shown);

enum lease_try {
	LEASE_TRYING,		/* an attempt began; its verdict comes as an edge */
	LEASE_TRY_HELD,		/* ours already; no I/O */
	LEASE_TRY_BUSY,		/* an attempt or an unlock is in flight */
};
/* One attempt.  Renewals follow of themselves until the lease is lost or unlocked. */
enum lease_try lease_try(struct lease *l, uint64_t now_ms, struct lease_out *out);
/* The election: one attempt now and, while not held, one each T/3.  false ends that; what is
 * held stays held. */
void	 lease_stand(struct lease *l, bool on, uint64_t now_ms, struct lease_out *out);
/* Drops a look in flight: nobody wants its verdict.  A swap in flight goes on. */
void	 lease_abandon(struct lease *l);
/* Unlocks this generation and ends standing; any other generation: false, nothing. */
bool	 lease_leave(struct lease *l, uint64_t generation, uint64_t now_ms,
    struct lease_out *out);

/*
 * The key may have moved: if standing and not held, look turn_ms from now.  Each node has another
 * turn, so that whoever is later finds the key taken: a write that the server has to refuse costs
 * a replicated nats-server before 2.9.22 its count (see start.h).
 */
void	 lease_hint(struct lease *l, uint64_t turn_ms, uint64_t now_ms, struct lease_out *out);
/* Call at lease_deadline, and before any other event. */
void	 lease_tick(struct lease *l, uint64_t now_ms, struct lease_out *out);
void	 lease_loaded(struct lease *l, uint64_t op, const struct lease_seen *seen,
    uint64_t now_ms, struct lease_out *out);
void	 lease_written(struct lease *l, uint64_t op, enum cas_result res, uint64_t revision,
    uint64_t now_ms, struct lease_out *out);

/*
 * May a holder renew at another revision than that of its last landed write?  Where it finds its
 * own token, generation and all: that was written in its name, by a reseed.  And in a store that
 * went back, where its revision is not there any more and what is there comes from before, over
 * that too, but for a later holder's.  Who took the key there has not been believed: wins need a
 * store that is sound.
 */
bool	 lease_may_anchor(const struct cas_token *ours, const struct lease_seen *found,
    bool went_back);

#define LEASE_NEVER	UINT64_MAX
uint64_t lease_deadline(const struct lease *l);		/* of the next tick, or LEASE_NEVER */
bool	 lease_is_held(const struct lease *l, uint64_t now_ms);
/* The instant at which belief ends unless a renewal lands first; 0 when not held. */
uint64_t lease_valid_until(const struct lease *l);
/* Who has the key as far as is known: us, the holder last seen, or nobody (empty). */
void	 lease_token(const struct lease *l, struct cas_token *ret);
