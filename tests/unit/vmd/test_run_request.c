#include "vmd/run_request.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "common/network.h"
#include "tests/unit/unit.h"

#define ACCOUNT	"123456789012"
#define WHAT	"\"ImageId\":\"ami-0123456789abcdef0\",\"InstanceType\":\"t3.nano\""
#define IDS	"\"ReservationId\":\"r-0123456789abcdef0\",\"InstanceIds\":[\"i-0123456789abcdef0\"," \
		"\"i-0123456789abcdef1\"]"

static const struct type nano = { "t3.nano", "x86_64", 2, 2, 512, true, true, true };
static const struct run_node here = { "node-1", "us-east-1a", "x86_64", "stop" };
static const struct image image = { .id = "ami-0123456789abcdef0", .arch = "x86_64",
	.boot_mode = "uefi", .virtual_bytes = (3ull << 30) + 1, .root_device = "/dev/sda1" };

static int
read_text(const char *text, struct run_request *q, struct run_refusal *no)
{
	AUTO(json) cJSON *in = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_msg(json_parse(text, strlen(text), 65536, &in, why) == 0, "%s", why);
	return run_request_read(in, ACCOUNT, q, no);
}

START_TEST(what_terraform_sends_is_taken)
{
	struct run_request q;
	struct run_refusal no = { 0 };
	struct instance i;
	uint64_t bytes = 0;

	ck_assert_msg(read_text("{" IDS ",\"ImageId\":\"ami-0123456789abcdef0\","
	    "\"InstanceType\":\"t3.nano\",\"MinCount\":2,\"MaxCount\":2,"
	    "\"DisableApiTermination\":false,\"EbsOptimized\":false,\"Monitoring\":{\"Enabled\":false},"
	    "\"HibernationOptions\":{\"Configured\":false},\"Placement\":{\"AvailabilityZone\":\"\"},"
	    "\"CreditSpecification\":{\"CpuCredits\":\"unlimited\"},\"UserData\":\"aGk=\","
	    "\"BlockDeviceMappings\":[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":{\"VolumeSize\":8,"
	    "\"VolumeType\":\"gp3\",\"Iops\":4000,\"Throughput\":200,"
	    "\"DeleteOnTermination\":false}},{\"DeviceName\":\"/dev/sdb\","
	    "\"VirtualName\":\"ephemeral0\"},{\"DeviceName\":\"/dev/sdc\",\"Ebs\":{"
	    "\"VolumeType\":\"io1\",\"VolumeSize\":4,\"Iops\":150}}],\"TagSpecifications\":[{\"ResourceType\":\"instance\","
	    "\"Tags\":[{\"Key\":\"Name\",\"Value\":\"x\"}]},{\"ResourceType\":\"volume\",\"Tags\":["
	    "{\"Key\":\"v\",\"Value\":\"y\"}]}]}", &q, &no) == 0, "%s", no.why);
	ck_assert_uint_eq(q.n, 2);
	ck_assert_uint_eq(q.tags[INSTANCE_TAGS_OWN].n, 1);
	ck_assert_uint_eq(q.tags[INSTANCE_TAGS_VOLUME].n, 1);
	ck_assert_uint_eq(q.tags[INSTANCE_TAGS_NIC].n, 0);
	ck_assert_str_eq(q.shutdown_behavior, "stop");
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), 0);
	ck_assert_uint_eq(bytes, 8ull << 30);
	ck_assert_int_eq(run_request_instance(&q, 1, &image, &nano, &here, bytes, &i), 0);
	ck_assert_str_eq(i.id, "i-0123456789abcdef1");
	ck_assert_uint_eq(i.launch_index, 1);
	ck_assert_str_eq(i.node, "node-1");
	ck_assert_str_eq(i.on_isolation, "stop");
	ck_assert_str_eq(i.user_data, "aGk=");
	ck_assert(i.keep_volume && i.state == INSTANCE_PENDING);
	ck_assert_str_eq(i.volume_type, "gp3");
	ck_assert_uint_eq(i.volume_iops, 4000);
	ck_assert_uint_eq(i.volume_throughput, 200);
	ck_assert_uint_eq(i.nvolumes, 1);
	ck_assert_str_eq(i.volume[0].type, "io1");
	ck_assert_uint_eq(i.volume[0].iops, 150);
	ck_assert_str_eq(instance_tag(&i, "Name"), "x");
	ck_assert(*i.vpc_id && *i.subnet_id && *i.eni_id && *i.volume_id && *i.mac);
	instance_deinit(&i);
	run_request_deinit(&q);
}
END_TEST

