#include "leased/bury.h"

#include "tests/unit/unit.h"

#define T	UINT64_C(60000)
#define WALL	UINT64_C(1790000000000)

static struct fixture {
	struct node_watch	 w;
	struct bury		 b;
	uint64_t		 now;
} *f;

static void
setup(void)
{
	f = calloc(1, sizeof(*f));
	ck_assert_ptr_nonnull(f);
	f->now = 5000000;
}

static void
teardown(void)
{
	node_watch_deinit(&f->w);
	free(f);
}

static struct lease_seen
read_as(const char *holder, uint64_t generation, uint64_t revision)
{
	struct lease_seen seen = { .result = holder[0] ? CAS_OK : CAS_NOT_FOUND,
	    .revision = revision, .token = { .generation = generation } };

	snprintf(seen.token.holder, sizeof(seen.token.holder), "%s", holder);
	return seen;
}

/* What the watch sees, a millisecond before anything else. */
static void
watch(struct lease_seen seen)
{
	(void)node_watch_saw(&f->w, "node-b", &seen, f->now++);
}

/* A burial of node-b by node-a that reads this. */
static enum bury_need
look(struct lease_seen seen, bool is_fenced)
{
	const struct node_sight *s;

	ck_assert_int_eq(bury_begin(&f->b, "node-b", "node-a", is_fenced, T, f->now),
	    BURY_LOAD_KEY);
	s = node_watch_saw(&f->w, "node-b", &seen, f->now);
	return bury_saw(&f->b, &seen, s, f->now);
}

