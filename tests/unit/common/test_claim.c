/* Rules 1 to 18 of claims, over a store in memory whose swap at 0 means absent or deleted. */
#include "common/claim.h"

#include <string.h>

#include "tests/unit/common/fake_cas.h"
#include "tests/unit/unit.h"

#define KEY	"uefi.i-1"

static struct fake_cas store;		/* the fixture */
static struct cas_token t, t2;
static enum cas_result why;

static void
setup(void)
{
	fake_init(&store);
	store.takes_markers = true;
	store.revision = 40;		/* so that a revision is no small number by chance */
	t = t2 = (struct cas_token){ 0 };
	why = CAS_OK;
}

static enum claim_result
lock(const char *holder, struct cas_token *ret)
{
	return claim_lock(&store.cas, KEY, holder, ret, &why);
}

static enum claim_result
take_over(const struct cas_token *from, const char *holder, struct cas_token *ret)
{
	uint64_t revision = 0;
	struct cas_token now;

	/* As its callers do: a read, the holder's burial (not here), the take-over. */
	if (claim_read(&store.cas, KEY, &now, &revision, &why) != CLAIM_OK)
		revision = 0;
	store.loads = 0;
	return claim_take_over(&store.cas, KEY, from, revision, holder, ret, &why);
}

static enum claim_result
confirm(const struct cas_token *token, struct cas_token *ret)
{
	return claim_confirm(&store.cas, KEY, token, ret, &why);
}

static enum claim_result
unlock(const struct cas_token *token)
{
	return claim_unlock(&store.cas, KEY, token, &why);
}

/* Who has the key now, by a read. */
static const char *
holder(void)
{
	static struct cas_token now;
	uint64_t revision;

	now = (struct cas_token){ 0 };
	ck_assert_int_eq(claim_read(&store.cas, KEY, &now, &revision, &why), CLAIM_OK);
	return now.holder;
}

static void
b_takes_over(struct fake_cas *f)
{
	(void)fake_put(f, KEY, "{\"holder\":\"node-b\",\"generation\":0}");
}

static void
key_goes(struct fake_cas *f)
{
	(void)fake_put(f, KEY, NULL);
}

static void
key_moves(struct fake_cas *f)
{
	(void)fake_put(f, KEY, "{\"holder\":\"node-a\",\"generation\":41}");
}

START_TEST(an_absent_key_is_created_by_one_swap_1)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_str_eq(t.holder, "node-a");
	ck_assert_uint_eq(t.generation, 41);
	ck_assert_uint_eq(store.swaps, 1);
	ck_assert_uint_eq(store.loads, 0);
	ck_assert_str_eq(fake_entry(&store, KEY)->value, "{\"holder\":\"node-a\",\"generation\":0}");
}
END_TEST

START_TEST(a_second_node_is_refused_with_the_holder_2)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(lock("node-b", &t2), CLAIM_HELD);
	ck_assert_str_eq(t2.holder, "node-a");
	ck_assert_uint_eq(t2.generation, t.generation);
}
END_TEST

START_TEST(a_restarted_holder_adopts_with_its_generation_3)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_uint_eq(t2.generation, t.generation);
}
END_TEST

START_TEST(adoption_is_a_swap_that_makes_the_generation_explicit_4)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_uint_eq(store.swaps, 2);
	ck_assert_uint_eq(fake_entry(&store, KEY)->revision, 42);
	ck_assert_str_eq(fake_entry(&store, KEY)->value, "{\"holder\":\"node-a\",\"generation\":41}");
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_uint_eq(t2.generation, 41);
}
END_TEST

/* Answers a's old value once, as a replica that is behind. */
static bool stale_done;
static enum cas_result
stale_load(void *ctx, const char *key, struct cas_entry *ret)
{
	if (stale_done)
		return fake_load(ctx, key, ret);
	stale_done = true;
	*ret = (struct cas_entry){ .value = strdup("{\"holder\":\"node-a\",\"generation\":0}"),
	    .len = 34, .revision = 41 };
	return CAS_OK;
}

