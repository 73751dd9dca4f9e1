#include "gwd/keys.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "common/buckets.h"
#include "common/log.h"
#include "gwd/key_record.h"

#define LOAD_MS		3000	/* for one read of the bucket */
#define FIRST_MS	500	/* between tries until a first pass has been whole */
#define LOOKUPS_MAX	64	/* of keys that are not in memory, at once */
#define LOOKUPS_PER_S	50
#define FRESH_MS	(3 * KEYS_REREAD_MS)	/* how long what a pass saw is taken for all */

/* A question about a key that is not in memory. */
struct lookup {
	struct keys	*keys;		/* NULL: answered, the read is still out */
	char		 id[KEYS_ID_MAX + 1];
	char		 date[9], region[65], service[65];
	keys_found_fn	*fn;
	void		*arg;
	TAILQ_ENTRY(lookup) entry;
};

/* A read of the bucket for a hint or a pass; it outlives keys_free. */
struct reading {
	struct keys	*keys;		/* NULL: keys are gone */
	char		 id[KEYS_ID_MAX + 1];
	bool		 is_of_pass;
	TAILQ_ENTRY(reading) entry;
};

struct keys {
	struct loop		*loop;
	struct bucket		*bucket;
	uint8_t			 master[SEAL_MASTER_BYTES];
	struct key_table	 table;
	struct loop_timer	*timer;		/* the next pass */
	struct kv_keys		 listed;	/* of the pass that runs */
	size_t			 next;		/* of these, to be read */
	uint64_t		 pass;		/* its number; 0: none has begun */
	bool			 is_passing;
	uint64_t		 seen_ms;	/* when the last whole pass ended; 0: never */
	uint64_t		 second_ms;	/* the rate of look-ups */
	unsigned		 in_second;
	size_t			 nlookups;
	TAILQ_HEAD(, lookup)	 lookups;
	TAILQ_HEAD(, reading)	 readings;
	struct log_limit	 limit;
};

/* ---- records into the table ---- */

static void
log_unusable(struct keys *k, const char *id, const char *why)
{
	uint32_t withheld;

	if (log_may(&k->limit, loop_now_ms(k->loop), &withheld))
		log_warning("access key %s cannot be used: %s", id, why);
}

/* Takes in what the bucket says of id. */
static void
take_record(struct keys *k, const char *id, const struct cas_entry *e)
{
	struct key_record rec;
	struct key_entry *entry;
	char why[JSON_WHY_MAX];

	if (key_record_from_json(e->value, e->len, &rec, why) < 0) {
		log_unusable(k, id, why);
		key_table_remove(&k->table, id);
		return;
	}
	if (!(entry = key_table_put(&k->table, id)))
		return;		/* no memory: the next pass tries again */
	entry->pass = k->pass;
	if (entry->revision == e->revision)
		return;
	entry->revision = e->revision;
	entry->key.is_active = !strcmp(rec.status, "active");
	(void)snprintf(entry->key.account, sizeof(entry->key.account), "%s", rec.account_id);
	(void)snprintf(entry->key.user, sizeof(entry->key.user), "%s", rec.user);
	memset(entry->scope, 0, sizeof(entry->scope));
	entry->is_readable = seal_open(k->master, id, rec.secret, entry->secret) == 0;
	if (!entry->is_readable)
		log_unusable(k, id, "its secret is sealed under another master key");
}

/* True: the bucket's word about id is known, and in the table. */
static bool
take_load(struct keys *k, const char *id, enum cas_result res, const struct cas_entry *e)
{
	if (res == CAS_OK)
		take_record(k, id, e);
	else if (res == CAS_NOT_FOUND)
		key_table_remove(&k->table, id);
	return res == CAS_OK || res == CAS_NOT_FOUND;
}

/* ---- passes and hints ---- */

static void	read_next(struct keys *k);

