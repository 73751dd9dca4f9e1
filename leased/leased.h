/*
 * leased.h - the daemon: one struct that owns what lives as long as the process, its steps,
 * and what its parts call across.  A reading order: lease.h (the rules and why they are
 * safe), hold.h (clients), lease_table.h (many), bury.h (nodes), then this.
 */
#pragma once

#include "common/daemon.h"
#include "leased/lease_table.h"
#include "leased/nodes.h"
#include "leased/start.h"
#include "leased/sync_store.h"

#define LEASED_READY		(1u << 0)	/* bus_ready: the start is done, no stop is asked */

#define LEASED_BUSY_MAX		4096	/* asks that wait for a verdict */
#define LEASED_GUESTS_MAX	64	/* clients of the node's own lease */

struct leased_conf {
	struct conf_common	 common;
};

/* A client of the node's own lease, which has no tenant: who is told of its edges. */
struct guest {
	char		 client[REGISTRY_CLIENT_MAX + 1];
	char		 incarnation[HOLD_INCARNATION_MAX + 1];
	uint64_t	 asked_ms;
};

enum leased_count {		/* shown by $SRV.STATS */
	COUNT_GAINED, COUNT_RENEWED, COUNT_LOST, COUNT_REFUSED, COUNT_FAILED, COUNT_BURIED,
	LEASED_COUNTS
};

struct wire;			/* asks that wait, see wire.h */
struct reseed_wire;		/* see reseed_wire.h */

struct leased {
	struct daemon		 d;
	char			 own_key[CAS_KEY_MAX + 1];	/* node.<name> */
	char			 uuid[37];
	struct bucket		*sync, *records, *beats, *canary;
	struct sync_store	*store;
	struct lease_table	*table;
	struct loop_timer	*due;		/* the one timer of all leases */
	struct nodes		*nodes;
	struct start		*start;
	struct wire		*wire;
	struct reseed_wire	*reseed;
	struct loop_timer	*stop_timer;
	uint64_t		 stop_ms;	/* when the stop was asked; 0: not */
	bool			 has_left;	/* what may be unlocked is being unlocked */
	uint64_t		 counts[LEASED_COUNTS];
	struct log_limit	 waits_limit, late_limit;
};

/* The steps, in the order of main.c; those with a down have it below. */
int	 leased_name(void *self);
int	 leased_open_buckets(void *self);
int	 leased_make_table(void *self);
void	 leased_free_table(void *self);
int	 leased_watch(void *self);
void	 leased_unwatch(void *self);
int	 leased_serve(void *self);
void	 leased_unserve(void *self);
int	 leased_begin(void *self);
void	 leased_end(void *self);
/* A stop signal: clients are asked to let go, what is let go is unlocked, then the loop ends. */
void	 leased_stop(void *self);

/* After any call of the table that takes the time. */
void	 leased_arm(struct leased *d);
uint64_t leased_now_ms(const struct leased *d);
