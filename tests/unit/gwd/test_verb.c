#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/verb.h"

struct verb_case {
	const struct verb	*verb;
	/* pending, running, shutting-down, terminated, stopping, stopped: '.' may, 'x' refused,
	 * 's' may and is settled */
	const char		*may;
};
static const struct verb_case verb_cases[] = {
	{ &verb_start,			"..xxx." },
	{ &verb_stop,			"x.xx.s" },
	{ &verb_reboot,			"x.xxxx" },
	{ &verb_terminate,		"...s.." },
	{ &verb_console,		"......" },
	{ &verb_set_tags,		"......" },
	{ &verb_remove_tags,		"......" },
	{ &verb_set_termination,	"..xx.." },
	{ &verb_set_stop,		"..xx.." },
	{ &verb_set_attribute,		"..xx.." },
};

START_TEST(a_state_refuses_a_verb_as_the_table_says)
{
	const struct verb_case *c = &verb_cases[_i];

	for (int n = 0; n < 6; n++) {
		char why[VERB_MESSAGE_MAX] = "";
		enum instance_state s = (enum instance_state)(16 * n);
		const char *code = verb_refusal(c->verb, "i-0123456789abcdef0", s, why);

		ck_assert_msg((code != NULL) == (c->may[n] == 'x'), "%s %s", c->verb->attribute,
		    instance_state_name(s));
		ck_assert(verb_is_settled(c->verb, s) == (c->may[n] == 's'));
		if (code) {
			ck_assert_str_eq(code, "IncorrectInstanceState");
			ck_assert_ptr_nonnull(strstr(why, "i-0123456789abcdef0"));
		}
	}
}
END_TEST

START_TEST(only_a_start_goes_to_the_queue)
{
	for (size_t i = 0; i < ARRAY_LEN(verb_cases); i++)
		ck_assert((verb_cases[i].verb->queue != NULL) ==
		    (verb_cases[i].verb == &verb_start));
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("verb");
	TCase *t = tcase_create("verb");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, a_state_refuses_a_verb_as_the_table_says, 0,
	    (int)ARRAY_LEN(verb_cases));
	tcase_add_test(t, only_a_start_goes_to_the_queue);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
