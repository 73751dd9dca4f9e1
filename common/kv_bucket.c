#include "common/kv_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/ident.h"
#include "common/log.h"
#include "common/subjects.h"

#define LOOK_MS		60000	/* an open bucket; a doubt is looked into at once */
#define TOGETHER_MS	2000	/* so much earlier, with others that are due */
#define DOUBT_MS	1000	/* between two looks at the same doubt */
#define INFO_MS		3000
#define VERSION_MS	5000
#define VERSION		"1"

enum bucket_state
bucket_state(const struct bucket *b)
{
	return (enum bucket_state)atomic_load(&b->state);
}

bool
bucket_is_open(const struct bucket *b)
{
	return bucket_state(b) == BUCKET_OPEN || bucket_state(b) == BUCKET_BACK;
}

const char *
bucket_name(const struct bucket *b)
{
	return b->spec->name;
}

bool
bucket_went_back(const struct bucket *b)
{
	return bucket_state(b) == BUCKET_BACK || atomic_load(&b->acked_back);
}

bool
bucket_is_sound(const struct bucket *b)
{
	return bucket_state(b) == BUCKET_OPEN && !atomic_load(&b->acked_back) &&
	    !(b->spec->loss == BUCKET_KEPT && kv_is_quiet(b->kv));
}

uint64_t
bucket_doubted_ms(const struct bucket *b)
{
	return atomic_load(&b->kv->quiet_until_ms);
}

void
bucket_keep_writing(struct bucket *b)
{
	atomic_store(&b->keep_writing, true);
}

enum cas_result
bucket_gate(const struct bucket *b, bool is_write)
{
	bool keeps = atomic_load(&b->keep_writing);

	switch (bucket_state(b)) {
	case BUCKET_OPEN:
		return !is_write || keeps || b->spec->loss == BUCKET_REMADE ||
		    !kv_is_quiet(b->kv) ? CAS_OK : CAS_UNAVAILABLE;
	case BUCKET_LOST:
		return CAS_BUCKET_LOST;
	case BUCKET_BACK:
		return is_write && !keeps ? CAS_BUCKET_LOST : CAS_OK;
	case BUCKET_SUSPECT:
		return keeps ? CAS_OK : CAS_UNAVAILABLE;
	case BUCKET_OPENING:
		break;
	}
	return CAS_UNAVAILABLE;
}

/* ---- what other threads saw ---- */

static void
wake(struct kv *k)
{
	(void)eventfd_write(k->wake_fd, 1);
}

void
bucket_saw(struct bucket *b, uint64_t seq, bool doubt)
{
	/* What a store shows that is not known to be ours is no mark: the one before it has to be
	 * passed. */
	if (bucket_state(b) == BUCKET_OPEN && !atomic_load(&b->acked_back))
		kv_mark_raise(b->mark, seq);
	if (doubt && !atomic_exchange(&b->doubt, true))
		wake(b->kv);
}

bool
bucket_acked_back(struct bucket *b, uint64_t seq, uint64_t mark)
{
	if (b->spec->loss == BUCKET_REMADE)
		return true;
	atomic_store(&b->back_seq, seq);
	atomic_store(&b->back_mark, mark);
	atomic_store(&b->acked_back, true);
	wake(b->kv);
	return atomic_load(&b->keep_writing);
}

/* ---- alarms, and who waits for the buckets ---- */

static void
tell_change(const struct kv *k)
{
	if (k->change)
		k->change(k->change_arg);
}

void
bucket_set_why(struct bucket *b, const char *why)
{
	struct kv *k = b->kv;

	if (strcmp(b->why, why) == 0)
		return;
	(void)snprintf(b->why, sizeof(b->why), "%s", why);
	if (k->alarm)
		k->alarm(k->alarm_arg, b, *why ? b->why : NULL);
	tell_change(k);
}

