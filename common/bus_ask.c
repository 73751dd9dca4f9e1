#include "common/bus_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BUCKETS		256
#define INBOX_SIZE	(BUS_ANSWERS_SIZE + 20)		/* and ".a<16 digits>" */
#define SILENT_ASKS	10		/* this many timeouts in a row, over ... */
#define SILENT_MS	10000		/* ... at least so long: another connection is tried, */
#define RENEW_MS	60000		/* but only so often */

struct ask {
	uint64_t		 id;
	uint64_t		 deadline_ms;
	enum bus_result		 at_deadline;
	unsigned		 epoch;		/* of the connection it was sent on */
	bus_answer_fn		*fn;		/* or each and end */
	bus_each_fn		*each;
	bus_end_fn		*end;
	void			*arg;
	TAILQ_ENTRY(ask)	 by_deadline;
	LIST_ENTRY(ask)		 by_id;
};
TAILQ_HEAD(asks, ask);
LIST_HEAD(bucket_of_asks, ask);

/* Lives on the stack of the thread that waits. */
struct waiter {
	uint64_t		 id;
	unsigned		 epoch;
	bool			 done;
	struct bus_msg		*msg;		/* NULL when done: the connection went */
	pthread_cond_t		 cond;		/* CLOCK_MONOTONIC */
	LIST_ENTRY(waiter)	 next;
};
LIST_HEAD(waiters, waiter);

struct bus_asks {
	struct bus		*bus;
	struct bus_sub		*mux;		/* in bus->subs */
	size_t			 prefix_len;	/* of the answers' name and a dot */
	uint64_t		 next_id;
	struct asks		 sorted;	/* by deadline */
	struct bucket_of_asks	 hash[BUCKETS];
	struct loop_timer	*timer;
	uint64_t		 armed_ms;	/* UINT64_MAX: not */
	unsigned		 silent;	/* timeouts since the last answer of any kind */
	uint64_t		 silent_since_ms, renewed_ms;
	pthread_mutex_t		 wait_mu;
	struct waiters		 waiters;	/* under wait_mu, as the next */
	uint64_t		 next_wait_id;
};

static const char *const result_text[BUS_RESULTS] = {
	[BUS_OK]		= "answered",
	[BUS_NO_RESPONDERS]	= "nobody serves the subject",
	[BUS_NOT_SENT]		= "not sent: no connection to NATS, or too large",
	[BUS_TIMEOUT]		= "no answer in time",
};

const char *
bus_result_text(enum bus_result r)
{
	return (unsigned)r < BUS_RESULTS ? result_text[r] : "unknown";
}

/* ---- the table ---- */

static struct ask *
ask_find(struct bus_asks *a, uint64_t id)
{
	struct ask *k;

	LIST_FOREACH(k, &a->hash[id % BUCKETS], by_id)
		if (k->id == id)
			return k;
	return NULL;
}

static void
arm(struct bus_asks *a)
{
	const struct ask *first = TAILQ_FIRST(&a->sorted);

	/* Not disarmed when answered: one idle turn later is cheaper than a change now. */
	if (!first || a->armed_ms <= first->deadline_ms)
		return;
	a->armed_ms = first->deadline_ms;
	loop_timer_at(a->timer, first->deadline_ms);
}

/* From the end: most requests have deadlines in the order in which they are sent. */
static void
ask_insert(struct bus_asks *a, struct ask *k)
{
	struct ask *before = TAILQ_LAST(&a->sorted, asks);

	while (before && before->deadline_ms > k->deadline_ms)
		before = TAILQ_PREV(before, asks, by_deadline);
	if (before)
		TAILQ_INSERT_AFTER(&a->sorted, before, k, by_deadline);
	else
		TAILQ_INSERT_HEAD(&a->sorted, k, by_deadline);
	LIST_INSERT_HEAD(&a->hash[k->id % BUCKETS], k, by_id);
	arm(a);
}

static void
ask_remove(struct bus_asks *a, struct ask *k)
{
	TAILQ_REMOVE(&a->sorted, k, by_deadline);
	LIST_REMOVE(k, by_id);
}

/* Ends k, which is not in the table any more. */
static void
ask_end(struct ask *k, enum bus_result res, const struct bus_msg *m)
{
	struct ask was = *k;

	free(k);
	if (was.fn)
		was.fn(was.arg, res, m);
	else
		was.end(was.arg, res);
}

/* ---- answers ---- */

static void
answer_gather(struct bus_asks *a, struct ask *k, const struct bus_msg *m)
{
	uint64_t id = k->id;

	if (!k->each(k->arg, m))
		return;
	k = ask_find(a, id);		/* each may have cancelled it */
	if (k) {
		ask_remove(a, k);
		ask_end(k, BUS_OK, NULL);
	}
}

