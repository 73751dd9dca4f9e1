#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/run_check.h"

#define GOOD	"\"ImageId\":\"ami-0123456789abcdef0\",\"MinCount\":1,\"MaxCount\":1"

static cJSON *
tree(const char *text)
{
	cJSON *t = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_msg(json_parse(text, strlen(text), 1 << 20, &t, why) == 0, "%s: %s", text, why);
	return t;
}

struct check_case {
	const char	*in;
	const char	*code;		/* NULL: it may be */
};
static const struct check_case check_cases[] = {
	{ "{" GOOD "}", NULL },
	/* as Terraform sends it */
	{ "{" GOOD ",\"DisableApiTermination\":false,\"EbsOptimized\":false,"
	  "\"Monitoring\":{\"Enabled\":false},\"HibernationOptions\":{\"Configured\":false},"
	  "\"Placement\":{\"AvailabilityZone\":\"\"},\"CreditSpecification\":{\"CpuCredits\":"
	  "\"unlimited\"},\"NetworkInterfaces\":[{\"DeviceIndex\":0,\"SubnetId\":\"subnet-1\","
	  "\"Groups\":[\"sg-1\"],\"AssociatePublicIpAddress\":true}]}", NULL },
	{ "{" GOOD ",\"KernelId\":\"\",\"Ipv6AddressCount\":0,\"Ipv6Addresses\":[],"
	  "\"IamInstanceProfile\":{\"Name\":\"\"},\"EnclaveOptions\":{\"Enabled\":false}}", NULL },
	{ "{\"MinCount\":1,\"MaxCount\":1}", "MissingParameter" },
	{ "{\"ImageId\":\"ami-1\",\"MaxCount\":1}", "MissingParameter" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":1}", "MissingParameter" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":0,\"MaxCount\":1}", "InvalidParameterValue" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":-1,\"MaxCount\":1}", "InvalidParameterValue" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":3,\"MaxCount\":2}", "InvalidParameterValue" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":1,\"MaxCount\":100}", NULL },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":1,\"MaxCount\":101}", "InstanceLimitExceeded" },
	{ "{" GOOD ",\"UserData\":\"aGVsbG8=\"}", NULL },
	{ "{" GOOD ",\"UserData\":\"\"}", NULL },
	{ "{" GOOD ",\"UserData\":\"hello\"}", "InvalidUserData.Malformed" },
	{ "{" GOOD ",\"Placement\":{\"Tenancy\":\"default\"}}", NULL },
	{ "{" GOOD ",\"Placement\":{\"Tenancy\":\"dedicated\"}}", "Unsupported" },
	{ "{" GOOD ",\"Placement\":{\"GroupName\":\"g\"}}", "InvalidPlacementGroup.Unknown" },
	{ "{" GOOD ",\"CreditSpecification\":{\"CpuCredits\":\"lots\"}}", "InvalidParameterValue" },
	{ "{" GOOD ",\"PrivateDnsNameOptions\":{\"HostnameType\":\"resource-name\"}}",
	  "Unsupported" },
	{ "{" GOOD ",\"MetadataOptions\":{\"HttpTokens\":\"required\","
	  "\"HttpPutResponseHopLimit\":64,\"HttpEndpoint\":\"disabled\"},"
	  "\"MaintenanceOptions\":{\"AutoRecovery\":\"disabled\"}}", NULL },
	{ "{" GOOD ",\"MetadataOptions\":{\"HttpPutResponseHopLimit\":0}}", "InvalidParameterValue" },
	{ "{" GOOD ",\"MetadataOptions\":{\"HttpPutResponseHopLimit\":65}}", "InvalidParameterValue" },
	{ "{" GOOD ",\"MetadataOptions\":{\"InstanceMetadataTags\":\"enabled\"}}",
	  "UnsupportedOperation" },
	{ "{" GOOD ",\"MetadataOptions\":{\"HttpProtocolIpv6\":\"disabled\"}}", NULL },
	{ "{" GOOD ",\"MetadataOptions\":{\"HttpProtocolIpv6\":\"enabled\"}}",
	  "UnsupportedOperation" },
	{ "{" GOOD ",\"HibernationOptions\":{\"Configured\":true}}",
	  "UnsupportedHibernationConfiguration" },
	{ "{" GOOD ",\"InstanceMarketOptions\":{\"MarketType\":\"spot\"}}",
	  "UnsupportedOperation" },
	{ "{" GOOD ",\"IamInstanceProfile\":{\"Name\":\"p\"}}", "InvalidParameterValue" },
	{ "{" GOOD ",\"LaunchTemplate\":{\"LaunchTemplateName\":\"x\"}}", "UnsupportedOperation" },
	{ "{" GOOD ",\"Ipv6AddressCount\":1}", "UnsupportedOperation" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"DeviceIndex\":0},{\"DeviceIndex\":1}]}",
	  "AttachmentLimitExceeded" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"DeviceIndex\":1}]}", "InvalidParameterValue" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"DeviceIndex\":0,\"NetworkCardIndex\":0,"
	  "\"InterfaceType\":\"interface\",\"DeleteOnTermination\":true,"
	  "\"AssociatePublicIpAddress\":true,\"PrivateIpAddress\":\"10.0.0.4\"}]}", NULL },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"NetworkCardIndex\":1}]}", "UnsupportedOperation" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"InterfaceType\":\"efa\"}]}", "UnsupportedOperation" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"DeleteOnTermination\":false}]}",
	  "UnsupportedOperation" },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"PrivateIpAddresses\":[{\"Primary\":true}]}]}",
	  "UnsupportedOperation" },
	{ "{\"ImageId\":\"ami-1\",\"MinCount\":1,\"MaxCount\":2,"
	  "\"PrivateIpAddress\":\"10.0.0.4\"}", "InvalidParameterCombination" },
	{ "{" GOOD ",\"PrivateDnsNameOptions\":{\"EnableResourceNameDnsARecord\":false}}", NULL },
	{ "{" GOOD ",\"PrivateDnsNameOptions\":{\"EnableResourceNameDnsARecord\":true}}", "Unsupported" },
	{ "{" GOOD ",\"SubnetId\":\"subnet-1\",\"NetworkInterfaces\":[{\"DeviceIndex\":0}]}",
	  "InvalidParameterCombination" },
	{ "{" GOOD ",\"SecurityGroupIds\":[\"sg-1\"],\"SecurityGroups\":[\"a\"]}",
	  "InvalidParameterCombination" },
	{ "{" GOOD ",\"SubnetId\":\"\",\"NetworkInterfaces\":[{\"DeviceIndex\":0}]}", NULL },
	{ "{" GOOD ",\"NetworkInterfaces\":[{\"SecondaryPrivateIpAddressCount\":2}]}",
	  "UnsupportedOperation" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":"
	  "{\"VolumeSize\":8}}]}", NULL },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"Ebs\":{\"VolumeSize\":8}}]}", "MissingParameter" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\"},{\"DeviceName\":\"a\"}]}",
	  "InvalidBlockDeviceMapping" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"Encrypted\":true}}]}", "UnsupportedOperation" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"Encrypted\":false}}]}", NULL },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"KmsKeyId\":\"a\"}}]}", "UnsupportedOperation" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"VolumeType\":\"gp3\",\"Iops\":4000,\"Throughput\":200}}]}", NULL },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"VolumeType\":\"gp3\",\"Iops\":2999}}]}", "InvalidParameterValue" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"VolumeType\":\"io1\",\"VolumeSize\":4}}]}", "MissingParameter" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"Iops\":100}}]}", "InvalidParameterCombination" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"VolumeType\":\"st1\",\"VolumeSize\":8}}]}", "InvalidParameterValue" },
	{ "{" GOOD ",\"BlockDeviceMappings\":[{\"DeviceName\":\"a\",\"Ebs\":"
	  "{\"VolumeSize\":0}}]}", "InvalidParameterValue" },
	{ "{" GOOD ",\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":"
	  "[{\"Key\":\"a\",\"Value\":\"b\"}]},{\"ResourceType\":\"volume\",\"Tags\":"
	  "[{\"Key\":\"a\"}]}]}", NULL },
	{ "{" GOOD ",\"TagSpecifications\":[{\"ResourceType\":\"vpc\",\"Tags\":[]}]}",
	  "InvalidParameterValue" },
	{ "{" GOOD ",\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":"
	  "[{\"Key\":\"aws:x\"}]}]}", "InvalidParameterValue" },
};

