#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "vmd/ownership.h"
#include "vmd/records_own.h"

static void	 op_run(struct record *r);

static void
op_free(struct record_op *op)
{
	instance_deinit(&op->draft);
	free(op->text);
	free(op);
}

/* Ends the first write; the next begins on the next turn. */
static void
op_finish(struct record *r, int res)
{
	struct record_op *op = r->head;

	r->head = op->next;
	if (!r->head)
		r->tail = NULL;
	else
		loop_timer_in(r->timer, 0);
	if (op->done)
		op->done(op->arg, res);
	op_free(op);
}

static void
op_again(struct record *r, uint64_t in_ms, bool reload)
{
	r->head->reload = reload;
	loop_timer_in(r->timer, in_ms);
}

static void
op_landed(struct record *r, uint64_t revision)
{
	bool first = r->confirmed != r->rs->generation;

	record_replace(r, &r->head->draft, revision);
	r->confirmed = r->rs->generation;
	op_finish(r, 0);
	if (first && r->rs->generation)
		r->rs->h->confirmed(r->rs->arg, r);
}

/* What a failed attempt means for one that is made once, and for one that has to be made. */
static void
op_failed(struct record *r, enum cas_result res)
{
	struct record_op *op = r->head;
	bool once = op->effort == RECORD_ONCE;

	if (res == CAS_LOST && (!once || ++op->attempts < RECORDS_ATTEMPTS)) {
		op_again(r, 0, true);
		return;
	}
	if (res == CAS_UNKNOWN) {
		op->unknown = true;
		op_again(r, once ? 0 : RECORDS_RETRY_MS, true);
		return;
	}
	if (!once) {
		log_debug("record %s: %s: tried again", r->i.id, cas_result_text(res));
		op_again(r, RECORDS_RETRY_MS, op->unknown);
	} else if (op->unknown) {
		op_finish(r, -ETIMEDOUT);
	} else if (res == CAS_LOST || res == CAS_UNAVAILABLE || res == CAS_BUCKET_LOST) {
		op_finish(r, -EAGAIN);
	} else {
		op_finish(r, res == CAS_NOMEM ? -ENOMEM : -EIO);
	}
}

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct record *r = arg;

	r->busy = false;
	if (res == CAS_OK && !r->head->change)
		record_lose(r, "taken back");
	else if (res == CAS_OK)
		op_landed(r, revision);
	else
		op_failed(r, res);
}

static bool
is_what_we_wrote(const struct record_op *op, const struct cas_entry *e)
{
	return op->text && strlen(op->text) == e->len && memcmp(op->text, e->value, e->len) == 0;
}

/* The reading after a lost race or an unknown outcome. */
static void
op_judge(struct record *r, enum cas_result res, struct cas_entry *e, struct records_read *read)
{
	struct record_op *op = r->head;
	bool once = op->effort == RECORD_ONCE;

	switch (records_judge(r, res, e, read)) {
	case OWNERSHIP_SAME:
		if (once && op->unknown)
			op_finish(r, -ETIMEDOUT);
		else
			op_again(r, 0, false);
		return;
	case OWNERSHIP_NEWER:
		if (op->unknown && is_what_we_wrote(op, e)) {
			op_landed(r, e->revision);
			return;
		}
		/* It is overtaken: that attempt can land no more. */
		op->unknown = false;
		record_replace(r, &read->i, e->revision);
		op_again(r, 0, false);
		r->rs->h->changed(r->rs->arg, r);
		return;
	case OWNERSHIP_MOVED:
		record_lose(r, "the record names another node");
		return;
	case OWNERSHIP_REMOVED:
		record_lose(r, "the record was removed");
		return;
	case OWNERSHIP_NOTHING:
		break;
	}
	if (!once)
		op_again(r, RECORDS_RETRY_MS, true);
	else
		op_finish(r, op->unknown ? -ETIMEDOUT : -EAGAIN);
}

static void
on_reloaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct record *r = arg;
	struct records_read read;

	r->busy = false;
	records_decode(r->i.id, res, e, &read);
	op_judge(r, res, e, &read);
	instance_deinit(&read.i);
}

