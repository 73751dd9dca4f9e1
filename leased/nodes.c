#include "leased/nodes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "common/heartbeat.h"
#include "common/loop.h"
#include "common/subjects.h"
#include "leased/sync_store.h"

#define CALL_MS		5000	/* one read or write */

struct nodes {
	struct nodes_spec	 spec;
	struct node_watch	 watch;
	struct loop_timer	*timer;
	bool			 has_begun;
	LIST_HEAD(, burial)	 burials;
	unsigned		 nburials;
	LIST_HEAD(, look)	 looks;
};

/* A read of one node's lease for the watch alone. */
struct look {
	struct nodes		*nodes;
	char			 node[CAS_HOLDER_MAX + 1];
	LIST_ENTRY(look)	 next;
};

struct burial {
	struct nodes		*nodes;
	struct bury		 rule;
	nodes_buried_fn		*done;
	void			*arg;
	bool			 is_word;	/* asked for on an operator's word */
	struct loop_timer	*end;		/* tells a verdict that needed no call */
	LIST_ENTRY(burial)	 next;
};

static uint64_t
now_ms(const struct nodes *n)
{
	return loop_now_ms(n->spec.loop);
}

/* The node that a key is the lease of, or NULL. */
static const char *
node_of(const char *key)
{
	size_t n = strlen(KEY_NODE_PREFIX);

	return strncmp(key, KEY_NODE_PREFIX, n) == 0 ? key + n : NULL;
}

/* A node's key; false when it cannot be one. */
static bool
key_of(const char *prefix, const char *node, char ret[static CAS_KEY_MAX + 1])
{
	int n = snprintf(ret, CAS_KEY_MAX + 1, "%s%s", prefix, node);

	return n > 0 && n <= CAS_KEY_MAX;
}

/* ---- the watch ---- */

static void
on_looked(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct look *l = arg;
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	(void)node_watch_saw(&l->nodes->watch, l->node, &seen, now_ms(l->nodes));
	LIST_REMOVE(l, next);
	free(l);
}

/* Without memory there is one look less: a watch that is late is only longer. */
static void
look(struct nodes *n, const char *node)
{
	char key[CAS_KEY_MAX + 1];
	struct look *l;

	if (strcmp(node, n->spec.self) == 0 || strlen(node) > CAS_HOLDER_MAX ||
	    !key_of(KEY_NODE_PREFIX, node, key))
		return;
	l = calloc(1, sizeof(*l));
	if (!l)
		return;
	l->nodes = n;
	memcpy(l->node, node, strlen(node) + 1);
	LIST_INSERT_HEAD(&n->looks, l, next);
	if (!kv_load(n->spec.sync, key, CALL_MS, on_looked, l)) {
		LIST_REMOVE(l, next);
		free(l);
	}
}

static void
on_listed(void *arg, enum cas_result res, struct kv_keys *keys)
{
	struct nodes *n = arg;

	for (size_t i = 0; res == CAS_OK && i < keys->n; i++) {
		const char *node = node_of(keys->key[i]);

		if (node)
			look(n, node);
	}
}

static void
on_timer(void *arg)
{
	struct nodes *n = arg;
	uint64_t each = lease_share(n->spec.ttl_ms, LEASE_LOOK);

	loop_timer_in(n->timer, each > 0 ? each : 1);
	(void)kv_list(n->spec.sync, KEY_NODE_PREFIX, CALL_MS, on_listed, n);
}

void
nodes_begin(struct nodes *n)
{
	n->has_begun = true;
	on_timer(n);
}

void
nodes_hint(struct nodes *n, const char *key)
{
	const char *node = node_of(key);

	if (!n->has_begun)
		return;
	if (key[0] == '\0')
		on_timer(n);
	else if (node)
		look(n, node);
}

bool
nodes_each(const struct nodes *n, bool (*fn)(void *arg, const char *name), void *arg)
{
	for (size_t i = 0; i < n->watch.n; i++)
		if (!fn(arg, n->watch.sights[i].node))
			return false;
	return true;
}

/* ---- burials ---- */

static void take_step(struct burial *b, enum bury_need need);

static void
on_end(void *arg)
{
	struct burial *b = arg;
	struct nodes *n = b->nodes;
	struct bury rule = b->rule;
	nodes_buried_fn *done = b->done;
	void *done_arg = b->arg;

	LIST_REMOVE(b, next);
	n->nburials--;
	loop_timer_free(b->end);
	free(b);
	done(done_arg, &rule);
}

static void
on_key(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct burial *b = arg;
	struct nodes *n = b->nodes;
	const struct node_sight *sight;
	struct lease_seen seen;

	sync_seen(res, e, &seen);
	sight = node_watch_saw(&n->watch, b->rule.node, &seen, now_ms(n));
	take_step(b, bury_saw(&b->rule, &seen, sight, now_ms(n)));
}

