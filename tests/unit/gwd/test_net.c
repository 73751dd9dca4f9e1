#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/network.h"
#include "gwd/acts.h"
#include "gwd/net.h"
#include "gwd/net_job.h"
#include "gwd/shape.h"

#define ACCOUNT	"000000000001"

static const char *const zones[] = { "us-east-1a", "us-east-1b" };
static struct net n;
static cJSON *last;		/* what the last change answered */

static void
reopen(const char *text)
{
	char why[JSON_WHY_MAX] = "";

	n = (struct net){ .zones = zones, .nzones = ARRAY_LEN(zones), .used = n.used };
	snprintf(n.account, sizeof(n.account), ACCOUNT);
	snprintf(n.region, sizeof(n.region), "us-east-1");
	ck_assert_msg(net_open(&n, text, text ? strlen(text) : 0, why) == 0, "%s", why);
}

static void
setup(void)
{
	n.used = NULL;
	reopen(NULL);
}

static void
teardown(void)
{
	net_deinit(&n);
	cJSON_Delete(last);
	last = NULL;
}

static const struct net_change *
change_of(const char *action)
{
	static const struct net_change *const tables[] = { net_changes_vpc, net_changes_group,
		net_changes_route, net_changes_interface };

	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (const struct net_change *c = tables[t]; c->action; c++)
			if (!strcmp(c->action, action))
				return c;
	ck_abort_msg("there is no rule %s", action);
}

static void	 run(const char *action, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* As a job does it: a refusal leaves the document as it was. */
static void
run(const char *action, const char *fmt, ...)
{
	AUTO(str) char *before = net_print(&n);
	AUTO(json) cJSON *in = NULL;
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	in = cJSON_Parse(text);
	ck_assert_msg(in != NULL, "%s", text);
	cJSON_Delete(last);
	n.code[0] = '\0';
	last = change_of(action)->fn(&n, in);
	if (!last) {
		char code[64], message[400];

		memcpy(code, n.code, sizeof(code));
		memcpy(message, n.message, sizeof(message));
		net_deinit(&n);
		reopen(before);
		memcpy(n.code, code, sizeof(code));
		memcpy(n.message, message, sizeof(message));
	}
}

static void
works(void)
{
	ck_assert_msg(last != NULL, "%s: %s", n.code, n.message);
}

#define OK(...)		(run(__VA_ARGS__), works())
#define NO(code_, ...)	do {								\
	run(__VA_ARGS__);								\
	ck_assert_msg(!last, "not refused with %s", code_);				\
	ck_assert_str_eq(n.code, code_);						\
	ck_assert(*n.message);								\
} while (0)

/* A text of the answer, by two or three members. */
static const char *
answered(const char *thing, const char *member)
{
	const char *text = json_text(thing ? json_member(last, thing) : last, member);

	ck_assert_msg(text != NULL, "no %s", member);
	return text;
}

static void
keep(char ret[64], const char *thing, const char *member)
{
	snprintf(ret, 64, "%s", answered(thing, member));
}

static char vpc[64], subnet[64], group[64], table[64], gateway[64], nic[64];

static void
make_vpc(void)
{
	OK("CreateVpc", "{\"CidrBlock\":\"10.1.0.9/16\"}");
	keep(vpc, "Vpc", "VpcId");
	OK("CreateSubnet", "{\"VpcId\":\"%s\",\"CidrBlock\":\"10.1.1.0/24\"}", vpc);
	keep(subnet, "Subnet", "SubnetId");
}

/* ---- the default network ---- */

START_TEST(an_account_has_its_default_network)
{
	struct network net;
	struct network_subnet b;

	network_of(ACCOUNT, &net);
	network_subnet_of(ACCOUNT, "us-east-1b", &b);
	ck_assert_ptr_nonnull(net_find(&n, NET_VPC, net.vpc_id));
	ck_assert_ptr_nonnull(net_find(&n, NET_SUBNET, net.subnet_id));
	ck_assert_str_eq(json_text(net_find(&n, NET_SUBNET, b.id), "AvailabilityZone"), "us-east-1b");
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_RULE)), 2);
	NO("OperationNotPermitted", "DeleteVpc", "{\"VpcId\":\"%s\"}", net.vpc_id);
	NO("OperationNotPermitted", "DeleteSubnet", "{\"SubnetId\":\"%s\"}", net.subnet_id);
	NO("CannotDelete", "DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", net.group_id);
}
END_TEST

