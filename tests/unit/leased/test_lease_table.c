#include "leased/lease_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

#define T	UINT64_C(60000)
#define KEYS	4
#define CALLS	64

/* A store of a few keys, whose answers wait until `serve`. */
struct entry {
	char			 key[CAS_KEY_MAX + 1];
	struct cas_token	 token;
	uint64_t		 revision;
};
struct call {
	char			 key[CAS_KEY_MAX + 1];
	uint64_t		 op, expected;
	enum lease_kind		 kind;
	struct cas_token	 value;
};

static struct fixture {
	struct lease_table	*t;
	uint64_t		 now;
	struct entry		 entry[KEYS];
	size_t			 nentries;
	uint64_t		 sequence;
	struct call		 calls[CALLS];
	size_t			 ncalls;
	bool			 is_broken;	/* nothing can be sent */
	bool			 is_back;	/* the store went back: renewals alone */
	unsigned		 edges;
	unsigned		 wins, keeps, removes;	/* sent */
	struct hold_answer	 told;		/* what a gain or a renewal says to the tenant */
} *f;

static struct entry *
entry_of(const char *key)
{
	for (size_t i = 0; i < f->nentries; i++)
		if (strcmp(f->entry[i].key, key) == 0)
			return &f->entry[i];
	ck_assert_uint_lt(f->nentries, KEYS);
	snprintf(f->entry[f->nentries].key, sizeof(f->entry[0].key), "%s", key);
	return &f->entry[f->nentries++];
}

static bool
queue(enum lease_kind kind, const char *key, uint64_t op, uint64_t expected,
    const struct cas_token *value)
{
	struct call *c = &f->calls[f->ncalls];

	if (f->is_broken || (f->is_back && (kind == LEASE_WIN || kind == LEASE_REMOVE)))
		return false;
	ck_assert_uint_lt(f->ncalls++, CALLS);
	*c = (struct call){ .kind = kind, .op = op, .expected = expected };
	snprintf(c->key, sizeof(c->key), "%s", key);
	if (value)
		c->value = *value;
	f->wins += kind == LEASE_WIN;
	f->keeps += kind == LEASE_KEEP;
	f->removes += kind == LEASE_REMOVE;
	return true;
}

static bool
port_load(void *ctx, const char *key, uint64_t op, uint64_t timeout_ms)
{
	return queue(LEASE_LOAD, key, op, 0, NULL);
}

static bool
port_put(void *ctx, const char *key, uint64_t op, const struct cas_token *value,
    uint64_t expected, uint64_t timeout_ms)
{
	return queue(value->generation ? LEASE_KEEP : LEASE_WIN, key, op, expected, value);
}

static bool
port_remove(void *ctx, const char *key, uint64_t op, uint64_t expected, uint64_t timeout_ms)
{
	return queue(LEASE_REMOVE, key, op, expected, NULL);
}

static void
port_edges(void *ctx, struct hold *h, unsigned edges, uint64_t now_ms)
{
	f->edges |= edges;
	if (edges & (LEASE_GAINED | LEASE_RENEWED))
		hold_answer(h, h->tenant, now_ms, &f->told);
}

static const struct lease_port port = { NULL, port_load, port_put, port_remove, port_edges };

/* Answers everything, also what the answers lead to. */
static void
serve(void)
{
	for (size_t i = 0; i < f->ncalls; i++) {
		struct call c = f->calls[i];
		struct entry *e = entry_of(c.key);
		struct lease_seen seen = { .token = e->token, .revision = e->revision,
		    .result = e->token.holder[0] ? CAS_OK : CAS_NOT_FOUND };

		if (seen.token.generation == 0)
			seen.token.generation = e->revision;
		if (c.kind == LEASE_LOAD) {
			lease_table_loaded(f->t, c.key, c.op, &seen, f->now);
			continue;
		}
		if (c.expected != e->revision) {
			lease_table_written(f->t, c.key, c.op, CAS_LOST, 0, f->now);
			continue;
		}
		e->token = c.value;
		e->revision = ++f->sequence;
		lease_table_written(f->t, c.key, c.op, CAS_OK, e->revision, f->now);
	}
	f->ncalls = 0;
}

static void
pass(uint64_t ms)
{
	uint64_t until = f->now + ms;

	while (lease_table_deadline(f->t) <= until) {
		f->now = lease_table_deadline(f->t);
		lease_table_tick(f->t, f->now);
		serve();
	}
	f->now = until;
}

