#include "gwd/inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "common/subjects.h"
#include "gwd/cloud.h"
#include "gwd/gather.h"
#include "gwd/gwd.h"
#include "gwd/scan.h"

#define INVENTORY_SUBJECT	"ec2.DescribeInstances"
#define INVENTORY_ROUNDS_MAX	4096	/* of half a megabyte each */
#define INVENTORY_MESSAGE_MAX	512

struct inventory {
	struct gwd		*g;
	struct inventory_ask	 ask;
	char			 after[INSTANCE_ID_MAX + 1];
	/* This round: what came, and up to which id it is complete. */
	struct answer		**answers;	/* the items point into them */
	size_t			 nanswers, answers_room;
	struct inventory_item	*items;
	size_t			 n, room;
	char			 horizon[INSTANCE_ID_MAX + 1];
	bool			 more;
	/* All rounds. */
	bool			*found;		/* by ids */
	size_t			 nfound;
	unsigned		 rounds;
	bool			 nomem;
	char			 message[INVENTORY_MESSAGE_MAX];
};

/* ---- its memory ---- */

static void
inventory_clear_round(struct inventory *v)
{
	for (size_t i = 0; i < v->nanswers; i++)
		answer_unref(v->answers[i]);
	v->nanswers = v->n = 0;
	v->more = false;
	v->horizon[0] = '\0';
}

static void
inventory_finish(struct inventory *v, const char *code, const char *message)
{
	struct inventory_error e = { code, message };

	v->ask.end(v->ask.arg, code ? &e : NULL);
	inventory_clear_round(v);
	free(v->answers);
	free(v->items);
	free(v->found);
	free(v);
}

static void
inventory_finish_nomem(struct inventory *v)
{
	inventory_finish(v, "InternalError", "An internal error has occurred.");
}

/* Room for one more of size bytes; false without memory. */
static bool
inventory_grow(void **list, size_t n, size_t *room, size_t size)
{
	size_t want = *room ? 2 * *room : 16;
	void *more;

	if (n < *room)
		return true;
	more = realloc(*list, want * size);
	if (!more)
		return false;
	*list = more;
	*room = want;
	return true;
}

static bool
inventory_keep(struct inventory *v, struct answer *a)
{
	void *list = v->answers;
	bool ok = inventory_grow(&list, v->nanswers, &v->answers_room, sizeof(a));

	v->answers = list;
	if (ok)
		v->answers[v->nanswers++] = answer_ref(a);
	else
		v->nomem = true;
	return ok;
}

static void
inventory_push(struct inventory *v, const struct inventory_item *item)
{
	void *list = v->items;
	bool ok = inventory_grow(&list, v->n, &v->room, sizeof(*item));

	v->items = list;
	if (ok)
		v->items[v->n++] = *item;
	else
		v->nomem = true;
}

/* ---- what nodes answer ---- */

bool
inventory_is_impaired(const cJSON *instance)
{
	const cJSON *extra = json_member(instance, INSTANCE_VIEW_FACTS);
	const char *qmp = json_text(extra, "qmp");

	return qmp && strcmp(qmp, "impaired") == 0;
}

/* Is it asked for?  Marks a named id as found. */
static bool
inventory_wants(struct inventory *v, const char *id)
{
	int at;

	if (strlen(id) > INSTANCE_ID_MAX || strcmp(id, v->after) <= 0)
		return false;
	if (v->ask.ids->n == 0)
		return true;
	at = id_list_find(v->ask.ids, id);
	if (at < 0)
		return false;
	v->nfound += !v->found[at];
	v->found[at] = true;
	return true;
}

static void
inventory_add_instance(struct inventory *v, struct answer *a, const cJSON *reservation,
    cJSON *instance)
{
	const char *id = json_text(instance, "InstanceId");

	if (!id || !inventory_wants(v, id))
		return;
	inventory_push(v, &(struct inventory_item){ id, instance, reservation, a,
	    inventory_is_impaired(instance) });
}

/* The nodes scope by account; that another's instance never passes is ours as well. */
static void
inventory_add_reservation(struct inventory *v, struct answer *a, const cJSON *reservation)
{
	const char *owner = json_text(reservation, "OwnerId");
	cJSON *instance;

	if (!owner || strcmp(owner, v->ask.call->account) != 0)
		return;
	cJSON_ArrayForEach(instance, json_member(reservation, "Instances"))
		inventory_add_instance(v, a, reservation, instance);
}

/* The node has more after this id: beyond the lowest such mark nothing is complete. */
static void
inventory_mark(struct inventory *v, const char *after)
{
	if (v->more && strcmp(after, v->horizon) >= 0)
		return;
	v->more = true;
	snprintf(v->horizon, sizeof(v->horizon), "%s", after);
}

