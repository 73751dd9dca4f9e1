#include "common/bus_impl.h"

#include <errno.h>
#include <nats/nats.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMEOUT_MS		2000	/* of a connect, by server */
#define PING_MS			2000
#define PINGS_OUT		2	/* a frozen server is noticed within 6 s */
#define RECONNECT_MS		100
#define RECONNECT_JITTER_MS	150
#define WRITE_DEADLINE_MS	1000	/* the longest that a publish can hold the loop */
#define PENDING_MSGS		(1 << 16)
#define RETRY_MS		500	/* to the next connection, after one that was closed */
#define RETIRE_MS		2000	/* from unsubscribe to destroy, see wire_retire */
#define STOP_MS			3000
#define SERVERS_MAX		16

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
	bool			 has_thread;
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
};

static void
deadline_in(uint64_t ms, struct timespec *ret)
{
	clock_gettime(CLOCK_MONOTONIC, ret);
	ret->tv_sec += (time_t)(ms / 1000);
	ret->tv_nsec += (long)(ms % 1000) * 1000000;
	if (ret->tv_nsec >= 1000000000) {
		ret->tv_nsec -= 1000000000;
		ret->tv_sec++;
	}
}

/* ---- links ---- */

static void
link_ref(struct link *l)	/* n->mu held */
{
	l->refs++;
}

/* The last reference hands the link to the link thread: nats.c must not destroy a connection
 * from its own callbacks, and a destroy may block. */
static void
link_unref(struct link *l)
{
	struct bus_nats *n = l->n;

	pthread_mutex_lock(&n->mu);
	if (--l->refs == 0) {
		LIST_INSERT_HEAD(&n->dead, l, next);
		pthread_cond_broadcast(&n->change);
	}
	pthread_mutex_unlock(&n->mu);
}

static void
link_set(struct link *l, bool connected)
{
	struct bus_nats *n = l->n;
	bool up, ours;

	pthread_mutex_lock(&n->mu);
	l->connected = connected;
	l->told = true;
	ours = n->link == l;
	up = ours && connected && l->subscribed;
	pthread_mutex_unlock(&n->mu);
	if (connected)
		n->max_payload = (uint64_t)natsConnection_GetMaxPayload(l->nc);
	if (up)
		bus_came_up(n->bus);
	else if (ours && !connected)
		bus_went_down(n->bus);
}

static void
on_connected(natsConnection *nc, void *arg)
{
	struct link *l = arg;

	/* The first connect may be reported before natsConnection_Connect has returned nc. */
	pthread_mutex_lock(&l->n->mu);
	if (!l->nc)
		l->nc = nc;
	pthread_mutex_unlock(&l->n->mu);
	link_set(l, true);
}

static void
on_disconnected(natsConnection *nc, void *arg)
{
	link_set(arg, false);
}

static void
on_closed(natsConnection *nc, void *arg)
{
	struct link *l = arg;
	struct bus_nats *n = l->n;

	link_set(l, false);
	pthread_mutex_lock(&n->mu);
	l->closed = true;
	l->broken = true;
	pthread_cond_broadcast(&n->change);
	pthread_mutex_unlock(&n->mu);
	link_unref(l);			/* the callbacks' */
}

/* Without a handler nats.c prints to stderr.  Permission errors and slow consumers are seen
 * where they matter: a request of ours that times out, the inbox's own count. */
static void
on_error(natsConnection *nc, natsSubscription *sub, natsStatus err, void *arg)
{
}

static natsStatus
set_handlers(natsOptions *o, struct link *l)
{
	natsStatus s = natsOptions_SetRetryOnFailedConnect(o, true, on_connected, l);

	if (s == NATS_OK)
		s = natsOptions_SetDisconnectedCB(o, on_disconnected, l);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectedCB(o, on_connected, l);
	if (s == NATS_OK)
		s = natsOptions_SetClosedCB(o, on_closed, l);
	if (s == NATS_OK)
		s = natsOptions_SetErrorHandler(o, on_error, l);
	return s;
}

