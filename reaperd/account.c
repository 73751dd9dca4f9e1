#include "reaperd/account.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/subjects.h"

#define TEARDOWN_MS	15000

void
account_deinit(struct account *a)
{
	free(a->items);
	*a = (struct account){ 0 };
}

bool
account_is_clean(const struct account *a)
{
	return a->nitems == 0 && a->nreasons == 0 && !a->no_memory;
}

static void
add_reason(struct account *a, const char *reason)
{
	if (a->nreasons < ACCOUNT_REASONS_MAX)
		a->reasons[a->nreasons++] = reason;
}

static bool
has_item(const struct account *a, const char *id)
{
	for (size_t i = 0; i < a->nitems; i++)
		if (strcmp(a->items[i].resource_id, id) == 0)
			return true;
	return false;
}

static void
add(struct account *a, const char *id, const char *kind, const char *state, const char *reason)
{
	if (a->nitems == a->room) {
		size_t room = a->room ? 2 * a->room : 16;
		struct account_item *more = reallocarray(a->items, room, sizeof(*more));

		if (!more) {
			a->no_memory = true;
			return;
		}
		a->items = more;
		a->room = room;
	}
	struct account_item *i = &a->items[a->nitems++];

	*i = (struct account_item){ .kind = kind, .state = state, .reason = reason };
	(void)snprintf(i->resource_id, sizeof(i->resource_id), "%s", id);
}

static void
judge_instances(struct account *a, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->ninstances; i++) {
		const struct inv_instance *in = &inv->instances[i];

		if (in->facts.known != KNOWN_PRESENT || strcmp(in->account_id, a->account_id) != 0)
			continue;
		if (!in->facts.is_terminated)
			add(a, in->id, "instance", instance_state_name(in->state), "record-remains");
		if (in->facts.is_terminated && in->kept_volume[0] &&
		    !has_item(a, in->kept_volume))
			add(a, in->kept_volume, "volume", "available", "record-remains");
	}
}

/* One that cannot be read is the account's by its key. */
static void
judge_volumes(struct account *a, const struct inventory *inv)
{
	bool unread = false;

	for (size_t i = 0; i < inv->nvolumes; i++) {
		const struct inv_volume *v = &inv->volumes[i];

		if (strcmp(v->account_id, a->account_id) != 0)
			continue;
		unread |= v->known == KNOWN_UNREADABLE;
		if (v->known == KNOWN_PRESENT)
			add(a, v->id, "volume", volume_ec2_state(v->state),
			    v->state == VOLUME_DELETING ? "volume-deleting" : "record-remains");
	}
	if (unread)
		add_reason(a, "volume-inventory-incomplete");
}

static void
judge_others(struct account *a, const struct inventory *inv)
{
	bool unread = false;

	for (size_t i = 0; i < inv->nstores; i++) {
		const struct inv_store *s = &inv->stores[i];

		unread |= s->facts.known == KNOWN_UNREADABLE;
		if (s->facts.known == KNOWN_PRESENT && strcmp(s->account_id, a->account_id) == 0)
			add(a, s->id, "uefi-store", s->facts.is_deleting ? "deleting" : "live",
			    "record-remains");
	}
	for (size_t i = 0; i < inv->naddresses; i++)
		if (strncmp(inv->addresses[i].id, a->account_id, 12) == 0)
			add(a, inv->addresses[i].id, "address", "allocated", "record-remains");
	if (unread)
		add_reason(a, "store-inventory-incomplete");
}

void
account_judge(struct account *a, const struct inventory *inv, bool strict,
    const struct account_teardown *teardowns, size_t n)
{
	judge_volumes(a, inv);
	judge_instances(a, inv);
	judge_others(a, inv);
	if (!strict)
		add_reason(a, "instance-inventory-incomplete");
	if (!teardowns)
		add_reason(a, "teardown-unread");
	for (size_t i = 0; i < (teardowns ? n : 0); i++) {
		const struct account_teardown *t = &teardowns[i];

		if (!t->is_done && !has_item(a, t->instance_id))
			add(a, t->instance_id, "instance", instance_state_name(t->state),
			    t->holds_volume ? "volume-deleting" : "terminating");
	}
}

/* ---- reading it ---- */

static bool
is_left(const cJSON *teardown, const char *dependent)
{
	const char *state = json_text(teardown, dependent);

	return state && strcmp(state, "done") != 0;
}

static int
read_teardown(const cJSON *o, struct account_teardown *ret)
{
	const cJSON *held = json_member(o, "teardown");
	const char *id = json_text(o, "instance_id"), *state = json_text(o, "state");
	int n = snprintf(ret->instance_id, sizeof(ret->instance_id), "%s", id ? id : "");

	if (n <= 0 || (size_t)n >= sizeof(ret->instance_id) || !state ||
	    instance_state_from_name(state, &ret->state) < 0)
		return -EBADMSG;
	ret->holds_volume = is_left(held, "volume");
	ret->is_done = ret->state == INSTANCE_TERMINATED && !ret->holds_volume &&
	    !is_left(held, "uefi") && !is_left(held, "address");
	return 0;
}

/* No answer, an error and one that cannot be read are all NULL: none is an empty list. */
static struct account_teardown *
ask_teardowns(const struct account *a, const struct inventory_sources *s, size_t *ret_n)
{
	const struct bus_header account = { HEADER_ACCOUNT, a->account_id };
	AUTO(bus_msg) struct bus_msg *m = NULL;
	AUTO(json) cJSON *out = NULL;
	struct account_teardown *t;
	struct bus_error error;
	const cJSON *list, *o;

	if (bus_ask_wait(s->bus, &(struct bus_ask){ .subject = "ec2.AccountTeardownOutstanding",
	    .headers = &account, .nheaders = 1, .data = "{}", .len = 2, .timeout_ms = TEARDOWN_MS },
	    &m) != BUS_OK || bus_msg_json(m, &out, &error) < 0)
		return NULL;
	list = json_member(out, "instances");
	if (!cJSON_IsArray(list) ||
	    !(t = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(*t))))
		return NULL;
	*ret_n = 0;
	cJSON_ArrayForEach(o, list)
		if (read_teardown(o, &t[(*ret_n)++]) < 0) {
			free(t);
			return NULL;
		}
	return t;
}

int
account_take(struct account *a, const struct inventory_sources *s)
{
	struct known_nodes nodes = { 0 };
	struct inventory inv = { 0 };
	struct about about;
	size_t n = 0;
	bool strict = nodes_take(s, &nodes, a->why, sizeof(a->why), &about) == 0 &&
	    inventory_take(s, &inv, a->why, sizeof(a->why)) == 0 &&
	    nodes_strict(&nodes, &inv, a->why, sizeof(a->why), &about) == 0;
	struct account_teardown *t = ask_teardowns(a, s, &n);

	account_judge(a, &inv, strict, t, n);
	free(t);
	nodes_deinit(&nodes);
	inventory_deinit(&inv);
	return a->no_memory ? -ENOMEM : 0;
}