static void
end_pass(struct keys *k, bool whole)
{
	k->is_passing = false;
	kv_keys_deinit(&k->listed);
	if (whole) {
		key_table_sweep(&k->table, k->pass);
		k->seen_ms = loop_now_ms(k->loop);
	}
	loop_timer_in(k->timer, k->seen_ms ? KEYS_REREAD_MS : FIRST_MS);
}

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct reading *r = arg;
	struct keys *k = r->keys;
	const bool known = k && take_load(k, r->id, res, e);
	const bool is_of_pass = r->is_of_pass;

	if (k)
		TAILQ_REMOVE(&k->readings, r, entry);
	free(r);
	if (k && is_of_pass && known)
		read_next(k);
	else if (k && is_of_pass)
		end_pass(k, false);
}

static bool
read_one(struct keys *k, const char *id, bool is_of_pass)
{
	struct reading *r = calloc(1, sizeof(*r));

	if (!r || strlen(id) > KEYS_ID_MAX) {
		free(r);
		return false;
	}
	r->keys = k;
	r->is_of_pass = is_of_pass;
	(void)snprintf(r->id, sizeof(r->id), "%s", id);
	if (!kv_load(k->bucket, id, LOAD_MS, on_loaded, r)) {
		free(r);
		return false;
	}
	TAILQ_INSERT_TAIL(&k->readings, r, entry);
	return true;
}

/* One at a time: a pass is never in a hurry. */
static void
read_next(struct keys *k)
{
	while (k->next < k->listed.n) {
		const char *id = k->listed.key[k->next++];

		if (strlen(id) > KEYS_ID_MAX)
			continue;	/* no key that a request could name */
		if (!read_one(k, id, true))
			end_pass(k, false);
		return;
	}
	end_pass(k, true);
}

static void
on_listed(void *arg, enum cas_result res, struct kv_keys *keys)
{
	struct reading *r = arg;
	struct keys *k = r->keys;

	if (k)
		TAILQ_REMOVE(&k->readings, r, entry);
	free(r);
	if (!k)
		return;
	if (res != CAS_OK) {
		end_pass(k, false);
		return;
	}
	k->listed = *keys;
	*keys = (struct kv_keys){ .n = 0 };
	k->next = 0;
	read_next(k);
}

static void
begin_pass(struct keys *k)
{
	struct reading *r = k->is_passing ? NULL : calloc(1, sizeof(*r));

	if (k->is_passing)
		return;
	if (!r || !kv_list(k->bucket, "", LOAD_MS, on_listed, r)) {
		free(r);
		loop_timer_in(k->timer, KEYS_REREAD_MS);
		return;
	}
	r->keys = k;
	TAILQ_INSERT_TAIL(&k->readings, r, entry);
	k->is_passing = true;
	k->pass++;
	loop_timer_off(k->timer);
}

static void
on_timer(void *arg)
{
	begin_pass(arg);
}

static void
on_hint(void *arg, const char *key)
{
	struct keys *k = arg;

	/* "": many were missed. */
	if (!*key || !read_one(k, key, false))
		begin_pass(k);
}

/* ---- questions ---- */

static void
answer(struct keys *k, const char *id, const char *date, const char *region,
    const char *service, keys_found_fn *fn, void *arg)
{
	struct key_entry *e = key_table_find(&k->table, id);
	const uint8_t *signing_key;

	if (!e || !e->key.is_active) {
		fn(arg, KEYS_UNKNOWN, NULL, NULL);
		return;
	}
	if (!e->is_readable) {
		fn(arg, KEYS_UNREADABLE, NULL, NULL);
		return;
	}
	signing_key = key_signing_key(e, date, region, service);
	fn(arg, signing_key ? KEYS_OK : KEYS_BUSY, signing_key ? &e->key : NULL, signing_key);
}

