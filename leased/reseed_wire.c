#include "leased/reseed_wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/ident.h"
#include "common/subjects.h"
#include "leased/reseed.h"

#define PING_SUBJECT	"$SRV.PING.leased"
#define PING_MS		2000

struct reseed_wire {
	struct leased		*d;
	atomic_bool		 stop;
	/* of the one that is under way */
	struct reseed		*job;		/* NULL: none, or the pool has it */
	struct bus_req		*req;		/* NULL: none is under way */
	uint64_t		 ping;
};

const struct json_field reseed_fields[RESEED_FIELDS] = {
	{ "without",	JSON_STR,	offsetof(struct reseed_in, without), 0, RESEED_WITHOUT_MAX,
	    .need = false },
	{ "act",	JSON_BOOL,	offsetof(struct reseed_in, act), 0, 0, .need = false },
};

/* ---- what this node holds ---- */

struct telling {
	struct held	*held;
	bool		 ok;
};

static void
add_lease(void *arg, const struct hold *h)
{
	struct telling *t = arg;
	struct cas_token token;
	char text[SYNC_VALUE_MAX];

	if (h->lease.state != LEASE_HELD)
		return;
	lease_token(&h->lease, &token);
	t->ok = t->ok && sync_print(&token, text) > 0 &&
	    held_add(t->held, BUCKET_SYNC, h->key, text, token.generation);
}

static bool
tell_held(void *arg, struct held *held)
{
	struct leased *d = arg;
	struct telling t = { .held = held, .ok = true };
	struct node self = { .since_ms = clock_wall_ms(d->d.clock) };
	AUTO(str) char *text = NULL;

	if (snprintf(self.name, sizeof(self.name), "%s", d->d.conf->node) >=
	    (int)sizeof(self.name))
		return false;
	memcpy(self.uuid, d->uuid, sizeof(self.uuid));
	memcpy(self.boot_id, d->d.boot_id, sizeof(self.boot_id));
	text = node_to_json(&self);
	lease_table_each(d->table, add_lease, &t);
	return t.ok && text && held_add(held, BUCKET_NODES, self.name, text, 0);
}

/* ---- the answer ---- */

static bool
add_nodes(cJSON *out, const struct reseed *r)
{
	cJSON *all = cJSON_AddArrayToObject(out, "nodes");

	for (size_t i = 0; all && i < r->nnodes; i++) {
		cJSON *o = cJSON_CreateObject();

		if (!o || !cJSON_AddStringToObject(o, "node", r->node[i].name) ||
		    !cJSON_AddBoolToObject(o, "without", r->node[i].is_out) ||
		    !cJSON_AddItemToArray(all, o)) {
			cJSON_Delete(o);
			return false;
		}
	}
	return all != NULL;
}

static bool
add_buckets(cJSON *out, const struct reseed *r)
{
	cJSON *all = cJSON_AddArrayToObject(out, "buckets");

	for (size_t i = 0; all && i < r->nbuckets; i++) {
		const struct reseed_bucket *b = &r->bucket[i];
		cJSON *o = cJSON_CreateObject();

		if (!o || !cJSON_AddStringToObject(o, "bucket", b->spec->name) ||
		    !cJSON_AddBoolToObject(o, "needed", b->is_needed) ||
		    !cJSON_AddBoolToObject(o, "exists", b->exists) ||
		    !json_add_u64_str(o, "sequence", b->at) ||
		    !json_add_u64_str(o, "base", b->base) ||
		    !json_add_u64(o, "written", b->written) || !cJSON_AddItemToArray(all, o)) {
			cJSON_Delete(o);
			return false;
		}
	}
	return all != NULL;
}

static bool
add_held(cJSON *out, const struct reseed *r)
{
	cJSON *all = cJSON_AddArrayToObject(out, "held");

	for (size_t i = 0; all && i < r->plan.n; i++) {
		const struct reseed_item *item = &r->plan.item[i];
		cJSON *o = cJSON_CreateObject();

		if (!o || !cJSON_AddStringToObject(o, "bucket", item->bucket) ||
		    !cJSON_AddStringToObject(o, "key", item->key) ||
		    !cJSON_AddStringToObject(o, "node", item->node) ||
		    !json_add_u64_str(o, "rank", item->rank) ||
		    !cJSON_AddBoolToObject(o, "write", item->is_written) ||
		    !cJSON_AddItemToArray(all, o)) {
			cJSON_Delete(o);
			return false;
		}
	}
	return all != NULL;
}

static bool
add_unclear(cJSON *out, const struct reseed *r)
{
	cJSON *all = cJSON_AddArrayToObject(out, "unclear");

	for (size_t i = 0; all && i < r->nunclear; i++) {
		cJSON *s = cJSON_CreateString(r->unclear[i]);

		if (!s || !cJSON_AddItemToArray(all, s)) {
			cJSON_Delete(s);
			return false;
		}
	}
	return all != NULL;
}

