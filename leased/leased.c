#include "leased/leased.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/buckets.h"
#include "common/ident.h"
#include "common/msgid.h"
#include "common/subjects.h"
#include "leased/reseed_wire.h"
#include "leased/wire.h"

#define STOP_ASK_MS	1000	/* clients are given so long to let go */
#define STOP_MS		6000	/* and all of a stop takes no longer */
#define STOP_TURN_MS	20
#define TURN_MS		25	/* a swap takes less */
#define TURNS		4	/* so that a freed key is taken within 100 ms */

/* Names in the bucket of leases that are no client's lease: see registry.h. */
static const struct { const char *prefix, *owner; } reserved[] = {
	{ KEY_NODE_PREFIX,		"leased" },
	{ KEY_UEFI_CLAIM_PREFIX,	"uefid" },	/* claims */
};

uint64_t
leased_now_ms(const struct leased *d)
{
	return clock_now_ms(d->d.clock);
}

/* ---- which node ---- */

int
leased_name(void *self)
{
	struct leased *d = self;
	int n = snprintf(d->own_key, sizeof(d->own_key), "%s%s", KEY_NODE_PREFIX, d->d.conf->node);

	if (n < 0 || (size_t)n >= sizeof(d->own_key))
		return -ENAMETOOLONG;
	return node_uuid(d->d.conf->state_dir, d->uuid);
}

/* ---- buckets ---- */

int
leased_open_buckets(void *self)
{
	struct leased *d = self;
	int r = bucket_open(d->d.kv, &bucket_specs[SPEC_SYNC], &d->sync);

	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_NODES], &d->records);
	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_CLUSTER_STATE], &d->beats);
	if (r == 0)
		r = bucket_open(d->d.kv, &bucket_specs[SPEC_CANARY], &d->canary);
	if (r == 0)
		bucket_keep_writing(d->sync);	/* renewals: see lease_port */
	return r;
}

/* ---- the table and its timer ---- */

void
leased_arm(struct leased *d)
{
	uint64_t at = lease_table_deadline(d->table);

	if (at == LEASE_NEVER)
		loop_timer_off(d->due);
	else
		loop_timer_at(d->due, at);
}

static void
on_due(void *arg)
{
	struct leased *d = arg;

	lease_table_tick(d->table, leased_now_ms(d));
	leased_arm(d);
}

static void
on_turned(void *arg)
{
	leased_arm(arg);
}

