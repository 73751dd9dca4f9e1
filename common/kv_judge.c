/*
 * Is the stream that a look found the one that this node knew?  A stream is known by the time of
 * its creation and by the base of its last reseed (the key _epoch), and goes on from the mark.
 *
 *	what is there					then
 *	known, at or above the mark			well
 *	known, below the mark				a doubt: a reader may be stale, so a write of
 *							 ours decides (_probe); its acknowledgement at
 *							 or below the mark: it went back
 *	another, which _epoch names with a base at	an operator's reseed: accepted
 *	 or above the mark
 *	nothing was known of it				remembered, once its time of creation
 *							 changes no more
 *	another						the same doubt, and if that write proves
 *							 nothing, believed when seen twice, SUSPECT_MS
 *							 apart
 *
 * Only while it is open does the mark move with what is seen: else it is what a reseed has to pass.
 */
#include "common/kv_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/subjects.h"

#define SUSPECT_MS	30000	/* from the first sight of another stream to the verdict */
#define BACK_MS		5000	/* between two looks at a bucket that went back */
#define RETRY_MS	500
#define CALL_MS		5000
#define EPOCH_MAX	1024	/* bytes of its JSON */

static const struct json_field epoch_fields[] = {
	{ "created",	JSON_STR,	offsetof(struct kv_seen, created), 1, KV_CREATED_SIZE - 1,
	    .need = true },
	{ "base",	JSON_U64,	offsetof(struct kv_seen, base), 1, UINT64_MAX, .need = true },
};

/* ---- verdicts ---- */

static void
accept(struct bucket *b, uint64_t at_least)
{
	struct kv_seen s = b->now;

	if (s.seq < at_least)
		s.seq = at_least;
	*b->other = '\0';
	kv_mark_adopt(b->mark, &s);
	if (atomic_exchange(&b->acked_back, false) || bucket_state(b) != BUCKET_OPEN)
		atomic_store(&b->state, BUCKET_OPENING);	/* its version again */
	kv_seen_tell(b->kv);
	bucket_known(b);
}

static void
went_back(struct bucket *b, const char *why)
{
	bucket_set_state(b, BUCKET_BACK, why);
	bucket_look_again(b, BACK_MS);
}

static void
say_ack(struct bucket *b, char why[static KV_WHY_MAX])
{
	(void)snprintf(why, KV_WHY_MAX, "bucket %s went back: a write was given sequence %" PRIu64
	    ", and %" PRIu64 " had been seen before it", bucket_name(b),
	    atomic_load(&b->back_seq), atomic_load(&b->back_mark));
}

void
bucket_judge_ack(struct bucket *b)
{
	char why[KV_WHY_MAX];

	if (!atomic_load(&b->acked_back) || bucket_state(b) == BUCKET_BACK)
		return;
	say_ack(b, why);
	bucket_set_state(b, BUCKET_BACK, why);
	kv_seen_tell(b->kv);
}

/*
 * Nothing was known of this stream.  A replicated one that several daemons made at once has more
 * than one time of creation until the last of their requests is applied: it is remembered once
 * it was seen twice, KV_SETTLE_MS apart.
 */
static bool
is_settled(struct bucket *b)
{
	uint64_t now = loop_now_ms(bus_loop(b->kv->bus));

	if (b->kv->cluster_size == 1 || b->spec->loss == BUCKET_REMADE)
		return true;
	if (strcmp(b->other, b->now.created) == 0)
		return now - b->other_since_ms >= KV_SETTLE_MS;
	memcpy(b->other, b->now.created, sizeof(b->other));
	b->other_since_ms = now;
	return false;
}

/* Another stream, and no write of ours could tell: believed when it is seen twice. */
static void
suspect(struct bucket *b, const struct kv_seen *mark)
{
	uint64_t now = loop_now_ms(bus_loop(b->kv->bus));
	char why[KV_WHY_MAX];

	if (strcmp(b->other, b->now.created) != 0) {
		memcpy(b->other, b->now.created, sizeof(b->other));
		b->other_since_ms = now;
	}
	if (now - b->other_since_ms < SUSPECT_MS) {
		if (bucket_state(b) != BUCKET_BACK)
			bucket_set_state(b, BUCKET_SUSPECT, b->why);
		bucket_look_again(b, BACK_MS);
		return;
	}
	(void)snprintf(why, sizeof(why), "bucket %s is not the one that was here: its stream was "
	    "made at %s and is at %" PRIu64 ", known is %s at %" PRIu64, bucket_name(b),
	    b->now.created, b->now.seq, mark->created, mark->seq);
	went_back(b, why);
}

/* ---- the doubt: a write of ours ---- */