START_TEST(parameters_are_taken_or_refused_as_the_table_says)
{
	const struct check_case *c = &check_cases[_i];
	AUTO(json) cJSON *in = tree(c->in);
	struct shape_error e = { 0 };
	int r = run_check(in, &e);

	ck_assert_msg((r == 0) == (c->code == NULL), "%s: %s %s", c->in, e.code, e.message);
	if (c->code)
		ck_assert_msg(strcmp(e.code, c->code) == 0, "%s: %s", c->in, e.code);
}
END_TEST

START_TEST(user_data_has_16_kib_when_decoded)
{
	const size_t limit = 16384 / 3 * 4;	/* characters of the 16383 bytes that fit evenly */
	AUTO(json) cJSON *in = tree("{" GOOD "}");
	AUTO(str) char *text = malloc(limit + 9);
	struct shape_error e = { 0 };

	memset(text, 'A', limit + 8);
	memcpy(text + limit, "AA==", 5);
	cJSON_AddStringToObject(in, "UserData", text);
	ck_assert_int_eq(run_check(in, &e), 0);
	memcpy(text + limit, "AAA=", 5);
	cJSON_DeleteItemFromObjectCaseSensitive(in, "UserData");
	cJSON_AddStringToObject(in, "UserData", text);
	ck_assert_int_ne(run_check(in, &e), 0);
	ck_assert_str_eq(e.code, "InvalidParameterValue");
}
END_TEST

START_TEST(empty_texts_are_pruned_but_for_the_values_of_tags)
{
	AUTO(json) cJSON *in = tree("{\"KeyName\":\"\",\"ImageId\":\"ami-1\","
	    "\"Placement\":{\"AvailabilityZone\":\"\"},\"NetworkInterfaces\":[{\"SubnetId\":\"\","
	    "\"DeviceIndex\":0}],\"TagSpecifications\":[{\"Tags\":[{\"Key\":\"a\",\"Value\":\"\"}]}]}");
	AUTO(str) char *text = NULL;

	run_prune(in);
	text = json_print(in);
	ck_assert_str_eq(text, "{\"ImageId\":\"ami-1\",\"Placement\":{},\"NetworkInterfaces\":"
	    "[{\"DeviceIndex\":0}],\"TagSpecifications\":[{\"Tags\":[{\"Key\":\"a\",\"Value\":\"\"}]}]}");
	run_prune(NULL);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("run_check");
	TCase *t = tcase_create("run_check");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, parameters_are_taken_or_refused_as_the_table_says, 0,
	    (int)ARRAY_LEN(check_cases));
	tcase_add_test(t, user_data_has_16_kib_when_decoded);
	tcase_add_test(t, empty_texts_are_pruned_but_for_the_values_of_tags);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
