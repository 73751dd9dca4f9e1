#include "gwd/xml.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/auth.h"
#include "gwd/error.h"
#include "gwd/shapes_ec2.h"
#include "tests/unit/unit.h"

#define DECLARATION	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define EC2_XMLNS	" xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\""
#define STS_XMLNS	" xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\""

struct golden {
	struct action	 action;
	const char	*json, *xml;
};
static const struct golden golden[] = {
	{ { EC2_DescribeInstances, NULL, NULL, NULL },
	  "{\"Reservations\":[{\"OwnerId\":\"000000000001\",\"Other\":1,\"Instances\":[{"
	  "\"Tags\":[{\"Key\":\"a\",\"Value\":\"<b> & \\\"c\\\"\"}],"
	  "\"Spinifex\":{\"launch\":\"x\"},\"AmiLaunchIndex\":0,"
	  "\"State\":{\"Code\":16,\"Name\":\"running\"},\"EbsOptimized\":false,"
	  "\"LaunchTime\":\"2026-10-30T01:02:03.000Z\",\"ImageId\":null}]}],\"NextToken\":\"n\"}",
	  DECLARATION "<DescribeInstancesResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "<reservationSet><item><instancesSet><item><amiLaunchIndex>0</amiLaunchIndex>"
	  "<launchTime>2026-10-30T01:02:03.000Z</launchTime>"
	  "<instanceState><code>16</code><name>running</name></instanceState>"
	  "<ebsOptimized>false</ebsOptimized>"
	  "<tagSet><item><key>a</key><value>&lt;b&gt; &amp; &quot;c&quot;</value></item></tagSet>"
	  "</item></instancesSet><ownerId>000000000001</ownerId></item></reservationSet>"
	  "<nextToken>n</nextToken></DescribeInstancesResponse>\n" },
	{ { EC2_DescribeInstances, NULL, NULL, NULL }, "{\"Reservations\":[]}",
	  DECLARATION "<DescribeInstancesResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "<reservationSet/></DescribeInstancesResponse>\n" },
	/* Members of another kind than the shape's are left out. */
	{ { EC2_DescribeInstances, NULL, NULL, NULL },
	  "{\"Reservations\":{},\"NextToken\":5}",
	  DECLARATION "<DescribeInstancesResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "</DescribeInstancesResponse>\n" },
	{ { EC2_DescribeInstances, NULL, NULL, NULL },
	  "{\"Reservations\":[1,\"x\",null,{\"Instances\":[{\"State\":[],\"Tags\":[{\"Key\":1}]}]}]}",
	  DECLARATION "<DescribeInstancesResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "<reservationSet><item><instancesSet><item><tagSet><item/></tagSet></item></instancesSet>"
	  "</item></reservationSet></DescribeInstancesResponse>\n" },
	{ { EC2_CreateTags, NULL, NULL, NULL }, NULL,
	  DECLARATION "<CreateTagsResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "<return>true</return></CreateTagsResponse>\n" },
	{ { EC2_DescribeInstanceTypes, NULL, NULL, NULL },
	  "{\"InstanceTypes\":[{\"MemoryInfo\":{\"SizeInMiB\":1024},\"ProcessorInfo\":"
	  "{\"SustainedClockSpeedInGhz\":2.5,\"SupportedArchitectures\":[\"x86_64\"]}}]}",
	  DECLARATION "<DescribeInstanceTypesResponse" EC2_XMLNS "><requestId>R</requestId>"
	  "<instanceTypeSet><item><processorInfo><supportedArchitectures><item>x86_64</item>"
	  "</supportedArchitectures><sustainedClockSpeedInGhz>2.5</sustainedClockSpeedInGhz>"
	  "</processorInfo><memoryInfo><sizeInMiB>1024</sizeInMiB></memoryInfo></item>"
	  "</instanceTypeSet></DescribeInstanceTypesResponse>\n" },
	{ { STS_GetCallerIdentity, NULL, NULL, NULL },
	  "{\"UserId\":\"1\",\"Account\":\"000000000001\",\"Arn\":\"arn:aws:iam::1:root\"}",
	  DECLARATION "<GetCallerIdentityResponse" STS_XMLNS "><GetCallerIdentityResult>"
	  "<UserId>1</UserId><Account>000000000001</Account><Arn>arn:aws:iam::1:root</Arn>"
	  "</GetCallerIdentityResult><ResponseMetadata><RequestId>R</RequestId></ResponseMetadata>"
	  "</GetCallerIdentityResponse>\n" },
};

START_TEST(an_answer_is_what_aws_would_say)
{
	AUTO(buf) struct buf out = BUF_EMPTY(XML_ANSWER_MAX);
	AUTO(json) cJSON *in = golden[_i].json ? cJSON_Parse(golden[_i].json) : NULL;

	ck_assert(in || !golden[_i].json);
	ck_assert_int_eq(xml_answer(&golden[_i].action, "R", in, &out), 0);
	ck_assert_str_eq(buf_text(&out), golden[_i].xml);
}
END_TEST

START_TEST(an_error_has_its_apis_envelope)
{
	AUTO(buf) struct buf ec2 = BUF_EMPTY(XML_ANSWER_MAX);
	AUTO(buf) struct buf sts = BUF_EMPTY(XML_ANSWER_MAX);

	ck_assert_int_eq(xml_error(API_EC2, "R", "AuthFailure", "a <b>", false, &ec2), 0);
	ck_assert_str_eq(buf_text(&ec2), DECLARATION "<Response><Errors><Error>"
	    "<Code>AuthFailure</Code><Message>a &lt;b&gt;</Message></Error></Errors>"
	    "<RequestID>R</RequestID></Response>\n");
	ck_assert_int_eq(xml_error(API_STS, "R", "InternalError", "m", true, &sts), 0);
	ck_assert_str_eq(buf_text(&sts), DECLARATION "<ErrorResponse" STS_XMLNS "><Error>"
	    "<Type>Receiver</Type><Code>InternalError</Code><Message>m</Message></Error>"
	    "<RequestId>R</RequestId></ErrorResponse>\n");
}
END_TEST

struct hostile {
	const char	*text, *back;	/* what a parser reads; NULL: the same */
};
static const struct hostile hostile[] = {
	{ "]]></Message><Code>x", NULL },
	{ "<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]>&b;", NULL },
	{ "&amp;&#60;", NULL },
	{ "a\r\nb\tc", NULL },
	{ " ", NULL },
	{ "\xf0\x9f\x98\x80 \xc3\xa9", NULL },
	{ "a\x01" "b\x1b[31m", "a\xef\xbf\xbd" "b\xef\xbf\xbd[31m" },
	{ "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xc3", "\xef\xbf\xbd" },
	{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
};

START_TEST(hostile_text_comes_back_from_a_parser_as_it_was)
{
	AUTO(buf) struct buf out = BUF_EMPTY(XML_ANSWER_MAX);
	const char *want = hostile[_i].back ? hostile[_i].back : hostile[_i].text;
	xmlDocPtr doc;
	xmlChar *got;

	ck_assert_int_eq(xml_error(API_EC2, "R", "C", hostile[_i].text, false, &out), 0);
	doc = xmlReadMemory(buf_text(&out), (int)out.len, "x", NULL,
	    XML_PARSE_NONET | XML_PARSE_NOERROR);
	ck_assert_ptr_nonnull(doc);
	/* Response / Errors / Error / Code, Message */
	got = xmlNodeGetContent(doc->children->children->children->children->next);
	ck_assert_str_eq((const char *)got, want);
	xmlFree(got);
	xmlFreeDoc(doc);
}
END_TEST

START_TEST(an_answer_has_a_ceiling)
{
	AUTO(buf) struct buf out = BUF_EMPTY(100);
	AUTO(json) cJSON *in = cJSON_Parse("{\"Reservations\":[{},{},{},{},{},{},{},{}]}");

	ck_assert_int_eq(xml_answer(&golden[0].action, "R", in, &out), -EMSGSIZE);
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

START_TEST(large_numbers_stay_exact)
{
	AUTO(buf) struct buf out = BUF_EMPTY(XML_ANSWER_MAX);
	AUTO(json) cJSON *in = cJSON_Parse("{\"InstanceTypes\":[{\"MemoryInfo\":{}}]}");
	cJSON *info = cJSON_GetObjectItem(json_member(in, "InstanceTypes")->child, "MemoryInfo");
	const struct action a = { EC2_DescribeInstanceTypes, NULL, NULL, NULL };

	ck_assert(json_add_u64(info, "SizeInMiB", 9007199254740993ull));
	ck_assert_int_eq(xml_answer(&a, "R", in, &out), 0);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), ">9007199254740993<"));
}
END_TEST

/* ---- codes ---- */

START_TEST(a_code_travels_with_its_status)
{
	ck_assert_uint_eq(error_status("AuthFailure"), 401);
	ck_assert_uint_eq(error_status("MissingAuthenticationToken"), 403);
	ck_assert_uint_eq(error_status("RequestExpired"), 400);
	ck_assert_uint_eq(error_status("IncompleteSignature"), 400);
	ck_assert_uint_eq(error_status("UnauthorizedOperation"), 403);
	ck_assert_uint_eq(error_status("DryRunOperation"), 412);
	ck_assert_uint_eq(error_status("RequestLimitExceeded"), 503);
	ck_assert_uint_eq(error_status("Unavailable"), 503);
	ck_assert_uint_eq(error_status("InsufficientInstanceCapacity"), 500);
	ck_assert_uint_eq(error_status("InvalidInstanceID.NotFound"), 400);
	ck_assert_uint_eq(error_status(""), 400);
}
END_TEST

START_TEST(each_fault_has_a_code_for_each_api)
{
	for (enum auth_fault f = 0; f < AUTH_FAULTS; f++) {
		for (enum action_api api = 0; api < ACTION_APIS; api++) {
			const struct auth_error e = auth_error(f, api, NULL);

			ck_assert_ptr_nonnull(e.code);
			ck_assert_ptr_nonnull(e.cause);
			ck_assert_str_ne(e.message, "");
		}
	}
	ck_assert_str_eq(auth_error(AUTH_UNKNOWN_KEY, API_EC2, NULL).message,
	    auth_error(AUTH_WRONG_SIGNATURE, API_EC2, NULL).message);
	ck_assert_str_eq(auth_error(AUTH_EXPIRED, API_EC2, "when").message, "when");
}
END_TEST

START_TEST(a_scope_is_of_one_service_and_region)
{
	struct sigv4_claim c = { .region = "eu-west-9", .service = "ec2" };
	char why[AUTH_WHY_MAX] = "";

	ck_assert(auth_scope_is_right(&c, API_EC2, "eu-west-9", why));
	ck_assert(!auth_scope_is_right(&c, API_STS, "eu-west-9", why));
	ck_assert_ptr_nonnull(strstr(why, "'sts', not 'ec2'"));
	ck_assert(!auth_scope_is_right(&c, API_EC2, "us-east-1", why));
	ck_assert_ptr_nonnull(strstr(why, "'us-east-1', not 'eu-west-9'"));
	(void)snprintf(c.service, sizeof(c.service), "sts");
	(void)snprintf(c.region, sizeof(c.region), "us-east-1");
	ck_assert(auth_scope_is_right(&c, API_STS, "eu-west-9", why));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("xml");

	tcase_add_loop_test(tc, an_answer_is_what_aws_would_say, 0, (int)ARRAY_LEN(golden));
	tcase_add_test(tc, an_error_has_its_apis_envelope);
	tcase_add_loop_test(tc, hostile_text_comes_back_from_a_parser_as_it_was, 0,
	    (int)ARRAY_LEN(hostile));
	tcase_add_test(tc, an_answer_has_a_ceiling);
	tcase_add_test(tc, large_numbers_stay_exact);
	tcase_add_test(tc, a_code_travels_with_its_status);
	tcase_add_test(tc, each_fault_has_a_code_for_each_api);
	tcase_add_test(tc, a_scope_is_of_one_service_and_region);
	return unit_run("xml", tc);
}