#define ONE	"{\"ReservationId\":\"r-0123456789abcdef0\","				\
	"\"InstanceIds\":[\"i-0123456789abcdef0\"]," WHAT
#define NETWORK	",\"Network\":{\"VpcId\":\"vpc-0123456789abcdef0\","				\
	"\"SubnetId\":\"subnet-0123456789abcdef0\",\"CidrBlock\":\"10.0.1.0/24\"}"

START_TEST(an_address_that_is_asked_for_is_one_of_the_subnet)
{
	static const struct { const char *more, *code; } rows[] = {
		{ NETWORK ",\"PrivateIpAddress\":\"10.0.1.4\"}", NULL },
		{ NETWORK ",\"NetworkInterfaces\":[{\"PrivateIpAddress\":\"10.0.1.254\"}]}", NULL },
		{ NETWORK ",\"PrivateIpAddress\":\"10.0.1.3\"}", "InvalidParameterValue" },
		{ NETWORK ",\"PrivateIpAddress\":\"10.0.1.255\"}", "InvalidParameterValue" },
		{ NETWORK ",\"PrivateIpAddress\":\"10.0.2.4\"}", "InvalidParameterValue" },
		{ NETWORK ",\"PrivateIpAddress\":\"10.0.1.4/24\"}", "InvalidParameterValue" },
		{ NETWORK ",\"PrivateIpAddress\":\"me\"}", "InvalidParameterValue" },
		{ NETWORK ",\"PrivateIpAddress\":[]}", "InvalidParameterValue" },
		{ NETWORK ",\"NetworkInterfaces\":[{\"PrivateIpAddress\":5}]}", "InvalidParameterValue" },
		{ ",\"PrivateIpAddress\":\"172.31.0.9\"}", "InvalidParameterValue" },
	};

	for (size_t n = 0; n < ARRAY_LEN(rows); n++) {
		struct run_request q = { 0 };
		struct run_refusal no = { 0 };
		struct instance i;
		char text[1024];
		int r;

		snprintf(text, sizeof(text), "%s%s", ONE, rows[n].more);
		r = read_text(text, &q, &no);
		ck_assert_msg(r == (rows[n].code ? -EINVAL : 0), "%s: %s", text, no.why);
		if (r < 0) {
			ck_assert_str_eq(no.code, rows[n].code);
			continue;
		}
		ck_assert_int_eq(run_request_instance(&q, 0, &image, &nano, &here, 1, &i), 0);
		ck_assert_str_eq(i.private_ip, n == 0 ? "10.0.1.4" : "10.0.1.254");
		instance_deinit(&i);
		run_request_deinit(&q);
	}
}
END_TEST

START_TEST(a_zone_is_kept_beside_monitoring)
{
	struct run_request q;
	struct run_refusal no = { 0 };
	uint64_t bytes;

	ck_assert_int_eq(read_text("{" IDS "," WHAT ",\"Placement\":{\"AvailabilityZone\":\"mars-1a\"},"
	    "\"Monitoring\":{\"Enabled\":true}}", &q, &no), 0);
	ck_assert_str_eq(q.zone, "mars-1a");
	ck_assert(q.monitoring);
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "InvalidParameterValue");
	run_request_deinit(&q);
}
END_TEST

