/*
 * bus_impl.h - how the files of the bus hold together.  Private to common/bus*.c and to kv.
 *
 *	bus_nats*.c	nats.h: connections, subscriptions, messages; its threads
 *	bus.c		the inbox between those threads and the loop; publish; state
 *	bus_ask.c	requests of ours and their answers
 *	bus_serve.c	requests of others: rows, refusals, deadlines
 *	bus_srv.c	the services protocol over the rows
 *
 * Lock order: none is taken while another is held, and no call into nats.c is made under one.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "common/bus.h"

#define BUS_INBOX_BYTES		(64u << 20)	/* of payload waiting for the loop */
#define BUS_STATE_FNS		8
#define BUS_NONCE_SIZE		23		/* ident.h's nonce and its NUL */
#define BUS_USER_MAX		64		/* bytes of a user's name in a subject */
#define BUS_ANSWERS_SIZE	(8 + BUS_USER_MAX + BUS_NONCE_SIZE)

struct bus_msg {
	void			*raw;		/* bus_nats.c's */
	struct bus_nats		*nats;
	size_t			 len;
	struct bus_sub		*sub;
	TAILQ_ENTRY(bus_msg)	 next;
};
TAILQ_HEAD(bus_msgs, bus_msg);

/*
 * A subscription.  Made, subscribed and freed on the loop; messages that wait in the inbox
 * and nats.c's own callback hold references, so it goes when the last of these has.
 */
struct bus_sub {
	struct bus		*bus;
	char			*subject, *queue;	/* queue NULL: none */
	/* On the loop; owns m. */
	void			(*deliver)(struct bus_sub *s, struct bus_msg *m);
	/* On the delivery thread, before the inbox; true: it has taken m.  May be NULL. */
	bool			(*direct)(struct bus_sub *s, struct bus_msg *m);
	/* On the loop, after messages were dropped at a full inbox.  May be NULL. */
	void			(*missed)(void *arg);
	bus_hint_fn		*hint;
	const struct bus_route	*row;
	struct bus_row_stat	*stat;
	void			*arg;
	void			*wire;			/* bus_nats.c's; loop only */
	bool			 closed;		/* loop only */
	bool			 is_off;		/* loop only: not subscribed for now */
	bool			 dropped;		/* under the inbox's lock */
	unsigned		 refs;			/* under the inbox's lock */
	TAILQ_ENTRY(bus_sub)	 next;
};
TAILQ_HEAD(bus_subs, bus_sub);

struct bus_state_fn {
	void	(*fn)(void *arg, bool up);
	void	*arg;
	bool	 told, last;
};

struct bus {
	struct loop		*loop;
	char			 nonce[BUS_NONCE_SIZE];	/* of this client: service id */
	char			 answers[BUS_ANSWERS_SIZE];	/* "_INBOX.[<user>.]<nonce>" */
	struct bus_nats		*nats;
	struct bus_asks		*asks;
	struct bus_service_impl	*service;		/* NULL: bus_serve was not called */
	struct bus_reqs		*reqs;			/* open requests of others */
	struct bus_subs		 subs;			/* loop only */
	struct bus_state_fn	 state[BUS_STATE_FNS];
	size_t			 nstate;
	bool			 told_up;
	unsigned		 told_epoch;
	struct loop_timer	*state_timer;		/* for functions registered just now */

	pthread_mutex_t		 inbox_mu;
	struct bus_msgs		 inbox;			/* under inbox_mu, as the next four */
	size_t			 inbox_n, inbox_bytes;
	uint64_t		 inbox_dropped;
	bool			 any_dropped;
	int			 wake_fd;
	struct loop_io		*wake_io;

	atomic_bool		 up;
	atomic_uint		 epoch;			/* raised by every disconnect */
};

/* ---- bus.c ---- */

