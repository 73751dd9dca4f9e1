#include "leased/wire.h"

#include <errno.h>
#include <string.h>

#include "common/ident.h"
#include "common/json.h"
#include "common/subjects.h"
#include "leased/operator.h"
#include "leased/reseed_wire.h"
#include "leased/waiting.h"

#define KIB		1024u
#define DEADLINE_MS	10000
#define BURY_MS		20000	/* three reads and a write */
#define WAIT_MS		2000	/* most that an ask waits for a verdict */

struct wire {
	struct leased	*d;
	struct waiting	*waiting;
	struct guest	 guests[LEASED_GUESTS_MAX];
	size_t		 nguests;
};

/* ---- what comes in ---- */

struct hold_in {
	char		 key[CAS_KEY_MAX + 1];
	char		 client[REGISTRY_CLIENT_MAX + 1];
	char		 incarnation[HOLD_INCARNATION_MAX + 1];
	uint64_t	 ttl_ms, generation;
};
static const struct json_field hold_fields[] = {
	{ "key",	JSON_STR,	offsetof(struct hold_in, key), 1, CAS_KEY_MAX, .need = true },
	{ "client",	JSON_STR,	offsetof(struct hold_in, client), 1, REGISTRY_CLIENT_MAX,
	    .need = true },
	{ "incarnation", JSON_STR,	offsetof(struct hold_in, incarnation), 1,
	    HOLD_INCARNATION_MAX, .need = true },
	{ "ttl_ms",	JSON_U64,	offsetof(struct hold_in, ttl_ms), 1, UINT32_MAX, .need = true },
	{ "generation",	JSON_U64_STR,	offsetof(struct hold_in, generation), 0, UINT64_MAX,
	    .need = false },
};
static const struct json_field release_fields[] = {
	{ "key",	JSON_STR,	offsetof(struct hold_in, key), 1, CAS_KEY_MAX, .need = true },
	{ "client",	JSON_STR,	offsetof(struct hold_in, client), 1, REGISTRY_CLIENT_MAX,
	    .need = true },
	{ "incarnation", JSON_STR,	offsetof(struct hold_in, incarnation), 1,
	    HOLD_INCARNATION_MAX, .need = true },
	{ "generation",	JSON_U64_STR,	offsetof(struct hold_in, generation), 0, UINT64_MAX,
	    .need = true },
};

struct bury_in {
	char	 node[CAS_HOLDER_MAX + 1];
	bool	 fenced;
};
static const struct json_field bury_fields[] = {
	{ "node",	JSON_STR,	offsetof(struct bury_in, node), 1, CAS_HOLDER_MAX, .need = true },
	{ "fenced",	JSON_BOOL,	offsetof(struct bury_in, fenced), 0, 0, .need = false },
};

/* ---- hold and release ---- */

static void
note_guest(struct wire *w, const struct hold_in *in, uint64_t now_ms)
{
	struct guest *oldest = &w->guests[0], *g = NULL;

	for (size_t i = 0; i < w->nguests && !g; i++) {
		if (strcmp(w->guests[i].client, in->client) == 0 &&
		    strcmp(w->guests[i].incarnation, in->incarnation) == 0)
			g = &w->guests[i];
		else if (w->guests[i].asked_ms < oldest->asked_ms)
			oldest = &w->guests[i];
	}
	if (!g)
		g = w->nguests < LEASED_GUESTS_MAX ? &w->guests[w->nguests++] : oldest;
	memcpy(g->client, in->client, sizeof(g->client));
	memcpy(g->incarnation, in->incarnation, sizeof(g->incarnation));
	g->asked_ms = now_ms;
}

static const struct {
	const char	*code;
	bool		 retryable;
	const char	*message;
} table_refusals[TABLE_RESULTS] = {
	[TABLE_BAD_KEY]	= { "lease.invalid_key", false, "not a valid lease key" },
	[TABLE_OWNED]	= { "lease.owned", false, "another client of this node has the key" },
	[TABLE_TTL]	= { "lease.ttl", false,
			    "the key is held here with another ttl, which is one for all" },
	[TABLE_FULL]	= { "lease.unavailable", true, "too many leases on this node" },
	[TABLE_NOMEM]	= { "lease.unavailable", true, "no memory" },
};

