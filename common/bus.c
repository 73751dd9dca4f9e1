#include "common/bus_impl.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/ident.h"
#include "common/log.h"

#define TURN_MAX	256	/* messages handed out before timers get their turn */
#define FLUSH_MS	1000

/* ---- waking the loop ---- */

void
bus_wake(struct bus *b)
{
	(void)eventfd_write(b->wake_fd, 1);	/* fails only at 2^64 - 1 unread wakes */
}

void
bus_came_up(struct bus *b)
{
	atomic_store(&b->up, true);
	bus_wake(b);
}

void
bus_went_down(struct bus *b)
{
	atomic_store(&b->up, false);
	atomic_fetch_add(&b->epoch, 1);
	bus_asks_wake_waiters(b->asks);
	bus_wake(b);
}

bool
bus_is_up(const struct bus *b)
{
	return atomic_load(&b->up);
}

/* ---- the inbox ---- */

void
bus_inbox_push(struct bus_sub *s, struct bus_msg *m)
{
	struct bus *b = s->bus;
	bool full, wake;

	pthread_mutex_lock(&b->inbox_mu);
	/* Else who put the first one in has woken the loop, which has not come to it yet. */
	wake = b->inbox_n == 0;
	full = b->inbox_n >= BUS_INBOX_MAX || b->inbox_bytes + m->len > BUS_INBOX_BYTES;
	if (full) {
		b->inbox_dropped++;
		b->any_dropped = s->dropped = true;
	} else {
		m->sub = s;
		s->refs++;
		b->inbox_n++;
		b->inbox_bytes += m->len;
		TAILQ_INSERT_TAIL(&b->inbox, m, next);
	}
	pthread_mutex_unlock(&b->inbox_mu);
	if (full)
		bus_msg_free(m);
	if (wake)
		bus_wake(b);
}

static struct bus_msg *
inbox_take(struct bus *b)
{
	struct bus_msg *m;

	pthread_mutex_lock(&b->inbox_mu);
	m = TAILQ_FIRST(&b->inbox);
	if (m) {
		TAILQ_REMOVE(&b->inbox, m, next);
		b->inbox_n--;
		b->inbox_bytes -= m->len;
	}
	pthread_mutex_unlock(&b->inbox_mu);
	return m;
}

static void
hand_out(struct bus_msg *m)
{
	struct bus_sub *s = m->sub;

	m->sub = NULL;
	if (s->closed)
		bus_msg_free(m);
	else
		s->deliver(s, m);
	bus_sub_unref(s);
}

uint64_t
bus_dropped(struct bus *b)
{
	uint64_t n;

	pthread_mutex_lock(&b->inbox_mu);
	n = b->inbox_dropped;
	pthread_mutex_unlock(&b->inbox_mu);
	return n;
}

/* A subscription that lost messages and has not been told, with a reference. */
static struct bus_sub *
next_dropped(struct bus *b)
{
	struct bus_sub *s;

	pthread_mutex_lock(&b->inbox_mu);
	TAILQ_FOREACH(s, &b->subs, next)
		if (s->dropped)
			break;
	if (s) {
		s->dropped = false;
		s->refs++;
	} else {
		b->any_dropped = false;
	}
	pthread_mutex_unlock(&b->inbox_mu);
	return s;
}

static void
tell_dropped(struct bus *b)
{
	struct bus_sub *s;
	bool any;

	pthread_mutex_lock(&b->inbox_mu);
	any = b->any_dropped;
	pthread_mutex_unlock(&b->inbox_mu);
	while (any && (s = next_dropped(b))) {
		if (s->missed && !s->closed)
			s->missed(s->arg);
		bus_sub_unref(s);
	}
}

/* ---- state ---- */

static void
tell(struct bus_state_fn *f, bool up)
{
	if (f->told && f->last == up)
		return;
	f->told = true;
	f->last = up;
	f->fn(f->arg, up);
}

static void
tell_all(struct bus *b, bool up)
{
	if (!up && b->told_up)
		bus_asks_down(b->asks);
	b->told_up = up;
	for (size_t i = 0; i < b->nstate; i++)
		tell(&b->state[i], up);
}

/* A connection that went and came between two turns is told as both. */
static void
tell_state(struct bus *b)
{
	unsigned epoch = atomic_load(&b->epoch);
	bool up = bus_is_up(b);

	if (epoch != b->told_epoch) {
		b->told_epoch = epoch;
		tell_all(b, false);
	}
	if (up != b->told_up)
		tell_all(b, up);
}

static void
on_state_timer(void *arg)
{
	struct bus *b = arg;

	for (size_t i = 0; i < b->nstate; i++)
		if (!b->state[i].told)
			tell(&b->state[i], b->told_up);
}