static enum table_result
ask_as(const char *key, const char *client, const char *incarnation, uint64_t generation,
    struct hold_answer *ret)
{
	struct table_ask ask = { .key = key, .client = client, .incarnation = incarnation,
	    .ttl_ms = T, .generation = generation };
	enum table_result res = lease_table_ask(f->t, &ask, f->now, ret);

	if (res == TABLE_OK && ret->is_pending) {
		serve();
		res = lease_table_ask(f->t, &ask, f->now, ret);
	}
	return res;
}

static bool
held(const char *key, const char *incarnation)
{
	struct hold_answer a;

	ck_assert_int_eq(ask_as(key, "reaperd", incarnation, 0, &a), TABLE_OK);
	return a.is_held;
}

static void
setup(void)
{
	f = calloc(1, sizeof(*f));
	ck_assert_ptr_nonnull(f);
	f->now = 1000000;
	ck_assert_int_eq(lease_table_new("node-a", &port, f->now, &f->t), 0);
}

static void
teardown(void)
{
	lease_table_free(f->t);
	free(f);
}

START_TEST(a_name_is_one_lease_until_it_is_forgotten_48)
{
	struct hold *h;

	ck_assert(held("eks.cluster.123/alpha", "i1"));
	h = lease_table_find(f->t, "eks.cluster.123/alpha");
	ck_assert_ptr_nonnull(h);
	ck_assert(held("eks.cluster.123/alpha", "i1"));
	ck_assert_ptr_eq(lease_table_find(f->t, "eks.cluster.123/alpha"), h);
	ck_assert_uint_eq(lease_table_count(f->t), 1);
	ck_assert_str_eq(h->key, "eks.cluster.123/alpha");
}
END_TEST

START_TEST(an_unlocked_name_is_forgotten_and_its_next_generation_is_higher_49)
{
	struct hold_answer a;
	uint64_t generation;

	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	generation = a.token.generation;
	ck_assert(lease_table_release(f->t, "k", "reaperd", "i1", generation, f->now));
	serve();
	ck_assert_str_eq(entry_of("k")->token.holder, "");
	ck_assert_ptr_null(lease_table_find(f->t, "k"));
	ck_assert_uint_eq(lease_table_deadline(f->t), LEASE_NEVER);
	ck_assert(!lease_table_release(f->t, "k", "reaperd", "i1", generation, f->now));
	ck_assert(!lease_table_release(f->t, "never", "reaperd", "i1", generation, f->now));
	ck_assert_int_eq(ask_as("k", "reaperd", "i2", 0, &a), TABLE_OK);
	ck_assert_uint_gt(a.token.generation, generation);
}
END_TEST

START_TEST(a_holder_and_a_ttl_are_needed_and_told_apart_61)
{
	struct lease_table *t = NULL;
	struct lease l;
	char name[CAS_HOLDER_MAX + 2];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(lease_init(&l, "", T, 0), LEASE_NO_HOLDER);
	ck_assert_int_eq(lease_init(&l, NULL, T, 0), LEASE_NO_HOLDER);
	ck_assert_int_eq(lease_init(&l, name, T, 0), LEASE_NO_HOLDER);
	ck_assert_int_eq(lease_init(&l, "node-a", 0, 0), LEASE_NO_TTL);
	ck_assert_int_eq(lease_init(&l, "node-a", 1, 0), LEASE_MADE);
	ck_assert_int_eq(lease_table_new("", &port, 0, &t), -EINVAL);
	ck_assert_ptr_null(t);
}
END_TEST

START_TEST(a_table_without_a_store_is_refused_62)
{
	struct lease_table *t = NULL;
	struct lease_port bad = port;

	ck_assert_int_eq(lease_table_new("node-a", NULL, 0, &t), -EINVAL);
	bad.put = NULL;
	ck_assert_int_eq(lease_table_new("node-a", &bad, 0, &t), -EINVAL);
	ck_assert_ptr_null(t);
}
END_TEST

