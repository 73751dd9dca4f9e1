/*
 * burial.h - what sim_burial adds to the simulated world: on each node a leased that holds the
 * node's lease and buries others, a keeper (what uefid and vmd do with claims and records),
 * and guests under guards.  The keeper's sequences are uefid's own, which wait for the store:
 * each runs as a coroutine, so that anything can come between any two of their steps.
 *
 * Actors of world.h: ACTOR_NODE is a node's leased, ACTOR_CLIENT of key 0 and slot 0 its
 * keeper.  A guest and its guard end only with their host.
 */
#pragma once

#include <ucontext.h>

#include "common/uefi_record.h"
#include "leased/bury.h"
#include "tests/sim/world.h"
#include "uefid/store_impl.h"
#include "vmd/ownership.h"

#define BURIAL_INSTANCES	WORLD_KEYS
#define BURIAL_KEYS		(2 * WORLD_NODES + 3 * BURIAL_INSTANCES)
#define BURIAL_WINNERS		128
#define BURIAL_STACK		(256u << 10)	/* bytes; of a job */
#define BURIAL_WALL		UINT64_C(1790000000000)	/* what wall clocks show at 0, ms */
#define BURIAL_HOUR_MS		INT64_C(3600000)
#define BURIAL_CALM		(6 * WORLD_T)	/* by then each instance runs again */
#define BURIAL_END		(WORLD_FAULTS + BURIAL_CALM + WORLD_T)

struct burial;

/* ---- burial_store.c: keys with a history, and calls that may be late, lost or unheard ---- */

struct bversion {
	uint64_t	 at, revision;
	char		*value;		/* NULL: a delete marker */
	unsigned	 writer;	/* node */
};
struct bkey {
	char		 name[CAS_KEY_MAX + 1];
	struct bversion	*v;
	size_t		 n, room;
};
struct bcaller {
	enum actor_kind	 actor;
	unsigned	 node;
	uint64_t	 life;
};
struct bcall;
struct grave;
typedef void bdone_fn(struct burial *b, const struct bcall *c);
struct bcall {
	struct bcaller		 who;
	struct bkey		*key;
	const char		*value;		/* of a write; NULL: delete */
	char			*owned;		/* the call's own copy of it */
	uint64_t		 expected;
	bool			 is_load, is_exact, has_landed, is_answered;
	bdone_fn		*done;
	void			*arg;
	uint64_t		 op;		/* done's own */
	enum cas_result		 landed, result;	/* result: what done is told */
	uint64_t		 revision;
	const char		*seen;		/* a load's value, or NULL */
};
struct bkey *burial_key(struct burial *b, const char *name);
const struct bversion *burial_present(const struct bkey *k);
/* A call like c: who, key, value, expected, is_load, is_exact, done, arg and op are set. */
void	 burial_call(struct burial *b, const struct bcall *like, uint64_t timeout_ms);
void	 burial_store_deinit(struct burial *b);

/* ---- burial_job.c: one coroutine for each instance of a node ---- */

struct place;
typedef void job_fn(struct place *p);
struct job {
	ucontext_t	 here, back;
	job_fn		*fn;
	bool		 is_running, is_dead;	/* dead: every call of it fails at once */
	uint64_t	 wait;			/* what would wake it; others are ignored */
	enum cas_result	 result;
	uint64_t	 revision;
	char		*seen;			/* owned */
	struct bury	 bury;
};
/* false: one runs.  fn returns when it is done or its process is dead. */
bool	 job_begin(struct place *p, job_fn *fn);
void	 job_kill(struct place *p);		/* runs it to its end, without effects */
void	 job_sleep(struct place *p, uint64_t ms);	/* on the node's clock */
/* Through the node's leased: 0, or -EAGAIN. */
int	 job_bury(struct place *p, const char *node, bool is_fenced);
void	 job_buried(struct place *p, uint64_t wait, const struct bury *verdict);
enum cas_result job_load(struct place *p, const char *key);	/* p->job.seen, .revision */
enum cas_result job_put(struct place *p, const char *key, const char *value, uint64_t expected);
void	 job_env(struct place *p, struct store_call *ret);	/* for uefid's sequences */

/* ---- burial_leased.c ---- */

void	 bleased_start(struct burial *b, unsigned node);
void	 bleased_kill(struct burial *b, unsigned node);
void	 bleased_hint(struct burial *b, unsigned node, const char *key);
/* Begins a burial for a job, which is woken with the verdict if all goes well. */
void	 bleased_bury(struct burial *b, struct place *p, const char *node, bool is_fenced);

/* ---- burial_keeper.c, burial_host.c ---- */