int
bus_on_state(struct bus *b, void (*fn)(void *arg, bool up), void *arg)
{
	if (b->nstate == BUS_STATE_FNS)
		return -ENOSPC;
	b->state[b->nstate++] = (struct bus_state_fn){ .fn = fn, .arg = arg };
	loop_timer_in(b->state_timer, 0);
	return 0;
}

void
bus_off_state(struct bus *b, const void *arg)
{
	for (size_t i = 0; i < b->nstate; i++)
		if (b->state[i].arg == arg)
			b->state[i--] = b->state[--b->nstate];
}

static void
on_wake(void *arg, uint32_t revents)
{
	struct bus *b = arg;
	struct bus_msg *m;
	eventfd_t n;
	int left = TURN_MAX;

	(void)eventfd_read(b->wake_fd, &n);	/* not readable: another turn has read it */
	bus_nats_adopt(b->nats);
	while (left-- > 0 && (m = inbox_take(b)))
		hand_out(m);
	if (left < 0)
		bus_wake(b);
	tell_dropped(b);
	tell_state(b);
}

/* ---- publishing ---- */

/* What a token may hold; the rest would end the protocol line or mean something to it. */
static bool
token_byte(unsigned char c)
{
	return c > ' ' && c < 0x7f && c != '*' && c != '>' && c != '.';
}

bool
bus_subject_is_valid(const char *subject)
{
	size_t n = strlen(subject), token = 0;

	if (n == 0 || n > BUS_SUBJECT_MAX)
		return false;
	for (const char *p = subject; *p; p++) {
		if (*p == '.' && token == 0)
			return false;
		if (*p != '.' && !token_byte((unsigned char)*p))
			return false;
		token = *p == '.' ? 0 : token + 1;
	}
	return token > 0;
}

bool
bus_header_is_valid(const struct bus_header *h)
{
	if (!h->name || !*h->name || !h->value)
		return false;
	for (const char *p = h->name; *p; p++)
		if (*p <= ' ' || *p >= 0x7f || *p == ':')
			return false;
	for (const char *p = h->value; *p; p++)
		if (*p < ' ' || *p >= 0x7f)
			return false;
	return true;
}

int
bus_send(struct bus *b, const char *subject, const char *reply, const struct bus_header *h,
    size_t nh, const void *data, size_t len)
{
	uint64_t max = bus_max_payload(b);

	if (!bus_subject_is_valid(subject) || nh > BUS_HEADERS_MAX)
		return -EINVAL;
	for (size_t i = 0; i < nh; i++)
		if (!bus_header_is_valid(&h[i]))
			return -EINVAL;
	if (len > INT32_MAX || (max > 0 && len > max))
		return -EMSGSIZE;
	return bus_nats_send(b->nats, subject, reply, h, nh, len ? data : "", len);
}

int
bus_publish(struct bus *b, const char *subject, const struct bus_header *h, size_t nh,
    const void *data, size_t len)
{
	return bus_send(b, subject, NULL, h, nh, data, len);
}

int
bus_publish_json(struct bus *b, const char *subject, const cJSON *tree)
{
	AUTO(str) char *text = json_print(tree);

	return text ? bus_publish(b, subject, NULL, 0, text, strlen(text)) : -ENOMEM;
}

uint64_t
bus_max_payload(const struct bus *b)
{
	return bus_nats_max_payload(b->nats);
}

void
bus_server_id(const struct bus *b, char ret[static BUS_SERVER_ID_SIZE])
{
	bus_nats_server_id(b->nats, ret);
}

/* ---- subscriptions ---- */

void
bus_sub_ref(struct bus_sub *s)
{
	pthread_mutex_lock(&s->bus->inbox_mu);
	s->refs++;
	pthread_mutex_unlock(&s->bus->inbox_mu);
}

void
bus_sub_unref(struct bus_sub *s)
{
	struct bus *b = s->bus;
	bool last;

	pthread_mutex_lock(&b->inbox_mu);
	last = --s->refs == 0;
	pthread_mutex_unlock(&b->inbox_mu);
	if (!last)
		return;
	free(s->subject);
	free(s->queue);
	free(s);
}

struct bus_sub *
bus_sub_add(struct bus *b, const struct bus_sub *like)
{
	AUTO(mem) void *room = malloc(sizeof(struct bus_sub));
	struct bus_sub *s = room;

	if (!s)
		return NULL;
	*s = *like;
	s->bus = b;
	s->refs = 1;
	s->subject = strdup(like->subject);
	s->queue = like->queue ? strdup(like->queue) : NULL;
	if (!s->subject || (like->queue && !s->queue)) {
		free(s->subject);
		free(s->queue);
		return NULL;
	}
	(void)steal_mem(&room);
	TAILQ_INSERT_TAIL(&b->subs, s, next);
	if (!s->is_off)
		bus_nats_subscribe(b->nats, s);
	return s;
}