/* Link thread.  Blocks for one round of connects. */
static struct link *
link_new(struct bus_nats *n)
{
	struct link *l = calloc(1, sizeof(*l));
	natsConnection *nc = NULL;
	natsStatus s;

	if (!l)
		return NULL;
	l->n = n;
	l->refs = 2;			/* n's and the callbacks' */
	s = set_handlers(n->opts, l);
	if (s == NATS_OK)
		s = natsConnection_Connect(&nc, n->opts);
	if (s != NATS_OK && s != NATS_NOT_YET_CONNECTED) {
		free(l);
		return NULL;
	}
	pthread_mutex_lock(&n->mu);
	l->nc = nc;
	if (!l->told)
		l->connected = s == NATS_OK;
	n->nlinks++;
	pthread_mutex_unlock(&n->mu);
	if (s == NATS_OK)
		n->max_payload = (uint64_t)natsConnection_GetMaxPayload(nc);
	return l;
}

static void
destroy_dead(struct bus_nats *n)	/* mu held; drops it meanwhile */
{
	struct link *l;

	while ((l = LIST_FIRST(&n->dead))) {
		LIST_REMOVE(l, next);
		pthread_mutex_unlock(&n->mu);
		natsConnection_Destroy(l->nc);
		free(l);
		pthread_mutex_lock(&n->mu);
		n->nlinks--;
		pthread_cond_broadcast(&n->change);
	}
}

/* Takes the present link out of use. */
static void
drop_link(struct bus_nats *n)		/* mu held; drops it meanwhile */
{
	struct link *l = n->link;

	n->link = NULL;
	pthread_mutex_unlock(&n->mu);
	bus_went_down(n->bus);
	natsConnection_Close(l->nc);	/* on_closed follows */
	link_unref(l);
	pthread_mutex_lock(&n->mu);
}

static void
wait_change(struct bus_nats *n, uint64_t ms)	/* mu held */
{
	struct timespec until;

	if (ms == 0) {
		pthread_cond_wait(&n->change, &n->mu);
		return;
	}
	deadline_in(ms, &until);
	while (!n->stop && pthread_cond_timedwait(&n->change, &n->mu, &until) == 0)
		destroy_dead(n);
}

static void
connect_link(struct bus_nats *n)	/* mu held; drops it meanwhile */
{
	struct link *l;

	pthread_mutex_unlock(&n->mu);
	l = link_new(n);
	pthread_mutex_lock(&n->mu);
	if (l) {
		n->link = l;
		bus_wake(n->bus);	/* the loop subscribes */
	} else {
		wait_change(n, RETRY_MS);
	}
}

static void *
link_main(void *arg)
{
	struct bus_nats *n = arg;

	pthread_mutex_lock(&n->mu);
	for (;;) {
		destroy_dead(n);
		if (n->link && (n->link->broken || n->stop)) {
			drop_link(n);
			if (!n->stop)
				wait_change(n, RETRY_MS);
		} else if (n->stop && n->nlinks == 0) {
			break;
		} else if (n->stop || n->link) {
			wait_change(n, 0);
		} else {
			connect_link(n);
		}
	}
	pthread_mutex_unlock(&n->mu);
	return NULL;
}

/* Library threads are made by this one and inherit its mask: signals stay the loop's. */
static int
start_thread(struct bus_nats *n)
{
	sigset_t all, old;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(&n->thread, NULL, link_main, n);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	n->has_thread = r == 0;
	return -r;
}

void
bus_nats_renew(struct bus_nats *n)
{
	pthread_mutex_lock(&n->mu);
	if (n->link)
		n->link->broken = true;
	pthread_cond_broadcast(&n->change);
	pthread_mutex_unlock(&n->mu);
}

/* ---- options ---- */

static natsStatus
set_servers(natsOptions *o, const char *urls)
{
	AUTO(str) char *copy = strdup(urls);
	const char *server[SERVERS_MAX];
	char *save = NULL;
	int n = 0;

	if (!copy)
		return NATS_NO_MEMORY;
	for (char *p = strtok_r(copy, ", ", &save); p; p = strtok_r(NULL, ", ", &save)) {
		if (n == SERVERS_MAX)
			return NATS_INVALID_ARG;
		server[n++] = p;
	}
	return n == 0 ? NATS_INVALID_ARG : natsOptions_SetServers(o, server, n);
}

static natsStatus
set_who(natsOptions *o, const struct bus_conf *conf)
{
	natsStatus s = natsOptions_SetName(o, conf->name);

	if (s == NATS_OK && conf->user && *conf->user)
		s = natsOptions_SetUserInfo(o, conf->user,
		    conf->password ? conf->password : "");
	if (s == NATS_OK && conf->ca_file && *conf->ca_file) {
		s = natsOptions_SetSecure(o, true);
		if (s == NATS_OK)
			s = natsOptions_LoadCATrustedCertificates(o, conf->ca_file);
	}
	return s;
}

