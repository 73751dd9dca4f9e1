#include "vmd/room.h"

#include <check.h>
#include <errno.h>

static const struct type micro = { .name = "t3.micro", .vcpus = 2, .memory_mib = 1024 };

START_TEST(a_guest_of_an_outbound_network_needs_room_for_its_passt)
{
	struct vmd d = { .net.mode = NET_ISOLATED };
	uint32_t alone = room_need(&d, &micro).memory_mib;

	ck_assert_uint_eq(alone, micro.memory_mib);
	d.net.mode = NET_BRIDGE;
	ck_assert_uint_eq(room_need(&d, &micro).memory_mib, alone);
	d.net.mode = NET_OUTBOUND;
	ck_assert_uint_eq(room_need(&d, &micro).memory_mib, alone + ROOM_OUTBOUND_MIB);
	ck_assert_uint_eq(room_need(&d, &micro).vcpus, micro.vcpus);
}
END_TEST

START_TEST(a_host_without_free_memory_has_no_room_whatever_was_promised)
{
	struct vmd_conf conf = { .vcpu_ratio = 8 };
	struct vmd d = { .conf = &conf };
	struct capacity_need need = room_need(&d, &micro);
	uint64_t free_mib;

	room_init(&d);
	free_mib = capacity_memory_free(&d.capacity);
	room_see(&d);
	ck_assert_uint_lt(capacity_memory_free(&d.capacity), free_mib);	/* we are here, too */
	capacity_see(&d.capacity, need.memory_mib);
	ck_assert(!capacity_reserve(&d.capacity, &need, 2));
	ck_assert(capacity_reserve(&d.capacity, &need, 1));
	capacity_see(&d.capacity, need.memory_mib - 1);
	ck_assert_uint_eq(capacity_fits(&d.capacity, &need), 0);
}
END_TEST

START_TEST(where_more_is_promised_than_the_host_has_it_is_not_asked)
{
	struct vmd_conf conf = { .vcpu_ratio = 8, .memory = UINT64_MAX };
	struct vmd d = { .conf = &conf };
	uint64_t free_mib;

	room_init(&d);
	free_mib = capacity_memory_free(&d.capacity);
	room_see(&d);
	ck_assert_uint_eq(capacity_memory_free(&d.capacity), free_mib);
}
END_TEST

START_TEST(what_is_available_is_read_as_the_kernel_writes_it)
{
	uint64_t mib = 7;

	ck_assert_int_eq(room_parse_available("MemTotal:  24684000 kB\nMemFree:  9 kB\n"
	    "MemAvailable:   3145728 kB\nBuffers: 1 kB\n", &mib), 0);
	ck_assert_uint_eq(mib, 3072);
	ck_assert_int_eq(room_parse_available("MemTotal: 1 kB\n", &mib), -EINVAL);
	ck_assert_int_eq(room_parse_available("\nMemAvailable: much kB\n", &mib), -EINVAL);
	ck_assert_int_eq(room_parse_available("", &mib), -EINVAL);
	ck_assert_uint_eq(mib, 3072);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("room");
	TCase *tc = tcase_create("room");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, a_guest_of_an_outbound_network_needs_room_for_its_passt);
	tcase_add_test(tc, a_host_without_free_memory_has_no_room_whatever_was_promised);
	tcase_add_test(tc, where_more_is_promised_than_the_host_has_it_is_not_asked);
	tcase_add_test(tc, what_is_available_is_read_as_the_kernel_writes_it);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