START_TEST(options_and_indexes_are_kept)
{
	struct run_request q;
	struct run_refusal no = { 0 };
	struct instance i;

	ck_assert_msg(read_text("{" IDS "," WHAT ",\"LaunchIndexes\":[3,7],\"MetadataOptions\":{"
	    "\"HttpTokens\":\"required\",\"HttpPutResponseHopLimit\":2,\"HttpEndpoint\":"
	    "\"disabled\"},\"MaintenanceOptions\":{\"AutoRecovery\":\"disabled\"},"
	    "\"Placement\":{\"AvailabilityZone\":\"us-east-1a\"},\"Monitoring\":{\"Enabled\":true}}",
	    &q, &no) == 0, "%s", no.why);
	ck_assert_str_eq(q.zone, "us-east-1a");
	ck_assert(q.monitoring);
	ck_assert_int_eq(run_request_instance(&q, 1, &image, &nano, &here, 1, &i), 0);
	ck_assert_uint_eq(i.launch_index, 7);
	ck_assert_str_eq(i.metadata_tokens, "required");
	ck_assert_str_eq(i.metadata_endpoint, "disabled");
	ck_assert_uint_eq(i.metadata_hops, 2);
	ck_assert_str_eq(i.auto_recovery, "disabled");
	instance_deinit(&i);
	run_request_deinit(&q);
}
END_TEST

/* The nth instance of a request, on a node of that zone. */
static void
made(const struct run_request *q, const char *zone, struct instance *ret)
{
	const struct image from = { .id = "ami-0123456789abcdef0", .arch = "x86_64" };
	const struct type like = { .name = "t3.nano", .arch = "x86_64" };
	const struct run_node where = { "n1", zone, "x86_64", "keep" };

	ck_assert_int_eq(run_request_instance(q, 0, &from, &like, &where, 1, ret), 0);
}

START_TEST(without_a_network_it_is_the_default_one_of_the_zone)
{
	struct run_request q;
	struct run_refusal no = { 0 };
	struct network_subnet subnet;
	struct network net;
	struct instance i;

	network_of(ACCOUNT, &net);
	ck_assert_msg(read_text("{" IDS "," WHAT "}", &q, &no) == 0, "%s", no.why);
	made(&q, "us-east-1a", &i);
	ck_assert_str_eq(i.subnet_id, net.subnet_id);
	ck_assert_str_eq(i.subnet_cidr, "172.31.0.0/20");
	ck_assert_str_eq(i.group_id, net.group_id);
	ck_assert_ptr_null(i.groups);
	instance_deinit(&i);
	made(&q, "us-east-1c", &i);
	network_subnet_of(ACCOUNT, "us-east-1c", &subnet);
	ck_assert_str_eq(i.subnet_id, subnet.id);
	ck_assert_str_ne(i.subnet_id, net.subnet_id);
	ck_assert_str_eq(i.subnet_cidr, "172.31.32.0/20");
	ck_assert_str_eq(i.vpc_id, net.vpc_id);
	instance_deinit(&i);
	run_request_deinit(&q);
}
END_TEST

START_TEST(a_network_that_is_named_is_kept)
{
	struct run_request q;
	struct run_refusal no = { 0 };
	struct instance i;

	ck_assert_msg(read_text("{" IDS "," WHAT ",\"NetworkInterfaces\":[{\"DeviceIndex\":0,"
	    "\"SubnetId\":\"subnet-0123456789abcdef0\",\"AssociatePublicIpAddress\":true}],"
	    "\"Network\":{\"SubnetId\":\"subnet-0123456789abcdef0\","
	    "\"VpcId\":\"vpc-0123456789abcdef0\",\"CidrBlock\":\"10.0.0.0/24\","
	    "\"Groups\":\"sg-0123456789abcdef0 web\\nsg-0123456789abcdef1 data base\"}}", &q, &no) == 0,
	    "%s", no.why);
	made(&q, "us-east-1a", &i);
	ck_assert_str_eq(i.subnet_id, "subnet-0123456789abcdef0");
	ck_assert_str_eq(i.vpc_id, "vpc-0123456789abcdef0");
	ck_assert_str_eq(i.subnet_cidr, "10.0.0.0/24");
	ck_assert_str_eq(i.group_id, "sg-0123456789abcdef0");
	ck_assert_str_eq(i.groups, "sg-0123456789abcdef0 web\nsg-0123456789abcdef1 data base");
	instance_deinit(&i);
	run_request_deinit(&q);
}
END_TEST