static void
on_looked_up(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct lookup *l = arg;
	struct keys *k = l->keys;

	if (k) {
		TAILQ_REMOVE(&k->lookups, l, entry);
		k->nlookups--;
		if (take_load(k, l->id, res, e))
			answer(k, l->id, l->date, l->region, l->service, l->fn, l->arg);
		else
			l->fn(l->arg, KEYS_UNAVAILABLE, NULL, NULL);
	}
	free(l);
}

/* May one more key be looked for?  Whoever tries ids must not buy reads of the bucket. */
static bool
may_look_up(struct keys *k, uint64_t now_ms)
{
	if (now_ms - k->second_ms >= 1000) {
		k->second_ms = now_ms;
		k->in_second = 0;
	}
	return k->nlookups < LOOKUPS_MAX && k->in_second++ < LOOKUPS_PER_S;
}

void
keys_find(struct keys *k, const char *id, const char *date, const char *region,
    const char *service, keys_found_fn *fn, void *arg)
{
	const uint64_t now_ms = loop_now_ms(k->loop);
	struct lookup *l;

	if (key_table_find(&k->table, id) || !cas_key_is_valid(id) || strlen(id) > KEYS_ID_MAX) {
		answer(k, id, date, region, service, fn, arg);
		return;
	}
	if (!may_look_up(k, now_ms)) {
		/* A fresh copy without the key is answer enough. */
		fn(arg, k->seen_ms && now_ms - k->seen_ms < FRESH_MS ? KEYS_UNKNOWN : KEYS_BUSY,
		    NULL, NULL);
		return;
	}
	if (!(l = calloc(1, sizeof(*l)))) {
		fn(arg, KEYS_BUSY, NULL, NULL);
		return;
	}
	*l = (struct lookup){ .keys = k, .fn = fn, .arg = arg };
	(void)snprintf(l->id, sizeof(l->id), "%s", id);
	(void)snprintf(l->date, sizeof(l->date), "%s", date);
	(void)snprintf(l->region, sizeof(l->region), "%s", region);
	(void)snprintf(l->service, sizeof(l->service), "%s", service);
	if (!kv_load(k->bucket, id, LOAD_MS, on_looked_up, l)) {
		free(l);
		fn(arg, KEYS_UNAVAILABLE, NULL, NULL);
		return;
	}
	TAILQ_INSERT_TAIL(&k->lookups, l, entry);
	k->nlookups++;
}

/* ---- life ---- */

int
keys_new(struct loop *l, struct kv *kv, const char *master_key_file, struct keys **ret)
{
	struct keys *k = calloc(1, sizeof(*k));
	int r;

	if (!k)
		return -ENOMEM;
	k->loop = l;
	TAILQ_INIT(&k->lookups);
	TAILQ_INIT(&k->readings);
	if ((r = seal_master(master_key_file, k->master)) < 0 ||
	    (r = loop_timer_new(l, on_timer, k, &k->timer)) < 0 ||
	    (r = bucket_open(kv, &bucket_specs[SPEC_ACCESS_KEYS], &k->bucket)) < 0 ||
	    (r = kv_watch(k->bucket, on_hint, k)) < 0) {
		keys_free(k);
		return r;
	}
	loop_timer_in(k->timer, 0);
	*ret = k;
	return 0;
}

void
keys_free(struct keys *k)
{
	struct lookup *l;
	struct reading *r;

	if (!k)
		return;
	/* What is out comes back to nobody. */
	TAILQ_FOREACH(r, &k->readings, entry)
		r->keys = NULL;
	while ((l = TAILQ_FIRST(&k->lookups))) {
		TAILQ_REMOVE(&k->lookups, l, entry);
		l->keys = NULL;
		l->fn(l->arg, KEYS_UNAVAILABLE, NULL, NULL);
	}
	loop_timer_free(k->timer);
	kv_keys_deinit(&k->listed);
	key_table_deinit(&k->table);
	OPENSSL_cleanse(k->master, sizeof(k->master));
	free(k);
}