START_TEST(the_rules_include_nothing_but_themselves_63)
{
	static const char *const files[] = { "leased/lease.c", "leased/lease.h", "leased/hold.c",
	    "leased/hold.h", "leased/registry.c", "leased/registry.h", "leased/lease_table.c",
	    "leased/lease_table.h", "leased/deadlines.c", "leased/deadlines.h",
	    "leased/node_watch.c", "leased/node_watch.h", "leased/bury.c", "leased/bury.h" };
	static const char *const allowed[] = { "<assert.h>", "<errno.h>", "<stdbool.h>",
	    "<stddef.h>", "<stdint.h>", "<stdio.h>", "<stdlib.h>", "<string.h>", "\"leased/",
	    "\"common/cas.h\"", "\"common/cleanup.h\"", "\"common/heartbeat.h\"" };
	char line[256];

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		AUTO(file) FILE *in = fopen(files[i], "r");

		ck_assert_msg(in != NULL, "%s: run from the top of the tree", files[i]);
		while (fgets(line, sizeof(line), in)) {
			bool is_fine = strncmp(line, "#include ", 9) != 0;

			for (size_t k = 0; k < ARRAY_LEN(allowed); k++)
				is_fine = is_fine ||
				    strncmp(line + 9, allowed[k], strlen(allowed[k])) == 0;
			ck_assert_msg(is_fine, "%s: %s", files[i], line);
		}
	}
}
END_TEST

START_TEST(a_client_is_told_no_more_than_two_thirds_after_its_ask)
{
	struct hold_answer a;
	uint64_t asked = f->now;

	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert_uint_eq(a.valid_until_ms, asked + 2 * T / 3);
	ck_assert_uint_eq(a.revisit_ms, T / 6);
	pass(T / 3);				/* renewed; the client did not ask */
	ck_assert_uint_ne(f->edges & LEASE_RENEWED, 0);
	ck_assert_uint_eq(f->told.valid_until_ms, asked + 2 * T / 3);
	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert_uint_eq(a.valid_until_ms, f->now + 2 * T / 3);
	pass(T / 6);
	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert_uint_eq(a.valid_until_ms, f->now - T / 6 + 2 * T / 3);	/* the lease's own */
}
END_TEST

START_TEST(a_silent_client_is_let_go_after_what_it_was_told)
{
	ck_assert(held("k", "i1"));
	pass(2 * T / 3 - 1);
	ck_assert_str_eq(entry_of("k")->token.holder, "node-a");
	pass(1);
	ck_assert_str_eq(entry_of("k")->token.holder, "");
	ck_assert_ptr_null(lease_table_find(f->t, "k"));
	ck_assert_uint_ne(f->edges & LEASE_LOST, 0);
}
END_TEST

START_TEST(a_second_incarnation_waits_for_the_belief_of_the_first)
{
	struct hold_answer a;
	uint64_t generation;

	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	generation = a.token.generation;
	pass(T / 2);
	ck_assert_int_eq(ask_as("k", "reaperd", "i2", 0, &a), TABLE_OK);
	ck_assert(!a.is_held);
	ck_assert(!a.is_pending);
	ck_assert_str_eq(a.token.holder, "node-a");
	ck_assert_uint_eq(a.revisit_ms, 2 * T / 3 - T / 2);
	pass(2 * T / 3 - T / 2);
	ck_assert_int_eq(ask_as("k", "reaperd", "i2", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert_uint_gt(a.token.generation, generation);
}
END_TEST

START_TEST(a_word_of_another_incarnation_unlocks_nothing)
{
	struct hold_answer a;

	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert(!lease_table_release(f->t, "k", "reaperd", "i2", a.token.generation, f->now));
	ck_assert(!lease_table_release(f->t, "k", "vmd", "i1", a.token.generation, f->now));
	ck_assert(!lease_table_release(f->t, "k", "reaperd", "i1", a.token.generation + 1,
	    f->now));
	ck_assert(held("k", "i1"));
	ck_assert_uint_eq(f->removes, 0);
}
END_TEST

START_TEST(who_leaves_during_the_swap_gets_no_lease)
{
	struct hold_answer a;
	struct table_ask ask = { "k", "reaperd", "i1", T, 0 };

	ck_assert_int_eq(lease_table_ask(f->t, &ask, f->now, &a), TABLE_OK);
	ck_assert(a.is_pending);
	lease_table_loaded(f->t, "k", f->calls[0].op, &(struct lease_seen){
	    .result = CAS_NOT_FOUND }, f->now);
	f->calls[0] = f->calls[1];
	f->ncalls = 1;
	ck_assert(!lease_table_release(f->t, "k", "reaperd", "i1", 0, f->now));
	serve();
	ck_assert_uint_eq(f->edges & (LEASE_GAINED | LEASE_LOST), 0);
	ck_assert_str_eq(entry_of("k")->token.holder, "");
	ck_assert_uint_eq(entry_of("k")->revision, 2);
	ck_assert_ptr_null(lease_table_find(f->t, "k"));
}
END_TEST

START_TEST(one_key_has_one_client_and_one_ttl)
{
	struct hold_answer a;
	struct table_ask ask = { "k", "reaperd", "i1", T / 2, 0 };

	ck_assert(held("k", "i1"));
	ck_assert_int_eq(ask_as("k", "vmd", "i1", 0, &a), TABLE_OWNED);
	ck_assert_int_eq(lease_table_ask(f->t, &ask, f->now, &a), TABLE_TTL);
	ck_assert_int_eq(ask_as("has space", "reaperd", "i1", 0, &a), TABLE_BAD_KEY);
	ck_assert_int_eq(ask_as("k", "reaperd", "", 0, &a), TABLE_BAD_KEY);
	ck_assert_int_eq(ask_as("other", "reaperd", "", 0, &a), TABLE_BAD_KEY);
	ck_assert_uint_eq(lease_table_count(f->t), 1);
}
END_TEST

START_TEST(a_key_of_our_predecessor_goes_to_who_shows_its_generation)
{
	struct hold_answer a;
	struct entry *e = entry_of("k");

	e->token = (struct cas_token){ "node-a", 3 };
	e->revision = f->sequence = 5;
	ck_assert_int_eq(ask_as("k", "reaperd", "i9", 0, &a), TABLE_OK);
	ck_assert(!a.is_held);
	ck_assert_str_eq(a.token.holder, "node-a");
	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 3, &a), TABLE_OK);
	pass(T / 3);				/* the next look knows what is shown */
	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 3, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert_uint_eq(a.token.generation, 6);
}
END_TEST