static bool
op_write(struct record *r, const char *key)
{
	struct record_op *op = r->head;

	free(op->text);
	op->text = instance_to_json(&op->draft);
	return op->text && kv_put(r->rs->bucket, key, op->text, strlen(op->text), r->revision,
	    RECORDS_TIMEOUT_MS, on_written, r);
}

/* The draft, made anew from what is cached.  0, or the change's own answer. */
static int
op_draft(struct record *r)
{
	struct record_op *op = r->head;

	instance_deinit(&op->draft);
	if (instance_copy(&r->i, &op->draft) < 0)
		return -ENOMEM;
	return op->change(op->arg, &op->draft);
}

static void
op_run(struct record *r)
{
	struct record_op *op = r->head;
	char key[RECORD_KEY_MAX];
	int answer = 0;
	bool sent;

	record_key(r->i.id, key);
	if (!op->reload && op->change)
		answer = op_draft(r);
	if (answer != 0) {
		op_finish(r, answer > 0 ? 0 : answer);
		return;
	}
	if (op->reload)
		sent = kv_load(r->rs->bucket, key, RECORDS_TIMEOUT_MS, on_reloaded, r);
	else if (op->change)
		sent = op_write(r, key);
	else
		sent = kv_remove(r->rs->bucket, key, r->revision, RECORDS_TIMEOUT_MS, on_written,
		    r);
	r->busy = sent;
	if (!sent)
		op_failed(r, CAS_NOMEM);
}

void
record_on_timer(void *arg)
{
	struct record *r = arg;

	if (!r->busy && r->head)
		op_run(r);
}

static int
enqueue(struct record *r, const struct record_op *like)
{
	struct record_op *op = malloc(sizeof(*op));

	if (!op)
		return -ENOMEM;
	*op = *like;
	if (r->tail)
		r->tail->next = op;
	else
		r->head = op;
	r->tail = op;
	if (r->head == op)
		loop_timer_in(r->timer, 0);
	return 0;
}

int
record_change(struct record *r, enum record_effort e, record_change_fn *change,
    record_done_fn *done, void *arg)
{
	return enqueue(r, &(const struct record_op){ .effort = e, .change = change,
	    .done = done, .arg = arg });
}

int
record_remove(struct record *r, record_done_fn *done, void *arg)
{
	return enqueue(r, &(const struct record_op){ .effort = RECORD_ONCE, .done = done,
	    .arg = arg });
}

void
record_free(struct record *r)
{
	while (r->head) {
		struct record_op *op = r->head;

		r->head = op->next;
		op_free(op);
	}
	loop_timer_free(r->timer);
	instance_deinit(&r->i);
	free(r);
}

void
record_lose(struct record *r, const char *why)
{
	struct records *rs = r->rs;
	size_t at = records_index_after(rs, r->i.id) - 1;

	rs->n--;
	memmove(rs->row + at, rs->row + at + 1, (rs->n - at) * sizeof(*rs->row));
	while (r->head) {
		/* A removal that landed is what its asker wanted. */
		op_finish(r, r->head->change ? -EPERM : 0);
	}
	rs->h->lost(rs->arg, r, why);
	record_free(r);
}

uint64_t
record_revision(const struct record *r)
{
	return r->revision;
}

const struct instance *
record_instance(const struct record *r)
{
	return &r->i;
}

void
record_set_owner(struct record *r, void *owner)
{
	r->owner = owner;
}

void *
record_owner(const struct record *r)
{
	return r->owner;
}

/* ---- confirming ---- */

static int
keep_as_it_is(void *arg, struct instance *i)
{
	const struct record *r = arg;

	return r->confirmed == r->rs->generation || i->state == INSTANCE_TERMINATED;
}

void
record_confirm(struct record *r)
{
	if (r->rs->generation == 0 || record_change(r, RECORD_UNTIL_DONE, keep_as_it_is, NULL,
	    r) == 0)
		return;
	log_fields(LOG_ERR, &(const struct log_ctx){ .instance = r->i.id },
	    "no memory to confirm %s: it stays unconfirmed", r->i.id);
}

void
records_confirm(struct records *rs, uint64_t generation)
{
	rs->generation = generation;
	for (size_t n = 0; n < rs->n; n++)
		record_confirm(rs->row[n]);
}

bool
record_is_confirmed(const struct record *r)
{
	return r->rs->generation != 0 && r->confirmed == r->rs->generation;
}
