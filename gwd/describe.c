#include "gwd/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/ask.h"
#include "gwd/filter.h"
#include "gwd/gwd.h"
#include "gwd/scan.h"

struct describe_item {
	char	*key;		/* what it is sorted by */
	cJSON	*shown;		/* NULL: it is in the answer */
};

struct describe {
	struct call			*call;
	const struct describe_kind	*kind;
	const cJSON			*filters;
	struct id_list			 wanted[DESCRIBE_NAMES];
	bool				*found[DESCRIBE_NAMES];
	struct page			 page;
	struct describe_item		*items;
	size_t				 n, room;
	bool				 nomem;
	cJSON				*kept;
	/* Of the source. */
	describe_record_fn		*record;
	describe_instance_fn		*instance;
	describe_then_fn		*then;
	size_t				 nrecords;	/* read */
	struct id_list			 all;		/* empty: every instance */
};

static void
describe_free(struct describe *d)
{
	for (size_t i = 0; i < DESCRIBE_NAMES; i++) {
		id_list_deinit(&d->wanted[i]);
		free(d->found[i]);
	}
	for (size_t i = 0; i < d->n; i++) {
		free(d->items[i].key);
		cJSON_Delete(d->items[i].shown);
	}
	free(d->items);
	cJSON_Delete(d->kept);
	free(d);
}

const char *
describe_list(const struct describe *d)
{
	return d->kind->out;
}

void
describe_keep(struct describe *d, cJSON *tree)
{
	cJSON_Delete(d->kept);
	d->kept = tree;
}

cJSON *
describe_kept(const struct describe *d)
{
	return d->kept;
}

struct call *
describe_call(const struct describe *d)
{
	return d->call;
}

static void
describe_fail(struct describe *d, const char *code, const char *message)
{
	call_fail(d->call, code, "%s", message);
	describe_free(d);
}

/* ---- what was asked ---- */

/* False: the call was failed. */
static bool
describe_read(struct describe *d)
{
	bool has_ids = false;

	for (size_t i = 0; i < DESCRIBE_NAMES; i++) {
		const struct describe_names *n = &d->kind->names[i];

		if (!n->member)
			continue;
		if (!ask_ids(d->call, n->member, n->prefix, n->code, &d->wanted[i]))
			return false;
		has_ids |= d->wanted[i].n > 0;
		d->found[i] = calloc(d->wanted[i].n + 1, sizeof(bool));
		if (!d->found[i]) {
			ask_fail_nomem(d->call);
			return false;
		}
	}
	return !(d->call->action->flags & ACTION_PAGES) ||
	    ask_page(d->call, has_ids, &d->page);
}

struct describe *
describe_open(struct call *c, const struct describe_kind *kind)
{
	struct describe *d = calloc(1, sizeof(*d));

	if (!d) {
		ask_fail_nomem(c);
		return NULL;
	}
	d->call = c;
	d->kind = kind;
	d->filters = json_member(c->in, "Filters");
	if (describe_read(d))
		return d;
	describe_free(d);
	return NULL;
}

/* ---- what there is ---- */

/* Is it named, where things are named?  Marks the name as found. */
static bool
describe_is_named(struct describe *d, size_t i, const cJSON *item)
{
	const char *name;
	int at;

	if (d->wanted[i].n == 0)
		return true;
	name = json_text(item, d->kind->names[i].shown);
	at = name ? id_list_find(&d->wanted[i], name) : -1;
	if (at < 0)
		return false;
	d->found[i][at] = true;
	return true;
}

static bool
describe_is_wanted(struct describe *d, const cJSON *item)
{
	bool named = true;

	for (size_t i = 0; i < DESCRIBE_NAMES; i++)
		named &= describe_is_named(d, i, item);
	return named && filter_match(d->call->action->filters, d->filters, item, NULL);
}

static bool
describe_grow(struct describe *d)
{
	size_t room = d->room ? 2 * d->room : 16;
	struct describe_item *more;

	if (d->n < d->room)
		return true;
	more = realloc(d->items, room * sizeof(*more));
	if (!more)
		return false;
	d->items = more;
	d->room = room;
	return true;
}

void
describe_add(struct describe *d, const char *key, cJSON *item)
{
	AUTO(json) cJSON *mine = item;
	AUTO(str) char *sort = NULL;

	if (item && !describe_is_wanted(d, item))
		return;
	if (item && !key)
		key = json_text(item, d->kind->names[0].shown);
	sort = strdup(key ? key : "");
	if (!item || !sort || !describe_grow(d)) {
		d->nomem = true;
		return;
	}
	d->items[d->n++] = (struct describe_item){ steal_str(&sort), steal_json(&mine) };
}