static void
deliver(struct bus_sub *s, struct bus_msg *m)
{
	struct bus_asks *a = s->arg;
	const char *token = bus_msg_subject(m) + a->prefix_len;
	struct ask *k = *token == 'a' ? ask_find(a, strtoull(token + 1, NULL, 16)) : NULL;
	bool nobody = bus_nats_is_no_responders(m);

	a->silent = 0;
	if (k && k->each && !nobody) {
		answer_gather(a, k, m);
	} else if (k) {
		ask_remove(a, k);
		ask_end(k, nobody ? BUS_NO_RESPONDERS : BUS_OK, nobody ? NULL : m);
	}
	bus_msg_free(m);		/* late answers too */
}

/* Delivery thread: an answer that a thread waits for goes to it without a turn of the loop. */
static bool
direct(struct bus_sub *s, struct bus_msg *m)
{
	struct bus_asks *a = s->arg;
	const char *token = bus_msg_subject(m) + a->prefix_len;
	struct waiter *w;
	uint64_t id;

	if (*token != 'w')
		return false;
	id = strtoull(token + 1, NULL, 16);
	pthread_mutex_lock(&a->wait_mu);
	LIST_FOREACH(w, &a->waiters, next)
		if (w->id == id && !w->done)
			break;
	if (w) {
		w->msg = m;
		w->done = true;
		pthread_cond_signal(&w->cond);
	}
	pthread_mutex_unlock(&a->wait_mu);
	if (!w)
		bus_msg_free(m);
	return true;
}

/* ---- deadlines ---- */

static void
count_silence(struct bus_asks *a, uint64_t now_ms)
{
	if (a->silent++ == 0)
		a->silent_since_ms = now_ms;
	if (a->silent < SILENT_ASKS || now_ms - a->silent_since_ms < SILENT_MS ||
	    now_ms - a->renewed_ms < RENEW_MS || !bus_is_up(a->bus))
		return;
	a->silent = 0;
	a->renewed_ms = now_ms;
	bus_nats_renew(a->bus->nats);
}

static void
on_deadline(void *arg)
{
	struct bus_asks *a = arg;
	uint64_t now = loop_now_ms(a->bus->loop), before = a->next_id;
	struct ask *k;

	a->armed_ms = UINT64_MAX;
	/* Those that the calls below make have their turn next time. */
	while ((k = TAILQ_FIRST(&a->sorted)) && k->deadline_ms <= now && k->id < before) {
		ask_remove(a, k);
		if (k->at_deadline == BUS_TIMEOUT)
			count_silence(a, now);
		ask_end(k, k->at_deadline, NULL);
	}
	arm(a);
}

void
bus_asks_down(struct bus_asks *a)
{
	unsigned epoch = atomic_load(&a->bus->epoch);
	uint64_t before = a->next_id;
	struct ask *k;

	for (;;) {
		TAILQ_FOREACH(k, &a->sorted, by_deadline)
			if (k->at_deadline != BUS_NOT_SENT && k->epoch != epoch &&
			    k->id < before)
				break;
		if (!k)
			return;
		ask_remove(a, k);
		ask_end(k, BUS_TIMEOUT, NULL);	/* may change the table: from the start again */
	}
}

/* ---- asking from the loop ---- */

static enum bus_result
sent_result(int r)
{
	if (r == 0)
		return BUS_OK;
	return r == -EIO ? BUS_TIMEOUT : BUS_NOT_SENT;
}

static enum bus_result
send_ask(struct bus_asks *a, const struct bus_ask *ask, char kind, uint64_t id)
{
	char reply[INBOX_SIZE];

	(void)snprintf(reply, sizeof(reply), "%s.%c%" PRIx64, a->bus->answers, kind, id);
	return sent_result(bus_send(a->bus, ask->subject, reply, ask->headers, ask->nheaders,
	    ask->data, ask->len));
}

static uint64_t
ask_start(struct bus *b, const struct bus_ask *ask, struct ask like)
{
	struct bus_asks *a = b->asks;
	struct ask *k = malloc(sizeof(*k));
	uint64_t now = loop_now_ms(b->loop);
	enum bus_result res;

	if (!k)
		return 0;
	*k = like;
	k->id = a->next_id++;
	k->epoch = atomic_load(&b->epoch);	/* before it is sent */
	res = send_ask(a, ask, 'a', k->id);
	k->at_deadline = res == BUS_OK ? (k->fn ? BUS_TIMEOUT : BUS_OK) : res;
	k->deadline_ms = res == BUS_OK ? now + ask->timeout_ms : now;
	ask_insert(a, k);
	return k->id;
}

uint64_t
bus_ask(struct bus *b, const struct bus_ask *a, bus_answer_fn *fn, void *arg)
{
	return ask_start(b, a, (struct ask){ .fn = fn, .arg = arg });
}