static void
on_beat(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct burial *b = arg;
	uint64_t stamp = res == CAS_OK ? heartbeat_stamp(e->value, e->len) : 0;

	take_step(b, bury_beat(&b->rule, res, stamp, clock_wall_ms(b->nodes->spec.clock)));
}

static void
on_record(void *arg, enum cas_result res, struct cas_entry *e)
{
	struct burial *b = arg;

	take_step(b, bury_known(&b->rule, res));
}

static void
on_swapped(void *arg, enum cas_result res, uint64_t revision)
{
	struct burial *b = arg;

	if (res == CAS_OK && bucket_went_back(b->nodes->spec.sync))
		res = CAS_BUCKET_LOST;		/* what we watched for T was another store */
	take_step(b, bury_swapped(&b->rule, res, revision));
	if (b->is_word && b->rule.verdict == BURY_BURIED)
		node_watch_word(&b->nodes->watch, b->rule.node, b->rule.generation,
		    now_ms(b->nodes));
}

static bool
swap(struct burial *b)
{
	struct cas_token t = { .generation = b->rule.generation };
	char key[CAS_KEY_MAX + 1], text[SYNC_VALUE_MAX];
	int len;

	memcpy(t.holder, b->rule.self, sizeof(t.holder));
	len = sync_print(&t, text);
	return len > 0 && key_of(KEY_NODE_PREFIX, b->rule.node, key) &&
	    bucket_is_sound(b->nodes->spec.sync) &&
	    kv_put(b->nodes->spec.sync, key, text, (size_t)len, b->rule.expected, CALL_MS,
	    on_swapped, b);
}

static bool
load(struct burial *b, struct bucket *bucket, const char *prefix, kv_loaded_fn *fn)
{
	char key[CAS_KEY_MAX + 1];

	return key_of(prefix, b->rule.node, key) && kv_load(bucket, key, CALL_MS, fn, b);
}

static void
take_step(struct burial *b, enum bury_need need)
{
	const struct nodes_spec *s = &b->nodes->spec;
	bool is_sent = true;

	switch (need) {
	case BURY_LOAD_KEY:
		is_sent = load(b, s->sync, KEY_NODE_PREFIX, on_key);
		break;
	case BURY_LOAD_BEAT:
		is_sent = load(b, s->beats, HEARTBEAT_PREFIX, on_beat);
		break;
	case BURY_LOAD_RECORD:
		is_sent = load(b, s->records, "", on_record);
		break;
	case BURY_SWAP:
		is_sent = swap(b);
		break;
	case BURY_END:
		loop_timer_in(b->end, 0);
		return;
	}
	if (is_sent)
		return;
	b->rule.verdict = BURY_UNAVAILABLE;
	b->rule.why = CAS_UNAVAILABLE;
	loop_timer_in(b->end, 0);
}

int
nodes_bury(struct nodes *n, const char *node, bool is_fenced, nodes_buried_fn *done, void *arg)
{
	struct burial *b;
	int r;

	if (n->nburials >= NODES_BURIALS_MAX)
		return -EAGAIN;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->nodes = n;
	b->is_word = is_fenced;
	b->done = done;
	b->arg = arg;
	r = loop_timer_new(n->spec.loop, on_end, b, &b->end);
	if (r < 0) {
		free(b);
		return r;
	}
	LIST_INSERT_HEAD(&n->burials, b, next);
	n->nburials++;
	take_step(b, bury_begin(&b->rule, node, n->spec.self, is_fenced, n->spec.ttl_ms,
	    now_ms(n)));
	return 0;
}

/* ---- life ---- */

int
nodes_new(const struct nodes_spec *spec, struct nodes **ret)
{
	struct nodes *n = calloc(1, sizeof(*n));
	int r;

	if (!n)
		return -ENOMEM;
	n->spec = *spec;
	LIST_INIT(&n->burials);
	LIST_INIT(&n->looks);
	r = loop_timer_new(spec->loop, on_timer, n, &n->timer);
	if (r < 0) {
		free(n);
		return r;
	}
	*ret = n;
	return 0;
}

void
nodes_free(struct nodes *n)
{
	struct burial *b;
	struct look *l;

	if (!n)
		return;
	while ((b = LIST_FIRST(&n->burials))) {
		LIST_REMOVE(b, next);
		loop_timer_free(b->end);
		free(b);
	}
	while ((l = LIST_FIRST(&n->looks))) {
		LIST_REMOVE(l, next);
		free(l);
	}
	loop_timer_free(n->timer);
	node_watch_deinit(&n->watch);
	free(n);
}
