#include "leased/sync_store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "common/loop.h"

/* Of a kv call's memory there is so much at most, whatever becomes due at once. */
#define UNDER_WAY_MAX	1024

/* A request on its way, or waiting for its turn. */
struct call {
	struct sync_store	*store;
	uint64_t		 op, expected, until_ms;
	uint64_t		 generation;	/* of a renewal */
	enum lease_kind		 kind;
	bool			 is_anchored;
	LIST_ENTRY(call)	 next;
	TAILQ_ENTRY(call)	 turn;
	char			 key[];
};
TAILQ_HEAD(calls, call);

struct sync_store {
	struct sync_store_spec	 spec;
	struct lease_table	*table;
	LIST_HEAD(, call)	 calls;		/* all */
	size_t			 under_way;
	struct calls		 renewals, others;	/* that wait for their turn */
};

int
sync_store_new(const struct sync_store_spec *spec, struct sync_store **ret)
{
	struct sync_store *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->spec = *spec;
	LIST_INIT(&s->calls);
	TAILQ_INIT(&s->renewals);
	TAILQ_INIT(&s->others);
	*ret = s;
	return 0;
}

/* The loop does not turn any more: answers that are still to come will not. */
void
sync_store_free(struct sync_store *s)
{
	struct call *c;

	if (!s)
		return;
	while ((c = LIST_FIRST(&s->calls))) {
		LIST_REMOVE(c, next);
		free(c);
	}
	free(s);
}

void
sync_store_attach(struct sync_store *s, struct lease_table *t)
{
	s->table = t;
}

void
sync_seen(enum cas_result res, const struct cas_entry *e, struct lease_seen *ret)
{
	int r;

	*ret = (struct lease_seen){ .result = res };
	if (res != CAS_OK && res != CAS_NOT_FOUND)
		return;
	ret->revision = e->revision;
	if (res == CAS_NOT_FOUND)
		return;
	r = cas_token_parse(e->value, e->len, e->revision, &ret->token);
	if (r == -ENOMEM)
		ret->result = CAS_NOMEM;
	ret->is_corrupt = r < 0 && r != -ENOMEM;
}

int
sync_print(const struct cas_token *t, char ret[static SYNC_VALUE_MAX])
{
	return cas_token_print(t, ret, SYNC_VALUE_MAX);
}

/* ---- calls ---- */

static uint64_t
now_ms(const struct sync_store *s)
{
	return loop_now_ms(s->spec.loop);
}

static struct call *
call_new(struct sync_store *s, enum lease_kind kind, const char *key, uint64_t op,
    uint64_t timeout_ms)
{
	size_t n = strlen(key);
	struct call *c = n <= CAS_KEY_MAX ? calloc(1, sizeof(*c) + n + 1) : NULL;

	if (!c)
		return NULL;
	c->store = s;
	c->kind = kind;
	c->op = op;
	c->until_ms = now_ms(s) + timeout_ms;
	memcpy(c->key, key, n + 1);
	LIST_INSERT_HEAD(&s->calls, c, next);
	return c;
}

static void
call_free(struct call *c)
{
	LIST_REMOVE(c, next);
	free(c);
}

static uint64_t
left_ms(const struct call *c)
{
	uint64_t now = now_ms(c->store);

	return now < c->until_ms ? c->until_ms - now : 0;
}

static void on_loaded(void *arg, enum cas_result res, struct cas_entry *e);
static void on_written(void *arg, enum cas_result res, uint64_t revision);

static struct cas_token
value_of(const struct call *c)
{
	struct cas_token t = { .generation = c->generation };

	(void)snprintf(t.holder, sizeof(t.holder), "%s", c->store->spec.holder);
	return t;
}

static bool
put(struct call *c, uint64_t expected)
{
	struct cas_token value = value_of(c);
	char text[SYNC_VALUE_MAX];
	int len = sync_print(&value, text);

	return len >= 0 && kv_put(c->store->spec.bucket, c->key, text, (size_t)len, expected,
	    left_ms(c), on_written, c);
}

/* ---- renewals whose revision is not there any more: read which one is ---- */

static void
on_anchor(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct call *c = arg;
	struct sync_store *s = c->store;
	struct cas_token value = value_of(c);
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	if (seen.result != CAS_OK && seen.result != CAS_NOT_FOUND)
		on_written(c, seen.result, 0);
	else if (!lease_may_anchor(&value, &seen, bucket_went_back(s->spec.bucket)))
		on_written(c, CAS_LOST, 0);
	else if (left_ms(c) == 0 || !put(c, seen.revision))
		on_written(c, CAS_UNAVAILABLE, 0);
}

