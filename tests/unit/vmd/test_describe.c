#include "vmd/describe.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/network.h"
#include "tests/unit/unit.h"

static const struct type nano = { "t3.nano", "x86_64", 2, 2, 512, true, true, true };
static const struct types types = { (struct type *)(uintptr_t)&nano, 1 };
static const struct describe_view view = { { "us-east-1", &types } };

/* What a client is shown of one that runs; members in their order. */
static const char golden[] =
    "{\"Reservations\":[{\"ReservationId\":\"r-0123456789abcdef0\",\"OwnerId\":\"123456789012\","
    "\"Groups\":[],\"Instances\":[{\"Hypervisor\":\"xen\",\"VirtualizationType\":\"hvm\","
    "\"RootDeviceType\":\"ebs\",\"EnaSupport\":true,\"PlatformDetails\":\"Linux/UNIX\","
    "\"UsageOperation\":\"RunInstances\",\"PublicDnsName\":\"\",\"ProductCodes\":[],"
    "\"SourceDestCheck\":true,\"CapacityReservationSpecification\":{"
    "\"CapacityReservationPreference\":\"open\"},\"HibernationOptions\":{\"Configured\":false},"
    "\"EnclaveOptions\":{\"Enabled\":false},\"MaintenanceOptions\":{\"AutoRecovery\":\"default\"},"
    "\"MetadataOptions\":{\"State\":\"applied\",\"HttpTokens\":\"optional\","
    "\"HttpPutResponseHopLimit\":1,\"HttpEndpoint\":\"enabled\",\"HttpProtocolIpv6\":\"disabled\","
    "\"InstanceMetadataTags\":\"disabled\"},\"PrivateDnsNameOptions\":{\"HostnameType\":\"ip-name\","
    "\"EnableResourceNameDnsARecord\":false,\"EnableResourceNameDnsAAAARecord\":false},"
    "\"InstanceId\":\"i-0123456789abcdef0\",\"ImageId\":\"ami-0123456789abcdef0\","
    "\"InstanceType\":\"t3.nano\",\"Architecture\":\"x86_64\",\"BootMode\":\"uefi\","
    "\"ClientToken\":\"\",\"AmiLaunchIndex\":0,\"LaunchTime\":\"2026-11-29T01:00:00.000Z\","
    "\"UsageOperationUpdateTime\":\"2026-11-29T01:00:00.000Z\",\"EbsOptimized\":false,"
    "\"State\":{\"Code\":16,\"Name\":\"running\"},\"StateTransitionReason\":\"\","
    "\"Placement\":{\"AvailabilityZone\":\"us-east-1a\",\"GroupName\":\"\",\"Tenancy\":\"default\"},"
    "\"Monitoring\":{\"State\":\"disabled\"},\"PrivateDnsName\":\"ip-172-31-0-9.ec2.internal\","
    "\"SubnetId\":\"subnet-1\",\"VpcId\":\"vpc-1\",\"PrivateIpAddress\":\"172.31.0.9\","
    "\"SecurityGroups\":[{\"GroupId\":\"sg-1\",\"GroupName\":\"default\"}],"
    "\"NetworkInterfaces\":[{\"NetworkInterfaceId\":\"eni-1\",\"InterfaceType\":\"interface\","
    "\"Description\":\"\",\"MacAddress\":\"02:00:00:00:00:01\",\"OwnerId\":\"123456789012\","
    "\"Status\":\"in-use\",\"SubnetId\":\"subnet-1\",\"VpcId\":\"vpc-1\",\"SourceDestCheck\":true,"
    "\"RequesterManaged\":false,\"Ipv6Addresses\":[],\"Groups\":[{\"GroupId\":\"sg-1\",\"GroupName\":\"default\"}],"
    "\"PrivateIpAddresses\":[{\"PrivateIpAddress\":\"172.31.0.9\","
    "\"PrivateDnsName\":\"ip-172-31-0-9.ec2.internal\",\"Primary\":true}],"
    "\"PrivateIpAddress\":\"172.31.0.9\",\"PrivateDnsName\":\"ip-172-31-0-9.ec2.internal\","
    "\"Attachment\":{\"AttachmentId\":\"eni-attach-1\",\"Status\":\"attached\",\"DeviceIndex\":0,"
    "\"NetworkCardIndex\":0,\"DeleteOnTermination\":true,"
    "\"AttachTime\":\"2026-11-29T01:00:00.000Z\"}}],\"BlockDeviceMappings\":[{"
    "\"DeviceName\":\"/dev/sda1\",\"Ebs\":{\"VolumeId\":\"vol-1\",\"Status\":\"attached\","
    "\"DeleteOnTermination\":true,\"AttachTime\":\"2026-11-29T01:00:00.000Z\"}}],"
    "\"RootDeviceName\":\"/dev/sda1\",\"CpuOptions\":{\"CoreCount\":1,\"ThreadsPerCore\":2},"
    "\"Spinifex\":{\"volume_bytes\":8589934592,\"volume_type\":\"gp2\",\"volume_iops\":0,"
    "\"volume_throughput\":0,\"launch\":\"l-1\",\"qmp\":\"impaired\"}}]}]}";