void
kv_on_alarm(struct kv *k, void (*fn)(void *arg, struct bucket *b, const char *why), void *arg)
{
	k->alarm = fn;
	k->alarm_arg = arg;
}

static bool
all_open(const struct kv *k)
{
	const struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next)
		if (!bucket_is_open(b))
			return false;
	return true;
}

void
kv_on_change(struct kv *k, void (*fn)(void *arg), void *arg)
{
	k->change = fn;
	k->change_arg = arg;
}

const char *
kv_trouble(const struct kv *k)
{
	const struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next)
		if (*b->why)
			return b->why;
	return all_open(k) ? NULL : "waiting for its buckets";
}

static void
tell_open(struct kv *k)
{
	struct kv_on_open *o;

	while (all_open(k) && (o = LIST_FIRST(&k->on_open))) {
		struct kv_on_open was = *o;

		LIST_REMOVE(o, next);
		free(o);
		was.fn(was.arg);
	}
}

int
kv_on_open(struct kv *k, void (*fn)(void *arg), void *arg)
{
	struct kv_on_open *o = malloc(sizeof(*o));

	if (!o)
		return -ENOMEM;
	*o = (struct kv_on_open){ .fn = fn, .arg = arg };
	LIST_INSERT_HEAD(&k->on_open, o, next);
	loop_timer_in(k->timer, 0);
	return 0;
}

void
bucket_set_state(struct bucket *b, enum bucket_state state, const char *why)
{
	atomic_store(&b->state, (int)state);
	bucket_set_why(b, why);
	tell_open(b->kv);
	tell_change(b->kv);
}

/* ---- a look, and what follows ---- */

static void
arm(struct kv *k)
{
	uint64_t first = UINT64_MAX;
	const struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next)
		if (!b->looking && b->look_at_ms < first)
			first = b->look_at_ms;
	if (first != UINT64_MAX)
		loop_timer_at(k->timer, first);
}

void
bucket_look_again(struct bucket *b, uint64_t in_ms)
{
	b->looking = false;
	b->look_at_ms = loop_now_ms(bus_loop(b->kv->bus)) + in_ms;
	arm(b->kv);
}

/* Of a bucket that is well. */
static void
look_later(struct bucket *b)
{
	struct kv_seen mark;

	kv_mark_get(b->mark, &mark);
	bucket_look_again(b, *mark.created ? LOOK_MS : KV_SETTLE_MS);
}

static void
opened(struct bucket *b)
{
	b->refused_ms = 0;
	bucket_set_state(b, BUCKET_OPEN, "");
	look_later(b);
}

static void
version_failed(struct bucket *b)
{
	bucket_look_again(b, BUCKET_RETRY_MS);
}

static void
on_version_put(void *arg, enum cas_result res, uint64_t revision)
{
	struct bucket *b = arg;

	if (res == CAS_OK)
		opened(b);
	else			/* another node was first, or an outage: look at it again */
		version_failed(b);
}

static void
on_version(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct bucket *b = arg;
	char why[KV_WHY_MAX];

	if (res == CAS_NOT_FOUND) {
		if (!kv_put_own(b, KEY_VERSION, VERSION, strlen(VERSION), e->revision,
			VERSION_MS, on_version_put, b))
			version_failed(b);
		return;
	}
	if (res != CAS_OK) {
		version_failed(b);
		return;
	}
	if (strcmp(e->value, VERSION) == 0) {
		opened(b);
		return;
	}
	(void)snprintf(why, sizeof(why), "bucket %s has schema version %.32s; this daemon knows "
	    VERSION, bucket_name(b), e->value);
	bucket_set_why(b, why);
	bucket_look_again(b, BUCKET_LOST_MS);
}

/* The stream is the one we know. */
void
bucket_known(struct bucket *b)
{
	if (bucket_state(b) == BUCKET_OPEN) {
		look_later(b);
		return;
	}
	if (!kv_load_own(b, KEY_VERSION, VERSION_MS, on_version, b))
		version_failed(b);
}

