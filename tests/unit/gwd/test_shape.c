#include "gwd/shape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "gwd/params.h"
#include "gwd/shapes_ec2.h"
#include "tests/unit/unit.h"

/* An action without what is its own: the rules of this file hold for every one. */
static struct action
bare(int i)
{
	struct action a = actions[i];

	a.check = NULL;
	a.filters = NULL;
	return a;
}

/* The JSON of a request, or "Code: message". Caller frees. */
static char *
read_text(const struct shape *in, const char *text)
{
	AUTO(query) struct query q = { .n = 0 };
	AUTO(json) cJSON *obj = NULL;
	struct shape_error e;
	char why[QUERY_WHY_MAX], *out = NULL;
	int r;

	ck_assert_int_eq(query_parse(&q, text, strlen(text), why), 0);
	r = shape_from_query(in, &q, &obj, &e);
	if (r == 0)
		return json_print(obj);
	ck_assert_int_eq(r, -EINVAL);
	ck_assert_ptr_null(obj);
	ck_assert_int_gt(asprintf(&out, "%s: %s", e.code, e.message), 0);
	return out;
}

struct good {
	const struct shape	*in;
	const char		*query, *json;
};
static const struct good good[] = {
	{ &ec2_DescribeInstancesRequest, "Action=DescribeInstances&Version=2016-11-15", "{}" },
	{ &ec2_DescribeInstancesRequest, "InstanceId.2=i-0123456789abcdef0&"
	  "InstanceId.1=i-1234abcd", "{\"InstanceIds\":[\"i-1234abcd\",\"i-0123456789abcdef0\"]}" },
	{ &ec2_DescribeInstancesRequest,
	  "Filter.1.Name=tag:a&Filter.1.Value.1=x&Filter.1.Value.2=y&Filter.2.Name=b",
	  "{\"Filters\":[{\"Name\":\"tag:a\",\"Values\":[\"x\",\"y\"]},{\"Name\":\"b\"}]}" },
	{ &ec2_DescribeInstancesRequest, "Filter.1.Name=c&Filter.0.Name=b",	/* libcloud's */
	  "{\"Filters\":[{\"Name\":\"b\"},{\"Name\":\"c\"}]}" },
	{ &ec2_DescribeInstancesRequest, "Filter.10.Name=c&Filter.9.Name=b",
	  "{\"Filters\":[{\"Name\":\"b\"},{\"Name\":\"c\"}]}" },
	{ &ec2_DescribeInstancesRequest, "Filter=&DryRun=TRUE",
	  "{\"DryRun\":true,\"Filters\":[]}" },
	{ &ec2_DescribeInstancesRequest, "Filter=&Filter.1.Name=a&X-Amz-Date=x&AWSAccessKeyId=y",
	  "{\"Filters\":[{\"Name\":\"a\"}]}" },
	{ &ec2_RunInstancesRequest, "MinCount=1&MaxCount=2&Placement.AvailabilityZone=&"
	  "Monitoring.Enabled=false&HibernationOptions.Configured=false&EbsOptimized=false&"
	  "CreditSpecification.CpuCredits=unlimited&InstanceType=t3.micro&UserData=aGk%3D",
	  "{\"CreditSpecification\":{\"CpuCredits\":\"unlimited\"},\"EbsOptimized\":false,"
	  "\"HibernationOptions\":{\"Configured\":false},\"InstanceType\":\"t3.micro\","
	  "\"MaxCount\":2,\"MinCount\":1,\"Monitoring\":{\"Enabled\":false},"
	  "\"Placement\":{\"AvailabilityZone\":\"\"},\"UserData\":\"aGk=\"}" },
	{ &ec2_RunInstancesRequest, "MinCount=1&MaxCount=1&Placement=&BlockDeviceMapping.1.DeviceName"
	  "=/dev/sda1&BlockDeviceMapping.1.Ebs.VolumeSize=8&NetworkInterface.1.DeviceIndex=0&"
	  "NetworkInterface.1.SecurityGroupId.1=sg-1234abcd&NetworkInterface.1.PrivateIpAddresses.1."
	  "PrivateIpAddress=10.0.0.4&TagSpecification.1.ResourceType=instance&"
	  "TagSpecification.1.Tag.1.Key=a&TagSpecification.1.Tag.1.Value=",
	  "{\"BlockDeviceMappings\":[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":{\"VolumeSize\":8}}],"
	  "\"MaxCount\":1,\"MinCount\":1,\"NetworkInterfaces\":[{\"DeviceIndex\":0,"
	  "\"PrivateIpAddresses\":[{\"PrivateIpAddress\":\"10.0.0.4\"}],\"Groups\":[\"sg-1234abcd\"]}],"
	  "\"Placement\":{},\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":"
	  "[{\"Key\":\"a\",\"Value\":\"\"}]}]}" },
	{ &ec2_ModifyInstanceAttributeRequest, "InstanceId=i-1234abcd&UserData.Value=aGk=&"
	  "DisableApiStop.Value=true",
	  "{\"DisableApiStop\":{\"Value\":true},\"InstanceId\":\"i-1234abcd\","
	  "\"UserData\":{\"Value\":\"aGk=\"}}" },
	{ &sts_GetCallerIdentityRequest, "", "{}" },
};

START_TEST(parameters_become_json)
{
	AUTO(str) char *got = read_text(good[_i].in, good[_i].query);

	ck_assert_str_eq(got, good[_i].json);
}
END_TEST

struct bad {
	const struct shape	*in;
	const char		*query, *error;		/* how it begins */
};
static const struct bad bad[] = {
	{ &ec2_DescribeInstancesRequest, "Nonsense=1",
	  "UnknownParameter: The parameter Nonsense is not recognized" },
	{ &ec2_DescribeInstancesRequest, "InstanceIds.1=i-1234abcd", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "instanceId.1=i-1234abcd", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "Filter.1.Nonsense=1",
	  "UnknownParameter: The parameter Filter.1.Nonsense is not recognized" },
	{ &ec2_DescribeInstancesRequest, "InstanceId.1.x=i-1234abcd", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "DryRun.1=true", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, ".DryRun=true", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "DryRun.=true", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=x&Nonsense=1&InstanceId.1=i", "UnknownParameter: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId=i-1234abcd",
	  "InvalidParameterValue: Value ( i-1234abcd ) for parameter InstanceId is invalid. " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.00=i-1234abcd", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.01=i-1234abcd", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.1001=i-1234abcd", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.99999999999=i-1234abcd",
	  "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.x=i-1234abcd", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.=i-1234abcd", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "InstanceId.1=i-xyz",
	  "InvalidInstanceID.Malformed: Invalid id: \"i-xyz\"" },
	{ &ec2_DescribeInstancesRequest, "InstanceId.1=", "InvalidInstanceID.Malformed: " },
	{ &ec2_DescribeImagesRequest, "ImageId.1=i-1234abcd", "InvalidAMIID.Malformed: " },
	{ &ec2_DescribeVolumesRequest, "VolumeId.1=", "InvalidVolumeID.Malformed: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=ten", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=+5", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=5.0", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=2147483648", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "MaxResults=99999999999999999999", "InvalidParameterValue: " },
	{ &ec2_DescribeInstanceTypesRequest, "MaxResults=101",
	  "InvalidParameterValue: Value ( 101 ) for parameter MaxResults is invalid. Expecting a "
	  "value from 5 to 100." },
	{ &ec2_DescribeInstancesRequest, "DryRun=maybe", "InvalidParameterValue: " },
	{ &ec2_DescribeInstancesRequest, "DryRun=true&DryRun=true",
	  "InvalidParameterValue: The parameter DryRun is given more than once." },
	{ &ec2_DescribeInstancesRequest, "InstanceId.1=i-1234abcd&InstanceId.1=i-1234abcd",
	  "InvalidParameterValue: The parameter InstanceId.1 is given more than once." },
	{ &ec2_RunInstancesRequest, "MinCount=1", "MissingParameter: The request must contain the "
	  "parameter MaxCount" },
	{ &ec2_RunInstancesRequest, "MinCount=1&MaxCount=1&CreditSpecification=",
	  "MissingParameter: The request must contain the parameter CreditSpecification.CpuCredits" },
	{ &ec2_RunInstancesRequest, "MinCount=1&MaxCount=1&Placement=x", "InvalidParameterValue: " },
	{ &ec2_RunInstancesRequest, "MinCount=1&MaxCount=1&InstanceInitiatedShutdownBehavior=explode",
	  "InvalidParameterValue: Value ( explode )" },
	{ &ec2_ModifyInstanceAttributeRequest, "InstanceId=i-1234abcd&UserData.Value=a=b",
	  "InvalidParameterValue: " },
	{ &ec2_ModifyInstanceAttributeRequest, "InstanceId=i-1234abcd&UserData.Value=abc",
	  "InvalidParameterValue: " },
	{ &ec2_TerminateInstancesRequest, "", "MissingParameter: The request must contain the "
	  "parameter InstanceId" },
};

START_TEST(what_is_wrong_is_named)
{
	AUTO(str) char *got = read_text(bad[_i].in, bad[_i].query);

	ck_assert_msg(!strncmp(got, bad[_i].error, strlen(bad[_i].error)), "%s: %s", bad[_i].query,
	    got);
}
END_TEST

START_TEST(an_unknown_parameter_is_refused_by_every_action)
{
	AUTO(str) char *got = read_text(actions[_i].in, "NoSuchParameter=1");

	ck_assert_str_eq(got, "UnknownParameter: The parameter NoSuchParameter is not recognized");
}
END_TEST

/* Fills every member of a shape, in JSON and, beside it, in the request that should give it. */
static void
put_sample(const struct shape *s, const char *name, struct buf *query, struct buf *json)
{
	char inner[256];

	switch (s->kind) {
	case SHAPE_STRUCT:
		ck_assert_int_eq(buf_add_str(json, "{"), 0);
		for (size_t i = 0; i < s->n; i++) {
			(void)snprintf(inner, sizeof(inner), "%s%s%s", name, *name ? "." : "",
			    s->members[i].query);
			ck_assert_int_eq(buf_printf(json, "%s\"%s\":", i ? "," : "",
			    s->members[i].name), 0);
			put_sample(s->members[i].shape, inner, query, json);
		}
		ck_assert_int_eq(buf_add_str(json, "}"), 0);
		return;
	case SHAPE_LIST:
		ck_assert_int_eq(buf_add_str(json, "["), 0);
		for (int i = 1; i <= 2; i++) {
			(void)snprintf(inner, sizeof(inner), "%s.%d", name, i);
			ck_assert_int_eq(buf_add_str(json, i > 1 ? "," : ""), 0);
			put_sample(s->item, inner, query, json);
		}
		ck_assert_int_eq(buf_add_str(json, "]"), 0);
		return;
	case SHAPE_INT:
		ck_assert_int_eq(buf_printf(query, "&%s=%lld", name, (long long)s->max), 0);
		ck_assert_int_eq(buf_printf(json, "%lld", (long long)s->max), 0);
		return;
	case SHAPE_DOUBLE:
		ck_assert_int_eq(buf_printf(query, "&%s=1.5", name), 0);
		ck_assert_int_eq(buf_add_str(json, "1.5"), 0);
		return;
	case SHAPE_BOOL:
		ck_assert_int_eq(buf_printf(query, "&%s=true", name), 0);
		ck_assert_int_eq(buf_add_str(json, "true"), 0);
		return;
	case SHAPE_TIME:
		ck_assert_int_eq(buf_printf(query, "&%s=2026-10-30T01:02:03Z", name), 0);
		ck_assert_int_eq(buf_add_str(json, "\"2026-10-30T01:02:03Z\""), 0);
		return;
	case SHAPE_BLOB:
	case SHAPE_STRING:
		break;
	}
	if (s->id_prefix)
		(void)snprintf(inner, sizeof(inner), "%s-0123456789abcdef0", s->id_prefix);
	else
		(void)snprintf(inner, sizeof(inner), "%s", s->words ? s->words[s->n - 1] : "abcd");
	ck_assert_int_eq(buf_printf(query, "&%s=%s", name, inner), 0);
	ck_assert_int_eq(buf_printf(json, "\"%s\"", inner), 0);
}

START_TEST(every_member_of_every_action_comes_through)
{
	AUTO(buf) struct buf query = BUF_EMPTY(1 << 20);
	AUTO(buf) struct buf json = BUF_EMPTY(1 << 20);
	AUTO(query) struct query q = { .n = 0 };
	AUTO(json) cJSON *got = NULL;
	AUTO(json) cJSON *want = NULL;
	struct shape_error e;
	char why[QUERY_WHY_MAX];

	put_sample(actions[_i].in, "", &query, &json);
	want = cJSON_Parse(buf_text(&json));
	ck_assert_ptr_nonnull(want);
	ck_assert_int_eq(query_parse(&q, buf_text(&query), query.len, why), 0);
	ck_assert_msg(shape_from_query(actions[_i].in, &q, &got, &e) == 0, "%s: %s", e.code, e.message);
	ck_assert_msg(cJSON_Compare(got, want, true), "%s", actions[_i].name);
}
END_TEST

/* ---- params.h ---- */

static const char *
read_code(const struct action *a, const char *text, bool *ret_dry_run)
{
	static char code[64];		/* of the last call: one at a time */
	AUTO(query) struct query q = { .n = 0 };
	AUTO(json) cJSON *in = NULL;
	struct shape_error e = { .code = "" };
	char why[QUERY_WHY_MAX];
	bool dry_run = false;

	ck_assert_int_eq(query_parse(&q, text, strlen(text), why), 0);
	if (params_read(a, &q, &in, &dry_run, &e) == 0) {
		ck_assert_ptr_null(json_member(in, "DryRun"));
		e.code[0] = '\0';
	}
	if (ret_dry_run)
		*ret_dry_run = dry_run;
	(void)snprintf(code, sizeof(code), "%s", e.code);
	return code;
}

static struct action
row(const char *name)
{
	for (size_t i = 0; i < nactions; i++)
		if (!strcmp(actions[i].name, name))
			return bare((int)i);
	abort();
}

START_TEST(pages_have_five_to_a_thousand_and_no_ids)
{
	const struct action a = row("DescribeInstances");

	ck_assert_str_eq(read_code(&a, "MaxResults=5", NULL), "");
	ck_assert_str_eq(read_code(&a, "MaxResults=1000", NULL), "");
	ck_assert_str_eq(read_code(&a, "MaxResults=4", NULL), "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "MaxResults=1001", NULL), "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "MaxResults=-5", NULL), "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "MaxResults=5&InstanceId.1=i-1234abcd", NULL),
	    "InvalidParameterCombination");
	ck_assert_str_eq(read_code(&a, "MaxResults=5&InstanceId=", NULL), "");
}
END_TEST

START_TEST(every_action_with_pages_keeps_their_bounds_8)
{
	const struct action a = bare(_i);
	char token[PAGE_TOKEN_MAX], text[3 * PAGE_TOKEN_MAX];

	if (!(a.flags & ACTION_PAGES))
		return;
	ck_assert_str_eq(read_code(&a, "MaxResults=5", NULL), "");
	ck_assert_str_eq(read_code(&a, "MaxResults=100", NULL), "");
	ck_assert_str_eq(read_code(&a, "MaxResults=4", NULL), "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "MaxResults=1001", NULL), "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "NextToken=", NULL), "");
	ck_assert_str_eq(read_code(&a, "NextToken=nonsense", NULL), "InvalidParameterValue");
	/* Its own, and another action's. */
	for (int own = 0; own < 2; own++) {
		ck_assert_int_eq(page_token(own ? a.name : "DescribeMice", "i-1", token), 0);
		snprintf(text, sizeof(text), "NextToken=");
		for (const char *t = token; *t; t++)	/* base64 has '+', '/' and '=' */
			snprintf(text + strlen(text), 4, "%%%02x", (unsigned char)*t);
		ck_assert_str_eq(read_code(&a, text, NULL), own ? "" : "InvalidParameterValue");
	}
}
END_TEST