START_TEST(a_key_of_our_predecessor_goes_to_a_stranger_after_two_thirds)
{
	struct entry *e = entry_of("k");

	e->token = (struct cas_token){ "node-a", 3 };
	e->revision = f->sequence = 5;
	for (uint64_t i = 0; i < 3; i++) {
		ck_assert(!held("k", "i9"));
		pass(T / 6);
	}
	pass(T / 6 - 1);
	ck_assert(!held("k", "i9"));
	pass(1);
	ck_assert(held("k", "i9"));
}
END_TEST

START_TEST(the_predecessors_client_is_believed_to_believe)
{
	struct table_ask ask = { "k", "reaperd", "i1", T, 3 };
	struct entry *e = entry_of("k");
	struct hold_answer a;

	e->token = (struct cas_token){ "node-a", 3 };
	e->revision = f->sequence = 5;
	ck_assert_int_eq(lease_table_ask(f->t, &ask, f->now, &a), TABLE_OK);
	lease_table_loaded(f->t, "k", f->calls[0].op, &(struct lease_seen){ .result = CAS_OK,
	    .token = e->token, .revision = 5 }, f->now);
	f->calls[0] = f->calls[1];
	f->ncalls = 1;
	lease_table_leave_all(f->t, f->now);	/* while the swap for it is under way */
	serve();
	ck_assert_uint_eq(f->removes, 0);
	ck_assert_str_eq(entry_of("k")->token.holder, "node-a");
}
END_TEST

START_TEST(a_clean_stop_frees_what_nobody_believes_in)
{
	ck_assert(held("k", "i1"));
	ck_assert(held("l", "i1"));
	ck_assert_int_eq(lease_table_add_own(f->t, "node.node-a", T, f->now), 0);
	serve();
	ck_assert(lease_table_release(f->t, "l", "reaperd", "i1", 0, f->now));
	lease_table_leave_all(f->t, f->now);
	ck_assert_uint_eq(lease_table_leaving(f->t), 1);
	serve();
	ck_assert_uint_eq(lease_table_leaving(f->t), 0);
	ck_assert_str_eq(entry_of("l")->token.holder, "");
	ck_assert_str_eq(entry_of("k")->token.holder, "node-a");	/* i1 believes */
	ck_assert_str_eq(entry_of("node.node-a")->token.holder, "node-a");
}
END_TEST

