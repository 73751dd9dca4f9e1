#include "gwd/describe.h"

#include <stdlib.h>
#include <string.h>

#include "gwd/ask.h"
#include "gwd/gwd.h"
#include "gwd/scan.h"

struct describe {
	struct call			*call;
	const struct describe_kind	*kind;
	struct id_list			 wanted[DESCRIBE_NAMES];
	bool				*found[DESCRIBE_NAMES];
	cJSON				*out, *list;
};

static void
describe_free(struct describe *d)
{
	for (size_t i = 0; i < DESCRIBE_NAMES; i++) {
		id_list_deinit(&d->wanted[i]);
		free(d->found[i]);
	}
	cJSON_Delete(d->out);
	free(d);
}

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

static void
describe_each(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct describe *d = arg;
	AUTO(json) cJSON *item = res == CAS_OK ? d->kind->show(d->call, key, e) : NULL;
	bool named = true;

	if (!item)
		return;
	for (size_t i = 0; i < DESCRIBE_NAMES; i++)
		named &= describe_is_named(d, i, item);
	if (named && filter_match(d->kind->filters, json_member(d->call->in, "Filters"), item, NULL))
		cJSON_AddItemToArray(d->list, steal_json(&item));
}

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

static void
describe_end(void *arg, enum cas_result res)
{
	struct describe *d = arg;
	const char *message;

	if (res != CAS_OK) {
		const char *code = cloud_code(res, &message);

		call_fail(d->call, code, "%s", message);
	} else if (describe_has_all(d))
		call_answer(d->call, steal_json(&d->out));
	describe_free(d);
}

/* False: the call was failed. */
static bool
describe_read(struct describe *d)
{
	for (size_t i = 0; i < DESCRIBE_NAMES; i++) {
		const struct describe_names *n = &d->kind->names[i];

		if (!n->member)
			continue;
		if (!ask_ids(d->call, n->member, n->prefix, n->code, &d->wanted[i]))
			return false;
		d->found[i] = calloc(d->wanted[i].n + 1, sizeof(bool));
		if (!d->found[i]) {
			ask_fail_nomem(d->call);
			return false;
		}
	}
	return true;
}

void
describe_start(struct gwd *g, struct call *c, struct bucket *b, const char *prefix,
    const struct describe_kind *kind)
{
	struct describe *d = calloc(1, sizeof(*d));
	struct scan_spec spec = { .bucket = b, .timeout_ms = CLOUD_READ_MS,
	    .each = describe_each, .end = describe_end, .arg = d };

	if (!d) {
		ask_fail_nomem(c);
		return;
	}
	d->call = c;
	d->kind = kind;
	d->out = cJSON_CreateObject();
	d->list = d->out ? cJSON_AddArrayToObject(d->out, kind->out) : NULL;
	if (!describe_read(d)) {
		describe_free(d);
		return;
	}
	if (d->list && scan_prefix(&spec, prefix))
		return;
	ask_fail_nomem(c);
	describe_free(d);
}