static struct instance
running(void)
{
	return (struct instance){ .id = "i-0123456789abcdef0", .account_id = "123456789012",
		.reservation_id = "r-0123456789abcdef0", .node = "node-1",
		.state = INSTANCE_RUNNING, .image_id = "ami-0123456789abcdef0",
		.instance_type = "t3.nano", .arch = "x86_64", .boot_mode = "uefi",
		.zone = "us-east-1a", .vpc_id = "vpc-1", .subnet_id = "subnet-1",
		.eni_id = "eni-1", .group_id = "sg-1", .private_ip = "172.31.0.9",
		.mac = "02:00:00:00:00:01", .volume_id = "vol-1", .root_device = "/dev/sda1",
		.launch_time_ms = 1795914000000u, .created_ms = 1795914000000u, .volume_bytes = 8ull << 30 };
}

START_TEST(an_instance_is_shown_with_all_that_clients_read)
{
	const struct instance i = running();
	struct describe d;

	describe_begin(&d);
	ck_assert_int_eq(describe_add(&d, &i, (struct describe_extra){ "l-1", true }, &view), 0);
	ck_assert_str_eq(describe_end(&d, false), golden);
	describe_deinit(&d);
}
END_TEST

START_TEST(nothing_is_an_empty_list)
{
	struct describe d;

	describe_begin(&d);
	ck_assert_str_eq(describe_end(&d, false), "{\"Reservations\":[]}");
	describe_deinit(&d);
}
END_TEST

START_TEST(a_full_page_says_after_which_there_is_more)
{
	struct instance i = running();
	struct describe d;
	const char *text;
	unsigned n = 0;
	int r = 0;

	describe_begin(&d);
	for (; r == 0; n++) {
		snprintf(i.id, sizeof(i.id), "i-%017x", n);
		r = describe_add(&d, &i, (struct describe_extra){ "", false }, &view);
	}
	ck_assert_int_eq(r, -EMSGSIZE);
	ck_assert_uint_gt(n, 50);
	text = describe_end(&d, true);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_lt(strlen(text), 512 * 1024);
	snprintf(i.id, sizeof(i.id), "i-%017x", n - 2);	/* the last that was taken */
	ck_assert_str_eq(d.last, i.id);
	ck_assert_ptr_nonnull(strstr(text, "],\"After\":\""));
	describe_deinit(&d);
}
END_TEST

START_TEST(instances_of_one_request_share_a_reservation)
{
	struct instance i = running();
	AUTO(json) cJSON *reservation = NULL;

	for (unsigned n = 0; n < 3; n++)
		ck_assert_int_eq(describe_into(&reservation, &i,
		    (struct describe_extra){ "", false }, &view), 0);
	ck_assert_int_eq(cJSON_GetArraySize(json_member(reservation, "Instances")), 3);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("describe");

	tcase_add_test(tc, an_instance_is_shown_with_all_that_clients_read);
	tcase_add_test(tc, nothing_is_an_empty_list);
	tcase_add_test(tc, a_full_page_says_after_which_there_is_more);
	tcase_add_test(tc, instances_of_one_request_share_a_reservation);
	return unit_run("describe", tc);
}