static bool
inventory_is_found(const struct inventory *v)
{
	return v->ask.ids->n > 0 && v->nfound == v->ask.ids->n;
}

static bool
inventory_each(void *arg, const char *node, struct answer *a)
{
	struct inventory *v = arg;
	const cJSON *tree = answer_json(a);
	const char *after = json_text(tree, "After");
	const cJSON *reservation;

	if (!inventory_keep(v, a))
		return true;
	cJSON_ArrayForEach(reservation, json_member(tree, "Reservations"))
		inventory_add_reservation(v, a, reservation);
	if (after)
		inventory_mark(v, after);
	return v->nomem || inventory_is_found(v);
}

/* ---- what records say ---- */

static bool
inventory_node_is_silent(const struct inventory *v, const char *node)
{
	int at = nodes_find(v->g->cloud->nodes, node);

	return at < 0 || nodes_is_silent(v->g->cloud->nodes, (size_t)at);
}

static void
inventory_add_record(struct inventory *v, const struct instance *i)
{
	const struct instance_view view = { v->g->d.conf->region, &v->g->cloud->types };
	AUTO(json) cJSON *reservation = instance_view_reservation(i);
	AUTO(json) cJSON *instance = instance_view(i, &view);
	AUTO(answer) struct answer *answer = NULL;
	cJSON *list = cJSON_GetObjectItemCaseSensitive(reservation, "Instances");
	struct inventory_item item = { .impaired = inventory_node_is_silent(v, i->node) };

	if (!instance || !list || !cJSON_AddItemToArray(list, instance)) {
		v->nomem = true;
		return;
	}
	item.instance = steal_json(&instance);
	item.id = json_text(item.instance, "InstanceId");
	item.reservation = reservation;
	item.answer = answer = answer_new(steal_json(&reservation));
	if (!answer)
		v->nomem = true;
	else if (inventory_keep(v, answer))
		inventory_push(v, &item);
}

static int
inventory_compare(const void *a, const void *b)
{
	const struct inventory_item *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : x->impaired - y->impaired;
}

static void
inventory_sort(struct inventory *v)
{
	if (v->n > 1)
		qsort(v->items, v->n, sizeof(v->items[0]), inventory_compare);
}

static bool
inventory_has(const struct inventory *v, size_t n, const char *id)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(v->items[mid].id, id);

		if (order == 0)
			return true;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static void	 inventory_hand_on(struct inventory *v);

static void
inventory_snapshot(void *arg, enum cas_result res, const struct instance *records, size_t n)
{
	struct inventory *v = arg;
	size_t told = v->n;
	const char *message;

	if (res != CAS_OK) {
		const char *code = cloud_code(res, &message);

		inventory_finish(v, code, message);
		return;
	}
	inventory_sort(v);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(records[i].account_id, v->ask.call->account) == 0 &&
		    strcmp(records[i].id, v->after) > 0 &&
		    (!v->more || strcmp(records[i].id, v->horizon) <= 0) &&
		    !inventory_has(v, told, records[i].id))
			inventory_add_record(v, &records[i]);
	}
	inventory_hand_on(v);
}

/* ---- named ids that no node has ---- */

static void
inventory_one_record(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct inventory *v = arg;
	struct instance i = { 0 };
	char why[JSON_WHY_MAX];

	if (res != CAS_OK)
		return;
	if (instance_from_json(e->value, e->len, key + strlen(KEY_INSTANCE_PREFIX), &i, why) < 0) {
		v->nomem = true;	/* it is there, and cannot be shown: not "not found" */
		return;
	}
	if (strcmp(i.account_id, v->ask.call->account) == 0 && inventory_wants(v, i.id))
		inventory_add_record(v, &i);
	instance_deinit(&i);
}

static void
inventory_records_end(void *arg, enum cas_result res)
{
	struct inventory *v = arg;
	const char *message;

	if (res != CAS_OK) {
		const char *code = cloud_code(res, &message);

		inventory_finish(v, code, message);
		return;
	}
	if (v->nomem) {
		inventory_finish_nomem(v);
		return;
	}
	if (!id_list_complete(v->ask.ids, v->found, "instance ID", v->message,
	    sizeof(v->message))) {
		inventory_finish(v, "InvalidInstanceID.NotFound", v->message);
		return;
	}
	inventory_sort(v);
	(void)v->ask.round(v->ask.arg, v->items, v->n);
	inventory_finish(v, NULL, NULL);
}