START_TEST(dry_run_is_taken_out_by_every_action_that_has_it)
{
	AUTO(buf) struct buf query = BUF_EMPTY(1 << 20);
	AUTO(buf) struct buf json = BUF_EMPTY(1 << 20);
	const struct action a = bare(_i);
	const struct shape *in = a.in;
	bool dry_run = false;

	if (!(a.flags & ACTION_DRY_RUN))
		return;
	for (size_t i = 0; i < in->n; i++)
		if (in->members[i].need)
			put_sample(in->members[i].shape, in->members[i].query, &query, &json);
	ck_assert_int_eq(buf_add_str(&query, "&DryRun=true"), 0);
	ck_assert_str_eq(read_code(&a, buf_text(&query), &dry_run), "");
	ck_assert(dry_run);
}
END_TEST

START_TEST(a_client_token_is_printable_and_short)
{
	const struct action a = row("RunInstances");

	ck_assert_str_eq(read_code(&a, "MinCount=1&MaxCount=1&ClientToken=a+b~%21", NULL), "");
	ck_assert_str_eq(read_code(&a, "MinCount=1&MaxCount=1&ClientToken=%c3%a9", NULL),
	    "InvalidParameterValue");
	ck_assert_str_eq(read_code(&a, "MinCount=1&MaxCount=1&ClientToken="
	    "0123456789012345678901234567890123456789012345678901234567890123", NULL), "");
	ck_assert_str_eq(read_code(&a, "MinCount=1&MaxCount=1&ClientToken="
	    "01234567890123456789012345678901234567890123456789012345678901234", NULL),
	    "InvalidParameterValue");
}
END_TEST

