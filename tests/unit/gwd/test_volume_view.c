#include "gwd/volume_view.h"

#include <stdio.h>
#include <string.h>

#include "gwd/action.h"
#include "gwd/shape.h"
#include "tests/unit/unit.h"

static struct volume
sample(void)
{
	return (struct volume){ .id = "vol-0123456789abcdef0", .account_id = "000000000001",
		.zone = "us-east-1a", .type = "gp2", .bytes = 5 * VOLUME_GIB, .created_ms = 1000 };
}

static uint64_t
number(const cJSON *obj, const char *member)
{
	uint64_t n = 0;

	return json_get_u64(json_member(obj, member), &n) ? n : 0;
}

START_TEST(an_available_volume_has_no_attachment)
{
	struct volume v = sample();
	AUTO(json) cJSON *view = volume_view(&v);
	const struct shape *s = shape_member(action_find(API_EC2, "DescribeVolumes")->out,
	    "Volumes")->shape->item;
	const cJSON *m;

	ck_assert_str_eq(json_text(view, "State"), "available");
	ck_assert_str_eq(json_text(view, "SnapshotId"), "");
	ck_assert_int_eq(cJSON_GetArraySize(json_member(view, "Attachments")), 0);
	ck_assert_uint_eq(number(view, "Size"), 5);
	ck_assert_uint_eq(number(view, "Iops"), 100);
	cJSON_ArrayForEach(m, view)
		ck_assert_msg(shape_member(s, m->string), "%s", m->string);
}
END_TEST

START_TEST(an_attached_one_says_whose_it_is)
{
	struct volume v = sample();
	AUTO(json) cJSON *view = NULL;
	const cJSON *a;

	v.state = VOLUME_DETACHING;
	v.keep = true;
	memcpy(v.instance_id, "i-0123456789abcdef0", sizeof(v.instance_id));
	memcpy(v.device, "/dev/sdf", sizeof("/dev/sdf"));
	view = volume_view(&v);
	a = cJSON_GetArrayItem(json_member(view, "Attachments"), 0);
	ck_assert_str_eq(json_text(view, "State"), "in-use");
	ck_assert_str_eq(json_text(a, "State"), "detaching");
	ck_assert_str_eq(json_text(a, "InstanceId"), v.instance_id);
	ck_assert_str_eq(json_text(a, "Device"), "/dev/sdf");
	ck_assert(cJSON_IsFalse(json_member(a, "DeleteOnTermination")));
}
END_TEST

START_TEST(speed_is_what_was_asked_for_or_what_the_type_gives)
{
	static const struct {
		const char *type;
		uint64_t gib, iops, shown;
	} rows[] = { { "gp2", 1, 0, 100 }, { "gp2", 34, 0, 102 }, { "gp2", 16384, 0, 16000 },
	    { "gp3", 1, 0, 3000 }, { "gp3", 1, 5000, 5000 }, { "io1", 4, 200, 200 },
	    { "standard", 1, 0, 0 }, { "st1", 125, 0, 0 } };

	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		struct volume v = sample();
		AUTO(json) cJSON *view = NULL;

		snprintf(v.type, sizeof(v.type), "%s", rows[n].type);
		v.bytes = rows[n].gib * VOLUME_GIB;
		v.iops = (uint32_t)rows[n].iops;
		view = volume_view(&v);
		ck_assert_uint_eq(number(view, "Iops"), rows[n].shown);
		ck_assert_uint_eq(number(view, "Throughput"), rows[n].type[2] == '3' ? 125 : 0);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("volume_view");

	tcase_add_test(tc, an_available_volume_has_no_attachment);
	tcase_add_test(tc, an_attached_one_says_whose_it_is);
	tcase_add_test(tc, speed_is_what_was_asked_for_or_what_the_type_gives);
	return unit_run("volume_view", tc);
}
