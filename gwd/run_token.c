/*
 * run_token.c - the record of a client token:
 *
 *	{"schema_version", "params_sha256", "reservation_id", "instance_ids": [], "nodes": [],
 *	 "node", "created"}
 *
 * nodes[i] is where instance_ids[i] was sent; node is that of the first.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "common/log.h"
#include "common/subjects.h"
#include "gwd/gwd.h"
#include "gwd/run.h"

#define TOKEN_SCHEMA		1
#define TOKEN_RECORD_MAX	(64 * 1024)	/* bytes of JSON */
#define TOKEN_LOOK_MS		50		/* between two looks at the records */

/* ---- JSON ---- */

static bool
run_token_slot(struct run *r, const cJSON *id, const cJSON *node)
{
	struct run_slot *s = &r->slots[r->n];

	if (r->n == RUN_COUNT_MAX || !cJSON_IsString(id) || !cJSON_IsString(node) ||
	    !ident_is_ec2(id->valuestring, "i") || !ident_is_token(node->valuestring))
		return false;
	snprintf(s->id, sizeof(s->id), "%s", id->valuestring);
	snprintf(s->node, sizeof(s->node), "%s", node->valuestring);
	r->n++;
	return true;
}

/* Fills slots and reservation; *ret_same: the parameters are these. */
static bool
run_token_parse(struct run *r, const struct cas_entry *e, bool *ret_same)
{
	AUTO(json) cJSON *obj = NULL;
	char why[JSON_WHY_MAX];
	const char *params, *reservation;
	const cJSON *node, *id;

	if (json_parse(e->value, e->len, TOKEN_RECORD_MAX, &obj, why) < 0)
		return false;
	params = json_text(obj, "params_sha256");
	reservation = json_text(obj, "reservation_id");
	node = json_member(obj, "nodes");
	node = node ? node->child : NULL;
	if (!params || !reservation || strlen(reservation) >= sizeof(r->reservation_id))
		return false;
	snprintf(r->reservation_id, sizeof(r->reservation_id), "%s", reservation);
	cJSON_ArrayForEach(id, json_member(obj, "instance_ids")) {
		if (!node || !run_token_slot(r, id, node))
			return false;
		node = node->next;
	}
	*ret_same = strcmp(params, r->params) == 0;
	return r->n > 0;
}

static bool
run_token_add_slots(const struct run *r, cJSON *obj)
{
	const char *ids[RUN_COUNT_MAX], *nodes[RUN_COUNT_MAX];
	cJSON *id_list, *node_list;

	for (size_t i = 0; i < r->n; i++) {
		ids[i] = r->slots[i].id;
		nodes[i] = r->slots[i].node;
	}
	id_list = cJSON_CreateStringArray(ids, (int)r->n);
	node_list = cJSON_CreateStringArray(nodes, (int)r->n);
	if (id_list && node_list && cJSON_AddItemToObject(obj, "instance_ids", id_list)) {
		id_list = NULL;
		if (cJSON_AddItemToObject(obj, "nodes", node_list))
			return true;
	}
	cJSON_Delete(id_list);
	cJSON_Delete(node_list);
	return false;
}

static char *
run_token_print(const struct run *r)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();

	if (!obj || !json_add_u64(obj, "schema_version", TOKEN_SCHEMA) ||
	    !cJSON_AddStringToObject(obj, "params_sha256", r->params) ||
	    !cJSON_AddStringToObject(obj, "reservation_id", r->reservation_id) ||
	    !cJSON_AddStringToObject(obj, "node", r->slots[0].node) ||
	    !json_add_time(obj, "created", r->wall_ms) || !run_token_add_slots(r, obj))
		return NULL;
	return json_print(obj);
}

/* ---- the instances that it names ---- */

/* False: its record is there and cannot be shown. */
static bool
run_token_take_record(struct run *r, struct run_slot *s, const struct cas_entry *e)
{
	const struct instance_view view = { r->g->d.conf->region, &r->g->cloud->types };
	struct instance i = { 0 };
	char why[JSON_WHY_MAX];

	if (instance_from_json(e->value, e->len, s->id, &i, why) < 0)
		return false;
	s->found = i.state == INSTANCE_TERMINATED ? TOKEN_TERMINATED : TOKEN_THERE;
	s->instance = instance_view(&i, &view);
	instance_deinit(&i);
	return s->instance != NULL;
}

static bool
run_token_find(struct run *r, struct run_slot *s)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[sizeof(KEY_INSTANCE_PREFIX) + INSTANCE_ID_MAX];
	enum cas_result res;

	snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", s->id);
	res = kv_load_wait(r->g->cloud->instances, key, CLOUD_READ_MS, &e);
	if (res == CAS_NOT_FOUND) {
		s->found = e.revision > 0 ? TOKEN_GONE : TOKEN_NEVER;
		return true;
	}
	if (res != CAS_OK)
		return fault_set_store(&r->fault, res);
	return run_token_take_record(r, s, &e) || fault_set_nomem(&r->fault);
}

bool
run_token_read(struct run *r, enum token_verdict *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum token_instance found[RUN_COUNT_MAX];
	struct token_found f = { .instances = found };
	enum cas_result res = kv_load_wait(r->g->cloud->tokens, r->token_key, CLOUD_READ_MS, &e);

	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return fault_set_store(&r->fault, res);
	r->token_revision = e.revision;		/* of a marker, too; 0 where there is nothing */
	f.exists = res == CAS_OK;
	if (f.exists && !run_token_parse(r, &e, &f.same_params))
		return fault_set_nomem(&r->fault);
	for (size_t i = 0; f.same_params && i < r->n; i++) {
		if (!run_token_find(r, &r->slots[i]))
			return false;
		found[f.n++] = r->slots[i].found;
	}
	*ret = token_judge(&f);
	return true;
}

/* True: every slot has its instance. */
static bool
run_token_is_whole(const struct run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (!r->slots[i].instance && r->slots[i].found == TOKEN_NEVER)
			return false;
	}
	return true;
}

bool
run_token_look(struct run *r, unsigned wait_ms)
{
	for (unsigned waited = 0; ; waited += TOKEN_LOOK_MS) {
		for (size_t i = 0; i < r->n; i++) {
			struct run_slot *s = &r->slots[i];

			if (!s->instance && s->found == TOKEN_NEVER && !run_token_find(r, s))
				return false;
		}
		if (waited >= wait_ms || run_token_is_whole(r))
			return true;
		(void)poll(NULL, 0, TOKEN_LOOK_MS);	/* a job may wait */
	}
}

/* ---- writing ---- */

enum cas_result
run_token_write(struct run *r)
{
	AUTO(str) char *text = run_token_print(r);
	uint64_t revision;
	enum cas_result res;

	if (!text)
		return CAS_NOMEM;
	res = kv_put_wait(r->g->cloud->tokens, r->token_key, text, strlen(text), r->token_revision,
	    CLOUD_READ_MS, &revision);
	if (res == CAS_OK)
		r->token_revision = revision;
	return res;
}

bool
run_token_forget(struct run *r)
{
	uint64_t revision;
	enum cas_result res;

	if (r->token_key[0] == '\0')
		return true;
	res = kv_remove_wait(r->g->cloud->tokens, r->token_key, r->token_revision, CLOUD_READ_MS,
	    &revision);
	if (res != CAS_OK)
		log_debug("a client token is kept: %s", cas_result_text(res));
	return res == CAS_OK;
}