enum guest_state { GUEST_NONE, GUEST_HELD, GUEST_RUNS, GUEST_FROZEN };
struct guest {
	enum guest_state	 state, was;	/* was: before it was frozen */
	bool			 is_stop;	/* on_isolation, for its life */
	uint64_t		 life;		/* raised with each */
	uint64_t		 deadline_ms;	/* the page's, on its node's clock */
};
struct place {			/* an instance on a node */
	struct burial		*b;
	unsigned		 node, instance;
	struct cas_store	 sync, records;
	struct store_env	 env;
	struct clock		 clock;		/* first member used to find the place */
	/* Files: they outlive every process. */
	uint64_t		 seeded;	/* generation of the claim that the local copy has; 0: none */
	/* The keeper's memory. */
	uint64_t		 landed;	/* the record's last revision that was known to be ours */
	uint64_t		 recorded, claimed;	/* node generations under which they were confirmed */
	bool			 wants_stop;
	struct guest		 guest;
	struct job		 job;
	/* The judge's: when the last confirm of the claim that succeeded began. */
	uint64_t		 confirm_at;
};
struct bnode {
	struct node_watch	 watch;
	int64_t			 wall_off_ms;
	bool			 wall_stepped;
	bool			 is_off;	/* the host */
	uint64_t		 lead_generation, lead_until_ms, lead_asked_ms;	/* the keeper's */
	uint64_t		 buried_at;	/* the judge's: the last burial landed then */
};
void	 bkeeper_start(struct burial *b, unsigned node);
void	 bkeeper_kill(struct burial *b, unsigned node);
/* leased's event: told at once, unless it is lost. */
void	 bkeeper_gained(struct burial *b, unsigned node, uint64_t generation, uint64_t until_ms);
void	 bhost_off(struct burial *b, unsigned node);
void	 bhost_on(struct burial *b, unsigned node);
uint64_t bnode_wall_ms(const struct burial *b, unsigned node);
bool	 bkeeper_may_launch(const struct place *p);
bool	 bkeeper_is_confirmed(const struct place *p);
void	 bkeeper_tend(struct place *p);		/* unless a sequence of it runs */

/* ---- burial_guard.c: guests and their guards ---- */

void	 guest_make(struct place *p, bool is_stop);
void	 guest_end(struct place *p, const char *why);
void	 guest_run_now(struct place *p);
void	 guest_page(struct place *p, uint64_t deadline_ms);

/* ---- burial_judge.c: sees all, and shares no code with the rules ---- */

void	 bjudge_version(struct burial *b, const struct bkey *k, const struct bversion *was,
    const struct bversion *is);
void	 bjudge_runs(struct place *p);
void	 bjudge_gives_up(struct place *p, const char *key);	/* as lost: is it? */
void	 bjudge_beat(struct burial *b, unsigned by, const char *node, uint64_t stamp_ms,
    enum bury_need then);
void	 bjudge_end(struct burial *b);

/* What an instance's record says: "<node> <state> <stop|keep>". */
struct brecord {
	char	 node[16];
	char	 state[16];
	bool	 is_stop;
};
bool	 brecord_parse(const char *text, struct brecord *ret);

struct bwin {
	uint64_t	 generation;
	unsigned	 node;
};
struct burial {
	struct world	 w;		/* first: events find the rest by it */
	struct bnode	 node[WORLD_NODES];
	struct place	 place[WORLD_NODES][BURIAL_INSTANCES];
	struct bkey	 key[BURIAL_KEYS];
	size_t		 nkeys;
	struct bcall   **calls;
	size_t		 ncalls, calls_room;
	char		*stacks;	/* of all places, for one schedule after another */
	struct grave   **graves;
	size_t		 ngraves, graves_room;
	uint64_t	 waits;
	unsigned	 bare;		/* an instance that is a claim alone; or none has that number */
	bool		 has_stop;	/* some instance has on_isolation = stop */
	struct bwin	 win[BURIAL_INSTANCES][BURIAL_WINNERS];
	size_t		 nwins[BURIAL_INSTANCES];
	uint64_t	 burials, takeovers, launches, moves;	/* how often */
};
static inline struct burial *
burial_of(struct world *w)
{
	return (struct burial *)w;
}

/* The worst moment for a node to come back is that of its burial. */
void	 burial_wakes(struct burial *b, const char *node, unsigned by);
void	 burial_name(const char *prefix, unsigned n, char ret[static CAS_KEY_MAX + 1]);
const char *burial_instance(unsigned instance);
int	 burial_node_of(const struct burial *b, const char *name);	/* or -1 */
