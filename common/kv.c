#include "common/kv_impl.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/bus_impl.h"

/* An operation of the loop, on its way. */
struct kv_call {
	struct bucket		*bucket;
	struct kv_task		*task;		/* of op or listing */
	bool			 is_early;	/* ended before anything was asked */
	enum cas_result		 early;
	union {
		struct kv_op	 op;
		struct kv_listing listing;	/* if listed */
	};
	void			*value;		/* a copy, for op */
	uint64_t		 ask_id;
	struct loop_timer	*timer;		/* made when there is something to wait for */
	kv_loaded_fn		*loaded;	/* one of the three */
	kv_written_fn		*written;
	kv_listed_fn		*listed;
	void			*arg;
	LIST_ENTRY(kv_call)	 next;
};

/* ---- what any driver does with an answer and with the end ---- */

void
kv_tell(struct kv_task *t, uint64_t now_ms, enum bus_result res, const struct bus_msg *m)
{
	size_t len = 0;
	const void *data = m ? bus_msg_data(m, &len) : NULL;

	t->answer(t, now_ms, res, data, len);
}

void
kv_note_op(struct bucket *b, struct kv_op *o)
{
	bucket_saw(b, o->seen, o->stream_doubt);
	/* The revision was given out before: nothing may be built on it. */
	if (o->went_back && !bucket_acked_back(b, o->revision, o->mark_at_send))
		o->res = CAS_BUCKET_LOST;
	o->went_back = false;
	if (bucket_went_back(b))
		kv_op_give_up(o);
}

void
kv_op_entry(struct kv_op *o, struct cas_entry *ret)
{
	struct kv_message *m = &o->message;

	*ret = (struct cas_entry){ .revision = m->seq, .is_marker = m->is_marker };
	if (o->res != CAS_OK)
		return;
	ret->value = m->value;
	ret->len = m->len;
	m->value = NULL;
}

/* ---- on the loop ---- */

static void
call_free(struct kv_call *c)
{
	LIST_REMOVE(c, next);
	bus_ask_cancel(c->bucket->kv->bus, c->ask_id);
	loop_timer_free(c->timer);
	if (c->listed)
		kv_listing_deinit(&c->listing);
	else
		kv_op_deinit(&c->op);
	free(c->value);
	free(c);
}

static void
end_loaded(struct kv_call *c, enum cas_result res)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	kv_loaded_fn *fn = c->loaded;
	void *arg = c->arg;

	if (!c->is_early)
		kv_op_entry(&c->op, &e);
	call_free(c);
	fn(arg, res, &e);
}

static void
end_written(struct kv_call *c, enum cas_result res)
{
	kv_written_fn *fn = c->written;
	uint64_t revision = res == CAS_OK ? c->op.revision : 0;
	void *arg = c->arg;

	call_free(c);
	fn(arg, res, revision);
}

static void
end_listed(struct kv_call *c, enum cas_result res)
{
	struct kv_keys keys = { 0 };
	kv_listed_fn *fn = c->listed;
	void *arg = c->arg;

	if (res == CAS_OK)
		keys = kv_listing_take(&c->listing);
	call_free(c);
	fn(arg, res, &keys);
	kv_keys_deinit(&keys);
}

static void
call_end(struct kv_call *c)
{
	if (c->listed)
		end_listed(c, c->is_early ? c->early : c->listing.res);
	else if (c->written)
		end_written(c, c->is_early ? c->early : c->op.res);
	else
		end_loaded(c, c->is_early ? c->early : c->op.res);
}

static void call_turn(struct kv_call *c);

static void
on_timer(void *arg)
{
	call_turn(arg);
}

/* False without memory. */
static bool
call_at(struct kv_call *c, uint64_t at_ms)
{
	if (!c->timer &&
	    loop_timer_new(bus_loop(c->bucket->kv->bus), on_timer, c, &c->timer) < 0)
		return false;
	loop_timer_at(c->timer, at_ms);
	return true;
}