void
bus_sub_listen(struct bus_sub *s, bool on)
{
	if (on == !s->is_off)
		return;
	s->is_off = !on;
	if (on)
		bus_nats_subscribe(s->bus->nats, s);
	else
		bus_nats_unsubscribe(s->bus->nats, s);
}

void
bus_sub_free(struct bus_sub *s)
{
	if (!s)
		return;
	s->closed = true;
	bus_nats_unsubscribe(s->bus->nats, s);
	TAILQ_REMOVE(&s->bus->subs, s, next);
	bus_sub_unref(s);
}

static void
deliver_hint(struct bus_sub *s, struct bus_msg *m)
{
	s->hint(s->arg, m);
	bus_msg_free(m);
}

int
bus_hint_new_missed(struct bus *b, const char *subject, bus_hint_fn *fn,
    void (*missed)(void *arg), void *arg, struct bus_sub **ret)
{
	AUTO(str) char *copy = strdup(subject);
	struct bus_sub *s = NULL;

	if (copy)
		s = bus_sub_add(b, &(struct bus_sub){ .subject = copy, .hint = fn,
		    .missed = missed, .deliver = deliver_hint, .arg = arg });
	if (!s)
		return -ENOMEM;
	*ret = s;
	return 0;
}

int
bus_hint_new(struct bus *b, const char *subject, bus_hint_fn *fn, void *arg,
    struct bus_sub **ret)
{
	return bus_hint_new_missed(b, subject, fn, NULL, arg, ret);
}

/* ---- life ---- */

struct loop *
bus_loop(const struct bus *b)
{
	return b->loop;
}

static int
open_wake(struct bus *b)
{
	b->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->wake_fd < 0)
		return -errno;
	return loop_io_new(b->loop, b->wake_fd, EPOLLIN, on_wake, b, &b->wake_io);
}

static void
release(struct bus *b)
{
	struct bus_sub *s;
	struct bus_msg *m;

	while ((m = inbox_take(b))) {
		s = m->sub;
		bus_msg_free(m);
		bus_sub_unref(s);
	}
	while ((s = TAILQ_FIRST(&b->subs))) {
		TAILQ_REMOVE(&b->subs, s, next);
		bus_sub_unref(s);
	}
	bus_reqs_free(b->reqs);
	bus_asks_free(b->asks);
	bus_nats_free(b->nats);
	free(b->service);
	loop_timer_free(b->state_timer);
	if (b->wake_fd >= 0)
		close(b->wake_fd);
	pthread_mutex_destroy(&b->inbox_mu);
	free(b);
}

/* A user with a name has answers of its own, which the servers may keep from the others. */
static void
name_answers(struct bus *b, const char *user)
{
	bool has_own = user && ident_is_token(user) && strlen(user) <= BUS_USER_MAX;

	(void)snprintf(b->answers, sizeof(b->answers), "_INBOX.%s%s%s", has_own ? user : "",
	    has_own ? "." : "", b->nonce);
}

int
bus_new(struct loop *l, const struct bus_conf *conf, struct bus **ret)
{
	struct bus *b = calloc(1, sizeof(*b));
	int r;

	if (!b)
		return -ENOMEM;
	b->loop = l;
	b->wake_fd = -1;
	TAILQ_INIT(&b->subs);
	TAILQ_INIT(&b->inbox);
	pthread_mutex_init(&b->inbox_mu, NULL);
	ident_nonce(b->nonce);
	name_answers(b, conf->user);
	r = open_wake(b);
	if (r == 0)
		r = loop_timer_new(l, on_state_timer, b, &b->state_timer);
	if (r == 0)
		r = bus_reqs_new(b, &b->reqs);
	if (r == 0)
		r = bus_asks_new(b, &b->asks);
	if (r == 0)
		r = bus_nats_new(b, conf, &b->nats);
	if (r < 0) {
		loop_io_free(b->wake_io);
		release(b);
		return r;
	}
	*ret = b;
	return 0;
}

void
bus_free(struct bus *b)
{
	if (!b)
		return;
	(void)bus_asks_flush(b->asks, FLUSH_MS);	/* down, or silent: nothing to be done */
	loop_io_free(b->wake_io);
	if (!bus_nats_stop(b->nats)) {
		log_debug("the NATS client did not stop in time; its memory is kept");
		return;
	}
	release(b);
}
