/* Which objects may go: rules 122 to 124. */
#include <errno.h>
#include <stdlib.h>

#include "uefid/prune.h"
#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"
#define KEY(c)	"uefi/" ID "/" c c c c c c c c "-1111-4111-8111-111111111111"
#define NOW	1800000000000u
#define CUTOFF	(NOW - PRUNE_AGE_MS)

static struct prune
judge(uint32_t keep)
{
	return (struct prune){
		.owner = ID, .pointer_key = KEY("0"), .generation = 9, .now_ms = NOW,
		.keep_versions = keep,
	};
}

START_TEST(old_ones_go_and_young_or_undated_ones_stay_122)
{
	static const struct prune_object objects[] = {
		{ KEY("0"), 1, 5, false },		/* the pointer's, however old */
		{ KEY("1"), CUTOFF - 1, 5, false },
		{ KEY("2"), CUTOFF, 5, false },
		{ KEY("3"), 0, 5, false },
	};
	enum prune_verdict v[4];
	struct prune p = judge(0);

	ck_assert_int_eq(prune_judge(&p, objects, 4, v), 0);
	ck_assert_int_eq(v[0], PRUNE_KEEP);
	ck_assert_int_eq(v[1], PRUNE_DELETE);
	ck_assert_int_eq(v[2], PRUNE_YOUNG);
	ck_assert_int_eq(v[3], PRUNE_YOUNG);
}
END_TEST

START_TEST(surplus_of_our_own_generation_goes_at_once)
{
	static const struct prune_object objects[] = {
		{ KEY("1"), NOW, 9, false }, { KEY("2"), NOW - 1, 9, false },
		{ KEY("3"), NOW - 2, 9, false }, { KEY("0"), NOW - 3, 9, false },
	};
	enum prune_verdict v[4];
	struct prune p = judge(2);

	ck_assert_int_eq(prune_judge(&p, objects, 4, v), 0);
	ck_assert_int_eq(v[0], PRUNE_KEEP);
	ck_assert_int_eq(v[1], PRUNE_KEEP);
	ck_assert_int_eq(v[2], PRUNE_DELETE);
	ck_assert_int_eq(v[3], PRUNE_KEEP);
}
END_TEST

START_TEST(newer_generations_unreadable_ones_and_set_aside_ones_never_go)
{
	static const struct prune_object objects[] = {
		{ KEY("1"), 1, 10, false }, { KEY("2"), 1, 0, false }, { KEY("3"), 1, 9, true },
	};
	enum prune_verdict v[3];
	struct prune p = judge(0);

	ck_assert_int_eq(prune_judge(&p, objects, 3, v), 0);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(v[i], PRUNE_KEEP);
}
END_TEST

START_TEST(kept_versions_are_the_newest_beside_the_pointer)
{
	static const struct prune_object objects[] = {
		{ KEY("1"), 10, 5, false }, { KEY("2"), 30, 6, false },
		{ KEY("3"), 20, 9, false }, { KEY("0"), 5, 9, false },
	};
	enum prune_verdict v[4];
	struct prune p = judge(2);

	ck_assert_int_eq(prune_judge(&p, objects, 4, v), 0);
	ck_assert_int_eq(v[0], PRUNE_DELETE);
	ck_assert_int_eq(v[1], PRUNE_KEEP);
	ck_assert_int_eq(v[2], PRUNE_KEEP);
	ck_assert_int_eq(v[3], PRUNE_KEEP);
}
END_TEST

START_TEST(a_pointer_or_an_object_elsewhere_decides_nothing_123)
{
	static const char *const bad[] = {
		"", "uefi/i-0123456789abcdef1/11111111-1111-4111-8111-111111111111",
		KEY("1") "/x", "uefi/" ID "/",
	};
	struct prune_object o = { KEY("1"), 1, 1, false };
	enum prune_verdict v = PRUNE_KEEP;
	struct prune p = judge(0);

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		p = judge(0);
		p.pointer_key = bad[i];
		ck_assert_int_eq(prune_judge(&p, &o, 1, &v), -EINVAL);
		p = judge(0);
		o.key = bad[i];
		ck_assert_int_eq(prune_judge(&p, &o, 1, &v), -EINVAL);
		o.key = KEY("1");
	}
	p = judge(0);
	p.owner = "i-*";
	ck_assert_int_eq(prune_judge(&p, &o, 1, &v), -EINVAL);
	ck_assert_int_eq(v, PRUNE_KEEP);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("prune");

	tcase_add_test(t, old_ones_go_and_young_or_undated_ones_stay_122);
	tcase_add_test(t, surplus_of_our_own_generation_goes_at_once);
	tcase_add_test(t, newer_generations_unreadable_ones_and_set_aside_ones_never_go);
	tcase_add_test(t, kept_versions_are_the_newest_beside_the_pointer);
	tcase_add_test(t, a_pointer_or_an_object_elsewhere_decides_nothing_123);
	return unit_run("prune", t);
}
