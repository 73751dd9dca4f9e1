#include "common/kv_op.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t
kv_attempt_ms(uint64_t timeout_ms)
{
	uint64_t ms = timeout_ms / 4;

	if (ms < KV_ATTEMPT_MIN_MS)
		ms = KV_ATTEMPT_MIN_MS;
	return ms > KV_ATTEMPT_MAX_MS ? KV_ATTEMPT_MAX_MS : ms;
}

/* ---- moves ---- */

static void
end(struct kv_op *o, enum cas_result res)
{
	o->ended = true;
	o->res = res;
}

static void
won(struct kv_op *o, uint64_t seq)
{
	o->revision = seq;
	end(o, CAS_OK);
}

/* The same or a leader read again, after a growing pause. */
static void
again(struct kv_op *o, uint64_t now_ms)
{
	o->pause_ms = o->pause_ms ? o->pause_ms * 2 : KV_PAUSE_MIN_MS;
	if (o->pause_ms > KV_PAUSE_MAX_MS)
		o->pause_ms = KV_PAUSE_MAX_MS;
	o->pause_until_ms = now_ms + o->pause_ms;
}

static void
read_next(struct kv_op *o)
{
	o->reading = true;
}

static void
send_next(struct kv_op *o)
{
	o->reading = false;
}

/* ---- asking ---- */

static void
ask_read(const struct kv_op *o, struct kv_request *ret)
{
	(void)kv_wire_api("MSG.GET", o->bucket, ret->api);	/* as op_init has seen */
	(void)snprintf(ret->body, sizeof(ret->body), "{\"last_by_subj\":\"%s\"}", o->subject);
	ret->ask = (struct bus_ask){
		.subject = ret->api,
		.data = ret->body,
		.len = strlen(ret->body),
	};
}

static void
add_header(struct kv_request *r, const char *name, const char *value)
{
	r->header[r->ask.nheaders++] = (struct bus_header){ name, value };
}

static void
ask_send(struct kv_op *o, struct kv_request *ret)
{
	const char *key = o->subject + strlen("$KV.") + strlen(o->bucket) + 1;

	(void)snprintf(ret->nonce, sizeof(ret->nonce), "%s.%u", o->nonce, ++o->attempts);
	(void)snprintf(ret->expected, sizeof(ret->expected), "%" PRIu64, o->expected);
	(void)snprintf(ret->stream, sizeof(ret->stream), "KV_%s", o->bucket);
	(void)snprintf(ret->msg_id, sizeof(ret->msg_id), "%s@%" PRIu64, key, o->expected);
	o->mark_at_send = o->mark ? atomic_load(o->mark) : 0;
	ret->ask = (struct bus_ask){
		.subject = o->subject,
		.headers = ret->header,
		.data = o->value,
		.len = o->len,
	};
	add_header(ret, "Nats-Expected-Last-Subject-Sequence", ret->expected);
	add_header(ret, "Nats-Expected-Stream", ret->stream);
	add_header(ret, "Nats-Msg-Id", ret->msg_id);
	add_header(ret, KV_HEADER_NONCE, ret->nonce);
	if (o->is_marker)
		add_header(ret, KV_HEADER_OP, "DEL");
	for (size_t i = 0; i < o->nheaders; i++)
		add_header(ret, o->header[i].name, o->header[i].value);
}

static enum kv_do
op_next(struct kv_task *t, uint64_t now_ms, struct kv_request *ret, uint64_t *ret_until_ms)
{
	struct kv_op *o = (struct kv_op *)t;
	uint64_t left;

	if (!o->ended && now_ms >= o->deadline_ms)
		end(o, o->unsure ? CAS_UNKNOWN : CAS_UNAVAILABLE);
	if (o->ended)
		return KV_END;
	if (o->pause_until_ms > now_ms) {
		*ret_until_ms = o->pause_until_ms < o->deadline_ms ? o->pause_until_ms
								   : o->deadline_ms;
		return KV_PAUSE;
	}
	if (o->reading)
		ask_read(o, ret);
	else
		ask_send(o, ret);
	left = o->deadline_ms - now_ms;
	ret->ask.timeout_ms = left < o->attempt_ms ? left : o->attempt_ms;
	return KV_ASK;
}

/* ---- answers to a send ---- */

/* An acknowledgement at or below what had been seen before the send: the store went back. */
static void
acknowledged(struct kv_op *o, uint64_t seq)
{
	o->went_back = seq <= o->mark_at_send;
	won(o, seq);
}

static void
answer_send(struct kv_op *o, uint64_t now_ms, enum bus_result res, const void *data, size_t len)
{
	struct kv_ack ack;

	kv_wire_ack(res, data, len, o->expected, &ack);
	o->stream_doubt |= ack.class == KV_GONE || res == BUS_NO_RESPONDERS;
	o->seen = ack.seq;
	switch (ack.class) {
	case KV_WON:
		acknowledged(o, ack.seq);
		return;
	case KV_GONE:
		end(o, CAS_BUCKET_LOST);
		return;
	case KV_BEHIND:			/* but an attempt before this one may stand there */
		if (!o->unsure) {
			end(o, CAS_LOST);
			return;
		}
		break;
	case KV_UNAVAILABLE:
	case KV_REFUSED:		/* this one was not written, but one before may have been */
		if (!o->unsure) {
			end(o, ack.class == KV_REFUSED ? CAS_REFUSED : CAS_UNAVAILABLE);
			return;
		}
		again(o, now_ms);
		break;
	case KV_REREAD:
		again(o, now_ms);
		break;
	case KV_UNSURE:
		o->unsure = true;
		break;
	}
	read_next(o);
}

