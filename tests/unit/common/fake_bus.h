/*
 * fake_bus.h - a loop on a clock by hand and a bus without a server, for one test program: it
 * defines the functions themselves, so that the real ones are not linked.  Of the bus, the
 * last request, the last publish and one hint are kept.
 */
#pragma once

#include <stdio.h>
#include <string.h>

#include "common/bus.h"

#define FAKE_TIMERS	8

struct loop { uint64_t now_ms; };
struct loop_timer {
	loop_timer_fn	*fn;
	void		*arg;
	uint64_t	 at_ms;
	bool		 on, used;
};
struct bus { struct loop *loop; };
struct bus_msg { const char *subject, *data; };
struct bus_sub { bus_hint_fn *fn; void *arg; };

static struct fake {
	struct loop		 loop;
	struct bus		 bus;
	struct loop_timer	 timer[FAKE_TIMERS];
	struct bus_sub		 hint;
	char			 hint_subject[BUS_SUBJECT_MAX + 1];
	unsigned		 asks, publishes;
	uint64_t		 ask_id;		/* of the open request; 0: none */
	uint64_t		 ask_deadline_ms;
	bus_answer_fn		*answer;
	void			*answer_arg;
	char			 ask_subject[BUS_SUBJECT_MAX + 1], ask_data[1024];
	char			 publish_subject[BUS_SUBJECT_MAX + 1], publish_data[1024];
	bool			 no_memory;
} fake;

static void
fake_reset(void)
{
	fake = (struct fake){ .loop = { 1000000 } };
	fake.bus.loop = &fake.loop;
}

/* ---- the loop ---- */

uint64_t
loop_now_ms(const struct loop *l)
{
	return l->now_ms;
}

int
loop_timer_new(struct loop *l, loop_timer_fn *fn, void *arg, struct loop_timer **ret)
{
	for (size_t i = 0; i < FAKE_TIMERS; i++) {
		if (fake.timer[i].used)
			continue;
		fake.timer[i] = (struct loop_timer){ .fn = fn, .arg = arg, .used = true };
		*ret = &fake.timer[i];
		return 0;
	}
	abort();
}

void
loop_timer_at(struct loop_timer *t, uint64_t at_ms)
{
	t->at_ms = at_ms;
	t->on = true;
}

void
loop_timer_in(struct loop_timer *t, uint64_t in_ms)
{
	loop_timer_at(t, fake.loop.now_ms + in_ms);
}

void
loop_timer_off(struct loop_timer *t)
{
	t->on = false;
}

bool
loop_timer_is_on(const struct loop_timer *t)
{
	return t->on;
}

void
loop_timer_free(struct loop_timer *t)
{
	if (t)
		*t = (struct loop_timer){ 0 };
}

/* ---- the bus ---- */

struct loop *
bus_loop(const struct bus *b)
{
	return b->loop;
}

uint64_t
bus_ask(struct bus *b, const struct bus_ask *a, bus_answer_fn *fn, void *arg)
{
	if (fake.no_memory)
		return 0;
	fake.ask_id = ++fake.asks;
	fake.ask_deadline_ms = fake.loop.now_ms + a->timeout_ms;
	fake.answer = fn;
	fake.answer_arg = arg;
	(void)snprintf(fake.ask_subject, sizeof(fake.ask_subject), "%s", a->subject);
	(void)snprintf(fake.ask_data, sizeof(fake.ask_data), "%.*s", (int)a->len,
	    (const char *)a->data);
	return fake.ask_id;
}

void
bus_ask_cancel(struct bus *b, uint64_t id)
{
	if (id != 0 && fake.ask_id == id)
		fake.ask_id = 0;
}

int
bus_publish(struct bus *b, const char *subject, const struct bus_header *h, size_t nh,
    const void *data, size_t len)
{
	fake.publishes++;
	(void)snprintf(fake.publish_subject, sizeof(fake.publish_subject), "%s", subject);
	(void)snprintf(fake.publish_data, sizeof(fake.publish_data), "%.*s", (int)len,
	    (const char *)data);
	return 0;
}

int
bus_hint_new(struct bus *b, const char *subject, bus_hint_fn *fn, void *arg,
    struct bus_sub **ret)
{
	fake.hint = (struct bus_sub){ fn, arg };
	(void)snprintf(fake.hint_subject, sizeof(fake.hint_subject), "%s", subject);
	*ret = &fake.hint;
	return 0;
}

void
bus_sub_free(struct bus_sub *s)
{
	if (s)
		*s = (struct bus_sub){ 0 };
}

const char *
bus_msg_subject(const struct bus_msg *m)
{
	return m->subject;
}

const void *
bus_msg_data(const struct bus_msg *m, size_t *ret_len)
{
	*ret_len = strlen(m->data);
	return m->data;
}

void
bus_msg_free(struct bus_msg *m)
{
}

const char *
bus_result_text(enum bus_result r)
{
	return "";
}

enum bus_result
bus_ask_wait(struct bus *b, const struct bus_ask *a, struct bus_msg **ret)
{
	abort();
}

/* ---- for the test ---- */

/* Ends the open request. */
static void
fake_answer(enum bus_result res, const char *data)
{
	struct bus_msg m = { "_INBOX.x", data };

	ck_assert_uint_ne(fake.ask_id, 0);
	fake.ask_id = 0;
	fake.answer(fake.answer_arg, res, res == BUS_OK ? &m : NULL);
}

static void
fake_hint(const char *data)
{
	struct bus_msg m = { fake.hint_subject, data };

	fake.hint.fn(fake.hint.arg, &m);
}

static struct loop_timer *
next_timer(void)
{
	struct loop_timer *first = NULL;

	for (size_t i = 0; i < FAKE_TIMERS; i++)
		if (fake.timer[i].on && (!first || fake.timer[i].at_ms < first->at_ms))
			first = &fake.timer[i];
	return first;
}

/* Lets ms pass: what falls due runs at its time; a request that is not answered times out. */
static void
fake_pass(uint64_t ms)
{
	uint64_t end = fake.loop.now_ms + ms;

	for (;;) {
		struct loop_timer *t = next_timer();

		if (fake.ask_id && fake.ask_deadline_ms <= end &&
		    (!t || fake.ask_deadline_ms <= t->at_ms)) {
			if (fake.loop.now_ms < fake.ask_deadline_ms)
				fake.loop.now_ms = fake.ask_deadline_ms;
			fake_answer(BUS_TIMEOUT, NULL);
			continue;
		}
		if (!t || t->at_ms > end)
			break;
		if (fake.loop.now_ms < t->at_ms)
			fake.loop.now_ms = t->at_ms;
		t->on = false;
		t->fn(t->arg);
	}
	fake.loop.now_ms = end;
}