START_TEST(a_stale_read_never_adopts_5)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	b_takes_over(&store);
	stale_done = false;
	store.cas.load = stale_load;
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_HELD);
	ck_assert(stale_done);
	ck_assert_str_eq(t2.holder, "node-b");
	ck_assert_str_eq(holder(), "node-b");
}
END_TEST

/* Never there for a read, always there for a create. */
static enum cas_result
absent_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct fake_cas *f = ctx;

	f->loads++;
	*ret = (struct cas_entry){ 0 };
	return CAS_NOT_FOUND;
}

START_TEST(a_key_that_vanishes_is_tried_3_times_6)
{
	ck_assert_int_eq(lock("node-b", &t), CLAIM_OK);
	store.cas.load = absent_load;
	store.loads = 0;
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_STORE);
	ck_assert_int_eq(why, CAS_LOST);
	ck_assert_uint_eq(store.loads, 3);
}
END_TEST

START_TEST(a_key_that_vanished_is_locked_in_the_next_round_6)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.hook = b_takes_over;
	store.hooks = 1;
	ck_assert_int_eq(unlock(&t), CLAIM_LOST);	/* b has it now */
	store.hook = key_goes;
	store.hooks = 1;
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_uint_gt(t2.generation, t.generation);
}
END_TEST

static const enum cas_result faults[] = {
	CAS_UNAVAILABLE, CAS_UNKNOWN, CAS_BUCKET_LOST, CAS_REFUSED, CAS_NOMEM,
};

START_TEST(a_fault_of_the_store_is_returned_and_not_retried_7)
{
	store.swap_fault = faults[_i];
	ck_assert_int_eq(lock("node-a", &t), CLAIM_STORE);
	ck_assert_int_eq(why, faults[_i]);
	ck_assert_uint_eq(store.loads, 0);
}
END_TEST

START_TEST(a_fault_of_the_read_is_returned_7)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.load_fault = faults[_i];
	ck_assert_int_eq(lock("node-b", &t2), CLAIM_STORE);
	ck_assert_int_eq(why, faults[_i]);
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_STORE);
	ck_assert_int_eq(unlock(&t), CLAIM_STORE);
}
END_TEST

START_TEST(a_take_over_has_a_greater_generation_8)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_OK);
	ck_assert_str_eq(t2.holder, "node-b");
	ck_assert_uint_gt(t2.generation, t.generation);
	ck_assert_str_eq(holder(), "node-b");
}
END_TEST

START_TEST(a_take_over_from_one_who_lost_it_names_the_holder_9)
{
	struct cas_token t3 = { 0 };
	unsigned swaps;

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_OK);
	swaps = store.swaps;
	ck_assert_int_eq(take_over(&t, "node-c", &t3), CLAIM_HELD);
	ck_assert_str_eq(t3.holder, "node-b");
	ck_assert_uint_eq(t3.generation, t2.generation);
	ck_assert_uint_eq(store.swaps, swaps);
}
END_TEST

START_TEST(a_take_over_compares_the_generation_too_9)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	t.generation--;
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_HELD);
	ck_assert_str_eq(holder(), "node-a");
}
END_TEST

START_TEST(a_take_over_of_an_absent_key_creates_nothing_10)
{
	t = (struct cas_token){ .holder = "node-a", .generation = 41 };
	t2 = t;
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_HELD);
	ck_assert_str_eq(t2.holder, "");
	ck_assert_uint_eq(t2.generation, 0);
	ck_assert_uint_eq(store.swaps, 0);
}
END_TEST

START_TEST(a_race_names_the_winner_11)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.hook = b_takes_over;
	store.hooks = 1;
	ck_assert_int_eq(take_over(&t, "node-c", &t2), CLAIM_HELD);
	ck_assert_str_eq(t2.holder, "node-b");
	ck_assert_uint_gt(t2.generation, t.generation);
}
END_TEST

START_TEST(a_race_that_a_removal_won_names_nobody_11)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.hook = key_goes;
	store.hooks = 1;
	ck_assert_int_eq(take_over(&t, "node-c", &t2), CLAIM_HELD);
	ck_assert_str_eq(t2.holder, "");
}
END_TEST

