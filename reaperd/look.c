/* look.c - reap.v1.{account,nodes}: what there is, judged by nobody.  Only the leader serves them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reaperd/account.h"
#include "reaperd/reaperd.h"

struct look {
	struct reaperd			*r;	/* touched on the loop only */
	struct bus_req			*req;
	struct inventory_sources	 from;
	bool				 is_account;
	struct account			 account;
	struct known_nodes		 nodes;
	int				 err;
	char				 why[160];
};

static void
look_free(void *arg)
{
	struct look *l = arg;

	account_deinit(&l->account);
	nodes_deinit(&l->nodes);
	free(l);
}

static void
look_run(void *arg)
{
	struct look *l = arg;
	struct about about;

	l->err = l->is_account ? account_take(&l->account, &l->from) :
	    nodes_take(&l->from, &l->nodes, l->why, sizeof(l->why), &about);
}

/* ---- answers ---- */

static bool
add_text(cJSON *o, const char *name, const char *text)
{
	return cJSON_AddStringToObject(o, name, text);
}

static bool
add_item(cJSON *list, const struct account_item *i)
{
	cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddItemToArray(list, o)) {
		cJSON_Delete(o);
		return false;
	}
	return add_text(o, "resource_id", i->resource_id) && add_text(o, "kind", i->kind) &&
	    add_text(o, "state", i->state) && add_text(o, "disposition", "residue") &&
	    add_text(o, "reason", i->reason);
}

static cJSON *
account_json(const struct account *a)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *items = o ? cJSON_AddArrayToObject(o, "items") : NULL;
	cJSON *reasons = o ? cJSON_AddArrayToObject(o, "incomplete_reasons") : NULL;

	if (!items || !reasons || !add_text(o, "account_id", a->account_id) ||
	    !add_text(o, "status", account_is_clean(a) ? "clean" : "incomplete") ||
	    (a->nreasons && !add_text(o, "why", a->why)))
		return NULL;
	for (size_t i = 0; i < a->nitems; i++)
		if (!add_item(items, &a->items[i]))
			return NULL;
	for (size_t i = 0; i < a->nreasons; i++) {
		cJSON *text = cJSON_CreateString(a->reasons[i]);

		if (!text || !cJSON_AddItemToArray(reasons, text)) {
			cJSON_Delete(text);
			return NULL;
		}
	}
	return steal_json(&o);
}

static bool
add_node(cJSON *list, const struct known_node *n, uint64_t wall_ms)
{
	cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddItemToArray(list, o)) {
		cJSON_Delete(o);
		return false;
	}
	uint64_t age_ms = n->beat_ms && n->beat_ms <= wall_ms ? wall_ms - n->beat_ms : 0;

	return add_text(o, "node", n->node.name) && add_text(o, "uuid", n->node.uuid) &&
	    add_text(o, "boot_id", n->node.boot_id) && add_text(o, "address", n->node.address) &&
	    json_add_time(o, "since", n->node.since_ms) &&
	    cJSON_AddBoolToObject(o, "answers", n->answered) && add_text(o, "holder", n->holder) &&
	    (!n->beat_ms || json_add_u64_str(o, "beat_age_ms", age_ms)) &&
	    json_add_u64(o, "instances", n->ninstances) &&
	    json_add_u64(o, "processes", n->nprocesses);
}

static cJSON *
nodes_json(const struct known_nodes *n, uint64_t wall_ms)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	cJSON *list = o ? cJSON_AddArrayToObject(o, "nodes") : NULL;

	for (size_t i = 0; list && i < n->n; i++)
		if (!add_node(list, &n->v[i], wall_ms))
			return NULL;
	return list ? steal_json(&o) : NULL;
}

static void
on_looked(void *arg, void *job)
{
	struct look *l = job;
	AUTO(json) cJSON *o = NULL;

	if (l->err == 0)
		o = l->is_account ? account_json(&l->account) :
		    nodes_json(&l->nodes, clock_wall_ms(l->r->d.clock));
	if (o)
		bus_reply(l->req, o);
	else if (l->err == -EIO)
		bus_refuse(l->req, "reap.incomplete", true, "%s", l->why);
	else
		bus_refuse(l->req, "reap.busy", true, "no memory for the answer");
	look_free(l);
}

static void
look(struct reaperd *r, struct bus_req *req, const char *account_id)
{
	struct look *l = calloc(1, sizeof(*l));

	if (l) {
		*l = (struct look){ .r = r, .req = req, .from = reaperd_sources(r),
			.is_account = account_id != NULL };
		(void)snprintf(l->account.account_id, sizeof(l->account.account_id), "%s",
		    account_id ? account_id : "");
	}
	if (!l || jobs_submit(r->d.jobs, NULL, look_run, on_looked, r, l, look_free) < 0) {
		free(l);
		bus_refuse(req, "reap.busy", true, "too much is asked at once");
	}
}

void
reaperd_on_account(void *arg, struct bus_req *req, const void *in)
{
	const char *id = in;		/* the struct's first member */

	if (!id[0])
		bus_refuse(req, "MissingParameter", false, "account_id: expected an account");
	else if (strlen(id) != 12 || strspn(id, "0123456789") != 12)
		bus_refuse(req, "InvalidParameterValue", false, "account_id: expected 12 digits");
	else
		look(arg, req, id);
}

void
reaperd_on_nodes(void *arg, struct bus_req *req, const void *in)
{
	look(arg, req, NULL);
}
