#include "leased/reseed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/buckets.h"
#include "common/kv_reseed.h"
#include "common/subjects.h"

#define ASK_MS		5000
#define MARGIN		1000	/* above everything that was seen */
#define TRIES		8	/* of a write to a key that its holder renews meanwhile */

/* ---- notes ---- */

PRINTF_LIKE(2, 3) static void
unclear(struct reseed *r, const char *fmt, ...)
{
	va_list ap;

	if (r->nunclear == RESEED_UNCLEAR_MAX)
		return;
	va_start(ap, fmt);
	if (vasprintf(&r->unclear[r->nunclear], fmt, ap) >= 0)
		r->nunclear++;
	va_end(ap);
}

static bool
fail(struct reseed *r, const char *doing, enum cas_result why)
{
	r->failed = doing;
	r->why = why;
	return false;
}

bool
reseed_add_node(struct reseed *r, const char *name, bool is_out)
{
	for (size_t i = 0; i < r->nnodes; i++)
		if (strcmp(r->node[i].name, name) == 0) {
			r->node[i].is_out |= is_out;
			return true;
		}
	if (r->nnodes == RESEED_NODES_MAX || strlen(name) > CAS_HOLDER_MAX) {
		r->is_full = true;
		return false;
	}
	(void)snprintf(r->node[r->nnodes].name, sizeof(r->node[0].name), "%s", name);
	r->node[r->nnodes++].is_out = is_out;
	return true;
}

static struct reseed_bucket *
bucket_of(struct reseed *r, const char *name)
{
	for (size_t i = 0; i < r->nbuckets; i++)
		if (strcmp(r->bucket[i].spec->name, name) == 0)
			return &r->bucket[i];
	return NULL;
}

static void
raise_mark(struct reseed_bucket *b, uint64_t seq)
{
	if (b && seq > b->mark)
		b->mark = seq;
}

/* ---- what the buckets have ---- */

static bool
look_at(struct reseed *r, struct reseed_bucket *b)
{
	struct kv_stream s;
	enum cas_result res = kv_reseed_look(r->kv, b->spec, &s);

	if (res != CAS_OK)
		return fail(r, b->spec->name, res);
	b->exists = s.exists;
	b->at = s.last_seq;
	raise_mark(b, s.last_seq);
	return true;
}

static bool
look(struct reseed *r)
{
	r->bucket = calloc(BUCKET_SPECS, sizeof(*r->bucket));
	if (!r->bucket)
		return fail(r, "looking at the buckets", CAS_NOMEM);
	for (size_t i = 0; i < BUCKET_SPECS; i++) {
		struct reseed_bucket *b = &r->bucket[r->nbuckets];

		if (bucket_specs[i].loss != BUCKET_KEPT)
			continue;
		b->spec = &bucket_specs[i];
		if (!look_at(r, b))
			return false;
		r->nbuckets++;
	}
	return true;
}

/* A stream's sequence is held against marks that are older than it: who writes while the nodes are
 * asked may have seen a later one than the first look had. */
static bool
look_again(struct reseed *r)
{
	for (size_t i = 0; i < r->nbuckets; i++)
		if (!look_at(r, &r->bucket[i]))
			return false;
	return true;
}

/* The names in one value: nodes that have to answer. */
static bool
note_names(struct reseed *r, const char *bucket, const char *key, const struct cas_entry *e)
{
	const char *of = NULL;
	struct cas_token t;

	if (strcmp(bucket, BUCKET_NODES) == 0)
		of = key;
	else if (strncmp(key, KEY_NODE_PREFIX, strlen(KEY_NODE_PREFIX)) == 0)
		of = key + strlen(KEY_NODE_PREFIX);
	if (of && !reseed_add_node(r, of, false))
		return false;
	if (strncmp(key, KEY_UEFI_CLAIM_PREFIX, strlen(KEY_UEFI_CLAIM_PREFIX)) != 0 || !e->value)
		return true;
	if (cas_token_parse(e->value, e->len, e->revision, &t) < 0) {
		unclear(r, "%s %s: its value cannot be read", bucket, key);
		return true;
	}
	return reseed_add_node(r, t.holder, false);
}