static natsStatus
set_timing(natsOptions *o)
{
	natsStatus s = natsOptions_SetTimeout(o, TIMEOUT_MS);

	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, PING_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPingsOut(o, PINGS_OUT);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, RECONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectJitter(o, RECONNECT_JITTER_MS,
		    RECONNECT_JITTER_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxReconnect(o, -1);
	if (s == NATS_OK)
		s = natsOptions_SetWriteDeadline(o, WRITE_DEADLINE_MS);
	return s;
}

static natsStatus
set_delivery(natsOptions *o)
{
	/* 0 is "no buffer" in nats.c: a publish while down fails, and nothing leaves later. */
	natsStatus s = natsOptions_SetReconnectBufSize(o, 0);

	if (s == NATS_OK)
		s = natsOptions_SetSendAsap(o, true);	/* else answers wait for a flusher, 1 ms */
	if (s == NATS_OK)
		s = natsOptions_UseGlobalMessageDelivery(o, true);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPendingMsgs(o, PENDING_MSGS);
	/* The servers are those that were configured. */
	if (s == NATS_OK)
		s = natsOptions_SetIgnoreDiscoveredServers(o, true);
	return s;
}

static int
status_errno(natsStatus s)
{
	if (s == NATS_OK)
		return 0;
	if (s == NATS_NO_MEMORY)
		return -ENOMEM;
	if (s == NATS_MAX_PAYLOAD)
		return -EMSGSIZE;
	if (s == NATS_INSUFFICIENT_BUFFER || s == NATS_CONNECTION_CLOSED ||
	    s == NATS_CONNECTION_DISCONNECTED || s == NATS_NO_SERVER ||
	    s == NATS_NOT_YET_CONNECTED)
		return -ENOTCONN;
	if (s == NATS_INVALID_ARG || s == NATS_INVALID_SUBJECT || s == NATS_ADDRESS_MISSING ||
	    s == NATS_SSL_ERROR)
		return -EINVAL;
	return -EIO;
}

static int
make_options(const struct bus_conf *conf, natsOptions **ret)
{
	natsOptions *o = NULL;
	natsStatus s = nats_Open(-1);

	if (s == NATS_OK)
		s = nats_SetMessageDeliveryPoolSize(1);
	if (s == NATS_OK)
		s = natsOptions_Create(&o);
	if (s == NATS_OK)
		s = set_servers(o, conf->url);
	if (s == NATS_OK)
		s = set_who(o, conf);
	if (s == NATS_OK)
		s = set_timing(o);
	if (s == NATS_OK)
		s = set_delivery(o);
	if (s != NATS_OK) {
		natsOptions_Destroy(o);
		return status_errno(s);
	}
	*ret = o;
	return 0;
}

/* ---- subscriptions ---- */

static void
on_delivery(natsConnection *nc, natsSubscription *ns, natsMsg *raw, void *arg)
{
	struct wire *w = arg;
	struct bus_msg *m = calloc(1, sizeof(*m));

	if (!m) {
		natsMsg_Destroy(raw);
		return;
	}
	m->raw = raw;
	m->len = (size_t)natsMsg_GetDataLength(raw);
	if (!w->sub->direct || !w->sub->direct(w->sub, m))
		bus_inbox_push(w->sub, m);
}

static void
on_complete(void *arg)
{
	struct wire *w = arg;
	struct bus_nats *n = w->link->n;

	pthread_mutex_lock(&n->mu);
	w->complete = true;
	n->nincomplete--;
	pthread_cond_broadcast(&n->change);
	pthread_mutex_unlock(&n->mu);
}

static natsStatus
wire_subscribe(struct wire *w)
{
	const struct bus_sub *s = w->sub;

	if (s->queue)
		return natsConnection_QueueSubscribe(&w->ns, w->link->nc, s->subject, s->queue,
		    on_delivery, w);
	return natsConnection_Subscribe(&w->ns, w->link->nc, s->subject, on_delivery, w);
}

static void
wire_free(struct wire *w)
{
	natsSubscription_Destroy(w->ns);
	bus_sub_unref(w->sub);
	link_unref(w->link);
	free(w);
}

static void
wire_new(struct bus_nats *n, struct link *l, struct bus_sub *s)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w) {
		bus_nats_renew(n);	/* subscribed to all or to nothing */
		return;
	}
	bus_sub_ref(s);
	pthread_mutex_lock(&n->mu);
	link_ref(l);
	n->nincomplete++;
	pthread_mutex_unlock(&n->mu);
	w->sub = s;
	w->link = l;
	if (wire_subscribe(w) != NATS_OK) {
		on_complete(w);		/* it will never be called */
		wire_free(w);
		bus_nats_renew(n);
		return;
	}
	(void)natsSubscription_SetOnCompleteCB(w->ns, on_complete, w);
	s->wire = w;
}

