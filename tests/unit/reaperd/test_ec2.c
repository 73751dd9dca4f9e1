/* Volumes that wait for what does not come, and objects of images that never came. */
#include "reaperd/sweep.h"

#include "tests/unit/reaperd/world.h"

#define ID	"i-00000000000000001"
#define VOL	"vol-00000000000000001"
#define VOL_KEY	ACCOUNT "." VOL

static void
put_volume(const char *state, const char *instance_id)
{
	put(SPEC_VOLUMES, VOL_KEY, "{\"id\":\"" VOL "\",\"account_id\":\"" ACCOUNT "\",\"state\":\"%s\","
	    "\"bytes\":1,\"instance_id\":\"%s\",\"node\":\"node-9\"}", state, instance_id);
}

static enum verdict
swept(const char *id, enum reap_class class)
{
	sweep_all();
	return verdict_of(class, id)->j.verdict;
}

START_TEST(a_volume_of_a_deleted_instance_is_reported_in_the_second_sweep_and_stays)
{
	put_instance(ID, "running", "");
	put_marker(SPEC_INSTANCES, "instance." ID);
	put_volume("in-use", ID);
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_YOUNG);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_REPORT);
	ck_assert_str_eq(verdict_of(REAP_VOLUME_ORPHAN, VOL)->holder, "node-9");
	ck_assert_uint_eq(w->last->acts, 0);
	ck_assert_int_eq(found(SPEC_VOLUMES, VOL_KEY), KNOWN_PRESENT);
	put_volume("available", "");
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_IN_USE);
}
END_TEST

START_TEST(a_volume_that_its_instance_lists_is_in_use)
{
	put_instance(ID, "running", ",\"volumes\":[{\"id\":\"" VOL "\",\"device\":\"/dev/sdf\","
	    "\"bytes\":1,\"port\":0}]");
	put_volume("in-use", ID);
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_IN_USE);
	put_instance(ID, "running", "");
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_YOUNG);
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_REPORT);
}
END_TEST

START_TEST(a_volume_in_doubt_stays_and_the_reason_is_shown)
{
	put_volume("in-use", ID);
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_UNKNOWN);
	put(SPEC_INSTANCES, "instance." ID, "{");
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_UNKNOWN);
	ck_assert_str_eq(verdict_of(REAP_VOLUME_ORPHAN, VOL)->j.reason,
	    "its instance's record cannot be read");
	put(SPEC_VOLUMES, VOL_KEY, "{");
	ck_assert_int_eq(swept(VOL, REAP_VOLUME_ORPHAN), KEEP_UNKNOWN);
	ck_assert_str_eq(verdict_of(REAP_VOLUME_ORPHAN, VOL)->j.reason, "its record cannot be read");
}
END_TEST

START_TEST(an_object_of_an_image_that_never_came_goes_and_its_record_can_come_no_more)
{
	put_image_object(ACCOUNT);
	ck_assert_int_eq(swept(IMAGE_OBJECT, REAP_UEFI_IMAGE), REAP_NOW);
	ck_assert_int_eq(found(SPEC_IMAGES, IMAGE_KEY), KNOWN_NO_MESSAGE);
	sweep_all();
	ck_assert(verdict_of(REAP_UEFI_IMAGE, IMAGE_OBJECT)->done);
	ck_assert_uint_eq(objects_of(AMI), 0);
	ck_assert_int_eq(found(SPEC_IMAGES, IMAGE_KEY), KNOWN_MARKER);
}
END_TEST

START_TEST(an_object_that_its_image_names_stays_also_when_the_record_came_between_two_sweeps)
{
	put_image_object(ACCOUNT);
	ck_assert_int_eq(swept(IMAGE_OBJECT, REAP_UEFI_IMAGE), REAP_NOW);
	put_image(IMAGE_OBJECT);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(swept(IMAGE_OBJECT, REAP_UEFI_IMAGE), KEEP_IN_USE);
	ck_assert_uint_eq(objects_of(AMI), 1);
}
END_TEST

START_TEST(an_object_goes_with_its_image_and_when_the_image_names_another)
{
	put_image_object(ACCOUNT);
	put_image("uefi/" AMI "/" B_UUID);
	ck_assert_int_eq(swept(IMAGE_OBJECT, REAP_UEFI_IMAGE), REAP_NOW);
	put_marker(SPEC_IMAGES, IMAGE_KEY);
	sweep_all();
	ck_assert(verdict_of(REAP_UEFI_IMAGE, IMAGE_OBJECT)->done);
	ck_assert_uint_eq(objects_of(AMI), 0);
}
END_TEST

START_TEST(an_object_that_does_not_say_whose_it_is_stays_until_there_is_a_marker)
{
	put_image_object(NULL);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(swept(IMAGE_OBJECT, REAP_UEFI_IMAGE), KEEP_UNKNOWN);
	put_image(IMAGE_OBJECT);
	put_marker(SPEC_IMAGES, IMAGE_KEY);
	sweep_all();
	sweep_all();
	ck_assert_uint_eq(objects_of(AMI), 0);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("ec2");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_volume_of_a_deleted_instance_is_reported_in_the_second_sweep_and_stays);
	tcase_add_test(t, a_volume_that_its_instance_lists_is_in_use);
	tcase_add_test(t, a_volume_in_doubt_stays_and_the_reason_is_shown);
	tcase_add_test(t,
	    an_object_of_an_image_that_never_came_goes_and_its_record_can_come_no_more);
	tcase_add_test(t,
	    an_object_that_its_image_names_stays_also_when_the_record_came_between_two_sweeps);
	tcase_add_test(t, an_object_goes_with_its_image_and_when_the_image_names_another);
	tcase_add_test(t, an_object_that_does_not_say_whose_it_is_stays_until_there_is_a_marker);
	return unit_run("ec2", t);
}