static bool
read_key(struct reseed *r, struct reseed_bucket *b, const char *key)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = kv_reseed_load(r->kv, b->spec, key, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return fail(r, b->spec->name, res);
	/* Generations are revisions of the bucket of claims, wherever they stand. */
	raise_mark(bucket_of(r, BUCKET_SYNC), reseed_generation(b->spec->name, key, &e));
	return res != CAS_OK || note_names(r, b->spec->name, key, &e);
}

static bool
read_bucket(struct reseed *r, const char *name)
{
	struct reseed_bucket *b = bucket_of(r, name);
	struct kv_keys keys = { 0 };
	enum cas_result res;
	bool ok = true;

	if (!b || !b->exists)
		return true;
	res = kv_reseed_list(r->kv, b->spec, &keys);
	if (res != CAS_OK)
		return fail(r, name, res);
	for (size_t i = 0; ok && i < keys.n; i++)
		ok = read_key(r, b, keys.key[i]);
	kv_keys_deinit(&keys);
	return ok;
}

/* ---- what the nodes hold ---- */

static void
take_marks(struct reseed *r, const cJSON *answer)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(answer, "marks")) {
		const char *name = json_text(one, "bucket"), *state = json_text(one, "state");
		struct reseed_bucket *b = name ? bucket_of(r, name) : NULL;
		uint64_t seq;

		if (!b || !state || !json_get_u64_str(json_member(one, "seq"), &seq))
			continue;
		raise_mark(b, seq);
		b->is_needed |= strcmp(state, "back") == 0 || strcmp(state, "lost") == 0 ||
		    strcmp(state, "suspect") == 0;
	}
}

static bool
take_held(struct reseed *r, const char *node, const cJSON *answer)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(answer, "held")) {
		const char *bucket = json_text(one, "bucket"), *key = json_text(one, "key");
		const char *value = json_text(one, "value");
		uint64_t rank;

		if (!bucket || !key || !value || !cas_key_is_valid(key) || !bucket_of(r, bucket) ||
		    !json_get_u64_str(json_member(one, "rank"), &rank)) {
			unclear(r, "%s holds something that cannot be read", node);
			continue;
		}
		/* A store's is a generation, so a revision of the bucket of claims. */
		raise_mark(bucket_of(r, strcmp(bucket, BUCKET_UEFI_STORES) == 0 ? BUCKET_SYNC : bucket),
		    rank);
		if (reseed_plan_add(&r->plan, node, bucket, key, value, rank) < 0)
			return fail(r, "remembering what is held", CAS_NOMEM);
	}
	return true;
}

/* All answers of one daemon.  False: failed; *ret_silent: it did not answer. */
static bool
ask_daemon(struct reseed *r, const char *node, const char *daemon, bool *ret_silent)
{
	char subject[BUS_SUBJECT_MAX + 1], after[CAS_KEY_MAX + 64] = "";
	int n = snprintf(subject, sizeof(subject), "kv.v1.%s.%s.held", node, daemon);

	for (bool more = true; more && n > 0 && (size_t)n < sizeof(subject);) {
		AUTO(json) cJSON *in = cJSON_CreateObject();
		AUTO(json) cJSON *answer = NULL;
		struct bus_error why;

		if (!in || !cJSON_AddStringToObject(in, "after", after))
			return fail(r, "asking", CAS_NOMEM);
		if (bus_call_wait(r->bus, subject, in, ASK_MS, &answer, &why) < 0) {
			*ret_silent = true;
			return true;
		}
		take_marks(r, answer);
		if (!take_held(r, node, answer))
			return false;
		more = json_text(answer, "after") != NULL;
		(void)snprintf(after, sizeof(after), "%s", more ? json_text(answer, "after") : "");
	}
	return true;
}

