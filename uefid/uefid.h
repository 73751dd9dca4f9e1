/*
 * uefid.h - the daemon: everything that lives as long as the process, and what its own files
 * share.  Loop thread only, but for the env, which jobs read.
 */
#pragma once

#include "common/daemon.h"
#include "common/lead.h"
#include "common/object_store.h"
#include "common/remembered.h"
#include "uefid/locals.h"
#include "uefid/look.h"
#include "uefid/store.h"
#include "uefid/watch.h"

#define UEFID_STORES_MAX	100000	/* the most that max_stores may be */
#define UEFID_MATCH_EXACT	1u	/* firmware_match: its place among the words */
#define UEFID_NEED_KV	1u	/* bus_ready: the buckets are open */

struct uefid_conf {
	struct conf_common	 common;
	struct object_store_conf objects;
	char			 firmware_dir[CONF_TEXT_MAX + 1];
	char			 guest_user[CONF_TEXT_MAX + 1];
	char			 dictionary[CONF_TEXT_MAX + 1];
	uint32_t		 keep_versions, max_stores;
	uint32_t		 firmware_match;	/* word: size, exact */
	uint64_t		 quiet_ms, write_back_max_ms, sweep_period_ms;
};

enum uefid_count {
	UEFID_SEEDS, UEFID_OPENS, UEFID_SAVES, UEFID_SAVES_FAILED, UEFID_CLOSES, UEFID_FENCED,
	UEFID_TAKEOVERS, UEFID_RESTORES, UEFID_IMPORTS, UEFID_COUNTS
};

/* Jobs read it: it is replaced, never changed.  refs is the loop's. */
struct known {
	unsigned		 refs;
	struct firmware		 v[STORE_FIRMWARES];	/* arch empty: free */
};
void	 known_free(struct known *k);	/* one reference; NULL is fine */

struct uefid {
	struct daemon		 d;
	const struct uefid_conf	*conf;		/* d.conf, typed */
	struct bucket		*sync, *records;
	struct kv_store		 sync_store, records_store;
	struct object_store	 objects;
	struct store_env	 env;		/* of all jobs */
	struct known		*known;		/* firmware that was found; NULL: none yet */
	struct lead		*lead;		/* on this node's own lease */
	struct watch		*watch;
	struct locals		 locals;
	struct loop_timer	*pace_timer;	/* the next save */
	struct loop_timer	*sweep_timer;
	bool			 is_kv_open;
	bool			 is_sweeping;
	bool			 sweeps_all;	/* the next sweep looks at claims and records */
	bool			 sweeps_idle;	/* ... and at folders that hold a lock alone */
	unsigned		 sweeps;
	struct remembered	 claims_of_others;	/* empty while a sweep has it */
	unsigned		 opening;	/* opens under way of stores that are not in locals yet */
	uint64_t		 counts[UEFID_COUNTS];
};

/* ---- uefid.c: up, and the same list down ---- */

extern const struct daemon_step uefid_steps[];
extern const size_t uefid_nsteps;

/* ---- work.c: a sequence as a job, and what the loop makes of its end ---- */

enum work_op {
	WORK_SEED, WORK_PROBE, WORK_OPEN, WORK_SAVE, WORK_CLOSE, WORK_ROLLBACK, WORK_DELETE, WORK_MIND,
	WORK_RESTORE, WORK_IMPORT, WORK_IMAGE_MAKE, WORK_IMAGE_COPY, WORK_IMAGE_DROP,
	WORK_SHOW, WORK_VARS, WORK_EXPORT, WORK_IMAGE_SHOW, WORK_FIRMWARE, WORK_OPS
};
struct work {
	struct uefid		*u;
	enum work_op		 op;
	struct store_call	 call;
	struct known		*known;		/* what call.known borrows */
	struct look		 look;		/* of show and vars */
	struct buf		 data;		/* what call.uefi_data borrows */
	enum store_result	 result;
	uint64_t		 node_generation;	/* of our node's lease when it was begun */
	bool			 is_opening;	/* counts in opening */
	bool			 is_begun;	/* of a save: its copy's pace knows of it */
	char			 fitting[128];	/* nodes that have what this one lacks */
	struct bus_req		*req;		/* NULL: nobody waits */
	/* Answers req after the table was brought up to date; NULL without req. */
	void			(*answer)(struct work *w);
};
/* A zeroed one for this instance ("": none, of an image alone) with what every job gets; NULL: no memory. */
struct work *work_new(struct uefid *u, enum work_op op, const char *instance_id);
/* Takes w.  0, or -errno with w freed and req not answered. */
int	 work_submit(struct work *w) MUST_CHECK;

/* Answers, if anybody waits, and frees. */
void	 work_end(struct work *w);

/* ---- fitting.c ---- */

/* Was it refused for firmware that this node lacks?  True: work_end comes once others have been
 * asked, and the sentence names those that fit. */
bool	 fitting_ask(struct work *w) MUST_CHECK;

/* ---- mind.c: what this node does unasked; arg is a struct uefid ---- */

void	 uefid_pace(struct uefid *u);		/* arms the timer of the next save */
void	 uefid_mind(struct uefid *u, const char *instance_id);	/* a look, as a job */
/* Its claim was confirmed, or won, under the generation of our node's lease that stands now. */
bool	 uefid_is_confirmed(const struct uefid *u, const struct local *l);
void	 uefid_on_pace(void *arg);
void	 uefid_on_written(void *arg, int watch_id);
void	 uefid_on_record(void *arg, const char *key);
void	 uefid_on_node_lease(void *arg, uint64_t generation);

/* ---- sweep.c ---- */

void	 uefid_sweep_start(struct uefid *u);	/* the buckets are open: look at everything */
void	 uefid_on_sweep(void *arg);

/* ---- peers.c: for jobs ---- */

enum store_launch uefid_ask_launch(void *world, const char *instance_id);
int	 uefid_ask_bury(void *world, const char *node, const char *request_id,
    char why[static STORE_WHY_MAX]);

/* ---- tell.c ---- */

bool	 uefid_tell_held(void *arg, struct held *h);	/* arg: a struct uefid */

/* ---- wire.c: subjects ---- */

int	 uefid_serve(struct uefid *u) MUST_CHECK;
void	 uefid_publish(struct uefid *u, const char *event, const struct store_call *c);
