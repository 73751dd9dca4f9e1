#include <check.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "gwd/route_rule.h"

struct route_case {
	struct route_attempt	 a;	/* came, handled, tries, has_queue, at_queue */
	enum route_next		 next;
};
static const struct route_case route_cases[] = {
	{ { ROUTE_CAME_ANSWER,	 true,	1, true,  false }, ROUTE_RELAY },
	{ { ROUTE_CAME_ANSWER,	 false,	1, true,  false }, ROUTE_RELAY },
	/* an error of the owner is final with the header, and without it unless internal */
	{ { ROUTE_CAME_ERROR,	 true,	1, true,  false }, ROUTE_RELAY },
	{ { ROUTE_CAME_ERROR,	 false,	1, true,  false }, ROUTE_RELAY },
	{ { ROUTE_CAME_INTERNAL, true,	1, true,  false }, ROUTE_RELAY },
	{ { ROUTE_CAME_INTERNAL, false,	1, true,  false }, ROUTE_QUEUE },
	{ { ROUTE_CAME_INTERNAL, false,	1, false, false }, ROUTE_RELAY },
	{ { ROUTE_CAME_INTERNAL, false,	3, true,  true  }, ROUTE_RELAY },
	/* nobody: three tries, then the queue, and nobody there either is unavailable */
	{ { ROUTE_CAME_NOBODY,	 false,	1, true,  false }, ROUTE_AGAIN },
	{ { ROUTE_CAME_NOBODY,	 false,	2, true,  false }, ROUTE_AGAIN },
	{ { ROUTE_CAME_NOBODY,	 false,	3, true,  false }, ROUTE_QUEUE },
	{ { ROUTE_CAME_NOBODY,	 false,	3, false, false }, ROUTE_UNAVAILABLE },
	{ { ROUTE_CAME_NOBODY,	 false,	3, true,  true  }, ROUTE_UNAVAILABLE },
	{ { ROUTE_CAME_NOT_SENT, false,	1, true,  false }, ROUTE_UNAVAILABLE },
	/* a timeout is never followed by a second attempt, wherever it was */
	{ { ROUTE_CAME_TIMEOUT,	 false,	1, true,  false }, ROUTE_UNKNOWN },
	{ { ROUTE_CAME_TIMEOUT,	 false,	2, false, false }, ROUTE_UNKNOWN },
	{ { ROUTE_CAME_TIMEOUT,	 false,	3, true,  true  }, ROUTE_UNKNOWN },
};

START_TEST(an_attempt_is_followed_as_the_table_says_1_9)
{
	ck_assert_int_eq(route_decide(&route_cases[_i].a), route_cases[_i].next);
}
END_TEST

START_TEST(the_owner_is_tried_three_times_with_two_pauses_1_9)
{
	struct route_attempt a = { .came = ROUTE_CAME_NOBODY, .has_queue = true };
	unsigned pauses = 0;

	for (a.tries = 1; route_decide(&a) == ROUTE_AGAIN; a.tries++) {
		ck_assert_uint_gt(route_pause_ms(a.tries), 0);
		pauses++;
	}
	ck_assert_uint_eq(pauses, 2);
	ck_assert_uint_eq(a.tries, ROUTE_OWNER_TRIES);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("route");
	TCase *t = tcase_create("route");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, an_attempt_is_followed_as_the_table_says_1_9, 0,
	    (int)ARRAY_LEN(route_cases));
	tcase_add_test(t, the_owner_is_tried_three_times_with_two_pauses_1_9);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