static void
count(struct leased *d, unsigned edges)
{
	static const struct { enum lease_edge edge; enum leased_count count; } rows[] = {
		{ LEASE_GAINED,		COUNT_GAINED },
		{ LEASE_RENEWED,	COUNT_RENEWED },
		{ LEASE_LOST,		COUNT_LOST },
		{ LEASE_REFUSED,	COUNT_REFUSED },
		{ LEASE_FAILED,		COUNT_FAILED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (edges & (unsigned)rows[i].edge)
			d->counts[rows[i].count]++;
}

static void
say_why_not(const struct leased *d, const struct hold *h, unsigned edges)
{
	const struct lease *l = &h->lease;
	struct log_ctx ctx = { .lease = h->key, .node = d->d.conf->node,
	    .holder = l->seen.holder, .generation = l->seen.generation };

	if (edges & LEASE_CORRUPT)
		log_fields(LOG_ERR, &ctx, "%s has a value that is no token, at revision %ju: "
		    "nobody gets it until an operator unlocks it", h->key,
		    (uintmax_t)l->seen_revision);
	else
		log_fields(LOG_INFO, &ctx, "%s is held by %s, generation %ju", h->key,
		    l->seen.holder, (uintmax_t)l->seen.generation);
}

static void
say(const struct leased *d, struct hold *h, unsigned edges)
{
	struct log_ctx ctx = { .lease = h->key, .node = d->d.conf->node,
	    .generation = h->lease.generation };

	if (edges & LEASE_LOST)
		log_fields(LOG_NOTICE, &ctx, "%s is no longer held", h->key);
	if (edges & LEASE_GAINED)
		log_fields(LOG_NOTICE, &ctx, "%s is held, generation %ju", h->key,
		    (uintmax_t)h->lease.generation);
	if (hold_names(h, edges))
		say_why_not(d, h, edges);
	if ((edges & LEASE_LEFT) && h->lease.why != CAS_OK)
		log_fields(LOG_WARNING, &ctx,
		    "%s was not unlocked (%s): another node has it after its ttl", h->key,
		    cas_result_text(h->lease.why));
}

static void
on_edges(void *arg, struct hold *h, unsigned edges, uint64_t now_ms)
{
	struct leased *d = arg;

	count(d, edges);
	say(d, h, edges);
	if (d->wire)
		wire_edges(d->wire, h, edges, now_ms);
}

static int
reserve_names(struct leased *d)
{
	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (registry_add_prefix(lease_table_registry(d->table), reserved[i].prefix,
		    reserved[i].owner) != REGISTRY_OK)
			return -ENOMEM;
	return 0;
}

int
leased_make_table(void *self)
{
	struct leased *d = self;
	struct sync_store_spec spec = { .bucket = d->sync, .loop = d->d.loop,
	    .holder = d->d.conf->node, .own_key = d->own_key, .edges = on_edges,
	    .turned = on_turned, .arg = d };
	struct lease_port port;
	int r = sync_store_new(&spec, &d->store);

	if (r < 0)
		return r;
	port = sync_store_port(d->store);
	r = lease_table_new(d->d.conf->node, &port, leased_now_ms(d), &d->table);
	if (r == 0) {
		sync_store_attach(d->store, d->table);
		r = reserve_names(d);
	}
	if (r == 0)
		r = loop_timer_new(d->d.loop, on_due, d, &d->due);
	if (r < 0)
		leased_free_table(d);
	return r;
}

void
leased_free_table(void *self)
{
	struct leased *d = self;

	loop_timer_free(d->due);
	lease_table_free(d->table);
	sync_store_free(d->store);
	d->table = NULL;
}

/* ---- hints, and the other nodes ---- */

struct rank {
	const char	*self;
	unsigned	 before;
};

static bool
count_before(void *arg, const char *name)
{
	struct rank *r = arg;

	r->before += strcmp(name, r->self) < 0;
	return true;
}

/* Ours among the nodes, by their names: see lease_hint. */
static uint64_t
turn_ms(const struct leased *d)
{
	struct rank r = { .self = d->d.conf->node };

	(void)nodes_each(d->nodes, count_before, &r);
	return r.before % TURNS * TURN_MS;
}

static void
on_hint(void *arg, const char *key)
{
	struct leased *d = arg;

	lease_table_hint(d->table, key, turn_ms(d), leased_now_ms(d));
	leased_arm(d);
	nodes_hint(d->nodes, key);
}

int
leased_watch(void *self)
{
	struct leased *d = self;
	int r = nodes_new(&(struct nodes_spec){ .loop = d->d.loop, .clock = d->d.clock,
	    .sync = d->sync, .records = d->records, .beats = d->beats,
	    .self = d->d.conf->node, .ttl_ms = d->d.conf->node_ttl_ms }, &d->nodes);

	if (r < 0)
		return r;
	r = kv_watch(d->sync, on_hint, d);
	if (r < 0)
		nodes_free(d->nodes);
	return r;
}

void
leased_unwatch(void *self)
{
	struct leased *d = self;

	nodes_free(d->nodes);
}

int
leased_serve(void *self)
{
	struct leased *d = self;
	int r = reseed_wire_new(d, &d->reseed);

	return r < 0 ? r : wire_new(d, &d->wire);
}

void
leased_unserve(void *self)
{
	struct leased *d = self;

	wire_free(d->wire);
	d->wire = NULL;
	reseed_wire_free(d->reseed);
}

/* ---- the start ---- */

static void
go(struct leased *d)
{
	int r = lease_table_add_own(d->table, d->own_key, d->d.conf->node_ttl_ms,
	    leased_now_ms(d));

	if (r < 0) {
		log_err("cannot hold this node's lease: %s", strerror(-r));
		loop_exit(d->d.loop, EXIT_FAILURE);
		return;
	}
	leased_arm(d);
	nodes_begin(d->nodes);
	if (d->stop_ms == 0)
		bus_ready(d->d.bus, LEASED_READY);
	log_info("serving leases");
}

static void
on_started(void *arg, enum start_end end, const char *why)
{
	struct leased *d = arg;

	switch (end) {
	case START_DONE:
		go(d);
		break;
	case START_NAME_TAKEN:
		log_fields(LOG_ERR, &(struct log_ctx){ .message_id = MSG_NODE_NAME_TAKEN,
		    .node = d->d.conf->node }, "node %s: %s", d->d.conf->node, why);
		loop_exit(d->d.loop, EXIT_FAILURE);
		break;
	case START_CANNOT_SWAP:
		log_err("%s: no lease is safe there", why);
		loop_exit(d->d.loop, EXIT_FAILURE);
		break;
	}
}

static void
on_waits(void *arg, const char *why)
{
	struct leased *d = arg;
	uint32_t withheld;

	if (log_may(&d->waits_limit, leased_now_ms(d), &withheld))
		log_warning("%s", why);
}

int
leased_begin(void *self)
{
	struct leased *d = self;
	struct start_spec spec = { .loop = d->d.loop, .clock = d->d.clock, .kv = d->d.kv,
	    .canary = d->canary, .nodes = d->records, .ended = on_started, .waits = on_waits,
	    .arg = d };

	if (snprintf(spec.self.name, sizeof(spec.self.name), "%s", d->d.conf->node) >=
	    (int)sizeof(spec.self.name))
		return -ENAMETOOLONG;
	(void)snprintf(spec.self.zone, sizeof(spec.self.zone), "%.64s", d->d.conf->zone);
	memcpy(spec.self.uuid, d->uuid, sizeof(spec.self.uuid));
	memcpy(spec.self.boot_id, d->d.boot_id, sizeof(spec.self.boot_id));
	return start_new(&spec, &d->start);
}

void
leased_end(void *self)
{
	struct leased *d = self;

	start_free(d->start);
	loop_timer_free(d->stop_timer);
}

/* ---- the stop ---- */

static void
count_believed(void *arg, const struct hold *h)
{
	size_t *n = arg;

	*n += !h->lease.is_own && h->tenant[0] != '\0' && h->lease.state == LEASE_HELD;
}

static void
on_stop_turn(void *arg)
{
	struct leased *d = arg;
	uint64_t now = leased_now_ms(d);
	size_t believed = 0;

	lease_table_each(d->table, count_believed, &believed);
	if (!d->has_left && (believed == 0 || now >= d->stop_ms + STOP_ASK_MS)) {
		d->has_left = true;
		lease_table_leave_all(d->table, now);
		if (believed > 0)
			log_warning("%zu leases stay: their clients were not heard", believed);
	}
	leased_arm(d);
	if ((d->has_left && lease_table_leaving(d->table) == 0) ||
	    now >= d->stop_ms + STOP_MS)
		loop_exit(d->d.loop, 0);
	else
		loop_timer_in(d->stop_timer, STOP_TURN_MS);
}

void
leased_stop(void *self)
{
	struct leased *d = self;

	if (loop_timer_new(d->d.loop, on_stop_turn, d, &d->stop_timer) < 0) {
		loop_exit(d->d.loop, 0);	/* nothing is unlocked: that is safe */
		return;
	}
	d->stop_ms = leased_now_ms(d);
	reseed_wire_stop(d->reseed);
	bus_ready(d->d.bus, 0);
	wire_lost_all(d->wire);
	loop_timer_in(d->stop_timer, STOP_TURN_MS);
}
