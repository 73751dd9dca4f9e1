#include "gwd/network_view.h"

#include <stdlib.h>
#include <string.h>

#include "gwd/action.h"
#include "tests/unit/unit.h"

#define ACCOUNT	"000000000001"

static const struct network_view us = { ACCOUNT, "us-east-1", "us-east-1a" };
static const struct network_view eu = { ACCOUNT, "eu-central-1", "eu-central-1b" };

/* Which action shows the thing, and its member for the list. */
static const struct {
	enum network_thing	 thing;
	const char		*action, *list, *id, *prefix;
} shown[] = {
	{ NETWORK_ACL,		"DescribeNetworkAcls",	"NetworkAcls",	"NetworkAclId",	"acl" },
	{ NETWORK_DHCP_OPTIONS,	"DescribeDhcpOptions",	"DhcpOptions",	"DhcpOptionsId", "dopt" },
	{ NETWORK_GATEWAY,	"DescribeInternetGateways", "InternetGateways",
	  "InternetGatewayId", "igw" },
	{ NETWORK_GROUP,	"DescribeSecurityGroups", "SecurityGroups", "GroupId",	"sg" },
	{ NETWORK_ROUTE_TABLE,	"DescribeRouteTables",	"RouteTables",	"RouteTableId",	"rtb" },
	{ NETWORK_RULE_EGRESS,	"DescribeSecurityGroupRules", "SecurityGroupRules",
	  "SecurityGroupRuleId", "sgr" },
	{ NETWORK_RULE_INGRESS,	"DescribeSecurityGroupRules", "SecurityGroupRules",
	  "SecurityGroupRuleId", "sgr" },
	{ NETWORK_SUBNET,	"DescribeSubnets",	"Subnets",	"SubnetId",	"subnet" },
	{ NETWORK_VPC,		"DescribeVpcs",		"Vpcs",		"VpcId",	"vpc" },
};
_Static_assert(ARRAY_LEN(shown) == NETWORK_THINGS, "one has no row");

/* Every member is one of EC2's, of the right kind, and no text is a place that was not filled. */
static void
check_shape(const struct shape *s, const cJSON *v, const char *where)
{
	const cJSON *child;

	if (s->kind == SHAPE_STRUCT)
		ck_assert_msg(cJSON_IsObject(v), "%s", where);
	else if (s->kind == SHAPE_LIST)
		ck_assert_msg(cJSON_IsArray(v), "%s", where);
	else if (s->kind == SHAPE_BOOL)
		ck_assert_msg(cJSON_IsBool(v), "%s", where);
	else if (s->kind == SHAPE_INT)
		ck_assert_msg(cJSON_IsNumber(v), "%s", where);
	else
		ck_assert_msg(cJSON_IsString(v) && v->valuestring[0] != '$' &&
		    v->valuestring[0] != '\0', "%s", where);
	cJSON_ArrayForEach(child, v) {
		const struct shape_member *m = s->kind == SHAPE_STRUCT ?
		    shape_member(s, child->string) : NULL;

		ck_assert_msg(s->kind == SHAPE_LIST || m, "%s.%s", where, child->string);
		check_shape(m ? m->shape : s->item, child, m ? m->name : where);
	}
}

START_TEST(each_thing_has_its_action_s_shape)
{
	const struct action *a = action_find(API_EC2, shown[_i].action);
	AUTO(json) cJSON *v = network_view(shown[_i].thing, &us);
	const char *id = json_text(v, shown[_i].id);
	const size_t len = strlen(shown[_i].prefix);

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(v);
	check_shape(shape_member(a->out, shown[_i].list)->shape->item, v, shown[_i].list);
	ck_assert_msg(id && strncmp(id, shown[_i].prefix, len) == 0 && id[len] == '-' &&
	    strlen(id) == len + 18, "%s", id);
}
END_TEST

START_TEST(each_is_the_same_every_time_and_another_account_s_another)
{
	const struct network_view other = { "000000000002", "us-east-1", "us-east-1a" };
	AUTO(json) cJSON *a = network_view(shown[_i].thing, &us);
	AUTO(json) cJSON *b = network_view(shown[_i].thing, &us);
	AUTO(json) cJSON *c = network_view(shown[_i].thing, &other);

	ck_assert(cJSON_Compare(a, b, true));
	ck_assert_str_ne(json_text(a, shown[_i].id), json_text(c, shown[_i].id));
}
END_TEST

START_TEST(they_are_what_instances_are_launched_into)
{
	AUTO(json) cJSON *subnet = network_view(NETWORK_SUBNET, &eu);
	AUTO(json) cJSON *group = network_view(NETWORK_GROUP, &eu);
	AUTO(json) cJSON *options = network_view(NETWORK_DHCP_OPTIONS, &eu);
	struct network_subnet zone;
	struct network n;
	const cJSON *domain;

	network_of(ACCOUNT, &n);
	network_subnet_of(ACCOUNT, "eu-central-1b", &zone);
	ck_assert_str_eq(json_text(subnet, "SubnetId"), zone.id);
	ck_assert_str_eq(json_text(subnet, "CidrBlock"), zone.cidr);
	ck_assert_str_eq(json_text(subnet, "VpcId"), n.vpc_id);
	ck_assert_str_eq(json_text(subnet, "AvailabilityZone"), "eu-central-1b");
	ck_assert_str_eq(json_text(subnet, "AvailabilityZoneId"), "euc1-az2");
	ck_assert_str_eq(json_text(group, "GroupId"), n.group_id);
	domain = cJSON_GetArrayItem(json_member(options, "DhcpConfigurations"), 0);
	domain = cJSON_GetArrayItem(json_member(domain, "Values"), 0);
	ck_assert_str_eq(json_text(domain, "Value"), "eu-central-1.compute.internal");
}
END_TEST

START_TEST(zones_have_aws_s_short_ids)
{
	static const struct { const char *region, *zone, *id; } rows[] = {
		{ "us-east-1", "us-east-1a", "use1-az1" },
		{ "eu-central-1", "eu-central-1c", "euc1-az3" },
		{ "ap-southeast-2", "ap-southeast-2b", "apse2-az2" },
		{ "ap-northeast-1", "ap-northeast-1a", "apne1-az1" },
		{ "us-gov-west-1", "us-gov-west-1a", "usgw1-az1" },
		{ "mars", "", "mars-az1" },
		{ "", "7", "-az1" },
	};
	char id[NETWORK_ZONE_ID_MAX];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		network_zone_id(rows[i].region, rows[i].zone, id);
		ck_assert_str_eq(id, rows[i].id);
	}
	network_zone_id("a-very-long-name-of-a-region-that-nobody-has-9-9-9-9-9-9-9-9-9", "z", id);
	ck_assert_uint_lt(strlen(id), sizeof(id));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("network_view");

	tcase_add_loop_test(tc, each_thing_has_its_action_s_shape, 0, NETWORK_THINGS);
	tcase_add_loop_test(tc, each_is_the_same_every_time_and_another_account_s_another, 0,
	    NETWORK_THINGS);
	tcase_add_test(tc, they_are_what_instances_are_launched_into);
	tcase_add_test(tc, zones_have_aws_s_short_ids);
	return unit_run("network_view", tc);
}
