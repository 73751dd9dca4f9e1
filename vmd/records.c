#include "vmd/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/subjects.h"
#include "vmd/ownership.h"
#include "vmd/records_own.h"

#define RECORDS_SCAN_RETRY_MS	1000

/* ---- the cache ---- */

void
record_key(const char *id, char ret[static RECORD_KEY_MAX])
{
	snprintf(ret, RECORD_KEY_MAX, KEY_INSTANCE_PREFIX "%.*s", INSTANCE_ID_MAX, id);
}

size_t
records_index_after(const struct records *rs, const char *after)
{
	size_t low = 0, high = rs->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(rs->row[mid]->i.id, after) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct record *
records_find(const struct records *rs, const char *id)
{
	size_t n = records_index_after(rs, id);

	return n > 0 && strcmp(rs->row[n - 1]->i.id, id) == 0 ? rs->row[n - 1] : NULL;
}

struct record *
records_add(struct records *rs, struct instance *i, uint64_t revision)
{
	struct record *r = calloc(1, sizeof(*r));
	size_t at = records_index_after(rs, i->id);

	if (r && rs->n == rs->room) {
		size_t room = rs->room ? 2 * rs->room : 16;
		struct record **row = realloc(rs->row, room * sizeof(*row));

		if (!row) {
			free(r);
			return NULL;
		}
		rs->row = row;
		rs->room = room;
	}
	if (!r || loop_timer_new(rs->loop, record_on_timer, r, &r->timer) < 0) {
		free(r);
		return NULL;
	}
	r->rs = rs;
	r->i = *i;
	r->revision = revision;
	*i = (struct instance){ 0 };
	memmove(rs->row + at + 1, rs->row + at, (rs->n - at) * sizeof(*rs->row));
	rs->row[at] = r;
	rs->n++;
	return r;
}

void
record_replace(struct record *r, struct instance *i, uint64_t revision)
{
	instance_deinit(&r->i);
	r->i = *i;
	r->revision = revision;
	*i = (struct instance){ 0 };
}

size_t
records_count(const struct records *rs)
{
	return rs->n;
}

struct record *
records_get(const struct records *rs, size_t n)
{
	return rs->row[n];
}

bool
records_are_listed(const struct records *rs)
{
	return rs->listed;
}

/* ---- reading ---- */

void
records_decode(const char *id, enum cas_result res, const struct cas_entry *e,
    struct records_read *ret)
{
	*ret = (struct records_read){ 0 };
	if (res != CAS_OK)
		return;
	ret->readable = instance_from_json(e->value, e->len, id, &ret->i, ret->why) == 0;
}

enum ownership
records_judge(const struct record *r, enum cas_result res, const struct cas_entry *e,
    const struct records_read *read)
{
	const struct ownership_read o = {
		.result = res,
		.revision = res == CAS_OK || res == CAS_NOT_FOUND ? e->revision : 0,
		.is_marker = res == CAS_NOT_FOUND && e->is_marker,
		.readable = read->readable,
		.node = read->i.node,
	};

	return ownership_judge(r->rs->node, r->revision, &o);
}

static void
log_unreadable(const char *id, const struct records_read *read)
{
	log_fields(LOG_ERR, &(const struct log_ctx){ .instance = id },
	    "the record cannot be read and is left alone: %s", read->why);
}

static void
adopt(struct records *rs, struct records_read *read, uint64_t revision)
{
	struct record *r = records_add(rs, &read->i, revision);

	if (!r) {
		log_err("no memory for a record: read again later");
		return;
	}
	rs->h->owned(rs->arg, r);
	record_confirm(r);
}

static void
apply(struct records *rs, const char *id, enum cas_result res, const struct cas_entry *e)
{
	struct record *r = records_find(rs, id);
	struct records_read read;

	if (r && r->busy)
		return;		/* the outcome of our own write will tell */
	records_decode(id, res, e, &read);
	if (res == CAS_OK && !read.readable)
		log_unreadable(id, &read);
	if (!r) {
		if (read.readable && strcmp(read.i.node, rs->node) == 0)
			adopt(rs, &read, e->revision);
		instance_deinit(&read.i);
		return;
	}
	switch (records_judge(r, res, e, &read)) {
	case OWNERSHIP_SAME:
	case OWNERSHIP_NOTHING:
		break;
	case OWNERSHIP_NEWER:
		record_replace(r, &read.i, e->revision);
		rs->h->changed(rs->arg, r);
		break;
	case OWNERSHIP_MOVED:
		record_lose(r, "the record names another node");
		break;
	case OWNERSHIP_REMOVED:
		record_lose(r, "the record was removed");
		break;
	}
	instance_deinit(&read.i);
}

static void	 scan_next(struct records *rs);

static void
scan_end(struct records *rs, bool complete)
{
	bool first = complete && !rs->listed;

	rs->scanning = false;
	kv_keys_deinit(&rs->scan);
	rs->listed = rs->listed || complete;
	rs->scan_again = rs->scan_again || !complete;
	loop_timer_in(rs->timer, rs->scan_again ? RECORDS_SCAN_RETRY_MS : RECORDS_REREAD_MS);
	if (first)
		rs->h->listed(rs->arg);
}

static void
on_scan_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct records *rs = arg;
	const char *key = rs->scan.key[rs->scan_at++];

	if (res != CAS_OK && res != CAS_NOT_FOUND) {
		log_debug("records: reading %s: %s", key, cas_result_text(res));
		scan_end(rs, false);
		return;
	}
	apply(rs, key + strlen(KEY_INSTANCE_PREFIX), res, e);
	scan_next(rs);
}

