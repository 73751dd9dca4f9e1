#include "vmd/guest_text.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

#define BOOT	"226cc68e-95aa-4252-ac62-ef49783ae588"

START_TEST(a_held_lock_names_its_processes)
{
	static const char text[] = "{\"launch_id\":\"L-1\",\"boot_id\":\"" BOOT "\",\"pid\":10680,"
	    "\"start\":18446744073709551615,\"guard\":10679,\"guard_start\":135919}\n";
	struct guest_identity id;

	ck_assert_int_eq(guest_identity_parse(text, strlen(text), &id), 0);
	ck_assert_str_eq(id.launch_id, "L-1");
	ck_assert_str_eq(id.boot_id, BOOT);
	ck_assert_uint_eq(id.pid, 10680);
	ck_assert_uint_eq(id.start, UINT64_MAX);
	ck_assert_uint_eq(id.guard, 10679);
	ck_assert_uint_eq(id.guard_start, 135919);
}
END_TEST

static const char *const bad_identities[] = {
	"{", "{}", "[]",
	/* cut: the holder is writing */
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT "\",\"pid\":1068",
	/* process 1 and process 0 are nobody's guest */
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT
	    "\",\"pid\":1,\"start\":1,\"guard\":2,\"guard_start\":1}",
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT
	    "\",\"pid\":2,\"start\":1,\"guard\":0,\"guard_start\":1}",
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT
	    "\",\"pid\":2,\"start\":0,\"guard\":3,\"guard_start\":1}",
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT
	    "\",\"pid\":-2,\"start\":1,\"guard\":3,\"guard_start\":1}",
	"{\"launch_id\":\"L\",\"boot_id\":\"" BOOT
	    "\",\"pid\":4294967296,\"start\":1,\"guard\":3,\"guard_start\":1}",
	"{\"launch_id\":\"L\",\"boot_id\":\"short\",\"pid\":2,\"start\":1,\"guard\":3,"
	    "\"guard_start\":1}",
	"{\"launch_id\":\"\",\"boot_id\":\"" BOOT
	    "\",\"pid\":2,\"start\":1,\"guard\":3,\"guard_start\":1}",
};

START_TEST(a_text_that_names_nobody_for_sure_is_refused)
{
	struct guest_identity id = { .pid = 7 };

	ck_assert_int_eq(guest_identity_parse(bad_identities[_i], strlen(bad_identities[_i]), &id),
	    -EINVAL);
	ck_assert_uint_eq(id.pid, 7);
}
END_TEST

START_TEST(an_empty_lock_is_one_whose_holder_has_not_written_yet)
{
	struct guest_identity id;

	ck_assert_int_eq(guest_identity_parse("", 0, &id), -ENODATA);
}
END_TEST

START_TEST(an_end_tells_status_and_signal)
{
	static const char text[] = "{\"launch_id\":\"L\",\"status\":3,\"signal\":0}\n";
	static const char over[] = "{\"launch_id\":\"L\",\"status\":256,\"signal\":0}\n";
	struct guest_end end;

	ck_assert_int_eq(guest_end_parse(text, strlen(text), &end), 0);
	ck_assert_str_eq(end.launch_id, "L");
	ck_assert_int_eq(end.status, 3);
	ck_assert_int_eq(end.signal, 0);
	ck_assert_int_eq(guest_end_parse(over, strlen(over), &end), -EINVAL);
	ck_assert_int_eq(guest_end_parse("", 0, &end), -EINVAL);
	ck_assert_int_eq(end.status, 3);
}
END_TEST

START_TEST(a_process_name_cannot_forge_its_start_time)
{
	static const char text[] = "42 (a) R 1 2) S 1 42 42 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 3 0 "
	    "135919 1000 10";
	uint64_t start;
	char state;

	ck_assert_int_eq(guest_stat_parse(text, &start, &state), 0);
	ck_assert_uint_eq(start, 135919);
	ck_assert_int_eq(state, 'S');
	ck_assert_int_eq(guest_stat_parse("42 (x) S 1 2 3", &start, &state), -EINVAL);
	ck_assert_int_eq(guest_stat_parse("42", &start, &state), -EINVAL);
	ck_assert_int_eq(guest_stat_parse("42 (x)", &start, &state), -EINVAL);
	ck_assert_int_eq(guest_stat_parse("", &start, &state), -EINVAL);
}
END_TEST

static const struct {
	const char	*status;
	enum guest_run	 run;
} statuses[] = {
	{ "running", GUEST_RUN_RUNNING }, { "prelaunch", GUEST_RUN_PRELAUNCH },
	{ "shutdown", GUEST_RUN_SHUTDOWN }, { "internal-error", GUEST_RUN_BROKEN },
	{ "io-error", GUEST_RUN_BROKEN }, { "guest-panicked", GUEST_RUN_BROKEN },
	{ "paused", GUEST_RUN_PAUSED }, { "suspended", GUEST_RUN_PAUSED },
	{ "a-state-of-tomorrow", GUEST_RUN_PAUSED }, { "", GUEST_RUN_PAUSED },
};

START_TEST(run_states_are_folded_and_none_unknown_counts_as_running)
{
	ck_assert_int_eq(guest_run_from_status(statuses[_i].status), statuses[_i].run);
}
END_TEST

START_TEST(each_run_state_has_a_name_of_its_own)
{
	for (int i = 0; i < GUEST_RUNS; i++) {
		ck_assert_ptr_nonnull(guest_run_name((enum guest_run)i));
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(guest_run_name((enum guest_run)i),
			    guest_run_name((enum guest_run)j));
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("guest_text");

	tcase_add_test(tc, a_held_lock_names_its_processes);
	tcase_add_loop_test(tc, a_text_that_names_nobody_for_sure_is_refused, 0,
	    (int)ARRAY_LEN(bad_identities));
	tcase_add_test(tc, an_empty_lock_is_one_whose_holder_has_not_written_yet);
	tcase_add_test(tc, an_end_tells_status_and_signal);
	tcase_add_test(tc, a_process_name_cannot_forge_its_start_time);
	tcase_add_loop_test(tc, run_states_are_folded_and_none_unknown_counts_as_running, 0,
	    (int)ARRAY_LEN(statuses));
	tcase_add_test(tc, each_run_state_has_a_name_of_its_own);
	return unit_run("guest_text", tc);
}
