/* Records that are not in the cache yet: made, or taken from another node. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vmd/records_own.h"

struct records_call *
records_call_new(struct records *rs, const char *id, record_made_fn *fn, void *arg)
{
	struct records_call *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->rs = rs;
	c->fn = fn;
	c->arg = arg;
	snprintf(c->id, sizeof(c->id), "%s", id);
	c->next = rs->calls;
	c->prev = &rs->calls;
	if (c->next)
		c->next->prev = &c->next;
	rs->calls = c;
	return c;
}

void
records_call_free(struct records_call *c)
{
	*c->prev = c->next;
	if (c->next)
		c->next->prev = c->prev;
	instance_deinit(&c->i);
	free(c);
}

static void
call_end(struct records_call *c, int res, struct record *r)
{
	record_made_fn *fn = c->fn;
	void *arg = c->arg;

	records_call_free(c);
	fn(arg, res, r);
}

/* ---- making and taking ---- */

static int
made_result(enum cas_result res)
{
	static const int of[CAS_RESULTS] = {
		[CAS_NOT_FOUND]		= -ENOENT,
		[CAS_LOST]		= -EEXIST,
		[CAS_UNAVAILABLE]	= -EAGAIN,
		[CAS_UNKNOWN]		= -ETIMEDOUT,
		[CAS_BUCKET_LOST]	= -EAGAIN,	/* until an operator mended it */
		[CAS_REFUSED]		= -EIO,
		[CAS_INVALID]		= -EINVAL,
		[CAS_NOMEM]		= -ENOMEM,
	};

	return of[res];
}

static void
on_made(void *arg, enum cas_result res, uint64_t revision)
{
	struct records_call *c = arg;
	struct records *rs = c->rs;
	struct record *r = records_find(rs, c->id);

	if (res != CAS_OK) {
		/* A swap that lost is a race, not an "exists". */
		call_end(c, c->is_take && res == CAS_LOST ? -EAGAIN : made_result(res), NULL);
		return;
	}
	if (!r) {		/* else a hint was faster */
		r = records_add(rs, &c->i, revision);
		if (r)
			rs->h->owned(rs->arg, r);
	}
	if (r)
		r->confirmed = rs->generation;
	call_end(c, r ? 0 : -ENOMEM, r);
}

static bool
put(struct records_call *c, uint64_t expected)
{
	char *text = instance_to_json(&c->i);
	char key[RECORD_KEY_MAX];
	bool ok;

	record_key(c->id, key);
	ok = text && kv_put(c->rs->bucket, key, text, strlen(text), expected,
	    RECORDS_TIMEOUT_MS, on_made, c);
	free(text);
	return ok;
}

int
records_create(struct records *rs, const struct instance *i, record_made_fn *fn, void *arg)
{
	struct records_call *c = records_call_new(rs, i->id, fn, arg);

	if (!c)
		return -ENOMEM;
	if (instance_copy(i, &c->i) < 0 || !put(c, 0)) {
		records_call_free(c);
		return -ENOMEM;
	}
	return 0;
}

int
records_take(struct records *rs, const struct instance *i, uint64_t revision,
    record_made_fn *fn, void *arg)
{
	struct records_call *c = records_call_new(rs, i->id, fn, arg);

	if (!c)
		return -ENOMEM;
	c->is_take = true;
	if (instance_copy(i, &c->i) < 0 || !put(c, revision)) {
		records_call_free(c);
		return -ENOMEM;
	}
	return 0;
}

/* ---- looking at another's ---- */

static void
on_looked(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct records_call *c = arg;
	record_looked_fn *looked = c->looked;
	void *looked_arg = c->arg;
	struct records_read read;
	int r = 0;

	records_decode(c->id, res, e, &read);
	if (res != CAS_OK)
		r = made_result(res);
	else if (!read.readable)
		r = -EBADMSG;
	records_call_free(c);
	looked(looked_arg, r, r == 0 ? &read.i : NULL, r == 0 || r == -ENOENT ? e->revision : 0);
	instance_deinit(&read.i);
}

int
records_look(struct records *rs, const char *id, record_looked_fn *fn, void *arg)
{
	struct records_call *c = records_call_new(rs, id, NULL, arg);
	char key[RECORD_KEY_MAX];

	if (!c)
		return -ENOMEM;
	c->looked = fn;
	record_key(id, key);
	if (!kv_load(rs->bucket, key, RECORDS_TIMEOUT_MS, on_looked, c)) {
		records_call_free(c);
		return -ENOMEM;
	}
	return 0;
}
