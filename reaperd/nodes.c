#include "reaperd/nodes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/heartbeat.h"
#include "common/json.h"
#include "common/subjects.h"
#include "common/vm_list.h"

#define ASK_MS	2000	/* of one node */

void
nodes_deinit(struct known_nodes *n)
{
	free(n->v);
	*n = (struct known_nodes){ 0 };
}

static void
read_lease(const struct inventory_sources *s, struct known_node *n)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	struct cas_token t;
	char key[CAS_KEY_MAX + 1];

	(void)snprintf(key, sizeof(key), KEY_NODE_PREFIX "%s", n->node.name);
	if (kv_load_wait(s->sync, key, s->timeout_ms, &e) == CAS_OK &&
	    cas_token_parse(e.value, e.len, e.revision, &t) == 0)
		memcpy(n->holder, t.holder, sizeof(n->holder));
}

static uint64_t
read_beat(const struct inventory_sources *s, const char *node)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[CAS_KEY_MAX + 1];

	(void)snprintf(key, sizeof(key), HEARTBEAT_PREFIX "%s", node);
	return kv_load_wait(s->beats, key, s->timeout_ms, &e) == CAS_OK ?
	    heartbeat_stamp(e.value, e.len) : 0;
}

/* Whether it has a record: one that cannot be read is there all the same. */
static bool
is_known(const struct inventory_sources *s, const char *node)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };

	return kv_load_wait(s->nodes, node, s->timeout_ms, &e) != CAS_NOT_FOUND;
}

const struct asked_node *
nodes_look(const struct inventory_sources *s, struct asked *a, const char *node)
{
	bool answered = asked_list(a, s->bus, node, s->timeout_ms) != NULL;
	struct asked_node *n = asked_get(a, node);

	if (!n || n->looked)
		return n;
	n->looked = true;
	n->is_silent = !answered && is_known(s, node) && !inventory_is_buried(s, node);
	n->beat_ms = read_beat(s, node);
	return n;
}

static void
ask_vmd(const struct inventory_sources *s, struct known_node *n)
{
	AUTO(json) cJSON *out = NULL;
	struct bus_error error;
	const cJSON *vm, *list;
	uint64_t pid;

	if (vm_list_wait(s->bus, n->node.name, ASK_MS, &out, &error) < 0)
		return;
	list = json_member(out, "instances");
	if (!cJSON_IsArray(list))
		return;
	n->answered = true;
	cJSON_ArrayForEach(vm, list) {
		n->ninstances++;
		n->nprocesses += json_get_u64(json_member(vm, "pid"), &pid) && pid > 0;
	}
}

/* CAS_NOT_FOUND: it left.  CAS_INVALID: its record cannot be read. */
static enum cas_result
take_node(const struct inventory_sources *s, const char *name, struct known_node *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char why[JSON_WHY_MAX];
	enum cas_result res = kv_load_wait(s->nodes, name, s->timeout_ms, &e);

	if (res != CAS_OK)
		return res;
	if (node_from_json(e.value, e.len, name, &ret->node, why) < 0)
		return CAS_INVALID;
	read_lease(s, ret);
	ret->beat_ms = read_beat(s, ret->node.name);
	ask_vmd(s, ret);
	return CAS_OK;
}

void
about_set(struct about *a, enum about_what what, const char *id)
{
	a->what = what;
	(void)snprintf(a->id, sizeof(a->id), "%.*s", (int)sizeof(a->id) - 1, id);
}

struct log_ctx
about_fields(const struct about *a)
{
	return (struct log_ctx){
		.node = a->what == ABOUT_NODE ? a->id : NULL,
		.instance = a->what == ABOUT_INSTANCE ? a->id : NULL,
		.object = a->what == ABOUT_OBJECT ? a->id : NULL,
	};
}

int
nodes_list(const struct inventory_sources *s, struct kv_keys *ret, char *why, size_t why_size)
{
	struct kv_keys k = { 0 };
	enum cas_result res = kv_list_wait(s->nodes, "", s->timeout_ms, &k);
	size_t kept = 0;

	for (size_t i = 0; i < k.n; i++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };
		enum cas_result one = res == CAS_OK ? kv_load_wait(s->nodes, k.key[i],
		    s->timeout_ms, &e) : CAS_NOT_FOUND;

		if (one == CAS_OK) {
			k.key[kept++] = k.key[i];
			continue;
		}
		free(k.key[i]);
		if (one != CAS_NOT_FOUND)
			res = one;
	}
	k.n = kept;
	if (res == CAS_OK) {
		*ret = k;
		return 0;
	}
	kv_keys_deinit(&k);
	(void)snprintf(why, why_size, "nodes: %s", cas_result_text(res));
	return -EIO;
}

int
nodes_take(const struct inventory_sources *s, struct known_nodes *ret, char *why,
    size_t why_size, struct about *about)
{
	struct known_nodes n = { 0 };
	struct kv_keys k = { 0 };
	enum cas_result res = kv_list_wait(s->nodes, "", s->timeout_ms, &k);

	if (res == CAS_OK && !(n.v = calloc(k.n + 1, sizeof(n.v[0]))))
		res = CAS_NOMEM;
	if (res != CAS_OK)
		(void)snprintf(why, why_size, "nodes: %s", cas_result_text(res));
	for (size_t i = 0; res == CAS_OK && i < k.n; i++) {
		res = take_node(s, k.key[i], &n.v[n.n]);
		if (res == CAS_NOT_FOUND)
			res = CAS_OK;
		else if (res == CAS_OK)
			n.n++;
		else {
			(void)snprintf(why, why_size, "node %s: %s", k.key[i],
			    res == CAS_INVALID ? "its record cannot be read" : cas_result_text(res));
			about_set(about, ABOUT_NODE, k.key[i]);
		}
	}
	kv_keys_deinit(&k);
	if (res == CAS_OK && n.n == 0) {
		(void)snprintf(why, why_size, "no node is known");
		res = CAS_NOT_FOUND;
	}
	if (res != CAS_OK) {
		nodes_deinit(&n);
		return -EIO;
	}
	*ret = n;
	return 0;
}

static bool
is_buried(const struct known_node *n)
{
	return n->holder[0] && strcmp(n->holder, n->node.name) != 0;
}

int
nodes_strict(const struct known_nodes *n, const struct inventory *inv, char *why,
    size_t why_size, struct about *about)
{
	if (n->n == 0) {
		(void)snprintf(why, why_size, "an incomplete listing: no node is known");
		return -EIO;
	}
	for (size_t i = 0; i < n->n; i++)
		if (!n->v[i].answered && !is_buried(&n->v[i])) {
			(void)snprintf(why, why_size, "an incomplete listing: node %s does not answer",
			    n->v[i].node.name);
			about_set(about, ABOUT_NODE, n->v[i].node.name);
			return -EIO;
		}
	for (size_t i = 0; i < inv->ninstances; i++)
		if (inv->instances[i].facts.known == KNOWN_UNREADABLE) {
			(void)snprintf(why, why_size, "an incomplete listing: the record of %s cannot "
			    "be read", inv->instances[i].id);
			about_set(about, ABOUT_INSTANCE, inv->instances[i].id);
			return -EIO;
		}
	return 0;
}
