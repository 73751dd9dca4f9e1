/* Who asks what somebody is being asked already waits for the next answer, and for that only. */
#include "gwd/share.h"

#include <string.h>

#include "common/loop.h"
#include "tests/unit/unit.h"

#define ASKERS	24
#define STEPS	4000

struct asker {
	struct share	 share;
	const char	*question;	/* NULL: asks nothing */
	unsigned	 asked, begun;	/* at which step */
	bool		 runs;
};

static struct world {
	struct loop	*loop;
	struct shares	*shares;
	struct asker	 asker[ASKERS];
	unsigned	 step;
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
begin(void *arg)
{
	struct asker *a = arg;

	ck_assert(!a->runs);
	ck_assert(share_has_begun(&a->share));
	ck_assert_ptr_null(running(a->question));
	ck_assert(share_lead(w->shares, &a->share, a->question));
	a->runs = true;
	a->begun = w->step;
}

static void
setup(void)
{
	w = calloc(1, sizeof(*w));
	ck_assert_ptr_nonnull(w);
	ck_assert_int_eq(loop_new(&w->loop), 0);
	ck_assert_int_eq(shares_new(w->loop, begin, &w->shares), 0);
}

static void
ask(struct asker *a, const char *question)
{
	w->step++;
	*a = (struct asker){ .question = question, .asked = w->step, .share.arg = a };
	if (share_join(w->shares, &a->share, question))
		return;
	ck_assert_ptr_null(running(question));
	ck_assert(share_lead(w->shares, &a->share, question));
	a->runs = true;
	a->begun = w->step;
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
	struct share *p;
	size_t n = 1;

	w->step++;
	for (; (p = share_twin(&a->share)); n++) {
		struct asker *twin = p->arg;

		ck_assert_str_eq(twin->question, a->question);
		ck_assert_uint_le(twin->asked, a->begun);	/* no older than its question */
		leave(twin);
	}
	leave(a);
	return n;
}

static void
turn(void)
{
	ck_assert_int_ge(loop_step(w->loop, 0), 0);
	w->step++;
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

/* Any order of asking, answering and leaving: nobody is forgotten, and what begin, answer and
 * running hold is held. */
START_TEST(nobody_is_forgotten_in_any_order)
{
	static const char *const questions[] = { "a", "b", "c" };
	unsigned seed = (unsigned)_i;
	size_t left = ASKERS;

	for (size_t n = 0; n < STEPS; n++) {
		struct asker *a = &w->asker[(size_t)rand_r(&seed) % ASKERS];
		const int what = rand_r(&seed) % 8;

		if (!a->question)
			ask(a, questions[(size_t)rand_r(&seed) % ARRAY_LEN(questions)]);
		else if (what == 0)
			leave(a);
		else if (what < 4 && a->runs)
			(void)answer(a);
		else if (what == 4)
			turn();
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
	TCase *tc = tcase_create("share");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, who_comes_too_late_waits_for_the_next_answer_with_all_others);
	tcase_add_test(tc, one_that_leaves_holds_up_nobody);
	tcase_add_loop_test(tc, nobody_is_forgotten_in_any_order, 0, 50);
	return unit_run("share", tc);
}
