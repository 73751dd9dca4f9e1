/*
 * Marks between the daemons, and the quiet.
 *
 * A store that went back is noticed by a mark that is above it, and only the daemon that wrote
 * last has the highest.  So each tells its marks on SUBJECT_SEEN, with each beat of the node that
 * finds them changed and at each connection, and all adopt the highest.  That is no state of the
 * store's: the message passes through the server and is kept by nobody.  Who had a write
 * acknowledged that shows it says so too, for as long as it lasts.
 *
 * A server that is met for the first time may be one that went back, or another at the address.
 * For two beats and what they take to come (node_ttl / 3; 20 s) nothing new is written to buckets
 * that are kept: until then every daemon that lives has told what it had seen.
 */
#include "common/kv_impl.h"

#include <errno.h>
#include <string.h>

#include "common/subjects.h"

#define SUBJECT_SEEN	"kv.v1.seen"
#define TELL_SOON_MS	50
#define MESSAGE_MAX	(64u << 10)
#define BUCKETS_MAX	64		/* of one message */

static uint64_t
now_ms(const struct kv *k)
{
	return loop_now_ms(bus_loop(k->bus));
}

bool
kv_is_quiet(const struct kv *k)
{
	return now_ms(k) < atomic_load(&k->quiet_until_ms);
}

/* ---- what we tell ---- */

/* False without memory. */
static bool
add_mark(cJSON *all, const struct bucket *b)
{
	bool back = atomic_load(&b->acked_back);
	struct kv_seen s;
	cJSON *one;

	kv_mark_get(b->mark, &s);
	if (b->spec->loss == BUCKET_REMADE || !*s.created || (s.seq == b->told_seq && !back))
		return true;
	one = kv_seen_json(&s);
	if (one && cJSON_AddStringToObject(one, "bucket", bucket_name(b)) &&
	    (!back || json_add_u64_str(one, "acked", atomic_load(&b->back_seq))) &&
	    cJSON_AddItemToArray(all, one))
		return true;
	cJSON_Delete(one);
	return false;
}

cJSON *
kv_marks_json(const struct kv *k)
{
	static const char *const states[] = {
		[BUCKET_OPENING] = "opening", [BUCKET_OPEN] = "open", [BUCKET_SUSPECT] = "suspect",
		[BUCKET_LOST] = "lost", [BUCKET_BACK] = "back",
	};
	AUTO(json) cJSON *all = cJSON_CreateArray();
	const struct bucket *b;
	struct kv_seen s;

	LIST_FOREACH(b, &k->buckets, next) {
		if (b->spec->loss == BUCKET_REMADE)
			continue;
		kv_mark_get(b->mark, &s);
		cJSON *one = kv_seen_json(&s);

		if (!one || !cJSON_AddStringToObject(one, "bucket", bucket_name(b)) ||
		    !cJSON_AddStringToObject(one, "state", states[bucket_state(b)]) ||
		    !cJSON_AddItemToArray(all, one)) {
			cJSON_Delete(one);
			return NULL;
		}
	}
	return steal_json(&all);
}

static void
told(struct kv *k)
{
	struct kv_seen s;
	struct bucket *b;

	LIST_FOREACH(b, &k->buckets, next) {
		kv_mark_get(b->mark, &s);
		b->told_seq = s.seq;
	}
}

static void
tell(struct kv *k)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *all = o ? cJSON_AddArrayToObject(o, "marks") : NULL;
	const struct bucket *b;

	if (!all)
		return;			/* without memory the next beat tells it */
	LIST_FOREACH(b, &k->buckets, next)
		if (!add_mark(all, b))
			return;
	if (cJSON_GetArraySize(all) > 0 && bus_publish_json(k->bus, SUBJECT_SEEN, o) == 0)
		told(k);
}

static void
on_tell(void *arg)
{
	struct kv *k = arg;

	loop_timer_in(k->tell_timer, k->node_ttl_ms / 6);
	tell(k);
	if (*k->server_id && !kv_is_quiet(k) && bus_is_up(k->bus))
		kv_marks_add_server(k->marks, k->server_id);
}

