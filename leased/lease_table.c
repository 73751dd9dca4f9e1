#include "leased/lease_table.h"

#include <errno.h>
#include <string.h>

#include "leased/deadlines.h"

#define SLOTS_MIN	64
#define OPS_PER_LIFE	(UINT64_C(1) << 32)	/* of a key between two forgettings */

struct row {
	struct hold	 hold;
	struct deadline	 due;
	struct row	*next;		/* of its hash chain */
};

struct lease_table {
	struct lease_port	  port;
	struct registry		 *registry;
	char			  holder[CAS_HOLDER_MAX + 1];
	uint64_t		  start_ms;
	struct row		**slots;	/* chains; a power of two of them */
	size_t			  nslots, n;
	struct deadlines	  due;
	uint64_t		  lives;	/* keys made so far: no op comes twice */
	size_t			  leaving;
};

int
lease_table_new(const char *holder, const struct lease_port *port, uint64_t start_ms,
    struct lease_table **ret)
{
	AUTO(lease_table) struct lease_table *t = NULL;
	size_t n = holder ? strlen(holder) : 0;

	if (!port || !port->load || !port->put || !port->remove || !port->edges ||
	    n == 0 || n > CAS_HOLDER_MAX)
		return -EINVAL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->registry = registry_new();
	t->slots = calloc(SLOTS_MIN, sizeof(struct row *));
	if (!t->registry || !t->slots)
		return -ENOMEM;
	t->nslots = SLOTS_MIN;
	t->port = *port;
	t->start_ms = start_ms;
	memcpy(t->holder, holder, n + 1);
	*ret = steal_lease_table(&t);
	return 0;
}

void
lease_table_free(struct lease_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nslots; i++)
		for (struct row *r = t->slots[i], *next; r; r = next) {
			next = r->next;
			free(r);
		}
	free(t->slots);
	deadlines_deinit(&t->due);
	registry_free(t->registry);
	free(t);
}

struct registry *
lease_table_registry(struct lease_table *t)
{
	return t->registry;
}

/* ---- rows ---- */

static struct row **
slot_of(struct row **slots, size_t nslots, const char *key)
{
	return &slots[(size_t)cas_key_hash(key) & (nslots - 1)];
}

static struct row *
find(const struct lease_table *t, const char *key)
{
	struct row *r = *slot_of(t->slots, t->nslots, key);

	while (r && strcmp(r->hold.key, key) != 0)
		r = r->next;
	return r;
}

static void
link_row(struct row **slots, size_t nslots, struct row *r)
{
	struct row **slot = slot_of(slots, nslots, r->hold.key);

	r->next = *slot;
	*slot = r;
}

static int
grow(struct lease_table *t)
{
	size_t nslots = t->nslots * 2;
	struct row **slots = calloc(nslots, sizeof(struct row *));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < t->nslots; i++)
		for (struct row *r = t->slots[i], *next; r; r = next) {
			next = r->next;
			link_row(slots, nslots, r);
		}
	free(t->slots);
	t->slots = slots;
	t->nslots = nslots;
	return 0;
}

static struct row *
add(struct lease_table *t, const char *key)
{
	struct row *r;

	if (deadlines_reserve(&t->due, t->n + 1) < 0 ||
	    (t->n >= t->nslots && grow(t) < 0))
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	memcpy(r->hold.key, key, strlen(key) + 1);
	link_row(t->slots, t->nslots, r);
	t->n++;
	return r;
}

static void
forget(struct lease_table *t, struct row *r)
{
	struct row **p = slot_of(t->slots, t->nslots, r->hold.key);

	while (*p != r)
		p = &(*p)->next;
	*p = r->next;
	deadline_set(&t->due, &r->due, DEADLINE_NEVER);
	t->n--;
	free(r);
}

/* ---- turns: an event, its edges, its request ---- */

static bool
send_request(struct lease_table *t, const struct hold *h, const struct lease_request *q)
{
	struct cas_token value = { .generation = q->generation };

	switch (q->kind) {
	case LEASE_LOAD:
		return t->port.load(t->port.ctx, h->key, q->op, q->timeout_ms);
	case LEASE_WIN:
	case LEASE_KEEP:
		memcpy(value.holder, t->holder, sizeof(value.holder));
		return t->port.put(t->port.ctx, h->key, q->op, &value, q->expected,
		    q->timeout_ms);
	case LEASE_REMOVE:
		return t->port.remove(t->port.ctx, h->key, q->op, q->expected,
		    q->timeout_ms);
	case LEASE_NOTHING:
	case LEASE_KINDS:
		break;
	}
	return false;
}