static bool
anchor(struct call *c)
{
	c->is_anchored = true;
	return left_ms(c) > 0 &&
	    kv_load(c->store->spec.bucket, c->key, left_ms(c), on_anchor, c);
}

/* ---- turns ---- */

static bool
send(struct call *c)
{
	struct bucket *b = c->store->spec.bucket;

	switch (c->kind) {
	case LEASE_LOAD:
		return kv_load(b, c->key, left_ms(c), on_loaded, c);
	case LEASE_KEEP:
		return bucket_went_back(b) ? anchor(c) : put(c, c->expected);
	case LEASE_WIN:
		return bucket_is_sound(b) && put(c, c->expected);
	case LEASE_REMOVE:
		return bucket_is_sound(b) &&
		    kv_remove(b, c->key, c->expected, left_ms(c), on_written, c);
	case LEASE_NOTHING:
	case LEASE_KINDS:
		break;
	}
	return false;
}

/* What waits is not refused yet: false only if it was to be sent and was not. */
static bool
begin(struct call *c)
{
	struct sync_store *s = c->store;

	if (s->under_way >= UNDER_WAY_MAX && strcmp(c->key, s->spec.own_key) != 0) {
		TAILQ_INSERT_TAIL(c->kind == LEASE_KEEP ? &s->renewals : &s->others, c, turn);
		return true;
	}
	if (!send(c)) {
		call_free(c);
		return false;
	}
	s->under_way++;
	return true;
}

static struct call *
take_waiting(struct sync_store *s)
{
	struct calls *from = TAILQ_EMPTY(&s->renewals) ? &s->others : &s->renewals;
	struct call *c = TAILQ_FIRST(from);

	if (c)
		TAILQ_REMOVE(from, c, turn);
	return c;
}

static void
tell(struct call *c, const struct lease_seen *seen, uint64_t revision)
{
	struct sync_store *s = c->store;

	if (c->kind == LEASE_LOAD)
		lease_table_loaded(s->table, c->key, c->op, seen, now_ms(s));
	else
		lease_table_written(s->table, c->key, c->op, seen->result, revision, now_ms(s));
	call_free(c);
}

/* c was under way: its answer, and then whose turn it is. */
static void
end(struct call *c, const struct lease_seen *seen, uint64_t revision)
{
	static const struct lease_seen unsent = { .result = CAS_UNAVAILABLE };
	struct sync_store *s = c->store;

	s->under_way--;
	tell(c, seen, revision);
	while (s->under_way < UNDER_WAY_MAX && (c = take_waiting(s))) {
		if (left_ms(c) > 0 && send(c))
			s->under_way++;
		else
			tell(c, &unsent, 0);
	}
	s->spec.turned(s->spec.arg);
}

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	end(arg, &seen, 0);
}

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct call *c = arg;

	/* A reseed may have written our own token anew. */
	if (res == CAS_LOST && c->kind == LEASE_KEEP && !c->is_anchored && anchor(c))
		return;
	/* The very acknowledgement may be what showed it: the key may have had a holder who
	 * believes still, and whom the store has forgotten. */
	if (res == CAS_OK && c->kind == LEASE_WIN && bucket_went_back(c->store->spec.bucket))
		res = CAS_BUCKET_LOST;
	end(c, &(struct lease_seen){ .result = res }, revision);
}

/* ---- the port ---- */

static bool
port_load(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms)
{
	struct call *c = call_new(ctx, LEASE_LOAD, key, op, timeout_ms);

	return c && begin(c);
}

static bool
port_put(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
    uint64_t expected, uint64_t timeout_ms)
{
	struct call *c = call_new(ctx, value->generation == 0 ? LEASE_WIN : LEASE_KEEP, key, op,
	    timeout_ms);

	if (!c)
		return false;
	c->generation = value->generation;
	c->expected = expected;
	return begin(c);
}

static bool
port_remove(void *ctx, const char *key, uint64_t op, uint64_t expected, uint64_t timeout_ms)
{
	struct call *c = call_new(ctx, LEASE_REMOVE, key, op, timeout_ms);

	if (!c)
		return false;
	c->expected = expected;
	return begin(c);
}

static void
port_edges(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms)
{
	struct sync_store *s = ctx;

	s->spec.edges(s->spec.arg, h, edges, now_ms);
}

struct lease_port
sync_store_port(struct sync_store *s)
{
	return (struct lease_port){
		.ctx = s,
		.load = port_load,
		.put = port_put,
		.remove = port_remove,
		.edges = port_edges,
	};
}