START_TEST(the_nodes_own_lease_answers_everybody_and_is_unlocked_by_nobody)
{
	struct hold_answer a;

	ck_assert_int_eq(lease_table_add_own(f->t, "node.node-a", T, f->now), 0);
	ck_assert_int_eq(lease_table_add_own(f->t, "node.node-a", T, f->now), -EEXIST);
	serve();
	ck_assert_int_eq(ask_as("node.node-a", "vmd", "i1", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert_int_eq(ask_as("node.node-a", "uefid", "i2", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert(!lease_table_release(f->t, "node.node-a", "uefid", "i2", 0, f->now));
	ck_assert(!lease_table_release(f->t, "node.node-a", "", "", 0, f->now));
	pass(10 * T);				/* nobody asks, and it is kept */
	ck_assert_str_eq(entry_of("node.node-a")->token.holder, "node-a");
	ck_assert_uint_eq(f->keeps, 30);
}
END_TEST

START_TEST(a_buried_node_swaps_its_key_back_with_a_new_generation)
{
	struct hold_answer a;
	struct entry *e;

	ck_assert_int_eq(lease_table_add_own(f->t, "node.node-a", T, f->now), 0);
	serve();
	e = entry_of("node.node-a");
	e->token = (struct cas_token){ "node-b", 0 };
	e->revision = f->sequence = 50;
	pass(T / 3);
	ck_assert_uint_ne(f->edges & LEASE_LOST, 0);
	ck_assert_int_eq(ask_as("node.node-a", "vmd", "i1", 0, &a), TABLE_OK);
	ck_assert(a.is_held);
	ck_assert_uint_eq(a.token.generation, 51);
	ck_assert_str_eq(e->token.holder, "node-a");
}
END_TEST

START_TEST(a_store_that_went_back_gets_renewals_and_nothing_else)
{
	ck_assert(held("k", "i1"));
	f->is_back = true;
	ck_assert(!held("l", "i1"));
	ck_assert_uint_eq(f->wins, 1);
	pass(T / 3);
	ck_assert_uint_eq(f->keeps, 1);
	(void)lease_table_release(f->t, "k", "reaperd", "i1", 0, f->now);
	ck_assert_uint_eq(f->removes, 0);
	f->is_back = false;
	ck_assert(!held("l", "i1"));
	pass(T / 3);
	ck_assert(held("l", "i1"));
}
END_TEST

START_TEST(what_cannot_be_sent_is_tried_again_and_ends_in_time)
{
	struct hold_answer a;

	f->is_broken = true;
	ck_assert_int_eq(ask_as("k", "reaperd", "i1", 0, &a), TABLE_OK);
	ck_assert(!a.is_held);
	ck_assert_int_eq(a.why, CAS_UNAVAILABLE);
	f->is_broken = false;
	pass(T / 3);
	ck_assert(held("k", "i1"));
	f->is_broken = true;
	pass(2 * T / 3);
	ck_assert_uint_ne(f->edges & LEASE_LOST, 0);
}
END_TEST

START_TEST(a_hint_wakes_the_key_it_names_or_all)
{
	struct entry *e = entry_of("k");

	e->token = (struct cas_token){ "node-b", 0 };
	e->revision = f->sequence = 1;
	ck_assert(!held("k", "i1"));
	*e = (struct entry){ .key = "k", .revision = 2 };
	f->sequence = 2;
	lease_table_hint(f->t, "other", 0, f->now);
	serve();
	ck_assert(!held("k", "i1"));
	lease_table_hint(f->t, "", 0, f->now);
	serve();
	ck_assert(held("k", "i1"));
}
END_TEST

START_TEST(an_answer_to_a_forgotten_life_of_a_key_is_ignored)
{
	struct table_ask ask = { "k", "reaperd", "i1", T, 0 };
	struct hold_answer a;
	uint64_t op;

	ck_assert_int_eq(lease_table_ask(f->t, &ask, f->now, &a), TABLE_OK);
	op = f->calls[0].op;
	(void)lease_table_release(f->t, "k", "reaperd", "i1", 0, f->now);
	ck_assert_ptr_null(lease_table_find(f->t, "k"));
	ck_assert_int_eq(lease_table_ask(f->t, &ask, f->now, &a), TABLE_OK);
	ck_assert_uint_ne(f->calls[1].op, op);
	lease_table_loaded(f->t, "k", op, &(struct lease_seen){ .result = CAS_NOT_FOUND },
	    f->now);
	ck_assert_uint_eq(f->wins, 0);
}
END_TEST

START_TEST(a_release_frees_nothing_of_a_successor_87)
{
	struct entry *e;

	ck_assert(held("k", "i1"));
	e = entry_of("k");
	e->token = (struct cas_token){ "node-b", 0 };
	e->revision = f->sequence = 50;
	ck_assert(lease_table_release(f->t, "k", "reaperd", "i1", 0, f->now));
	serve();
	ck_assert_str_eq(e->token.holder, "node-b");
	ck_assert_uint_eq(e->revision, 50);
	/* Nothing is held any more, and nothing was: both are no news to the store. */
	ck_assert(!lease_table_release(f->t, "k", "reaperd", "i1", 0, f->now));
	ck_assert(!lease_table_release(f->t, "l", "reaperd", "i1", 0, f->now));
	ck_assert_uint_eq(f->removes, 1);
}
END_TEST

START_TEST(who_has_it_is_said_once_for_each_generation_89)
{
	struct entry *e = entry_of("k");
	struct hold *h;

	e->token = (struct cas_token){ "node-b", 0 };
	e->revision = f->sequence = 7;
	ck_assert(!held("k", "i1"));
	h = lease_table_find(f->t, "k");
	ck_assert(hold_names(h, f->edges));
	ck_assert_str_eq(h->lease.seen.holder, "node-b");
	ck_assert(!hold_names(h, f->edges));
	e->token = (struct cas_token){ "node-b", 7 };	/* a renewal is no news */
	e->revision = f->sequence = 8;
	pass(T / 3);
	ck_assert(!hold_names(h, LEASE_REFUSED));
	ck_assert(!held("k", "i1"));		/* it is not silent */
	e->token = (struct cas_token){ "node-c", 0 };
	e->revision = f->sequence = 9;
	pass(T / 3);
	ck_assert(hold_names(h, LEASE_REFUSED));
	ck_assert_str_eq(h->lease.seen.holder, "node-c");
	ck_assert(!hold_names(h, LEASE_RENEWED | LEASE_GAINED));
}
END_TEST

START_TEST(the_range_of_a_ttl_follows_the_size_of_the_cluster)
{
	ck_assert(!hold_ttl_is_allowed(4999, 1));
	ck_assert(hold_ttl_is_allowed(5000, 1));
	ck_assert(!hold_ttl_is_allowed(29999, 3));
	ck_assert(hold_ttl_is_allowed(30000, 3));
	ck_assert(hold_ttl_is_allowed(3600000, 5));
	ck_assert(!hold_ttl_is_allowed(3600001, 1));
	ck_assert(!hold_ttl_is_allowed(29999, 5));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("lease_table");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_name_is_one_lease_until_it_is_forgotten_48);
	tcase_add_test(tc, an_unlocked_name_is_forgotten_and_its_next_generation_is_higher_49);
	tcase_add_test(tc, a_holder_and_a_ttl_are_needed_and_told_apart_61);
	tcase_add_test(tc, a_table_without_a_store_is_refused_62);
	tcase_add_test(tc, the_rules_include_nothing_but_themselves_63);
	tcase_add_test(tc, a_client_is_told_no_more_than_two_thirds_after_its_ask);
	tcase_add_test(tc, a_silent_client_is_let_go_after_what_it_was_told);
	tcase_add_test(tc, a_second_incarnation_waits_for_the_belief_of_the_first);
	tcase_add_test(tc, a_word_of_another_incarnation_unlocks_nothing);
	tcase_add_test(tc, who_leaves_during_the_swap_gets_no_lease);
	tcase_add_test(tc, one_key_has_one_client_and_one_ttl);
	tcase_add_test(tc, a_key_of_our_predecessor_goes_to_who_shows_its_generation);
	tcase_add_test(tc, a_key_of_our_predecessor_goes_to_a_stranger_after_two_thirds);
	tcase_add_test(tc, the_predecessors_client_is_believed_to_believe);
	tcase_add_test(tc, a_clean_stop_frees_what_nobody_believes_in);
	tcase_add_test(tc, the_nodes_own_lease_answers_everybody_and_is_unlocked_by_nobody);
	tcase_add_test(tc, a_buried_node_swaps_its_key_back_with_a_new_generation);
	tcase_add_test(tc, a_store_that_went_back_gets_renewals_and_nothing_else);
	tcase_add_test(tc, what_cannot_be_sent_is_tried_again_and_ends_in_time);
	tcase_add_test(tc, a_hint_wakes_the_key_it_names_or_all);
	tcase_add_test(tc, an_answer_to_a_forgotten_life_of_a_key_is_ignored);
	tcase_add_test(tc, a_release_frees_nothing_of_a_successor_87);
	tcase_add_test(tc, who_has_it_is_said_once_for_each_generation_89);
	tcase_add_test(tc, the_range_of_a_ttl_follows_the_size_of_the_cluster);
	return unit_run("lease_table", tc);
}