uint64_t
bus_gather(struct bus *b, const struct bus_ask *a, bus_each_fn *each, bus_end_fn *end,
    void *arg)
{
	return ask_start(b, a, (struct ask){ .each = each, .end = end, .arg = arg });
}

void
bus_ask_cancel(struct bus *b, uint64_t id)
{
	struct ask *k = ask_find(b->asks, id);

	if (!k)
		return;
	ask_remove(b->asks, k);
	free(k);
}

/* ---- asking from other threads ---- */

static void
waiter_begin(struct bus_asks *a, struct waiter *w)
{
	pthread_condattr_t attr;

	*w = (struct waiter){ .epoch = atomic_load(&a->bus->epoch) };
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->cond, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_lock(&a->wait_mu);
	w->id = a->next_wait_id++;
	LIST_INSERT_HEAD(&a->waiters, w, next);
	pthread_mutex_unlock(&a->wait_mu);
}

static void
waiter_wait(struct bus_asks *a, struct waiter *w, uint64_t timeout_ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(timeout_ms / 1000);
	until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&a->wait_mu);
	while (!w->done && pthread_cond_timedwait(&w->cond, &a->wait_mu, &until) == 0)
		;
	pthread_mutex_unlock(&a->wait_mu);
}

/* The message, if one came. */
static struct bus_msg *
waiter_end(struct bus_asks *a, struct waiter *w)
{
	pthread_mutex_lock(&a->wait_mu);
	LIST_REMOVE(w, next);
	pthread_mutex_unlock(&a->wait_mu);
	pthread_cond_destroy(&w->cond);
	return w->msg;
}

enum bus_result
bus_ask_wait(struct bus *b, const struct bus_ask *ask, struct bus_msg **ret)
{
	struct waiter w;
	AUTO(bus_msg) struct bus_msg *m = NULL;
	enum bus_result res;

	waiter_begin(b->asks, &w);
	res = send_ask(b->asks, ask, 'w', w.id);
	if (res == BUS_OK)
		waiter_wait(b->asks, &w, ask->timeout_ms);
	m = waiter_end(b->asks, &w);
	if (res != BUS_OK)
		return res;
	if (!m)
		return BUS_TIMEOUT;
	if (bus_nats_is_no_responders(m))
		return BUS_NO_RESPONDERS;
	*ret = steal_bus_msg(&m);
	return BUS_OK;
}

void
bus_asks_wake_waiters(struct bus_asks *a)
{
	unsigned epoch = atomic_load(&a->bus->epoch);
	struct waiter *w;

	pthread_mutex_lock(&a->wait_mu);
	LIST_FOREACH(w, &a->waiters, next) {
		if (w->epoch == epoch)
			continue;
		w->done = true;
		pthread_cond_signal(&w->cond);
	}
	pthread_mutex_unlock(&a->wait_mu);
}

/* A message to ourselves comes back when the server has taken all that went before it. */
bool
bus_asks_flush(struct bus_asks *a, uint64_t timeout_ms)
{
	char subject[INBOX_SIZE];
	AUTO(bus_msg) struct bus_msg *m = NULL;
	struct waiter w;

	waiter_begin(a, &w);
	(void)snprintf(subject, sizeof(subject), "%s.w%" PRIx64, a->bus->answers, w.id);
	if (bus_send(a->bus, subject, NULL, NULL, 0, NULL, 0) == 0)
		waiter_wait(a, &w, timeout_ms);
	m = waiter_end(a, &w);
	return m != NULL;
}

/* ---- life ---- */

int
bus_asks_new(struct bus *b, struct bus_asks **ret)
{
	struct bus_asks *a = calloc(1, sizeof(*a));
	char subject[INBOX_SIZE];
	int r;

	if (!a)
		return -ENOMEM;
	a->bus = b;
	a->next_id = a->next_wait_id = 1;
	a->armed_ms = UINT64_MAX;
	TAILQ_INIT(&a->sorted);
	pthread_mutex_init(&a->wait_mu, NULL);
	a->prefix_len = (size_t)snprintf(subject, sizeof(subject), "%s.", b->answers);
	(void)strncat(subject, "*", 2);
	r = loop_timer_new(b->loop, on_deadline, a, &a->timer);
	if (r == 0) {
		a->mux = bus_sub_add(b, &(struct bus_sub){ .subject = subject,
		    .deliver = deliver, .direct = direct, .arg = a });
		r = a->mux ? 0 : -ENOMEM;
	}
	if (r < 0) {
		bus_asks_free(a);
		return r;
	}
	*ret = a;
	return 0;
}

void
bus_asks_free(struct bus_asks *a)
{
	struct ask *k;

	if (!a)
		return;
	while ((k = TAILQ_FIRST(&a->sorted))) {
		ask_remove(a, k);
		free(k);
	}
	loop_timer_free(a->timer);
	pthread_mutex_destroy(&a->wait_mu);
	free(a);
}