/*
 * nats.c 3.4 can hand a message to a subscription that is being destroyed (mended in 3.6.1):
 * unsubscribe now, destroy when the reader has long left it.
 */
static void
wire_retire(struct bus_nats *n, struct bus_sub *s)
{
	struct wire *w = s->wire;

	if (!w)
		return;
	s->wire = NULL;
	(void)natsSubscription_Unsubscribe(w->ns);	/* fails on a closed connection: fine */
	w->retire_at_ms = loop_now_ms(n->bus->loop) + RETIRE_MS;
	TAILQ_INSERT_TAIL(&n->retired, w, next);
	if (!loop_timer_is_on(n->retire_timer))
		loop_timer_at(n->retire_timer, w->retire_at_ms);
}

static void
on_retire(void *arg)
{
	struct bus_nats *n = arg;
	uint64_t now = loop_now_ms(n->bus->loop);
	struct wire *w, *next;

	for (w = TAILQ_FIRST(&n->retired); w; w = next) {
		bool complete;

		next = TAILQ_NEXT(w, next);
		pthread_mutex_lock(&n->mu);
		complete = w->complete;
		pthread_mutex_unlock(&n->mu);
		if (!complete || w->retire_at_ms > now)
			continue;
		TAILQ_REMOVE(&n->retired, w, next);
		wire_free(w);
	}
	if (!TAILQ_EMPTY(&n->retired))
		loop_timer_in(n->retire_timer, RETIRE_MS);
}

void
bus_nats_subscribe(struct bus_nats *n, struct bus_sub *s)
{
	struct link *l;

	if (!n)
		return;			/* the bus is being made */
	pthread_mutex_lock(&n->mu);
	l = n->link && n->link->subscribed ? n->link : NULL;
	if (l)
		link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return;			/* with all others, once there is a connection */
	wire_new(n, l, s);
	link_unref(l);
}

void
bus_nats_unsubscribe(struct bus_nats *n, struct bus_sub *s)
{
	wire_retire(n, s);
}

void
bus_nats_adopt(struct bus_nats *n)
{
	struct link *l;
	struct bus_sub *s;
	bool up;

	pthread_mutex_lock(&n->mu);
	l = n->link && !n->link->subscribed && !n->link->broken ? n->link : NULL;
	if (l)
		link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return;
	TAILQ_FOREACH(s, &n->bus->subs, next) {
		wire_retire(n, s);
		wire_new(n, l, s);
	}
	pthread_mutex_lock(&n->mu);
	l->subscribed = !l->broken;
	up = l->subscribed && l->connected;
	pthread_mutex_unlock(&n->mu);
	if (up)
		bus_came_up(n->bus);
	link_unref(l);
}

/* ---- sending ---- */

static natsStatus
send_with_headers(natsConnection *nc, const char *subject, const char *reply,
    const struct bus_header *h, size_t nh, const void *data, size_t len)
{
	natsMsg *m = NULL;
	natsStatus s = natsMsg_Create(&m, subject, reply, data, (int)len);

	for (size_t i = 0; s == NATS_OK && i < nh; i++)
		s = natsMsgHeader_Add(m, h[i].name, h[i].value);
	if (s == NATS_OK)
		s = natsConnection_PublishMsg(nc, m);
	natsMsg_Destroy(m);
	return s;
}

static natsStatus
send_plain(natsConnection *nc, const char *subject, const char *reply, const void *data,
    size_t len)
{
	return reply ? natsConnection_PublishRequest(nc, subject, reply, data, (int)len)
		     : natsConnection_Publish(nc, subject, data, (int)len);
}

int
bus_nats_send(struct bus_nats *n, const char *subject, const char *reply,
    const struct bus_header *h, size_t nh, const void *data, size_t len)
{
	struct link *l;
	natsStatus s;

	pthread_mutex_lock(&n->mu);
	l = n->link;
	if (!l || !l->subscribed || !l->connected || n->stop)
		l = NULL;
	else
		link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return -ENOTCONN;
	s = nh ? send_with_headers(l->nc, subject, reply, h, nh, data, len)
	       : send_plain(l->nc, subject, reply, data, len);
	link_unref(l);
	return status_errno(s);
}