static void
settle(struct bucket *b)
{
	struct kv_seen mark;

	kv_mark_get(b->mark, &mark);
	if (atomic_load(&b->acked_back)) {
		bucket_judge_ack(b);
		bucket_look_again(b, BACK_MS);
	} else if (!kv_seen_is_same(&mark, &b->now)) {
		suspect(b, &mark);
	} else {
		bucket_known(b);	/* whoever told the lower number was behind */
	}
}

static void
on_probe_put(void *arg, enum cas_result res, uint64_t revision)
{
	struct bucket *b = arg;

	/* Lost: another daemon wrote there just now, so it is told as well; an outage is none. */
	if (res == CAS_OK || res == CAS_BUCKET_LOST)
		settle(b);
	else
		bucket_look_again(b, RETRY_MS);
}

static void
on_probe(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct bucket *b = arg;

	if ((res != CAS_OK && res != CAS_NOT_FOUND) || !kv_put_own(b, KEY_PROBE, "{}", 2,
		e->revision, CALL_MS, on_probe_put, b))
		bucket_look_again(b, RETRY_MS);
}

static void
doubt(struct bucket *b)
{
	if (!kv_load_own(b, KEY_PROBE, CALL_MS, on_probe, b))
		bucket_look_again(b, RETRY_MS);
}

/* ---- the judge ---- */

static void
judge(struct bucket *b)
{
	bool back = bucket_state(b) == BUCKET_BACK || atomic_load(&b->acked_back);
	struct kv_seen mark;
	char why[KV_WHY_MAX];

	kv_mark_get(b->mark, &mark);
	if (kv_seen_is_same(&mark, &b->now) && back) {
		bucket_look_again(b, BACK_MS);		/* this verdict stands */
	} else if (kv_seen_is_same(&mark, &b->now) && b->now.seq >= mark.seq) {
		*b->other = '\0';
		kv_mark_raise(b->mark, b->now.seq);
		bucket_known(b);
	} else if (!*mark.created && !is_settled(b)) {
		bucket_known(b);			/* well, and not yet remembered */
	} else if (!*mark.created || b->spec->loss == BUCKET_REMADE) {
		if (*mark.created)
			atomic_store(&b->state, BUCKET_OPENING);	/* remade */
		accept(b, *mark.created ? 0 : mark.seq);
	} else if (b->now.base > 0 && b->now.base >= mark.seq) {
		accept(b, 0);
	} else if (b->now.base > mark.base && strcmp(b->now.created, mark.created) == 0 &&
	    bucket_state(b) == BUCKET_OPEN && !back) {
		accept(b, mark.seq);	/* we were here all the time, and saw more since */
	} else if (b->now.seq < mark.seq && !back) {
		doubt(b);
	} else if (back) {
		bucket_look_again(b, BACK_MS);
	} else if (strcmp(b->now.created, mark.created) == 0) {
		(void)snprintf(why, sizeof(why), "bucket %s went back: its reseed with base %"
		    PRIu64 " did not know of %" PRIu64 ", which this node had seen",
		    bucket_name(b), b->now.base, mark.seq);
		went_back(b, why);
	} else {
		suspect(b, &mark);
	}
}

static void
on_epoch(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct bucket *b = arg;
	struct kv_seen epoch = { .seq = 0 };
	char why[JSON_WHY_MAX];

	if (res != CAS_OK && res != CAS_NOT_FOUND) {
		bucket_look_again(b, RETRY_MS);
		return;
	}
	if (res == CAS_OK && json_read(e->value, e->len, EPOCH_MAX, epoch_fields,
		ARRAY_LEN(epoch_fields), JSON_LOOSE, &epoch, sizeof(epoch), why) == 0 &&
	    strcmp(epoch.created, b->now.created) == 0)
		b->now.base = epoch.base;
	judge(b);
}

void
bucket_there(struct bucket *b, const struct kv_info *i)
{
	struct kv_seen mark;

	kv_mark_get(b->mark, &mark);
	b->now = (struct kv_seen){ .base = mark.base, .seq = i->last_seq };
	memcpy(b->now.created, i->created, sizeof(b->now.created));
	/* A bucket that is open, and was never lost, has no other epoch than the one it had. */
	if (bucket_state(b) == BUCKET_OPEN && strcmp(mark.created, i->created) == 0 &&
	    !b->ask_epoch) {
		judge(b);
		return;
	}
	b->ask_epoch = false;
	b->now.base = 0;
	if (b->spec->loss == BUCKET_REMADE)
		judge(b);
	else if (!kv_load_own(b, KEY_EPOCH, CALL_MS, on_epoch, b))
		bucket_look_again(b, RETRY_MS);
}
