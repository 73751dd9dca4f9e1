/*
 * Who asks what somebody is being asked already gets that answer while it is young, or waits for the
 * next; none is older than it may be, or than the last change before its question.
 */
#include <errno.h>
#include <string.h>

#include "common/buf.h"
#include "common/loop.h"
#include "tests/unit/unit.h"

/* That the module may make yet. */
static size_t allocations = SIZE_MAX;

static bool
has_memory(void)
{
	const bool has = allocations > 0;

	allocations -= has && allocations != SIZE_MAX;
	return has;
}

#define calloc(n, size)	(has_memory() ? calloc(n, size) : NULL)
#define strdup(text)	(has_memory() ? strdup(text) : NULL)
#include "gwd/share.c"
#undef calloc
#undef strdup

#define ASKERS	24
#define STEPS	4000
#define AGE_MS	5
#define AGE_US	(AGE_MS * 1000)
#define KEPT	(SHARE_KEPT_MAX + 1)	/* questions */

struct asker {
	struct share	 share;
	const char	*question;	/* NULL: asks nothing */
	uint64_t	 asked_us, begun_us;
	uint64_t	 changes;	/* that it must see: those before it was asked */
	uint64_t	 seen;		/* that its answer will show: those before it was begun */
	bool		 runs;
};
struct told {
	uint64_t	begun_us, seen;
};

static struct world {
	struct loop	*loop;
	struct shares	*shares;
	struct asker	 asker[ASKERS];
	uint64_t	 age_us, now_us, changes;
} *w;

static struct asker *
running(const char *question)
{
	struct asker *found = NULL;

	for (size_t i = 0; i < ASKERS; i++) {
		struct asker *a = &w->asker[i];

		if (!a->question || !a->runs || strcmp(a->question, question) != 0)
			continue;
		ck_assert_ptr_null(found);	/* one at a time */
		found = a;
	}
	return found;
}

static void
lead(struct asker *a)
{
	AUTO(str) char *question = strdup(a->question);

	ck_assert_ptr_nonnull(question);
	share_lead(w->shares, &a->share, &question, w->now_us);
	a->runs = true;
	a->begun_us = w->now_us;
	a->seen = w->changes;
}

static void
begin(void *arg)
{
	struct asker *a = arg;

	ck_assert(!a->runs);
	ck_assert(share_has_begun(&a->share));
	ck_assert_ptr_null(running(a->question));
	lead(a);
}

static void
setup_age(uint64_t age_ms)
{
	w = calloc(1, sizeof(*w));
	ck_assert_ptr_nonnull(w);
	w->now_us = 1000000;
	w->age_us = age_ms * 1000;
	ck_assert_int_eq(loop_new(&w->loop), 0);
	ck_assert_int_eq(shares_new(w->loop, age_ms, begin, &w->shares), 0);
}

static void
setup_strict(void)
{
	setup_age(0);
}

static void
setup(void)
{
	setup_age(AGE_MS);
}

/* May that be told to one who asked? */
static void
check_told(const struct asker *a, const struct told *t)
{
	ck_assert_uint_ge(t->seen, a->changes);
	ck_assert(a->asked_us <= t->begun_us || a->asked_us - t->begun_us < w->age_us);
}

static const struct told *
kept(const char *question)
{
	const struct share_answer *k = share_kept(w->shares, question, w->now_us);

	return k ? (const void *)k->body.data : NULL;
}

static void
ask(struct asker *a, const char *question)
{
	const struct told *t;

	w->now_us++;
	*a = (struct asker){ .question = question, .asked_us = w->now_us, .changes = w->changes,
	    .share.arg = a };
	if ((t = kept(question))) {
		check_told(a, t);
		*a = (struct asker){ 0 };
		return;
	}
	if (share_join(w->shares, &a->share, question, w->now_us))
		return;
	ck_assert_ptr_null(running(question));
	lead(a);
}

static void
change(void)
{
	w->changes++;
	shares_changed(w->shares);
}

static void
leave(struct asker *a)
{
	share_leave(&a->share);
	*a = (struct asker){ 0 };
}