void
kv_seen_tell(struct kv *k)
{
	loop_timer_in(k->tell_timer, TELL_SOON_MS);
}

/* ---- what we are told ---- */

/* acked: the sequence of a write that their mark was above; 0: none was.  A proof is one for all:
 * it may be theirs that lifted the stream above the marks of the others. */
static void
adopt(struct bucket *b, const struct kv_seen *s, uint64_t acked)
{
	enum bucket_state state = bucket_state(b);
	struct kv_seen mark;

	kv_mark_get(b->mark, &mark);
	if (kv_seen_is_same(&mark, s) && acked > 0 && acked <= s->seq) {
		if (!atomic_load(&b->acked_back))
			(void)bucket_acked_back(b, acked, s->seq);
	} else if (kv_seen_is_same(&mark, s)) {
		/* Told in the quiet, it may be what this server does not have. */
		if (state == BUCKET_OPENING)
			kv_mark_raise(b->mark, s->seq);
		bucket_saw(b, s->seq, s->seq > mark.seq && kv_is_quiet(b->kv));
		if (s->seq > b->told_seq)
			b->told_seq = s->seq;	/* they told it */
	} else if (s->base > mark.base || state == BUCKET_BACK || state == BUCKET_SUSPECT ||
	    state == BUCKET_LOST) {
		b->ask_epoch = true;
		bucket_saw(b, 0, true);
	}
}

static void
take_mark(struct kv *k, const cJSON *one)
{
	const char *name = json_text(one, "bucket");
	uint64_t acked;
	struct kv_seen s;
	struct bucket *b;

	if (!name || kv_seen_parse(one, &s) < 0)
		return;
	if (!json_get_u64_str(json_member(one, "acked"), &acked))
		acked = 0;
	LIST_FOREACH(b, &k->buckets, next)
		if (b->spec->loss == BUCKET_KEPT && strcmp(bucket_name(b), name) == 0)
			adopt(b, &s, acked);
}

static void
on_seen(void *arg, const struct bus_msg *m)
{
	AUTO(json) cJSON *o = NULL;
	char why[JSON_WHY_MAX];
	const cJSON *all, *one;
	size_t len;
	const void *data = bus_msg_data(m, &len);

	if (json_parse(data, len, MESSAGE_MAX, &o, why) < 0)
		return;
	all = json_member(o, "marks");
	if (!cJSON_IsArray(all) || cJSON_GetArraySize(all) > BUCKETS_MAX)
		return;
	cJSON_ArrayForEach(one, all)
		take_mark(arg, one);
}

/* ---- connections ---- */

static bool
has_marks(const struct kv *k)
{
	const struct bucket *b;
	struct kv_seen s;

	LIST_FOREACH(b, &k->buckets, next) {
		kv_mark_get(b->mark, &s);
		if (b->spec->loss == BUCKET_KEPT && *s.created)
			return true;
	}
	return false;
}

void
kv_seen_connected(struct kv *k)
{
	struct bucket *b;

	bus_server_id(k->bus, k->server_id);
	/* A node that has never seen anything has nothing to compare with: its first server is known
	 * before a mark is made, which the next daemon of the node may find. */
	if (kv_marks_is_new(k->marks) && *k->server_id)
		kv_marks_add_server(k->marks, k->server_id);
	else if (!kv_marks_knows_server(k->marks, k->server_id) && has_marks(k))
		atomic_store(&k->quiet_until_ms, now_ms(k) + k->node_ttl_ms / 3);
	LIST_FOREACH(b, &k->buckets, next)
		b->told_seq = 0;
	kv_seen_tell(k);
}

int
kv_seen_begin(struct kv *k)
{
	int r = loop_timer_new(bus_loop(k->bus), on_tell, k, &k->tell_timer);

	if (r == 0)
		r = bus_hint_new(k->bus, SUBJECT_SEEN, on_seen, k, &k->seen_sub);
	if (r == 0)
		loop_timer_in(k->tell_timer, k->node_ttl_ms / 6);
	return r;
}

void
kv_seen_end(struct kv *k)
{
	bus_sub_free(k->seen_sub);
	loop_timer_free(k->tell_timer);
}
