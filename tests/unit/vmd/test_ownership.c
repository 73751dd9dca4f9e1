#include "vmd/ownership.h"

#include <check.h>

static const struct {
	const char		*what;
	struct ownership_read	 read;
	enum ownership		 is;
} rows[] = {
	{ "the revision we have", { CAS_OK, 10, false, true, "a" }, OWNERSHIP_SAME },
	{ "the same, unreadable", { CAS_OK, 10, false, false, "" }, OWNERSHIP_SAME },
	{ "a later one, ours", { CAS_OK, 11, false, true, "a" }, OWNERSHIP_NEWER },
	{ "a later one, another's", { CAS_OK, 11, false, true, "b" }, OWNERSHIP_MOVED },
	{ "a later one that cannot be read", { CAS_OK, 11, false, false, "" },
	    OWNERSHIP_NOTHING },
	{ "a stale reader that names another", { CAS_OK, 9, false, true, "b" },
	    OWNERSHIP_NOTHING },
	{ "a marker", { CAS_NOT_FOUND, 11, true, false, "" }, OWNERSHIP_REMOVED },
	{ "a marker from before", { CAS_NOT_FOUND, 9, true, false, "" }, OWNERSHIP_NOTHING },
	{ "no message", { CAS_NOT_FOUND, 0, false, false, "" }, OWNERSHIP_NOTHING },
	{ "no answer", { CAS_UNAVAILABLE, 0, false, false, "" }, OWNERSHIP_NOTHING },
	{ "an unknown outcome", { CAS_UNKNOWN, 11, false, true, "b" }, OWNERSHIP_NOTHING },
	{ "a lost bucket", { CAS_BUCKET_LOST, 0, false, false, "" }, OWNERSHIP_NOTHING },
};

START_TEST(only_another_name_or_a_marker_takes_a_record)
{
	ck_assert_msg(ownership_judge("a", 10, &rows[_i].read) == rows[_i].is, "%s",
	    rows[_i].what);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("ownership");
	TCase *tc = tcase_create("ownership");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_loop_test(tc, only_another_name_or_a_marker_takes_a_record, 0,
	    (int)ARRAY_LEN(rows));
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