static int
always_wrong(const cJSON *in, struct shape_error *e)
{
	return shape_refuse(e, "InvalidParameterCombination", "no");
}

START_TEST(an_actions_own_check_comes_before_dry_run)
{
	struct action a = row("DescribeInstances");
	bool dry_run = false;

	a.check = always_wrong;
	ck_assert_str_eq(read_code(&a, "DryRun=true", &dry_run), "InvalidParameterCombination");
	ck_assert(!dry_run);
}
END_TEST

START_TEST(a_version_names_an_api)
{
	enum action_api api;

	ck_assert(params_api("2016-11-15", &api));
	ck_assert_int_eq(api, API_EC2);
	ck_assert(params_api("2011-06-15", &api));
	ck_assert_int_eq(api, API_STS);
	ck_assert(!params_api("2015-10-01", &api));
	ck_assert(!params_api("", &api));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("shape");
	const int n = (int)nactions;

	tcase_add_loop_test(tc, parameters_become_json, 0, (int)ARRAY_LEN(good));
	tcase_add_loop_test(tc, what_is_wrong_is_named, 0, (int)ARRAY_LEN(bad));
	tcase_add_loop_test(tc, an_unknown_parameter_is_refused_by_every_action, 0, n);
	tcase_add_loop_test(tc, every_member_of_every_action_comes_through, 0, n);
	tcase_add_test(tc, pages_have_five_to_a_thousand_and_no_ids);
	tcase_add_loop_test(tc, every_action_with_pages_keeps_their_bounds_8, 0, n);
	tcase_add_loop_test(tc, dry_run_is_taken_out_by_every_action_that_has_it, 0, n);
	tcase_add_test(tc, a_client_token_is_printable_and_short);
	tcase_add_test(tc, an_actions_own_check_comes_before_dry_run);
	tcase_add_test(tc, a_version_names_an_api);
	return unit_run("shape", tc);
}
