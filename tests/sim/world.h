/*
 * world.h - a small simulated cluster: one real time in microseconds, an event queue that a
 * seed drives, nodes whose clocks have their own offset and rate, one store, clients, and a
 * judge that sees what nobody in the world can see.  Nothing here waits or asks a clock: a
 * schedule is its seed.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "leased/lease_table.h"

#define WORLD_NODES	5
#define WORLD_KEYS	2
#define WORLD_SLOTS	2		/* processes of one client on one node */
#define WORLD_TTL_MS	60000
#define WORLD_TURN_MS	25	/* see lease_hint */
#define WORLD_MS	UINT64_C(1000)		/* microseconds */
#define WORLD_T		(WORLD_TTL_MS * WORLD_MS)
#define WORLD_FAULTS	(10 * WORLD_T)		/* faults end here */
#define WORLD_END	(14 * WORLD_T)
#define WORLD_EVENTS	200		/* a schedule has no fewer */
#define WORLD_CALM	(2 * WORLD_T + WORLD_T / 20)	/* by then every key is held: 2T, and
							   what clocks and messages add */

struct world;
struct event;
typedef void event_fn(struct world *w, const struct event *e);

/* Who an event is for: it is dropped when that life is over, and waits while it is paused. */
enum actor_kind { ACTOR_NONE, ACTOR_NODE, ACTOR_CLIENT };

struct event {
	uint64_t	 at, seq;
	event_fn	*fn;
	enum actor_kind	 actor;
	unsigned	 node, key, slot;
	uint64_t	 life;
	uint64_t	 a, b, c;	/* fn's own */
};

struct node {
	unsigned		 id;
	char			 name[16];
	struct world		*world;
	uint64_t		 life;		/* raised at each crash */
	bool			 is_up, is_stopping;
	uint64_t		 paused_until;	/* real time */
	uint64_t		 cut_until;	/* from the store */
	uint64_t		 offset_ms;
	int64_t			 rate_ppm;
	uint64_t		 tick_at;	/* real time of the tick that is queued, or 0 */
	struct lease_table	*table;
	uint64_t		 held_until[WORLD_KEYS];	/* real end of the lease, as leased
								   knows it */
};

struct client {
	unsigned	 node, key, slot;
	uint64_t	 life;			/* with the slot, its incarnation */
	bool		 is_up, wants;
	uint64_t	 paused_until;
	uint64_t	 generation;		/* last told */
	uint64_t	 lost;			/* told to be lost: never believed again */
	uint64_t	 until_ms;		/* believes until, on its node's clock */
	uint64_t	 until;			/* the same in real time */
};

/* A call to the store that has not been answered yet. */
struct call {
	unsigned		 node, key;
	uint64_t		 life, op;
	enum lease_kind		 kind;
	struct cas_token	 value;
	uint64_t		 expected;
	uint64_t		 meant;		/* a delete: the generation that it is to end */
	enum cas_result		 landed;	/* how it landed, once it has */
	uint64_t		 revision;
	bool			 has_landed, is_answered;
};

struct store_version {
	uint64_t		 at, revision;
	struct cas_token	 token;		/* as stored; empty: a delete marker */
};

struct store_key {
	struct store_version	*history;	/* oldest first */
	size_t		 n, room;
};

struct world {
	uint64_t	 seed, rng[2];
	uint64_t	 now, seq, end;
	struct event	*queue;		/* a binary heap */
	size_t		 nqueue, queue_room;
	unsigned	 nnodes, nkeys;
	struct node	 node[WORLD_NODES];
	struct client	 client[WORLD_NODES][WORLD_KEYS][WORLD_SLOTS];
	struct store_key store[WORLD_KEYS];
	uint64_t	 sequence;
	uint64_t	 leaderless_until, slow_until;
	struct call	*calls;
	size_t		 ncalls, calls_room;
	uint64_t	 events, gains, takeovers;
	uint64_t	 top_generation[WORLD_KEYS];
	bool		 is_traced;
	char		 verdict[256];	/* empty: no rule was broken */
};

/* ---- world.c ---- */
void	 world_init(struct world *w, uint64_t seed, bool is_traced);
void	 world_deinit(struct world *w);
bool	 world_step(struct world *w);	/* one event; false: the end, or a broken rule */
uint64_t world_random(struct world *w, uint64_t below);		/* 0 .. below-1 */
bool	 world_chance(struct world *w, unsigned per_mille);
bool	 world_is_calm(const struct world *w);
/* Of a message, one way: mostly short, sometimes long, and while all is slow up to 40 s. */
uint64_t world_delay(struct world *w);
bool	 world_is_twice(struct world *w);		/* a message that comes two times */
/* A copy of e at w->now + in; e->actor and its present life are filled in by the caller. */
void	 world_at(struct world *w, uint64_t at, struct event e);
void	 world_trace(struct world *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
void	 world_broken(struct world *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* At its end: no rule is broken; else the seed is printed and what it was. */
bool	 world_is_good(struct world *w);
uint64_t world_number(const char *name, uint64_t otherwise);	/* of the environment */
const char *world_key(unsigned key);
uint64_t node_clock(const struct node *n, uint64_t real);	/* its CLOCK_BOOTTIME, ms */
uint64_t node_real(const struct node *n, uint64_t local_ms);	/* the earliest such instant */

/* ---- store.c ---- */
extern const struct lease_port store_port;	/* ctx: struct node */

/* ---- actors.c ---- */
void	 node_start(struct world *w, unsigned node);
void	 node_crash(struct world *w, unsigned node);
void	 node_stop(struct world *w, unsigned node);	/* cleanly: unlocks, then gone */
struct client *event_client(struct world *w, const struct event *e);
void	 node_arm(struct node *n);		/* its tick, after any turn of its table */
void	 node_edges(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms);
void	 client_start(struct world *w, unsigned node, unsigned key, unsigned slot);
void	 client_crash(struct world *w, struct client *c);
void	 client_release(struct world *w, struct client *c);

/* ---- judge.c ---- */
void	 judge_lease(struct world *w, const struct node *n, unsigned key, uint64_t until);
void	 judge_gain(struct world *w, const struct node *n, unsigned key, uint64_t generation);
void	 judge_client(struct world *w, const struct client *c);
void	 judge_remove(struct world *w, const struct call *c, const struct store_version *was);
void	 judge_calm(struct world *w);