static void
end_early(struct kv_call *c, enum cas_result res)
{
	c->is_early = true;
	c->early = res;
}

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct kv_call *c = arg;

	c->ask_id = 0;
	kv_tell(c->task, loop_now_ms(bus_loop(c->bucket->kv->bus)), res, m);
	if (c->listed)
		bucket_saw(c->bucket, c->listing.seen, c->listing.stream_doubt);
	else
		kv_note_op(c->bucket, &c->op);
	call_turn(c);
}

/* KV_END: it has ended.  Otherwise the call goes on by itself. */
static enum kv_do
call_step(struct kv_call *c)
{
	struct bus *bus = c->bucket->kv->bus;
	struct kv_request r;
	uint64_t until;

	switch (c->task->next(c->task, loop_now_ms(bus_loop(bus)), &r, &until)) {
	case KV_END:
		return KV_END;
	case KV_PAUSE:
		if (call_at(c, until))
			return KV_PAUSE;
		break;
	case KV_ASK:
		c->ask_id = bus_ask(bus, &r.ask, on_answer, c);
		if (c->ask_id != 0)
			return KV_ASK;
		break;
	}
	/* What was sent before, if anything was, may have landed. */
	end_early(c, c->written && c->op.unsure ? CAS_UNKNOWN : CAS_NOMEM);
	return KV_END;
}

static void
call_turn(struct kv_call *c)
{
	if (c->is_early || call_step(c) == KV_END)
		call_end(c);
}

/* From inside kv_load and its like: what has ended already is told later.  False: c is gone. */
static bool
call_begin(struct kv_call *c)
{
	if ((!c->is_early && call_step(c) != KV_END) || call_at(c, 0))
		return true;
	call_free(c);
	return false;
}

static struct kv_call *
call_new(struct bucket *b, void *arg)
{
	struct kv_call *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->bucket = b;
	c->arg = arg;
	LIST_INSERT_HEAD(&b->kv->calls, c, next);
	return c;
}

static uint64_t
loop_ms(const struct bucket *b)
{
	return loop_now_ms(bus_loop(b->kv->bus));
}

static struct kv_call *
load_call(struct bucket *b, const char *key, uint64_t timeout_ms, enum cas_result gate,
    kv_loaded_fn *fn, void *arg)
{
	struct kv_call *c = call_new(b, arg);

	if (!c)
		return NULL;
	c->loaded = fn;
	c->task = &c->op.task;
	if (!kv_op_load(&c->op, bucket_name(b), key, loop_ms(b), timeout_ms))
		end_early(c, CAS_INVALID);
	else if (gate != CAS_OK)
		end_early(c, gate);
	return call_begin(c) ? c : NULL;
}

bool
kv_fits(const struct bucket *b, size_t len)
{
	uint64_t max = bus_max_payload(b->kv->bus);

	return max == 0 || len <= max;
}

static struct kv_call *
write_call(struct bucket *b, const char *key, bool is_marker, const void *value, size_t len,
    uint64_t expected, uint64_t timeout_ms, enum cas_result gate, kv_written_fn *fn, void *arg)
{
	struct kv_call *c = call_new(b, arg);

	if (!c)
		return NULL;
	c->written = fn;
	c->task = &c->op.task;
	c->value = malloc(len ? len : 1);
	if (!c->value) {
		call_free(c);
		return NULL;
	}
	if (len > 0)
		memcpy(c->value, value, len);
	if (!kv_op_write(&c->op, bucket_name(b), key, is_marker, NULL, 0, c->value, len,
		expected, loop_ms(b), timeout_ms, kv_mark_seq(b->mark)))
		end_early(c, CAS_INVALID);
	else if (!kv_fits(b, len))
		end_early(c, CAS_REFUSED);
	else if (gate != CAS_OK)
		end_early(c, gate);
	return call_begin(c) ? c : NULL;
}

struct kv_call *
kv_load_own(struct bucket *b, const char *key, uint64_t timeout_ms, kv_loaded_fn *fn, void *arg)
{
	return load_call(b, key, timeout_ms, CAS_OK, fn, arg);
}

struct kv_call *
kv_put_own(struct bucket *b, const char *key, const void *value, size_t len, uint64_t expected,
    uint64_t timeout_ms, kv_written_fn *fn, void *arg)
{
	return write_call(b, key, false, value, len, expected, timeout_ms, CAS_OK, fn, arg);
}