static const struct {
	const char *text, *code;
} bad[] = {
	{ "{}", "InvalidParameterValue" },
	{ "{\"InstanceIds\":[\"i-0123456789abcdef0\"]}", "InvalidParameterValue" },
	{ "{" WHAT ",\"ReservationId\":\"r-0123456789abcdef0\",\"InstanceIds\":[\"i-0123456789abcdef0\","
	  "\"i-0123456789abcdef0\"]}", "InvalidParameterValue" },
	{ "{" WHAT "}", "InvalidParameterValue" },
	{ "{" IDS "}", "InvalidParameterValue" },
	{ "{" IDS ",\"ImageId\":7,\"InstanceType\":\"t3.nano\"}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"TagSpecifications\":\"x\"}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"LaunchIndexes\":[1]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"LaunchIndexes\":[1,2,3]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"LaunchIndexes\":[1,\"x\"]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"MetadataOptions\":{\"HttpTokens\":7}}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"MetadataOptions\":[]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"BlockDeviceMappings\":{}}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"PrivateIpAddress\":\"172.31.0.9\"}", "InvalidParameterCombination" },
	{ "{" IDS "," WHAT ",\"NetworkInterfaces\":[{},{}]}", "Unsupported" },
	{ "{" IDS "," WHAT ",\"NetworkInterfaces\":[{\"NetworkInterfaceId\":\"eni-1\"}]}", "Unsupported" },
	{ "{" IDS "," WHAT ",\"Network\":{\"SubnetId\":\"subnet-0123456789abcdef0\"}}",
	  "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"Network\":{\"SubnetId\":\"subnet-0123456789abcdef0\","
	  "\"VpcId\":\"vpc-0123456789abcdef0\",\"CidrBlock\":\"10.0.0.0/40\"}}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"Network\":{\"Groups\":\"\"}}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"Network\":{\"Groups\":\"sg-0123456789abcdef0\"}}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"Network\":{\"Groups\":\"web sg-0123456789abcdef0\"}}",
	  "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"Network\":7}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"BlockDeviceMappings\":[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":{"
	  "\"SnapshotId\":\"snap-1\"}}]}", "InvalidSnapshot.NotFound" },
	{ "{" IDS "," WHAT ",\"BlockDeviceMappings\":[{\"DeviceName\":\"/dev/sda1\",\"Ebs\":{"
	  "\"VolumeSize\":0}}]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"BlockDeviceMappings\":[{\"Ebs\":{\"VolumeSize\":1}}]}",
	  "InvalidBlockDeviceMapping" },
	{ "{" IDS "," WHAT ",\"TagSpecifications\":[{\"ResourceType\":\"instance\",\"Tags\":[{\"Value\":"
	  "\"x\"}]}]}", "InvalidParameterValue" },
	{ "{" IDS "," WHAT ",\"TagSpecifications\":[{\"ResourceType\":\"instance\","
	  "\"Tags\":[{\"Key\":\"a\"},{\"Key\":\"a\"}]}]}", "InvalidParameterValue" },
};

START_TEST(a_wrong_request_has_its_code_and_leaves_the_output_alone)
{
	struct run_request q = { .n = 99 };
	struct run_refusal no = { 0 };

	ck_assert_int_eq(read_text(bad[_i].text, &q, &no), -EINVAL);
	ck_assert_str_eq(no.code, bad[_i].code);
	ck_assert(*no.why);
	ck_assert_uint_eq(q.n, 99);
}
END_TEST

START_TEST(a_disk_is_never_smaller_than_its_image)
{
	struct run_request q = { .mapping = { { .gib = 3 } }, .nmappings = 1 };
	struct run_refusal no = { 0 };
	uint64_t bytes = 7;

	snprintf(q.mapping[0].device, sizeof(q.mapping[0].device), "%s", image.root_device);

	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "InvalidBlockDeviceMapping");
	ck_assert_uint_eq(bytes, 7);
	q.mapping[0].gib = 0;
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), 0);
	ck_assert_uint_eq(bytes, 4ull << 30);
}
END_TEST