static void
scan_next(struct records *rs)
{
	if (rs->scan_at == rs->scan.n)
		scan_end(rs, true);
	else if (!kv_load(rs->bucket, rs->scan.key[rs->scan_at], RECORDS_TIMEOUT_MS,
	    on_scan_loaded, rs))
		scan_end(rs, false);
}

static void
on_scan_listed(void *arg, enum cas_result res, struct kv_keys *keys)
{
	struct records *rs = arg;

	if (res != CAS_OK) {
		log_debug("records: listing: %s", cas_result_text(res));
		scan_end(rs, false);
		return;
	}
	rs->scan = *keys;
	*keys = (struct kv_keys){ 0 };
	rs->scan_at = 0;
	scan_next(rs);
}

/* Only ours: others' records become ours by our own hand, or a hint says so. */
static bool
scan_own(struct records *rs)
{
	rs->scan.key = calloc(rs->n ? rs->n : 1, sizeof(*rs->scan.key));
	if (!rs->scan.key)
		return false;
	rs->scan_at = 0;
	for (size_t i = 0; i < rs->n; i++) {
		char key[RECORD_KEY_MAX];

		record_key(rs->row[i]->i.id, key);
		rs->scan.key[i] = strdup(key);
		if (!rs->scan.key[i])
			return false;
		rs->scan.n = i + 1;
	}
	scan_next(rs);
	return true;
}

static void
on_scan_timer(void *arg)
{
	struct records *rs = arg;
	bool full = rs->scan_again;

	if (rs->scanning)
		return;
	rs->scanning = true;
	rs->scan_again = false;
	if (full ? !kv_list(rs->bucket, KEY_INSTANCE_PREFIX, RECORDS_TIMEOUT_MS, on_scan_listed,
	    rs) : !scan_own(rs))
		scan_end(rs, false);
}

static void
on_hint_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct records_call *c = arg;
	struct records *rs = c->rs;
	char id[INSTANCE_ID_MAX + 1];

	memcpy(id, c->id, sizeof(id));
	records_call_free(c);
	apply(rs, id, res, e);
}

static void
on_hint(void *arg, const char *key)
{
	struct records *rs = arg;
	const char *id = key + strlen(KEY_INSTANCE_PREFIX);
	struct records_call *c;

	if (!rs->started)
		return;			/* all will be read anyway */
	if (!*key) {			/* some were missed */
		rs->scan_again = true;
		loop_timer_in(rs->timer, 0);
		return;
	}
	if (strncmp(key, KEY_INSTANCE_PREFIX, strlen(KEY_INSTANCE_PREFIX)) != 0 ||
	    strlen(id) > INSTANCE_ID_MAX)
		return;
	c = records_call_new(rs, id, NULL, NULL);
	if (c && !kv_load(rs->bucket, key, RECORDS_TIMEOUT_MS, on_hint_loaded, c))
		records_call_free(c);
}

/* ---- life ---- */

int
records_new(struct loop *l, struct bucket *b, const char *node,
    const struct records_handlers *h, void *arg, struct records **ret)
{
	struct records *rs = calloc(1, sizeof(*rs));
	int r;

	if (!rs)
		return -ENOMEM;
	rs->loop = l;
	rs->bucket = b;
	rs->h = h;
	rs->arg = arg;
	rs->scan_again = true;
	snprintf(rs->node, sizeof(rs->node), "%s", node);
	r = loop_timer_new(l, on_scan_timer, rs, &rs->timer);
	if (r == 0)
		r = kv_watch(b, on_hint, rs);
	if (r < 0) {
		records_free(rs);
		return r;
	}
	*ret = rs;
	return 0;
}

void
records_start(struct records *rs)
{
	rs->started = true;
	loop_timer_in(rs->timer, 0);
}

void
records_free(struct records *rs)
{
	if (!rs)
		return;
	for (size_t n = 0; n < rs->n; n++)
		record_free(rs->row[n]);
	while (rs->calls)
		records_call_free(rs->calls);
	kv_keys_deinit(&rs->scan);
	loop_timer_free(rs->timer);
	free(rs->row);
	free(rs);
}