START_TEST(a_take_over_is_one_read_and_one_swap_12)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.loads = store.swaps = 0;
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_OK);
	ck_assert_uint_eq(store.loads, 1);
	ck_assert_uint_eq(store.swaps, 1);
	store.loads = 0;
	store.hook = b_takes_over;
	store.hooks = 5;
	ck_assert_int_eq(take_over(&t2, "node-c", &t), CLAIM_HELD);
	ck_assert_uint_eq(store.loads, 2);
	ck_assert_uint_eq(store.hooks, 4);
}
END_TEST

START_TEST(a_confirm_between_read_and_take_over_is_not_swapped_away)
{
	struct cas_token from, now = { 0 };
	uint64_t revision;

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(claim_read(&store.cas, KEY, &from, &revision, &why), CLAIM_OK);
	ck_assert_int_eq(confirm(&t, &now), CLAIM_OK);
	ck_assert_int_eq(claim_take_over(&store.cas, KEY, &from, revision, "node-b", &t2, &why),
	    CLAIM_HELD);
	ck_assert_str_eq(t2.holder, "node-a");
	ck_assert_str_eq(holder(), "node-a");
}
END_TEST

START_TEST(a_confirm_is_a_swap_that_keeps_the_token)
{
	uint64_t revision;

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	revision = fake_entry(&store, KEY)->revision;
	ck_assert_int_eq(confirm(&t, &t2), CLAIM_OK);
	ck_assert_uint_gt(fake_entry(&store, KEY)->revision, revision);
	ck_assert_int_eq(claim_read(&store.cas, KEY, &t2, &revision, &why), CLAIM_OK);
	ck_assert_str_eq(t2.holder, "node-a");
	ck_assert_uint_eq(t2.generation, t.generation);
}
END_TEST

START_TEST(a_confirm_of_what_another_has_is_lost_and_names_him)
{
	struct cas_token now = { 0 };

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_OK);
	store.swaps = 0;
	ck_assert_int_eq(confirm(&t, &now), CLAIM_LOST);
	ck_assert_str_eq(now.holder, "node-b");
	ck_assert_uint_eq(now.generation, t2.generation);
	ck_assert_uint_eq(store.swaps, 0);
}
END_TEST

START_TEST(a_confirm_of_a_free_key_is_lost_by_its_marker)
{
	struct cas_token now = { .holder = "x" };

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	key_goes(&store);
	ck_assert_int_eq(confirm(&t, &now), CLAIM_LOST);
	ck_assert_str_eq(now.holder, "");
	/* Won anew since: what it had before is lost all the same. */
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_int_eq(confirm(&t, &now), CLAIM_LOST);
	ck_assert_uint_eq(now.generation, t2.generation);
}
END_TEST

START_TEST(a_confirm_that_meets_a_stale_reader_or_an_empty_stream_proves_nothing)
{
	struct cas_token now = { .holder = "x" };

	/* What the key was before we won it. */
	b_takes_over(&store);
	t = (struct cas_token){ .holder = "node-a", .generation = 60 };
	ck_assert_int_eq(confirm(&t, &now), CLAIM_STORE);
	memset(fake_entry(&store, KEY), 0, sizeof(struct fake_entry));
	ck_assert_int_eq(confirm(&t, &now), CLAIM_STORE);
	ck_assert_str_eq(now.holder, "x");
	ck_assert_uint_eq(store.swaps, 0);
}
END_TEST

static void
a_swap_comes_between(struct fake_cas *f)
{
	char text[96];

	snprintf(text, sizeof(text), "{\"holder\":\"node-a\",\"generation\":%llu}",
	    (unsigned long long)t.generation);
	(void)fake_put(f, KEY, text);
}

START_TEST(a_confirm_that_loses_a_race_reads_again_up_to_3_times)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.hook = a_swap_comes_between;
	store.hooks = 1;
	ck_assert_int_eq(confirm(&t, &t2), CLAIM_OK);
	store.hook = b_takes_over;
	store.hooks = 1;
	ck_assert_int_eq(confirm(&t, &t2), CLAIM_LOST);
	ck_assert_int_eq(take_over(&t2, "node-a", &t), CLAIM_OK);
	store.hook = a_swap_comes_between;
	store.hooks = 9;
	ck_assert_int_eq(confirm(&t, &t2), CLAIM_STORE);
	ck_assert_int_eq(why, CAS_LOST);
}
END_TEST