enum kv_got
kv_info_of(enum bus_result res, const struct bus_msg *m, struct kv_info *ret, uint64_t *ret_code)
{
	size_t len = 0;
	const void *data = m ? bus_msg_data(m, &len) : NULL;

	return kv_wire_info(res, data, len, ret, ret_code);
}

/* ---- looking ---- */

static void
on_info(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct bucket *b = arg;
	struct kv_info i = { 0 };
	size_t len = 0;
	const void *data = m ? bus_msg_data(m, &len) : NULL;
	uint64_t code;
	enum kv_got got = kv_wire_info(res, data, len, &i, &code);

	b->ask_id = 0;
	if (got == KV_GOT && i.replicas > 0 && i.replicas < b->kv->cluster_size)
		bucket_raise_replicas(b, data, len, i.is_clustered);
	if (got == KV_GOT)
		bucket_there(b, &i);
	else if (got == KV_LOST_STREAM)
		bucket_missing(b);
	else			/* a new state is never concluded from silence */
		bucket_look_again(b, bucket_state(b) == BUCKET_OPENING ? BUCKET_RETRY_MS : BUCKET_LOST_MS);
	kv_info_deinit(&i);
}

static void
look(struct bucket *b)
{
	char subject[KV_SUBJECT_SIZE];

	b->looking = true;
	b->looked_ms = loop_now_ms(bus_loop(b->kv->bus));
	atomic_store(&b->doubt, false);
	if (kv_wire_api("INFO", bucket_name(b), subject))
		b->ask_id = bus_ask(b->kv->bus, &(struct bus_ask){ .subject = subject,
		    .timeout_ms = INFO_MS }, on_info, b);
	if (b->ask_id == 0)
		bucket_look_again(b, BUCKET_RETRY_MS);
}

/* Looks of routine come together: the threads are woken once for all of them. */
static bool
is_due(const struct bucket *b, uint64_t now)
{
	bool is_routine = b->look_at_ms > b->looked_ms + LOOK_MS / 2;

	return b->look_at_ms <= now + (is_routine ? TOGETHER_MS : 0);
}

void
bucket_on_timer(void *arg)
{
	struct kv *k = arg;
	uint64_t now = loop_now_ms(bus_loop(k->bus));
	struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next) {
		bucket_judge_ack(b);
		if (atomic_load(&b->doubt) && b->looked_ms + DOUBT_MS < b->look_at_ms)
			b->look_at_ms = b->looked_ms + DOUBT_MS;
		if (!b->looking && is_due(b, now))
			look(b);
	}
	tell_open(k);
	arm(k);
}

void
bucket_look_all(struct kv *k)
{
	struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next) {
		b->ask_epoch = true;	/* what was told of a reseed meanwhile was missed */
		b->refused_ms = 0;	/* its servers may have just begun */
		if (b->look_at_ms > 0)
			b->look_at_ms = 1;
	}
	loop_timer_in(k->timer, 0);
}

/* ---- life ---- */

int
bucket_open(struct kv *k, const struct bucket_spec *spec, struct bucket **ret)
{
	struct bucket *b;
	int r;

	if (!ident_is_token(spec->name) || strlen(spec->name) > KV_BUCKET_MAX)
		return -EINVAL;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->kv = k;
	b->spec = spec;
	r = kv_mark_open(k->marks, spec->name, &b->mark);
	if (r < 0) {
		free(b);
		return r;
	}
	LIST_INSERT_HEAD(&k->buckets, b, next);
	loop_timer_in(k->timer, 0);
	*ret = b;
	return 0;
}

void
bucket_free(struct bucket *b)
{
	bus_ask_cancel(b->kv->bus, b->ask_id);
	bus_ask_cancel(b->kv->bus, b->raise_id);
	LIST_REMOVE(b, next);
	free(b);
}