/* How many were answered. */
static size_t
answer(struct asker *a)
{
	const struct told told = { a->begun_us, a->seen };
	AUTO(buf) struct buf body = BUF_EMPTY(sizeof(told));
	struct share *p;
	size_t n = 1;

	w->now_us++;
	ck_assert_int_eq(buf_add(&body, &told, sizeof(told)), 0);
	share_keep(&a->share, a->question, &body, 3, w->now_us);
	check_told(a, &told);
	for (; (p = share_twin(&a->share)); n++) {
		struct asker *twin = p->arg;

		ck_assert_str_eq(twin->question, a->question);
		check_told(twin, &told);
		leave(twin);
	}
	leave(a);
	return n;
}

static void
turn(void)
{
	ck_assert_int_ge(loop_step(w->loop, 0), 0);
	w->now_us++;
}

static void
teardown(void)
{
	for (size_t i = 0; i < ASKERS; i++)
		share_leave(&w->asker[i].share);
	shares_free(w->shares);
	loop_free(w->loop);
	free(w);
}

START_TEST(who_comes_too_late_waits_for_the_next_answer_with_all_others)
{
	struct asker *a = w->asker;

	for (size_t i = 0; i < 4; i++)
		ask(&a[i], "q");
	ask(&a[4], "other");
	ck_assert(a[0].runs && a[4].runs && !a[1].runs);
	ck_assert_ptr_eq(share_waits_for(&a[3].share), &a[0].share);
	ck_assert_uint_eq(answer(&a[0]), 1);
	ck_assert(!a[1].runs);
	ask(&a[5], "q");		/* the next answer has not begun yet */
	turn();
	ck_assert(a[1].runs);
	ask(&a[6], "q");		/* it has */
	ck_assert_uint_eq(answer(&a[1]), 4);
	turn();
	ck_assert(a[6].runs);
	ck_assert(!share_has_twins(&a[6].share));
}
END_TEST

START_TEST(a_young_answer_is_for_those_who_ask_meanwhile_and_just_after)
{
	struct asker *a = w->asker;
	const struct share_answer *k;

	ask(&a[0], "q");
	w->now_us += AGE_US - 2;
	ask(&a[1], "q");		/* in the last moment */
	ask(&a[2], "q");		/* a moment too late */
	w->now_us -= AGE_US / 2;	/* as if it had been asked sooner */
	ck_assert_uint_eq(answer(&a[0]), 2);
	k = share_kept(w->shares, "q", w->now_us);
	ck_assert_ptr_nonnull(k);
	ck_assert_str_eq(k->what, "q");	/* somebody is asked already for the next */
	ck_assert_uint_eq(k->mark, 3);
	ask(&a[3], "q");
	ck_assert_ptr_null(a[3].question);	/* told at once */
	ck_assert_ptr_null(kept("other"));
	w->now_us = a[2].asked_us;
	ck_assert_ptr_null(kept("q"));
	turn();
	ck_assert(a[2].runs);
	ask(&a[3], "q");
	ck_assert(share_has_twins(&a[2].share));	/* young since it was begun */
	ck_assert_uint_eq(answer(&a[2]), 2);
}
END_TEST

START_TEST(one_alone_is_never_told_what_was_found_before_it_asked)
{
	struct asker *a = w->asker;

	ask(&a[0], "q");
	ck_assert_uint_eq(answer(&a[0]), 1);
	ck_assert_ptr_null(kept("q"));
	ask(&a[0], "q");
	ck_assert(a[0].runs);
}
END_TEST

