#include "gwd/device_view.h"

#include <stdlib.h>
#include <string.h>

#include "common/instance_view.h"
#include "gwd/action.h"
#include "tests/unit/unit.h"

#define GIB	(1024ull * 1024 * 1024)

static const struct instance_view how = { .region = "us-east-1" };

static struct instance
sample(void)
{
	return (struct instance){ .id = "i-0123456789abcdef0", .account_id = "000000000001",
	    .reservation_id = "r-0123456789abcdef0", .node = "n1", .last_node = "n1",
	    .state = INSTANCE_RUNNING, .image_id = "ami-0123456789abcdef0",
	    .instance_type = "t3.micro", .created_ms = 1793408523004, .zone = "us-east-1b",
	    .vpc_id = "vpc-1", .subnet_id = "subnet-1", .eni_id = "eni-0123456789abcdef0",
	    .group_id = "sg-1", .private_ip = "172.31.0.4", .mac = "02:00:00:00:00:01",
	    .volume_id = "vol-0123456789abcdef0", .root_device = "/dev/sda1",
	    .volume_bytes = 8 * GIB };
}

static cJSON *
shown(const struct instance *i)
{
	cJSON *view = instance_view(i, &how);

	ck_assert_ptr_nonnull(view);
	return view;
}

static uint64_t
number(const cJSON *obj, const char *member)
{
	uint64_t n;

	ck_assert_msg(json_get_u64(json_member(obj, member), &n), "%s", member);
	return n;
}

START_TEST(a_volume_says_what_its_instance_does)
{
	const struct instance i = sample();
	AUTO(json) cJSON *view = shown(&i);
	AUTO(json) cJSON *v = device_volume(view);
	const cJSON *a = cJSON_GetArrayItem(json_member(v, "Attachments"), 0);

	ck_assert_str_eq(device_volume_id(view), i.volume_id);
	ck_assert_str_eq(json_text(v, "VolumeId"), i.volume_id);
	ck_assert_str_eq(json_text(v, "AvailabilityZone"), "us-east-1b");
	ck_assert_str_eq(json_text(v, "State"), "in-use");
	ck_assert_uint_eq(number(v, "Size"), 8);
	ck_assert_uint_eq(number(v, "Iops"), 100);
	ck_assert_str_eq(json_text(v, "VolumeType"), "gp2");
	ck_assert_ptr_null(json_member(v, "Throughput"));
	ck_assert_str_eq(json_text(a, "InstanceId"), i.id);
	ck_assert_str_eq(json_text(a, "Device"), "/dev/sda1");
	ck_assert_str_eq(json_text(a, "AttachTime"), json_text(v, "CreateTime"));
	ck_assert(cJSON_IsTrue(json_member(a, "DeleteOnTermination")));
}
END_TEST

START_TEST(a_volume_is_as_it_was_asked_for)
{
	static const struct { const char *type; uint32_t asked[2], shown[2]; } rows[] = {
		{ "gp3", { 0, 0 }, { 3000, 125 } }, { "gp3", { 4000, 200 }, { 4000, 200 } },
		{ "io1", { 150, 0 }, { 150, 0 } }, { "standard", { 0, 0 }, { 0, 0 } } };

	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		struct instance i = sample();
		AUTO(json) cJSON *view = NULL;
		AUTO(json) cJSON *v = NULL;

		snprintf(i.volume_type, sizeof(i.volume_type), "%s", rows[n].type);
		i.volume_iops = rows[n].asked[0];
		i.volume_throughput = rows[n].asked[1];
		view = shown(&i);
		v = device_volume(view);
		ck_assert_str_eq(json_text(v, "VolumeType"), rows[n].type);
		ck_assert_uint_eq(json_member(v, "Iops") ? number(v, "Iops") : 0, rows[n].shown[0]);
		ck_assert_uint_eq(json_member(v, "Throughput") ? number(v, "Throughput") : 0,
		    rows[n].shown[1]);
	}
}
END_TEST

START_TEST(iops_are_gp2_s)
{
	static const struct { uint64_t gib, iops; } rows[] = { { 1, 100 }, { 33, 100 }, { 34, 102 },
	    { 5333, 15999 }, { 16384, 16000 } };
	struct instance i = sample();

	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		AUTO(json) cJSON *view = NULL;
		AUTO(json) cJSON *v = NULL;

		i.volume_bytes = rows[n].gib * GIB - (n == 0);	/* begun is counted */
		view = shown(&i);
		v = device_volume(view);
		ck_assert_uint_eq(number(v, "Size"), rows[n].gib);
		ck_assert_uint_eq(number(v, "Iops"), rows[n].iops);
	}
}
END_TEST

START_TEST(a_terminated_instance_has_no_root_volume)
{
	struct instance i = sample();
	AUTO(json) cJSON *gone = NULL;

	i.state = INSTANCE_TERMINATED;
	i.keep_volume = true;		/* it has a record of its own */
	gone = shown(&i);
	ck_assert_ptr_null(device_volume_id(gone));
}
END_TEST

/* What the answer would leave out is not shown. */
static void
check_members(const char *action, const char *list, const cJSON *item)
{
	const struct action *a = action_find(API_EC2, action);
	const struct shape *s = shape_member(a->out, list)->shape->item;
	const cJSON *m;

	ck_assert_ptr_nonnull(item);
	cJSON_ArrayForEach(m, item)
		ck_assert_msg(shape_member(s, m->string), "%s", m->string);
}

START_TEST(an_interface_is_the_instance_s_own_and_says_whose)
{
	const struct instance i = sample();
	AUTO(json) cJSON *view = shown(&i);
	const cJSON *nic = cJSON_GetArrayItem(json_member(view, "NetworkInterfaces"), 0);
	AUTO(json) cJSON *eni = device_interface(view, nic);
	AUTO(json) cJSON *v = device_volume(view);
	const cJSON *a = json_member(eni, "Attachment"), *m;

	cJSON_ArrayForEach(m, nic) {
		if (strcmp(m->string, "Attachment") != 0)
			ck_assert_msg(cJSON_Compare(m, json_member(eni, m->string), true), "%s",
			    m->string);
	}
	cJSON_ArrayForEach(m, json_member(nic, "Attachment"))
		ck_assert_msg(cJSON_Compare(m, json_member(a, m->string), true), "%s", m->string);
	ck_assert_str_eq(json_text(a, "InstanceId"), i.id);
	ck_assert_str_eq(json_text(a, "InstanceOwnerId"), i.account_id);
	ck_assert_str_eq(json_text(eni, "AvailabilityZone"), "us-east-1b");
	check_members("DescribeNetworkInterfaces", "NetworkInterfaces", eni);
	check_members("DescribeVolumes", "Volumes", v);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("device_view");

	tcase_add_test(tc, a_volume_says_what_its_instance_does);
	tcase_add_test(tc, a_volume_is_as_it_was_asked_for);
	tcase_add_test(tc, iops_are_gp2_s);
	tcase_add_test(tc, a_terminated_instance_has_no_root_volume);
	tcase_add_test(tc, an_interface_is_the_instance_s_own_and_says_whose);
	return unit_run("device_view", tc);
}
