/*
 * bus_nats.h - what the three files that include nats.h share.  Private to them.
 *
 *	bus_nats.c	connections, the thread that makes and ends them, sending
 *	bus_nats_conf.c	the options of a connection
 *	bus_nats_sub.c	subscriptions, and messages as nats.c has them
 */
#pragma once

#include <nats/nats.h>

#include "common/bus_impl.h"

#define BUS_NATS_SPENT_MAX	32	/* messages that are not needed any more */

/*
 * One connection of nats.c.  It reconnects by itself; when it has given up (a second refusal
 * of our credentials, an error of its own) the link thread makes another.
 */
struct link {
	struct bus_nats		*n;
	natsConnection		*nc;
	unsigned		 refs;		/* under n->mu: n's, publishers', wires', callbacks' */
	bool			 broken;	/* under n->mu: to be closed and replaced */
	bool			 closed;	/* under n->mu: its last callback ran */
	bool			 connected;	/* under n->mu */
	bool			 told;		/* under n->mu: by a callback, which knows best */
	bool			 subscribed;	/* under n->mu: the loop has subscribed everything */
	LIST_ENTRY(link)	 next;		/* dead ones, for the link thread to destroy */
};
LIST_HEAD(links, link);

/* A subscription on one link. */
struct wire {
	struct bus_sub		*sub;		/* a reference */
	struct link		*link;		/* a reference */
	natsSubscription	*ns;
	bool			 complete;	/* under n->mu: its last callback ran */
	uint64_t		 retire_at_ms;
	TAILQ_ENTRY(wire)	 next;
};
TAILQ_HEAD(wires, wire);

struct bus_nats {
	struct bus		*bus;
	natsOptions		*opts;
	pthread_t		 thread;
	pthread_mutex_t		 mu;
	pthread_cond_t		 change;	/* CLOCK_MONOTONIC */
	struct link		*link;		/* under mu, as the next four */
	struct links		 dead;
	unsigned		 nlinks;
	unsigned		 nincomplete;	/* wires that may still be called */
	bool			 stop;
	struct wires		 retired;	/* loop only */
	struct loop_timer	*retire_timer;
	_Atomic uint64_t	 max_payload;
	char			 server_id[BUS_SERVER_ID_SIZE];	/* under mu; empty: none yet */
	pthread_mutex_t		 spent_mu;
	natsMsg			*spent[BUS_NATS_SPENT_MAX];	/* under spent_mu, as the next two */
	size_t			 nspent, spent_bytes;
};

/* ---- bus_nats.c ---- */

/* A reference; n->mu held. */
void	 bus_nats_link_ref(struct link *l);
void	 bus_nats_link_unref(struct link *l);

/* ---- bus_nats_conf.c ---- */

/* 0 and options that the caller destroys, without handlers; or -errno. */
int	 bus_nats_options(const struct bus_conf *conf, natsOptions **ret) MUST_CHECK;
int	 bus_nats_errno(natsStatus s);

/* ---- bus_nats_sub.c ---- */

/* Loop: unsubscribes all, and asks nats.c for their last callbacks. */
void	 bus_nats_retire_all(struct bus_nats *n);
/* Loop: destroys what was retired; after all of them are complete. */
void	 bus_nats_destroy_retired(struct bus_nats *n);
void	 bus_nats_on_retire(void *arg);		/* n->retire_timer's */

/* Any thread: m may go.  nats.c frees a message in a thread of its own and wakes that one each time
 * it sleeps, so they are given to it by the dozen. */
void	 bus_nats_spend(struct bus_nats *n, natsMsg *m, size_t len);
/* Those that wait for it; no other thread has n any more. */
void	 bus_nats_destroy_spent(struct bus_nats *n);