START_TEST(a_confirm_that_the_store_did_not_answer_proves_nothing)
{
	static const enum cas_result no[] = { CAS_UNAVAILABLE, CAS_UNKNOWN, CAS_BUCKET_LOST };

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	for (size_t i = 0; i < ARRAY_LEN(no); i++) {
		store.swap_fault = no[i];
		ck_assert_int_eq(confirm(&t, &t2), CLAIM_STORE);
		ck_assert_int_eq(why, no[i]);
	}
	store.swap_fault = CAS_OK;
	ck_assert_int_eq(confirm(&t, &t2), CLAIM_OK);
}
END_TEST

START_TEST(an_old_holders_unlock_touches_nothing_13)
{
	uint64_t revision;

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_OK);
	revision = fake_entry(&store, KEY)->revision;
	ck_assert_int_eq(unlock(&t), CLAIM_LOST);
	ck_assert_uint_eq(fake_entry(&store, KEY)->revision, revision);
	ck_assert_str_eq(holder(), "node-b");
}
END_TEST

START_TEST(a_relock_has_a_greater_generation_14)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(unlock(&t), CLAIM_OK);
	ck_assert_str_eq(holder(), "");
	ck_assert_int_eq(lock("node-a", &t2), CLAIM_OK);
	ck_assert_uint_gt(t2.generation, t.generation);
}
END_TEST

START_TEST(an_unlock_of_what_is_free_is_lost_15)
{
	t = (struct cas_token){ .holder = "node-a", .generation = 41 };
	ck_assert_int_eq(unlock(&t), CLAIM_LOST);
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(unlock(&t), CLAIM_OK);
	ck_assert_int_eq(unlock(&t), CLAIM_LOST);
}
END_TEST

START_TEST(an_unlock_compares_the_whole_token_16)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	t2 = (struct cas_token){ .holder = "node-a", .generation = t.generation + 1 };
	ck_assert_int_eq(unlock(&t2), CLAIM_LOST);
	t2 = (struct cas_token){ .holder = "node-b", .generation = t.generation };
	ck_assert_int_eq(unlock(&t2), CLAIM_LOST);
	ck_assert_str_eq(holder(), "node-a");
}
END_TEST

START_TEST(an_unlock_whose_key_moves_reads_again_up_to_3_times_16)
{
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	store.hook = key_moves;
	store.hooks = 2;
	store.loads = 0;
	ck_assert_int_eq(unlock(&t), CLAIM_OK);
	ck_assert_uint_eq(store.loads, 3);
	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	t.generation = 41;
	key_moves(&store);
	store.hooks = 9;
	store.loads = 0;
	ck_assert_int_eq(unlock(&t), CLAIM_LOST);
	ck_assert_uint_eq(store.loads, 3);
}
END_TEST

START_TEST(names_are_independent_17)
{
	struct cas_token other;

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	ck_assert_int_eq(claim_lock(&store.cas, "uefi.i-2", "node-b", &other, &why), CLAIM_OK);
	ck_assert_str_eq(other.holder, "node-b");
	ck_assert_str_eq(holder(), "node-a");
}
END_TEST

START_TEST(a_claim_keeps_no_state_18)
{
	struct fake_cas other = store;		/* another process: the same entries */

	ck_assert_int_eq(lock("node-a", &t), CLAIM_OK);
	memcpy(other.entries, store.entries, sizeof(other.entries));
	other.cas.ctx = &store;
	ck_assert_int_eq(claim_unlock(&other.cas, KEY, &t, &why), CLAIM_OK);
	ck_assert_str_eq(holder(), "");
}
END_TEST

START_TEST(what_is_no_token_blocks_everyone)
{
	(void)fake_put(&store, KEY, "node-a");
	ck_assert_int_eq(lock("node-a", &t), CLAIM_CORRUPT);
	t = (struct cas_token){ .holder = "node-a", .generation = 41 };
	ck_assert_int_eq(take_over(&t, "node-b", &t2), CLAIM_CORRUPT);
	ck_assert_int_eq(unlock(&t), CLAIM_CORRUPT);
	ck_assert_str_eq(fake_entry(&store, KEY)->value, "node-a");
}
END_TEST

