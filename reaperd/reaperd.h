/*
 * reaperd.h - the daemon: one reaperd of the cluster, elected, sweeps.  Loop thread only.
 */
#pragma once

#include "common/daemon.h"
#include "common/lead.h"
#include "common/object_store.h"
#include "reaperd/sweep.h"

struct reaperd_conf {
	struct conf_common	 common;		/* first: daemon.h */
	struct object_store_conf objects;
	uint64_t		 sweep_period_ms;
	uint64_t		 terminated_keep_ms;
	uint64_t		 prune_age_ms;
	uint64_t		 image_grace_ms;
	uint64_t		 teardown_limit_ms;
};
extern const struct conf_table reaperd_conf_table;

#define REAPER_TTL_MS	60000

#define REAPER_WAITING	16	/* requests that wait for their sweep's turn */

struct reaperd_waiting {
	struct sweep_ask	 ask;
	struct bus_req		*req;
	uint64_t		 since_ms;
};

struct reaperd {
	struct daemon		 d;			/* first: daemon.h */
	struct lead		*lead;
	struct bucket		*instances, *stores, *sync, *addresses, *nodes, *beats;
	struct bucket		*volumes, *images;
	struct object_store	 objects;
	struct loop_timer	*timer;			/* the next sweep */
	uint64_t		 next_ms;		/* ... CLOCK_BOOTTIME; 0: none is due */
	uint64_t		 began_ms;		/* the last one */
	struct loop_timer	*renewal;		/* while one runs: what the lease says now */
	struct bus_sub		*subs[4];		/* reap.v1.*, while we lead */
	_Atomic uint64_t	 may_act_until_ms;	/* read by a sweep before each act */
	uint64_t		 generation;		/* of the lease that the sweep runs under */
	bool			 is_sweeping;
	struct bus_req		*asked;		/* for the sweep that runs; NULL: nobody */
	bool			 wants_sweep;		/* a hint came while one ran */
	bool			 is_due;		/* the period's turn came while one ran */
	struct reaperd_waiting	 waiting[REAPER_WAITING];	/* the first comes next */
	size_t			 nwaiting;
	uint64_t		 sweeps, acts, errors;	/* counters */
	uint64_t		 reaped[REAP_CLASSES];	/* ... of each class */
	struct sweep_marks	 marks;			/* what the last sweep would have reaped */
	struct sweep_clock	 steady;
	struct remembered		 remembered;		/* empty while a sweep has it */
	struct log_limit	 failing, doubting;
};

/* sweeper.c: when sweeps run, and what becomes of their results. */
void	 reaperd_on_gained(void *arg, uint64_t generation);
void	 reaperd_on_started(void *arg, enum lead_start how, const char *why);
void	 reaperd_on_lost(void *arg);
void	 reaperd_on_hint(void *arg, const char *key);
void	 reaperd_on_timer(void *arg);
void	 reaperd_on_renewal(void *arg);
/* Starts one, or has it wait for its turn while another runs; its answer is the report. */
void	 reaperd_ask(struct reaperd *r, const struct sweep_ask *ask, struct bus_req *req);
void	 reaperd_refuse_waiting(struct reaperd *r);	/* we lead no more */

struct inventory_sources reaperd_sources(const struct reaperd *r);

/* look.c: handlers of rows in wire.c. */
struct reap_account_in {
	char	account_id[33];		/* first */
};
void	 reaperd_on_account(void *arg, struct bus_req *req, const void *in);
void	 reaperd_on_nodes(void *arg, struct bus_req *req, const void *in);

#define REAPER_DEADLINE_MS	120000	/* of a request, its wait included */

/* wire.c.  The services protocol, answered whether we lead or not; a step of the start. */
int	 reaperd_announce(void *self);
/* reap.v1.*, served while we lead. */
int	 reaperd_serve(struct reaperd *r);
void	 reaperd_serve_not(struct reaperd *r);
void	 reaperd_answer(struct bus_req *req, const struct sweep_report *rep);