static bool
may_ask(const struct leased *d, struct bus_req *req, const struct hold_in *in)
{
	bool is_own = strcmp(in->key, d->own_key) == 0;

	if (!ident_is_token(in->client))
		bus_refuse(req, "lease.invalid_key", false,
		    "client: expected 1 to 64 letters, digits, - or _");
	else if (!is_own && !hold_ttl_is_allowed(in->ttl_ms, d->d.conf->cluster_size))
		bus_refuse(req, "lease.ttl", false,
		    "ttl_ms: expected %d to %d with %u servers", d->d.conf->cluster_size > 1 ?
		    HOLD_TTL_MIN_MANY_MS : HOLD_TTL_MIN_MS, HOLD_TTL_MAX_MS,
		    d->d.conf->cluster_size);
	else
		return true;
	return false;
}

static void
on_hold(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;
	struct leased *d = w->d;
	const struct hold_in *in = decoded;
	struct table_ask ask = { in->key, in->client, in->incarnation, in->ttl_ms,
	    in->generation };
	uint64_t now = leased_now_ms(d);
	struct hold_answer a;
	enum table_result res;

	if (!may_ask(d, req, in))
		return;
	res = lease_table_ask(d->table, &ask, now, &a);
	leased_arm(d);
	if (res != TABLE_OK) {
		bus_refuse(req, table_refusals[res].code, table_refusals[res].retryable,
		    "%s", table_refusals[res].message);
		return;
	}
	if (strcmp(in->key, d->own_key) == 0)
		note_guest(w, in, now);
	if (a.is_pending)
		waiting_add(w->waiting, req, in->key, in->incarnation,
		    now + (in->ttl_ms / 12 < WAIT_MS ? in->ttl_ms / 12 : WAIT_MS));
	else
		waiting_answer(req, &a);
}

/* It believed longer than its lease stood, or its word came twice. */
static void
say_already_lost(struct leased *d, const struct hold_in *in)
{
	uint32_t withheld;

	if (log_may(&d->late_limit, leased_now_ms(d), &withheld))
		log_fields(LOG_WARNING, &(struct log_ctx){ .lease = in->key,
		    .node = d->d.conf->node, .generation = in->generation },
		    "%s let go of %s, generation %ju, which was already lost", in->client, in->key,
		    (uintmax_t)in->generation);
}

static void
on_release(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;
	const struct hold_in *in = decoded;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	bool had = lease_table_release(w->d->table, in->key, in->client, in->incarnation,
	    in->generation, leased_now_ms(w->d));

	leased_arm(w->d);
	if (!had && in->generation != 0)
		say_already_lost(w->d, in);
	if (!out || !cJSON_AddBoolToObject(out, "released", had))
		bus_refuse(req, "lease.unavailable", true, "no memory");
	else
		bus_reply(req, out);
}

/* ---- bury ---- */

struct bury_req {
	struct wire	*wire;
	struct bus_req	*req;
};

static void
refuse_alive(struct bus_req *req, const struct bury *b)
{
	if (b->has_beat)
		bus_refuse(req, "lease.alive", true,
		    "%s had a heartbeat less than %ju s ago", b->node,
		    (uintmax_t)(b->ttl_ms / 1000));
	else
		bus_refuse(req, "lease.alive", true,
		    "the lease of %s was seen unchanged for %ju of %ju ms", b->node,
		    (uintmax_t)b->seen_for_ms, (uintmax_t)b->ttl_ms);
}

static void
reply_buried(struct wire *w, struct bus_req *req, const struct bury *b)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();

	w->d->counts[COUNT_BURIED]++;
	log_fields(LOG_NOTICE, &(struct log_ctx){ .node = b->node,
	    .generation = b->generation, .request_id = bus_msg_header(bus_req_msg(req),
	    HEADER_REQUEST_ID) }, "node %s is buried%s, generation %ju", b->node,
	    b->is_fenced ? " on an operator's word" : "", (uintmax_t)b->generation);
	if (!out || !cJSON_AddBoolToObject(out, "buried", true) ||
	    !json_add_u64_str(out, "generation", b->generation))
		bus_refuse(req, "lease.unavailable", true, "no memory");
	else
		bus_reply(req, out);
}

