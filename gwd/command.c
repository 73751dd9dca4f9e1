#include "gwd/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "common/subjects.h"
#include "gwd/ask.h"
#include "gwd/gwd.h"
#include "gwd/route.h"
#include "gwd/scan.h"

#define COMMAND_AT_ONCE	64	/* routes in flight of one request */

static void
command_free(struct command *c)
{
	for (size_t i = 0; c->items && i < c->ids.n; i++) {
		instance_deinit(&c->items[i].record);
		cJSON_Delete(c->items[i].answer);
	}
	free(c->items);
	id_list_deinit(&c->ids);
	free(c);
}

/* ---- the end ---- */

static const struct bus_error *
command_first_error(const struct command *c)
{
	for (size_t i = 0; i < c->ids.n; i++) {
		if (c->items[i].error.code[0] != '\0')
			return &c->items[i].error;
	}
	return NULL;
}

static void
command_end(struct command *c)
{
	const struct bus_error *e = command_first_error(c);
	const struct command_spec *spec = c->spec;
	struct call *call = c->call;
	bool goes_on;

	if (e)
		call_fail(call, e->code, "%s", e->message);
	else if (!spec->then)
		call_answer(call, spec->answer(c));
	goes_on = !e && spec->then;
	command_free(c);
	if (goes_on)
		spec->then(call);
}

static void	 command_send(struct command *c);

/* ---- one instance ---- */

static void
command_fail_item(struct command_item *item, const char *code, const char *message)
{
	snprintf(item->error.code, sizeof(item->error.code), "%s", code);
	snprintf(item->error.message, sizeof(item->error.message), "%s", message);
}

/* Nobody serves it.  Where the record says that nothing is left to do, it answers. */
static void
command_silent(const struct command *c, struct command_item *item)
{
	const struct instance *i = &item->record;

	if (verb_is_settled(c->spec->verb, i->state))
		item->answer = instance_view_change(i->id, i->state, i->state);
	if (item->answer)
		return;
	command_fail_item(item, "Unavailable", "");
	snprintf(item->error.message, sizeof(item->error.message), "The node %s of the instance "
	    "'%s' does not %s. Nothing was done.", i->node, i->id, c->spec->verb->queue ?
	    "take it now, and no other node does" : "answer");
}

struct command_route {
	struct command	*command;
	size_t		 at;
};

static void
command_routed(void *arg, enum route_outcome o, const cJSON *tree, const struct bus_error *e)
{
	struct command_route *r = arg;
	struct command *c = r->command;
	struct command_item *item = &c->items[r->at];

	free(r);
	c->flying--;
	switch (o) {
	case ROUTE_DONE:
		item->answer = cJSON_Duplicate(tree, true);
		if (!item->answer)
			command_fail_item(item, "InternalError", "An internal error has occurred.");
		break;
	case ROUTE_REFUSED:
		item->error = *e;
		break;
	case ROUTE_SILENT:
		command_silent(c, item);
		break;
	case ROUTE_LOST:
	case ROUTE_OUTCOMES:
		command_fail_item(item, "InternalError",
		    "The instance's node did not say in time whether it was done.");
		break;
	}
	command_send(c);
}

/* {"id", "attributes": {verb: true}, ...} */
static cJSON *
command_text(const struct command *c, const struct instance *i)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();
	cJSON *attributes;

	if (!obj || !cJSON_AddStringToObject(obj, "id", i->id))
		return NULL;
	attributes = cJSON_AddObjectToObject(obj, "attributes");
	if (!attributes || !cJSON_AddTrueToObject(attributes, c->spec->verb->attribute))
		return NULL;
	if (c->spec->fill && !c->spec->fill(c, i, obj))
		return NULL;
	return steal_json(&obj);
}

/* What the queue is sent: the EC2 input for this instance alone. */
static cJSON *
command_queue_text(const struct command *c, const struct instance *i)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();
	cJSON *ids = obj ? cJSON_AddArrayToObject(obj, "InstanceIds") : NULL;
	cJSON *id = cJSON_CreateString(i->id);

	if (!ids || !id || !cJSON_AddItemToArray(ids, id)) {
		cJSON_Delete(id);
		return NULL;
	}
	if (cJSON_IsTrue(json_member(c->call->in, "Force")) &&
	    !cJSON_AddTrueToObject(obj, "Force"))
		return NULL;
	return steal_json(&obj);
}

static bool
command_route(struct command *c, size_t at)
{
	const struct instance *i = &c->items[at].record;
	struct command_route *r = malloc(sizeof(*r));
	AUTO(json) cJSON *text = command_text(c, i);
	AUTO(json) cJSON *queue_in = command_queue_text(c, i);
	struct route_ask ask = { .account = c->call->account, .request_id = c->call->request_id,
	    .instance_id = i->id, .command = text, .queue = c->spec->verb->queue,
	    .queue_in = queue_in };

	if (!r || !text || !queue_in) {
		free(r);
		return false;
	}
	*r = (struct command_route){ c, at };
	if (route_start(c->call->gwd->d.bus, &ask, command_routed, r))
		return true;
	free(r);
	return false;
}