bool
kv_load(struct bucket *b, const char *key, uint64_t timeout_ms, kv_loaded_fn *fn, void *arg)
{
	return cas_key_is_valid(key) &&
	    load_call(b, key, timeout_ms, bucket_gate(b, false), fn, arg);
}

bool
kv_put(struct bucket *b, const char *key, const void *value, size_t len, uint64_t expected,
    uint64_t timeout_ms, kv_written_fn *fn, void *arg)
{
	return cas_key_is_valid(key) && write_call(b, key, false, value, len, expected,
	    timeout_ms, bucket_gate(b, true), fn, arg);
}

bool
kv_remove(struct bucket *b, const char *key, uint64_t expected, uint64_t timeout_ms,
    kv_written_fn *fn, void *arg)
{
	return cas_key_is_valid(key) && write_call(b, key, true, NULL, 0, expected, timeout_ms,
	    bucket_gate(b, true), fn, arg);
}

bool
kv_list(struct bucket *b, const char *prefix, uint64_t timeout_ms, kv_listed_fn *fn, void *arg)
{
	struct kv_call *c;
	enum cas_result gate = bucket_gate(b, false);

	if ((*prefix && !cas_prefix_is_valid(prefix)) || !(c = call_new(b, arg)))
		return false;
	c->listed = fn;
	c->task = &c->listing.task;
	if (!kv_listing_init(&c->listing, bucket_name(b), prefix, loop_ms(b), timeout_ms))
		end_early(c, CAS_INVALID);
	else if (gate != CAS_OK)
		end_early(c, gate);
	return call_begin(c);
}

/* ---- life ---- */

static void
on_wake(void *arg, uint32_t revents)
{
	struct kv *k = arg;
	eventfd_t n;

	(void)eventfd_read(k->wake_fd, &n);
	bucket_on_timer(k);
}

static void
on_state(void *arg, bool up)
{
	struct kv *k = arg;

	if (!up)
		return;
	kv_seen_connected(k);
	bucket_look_all(k);
	kv_watch_missed_all(k);
}

static int
open_kv(struct kv *k, const char *state_dir)
{
	int r;

	k->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (k->wake_fd < 0)
		return -errno;
	r = loop_io_new(bus_loop(k->bus), k->wake_fd, EPOLLIN, on_wake, k, &k->wake_io);
	if (r == 0)
		r = loop_timer_new(bus_loop(k->bus), bucket_on_timer, k, &k->timer);
	if (r == 0)
		r = kv_marks_new(state_dir, &k->marks);
	if (r == 0)
		r = kv_seen_begin(k);
	if (r == 0)
		r = bus_on_state(k->bus, on_state, k);
	return r;
}

int
kv_new(struct bus *b, const struct kv_conf *conf, struct kv **ret)
{
	struct kv *k = calloc(1, sizeof(*k));
	int r;

	if (!k)
		return -ENOMEM;
	k->bus = b;
	k->cluster_size = conf->cluster_size;
	k->node_ttl_ms = conf->node_ttl_ms;
	k->wake_fd = -1;
	r = open_kv(k, conf->state_dir);
	if (r < 0) {
		kv_free(k);
		return r;
	}
	*ret = k;
	return 0;
}

void
kv_free(struct kv *k)
{
	struct kv_on_open *o;

	if (!k)
		return;
	bus_off_state(k->bus, k);
	while (!LIST_EMPTY(&k->calls))
		call_free(LIST_FIRST(&k->calls));
	kv_watch_free_all(k);
	kv_seen_end(k);
	while (!LIST_EMPTY(&k->buckets))
		bucket_free(LIST_FIRST(&k->buckets));
	while ((o = LIST_FIRST(&k->on_open))) {
		LIST_REMOVE(o, next);
		free(o);
	}
	kv_marks_free(k->marks);
	loop_io_free(k->wake_io);
	loop_timer_free(k->timer);
	if (k->wake_fd >= 0)
		close(k->wake_fd);
	free(k);
}