static void
on_buried(void *arg, const struct bury *b)
{
	struct bury_req *r = arg;
	struct bus_req *req = r->req;
	struct wire *w = r->wire;

	free(r);
	switch (b->verdict) {
	case BURY_BURIED:
		reply_buried(w, req, b);
		break;
	case BURY_ALIVE:
		refuse_alive(req, b);
		break;
	case BURY_MOVED:
		bus_refuse(req, "lease.alive", true, "the lease of %s moved just now", b->node);
		break;
	case BURY_SELF:
		bus_refuse(req, "lease.alive", false, "%s is this node", b->node);
		break;
	case BURY_STRANGER:
		bus_refuse(req, "lease.unknown_node", false, "no node %s", b->node);
		break;
	case BURY_CORRUPT:
		bus_refuse(req, "lease.corrupt", false,
		    "the lease of %s has a value that is no token", b->node);
		break;
	case BURY_UNAVAILABLE:
	case BURY_OPEN:
	case BURY_VERDICTS:
		bus_refuse(req, "lease.unavailable", true, "%s", cas_result_text(b->why));
		break;
	}
}

static void
on_bury(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;
	const struct bury_in *in = decoded;
	struct bury_req *r;

	if (!ident_is_token(in->node)) {
		bus_refuse(req, "lease.unknown_node", false,
		    "node: expected 1 to 64 letters, digits, - or _");
		return;
	}
	r = malloc(sizeof(*r));
	if (r) {
		*r = (struct bury_req){ w, req };
		if (nodes_bury(w->d->nodes, in->node, in->fenced, on_buried, r) == 0)
			return;
		free(r);
	}
	bus_refuse(req, "lease.unavailable", true, "too much under way; try again");
}

static void
on_list(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;

	operator_list(w->d, req, decoded);
}

static void
on_show(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;

	operator_show(w->d, req, decoded);
}

static void
on_unlock(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;

	operator_unlock(w->d, req, decoded);
}

static void
on_reseed(void *arg, struct bus_req *req, const void *decoded)
{
	struct wire *w = arg;

	reseed_wire_ask(w->d->reseed, req, decoded);
}

/* ---- events ---- */

static void
publish(struct leased *d, const char *client, const char *incarnation, const char *event,
    const struct hold *h, uint64_t valid_until_ms)
{
	AUTO(json) cJSON *out = cJSON_CreateObject();
	char subject[BUS_SUBJECT_MAX + 1];
	int n = snprintf(subject, sizeof(subject), "lease.v1.%s.event.%s", d->d.conf->node,
	    client);
	int r = -ENOMEM;

	if (n < 0 || (size_t)n >= sizeof(subject))
		return;
	if (out && cJSON_AddStringToObject(out, "event", event) &&
	    cJSON_AddStringToObject(out, "key", h->key) &&
	    cJSON_AddStringToObject(out, "incarnation", incarnation) &&
	    json_add_u64_str(out, "generation", h->lease.generation) &&
	    json_add_u64_str(out, "valid_until_ms", valid_until_ms))
		r = bus_publish_json(d->d.bus, subject, out);
	/* An event that was not sent costs a client T/6 at most: it asks. */
	if (r < 0)
		log_debug("%s: not sent: %s", subject, strerror(-r));
}

static void
tell_tenant(struct leased *d, struct hold *h, const char *event, uint64_t now_ms)
{
	struct hold_answer a;

	hold_answer(h, h->tenant, now_ms, &a);
	publish(d, h->client, h->tenant, event, h, a.is_held ? a.valid_until_ms : 0);
}

static void
tell_guests(struct wire *w, struct hold *h, const char *event, uint64_t now_ms)
{
	uint64_t share = lease_share(h->lease.ttl_ms, HOLD_SILENT);
	uint64_t until = lease_valid_until(&h->lease);

	for (size_t i = 0; i < w->nguests; i++) {
		const struct guest *g = &w->guests[i];
		uint64_t theirs = g->asked_ms + share;

		if (theirs > now_ms)
			publish(w->d, g->client, g->incarnation, event, h,
			    until < theirs ? until : theirs);
	}
}