static void
command_send(struct command *c)
{
	if (!c->spec->verb)
		c->next = c->ids.n;
	while (c->next < c->ids.n && c->flying < COMMAND_AT_ONCE) {
		if (command_route(c, c->next))
			c->flying++;
		else
			command_fail_item(&c->items[c->next], "Unavailable",
			    "The cluster's messaging does not answer. Nothing was done.");
		c->next++;
	}
	if (c->flying == 0 && c->next == c->ids.n)
		command_end(c);
}

/* ---- the records ---- */

static void
command_record(void *arg, const char *key, enum cas_result res, struct cas_entry *e)
{
	struct command *c = arg;
	const char *id = key + strlen(KEY_INSTANCE_PREFIX);
	int at = id_list_find(&c->ids, id);
	char why[JSON_WHY_MAX];

	if (res != CAS_OK || at < 0)
		return;
	if (instance_from_json(e->value, e->len, id, &c->items[at].record, why) < 0)
		c->unreadable = true;
}

/* Another account's instance does not exist. */
static bool
command_has_all(struct command *c)
{
	AUTO(mem) void *room = calloc(c->ids.n, sizeof(bool));
	bool *found = room;

	if (!found) {
		ask_fail_nomem(c->call);
		return false;
	}
	for (size_t i = 0; i < c->ids.n; i++)
		found[i] = strcmp(c->items[i].record.account_id, c->call->account) == 0;
	return ask_found(c->call, &c->ids, found, "instance ID", "InvalidInstanceID");
}

static bool
command_may(struct command *c)
{
	char why[VERB_MESSAGE_MAX];

	for (size_t i = 0; c->spec->verb && i < c->ids.n; i++) {
		const struct instance *r = &c->items[i].record;
		const char *code = verb_refusal(c->spec->verb, r->id, r->state, why);

		if (code) {
			call_fail(c->call, code, "%s", why);
			return false;
		}
	}
	return !c->spec->may || c->spec->may(c);
}

static void
command_read(void *arg, enum cas_result res)
{
	struct command *c = arg;

	if (res != CAS_OK) {
		ask_fail_store(c->call, res);
		command_free(c);
	} else if (c->unreadable) {
		ask_fail_nomem(c->call);
		command_free(c);
	} else if (command_has_all(c) && command_may(c))
		command_send(c);
	else
		command_free(c);
}

static bool
command_scan(struct command *c, struct bucket *instances)
{
	struct scan_spec spec = { .bucket = instances, .timeout_ms = CLOUD_READ_MS,
	    .each = command_record, .end = command_read, .arg = c };
	char (*keys)[sizeof(KEY_INSTANCE_PREFIX) + INSTANCE_ID_MAX];
	AUTO(mem) void *text = calloc(c->ids.n, sizeof(*keys));
	AUTO(mem) void *list = calloc(c->ids.n, sizeof(char *));
	const char **key = list;

	if (!text || !list)
		return false;
	keys = text;
	for (size_t i = 0; i < c->ids.n; i++) {
		snprintf(keys[i], sizeof(keys[i]), KEY_INSTANCE_PREFIX "%.*s", INSTANCE_ID_MAX,
		    c->ids.id[i]);
		key[i] = keys[i];
	}
	return scan_keys(&spec, key, c->ids.n);
}

/* ---- the beginning ---- */

/* The member may be a list or one text.  False: the call was failed. */
static bool
command_read_ids(struct command *c)
{
	const cJSON *member = json_member(c->call->in, c->spec->ids);
	const char *id = json_text(c->call->in, c->spec->ids);

	if (!cJSON_IsString(member))
		return ask_some_ids(c->call, c->spec->ids, "i", "InvalidInstanceID", &c->ids);
	c->ids.id = calloc(1, sizeof(c->ids.id[0]));
	if (!c->ids.id) {
		ask_fail_nomem(c->call);
		return false;
	}
	c->ids.id[c->ids.n++] = id;
	return true;
}

void
command_start(struct gwd *g, struct call *call, const struct command_spec *spec)
{
	struct command *c = calloc(1, sizeof(*c));

	if (!c) {
		ask_fail_nomem(call);
		return;
	}
	c->call = call;
	c->spec = spec;
	if (!command_read_ids(c)) {
		command_free(c);
		return;
	}
	c->items = calloc(c->ids.n, sizeof(c->items[0]));
	if (c->items && command_scan(c, g->cloud->instances))
		return;
	ask_fail_nomem(call);
	command_free(c);
}

/* ---- answers that several verbs share ---- */

cJSON *
command_nothing(const struct command *c)
{
	return cJSON_CreateObject();
}

/* A worker of the queue answers in EC2's own form. */
static const cJSON *
command_change(const cJSON *answer, const char *member)
{
	const cJSON *list = json_member(answer, member);

	return list ? cJSON_GetArrayItem(list, 0) : answer;
}

cJSON *
command_state_changes(const struct command *c, const char *member)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, member) : NULL;

	for (size_t i = 0; list && i < c->ids.n; i++) {
		cJSON *one = cJSON_Duplicate(command_change(c->items[i].answer, member), true);

		if (!one || !cJSON_AddItemToArray(list, one)) {
			cJSON_Delete(one);
			return NULL;
		}
	}
	return list ? steal_json(&out) : NULL;
}