/* Tells and sends until nothing is left to do at now_ms, then arms or forgets the row. */
static void
finish(struct lease_table *t, struct row *r, struct lease_out *out, uint64_t now_ms)
{
	struct hold *h = &r->hold;
	struct lease_out turn = *out;

	for (;;) {
		if (turn.edges != 0)
			t->port.edges(t->port.ctx, h, turn.edges, now_ms);
		if (turn.request.kind == LEASE_NOTHING ||
		    send_request(t, h, &turn.request))
			break;
		out->request = turn.request;
		turn = (struct lease_out){ .edges = 0 };
		if (out->request.kind == LEASE_LOAD)
			lease_loaded(&h->lease, out->request.op, &(struct lease_seen){
			    .result = CAS_UNAVAILABLE }, now_ms, &turn);
		else
			lease_written(&h->lease, out->request.op, CAS_UNAVAILABLE, 0, now_ms,
			    &turn);
		hold_settle(h, now_ms, &turn);
	}
	if (hold_is_idle(h))
		forget(t, r);
	else
		deadline_set(&t->due, &r->due, hold_deadline(h));
}

static void
tick(struct lease_table *t, struct row *r, uint64_t now_ms)
{
	struct lease_out out = { .edges = 0 };

	hold_tick(&r->hold, now_ms, &out);
	finish(t, r, &out, now_ms);
}

/* What is due comes before any other event; the row may be gone afterwards. */
static struct row *
find_now(struct lease_table *t, const char *key, uint64_t now_ms)
{
	struct row *r = find(t, key);

	if (r && hold_deadline(&r->hold) <= now_ms) {
		tick(t, r, now_ms);
		r = find(t, key);
	}
	return r;
}

void
lease_table_tick(struct lease_table *t, uint64_t now_ms)
{
	struct deadline *d;

	while ((d = deadlines_first(&t->due)) && d->at_ms <= now_ms)
		tick(t, (struct row *)((char *)d - offsetof(struct row, due)), now_ms);
}

uint64_t
lease_table_deadline(const struct lease_table *t)
{
	const struct deadline *d = deadlines_first(&t->due);

	return d ? d->at_ms : LEASE_NEVER;
}

void
lease_table_loaded(struct lease_table *t, const char *key, uint64_t op,
    const struct lease_seen *seen, uint64_t now_ms)
{
	struct row *r = find_now(t, key, now_ms);
	struct lease_out out = { .edges = 0 };

	if (!r)
		return;
	lease_loaded(&r->hold.lease, op, seen, now_ms, &out);
	hold_settle(&r->hold, now_ms, &out);
	finish(t, r, &out, now_ms);
}

void
lease_table_written(struct lease_table *t, const char *key, uint64_t op,
    enum cas_result res, uint64_t revision, uint64_t now_ms)
{
	struct row *r = find_now(t, key, now_ms);
	struct lease_out out = { .edges = 0 };

	if (!r)
		return;
	lease_written(&r->hold.lease, op, res, revision, now_ms, &out);
	hold_settle(&r->hold, now_ms, &out);
	finish(t, r, &out, now_ms);
}

static void
hint(struct lease_table *t, struct row *r, uint64_t turn_ms, uint64_t now_ms)
{
	struct lease_out out = { .edges = 0 };

	lease_hint(&r->hold.lease, turn_ms, now_ms, &out);
	finish(t, r, &out, now_ms);
}

void
lease_table_hint(struct lease_table *t, const char *key, uint64_t turn_ms, uint64_t now_ms)
{
	struct row *r;

	if (key[0] != '\0') {
		r = find_now(t, key, now_ms);
		if (r)
			hint(t, r, turn_ms, now_ms);
		return;
	}
	for (size_t i = 0; i < t->nslots; i++)
		for (struct row *next = t->slots[i]; (r = next);) {
			next = r->next;		/* hint may forget r */
			hint(t, r, turn_ms, now_ms);
		}
}

/* ---- asks ---- */

static uint64_t
next_ops(struct lease_table *t)
{
	return t->lives++ * OPS_PER_LIFE;
}

int
lease_table_add_own(struct lease_table *t, const char *key, uint64_t ttl_ms, uint64_t now_ms)
{
	struct lease_out out = { .edges = 0 };
	struct row *r;

	if (!cas_key_is_valid(key) || ttl_ms == 0)
		return -EINVAL;
	if (find(t, key))
		return -EEXIST;
	r = add(t, key);
	if (!r)
		return -ENOMEM;
	if (hold_init_own(&r->hold, key, t->holder, ttl_ms, next_ops(t)) != LEASE_MADE) {
		forget(t, r);
		return -EINVAL;
	}
	lease_stand(&r->hold.lease, true, now_ms, &out);
	finish(t, r, &out, now_ms);
	return 0;
}