START_TEST(a_node_is_buried_at_a_revision_that_stood_still_for_T)
{
	ck_assert_int_eq(look(read_as("node-b", 3, 9), false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_ALIVE);
	ck_assert_uint_eq(f->b.seen_for_ms, 0);
	f->now += T - 1;
	ck_assert_int_eq(look(read_as("node-b", 3, 9), false), BURY_END);
	ck_assert_uint_eq(f->b.seen_for_ms, T - 1);
	f->now += 1;
	ck_assert_int_eq(look(read_as("node-b", 3, 9), false), BURY_LOAD_BEAT);
	ck_assert_int_eq(bury_beat(&f->b, CAS_NOT_FOUND, 0, WALL), BURY_SWAP);
	ck_assert_uint_eq(f->b.expected, 9);
	ck_assert_uint_eq(f->b.generation, 0);
	ck_assert_int_eq(bury_swapped(&f->b, CAS_OK, 10), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_BURIED);
	ck_assert_uint_eq(f->b.generation, 10);
}
END_TEST

START_TEST(a_renewal_between_two_reads_begins_the_watch_again)
{
	(void)look(read_as("node-b", 3, 9), false);
	f->now += T;
	ck_assert_int_eq(look(read_as("node-b", 3, 10), false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_ALIVE);
}
END_TEST

START_TEST(a_read_that_failed_buries_nobody)
{
	struct lease_seen failed = { .result = CAS_UNAVAILABLE };

	(void)look(read_as("node-b", 3, 9), false);
	f->now += 2 * T;
	ck_assert_int_eq(look(failed, false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_UNAVAILABLE);
	ck_assert_int_eq(f->b.why, CAS_UNAVAILABLE);
	ck_assert_uint_eq(node_watch_find(&f->w, "node-b")->last_ms, f->now - 2 * T);
}
END_TEST

START_TEST(a_young_heartbeat_vetoes)
{
	static const struct { int64_t age; enum bury_need want; } beats[] = {
		{ 0, BURY_END }, { 59999, BURY_END }, { 60000, BURY_SWAP },
		{ -1000, BURY_END }, { -60000, BURY_END }, { -60001, BURY_SWAP },
	};

	for (size_t i = 0; i < ARRAY_LEN(beats); i++) {
		(void)look(read_as("node-b", 3, 9), false);
		f->now += T;
		ck_assert_int_eq(look(read_as("node-b", 3, 9), false), BURY_LOAD_BEAT);
		ck_assert_int_eq(bury_beat(&f->b, CAS_OK, WALL - (uint64_t)beats[i].age, WALL),
		    beats[i].want);
		ck_assert(f->b.has_beat == (beats[i].want == BURY_END));
	}
	ck_assert_int_eq(bury_beat(&f->b, CAS_OK, 0, WALL), BURY_SWAP);	/* no date in it */
}
END_TEST

START_TEST(a_heartbeat_that_cannot_be_read_may_be_a_veto)
{
	(void)look(read_as("node-b", 3, 9), false);
	f->now += T;
	(void)look(read_as("node-b", 3, 9), false);
	ck_assert_int_eq(bury_beat(&f->b, CAS_UNAVAILABLE, 0, WALL), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_UNAVAILABLE);
}
END_TEST

START_TEST(a_node_that_another_buried_is_taken_at_once)
{
	ck_assert_int_eq(look(read_as("node-c", 12, 12), false), BURY_LOAD_BEAT);
	ck_assert_int_eq(bury_beat(&f->b, CAS_NOT_FOUND, 0, WALL), BURY_SWAP);
	ck_assert_uint_eq(f->b.expected, 12);
	ck_assert_uint_eq(f->b.generation, 0);
}
END_TEST

START_TEST(a_burial_of_ours_is_confirmed_and_keeps_its_generation)
{
	ck_assert_int_eq(look(read_as("node-a", 12, 15), false), BURY_LOAD_BEAT);
	ck_assert_int_eq(bury_beat(&f->b, CAS_NOT_FOUND, 0, WALL), BURY_SWAP);
	ck_assert_uint_eq(f->b.generation, 12);
	ck_assert_int_eq(bury_swapped(&f->b, CAS_OK, 16), BURY_END);
	ck_assert_uint_eq(f->b.generation, 12);
}
END_TEST

START_TEST(a_key_without_a_message_is_never_buried)
{
	ck_assert_int_eq(look(read_as("", 0, 0), false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_STRANGER);
	ck_assert_ptr_null(node_watch_find(&f->w, "node-b"));
}
END_TEST

START_TEST(an_operators_word_waives_T_and_the_beat)
{
	watch(read_as("node-b", 3, 9));
	ck_assert_int_eq(look(read_as("node-b", 3, 9), true), BURY_SWAP);
	ck_assert_uint_eq(f->b.expected, 9);
}
END_TEST

START_TEST(an_operators_word_says_nothing_of_what_came_after_it)
{
	watch(read_as("node-b", 3, 9));
	ck_assert_int_eq(look(read_as("node-b", 3, 10), true), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_ALIVE);
	f->now++;			/* given again, it covers that too */
	ck_assert_int_eq(look(read_as("node-b", 3, 10), true), BURY_SWAP);
}
END_TEST

/* As uefid asks, after vmd's own burial on that word: the machine's last beat is young yet. */
START_TEST(an_operators_word_holds_for_T_for_the_burials_that_follow)
{
	watch(read_as("node-b", 3, 9));
	(void)look(read_as("node-b", 3, 9), true);
	ck_assert_int_eq(bury_swapped(&f->b, CAS_OK, 10), BURY_END);
	node_watch_word(&f->w, "node-b", f->b.generation, f->now);
	ck_assert_int_eq(look(read_as("node-a", 10, 10), false), BURY_SWAP);
	ck_assert_uint_eq(f->b.generation, 10);
	f->now += T;
	ck_assert_int_eq(look(read_as("node-a", 10, 11), false), BURY_SWAP);
	f->now += 1;
	ck_assert_int_eq(look(read_as("node-a", 10, 12), false), BURY_LOAD_BEAT);
}
END_TEST

START_TEST(a_node_that_returned_ends_the_word_about_it)
{
	node_watch_word(&f->w, "node-b", 10, f->now);
	ck_assert_int_eq(look(read_as("node-b", 11, 11), false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_ALIVE);
	ck_assert_int_eq(look(read_as("node-c", 12, 12), false), BURY_LOAD_BEAT);
	ck_assert_int_eq(look(read_as("node-a", 13, 13), false), BURY_LOAD_BEAT);
}
END_TEST

START_TEST(an_operators_word_makes_a_key_only_for_a_node_that_is_known)
{
	ck_assert_int_eq(look(read_as("", 0, 0), true), BURY_LOAD_RECORD);
	ck_assert_int_eq(bury_known(&f->b, CAS_NOT_FOUND), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_STRANGER);
	(void)look(read_as("", 0, 0), true);
	ck_assert_int_eq(bury_known(&f->b, CAS_UNAVAILABLE), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_UNAVAILABLE);
	(void)look(read_as("", 0, 0), true);
	ck_assert_int_eq(bury_known(&f->b, CAS_OK), BURY_SWAP);
	ck_assert_uint_eq(f->b.expected, 0);
}
END_TEST

START_TEST(a_key_that_moves_under_the_swap_is_somebody_alive)
{
	watch(read_as("node-b", 3, 9));
	(void)look(read_as("node-b", 3, 9), true);
	ck_assert_int_eq(bury_swapped(&f->b, CAS_LOST, 0), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_MOVED);
	(void)look(read_as("node-b", 3, 9), true);
	ck_assert_int_eq(bury_swapped(&f->b, CAS_UNKNOWN, 0), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_UNAVAILABLE);
}
END_TEST

START_TEST(nobody_buries_himself_or_a_value_that_is_no_token)
{
	struct lease_seen corrupt = { .result = CAS_OK, .is_corrupt = true, .revision = 4 };

	ck_assert_int_eq(bury_begin(&f->b, "node-a", "node-a", true, T, f->now), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_SELF);
	ck_assert_int_eq(bury_begin(&f->b, "", "node-a", true, T, f->now), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_STRANGER);
	ck_assert_int_eq(look(corrupt, true), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_CORRUPT);
}
END_TEST

START_TEST(a_delete_marker_is_watched_like_any_revision)
{
	ck_assert_int_eq(look(read_as("", 0, 9), false), BURY_END);
	ck_assert_int_eq(f->b.verdict, BURY_ALIVE);
	f->now += T;
	ck_assert_int_eq(look(read_as("", 0, 9), false), BURY_LOAD_BEAT);
}
END_TEST

START_TEST(no_more_nodes_are_watched_than_the_bound)
{
	struct lease_seen seen = read_as("n", 1, 1);
	char name[16];

	for (int i = 0; i < NODE_WATCH_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		ck_assert_ptr_nonnull(node_watch_saw(&f->w, name, &seen, 1));
	}
	ck_assert_ptr_null(node_watch_saw(&f->w, "one-more", &seen, 1));
	ck_assert_ptr_nonnull(node_watch_find(&f->w, "n7"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("bury");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_node_is_buried_at_a_revision_that_stood_still_for_T);
	tcase_add_test(tc, a_renewal_between_two_reads_begins_the_watch_again);
	tcase_add_test(tc, a_read_that_failed_buries_nobody);
	tcase_add_test(tc, a_young_heartbeat_vetoes);
	tcase_add_test(tc, a_heartbeat_that_cannot_be_read_may_be_a_veto);
	tcase_add_test(tc, a_node_that_another_buried_is_taken_at_once);
	tcase_add_test(tc, a_burial_of_ours_is_confirmed_and_keeps_its_generation);
	tcase_add_test(tc, a_key_without_a_message_is_never_buried);
	tcase_add_test(tc, an_operators_word_waives_T_and_the_beat);
	tcase_add_test(tc, an_operators_word_says_nothing_of_what_came_after_it);
	tcase_add_test(tc, an_operators_word_holds_for_T_for_the_burials_that_follow);
	tcase_add_test(tc, a_node_that_returned_ends_the_word_about_it);
	tcase_add_test(tc, an_operators_word_makes_a_key_only_for_a_node_that_is_known);
	tcase_add_test(tc, a_key_that_moves_under_the_swap_is_somebody_alive);
	tcase_add_test(tc, nobody_buries_himself_or_a_value_that_is_no_token);
	tcase_add_test(tc, a_delete_marker_is_watched_like_any_revision);
	tcase_add_test(tc, no_more_nodes_are_watched_than_the_bound);
	return unit_run("bury", tc);
}