static void
tell(struct wire *w, struct hold *h, const char *event, uint64_t now_ms)
{
	if (h->lease.is_own)
		tell_guests(w, h, event, now_ms);
	else
		tell_tenant(w->d, h, event, now_ms);
}

void
wire_edges(struct wire *w, struct hold *h, unsigned edges, uint64_t now_ms)
{
	if (edges & LEASE_LOST)
		tell(w, h, "lost", now_ms);
	if (edges & LEASE_GAINED)
		tell(w, h, "gained", now_ms);
	if (edges & LEASE_RENEWED)
		tell(w, h, "renewed", now_ms);
	if (edges & LEASE_VERDICT)
		waiting_verdict(w->waiting, h, now_ms);
}

static void
lose_one(void *arg, const struct hold *h)
{
	struct leased *d = arg;

	if (!h->lease.is_own && h->tenant[0] != '\0' && h->lease.state == LEASE_HELD)
		publish(d, h->client, h->tenant, "lost", h, 0);
}

void
wire_lost_all(struct wire *w)
{
	lease_table_each(w->d->table, lose_one, w->d);
}

/* ---- the table of subjects ---- */

static const struct bus_route routes[] = {
	{ "lease.v1.<node>.bury",	on_bury,	BUS_REQUEST, 4 * KIB, BURY_MS, LEASED_READY,
	    bury_fields, ARRAY_LEN(bury_fields), sizeof(struct bury_in), "lease" },
	{ "lease.v1.<node>.hold",	on_hold,	BUS_REQUEST, 4 * KIB, DEADLINE_MS, LEASED_READY,
	    hold_fields, ARRAY_LEN(hold_fields), sizeof(struct hold_in), "lease" },
	{ "lease.v1.<node>.list",	on_list,	BUS_REQUEST, 4 * KIB, DEADLINE_MS, 0,
	    operator_list_fields, OPERATOR_LIST_FIELDS, sizeof(struct operator_list_in), "lease" },
	{ "lease.v1.<node>.release",	on_release,	BUS_REQUEST, 4 * KIB, DEADLINE_MS, 0,
	    release_fields, ARRAY_LEN(release_fields), sizeof(struct hold_in), "lease" },
	{ "lease.v1.<node>.reseed",	on_reseed,	BUS_REQUEST, 16 * KIB, RESEED_MS, 0,
	    reseed_fields, RESEED_FIELDS, sizeof(struct reseed_in), "lease" },
	{ "lease.v1.<node>.show",	on_show,	BUS_REQUEST, 4 * KIB, DEADLINE_MS, LEASED_READY,
	    operator_show_fields, OPERATOR_SHOW_FIELDS, sizeof(struct operator_show_in), "lease" },
	{ "lease.v1.<node>.unlock",	on_unlock,	BUS_REQUEST, 4 * KIB, DEADLINE_MS, LEASED_READY,
	    operator_unlock_fields, OPERATOR_UNLOCK_FIELDS, sizeof(struct operator_unlock_in),
	    "lease" },
};

static const char *const count_names[] = {
	[COUNT_GAINED]	= "gained",
	[COUNT_RENEWED]	= "renewed",
	[COUNT_LOST]	= "lost",
	[COUNT_REFUSED]	= "refused",
	[COUNT_FAILED]	= "failed",
	[COUNT_BURIED]	= "buried",
	[LEASED_COUNTS]	= NULL,
};

int
wire_new(struct leased *d, struct wire **ret)
{
	struct wire *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->d = d;
	r = waiting_new(d->d.loop, LEASED_BUSY_MAX, d->table, &w->waiting);
	if (r == 0)
		r = bus_serve(d->d.bus, &(struct bus_service){
		    .name = "leased",
		    .description = "leases and elections of this node's daemons",
		    .node = d->d.conf->node,
		    .rows = routes,
		    .n = ARRAY_LEN(routes),
		    .arg = w,
		    .counters = count_names,
		    .counts = d->counts,
		});
	if (r < 0) {
		wire_free(w);
		return r;
	}
	*ret = w;
	return 0;
}

void
wire_free(struct wire *w)
{
	if (!w)
		return;
	waiting_free(w->waiting);
	free(w);
}