START_TEST(a_holder_without_a_name_locks_nothing)
{
	char large[CAS_HOLDER_MAX + 2];

	memset(large, 'n', sizeof(large));
	large[sizeof(large) - 1] = '\0';
	ck_assert_int_eq(lock("", &t), CLAIM_STORE);
	ck_assert_int_eq(why, CAS_INVALID);
	ck_assert_int_eq(lock(large, &t), CLAIM_STORE);
	ck_assert_int_eq(why, CAS_INVALID);
	ck_assert_uint_eq(store.swaps, 0);
}
END_TEST

START_TEST(a_read_of_a_free_key_gives_its_markers_revision)
{
	uint64_t revision = 9;

	ck_assert_int_eq(claim_read(&store.cas, KEY, &t, &revision, &why), CLAIM_OK);
	ck_assert_str_eq(t.holder, "");
	ck_assert_uint_eq(revision, 0);
	key_goes(&store);
	ck_assert_int_eq(claim_read(&store.cas, KEY, &t, &revision, &why), CLAIM_OK);
	ck_assert_uint_eq(revision, 41);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("claim");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, an_absent_key_is_created_by_one_swap_1);
	tcase_add_test(tc, a_second_node_is_refused_with_the_holder_2);
	tcase_add_test(tc, a_restarted_holder_adopts_with_its_generation_3);
	tcase_add_test(tc, adoption_is_a_swap_that_makes_the_generation_explicit_4);
	tcase_add_test(tc, a_stale_read_never_adopts_5);
	tcase_add_test(tc, a_key_that_vanishes_is_tried_3_times_6);
	tcase_add_test(tc, a_key_that_vanished_is_locked_in_the_next_round_6);
	tcase_add_loop_test(tc, a_fault_of_the_store_is_returned_and_not_retried_7, 0,
	    ARRAY_LEN(faults));
	tcase_add_loop_test(tc, a_fault_of_the_read_is_returned_7, 0, ARRAY_LEN(faults));
	tcase_add_test(tc, a_take_over_has_a_greater_generation_8);
	tcase_add_test(tc, a_take_over_from_one_who_lost_it_names_the_holder_9);
	tcase_add_test(tc, a_take_over_compares_the_generation_too_9);
	tcase_add_test(tc, a_take_over_of_an_absent_key_creates_nothing_10);
	tcase_add_test(tc, a_race_names_the_winner_11);
	tcase_add_test(tc, a_race_that_a_removal_won_names_nobody_11);
	tcase_add_test(tc, a_take_over_is_one_read_and_one_swap_12);
	tcase_add_test(tc, a_confirm_between_read_and_take_over_is_not_swapped_away);
	tcase_add_test(tc, a_confirm_is_a_swap_that_keeps_the_token);
	tcase_add_test(tc, a_confirm_of_what_another_has_is_lost_and_names_him);
	tcase_add_test(tc, a_confirm_of_a_free_key_is_lost_by_its_marker);
	tcase_add_test(tc, a_confirm_that_meets_a_stale_reader_or_an_empty_stream_proves_nothing);
	tcase_add_test(tc, a_confirm_that_loses_a_race_reads_again_up_to_3_times);
	tcase_add_test(tc, a_confirm_that_the_store_did_not_answer_proves_nothing);
	tcase_add_test(tc, an_old_holders_unlock_touches_nothing_13);
	tcase_add_test(tc, a_relock_has_a_greater_generation_14);
	tcase_add_test(tc, an_unlock_of_what_is_free_is_lost_15);
	tcase_add_test(tc, an_unlock_compares_the_whole_token_16);
	tcase_add_test(tc, an_unlock_whose_key_moves_reads_again_up_to_3_times_16);
	tcase_add_test(tc, names_are_independent_17);
	tcase_add_test(tc, a_claim_keeps_no_state_18);
	tcase_add_test(tc, what_is_no_token_blocks_everyone);
	tcase_add_test(tc, a_holder_without_a_name_locks_nothing);
	tcase_add_test(tc, a_read_of_a_free_key_gives_its_markers_revision);
	return unit_run("claim", tc);
}