START_TEST(what_was_revoked_of_the_default_group_stays_so)
{
	AUTO(str) char *text = NULL;
	struct network net;

	network_of(ACCOUNT, &net);
	OK("RevokeSecurityGroupEgress", "{\"GroupId\":\"%s\",\"IpPermissions\":[{\"IpProtocol\":\"-1\","
	    "\"IpRanges\":[{\"CidrIp\":\"0.0.0.0/0\"}]}]}", net.group_id);
	text = net_print(&n);
	net_deinit(&n);
	reopen(text);
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_RULE)), 1);
}
END_TEST

START_TEST(a_record_that_is_none_is_refused)
{
	static const char *const bad[] = { "", "[]", "{}", "{\"schema_version\":2}",
		"{\"schema_version\":1,\"Vpcs\":7}", "{\"schema_version\":1,\"Vpcs\":[{}]}" };
	char why[JSON_WHY_MAX];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		net_deinit(&n);
		ck_assert_int_eq(net_open(&n, bad[i], strlen(bad[i]), why), -EINVAL);
		ck_assert_ptr_null(n.doc);
	}
	reopen(NULL);
}
END_TEST

/* ---- VPCs and subnets ---- */

START_TEST(a_vpc_comes_with_its_parts_and_goes_with_them)
{
	AUTO(str) char *before = net_print(&n);
	AUTO(str) char *after = NULL;

	OK("CreateVpc", "{\"CidrBlock\":\"10.1.0.9/16\",\"TagSpecifications\":[{\"ResourceType\":\"vpc\","
	    "\"Tags\":[{\"Key\":\"a\",\"Value\":\"b\"}]}]}");
	ck_assert_str_eq(answered("Vpc", "CidrBlock"), "10.1.0.0/16");
	keep(vpc, "Vpc", "VpcId");
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_TABLE)), 2);
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_ACL)), 2);
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_GROUP)), 2);
	ck_assert_int_eq(cJSON_GetArraySize(net_list(&n, NET_RULE)), 4);
	OK("DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	after = net_print(&n);
	ck_assert_str_eq(before, after);
	NO("InvalidVpcID.NotFound", "DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
}
END_TEST

START_TEST(blocks_have_their_sizes_and_places)
{
	make_vpc();
	NO("InvalidVpc.Range", "CreateVpc", "{\"CidrBlock\":\"10.0.0.0/8\"}");
	NO("InvalidVpc.Range", "CreateVpc", "{\"CidrBlock\":\"10.0.0.0/29\"}");
	NO("InvalidParameterValue", "CreateVpc", "{\"CidrBlock\":\"10.0.0/16\"}");
	NO("MissingParameter", "CreateVpc", "{}");
	NO("InvalidSubnet.Range", "CreateSubnet", "{\"VpcId\":\"%s\",\"CidrBlock\":\"10.2.0.0/24\"}", vpc);
	NO("InvalidSubnet.Conflict", "CreateSubnet", "{\"VpcId\":\"%s\",\"CidrBlock\":\"10.1.0.0/23\"}", vpc);
	NO("InvalidParameterValue", "CreateSubnet", "{\"VpcId\":\"%s\",\"CidrBlock\":\"10.1.2.0/24\","
	    "\"AvailabilityZone\":\"us-east-1q\"}", vpc);
	OK("CreateSubnet", "{\"VpcId\":\"%s\",\"CidrBlock\":\"10.1.2.0/24\",\"AvailabilityZoneId\":"
	    "\"use1-az2\"}", vpc);
	ck_assert_str_eq(answered("Subnet", "AvailabilityZone"), "us-east-1b");
	/* Two VPCs may have one block. */
	OK("CreateVpc", "{\"CidrBlock\":\"10.1.0.0/16\"}");
}
END_TEST

START_TEST(attributes_are_modified_one_at_a_time)
{
	make_vpc();
	OK("ModifyVpcAttribute", "{\"VpcId\":\"%s\",\"EnableDnsHostnames\":{\"Value\":true}}", vpc);
	OK("DescribeVpcAttribute", "{\"VpcId\":\"%s\",\"Attribute\":\"enableDnsHostnames\"}", vpc);
	ck_assert(cJSON_IsTrue(json_member(json_member(last, "EnableDnsHostnames"), "Value")));
	OK("DescribeVpcAttribute", "{\"VpcId\":\"%s\",\"Attribute\":\"enableNetworkAddressUsageMetrics\"}",
	    vpc);
	ck_assert(cJSON_IsFalse(json_member(json_member(last, "EnableNetworkAddressUsageMetrics"), "Value")));
	NO("InvalidParameterCombination", "ModifyVpcAttribute", "{\"VpcId\":\"%s\"}", vpc);
	NO("InvalidParameterCombination", "ModifyVpcAttribute", "{\"VpcId\":\"%s\",\"EnableDnsSupport\":"
	    "{\"Value\":true},\"EnableDnsHostnames\":{\"Value\":true}}", vpc);
	OK("ModifySubnetAttribute", "{\"SubnetId\":\"%s\",\"MapPublicIpOnLaunch\":{\"Value\":true}}", subnet);
	ck_assert(cJSON_IsTrue(json_member(net_find(&n, NET_SUBNET, subnet), "MapPublicIpOnLaunch")));
	NO("UnsupportedOperation", "ModifySubnetAttribute", "{\"SubnetId\":\"%s\",\"EnableDns64\":"
	    "{\"Value\":true}}", subnet);
}
END_TEST

START_TEST(what_hangs_on_it_keeps_a_thing)
{
	AUTO(json) cJSON *used = cJSON_CreateObject();

	make_vpc();
	NO("DependencyViolation", "DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	cJSON_AddTrueToObject(used, subnet);
	n.used = used;
	NO("DependencyViolation", "DeleteSubnet", "{\"SubnetId\":\"%s\"}", subnet);
	cJSON_DeleteItemFromObjectCaseSensitive(used, subnet);
	OK("CreateNetworkInterface", "{\"SubnetId\":\"%s\"}", subnet);
	keep(nic, "NetworkInterface", "NetworkInterfaceId");
	NO("DependencyViolation", "DeleteSubnet", "{\"SubnetId\":\"%s\"}", subnet);
	OK("DeleteNetworkInterface", "{\"NetworkInterfaceId\":\"%s\"}", nic);
	OK("DeleteSubnet", "{\"SubnetId\":\"%s\"}", subnet);
	OK("CreateInternetGateway", "{}");
	keep(gateway, "InternetGateway", "InternetGatewayId");
	OK("AttachInternetGateway", "{\"InternetGatewayId\":\"%s\",\"VpcId\":\"%s\"}", gateway, vpc);
	NO("DependencyViolation", "DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	NO("DependencyViolation", "DeleteInternetGateway", "{\"InternetGatewayId\":\"%s\"}", gateway);
	OK("DetachInternetGateway", "{\"InternetGatewayId\":\"%s\",\"VpcId\":\"%s\"}", gateway, vpc);
	OK("CreateSecurityGroup", "{\"GroupName\":\"web\",\"Description\":\"d\",\"VpcId\":\"%s\"}", vpc);
	keep(group, NULL, "GroupId");
	NO("DependencyViolation", "DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	cJSON_AddTrueToObject(used, group);
	NO("DependencyViolation", "DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", group);
	cJSON_DeleteItemFromObjectCaseSensitive(used, group);
	OK("DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", group);
	OK("CreateRouteTable", "{\"VpcId\":\"%s\"}", vpc);
	keep(table, "RouteTable", "RouteTableId");
	NO("DependencyViolation", "DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	OK("DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", table);
	OK("DeleteVpc", "{\"VpcId\":\"%s\"}", vpc);
	n.used = NULL;
}
END_TEST

/* ---- groups ---- */

static cJSON *
view(void)
{
	return net_view(&n, NET_GROUP, net_find(&n, NET_GROUP, group));
}

START_TEST(rules_are_authorized_shown_and_revoked)
{
	AUTO(json) cJSON *shown = NULL;
	const cJSON *p;
	char rule[64];

	make_vpc();
	OK("CreateSecurityGroup", "{\"GroupName\":\"web\",\"Description\":\"d\",\"VpcId\":\"%s\"}", vpc);
	keep(group, NULL, "GroupId");
	OK("AuthorizeSecurityGroupIngress", "{\"GroupId\":\"%s\",\"IpPermissions\":[{\"IpProtocol\":\"6\","
	    "\"FromPort\":22,\"ToPort\":22,\"IpRanges\":[{\"CidrIp\":\"10.0.0.1/8\",\"Description\":\"x\"},"
	    "{\"CidrIp\":\"0.0.0.0/0\"}],\"Ipv6Ranges\":[{\"CidrIpv6\":\"::0/0\"}]}]}", group);
	p = json_member(last, "SecurityGroupRules");
	ck_assert_int_eq(cJSON_GetArraySize(p), 3);
	snprintf(rule, sizeof(rule), "%s", json_text(cJSON_GetArrayItem(p, 1), "SecurityGroupRuleId"));
	shown = view();
	ck_assert_int_eq(cJSON_GetArraySize(json_member(shown, "IpPermissions")), 1);
	p = cJSON_GetArrayItem(json_member(shown, "IpPermissions"), 0);
	ck_assert_str_eq(json_text(p, "IpProtocol"), "tcp");
	ck_assert_int_eq(cJSON_GetArraySize(json_member(p, "IpRanges")), 2);
	ck_assert_str_eq(json_text(cJSON_GetArrayItem(json_member(p, "IpRanges"), 0), "CidrIp"), "10.0.0.0/8");
	ck_assert_str_eq(json_text(cJSON_GetArrayItem(json_member(p, "Ipv6Ranges"), 0), "CidrIpv6"), "::/0");
	NO("InvalidPermission.Duplicate", "AuthorizeSecurityGroupIngress", "{\"GroupId\":\"%s\","
	    "\"IpProtocol\":\"tcp\",\"FromPort\":22,\"ToPort\":22,\"CidrIp\":\"0.0.0.0/0\"}", group);
	OK("RevokeSecurityGroupIngress", "{\"GroupId\":\"%s\",\"SecurityGroupRuleIds\":[\"%s\"]}", group, rule);
	NO("InvalidPermission.NotFound", "RevokeSecurityGroupIngress", "{\"GroupId\":\"%s\","
	    "\"IpProtocol\":\"tcp\",\"FromPort\":22,\"ToPort\":22,\"CidrIp\":\"0.0.0.0/0\"}", group);
	NO("InvalidSecurityGroupRuleId.NotFound", "RevokeSecurityGroupIngress", "{\"GroupId\":\"%s\","
	    "\"SecurityGroupRuleIds\":[\"%s\"]}", group, rule);
}
END_TEST

static const struct { const char *permission, *code; } bad_rules[] = {
	{ "{}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"carrier-pigeon\"}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"tcp\"}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"tcp\",\"FromPort\":5,\"ToPort\":4,\"IpRanges\":[{\"CidrIp\":\"0.0.0.0/0\"}]}",
	  "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"tcp\",\"FromPort\":0,\"ToPort\":65536,\"IpRanges\":[{\"CidrIp\":\"0.0.0.0/0\"}]}",
	  "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"-1\"}", "MissingParameter" },
	{ "{\"IpProtocol\":\"-1\",\"IpRanges\":[{\"CidrIp\":\"0.0.0.0\"}]}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"-1\",\"IpRanges\":[{}]}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"-1\",\"Ipv6Ranges\":[{\"CidrIpv6\":\"::/129\"}]}", "InvalidParameterValue" },
	{ "{\"IpProtocol\":\"-1\",\"PrefixListIds\":[{\"PrefixListId\":\"pl-1\"}]}",
	  "InvalidPrefixListID.NotFound" },
	{ "{\"IpProtocol\":\"-1\",\"UserIdGroupPairs\":[{\"GroupId\":\"sg-00000000000000000\"}]}",
	  "InvalidGroup.NotFound" },
	{ "{\"IpProtocol\":\"-1\",\"UserIdGroupPairs\":[{\"GroupName\":\"nobody\"}]}", "InvalidGroup.NotFound" },
};

START_TEST(a_wrong_rule_is_refused)
{
	struct network net;

	network_of(ACCOUNT, &net);
	NO(bad_rules[_i].code, "AuthorizeSecurityGroupIngress", "{\"GroupId\":\"%s\",\"IpPermissions\":[%s]}",
	    net.group_id, bad_rules[_i].permission);
}
END_TEST

START_TEST(a_group_that_a_rule_names_stays)
{
	char other[64];

	make_vpc();
	OK("CreateSecurityGroup", "{\"GroupName\":\"web\",\"Description\":\"d\",\"VpcId\":\"%s\"}", vpc);
	keep(group, NULL, "GroupId");
	NO("InvalidGroup.Duplicate", "CreateSecurityGroup", "{\"GroupName\":\"web\",\"Description\":\"d\","
	    "\"VpcId\":\"%s\"}", vpc);
	NO("InvalidParameterValue", "CreateSecurityGroup", "{\"GroupName\":\"default\",\"Description\":\"d\"}");
	OK("CreateSecurityGroup", "{\"GroupName\":\"data\",\"Description\":\"d\",\"VpcId\":\"%s\"}", vpc);
	keep(other, NULL, "GroupId");
	OK("AuthorizeSecurityGroupIngress", "{\"GroupId\":\"%s\",\"IpPermissions\":[{\"IpProtocol\":\"tcp\","
	    "\"FromPort\":1,\"ToPort\":2,\"UserIdGroupPairs\":[{\"GroupId\":\"%s\"}]}]}", other, group);
	NO("DependencyViolation", "DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", group);
	OK("DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", other);
	OK("DeleteSecurityGroup", "{\"GroupId\":\"%s\"}", group);
}
END_TEST

/* ---- routes ---- */

START_TEST(routes_lead_to_a_gateway_of_their_network)
{
	make_vpc();
	OK("CreateInternetGateway", "{}");
	keep(gateway, "InternetGateway", "InternetGatewayId");
	OK("CreateRouteTable", "{\"VpcId\":\"%s\"}", vpc);
	keep(table, "RouteTable", "RouteTableId");
#define ROUTE(action) action, "{\"RouteTableId\":\"%s\",\"DestinationCidrBlock\":\"0.0.0.0/0\","	\
	"\"GatewayId\":\"%s\"}", table, gateway
	NO("InvalidParameterValue", ROUTE("CreateRoute"));
	OK("AttachInternetGateway", "{\"InternetGatewayId\":\"%s\",\"VpcId\":\"%s\"}", gateway, vpc);
	NO("Resource.AlreadyAssociated", "AttachInternetGateway", "{\"InternetGatewayId\":\"%s\","
	    "\"VpcId\":\"%s\"}", gateway, vpc);
	NO("InvalidRoute.NotFound", ROUTE("ReplaceRoute"));
	OK(ROUTE("CreateRoute"));
	NO("RouteAlreadyExists", ROUTE("CreateRoute"));
	OK(ROUTE("ReplaceRoute"));
	OK(ROUTE("DeleteRoute"));
	NO("InvalidRoute.NotFound", ROUTE("DeleteRoute"));
	NO("InvalidParameterValue", "DeleteRoute", "{\"RouteTableId\":\"%s\",\"DestinationCidrBlock\":"
	    "\"10.1.0.0/16\"}", table);
	NO("InvalidInternetGatewayID.NotFound", "CreateRoute", "{\"RouteTableId\":\"%s\","
	    "\"DestinationCidrBlock\":\"0.0.0.0/0\",\"GatewayId\":\"igw-00000000000000000\"}", table);
	OK("DetachInternetGateway", "{\"InternetGatewayId\":\"%s\",\"VpcId\":\"%s\"}", gateway, vpc);
	NO("Gateway.NotAttached", "DetachInternetGateway", "{\"InternetGatewayId\":\"%s\",\"VpcId\":\"%s\"}",
	    gateway, vpc);
}
END_TEST

START_TEST(a_subnet_has_one_route_table)
{
	char association[64], other[64];

	make_vpc();
	OK("CreateRouteTable", "{\"VpcId\":\"%s\"}", vpc);
	keep(table, "RouteTable", "RouteTableId");
	OK("CreateRouteTable", "{\"VpcId\":\"%s\"}", vpc);
	keep(other, "RouteTable", "RouteTableId");
	OK("AssociateRouteTable", "{\"RouteTableId\":\"%s\",\"SubnetId\":\"%s\"}", table, subnet);
	keep(association, NULL, "AssociationId");
	NO("Resource.AlreadyAssociated", "AssociateRouteTable", "{\"RouteTableId\":\"%s\",\"SubnetId\":"
	    "\"%s\"}", other, subnet);
	NO("DependencyViolation", "DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", table);
	OK("ReplaceRouteTableAssociation", "{\"RouteTableId\":\"%s\",\"AssociationId\":\"%s\"}", other,
	    association);
	NO("InvalidAssociationID.NotFound", "DisassociateRouteTable", "{\"AssociationId\":\"%s\"}", association);
	NO("DependencyViolation", "DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", other);
	OK("DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", table);
	OK("DeleteSubnet", "{\"SubnetId\":\"%s\"}", subnet);	/* its association goes with it */
	OK("DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", other);
}
END_TEST

START_TEST(the_main_table_may_be_another_and_is_never_without_one)
{
	char association[64], main_id[64] = "", old[64] = "";
	const cJSON *t;

	make_vpc();
	cJSON_ArrayForEach(t, net_list(&n, NET_TABLE)) {
		const cJSON *a = cJSON_GetArrayItem(json_member(t, "Associations"), 0);

		if (strcmp(json_text(t, "VpcId"), vpc))
			continue;
		snprintf(main_id, sizeof(main_id), "%s", json_text(a, "RouteTableAssociationId"));
		snprintf(old, sizeof(old), "%s", json_text(t, "RouteTableId"));
	}
	NO("InvalidParameterValue", "DisassociateRouteTable", "{\"AssociationId\":\"%s\"}", main_id);
	OK("CreateRouteTable", "{\"VpcId\":\"%s\"}", vpc);
	keep(table, "RouteTable", "RouteTableId");
	OK("ReplaceRouteTableAssociation", "{\"RouteTableId\":\"%s\",\"AssociationId\":\"%s\"}", table, main_id);
	keep(association, NULL, "NewAssociationId");
	NO("DependencyViolation", "DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", table);
	OK("DeleteRouteTable", "{\"RouteTableId\":\"%s\"}", old);
}
END_TEST

START_TEST(a_table_that_is_asked_for_again_by_its_token_is_the_same)
{
	make_vpc();
	OK("CreateRouteTable", "{\"VpcId\":\"%s\",\"ClientToken\":\"t\"}", vpc);
	keep(table, "RouteTable", "RouteTableId");
	OK("CreateRouteTable", "{\"VpcId\":\"%s\",\"ClientToken\":\"t\"}", vpc);
	ck_assert_str_eq(answered("RouteTable", "RouteTableId"), table);
	OK("CreateRouteTable", "{\"VpcId\":\"%s\",\"ClientToken\":\"u\"}", vpc);
	ck_assert_str_ne(answered("RouteTable", "RouteTableId"), table);
}
END_TEST

/* ---- interfaces and tags ---- */

START_TEST(an_interface_has_an_address_of_its_subnet)
{
	char first[64];

	make_vpc();
	OK("CreateNetworkInterface", "{\"SubnetId\":\"%s\",\"Description\":\"one\",\"ClientToken\":\"t\"}",
	    subnet);
	keep(nic, "NetworkInterface", "NetworkInterfaceId");
	keep(first, "NetworkInterface", "PrivateIpAddress");
	ck_assert_str_eq(first, "10.1.1.254");
	OK("CreateNetworkInterface", "{\"SubnetId\":\"%s\",\"Description\":\"one\",\"ClientToken\":\"t\"}",
	    subnet);
	ck_assert_str_eq(answered("NetworkInterface", "NetworkInterfaceId"), nic);
	NO("IdempotentParameterMismatch", "CreateNetworkInterface", "{\"SubnetId\":\"%s\","
	    "\"ClientToken\":\"t\"}", subnet);
	OK("CreateNetworkInterface", "{\"SubnetId\":\"%s\"}", subnet);
	ck_assert_str_eq(answered("NetworkInterface", "PrivateIpAddress"), "10.1.1.253");
	NO("InvalidIPAddress.InUse", "CreateNetworkInterface", "{\"SubnetId\":\"%s\",\"PrivateIpAddress\":"
	    "\"10.1.1.254\"}", subnet);
	NO("InvalidParameterValue", "CreateNetworkInterface", "{\"SubnetId\":\"%s\",\"PrivateIpAddress\":"
	    "\"10.1.1.3\"}", subnet);
	NO("InvalidParameterValue", "CreateNetworkInterface", "{\"SubnetId\":\"%s\",\"PrivateIpAddress\":"
	    "\"10.1.2.9\"}", subnet);
	OK("ModifyNetworkInterfaceAttribute", "{\"NetworkInterfaceId\":\"%s\",\"Description\":{\"Value\":"
	    "\"two\"}}", nic);
	ck_assert_str_eq(json_text(net_find(&n, NET_INTERFACE, nic), "Description"), "two");
	OK("DeleteNetworkInterface", "{\"NetworkInterfaceId\":\"%s\"}", nic);
	NO("InvalidNetworkInterfaceID.NotFound", "DeleteNetworkInterface", "{\"NetworkInterfaceId\":\"%s\"}",
	    nic);
}
END_TEST

START_TEST(tags_are_set_and_dropped)
{
	AUTO(json) cJSON *in = NULL;
	char text[512];

	make_vpc();
	snprintf(text, sizeof(text), "{\"Resources\":[\"%s\",\"%s\"],\"Tags\":[{\"Key\":\"a\",\"Value\":\"1\"},"
	    "{\"Key\":\"b\"}]}", vpc, subnet);
	in = cJSON_Parse(text);
	cJSON_Delete(last);
	last = net_tags_set(&n, in);
	works();
	ck_assert_int_eq(cJSON_GetArraySize(json_member(net_find(&n, NET_VPC, vpc), "Tags")), 2);
	cJSON_Delete(last);
	last = net_tags_drop(&n, in);		/* b has no value, and goes; a has that one */
	works();
	ck_assert_int_eq(cJSON_GetArraySize(json_member(net_find(&n, NET_SUBNET, subnet), "Tags")), 0);
}
END_TEST

/* ---- shapes ---- */

START_TEST(each_row_has_its_rule)
{
	size_t found = 0;

	for (size_t i = 0; i < nactions; i++) {
		if (actions[i].fn != act_net)
			continue;
		ck_assert_ptr_nonnull(change_of(actions[i].name));
		found++;
	}
	ck_assert_uint_ge(found, 29);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("net");
	TCase *c = tcase_create("net");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, an_account_has_its_default_network);
	tcase_add_test(c, what_was_revoked_of_the_default_group_stays_so);
	tcase_add_test(c, a_record_that_is_none_is_refused);
	tcase_add_test(c, a_vpc_comes_with_its_parts_and_goes_with_them);
	tcase_add_test(c, blocks_have_their_sizes_and_places);
	tcase_add_test(c, attributes_are_modified_one_at_a_time);
	tcase_add_test(c, what_hangs_on_it_keeps_a_thing);
	tcase_add_test(c, rules_are_authorized_shown_and_revoked);
	tcase_add_loop_test(c, a_wrong_rule_is_refused, 0, (int)ARRAY_LEN(bad_rules));
	tcase_add_test(c, a_group_that_a_rule_names_stays);
	tcase_add_test(c, routes_lead_to_a_gateway_of_their_network);
	tcase_add_test(c, a_subnet_has_one_route_table);
	tcase_add_test(c, the_main_table_may_be_another_and_is_never_without_one);
	tcase_add_test(c, a_table_that_is_asked_for_again_by_its_token_is_the_same);
	tcase_add_test(c, an_interface_has_an_address_of_its_subnet);
	tcase_add_test(c, tags_are_set_and_dropped);
	tcase_add_test(c, each_row_has_its_rule);
	suite_add_tcase(s, c);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