/* ---- answers to a leader read ---- */

static bool
is_ours(const struct kv_op *o, const struct kv_message *m)
{
	char nonce[sizeof(((struct kv_request *)NULL)->nonce)];
	size_t n = strlen(o->nonce);

	return o->attempts > 0 &&
	    kv_headers_find(m->headers, KV_HEADER_NONCE, nonce, sizeof(nonce)) &&
	    strncmp(nonce, o->nonce, n) == 0 && nonce[n] == '.';
}

/* seq is 0 where the key has no message. */
static void
resolve(struct kv_op *o, uint64_t now_ms, uint64_t seq, const struct kv_message *m)
{
	if (m && is_ours(o, m)) {
		won(o, seq);
		return;
	}
	if (seq > o->expected) {	/* it can land no more */
		end(o, CAS_LOST);
		return;
	}
	if (seq == o->expected)
		send_next(o);		/* only one of all attempts can land */
	o->is_behind = seq < o->expected;
	o->stream_doubt |= o->is_behind;	/* ... or a store that went back */
	if (seq < o->expected || o->attempts > 0)
		again(o, now_ms);	/* a stale reader; or a duplicate that is not there yet */
}

static void
answer_read(struct kv_op *o, uint64_t now_ms, enum bus_result res, const void *data, size_t len)
{
	struct kv_message m = { 0 };
	enum kv_got got = kv_wire_message(res, data, len, o->subject, &m);

	if (got == KV_LOST_STREAM) {
		o->stream_doubt = true;
		end(o, CAS_BUCKET_LOST);
	} else if (got == KV_AWAY) {
		o->stream_doubt |= res == BUS_NO_RESPONDERS;
		/* Down: a load, or a write of which nothing left, fails at once. */
		if (res == BUS_NOT_SENT && !o->unsure)
			end(o, CAS_UNAVAILABLE);
		else
			again(o, now_ms);
	} else if (o->is_write) {
		resolve(o, now_ms, m.seq, got == KV_GOT ? &m : NULL);
	} else {
		o->revision = m.seq;
		end(o, got == KV_NONE || m.is_marker ? CAS_NOT_FOUND : CAS_OK);
	}
	o->seen = m.seq;
	if (o->ended && !o->is_write)
		o->message = m;
	else
		kv_message_deinit(&m);
}

static void
op_answer(struct kv_task *t, uint64_t now_ms, enum bus_result res, const void *data, size_t len)
{
	struct kv_op *o = (struct kv_op *)t;

	if (o->reading)
		answer_read(o, now_ms, res, data, len);
	else
		answer_send(o, now_ms, res, data, len);
}

/* ---- life ---- */

static bool
op_init(struct kv_op *o, const char *bucket, const char *key, uint64_t now_ms,
    uint64_t timeout_ms)
{
	char api[KV_SUBJECT_SIZE];

	*o = (struct kv_op){
		.task = { .next = op_next, .answer = op_answer },
		.bucket = bucket,
		.deadline_ms = now_ms + timeout_ms,
		.attempt_ms = kv_attempt_ms(timeout_ms),
		.reading = true,
	};
	return strlen(bucket) <= KV_BUCKET_MAX && kv_wire_subject(bucket, key, o->subject) &&
	    kv_wire_api("MSG.GET", bucket, api);
}

bool
kv_op_load(struct kv_op *o, const char *bucket, const char *key, uint64_t now_ms,
    uint64_t timeout_ms)
{
	return op_init(o, bucket, key, now_ms, timeout_ms);
}

bool
kv_op_write(struct kv_op *o, const char *bucket, const char *key, bool is_marker,
    const struct bus_header *h, size_t nh, const void *value, size_t len, uint64_t expected,
    uint64_t now_ms, uint64_t timeout_ms, const _Atomic uint64_t *mark)
{
	if (!op_init(o, bucket, key, now_ms, timeout_ms) || nh > BUS_HEADERS_MAX - 5)
		return false;
	o->is_write = true;
	o->is_marker = is_marker;
	o->header = h;
	o->nheaders = nh;
	o->value = value;
	o->len = len;
	o->expected = expected;
	o->mark = mark;
	/* 0 is tried only after a read showed that the key has no message. */
	o->reading = expected == 0;
	ident_nonce(o->nonce);
	return true;
}

void
kv_op_give_up(struct kv_op *o)
{
	if (!o->ended && o->is_behind)
		end(o, o->unsure ? CAS_UNKNOWN : CAS_UNAVAILABLE);
}

void
kv_op_deinit(struct kv_op *o)
{
	kv_message_deinit(&o->message);
}