static const enum table_result table_of_registry[REGISTRY_RESULTS] = {
	[REGISTRY_OK]		= TABLE_OK,
	[REGISTRY_BAD_KEY]	= TABLE_BAD_KEY,
	[REGISTRY_OWNED]	= TABLE_OWNED,
	[REGISTRY_OVERLAP]	= TABLE_OWNED,
	[REGISTRY_FULL]		= TABLE_FULL,
	[REGISTRY_NOMEM]	= TABLE_NOMEM,
};

static bool
incarnation_is_valid(const char *s)
{
	size_t n = strlen(s);

	return n > 0 && n <= HOLD_INCARNATION_MAX;
}

/* A row for an ask that is allowed to have one. */
static enum table_result
row_for(struct lease_table *t, const struct table_ask *ask, struct row **ret)
{
	enum registry_result owned = registry_use(t->registry, ask->key, ask->client);
	struct row *r;

	if (owned != REGISTRY_OK)
		return table_of_registry[owned];
	if (!incarnation_is_valid(ask->incarnation))
		return TABLE_BAD_KEY;
	if (t->n >= LEASE_TABLE_MAX)
		return TABLE_FULL;
	if (ask->ttl_ms == 0)
		return TABLE_TTL;
	r = add(t, ask->key);
	if (!r)
		return TABLE_NOMEM;
	if (hold_init(&r->hold, ask->key, ask->client, t->holder, ask->ttl_ms,
	    next_ops(t)) != LEASE_MADE) {
		forget(t, r);
		return TABLE_TTL;
	}
	lease_adopt(&r->hold.lease, t->start_ms + lease_share(ask->ttl_ms, HOLD_SILENT), 0);
	*ret = r;
	return TABLE_OK;
}

enum table_result
lease_table_ask(struct lease_table *t, const struct table_ask *ask, uint64_t now_ms,
    struct hold_answer *ret)
{
	struct hold_ask say = { ask->incarnation, ask->generation };
	struct lease_out out = { .edges = 0 };
	struct row *r = cas_key_is_valid(ask->key) ? find_now(t, ask->key, now_ms) : NULL;
	enum table_result res;

	if (!r) {
		res = row_for(t, ask, &r);
		if (res != TABLE_OK)
			return res;
	} else if (!r->hold.lease.is_own && strcmp(r->hold.client, ask->client) != 0) {
		return TABLE_OWNED;
	} else if (!r->hold.lease.is_own && r->hold.lease.ttl_ms != ask->ttl_ms) {
		return TABLE_TTL;
	} else if (!incarnation_is_valid(ask->incarnation)) {
		return TABLE_BAD_KEY;
	}
	hold_ask(&r->hold, &say, now_ms, ret, &out);
	finish(t, r, &out, now_ms);
	return TABLE_OK;
}

bool
lease_table_release(struct lease_table *t, const char *key, const char *client,
    const char *incarnation, uint64_t generation, uint64_t now_ms)
{
	struct row *r = find_now(t, key, now_ms);
	struct lease_out out = { .edges = 0 };
	bool had;

	if (!r || strcmp(r->hold.client, client) != 0)
		return false;
	had = hold_release(&r->hold, incarnation, generation, now_ms, &out);
	finish(t, r, &out, now_ms);
	return had;
}

void
lease_table_leave_all(struct lease_table *t, uint64_t now_ms)
{
	for (size_t i = 0; i < t->nslots; i++)
		for (struct row *r, *next = t->slots[i]; (r = next);) {
			struct lease_out out = { .edges = 0 };

			next = r->next;		/* finish may forget r */
			hold_leave(&r->hold, now_ms, &out);
			finish(t, r, &out, now_ms);
		}
}

static void
count_leaving(void *arg, const struct hold *h)
{
	size_t *n = arg;

	/* Taking counts: if that swap lands, it is for nobody and is unlocked at once. */
	if (!h->lease.is_own &&
	    (h->lease.state == LEASE_LEAVING || h->lease.state == LEASE_TAKING))
		++*n;
}

size_t
lease_table_leaving(const struct lease_table *t)
{
	size_t n = 0;

	lease_table_each(t, count_leaving, &n);
	return n;
}

struct hold *
lease_table_find(struct lease_table *t, const char *key)
{
	struct row *r = find(t, key);

	return r ? &r->hold : NULL;
}

size_t
lease_table_count(const struct lease_table *t)
{
	return t->n;
}

void
lease_table_each(const struct lease_table *t, void (*fn)(void *arg, const struct hold *h),
    void *arg)
{
	for (size_t i = 0; i < t->nslots; i++)
		for (const struct row *r = t->slots[i]; r; r = r->next)
			fn(arg, &r->hold);
}