START_TEST(a_crowd_does_not_wait_for_the_next_answer)
{
	struct asker *a = w->asker;
	uint64_t begun;

	ask(&a[0], "q");
	ask(&a[1], "q");
	begun = a[0].begun_us;
	ck_assert_uint_eq(answer(&a[0]), 2);
	w->now_us = begun + AGE_US / 2 - 2;
	ask(&a[0], "q");
	ck_assert_ptr_null(a[0].question);	/* told at once */
	ask(&a[0], "q");
	ck_assert(a[0].runs);			/* half its age is over: this one asks */
	ask(&a[1], "q");
	ck_assert_ptr_null(a[1].question);	/* the others are told still */
	begun = a[0].begun_us;
	ck_assert_uint_eq(answer(&a[0]), 1);
	ask(&a[1], "q");
	ck_assert_ptr_null(a[1].question);	/* by the next, which is kept for them */

	w->now_us = begun + AGE_US / 2;
	ask(&a[0], "q");
	ck_assert(a[0].runs);
	ck_assert_uint_eq(answer(&a[0]), 1);	/* nobody else asked meanwhile */
	ask(&a[0], "q");
	ck_assert(a[0].runs);			/* so it is alone again */
}
END_TEST

START_TEST(a_change_ends_what_was_begun_before_it)
{
	struct asker *a = w->asker;

	ask(&a[0], "q");
	ask(&a[1], "q");
	ck_assert_uint_eq(answer(&a[0]), 2);
	ck_assert_ptr_nonnull(kept("q"));
	change();
	ck_assert_ptr_null(kept("q"));

	ask(&a[0], "q");
	ask(&a[1], "q");
	change();
	ask(&a[2], "q");		/* must see it */
	ck_assert_uint_eq(answer(&a[0]), 2);
	ck_assert_ptr_null(kept("q"));
	turn();
	ck_assert(a[2].runs);
}
END_TEST

START_TEST(an_answer_that_took_longer_is_not_kept)
{
	struct asker *a = w->asker;

	ask(&a[0], "q");
	ask(&a[1], "q");
	w->now_us += AGE_US;
	ck_assert_uint_eq(answer(&a[0]), 2);
	ck_assert_ptr_null(kept("q"));
}
END_TEST

START_TEST(no_more_is_kept_than_there_is_room_for)
{
	static char names[KEPT][8];
	AUTO(buf) struct buf large = BUF_EMPTY(SHARE_KEPT_BYTES_MAX + 1);
	AUTO(mem) void *zeros = calloc(1, SHARE_KEPT_BYTES_MAX + 1);
	struct asker *a = w->asker;

	for (size_t i = 0; i < KEPT; i++) {
		snprintf(names[i], sizeof(names[i]), "q%zu", i);
		ask(&a[0], names[i]);
		ask(&a[1], names[i]);
		ck_assert_uint_eq(answer(&a[0]), 2);
	}
	ck_assert_ptr_null(kept(names[0]));	/* the oldest had to go */
	for (size_t i = 1; i < KEPT; i++)
		ck_assert_ptr_nonnull(kept(names[i]));

	ck_assert_ptr_nonnull(zeros);
	for (size_t less = 0; less < 2; less++) {
		const size_t size = SHARE_KEPT_BYTES_MAX + 1 - less;

		large.len = 0;
		ck_assert_int_eq(buf_add(&large, zeros, size), 0);
		ask(&a[0], "large");
		ask(&a[1], "large");
		share_keep(&a[0].share, "large", &large, 0, w->now_us);
		ck_assert_int_eq(share_kept(w->shares, "large", w->now_us) != NULL, less == 1);
		leave(&a[1]);
		leave(&a[0]);
	}
}
END_TEST

START_TEST(an_answer_that_there_is_no_memory_to_keep_is_told_to_all_who_wait)
{
	struct asker *a = w->asker;

	for (size_t n = 0; n < 2; n++) {	/* that there is memory for */
		ask(&a[0], "q");
		ask(&a[1], "q");
		allocations = n;
		ck_assert_uint_eq(answer(&a[0]), 2);
		ck_assert_uint_eq(allocations, 0);
		allocations = SIZE_MAX;
		ck_assert_ptr_null(kept("q"));
	}
}
END_TEST

