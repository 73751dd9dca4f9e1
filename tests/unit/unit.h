/* unit.h - the main() of a Check program: one case, fixtures optional, run as CK_ENV says. */
#pragma once

#include <check.h>
#include <stdlib.h>

static inline int
unit_run(const char *name, TCase *tc)
{
	Suite *s = suite_create(name);
	SRunner *sr;
	int failed;

	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