static void
inventory_read_missing(struct inventory *v)
{
	struct scan_spec spec = { .bucket = v->g->cloud->instances, .timeout_ms = CLOUD_READ_MS,
	    .each = inventory_one_record, .end = inventory_records_end, .arg = v };
	char (*keys)[sizeof(KEY_INSTANCE_PREFIX) + INSTANCE_ID_MAX];
	AUTO(mem) void *text = calloc(v->ask.ids->n, sizeof(*keys));
	AUTO(mem) void *list = calloc(v->ask.ids->n, sizeof(char *));
	const char **key = list;
	size_t n = 0;

	if (!text || !list) {
		inventory_finish_nomem(v);
		return;
	}
	keys = text;
	v->after[0] = '\0';
	for (size_t i = 0; i < v->ask.ids->n; i++) {
		if (v->found[i])
			continue;
		snprintf(keys[n], sizeof(keys[n]), KEY_INSTANCE_PREFIX "%.*s", INSTANCE_ID_MAX,
		    v->ask.ids->id[i]);
		key[n] = keys[n];
		n++;
	}
	if (!scan_keys(&spec, key, n))
		inventory_finish_nomem(v);
}

/* ---- rounds ---- */

static void
inventory_gathered(void *arg, size_t missing)
{
	struct inventory *v = arg;

	if (v->nomem)
		inventory_finish_nomem(v);
	else if (missing > 0 && v->ask.ids->n == 0) {
		if (!snapshot_get(v->g->cloud->snapshot, inventory_snapshot, v))
			inventory_finish_nomem(v);
	} else
		inventory_hand_on(v);
}

static bool
inventory_gather(struct inventory *v)
{
	struct gather_spec spec = { .subject = INVENTORY_SUBJECT, .account = v->ask.call->account,
	    .request_id = v->ask.call->request_id, .each = inventory_each,
	    .end = inventory_gathered, .arg = v };
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!in || (v->after[0] != '\0' && !cJSON_AddStringToObject(in, "After", v->after)))
		return false;
	if (v->ask.ids->n > 0) {
		cJSON *ids = cJSON_CreateStringArray(v->ask.ids->id, (int)v->ask.ids->n);

		if (!ids || !cJSON_AddItemToObject(in, "InstanceIds", ids)) {
			cJSON_Delete(ids);
			return false;
		}
	}
	spec.in = in;
	return gather_start(v->g->cloud->gathers, &spec);
}

/* What lies beyond the horizon is asked for again, and so is not found yet. */
static void
inventory_unfind(struct inventory *v, const char *id)
{
	int at = id_list_find(v->ask.ids, id);

	if (at < 0 || !v->found[at])
		return;
	v->found[at] = false;
	v->nfound--;
}

/* Sorted, each id once, up to the horizon. */
static void
inventory_settle(struct inventory *v)
{
	size_t kept = 0;

	inventory_sort(v);
	for (size_t i = 0; i < v->n; i++) {
		if (v->more && strcmp(v->items[i].id, v->horizon) > 0)
			inventory_unfind(v, v->items[i].id);
		else if (kept == 0 || strcmp(v->items[kept - 1].id, v->items[i].id) != 0)
			v->items[kept++] = v->items[i];
	}
	v->n = kept;
}

static void
inventory_hand_on(struct inventory *v)
{
	bool enough, more;

	if (v->nomem) {
		inventory_finish_nomem(v);
		return;
	}
	if (inventory_is_found(v))
		v->more = false;	/* who has more has none of these */
	inventory_settle(v);
	enough = v->ask.round(v->ask.arg, v->items, v->n);
	more = v->more && strcmp(v->horizon, v->after) > 0 && ++v->rounds < INVENTORY_ROUNDS_MAX;
	if (v->more && !more && !enough) {
		inventory_finish(v, "InternalError", "A node's list of instances has no end.");
		return;
	}
	if (v->more)
		memcpy(v->after, v->horizon, sizeof(v->after));
	inventory_clear_round(v);
	if (enough || (!more && v->ask.ids->n == v->nfound))
		inventory_finish(v, NULL, NULL);
	else if (!more && v->ask.ids->n > 0)
		inventory_read_missing(v);
	else if (!more)
		inventory_finish(v, NULL, NULL);
	else if (!inventory_gather(v))
		inventory_finish_nomem(v);
}

bool
inventory_start(struct gwd *g, const struct inventory_ask *ask)
{
	struct inventory *v = calloc(1, sizeof(*v));

	if (!v)
		return false;
	v->g = g;
	v->ask = *ask;
	v->found = calloc(ask->ids->n + 1, sizeof(v->found[0]));
	snprintf(v->after, sizeof(v->after), "%s", ask->after);
	if (v->found && inventory_gather(v))
		return true;
	free(v->found);
	free(v);
	return false;
}
