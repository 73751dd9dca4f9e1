#include "leased/sync_store.h"

#include <errno.h>
#include <string.h>
#include <sys/queue.h>

#include "common/loop.h"

/* A request on its way. */
struct call {
	struct sync_store	*store;
	uint64_t		 op;
	bool			 is_win;
	struct cas_token	 value;		/* of a renewal, which may be anchored anew */
	uint64_t		 until_ms;
	bool			 is_anchored;
	LIST_ENTRY(call)	 next;
	char			 key[CAS_KEY_MAX + 1];
};

struct sync_store {
	struct sync_store_spec	 spec;
	struct lease_table	*table;
	LIST_HEAD(, call)	 calls;
};

int
sync_store_new(const struct sync_store_spec *spec, struct sync_store **ret)
{
	struct sync_store *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->spec = *spec;
	LIST_INIT(&s->calls);
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

static struct call *
call_new(struct sync_store *s, const char *key, uint64_t op)
{
	size_t n = strlen(key);
	struct call *c = n <= CAS_KEY_MAX ? calloc(1, sizeof(*c)) : NULL;

	if (!c)
		return NULL;
	c->store = s;
	c->op = op;
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

static void
on_loaded(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct call *c = arg;
	struct sync_store *s = c->store;
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	lease_table_loaded(s->table, c->key, c->op, &seen, loop_now_ms(s->spec.loop));
	call_free(c);
	s->spec.turned(s->spec.arg);
}

static bool anchor(struct call *c);

static void
on_written(void *arg, enum cas_result res, uint64_t revision)
{
	struct call *c = arg;
	struct sync_store *s = c->store;

	/* A reseed may have written our own token anew. */
	if (res == CAS_LOST && c->value.generation != 0 && !c->is_anchored && anchor(c))
		return;
	/* The very acknowledgement may be what showed it: the key may have had a holder who
	 * believes still, and whom the store has forgotten. */
	if (res == CAS_OK && c->is_win && bucket_went_back(s->spec.bucket))
		res = CAS_BUCKET_LOST;
	lease_table_written(s->table, c->key, c->op, res, revision, loop_now_ms(s->spec.loop));
	call_free(c);
	s->spec.turned(s->spec.arg);
}

static bool
port_load(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms)
{
	struct sync_store *s = ctx;
	struct call *c = call_new(s, key, op);

	if (!c)
		return false;
	if (kv_load(s->spec.bucket, key, timeout_ms, on_loaded, c))
		return true;
	call_free(c);
	return false;
}

/* ---- renewals whose revision is not there any more: read which one is ---- */

static bool
put(struct call *c, uint64_t expected, uint64_t timeout_ms)
{
	char text[SYNC_VALUE_MAX];
	int len = sync_print(&c->value, text);

	return len >= 0 && kv_put(c->store->spec.bucket, c->key, text, (size_t)len, expected,
	    timeout_ms, on_written, c);
}

static void
on_anchor(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct call *c = arg;
	uint64_t now = loop_now_ms(c->store->spec.loop);
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	if (seen.result != CAS_OK && seen.result != CAS_NOT_FOUND)
		on_written(c, seen.result, 0);
	else if (!lease_may_anchor(&c->value, &seen, bucket_went_back(c->store->spec.bucket)))
		on_written(c, CAS_LOST, 0);
	else if (now >= c->until_ms || !put(c, seen.revision, c->until_ms - now))
		on_written(c, CAS_UNAVAILABLE, 0);
}

static bool
anchor(struct call *c)
{
	uint64_t now = loop_now_ms(c->store->spec.loop);

	c->is_anchored = true;
	return now < c->until_ms && kv_load(c->store->spec.bucket, c->key, c->until_ms - now,
	    on_anchor, c);
}

static bool
port_put(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
    uint64_t expected, uint64_t timeout_ms)
{
	struct sync_store *s = ctx;
	bool is_win = value->generation == 0, is_sent;
	struct call *c;

	if (is_win && !bucket_is_sound(s->spec.bucket))
		return false;
	c = call_new(s, key, op);
	if (!c)
		return false;
	c->is_win = is_win;
	c->value = *value;
	c->until_ms = loop_now_ms(s->spec.loop) + timeout_ms;
	is_sent = !is_win && bucket_went_back(s->spec.bucket) ? anchor(c) :
	    put(c, expected, timeout_ms);
	if (is_sent)
		return true;
	call_free(c);
	return false;
}

static bool
port_remove(void *ctx, const char *key, uint64_t op, uint64_t expected, uint64_t timeout_ms)
{
	struct sync_store *s = ctx;
	struct call *c = bucket_is_sound(s->spec.bucket) ? call_new(s, key, op) : NULL;

	if (!c)
		return false;
	if (kv_remove(s->spec.bucket, key, expected, timeout_ms, on_written, c))
		return true;
	call_free(c);
	return false;
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