uint64_t
bus_nats_max_payload(const struct bus_nats *n)
{
	return n->max_payload;
}

/* ---- messages ---- */

const char *
bus_msg_subject(const struct bus_msg *m)
{
	return natsMsg_GetSubject(m->raw);
}

const void *
bus_msg_data(const struct bus_msg *m, size_t *ret_len)
{
	const char *data = natsMsg_GetData(m->raw);

	if (ret_len)
		*ret_len = m->len;
	return data ? data : "";
}

const char *
bus_msg_header(const struct bus_msg *m, const char *name)
{
	const char *value = NULL;

	return natsMsgHeader_Get(m->raw, name, &value) == NATS_OK ? value : NULL;
}

void
bus_msg_free(struct bus_msg *m)
{
	if (!m)
		return;
	natsMsg_Destroy(m->raw);
	free(m);
}

const char *
bus_nats_reply(const struct bus_msg *m)
{
	const char *reply = natsMsg_GetReply(m->raw);

	return reply && *reply ? reply : NULL;
}

bool
bus_nats_is_no_responders(const struct bus_msg *m)
{
	return natsMsg_IsNoResponders(m->raw);
}

void
bus_nats_headers(const struct bus_msg *m, bus_nats_header_fn *fn, void *arg)
{
	const char **name = NULL;
	int n = 0;

	if (natsMsgHeader_Keys(m->raw, &name, &n) != NATS_OK)
		return;
	for (int i = 0; i < n; i++) {
		const char *value = NULL;

		if (natsMsgHeader_Get(m->raw, name[i], &value) == NATS_OK && value)
			fn(arg, name[i], value);
	}
	free(name);
}

/* ---- life ---- */

int
bus_nats_new(struct bus *b, const struct bus_conf *conf, struct bus_nats **ret)
{
	struct bus_nats *n = calloc(1, sizeof(*n));
	pthread_condattr_t attr;
	int r;

	if (!n)
		return -ENOMEM;
	n->bus = b;
	TAILQ_INIT(&n->retired);
	LIST_INIT(&n->dead);
	pthread_mutex_init(&n->mu, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&n->change, &attr);
	pthread_condattr_destroy(&attr);
	r = loop_timer_new(b->loop, on_retire, n, &n->retire_timer);
	if (r == 0)
		r = make_options(conf, &n->opts);
	if (r == 0) {
		b->nats = n;		/* the thread may wake the loop at once */
		r = start_thread(n);
	}
	if (r < 0) {
		b->nats = NULL;
		bus_nats_free(n);
		return r;
	}
	*ret = n;
	return 0;
}

static bool
wait_for_callbacks(struct bus_nats *n)
{
	struct timespec until;
	bool done;

	deadline_in(STOP_MS, &until);
	pthread_mutex_lock(&n->mu);
	n->stop = true;
	pthread_cond_broadcast(&n->change);
	while (n->nincomplete > 0 &&
	    pthread_cond_timedwait(&n->change, &n->mu, &until) == 0)
		;
	done = n->nincomplete == 0;
	pthread_mutex_unlock(&n->mu);
	return done;
}

static bool
wait_for_links(struct bus_nats *n)
{
	struct timespec until;
	bool done;

	deadline_in(STOP_MS, &until);
	pthread_mutex_lock(&n->mu);
	while (n->nlinks > 0 && pthread_cond_timedwait(&n->change, &n->mu, &until) == 0)
		;
	done = n->nlinks == 0;
	pthread_mutex_unlock(&n->mu);
	return done;
}

bool
bus_nats_stop(struct bus_nats *n)
{
	struct bus_sub *s;
	struct wire *w;

	TAILQ_FOREACH(s, &n->bus->subs, next)
		wire_retire(n, s);
	if (!wait_for_callbacks(n))
		return false;
	while ((w = TAILQ_FIRST(&n->retired))) {
		TAILQ_REMOVE(&n->retired, w, next);
		wire_free(w);
	}
	if (!wait_for_links(n))
		return false;
	pthread_join(n->thread, NULL);
	n->has_thread = false;
	return true;
}

void
bus_nats_free(struct bus_nats *n)
{
	if (!n)
		return;
	natsOptions_Destroy(n->opts);
	loop_timer_free(n->retire_timer);
	pthread_cond_destroy(&n->change);
	pthread_mutex_destroy(&n->mu);
	free(n);
}