/* The data volumes of a request for one instance: how many mappings, and how large. */
static void
map_volumes(struct run_request *q, size_t n, uint64_t gib)
{
	q->nmappings = n;
	for (size_t k = 0; k < n; k++) {
		q->mapping[k] = (struct run_mapping){ .gib = gib };
		snprintf(q->mapping[k].device, sizeof(q->mapping[k].device), "/dev/sd%c",
		    (char)('f' + k));
	}
}

START_TEST(volumes_besides_the_root_need_a_size_and_are_eight_at_most)
{
	struct run_request q = { 0 };
	struct run_refusal no = { 0 };
	uint64_t bytes = 7;

	map_volumes(&q, 1, 0);
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "MissingParameter");
	map_volumes(&q, INSTANCE_VOLUMES_MAX + 1, 1);
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "AttachmentLimitExceeded");
	map_volumes(&q, INSTANCE_VOLUMES_MAX, 1);
	ck_assert_int_eq(run_request_check(&q, &image, &nano, &here, &bytes, &no), 0);
	ck_assert_uint_eq(bytes, 4ull << 30);
}
END_TEST

START_TEST(volumes_have_ids_that_follow_from_the_instance_and_ports_of_their_own)
{
	struct run_request q = { .n = 1 };
	struct instance a, b;

	map_volumes(&q, 3, 2);
	q.mapping[1].keep = true;
	snprintf(q.id[0], sizeof(q.id[0]), "i-0123456789abcdef0");
	snprintf(q.account_id, sizeof(q.account_id), "000000000001");
	ck_assert_int_eq(run_request_instance(&q, 0, &image, &nano, &here, 4ull << 30, &a), 0);
	ck_assert_int_eq(run_request_instance(&q, 0, &image, &nano, &here, 4ull << 30, &b), 0);
	ck_assert_uint_eq(a.nvolumes, 3);
	for (uint32_t n = 0; n < 3; n++) {
		ck_assert_str_eq(a.volume[n].id, b.volume[n].id);
		ck_assert_uint_eq(a.volume[n].port, n);
		ck_assert_uint_eq(a.volume[n].bytes, 2ull << 30);
		ck_assert_str_eq(a.volume[n].type, "gp2");
		ck_assert(a.volume[n].keep == (n == 1));
	}
	ck_assert_str_ne(a.volume[0].id, a.volume[1].id);
	ck_assert_str_ne(a.volume[0].id, a.volume_id);
	instance_deinit(&a);
	instance_deinit(&b);
}
END_TEST

START_TEST(another_architecture_does_not_fit)
{
	static const struct type arm = { "t4g.nano", "arm64", 2, 1, 512, true, true, true };
	struct image arm_image = image;
	struct run_request q = { 0 };
	struct run_refusal no = { 0 };
	uint64_t bytes;

	ck_assert_int_eq(run_request_check(&q, &image, &arm, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "InvalidParameterValue");
	snprintf(arm_image.arch, sizeof(arm_image.arch), "arm64");
	ck_assert_int_eq(run_request_check(&q, &arm_image, &arm, &here, &bytes, &no), -EINVAL);
	ck_assert_str_eq(no.code, "Unsupported");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("run_request");

	tcase_add_test(tc, what_terraform_sends_is_taken);
	tcase_add_test(tc, an_address_that_is_asked_for_is_one_of_the_subnet);
	tcase_add_test(tc, a_zone_is_kept_beside_monitoring);
	tcase_add_test(tc, options_and_indexes_are_kept);
	tcase_add_test(tc, without_a_network_it_is_the_default_one_of_the_zone);
	tcase_add_test(tc, a_network_that_is_named_is_kept);
	tcase_add_loop_test(tc, a_wrong_request_has_its_code_and_leaves_the_output_alone, 0,
	    (int)ARRAY_LEN(bad));
	tcase_add_test(tc, a_disk_is_never_smaller_than_its_image);
	tcase_add_test(tc, volumes_besides_the_root_need_a_size_and_are_eight_at_most);
	tcase_add_test(tc, volumes_have_ids_that_follow_from_the_instance_and_ports_of_their_own);
	tcase_add_test(tc, another_architecture_does_not_fit);
	return unit_run("run_request", tc);
}