static bool
ask_node(struct reseed *r, const char *node)
{
	static const struct { const char *name; bool is_needed; } daemons[] = {
		{ "leased", true }, { "uefid", true }, { "vmd", true }, { "gwd", false },
		{ "reaperd", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(daemons); i++) {
		bool is_silent = false;

		if (!ask_daemon(r, node, daemons[i].name, &is_silent))
			return false;
		if (is_silent && daemons[i].is_needed)
			unclear(r, "%s of node %s does not answer", daemons[i].name, node);
	}
	return true;
}

static bool
ask_all(struct reseed *r)
{
	for (size_t i = 0; i < r->nnodes; i++)
		if (!r->node[i].is_out && !ask_node(r, r->node[i].name))
			return false;
	return true;
}

/* ---- the plan ---- */

static bool
judge_item(struct reseed *r, struct reseed_item *i)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	const struct reseed_bucket *b = bucket_of(r, i->bucket);
	enum cas_result res = b && b->exists ? kv_reseed_load(r->kv, b->spec, i->key, &e)
					: CAS_NOT_FOUND;

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return fail(r, i->bucket, res);
	if (reseed_plan_judge(&r->plan, i, res, &e) < 0)
		return fail(r, "judging", CAS_NOMEM);
	if (i->is_unclear)
		unclear(r, "%s %s: what %s holds does not agree with what is there", i->bucket,
		    i->key, i->node);
	return true;
}

static bool
judge(struct reseed *r)
{
	for (size_t i = 0; i < r->plan.n; i++)
		if (!judge_item(r, &r->plan.item[i]))
			return false;
	for (size_t i = 0; i < r->nbuckets; i++) {
		struct reseed_bucket *b = &r->bucket[i];

		b->is_needed |= b->mark > 0 && (!b->exists || b->at < b->mark);
		b->base = b->mark + MARGIN;
	}
	return true;
}

/* ---- the acts ---- */

static bool
goes_on(void *arg)
{
	const struct reseed *r = arg;

	return !atomic_load(r->stop);
}

/* What is there may have moved since the plan: a holder renews.  Judged anew each time. */
static bool
write_item(struct reseed *r, struct reseed_bucket *b, struct reseed_item *i)
{
	enum cas_result res = CAS_LOST;

	for (unsigned tries = 0; tries < TRIES && res == CAS_LOST; tries++) {
		i->is_written = false;
		if (!judge_item(r, i))
			return false;
		if (!i->is_written || i->is_unclear)
			return !i->is_unclear || fail(r, i->bucket, CAS_LOST);
		res = kv_reseed_put(r->kv, b->spec, i->key, i->value, i->expected);
	}
	b->written += res == CAS_OK;
	return res == CAS_OK || fail(r, i->bucket, res);
}

static bool
act(struct reseed *r, struct reseed_bucket *b)
{
	enum cas_result res = CAS_OK;

	if (!b->exists)
		res = kv_reseed_make(r->kv, b->spec, b->base);
	b->exists = true;
	if (res == CAS_OK)
		res = kv_reseed_raise(r->kv, b->spec, b->base, goes_on, r);
	if (res != CAS_OK)
		return fail(r, b->spec->name, res);
	for (size_t i = 0; i < r->plan.n; i++)
		if (strcmp(r->plan.item[i].bucket, b->spec->name) == 0 &&
		    !write_item(r, b, &r->plan.item[i]))
			return false;
	return true;
}

/* The ends come after all writes: who accepts one bucket may look into another at once. */
static bool
end_all(struct reseed *r)
{
	for (size_t i = 0; i < r->nbuckets; i++) {
		struct reseed_bucket *b = &r->bucket[i];
		enum cas_result res = b->is_needed ?
		    kv_reseed_end(r->kv, b->spec, b->base) : CAS_OK;

		if (res != CAS_OK)
			return fail(r, b->spec->name, res);
	}
	return true;
}

void
reseed_run(void *job)
{
	struct reseed *r = job;
	bool ok = !r->is_full && look(r) && read_bucket(r, BUCKET_NODES) && read_bucket(r, BUCKET_SYNC) &&
	    read_bucket(r, BUCKET_UEFI_STORES) && ask_all(r) && look_again(r) && judge(r);

	if (r->is_full)
		(void)fail(r, "naming the nodes", CAS_REFUSED);
	if (!ok || r->nunclear > 0 || !r->act)
		return;
	for (size_t i = 0; ok && i < r->nbuckets; i++)
		ok = !r->bucket[i].is_needed || act(r, &r->bucket[i]);
	r->is_done = ok && end_all(r);
}

void
reseed_free(void *job)
{
	struct reseed *r = job;

	for (size_t i = 0; i < r->nunclear; i++)
		free(r->unclear[i]);
	reseed_plan_deinit(&r->plan);
	free(r->bucket);
	free(r);
}
