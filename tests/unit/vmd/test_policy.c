#include "vmd/policy.h"

#include <check.h>
#include <string.h>

#define START	POLICY_START
#define STOP	POLICY_STOP
#define REBOOT	POLICY_REBOOT
#define TERM	POLICY_TERMINATE

static const struct {
	enum instance_state	 state;
	enum policy_command	 command;
	enum policy_verdict	 verdict;
} rows[] = {
	{ INSTANCE_PENDING,	START,	POLICY_NOTHING },
	{ INSTANCE_PENDING,	STOP,	POLICY_REFUSED },
	{ INSTANCE_PENDING,	REBOOT,	POLICY_REFUSED },
	{ INSTANCE_PENDING,	TERM,	POLICY_DO },
	{ INSTANCE_RUNNING,	START,	POLICY_NOTHING },
	{ INSTANCE_RUNNING,	STOP,	POLICY_DO },
	{ INSTANCE_RUNNING,	REBOOT,	POLICY_DO },
	{ INSTANCE_RUNNING,	TERM,	POLICY_DO },
	{ INSTANCE_STOPPING,	START,	POLICY_REFUSED },
	{ INSTANCE_STOPPING,	STOP,	POLICY_NOTHING },
	{ INSTANCE_STOPPING,	REBOOT,	POLICY_REFUSED },
	{ INSTANCE_STOPPING,	TERM,	POLICY_DO },
	{ INSTANCE_STOPPED,	START,	POLICY_DO },
	{ INSTANCE_STOPPED,	STOP,	POLICY_NOTHING },
	{ INSTANCE_STOPPED,	REBOOT,	POLICY_REFUSED },
	{ INSTANCE_STOPPED,	TERM,	POLICY_DO },
	{ INSTANCE_SHUTTING_DOWN, START, POLICY_REFUSED },
	{ INSTANCE_SHUTTING_DOWN, STOP,	POLICY_REFUSED },
	{ INSTANCE_SHUTTING_DOWN, REBOOT, POLICY_REFUSED },
	{ INSTANCE_SHUTTING_DOWN, TERM,	POLICY_NOTHING },
	{ INSTANCE_TERMINATED,	START,	POLICY_REFUSED },
	{ INSTANCE_TERMINATED,	STOP,	POLICY_REFUSED },
	{ INSTANCE_TERMINATED,	REBOOT,	POLICY_REFUSED },
	{ INSTANCE_TERMINATED,	TERM,	POLICY_NOTHING },
};

START_TEST(each_command_does_in_each_state_what_ec2_does)
{
	const struct policy_ask a = { .command = rows[_i].command };

	ck_assert_int_eq(policy_judge(rows[_i].state, &a), rows[_i].verdict);
}
END_TEST

START_TEST(every_done_command_has_a_move)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		static const enum instance_state to[] = { [START] = INSTANCE_PENDING,
			[STOP] = INSTANCE_STOPPING, [TERM] = INSTANCE_SHUTTING_DOWN };

		if (rows[i].verdict == POLICY_DO && rows[i].command != REBOOT)
			ck_assert(instance_may_move(rows[i].state, to[rows[i].command]));
	}
}
END_TEST

START_TEST(a_forced_stop_hurries_one_that_stops)
{
	const struct policy_ask a = { .command = STOP, .force = true };

	ck_assert_int_eq(policy_judge(INSTANCE_STOPPING, &a), POLICY_HURRY);
	ck_assert_int_eq(policy_judge(INSTANCE_STOPPED, &a), POLICY_NOTHING);
	ck_assert_int_eq(policy_judge(INSTANCE_RUNNING, &a), POLICY_DO);
	ck_assert_int_eq(policy_judge(INSTANCE_PENDING, &a), POLICY_REFUSED);
}
END_TEST

START_TEST(protection_holds_where_something_would_happen)
{
	const struct policy_ask term = { .command = TERM, .keep_alive = true };
	const struct policy_ask stop = { .command = STOP, .keep_running = true };
	char text[POLICY_TEXT_MAX];

	ck_assert_int_eq(policy_judge(INSTANCE_RUNNING, &term), POLICY_PROTECTED);
	ck_assert_int_eq(policy_judge(INSTANCE_STOPPED, &term), POLICY_PROTECTED);
	ck_assert_int_eq(policy_judge(INSTANCE_TERMINATED, &term), POLICY_NOTHING);
	ck_assert_int_eq(policy_judge(INSTANCE_RUNNING, &stop), POLICY_PROTECTED);
	ck_assert_str_eq(policy_refusal(POLICY_PROTECTED, TERM, "i-1", text),
	    "OperationNotPermitted");
	ck_assert_str_eq(text, "The instance 'i-1' may not be terminated. Modify its "
	    "'disableApiTermination' instance attribute and try again.");
	ck_assert_str_eq(policy_refusal(POLICY_REFUSED, STOP, "i-1", text),
	    "IncorrectInstanceState");
	ck_assert_str_eq(text, "This instance 'i-1' is not in a state from which it can be "
	    "stopped.");
	policy_refusal(POLICY_REFUSED, START, "i-1", text);
	ck_assert_str_eq(text, "The instance 'i-1' is not in a state from which it can be "
	    "started.");
}
END_TEST

