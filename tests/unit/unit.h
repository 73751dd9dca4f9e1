/* unit.h - the main() of a Check program: one case or two, fixtures optional, run as CK_ENV says. */
#pragma once

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static inline int
unit_remove_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	return remove(path);
}

/* For a fixture's folder. */
static inline void
unit_remove_tree(const char *dir)
{
	nftw(dir, unit_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int
unit_run_two(const char *name, TCase *tc, TCase *other)
{
	Suite *s = suite_create(name);
	SRunner *sr;
	int failed;

	suite_add_tcase(s, tc);
	if (other)
		suite_add_tcase(s, other);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline int
unit_run(const char *name, TCase *tc)
{
	return unit_run_two(name, tc, NULL);
}
