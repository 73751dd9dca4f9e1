#include "vmd/isolation.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

START_TEST(a_folder_of_this_machine_alone_is_good_enough)
{
	char why[ISOLATION_WHY_MAX] = "";

	ck_assert_int_eq(isolation_judge(0xef53, "", why), 0);
	ck_assert_int_eq(isolation_check("/tmp", why), 0);
	ck_assert_int_eq(isolation_check("/tmp/no/such/folder", why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why, "disk_dir"));
}
END_TEST

START_TEST(nfs_has_to_be_version_4_with_its_locks)
{
	char why[ISOLATION_WHY_MAX] = "";

	ck_assert_int_eq(isolation_judge(0x6969, " - nfs4 s:/d rw,vers=4.2,local_lock=none", why), 0);
	ck_assert_int_eq(isolation_judge(0x6969, " - nfs s:/d rw,vers=3", why), -EINVAL);
	ck_assert_int_eq(isolation_judge(0x6969, " - nfs4 s:/d rw,vers=4.0,local_lock=all", why),
	    -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "NFS version 4"));
}
END_TEST

START_TEST(what_takes_late_writes_is_refused_by_name)
{
	static const uint32_t types[] = { 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546 };
	char why[ISOLATION_WHY_MAX];

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		ck_assert_int_eq(isolation_judge(types[i], "", why), -EINVAL);
	/* On a machine where f_type is signed. */
	ck_assert_int_eq(isolation_judge((uint64_t)(int32_t)0xff534d42, "", why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why, "CIFS"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("isolation");

	tcase_add_test(tc, a_folder_of_this_machine_alone_is_good_enough);
	tcase_add_test(tc, nfs_has_to_be_version_4_with_its_locks);
	tcase_add_test(tc, what_takes_late_writes_is_refused_by_name);
	return unit_run("isolation", tc);
}
