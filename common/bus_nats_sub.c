#include "common/bus_nats.h"

#include <string.h>

#define RETIRE_MS		2000	/* from unsubscribe to destroy, see wire_retire */
#define SPENT_BYTES_MAX		(64u << 10)

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
	m->nats = w->link->n;
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
	bus_nats_link_unref(w->link);
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
	bus_nats_link_ref(l);
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

void
bus_nats_on_retire(void *arg)
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
		bus_nats_link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return;			/* with all others, once there is a connection */
	wire_new(n, l, s);
	bus_nats_link_unref(l);
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
		bus_nats_link_ref(l);
	pthread_mutex_unlock(&n->mu);
	if (!l)
		return;
	TAILQ_FOREACH(s, &n->bus->subs, next) {
		wire_retire(n, s);
		if (!s->is_off)
			wire_new(n, l, s);
	}
	pthread_mutex_lock(&n->mu);
	l->subscribed = !l->broken;
	up = l->subscribed && l->connected;
	pthread_mutex_unlock(&n->mu);
	if (up)
		bus_came_up(n->bus);
	bus_nats_link_unref(l);
}

void
bus_nats_retire_all(struct bus_nats *n)
{
	struct bus_sub *s;

	TAILQ_FOREACH(s, &n->bus->subs, next)
		wire_retire(n, s);
}

void
bus_nats_destroy_retired(struct bus_nats *n)
{
	struct wire *w;

	while ((w = TAILQ_FIRST(&n->retired))) {
		TAILQ_REMOVE(&n->retired, w, next);
		wire_free(w);
	}
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
bus_nats_spend(struct bus_nats *n, natsMsg *m, size_t len)
{
	natsMsg *all[BUS_NATS_SPENT_MAX];
	size_t nall = 0;

	pthread_mutex_lock(&n->spent_mu);
	n->spent[n->nspent++] = m;	/* there is always room for one */
	n->spent_bytes += len;
	if (n->nspent == BUS_NATS_SPENT_MAX || n->spent_bytes > SPENT_BYTES_MAX) {
		nall = n->nspent;
		memcpy(all, n->spent, nall * sizeof(*all));
		n->nspent = n->spent_bytes = 0;
	}
	pthread_mutex_unlock(&n->spent_mu);
	for (size_t i = 0; i < nall; i++)
		natsMsg_Destroy(all[i]);
}

void
bus_nats_destroy_spent(struct bus_nats *n)
{
	while (n->nspent > 0)
		natsMsg_Destroy(n->spent[--n->nspent]);
}

void
bus_msg_free(struct bus_msg *m)
{
	if (!m)
		return;
	bus_nats_spend(m->nats, m->raw, m->len);
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
