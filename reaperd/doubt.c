/* doubt.c - is the inventory whole?  Of one that is not nothing goes: what it lacks may be what
 * holds the rest. */
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "reaperd/sweep.h"

#define DOUBT(s, d, ...) \
	((s)->doubt = (d), (void)snprintf((s)->doubtful, sizeof((s)->doubtful), __VA_ARGS__))

#define SETTLED_MS	60000	/* after a step; or one period, where that is less */

static bool
is_unsettled(const struct sweep *s, uint64_t steady_ms)
{
	return steady_ms < SETTLED_MS && steady_ms < s->period_ms;
}

bool
doubt_clock(const struct sweep *s)
{
	return is_unsettled(s, sweep_time(s).steady_ms);
}

static bool
is_readable(const struct sweep *s, const char *node)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char why[JSON_WHY_MAX];
	struct node n;
	enum cas_result res = kv_load_wait(s->from.nodes, node, s->from.timeout_ms, &e);

	return res == CAS_NOT_FOUND || (res == CAS_OK &&
	    node_from_json(e.value, e.len, node, &n, why) == 0);
}

static void
look_at_node(struct sweep *s, struct inventory *inv, const char *node)
{
	const struct asked_node *n = nodes_look(&s->from, &inv->asked, node);

	if (!n || n->is_silent)
		DOUBT(s, DOUBT_SILENT, "node %s does not answer", node);
	else if (!is_readable(s, node))
		DOUBT(s, DOUBT_UNREAD, "the record of node %s cannot be read", node);
	else
		return;
	about_set(&s->about, ABOUT_NODE, node);
}

static void
look_at_nodes(struct sweep *s, struct inventory *inv)
{
	struct kv_keys nodes = { 0 };

	if (nodes_list(&s->from, &nodes, s->why, sizeof(s->why)) < 0)
		return;
	if (nodes.n == 0)
		DOUBT(s, DOUBT_NO_NODE, "no node is known");
	for (size_t i = 0; i < nodes.n && s->doubt == DOUBT_NONE; i++)
		look_at_node(s, inv, nodes.key[i]);
	kv_keys_deinit(&nodes);
}

static void
doubt_record(struct sweep *s, const char *what, enum about_what about, const char *id)
{
	DOUBT(s, DOUBT_UNREAD, "the record of %s %s cannot be read", what, id);
	about_set(&s->about, about, id);
}

#define LOOK_AT(s, what, about, list, n, known_member) do { \
	for (size_t i_ = 0; i_ < (n) && (s)->doubt == DOUBT_NONE; i_++) \
		if ((list)[i_].known_member == KNOWN_UNREADABLE) \
			doubt_record(s, what, about, (list)[i_].id); \
} while (0)

static void
look_at_records(struct sweep *s, const struct inventory *inv)
{
	LOOK_AT(s, "instance", ABOUT_INSTANCE, inv->instances, inv->ninstances, facts.known);
	LOOK_AT(s, "UEFI store", ABOUT_INSTANCE, inv->stores, inv->nstores, facts.known);
	LOOK_AT(s, "UEFI claim", ABOUT_INSTANCE, inv->claims, inv->nclaims, facts.known);
	LOOK_AT(s, "address", ABOUT_OBJECT, inv->addresses, inv->naddresses, known);
	LOOK_AT(s, "volume", ABOUT_OBJECT, inv->volumes, inv->nvolumes, known);
	LOOK_AT(s, "image", ABOUT_OBJECT, inv->images, inv->nimages, known);
}

static size_t
count_reaped(const struct sweep *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->verdicts.n; i++)
		n += verdict_is_reap(s->verdicts.v[i].j.verdict);
	return n;
}

void
doubt_judge(struct sweep *s, struct inventory *inv)
{
	size_t n = count_reaped(s);

	if (n == 0)
		return;
	if (is_unsettled(s, s->time.steady_ms))
		DOUBT(s, DOUBT_CLOCK, "this node's clock was stepped, or is not the server's");
	else
		look_at_nodes(s, inv);
	if (s->doubt == DOUBT_NONE)
		look_at_records(s, inv);
	if (s->doubt == DOUBT_NONE)
		return;
	s->held = n;
	for (size_t i = 0; i < s->verdicts.n; i++) {
		struct sweep_verdict *v = &s->verdicts.v[i];

		if (!verdict_is_reap(v->j.verdict))
			continue;
		v->j = judge_doubt(v->j, s->doubt);
		v->kept_because = s->doubtful;
	}
}
