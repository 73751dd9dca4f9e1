#include "common/bus_nats.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define RETRY_MS		500	/* to the next connection, after one that was closed */
#define STOP_MS			3000

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

void
bus_nats_link_ref(struct link *l)
{
	l->refs++;
}

/* The last reference hands the link to the link thread: nats.c must not destroy a connection
 * from its own callbacks, and a destroy may block. */
void
bus_nats_link_unref(struct link *l)
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
note_server(struct bus_nats *n, natsConnection *nc)
{
	char id[BUS_SERVER_ID_SIZE];

	n->max_payload = (uint64_t)natsConnection_GetMaxPayload(nc);
	if (natsConnection_GetConnectedServerId(nc, id, sizeof(id)) != NATS_OK)
		return;			/* it is down again: the next one will tell */
	pthread_mutex_lock(&n->mu);
	memcpy(n->server_id, id, sizeof(id));
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
		note_server(n, l->nc);
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
	bus_nats_link_unref(l);			/* the callbacks' */
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
		note_server(n, nc);
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
	bus_nats_link_unref(l);
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

/* ---- sending ---- */

static natsStatus
send_with_headers(struct link *l, const char *subject, const char *reply,
    const struct bus_header *h, size_t nh, const void *data, size_t len)
{
	natsMsg *m = NULL;
	natsStatus s = natsMsg_Create(&m, subject, reply, data, (int)len);

	for (size_t i = 0; s == NATS_OK && i < nh; i++)
		s = natsMsgHeader_Add(m, h[i].name, h[i].value);
	if (s == NATS_OK)
		s = natsConnection_PublishMsg(l->nc, m);
	if (m)
		bus_nats_spend(l->n, m, len);
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
		bus_nats_link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return -ENOTCONN;
	s = nh ? send_with_headers(l, subject, reply, h, nh, data, len)
	       : send_plain(l->nc, subject, reply, data, len);
	bus_nats_link_unref(l);
	return bus_nats_errno(s);
}

uint64_t
bus_nats_max_payload(const struct bus_nats *n)
{
	return n->max_payload;
}

void
bus_nats_server_id(struct bus_nats *n, char ret[static BUS_SERVER_ID_SIZE])
{
	pthread_mutex_lock(&n->mu);
	memcpy(ret, n->server_id, BUS_SERVER_ID_SIZE);
	pthread_mutex_unlock(&n->mu);
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
	pthread_mutex_init(&n->spent_mu, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&n->change, &attr);
	pthread_condattr_destroy(&attr);
	r = loop_timer_new(b->loop, bus_nats_on_retire, n, &n->retire_timer);
	if (r == 0)
		r = bus_nats_options(conf, &n->opts);
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
	bus_nats_retire_all(n);
	if (!wait_for_callbacks(n))
		return false;
	bus_nats_destroy_retired(n);
	if (!wait_for_links(n))
		return false;
	pthread_join(n->thread, NULL);
	return true;
}

void
bus_nats_free(struct bus_nats *n)
{
	if (!n)
		return;
	bus_nats_destroy_spent(n);
	natsOptions_Destroy(n->opts);
	loop_timer_free(n->retire_timer);
	pthread_cond_destroy(&n->change);
	pthread_mutex_destroy(&n->spent_mu);
	pthread_mutex_destroy(&n->mu);
	free(n);
}
