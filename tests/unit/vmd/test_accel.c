#include "vmd/accel.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "tests/unit/unit.h"

START_TEST(the_probe_says_why_and_leaves_signals_as_they_were)
{
	char why[ACCEL_WHY_MAX] = "unset";
	sigset_t before, after;
	int r;

	ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &before), 0);
	r = accel_probe_kvm(why);
	ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &after), 0);
	for (int sig = 1; sig <= 64; sig++)
		ck_assert_int_eq(sigismember(&before, sig), sigismember(&after, sig));
	ck_assert_int_le(r, 0);
	ck_assert_int_eq(r == 0, why[0] == '\0');
	if (access("/dev/kvm", F_OK) < 0) {
		ck_assert_int_eq(r, -ENOENT);
		ck_assert_str_eq(why, "/dev/kvm: No such file or directory");
	}
}
END_TEST

START_TEST(auto_follows_the_probe_and_kvm_insists_on_it)
{
	char probed[ACCEL_WHY_MAX], why[ACCEL_WHY_MAX];
	const int r = accel_probe_kvm(probed);
	enum accel_kind kind = ACCEL_WITH_KVM;

	ck_assert_int_eq(accel_choose(ACCEL_TCG, &kind, why), 0);
	ck_assert_int_eq(kind, ACCEL_WITH_TCG);
	ck_assert_str_eq(why, "");
	ck_assert_int_eq(accel_choose(ACCEL_AUTO, &kind, why), 0);
	ck_assert_int_eq(kind, r == 0 ? ACCEL_WITH_KVM : ACCEL_WITH_TCG);
	ck_assert_str_eq(why, probed);
	ck_assert_int_eq(accel_choose(ACCEL_KVM, &kind, why), r);
	ck_assert_str_eq(why, probed);
}
END_TEST

START_TEST(names_are_qemus)
{
	ck_assert_str_eq(accel_name(ACCEL_WITH_KVM), "kvm");
	ck_assert_str_eq(accel_name(ACCEL_WITH_TCG), "tcg");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("accel");

	tcase_add_test(tc, the_probe_says_why_and_leaves_signals_as_they_were);
	tcase_add_test(tc, auto_follows_the_probe_and_kvm_insists_on_it);
	tcase_add_test(tc, names_are_qemus);
	return unit_run("accel", tc);
}