/* Any thread: the loop runs its turn soon. */
void	 bus_wake(struct bus *b);
/* Delivery thread: takes m. */
void	 bus_inbox_push(struct bus_sub *s, struct bus_msg *m);
/* Any thread: the connection came, or went. */
void	 bus_came_up(struct bus *b);
void	 bus_went_down(struct bus *b);
void	 bus_sub_ref(struct bus_sub *s);
void	 bus_sub_unref(struct bus_sub *s);
/* A subscription like `like` (subject, queue and functions; copied).  NULL: no memory. */
struct bus_sub *bus_sub_add(struct bus *b, const struct bus_sub *like);
/* Off: nothing new comes; what is on its way is delivered still. */
void	 bus_sub_listen(struct bus_sub *s, bool on);
/* A hint's subscription that is also told of messages it missed. */
int	 bus_hint_new_missed(struct bus *b, const char *subject, bus_hint_fn *fn,
    void (*missed)(void *arg), void *arg, struct bus_sub **ret) MUST_CHECK;
bool	 bus_subject_is_valid(const char *subject);	/* to publish: no wildcards */
bool	 bus_header_is_valid(const struct bus_header *h);
/* Loop, not from a state function: those with this arg are not called again. */
void	 bus_off_state(struct bus *b, const void *arg);
uint64_t bus_dropped(struct bus *b);
/* Any thread.  0, or as bus_publish, or -EIO: the connection broke while sending, so part or
 * all of it may have left. */
int	 bus_send(struct bus *b, const char *subject, const char *reply,
    const struct bus_header *h, size_t nh, const void *data, size_t len) MUST_CHECK;

/* ---- bus_nats.c, bus_nats_sub.c ---- */

int	 bus_nats_new(struct bus *b, const struct bus_conf *conf, struct bus_nats **ret)
    MUST_CHECK;
/* Loop.  Closes and waits for nats.c's callbacks to end; false: they did not, so that b and
 * its subscriptions must be left in memory. */
bool	 bus_nats_stop(struct bus_nats *n);
void	 bus_nats_free(struct bus_nats *n);
/* Loop, each turn: subscribes everything on a connection that is new. */
void	 bus_nats_adopt(struct bus_nats *n);
void	 bus_nats_subscribe(struct bus_nats *n, struct bus_sub *s);
void	 bus_nats_unsubscribe(struct bus_nats *n, struct bus_sub *s);
/* Any thread: the connection is given up for a new one. */
void	 bus_nats_renew(struct bus_nats *n);
int	 bus_nats_send(struct bus_nats *n, const char *subject, const char *reply,
    const struct bus_header *h, size_t nh, const void *data, size_t len) MUST_CHECK;
uint64_t bus_nats_max_payload(const struct bus_nats *n);
void	 bus_nats_server_id(struct bus_nats *n, char ret[static BUS_SERVER_ID_SIZE]);
const char *bus_nats_reply(const struct bus_msg *m);		/* NULL: none is wanted */
bool	 bus_nats_is_no_responders(const struct bus_msg *m);

/* ---- bus_ask.c ---- */

int	 bus_asks_new(struct bus *b, struct bus_asks **ret) MUST_CHECK;
void	 bus_asks_free(struct bus_asks *a);
void	 bus_asks_down(struct bus_asks *a);		/* loop: ends what cannot be answered */
void	 bus_asks_wake_waiters(struct bus_asks *a);	/* any thread: the same for _wait */
/* Waits until the server has what was sent so far, or timeout_ms. */
bool	 bus_asks_flush(struct bus_asks *a, uint64_t timeout_ms);

/* ---- bus_serve.c ---- */

int	 bus_reqs_new(struct bus *b, struct bus_reqs **ret) MUST_CHECK;
void	 bus_reqs_free(struct bus_reqs *q);

struct bus_row_stat {
	const struct bus_route	*row;
	uint64_t		 requests, errors, time_ns;
	char			 last_error[BUS_CODE_MAX + 1];
	struct log_limit	*limit;
	TAILQ_ENTRY(bus_row_stat) next;
};
TAILQ_HEAD(bus_row_stats, bus_row_stat);
const struct bus_row_stats *bus_reqs_stats(const struct bus_reqs *q);

/* ---- bus_srv.c ---- */

struct bus_service_impl {
	struct bus_service	 spec;
	uint64_t		 started_wall_ms;
};
/* Subscribes $SRV.* for b->service. */
int	 bus_srv_open(struct bus *b) MUST_CHECK;