static void
answer(struct bus_req *req, const struct reseed *r)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	if (r->failed)
		bus_refuse(req, "lease.unavailable", true, "%s: %s; nothing was declared done, and "
		    "it can be begun again", r->failed, cas_result_text(r->why));
	else if (!out || !add_nodes(out, r) || !add_buckets(out, r) || !add_held(out, r) ||
	    !add_unclear(out, r) || !cJSON_AddBoolToObject(out, "done", r->is_done))
		bus_refuse(req, "lease.unavailable", true, "no memory");
	else
		bus_reply(req, out);
}

static void
log_end(const struct bus_req *req, const struct reseed *r)
{
	struct log_ctx ctx = { .request_id = bus_msg_header(bus_req_msg(req), HEADER_REQUEST_ID) };
	unsigned written = 0;

	for (size_t i = 0; i < r->nbuckets; i++)
		written += r->bucket[i].written;
	log_fields(LOG_NOTICE, &ctx, "an operator's reseed is %s: %zu nodes, %u of %zu keys written",
	    r->is_done ? "done" : "not done", r->nnodes, written, r->plan.n);
	for (size_t i = 0; i < r->nnodes; i++)
		if (r->node[i].is_out) {
			ctx.node = r->node[i].name;
			log_fields(LOG_NOTICE, &ctx, "an operator asserted that node %s is off",
			    r->node[i].name);
		}
}

/* ---- the job ---- */

static void
on_done(void *arg, void *job)
{
	struct reseed_wire *w = arg;
	struct bus_req *req = w->req;

	w->req = NULL;
	if (((struct reseed *)job)->act)
		log_end(req, job);
	answer(req, job);
	reseed_free(job);
}

static bool
on_pong(void *arg, const struct bus_msg *m)
{
	struct reseed_wire *w = arg;
	char node[BUS_NODE_MAX + 1];

	/* One that has no room makes the job fail. */
	return bus_pong_node(m, node) && !reseed_add_node(w->job, node, false);
}

static void
on_pings(void *arg, enum bus_result res)
{
	struct reseed_wire *w = arg;
	struct reseed *job = w->job;
	struct bus_req *req = w->req;

	w->ping = 0;
	w->job = NULL;
	if (jobs_submit(w->d->d.jobs, NULL, reseed_run, on_done, w, job, reseed_free) == 0)
		return;
	w->req = NULL;
	reseed_free(job);
	bus_refuse(req, "lease.unavailable", true, "too much under way; try again");
}

static bool
add_name(void *arg, const char *name)
{
	return reseed_add_node(arg, name, false);
}

/* False: refused. */
static bool
name_nodes(struct reseed_wire *w, struct bus_req *req, const struct reseed_in *in)
{
	char names[RESEED_WITHOUT_MAX + 1], *name, *save = NULL;
	const char *self = w->d->d.conf->node;

	memcpy(names, in->without, sizeof(names));
	for (name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		if (!ident_is_token(name) || strcmp(name, self) == 0 ||
		    !reseed_add_node(w->job, name, true)) {
			bus_refuse_input(req, "without: expected names of other nodes, with commas");
			return false;
		}
	}
	if (add_name(w->job, self) && nodes_each(w->d->nodes, add_name, w->job))
		return true;
	bus_refuse(req, "lease.unavailable", false, "a reseed takes %d nodes", RESEED_NODES_MAX);
	return false;
}

void
reseed_wire_ask(struct reseed_wire *w, struct bus_req *req, const struct reseed_in *in)
{
	if (w->req) {
		bus_refuse(req, "lease.unavailable", true, "a reseed is under way");
		return;
	}
	w->job = calloc(1, sizeof(*w->job));
	if (!w->job) {
		bus_refuse(req, "lease.unavailable", true, "no memory");
		return;
	}
	w->job->bus = w->d->d.bus;
	w->job->kv = w->d->d.kv;
	w->job->act = in->act;
	w->job->stop = &w->stop;
	if (name_nodes(w, req, in)) {
		w->ping = bus_gather(w->d->d.bus, &(struct bus_ask){ .subject = PING_SUBJECT,
		    .timeout_ms = PING_MS }, on_pong, on_pings, w);
		w->req = w->ping != 0 ? req : NULL;
		if (w->req)
			return;
		bus_refuse(req, "lease.unavailable", true, "no memory");
	}
	reseed_free(w->job);
	w->job = NULL;
}

/* ---- life ---- */

int
reseed_wire_new(struct leased *d, struct reseed_wire **ret)
{
	struct reseed_wire *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->d = d;
	held_by(d->d.held, tell_held, d);
	*ret = w;
	return 0;
}

void
reseed_wire_stop(struct reseed_wire *w)
{
	atomic_store(&w->stop, true);
}

void
reseed_wire_free(struct reseed_wire *w)
{
	if (!w)
		return;
	bus_ask_cancel(w->d->d.bus, w->ping);
	if (w->job)
		reseed_free(w->job);
	free(w);
}
