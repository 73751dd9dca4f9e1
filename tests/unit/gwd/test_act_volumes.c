#include "gwd/acts.h"

#include <string.h>

#include "tests/unit/unit.h"

#define ZONE	"\"AvailabilityZone\":\"us-east-1a\""

static cJSON *
tree(const char *text)
{
	cJSON *t = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_msg(json_parse(text, strlen(text), 1 << 20, &t, why) == 0, "%s: %s", text, why);
	return t;
}

static const struct {
	const char	*in;
	const char	*code;		/* NULL: it may be */
} creates[] = {
	{ "{" ZONE ",\"Size\":1}", NULL },
	{ "{" ZONE ",\"Size\":16384,\"VolumeType\":\"gp2\"}", NULL },
	{ "{" ZONE ",\"Size\":1,\"VolumeType\":\"gp3\",\"Iops\":3000,\"Throughput\":1000}", NULL },
	{ "{" ZONE ",\"Size\":4,\"VolumeType\":\"io2\",\"Iops\":64000}", NULL },
	{ "{" ZONE ",\"Size\":1,\"SnapshotId\":\"\",\"Encrypted\":false}", NULL },
	{ "{\"Size\":1}", "MissingParameter" },
	{ "{\"AvailabilityZone\":\"\",\"Size\":1}", "MissingParameter" },
	{ "{" ZONE "}", "MissingParameter" },
	{ "{" ZONE ",\"Size\":0}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":16385}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":124,\"VolumeType\":\"st1\"}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":1,\"VolumeType\":\"gp9\"}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":1,\"Iops\":100}", "InvalidParameterCombination" },
	{ "{" ZONE ",\"Size\":4,\"VolumeType\":\"io1\",\"Iops\":100,\"Throughput\":125}",
	  "InvalidParameterCombination" },
	{ "{" ZONE ",\"Size\":4,\"VolumeType\":\"io1\"}", "MissingParameter" },
	{ "{" ZONE ",\"Size\":4,\"VolumeType\":\"io1\",\"Iops\":99}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":1,\"VolumeType\":\"gp3\",\"Throughput\":124}",
	  "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":1,\"Encrypted\":true}", "UnsupportedOperation" },
	{ "{" ZONE ",\"Size\":1,\"MultiAttachEnabled\":true}", "UnsupportedOperation" },
	{ "{" ZONE ",\"Size\":1,\"KmsKeyId\":\"k\"}", "UnsupportedOperation" },
	{ "{" ZONE ",\"SnapshotId\":\"snap-0123456789abcdef0\"}", "InvalidSnapshot.NotFound" },
	{ "{" ZONE ",\"Size\":1,\"TagSpecifications\":[{\"ResourceType\":\"volume\",\"Tags\":["
	  "{\"Key\":\"aws:x\",\"Value\":\"\"}]}]}", "InvalidParameterValue" },
	{ "{" ZONE ",\"Size\":1,\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":["
	  "{\"Key\":\"x\",\"Value\":\"\"}]}]}", "InvalidParameterValue" },
};

START_TEST(a_volume_is_created_of_what_its_type_can_be)
{
	AUTO(json) cJSON *in = tree(creates[_i].in);
	struct shape_error e = { 0 };
	int r = act_create_volume_check(in, &e);

	if (creates[_i].code) {
		ck_assert_int_lt(r, 0);
		ck_assert_str_eq(e.code, creates[_i].code);
	} else {
		ck_assert_msg(r == 0, "%s: %s", creates[_i].in, e.message);
	}
}
END_TEST

START_TEST(an_attachment_needs_all_three)
{
	static const char *const rows[] = { "{}", "{\"VolumeId\":\"v\",\"InstanceId\":\"i\"}",
	    "{\"VolumeId\":\"v\",\"Device\":\"/dev/sdf\"}",
	    "{\"VolumeId\":\"\",\"InstanceId\":\"i\",\"Device\":\"/dev/sdf\"}" };
	AUTO(json) cJSON *all = tree("{\"VolumeId\":\"v\",\"InstanceId\":\"i\",\"Device\":\"d\"}");
	struct shape_error e = { 0 };

	ck_assert_int_eq(act_attach_volume_check(all, &e), 0);
	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		AUTO(json) cJSON *in = tree(rows[n]);

		ck_assert_int_lt(act_attach_volume_check(in, &e), 0);
		ck_assert_str_eq(e.code, "MissingParameter");
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("act_volumes");

	tcase_add_loop_test(tc, a_volume_is_created_of_what_its_type_can_be, 0,
	    (int)ARRAY_LEN(creates));
	tcase_add_test(tc, an_attachment_needs_all_three);
	return unit_run("act_volumes", tc);
}