/* ---- the answer ---- */

/* False: the call was failed. */
static bool
describe_has_all(struct describe *d)
{
	for (size_t i = 0; i < DESCRIBE_NAMES; i++) {
		const struct describe_names *n = &d->kind->names[i];

		if (d->wanted[i].n > 0 &&
		    !ask_found(d->call, &d->wanted[i], d->found[i], n->what, n->code))
			return false;
	}
	return true;
}

/* The page's items, in order, out of all.  False: no memory. */
static bool
describe_fill(struct describe *d, cJSON *out, cJSON *list)
{
	AUTO(mem) void *room = calloc(d->n + 1, sizeof(struct page_item));
	struct page_item *items = room;
	size_t first, count;
	bool more;

	if (!items)
		return false;
	for (size_t i = 0; i < d->n; i++)
		items[i] = (struct page_item){ d->items[i].key, &d->items[i] };
	count = page_cut(&d->page, items, d->n, &first, &more);
	for (size_t i = first; i < first + count; i++) {
		struct describe_item *it = items[i].item;

		if (!cJSON_AddItemToArray(list, it->shown))
			return false;
		it->shown = NULL;
	}
	return !more || ask_next(d->call, items[first + count - 1].key, out);
}

static cJSON *
describe_answer(struct describe *d)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, d->kind->out) : NULL;

	return list && describe_fill(d, out, list) ? steal_json(&out) : NULL;
}

void
describe_end(struct describe *d)
{
	if (d->nomem)
		ask_fail_nomem(d->call);
	else if (describe_has_all(d))
		call_answer(d->call, describe_answer(d));
	describe_free(d);
}

/* ---- records of a bucket ---- */

static void
describe_record(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct describe *d = arg;

	if (res != CAS_OK)
		return;
	d->nrecords++;
	if (d->record)
		d->record(d, key, e);
}

static void
describe_scanned(void *arg, enum cas_result res)
{
	struct describe *d = arg;
	const char *message, *code;

	if (res == CAS_OK) {
		d->then(d);
		return;
	}
	code = cloud_code(res, &message);
	describe_fail(d, code, message);
}

void
describe_read_records(struct describe *d, struct bucket *b, const char *prefix,
    describe_record_fn *each, describe_then_fn *then)
{
	struct scan_spec spec = { .bucket = b, .timeout_ms = CLOUD_READ_MS,
	    .each = describe_record, .end = describe_scanned, .arg = d };
	char own[CALL_ACCOUNT_MAX + 2];

	snprintf(own, sizeof(own), "%s.", d->call->account);
	d->record = each;
	d->then = then;
	if (scan_prefix(&spec, prefix ? prefix : own))
		return;
	d->nomem = true;
	describe_end(d);
}

size_t
describe_records_read(const struct describe *d)
{
	return d->nrecords;
}

void
describe_records(struct call *c, struct bucket *b, const char *prefix,
    const struct describe_kind *kind, describe_record_fn *each)
{
	struct describe *d = describe_open(c, kind);

	if (d)
		describe_read_records(d, b, prefix, each, describe_end);
}

/* ---- the account's instances ---- */

static bool
describe_round(void *arg, struct inventory_item *items, size_t n)
{
	struct describe *d = arg;

	for (size_t i = 0; i < n; i++)
		d->instance(d, &items[i]);
	return d->nomem;
}

static void
describe_inventory_end(void *arg, const struct inventory_error *e)
{
	struct describe *d = arg;

	if (e)
		describe_fail(d, e->code, e->message);
	else
		d->then(d);
}

void
describe_read_instances(struct describe *d, describe_instance_fn *each, describe_then_fn *then)
{
	struct inventory_ask ask = { .call = d->call, .ids = &d->all, .after = "",
	    .round = describe_round, .end = describe_inventory_end, .arg = d };

	d->instance = each;
	d->then = then;
	if (inventory_start(d->call->gwd, &ask))
		return;
	ask_fail_unready(d->call);
	describe_free(d);
}

void
describe_instances(struct call *c, const struct describe_kind *kind, describe_instance_fn *each)
{
	struct describe *d = describe_open(c, kind);

	if (d)
		describe_read_instances(d, each, describe_end);
}