START_TEST(what_was_kept_is_told_while_there_is_no_memory_for_the_next)
{
	struct asker *a = w->asker;

	ask(&a[0], "q");
	ask(&a[1], "q");
	ck_assert_uint_eq(answer(&a[0]), 2);
	w->now_us += AGE_US / 2;
	for (size_t n = 0; n < 2; n++) {
		ask(&a[0], "q");
		ck_assert(a[0].runs);
		ask(&a[1], "q");
		ck_assert_ptr_null(a[1].question);	/* told at once */
		allocations = n;
		ck_assert_uint_eq(answer(&a[0]), 1);
		ck_assert_uint_eq(allocations, 0);
		allocations = SIZE_MAX;
	}
	w->now_us += AGE_US;
	ask(&a[0], "q");
	ask(&a[1], "q");
	ck_assert(share_has_twins(&a[0].share));	/* it is too old by now */
}
END_TEST

START_TEST(one_that_leaves_holds_up_nobody)
{
	struct asker *a = w->asker;

	for (size_t i = 0; i < 5; i++)
		ask(&a[i], "q");
	leave(&a[2]);			/* while it waits */
	leave(&a[0]);			/* while it runs */
	ck_assert(!share_has_begun(&a[1].share));
	leave(&a[1]);			/* before it is begun */
	turn();
	ck_assert(a[3].runs);
	ck_assert(share_has_twins(&a[3].share));
	ck_assert_uint_eq(answer(&a[3]), 2);
	turn();
	ask(&a[0], "q");
	ck_assert(a[0].runs);		/* nobody is left that asks it */
}
END_TEST

/* Any order of asking, answering, changing and leaving: nobody is forgotten, and what begin,
 * check_told and running hold is held. */
START_TEST(nobody_is_forgotten_in_any_order)
{
	static const char *const questions[] = { "a", "b", "c" };
	unsigned seed = (unsigned)_i;
	size_t left = ASKERS;

	for (size_t n = 0; n < STEPS; n++) {
		struct asker *a = &w->asker[(size_t)rand_r(&seed) % ASKERS];
		const int what = rand_r(&seed) % 16;

		w->now_us += (uint64_t)rand_r(&seed) % (AGE_US / 4);

		if (!a->question)
			ask(a, questions[(size_t)rand_r(&seed) % ARRAY_LEN(questions)]);
		else if (what == 0)
			leave(a);
		else if (what < 8 && a->runs)
			(void)answer(a);
		else if (what < 10)
			turn();
		else if (what == 10)
			change();
	}
	while (left > 0) {
		turn();
		left = 0;
		for (size_t i = 0; i < ASKERS; i++) {
			struct asker *a = &w->asker[i];

			left += a->question != NULL;
			ck_assert_msg(!a->question || running(a->question), "seed %d: %zu waits for "
			    "nobody", _i, i);
		}
		for (size_t i = 0; i < ASKERS; i++)
			if (w->asker[i].runs)
				(void)answer(&w->asker[i]);
	}
}
END_TEST

int
main(void)
{
	TCase *strict = tcase_create("strict"), *young = tcase_create("young");

	tcase_add_checked_fixture(strict, setup_strict, teardown);
	tcase_add_test(strict, who_comes_too_late_waits_for_the_next_answer_with_all_others);
	tcase_add_test(strict, one_that_leaves_holds_up_nobody);
	tcase_add_loop_test(strict, nobody_is_forgotten_in_any_order, 0, 50);
	tcase_add_checked_fixture(young, setup, teardown);
	tcase_add_test(young, a_young_answer_is_for_those_who_ask_meanwhile_and_just_after);
	tcase_add_test(young, one_alone_is_never_told_what_was_found_before_it_asked);
	tcase_add_test(young, a_crowd_does_not_wait_for_the_next_answer);
	tcase_add_test(young, a_change_ends_what_was_begun_before_it);
	tcase_add_test(young, an_answer_that_took_longer_is_not_kept);
	tcase_add_test(young, no_more_is_kept_than_there_is_room_for);
	tcase_add_test(young, an_answer_that_there_is_no_memory_to_keep_is_told_to_all_who_wait);
	tcase_add_test(young, what_was_kept_is_told_while_there_is_no_memory_for_the_next);
	tcase_add_loop_test(young, nobody_is_forgotten_in_any_order, 0, 50);
	return unit_run_two("share", strict, young);
}