static enum policy_end
ended(enum instance_state s, const char *reason, bool terminate, struct policy_restarts *h,
    uint64_t now_ms)
{
	uint64_t delay_ms = 0;

	return policy_ended(s, reason, terminate, h, now_ms, &delay_ms);
}

START_TEST(a_guests_own_power_off_is_not_a_crash)
{
	struct policy_restarts h = { 0 };

	ck_assert_int_eq(ended(INSTANCE_RUNNING, "guest-shutdown", false, &h, 1), POLICY_END_STOP);
	ck_assert_int_eq(ended(INSTANCE_RUNNING, "guest-shutdown", true, &h, 1),
	    POLICY_END_TERMINATE);
	ck_assert_uint_eq(h.n, 0);
	ck_assert_int_eq(ended(INSTANCE_STOPPING, "host-qmp-quit", true, &h, 1), POLICY_END_STOP);
	ck_assert_int_eq(ended(INSTANCE_STOPPING, "", false, &h, 1), POLICY_END_STOP);
	ck_assert_int_eq(ended(INSTANCE_SHUTTING_DOWN, "guest-shutdown", false, &h, 1),
	    POLICY_END_TERMINATE);
}
END_TEST

START_TEST(a_crash_is_restarted_three_times_in_ten_minutes)
{
	struct policy_restarts h = { 0 };
	uint64_t delay_ms, before_ms = 0;

	for (uint64_t t = 1000; t <= 3000; t += 1000) {
		ck_assert_int_eq(policy_ended(INSTANCE_RUNNING, "", false, &h, t, &delay_ms),
		    POLICY_END_RESTART);
		ck_assert_uint_gt(delay_ms, before_ms);
		before_ms = delay_ms;
	}
	ck_assert_int_eq(ended(INSTANCE_RUNNING, "host-signal", true, &h, 4000),
	    POLICY_END_GIVE_UP);
	/* The first is ten minutes old: one more. */
	ck_assert_int_eq(ended(INSTANCE_RUNNING, "", false, &h, 1000 + POLICY_RESTART_MS),
	    POLICY_END_RESTART);
	ck_assert_int_eq(ended(INSTANCE_RUNNING, "", false, &h, 1001 + POLICY_RESTART_MS),
	    POLICY_END_GIVE_UP);
}
END_TEST

START_TEST(reasons_are_ec2s_words)
{
	struct instance i = { 0 };

	policy_explain(&i, POLICY_WHY_USER, 1795914000000u, NULL);
	ck_assert_str_eq(i.reason_code, "Client.UserInitiatedShutdown");
	ck_assert_str_eq(i.reason_message,
	    "Client.UserInitiatedShutdown: User initiated shutdown");
	ck_assert_str_eq(i.transition_reason, "User initiated (2026-11-29 01:00:00 GMT)");
	ck_assert_str_eq(i.stopped_by, "user");
	policy_explain(&i, POLICY_WHY_LAUNCH, 1795914000000u, "no disk");
	ck_assert_str_eq(i.reason_code, "Server.InternalError");
	ck_assert_ptr_nonnull(strstr(i.reason_message, "no disk"));
	policy_explain(&i, POLICY_WHY_NONE, 0, NULL);
	ck_assert(!*i.reason_code && !*i.reason_message && !*i.transition_reason && !*i.stopped_by);
}
END_TEST

START_TEST(only_a_stopped_instance_that_says_so_owes_its_variables)
{
	struct instance i = { .state = INSTANCE_STOPPED };

	ck_assert(!policy_is_owed(&i));
	snprintf(i.reason_code, sizeof(i.reason_code), "%s", POLICY_OWED);
	ck_assert(policy_is_owed(&i));
	i.state = INSTANCE_PENDING;
	ck_assert(!policy_is_owed(&i));
	i.state = INSTANCE_STOPPED;
	policy_explain(&i, POLICY_WHY_USER, 0, NULL);
	ck_assert(!policy_is_owed(&i));
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("policy");
	TCase *tc = tcase_create("policy");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_loop_test(tc, each_command_does_in_each_state_what_ec2_does, 0,
	    (int)ARRAY_LEN(rows));
	tcase_add_test(tc, every_done_command_has_a_move);
	tcase_add_test(tc, a_forced_stop_hurries_one_that_stops);
	tcase_add_test(tc, protection_holds_where_something_would_happen);
	tcase_add_test(tc, a_guests_own_power_off_is_not_a_crash);
	tcase_add_test(tc, a_crash_is_restarted_three_times_in_ten_minutes);
	tcase_add_test(tc, reasons_are_ec2s_words);
	tcase_add_test(tc, only_a_stopped_instance_that_says_so_owes_its_variables);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
