#include "common/network.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "common/ident.h"

START_TEST(an_account_has_the_same_network_everywhere)
{
	struct network a, b, c;

	network_of("000000000001", &a);
	network_of("000000000001", &b);
	network_of("000000000002", &c);
	ck_assert_str_eq(a.vpc_id, b.vpc_id);
	ck_assert_str_eq(a.subnet_id, b.subnet_id);
	ck_assert_str_ne(a.vpc_id, c.vpc_id);
	ck_assert_str_ne(a.vpc_id + 4, a.group_id + 3);
	ck_assert(ident_is_ec2(a.vpc_id, "vpc") && ident_is_ec2(a.subnet_id, "subnet"));
	ck_assert(ident_is_ec2(a.group_id, "sg") && ident_is_ec2(a.gateway_id, "igw"));
	ck_assert(ident_is_ec2(a.route_table_id, "rtb") && ident_is_ec2(a.acl_id, "acl"));
	ck_assert(ident_is_ec2(a.dhcp_options_id, "dopt"));
}
END_TEST

START_TEST(each_zone_has_a_default_subnet_of_its_own)
{
	struct network_subnet a, b, p, q, other;
	struct network net;

	network_of("000000000001", &net);
	network_subnet_of("000000000001", "us-east-1a", &a);
	network_subnet_of("000000000001", "us-east-1b", &b);
	network_subnet_of("000000000001", "us-east-1p", &p);
	network_subnet_of("000000000001", "us-east-1q", &q);
	network_subnet_of("000000000001", "7", &other);
	ck_assert_str_eq(a.id, net.subnet_id);
	ck_assert_str_eq(a.cidr, NETWORK_SUBNET_CIDR);
	ck_assert_str_ne(b.id, a.id);
	ck_assert_str_eq(b.cidr, "172.31.16.0/20");
	ck_assert_str_eq(p.cidr, "172.31.240.0/20");
	ck_assert_str_eq(q.id, a.id);		/* the seventeenth */
	ck_assert_str_eq(other.id, a.id);
	ck_assert(ident_is_ec2(b.id, "subnet"));
}
END_TEST

START_TEST(private_names_are_those_of_the_region)
{
	char name[64];

	ck_assert_int_eq(network_private_name("172.31.0.4", "us-east-1", name, sizeof(name)), 0);
	ck_assert_str_eq(name, "ip-172-31-0-4.ec2.internal");
	ck_assert_int_eq(network_private_name("172.31.0.4", "eu-west-1", name, sizeof(name)), 0);
	ck_assert_str_eq(name, "ip-172-31-0-4.eu-west-1.compute.internal");
	ck_assert_int_eq(network_private_name("172.31.0.4", "eu-west-1", name, 20), -ENAMETOOLONG);
	ck_assert_int_eq(network_private_name("", "eu-west-1", name, 20), -ENAMETOOLONG);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("network");
	TCase *tc = tcase_create("network");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_test(tc, an_account_has_the_same_network_everywhere);
	tcase_add_test(tc, each_zone_has_a_default_subnet_of_its_own);
	tcase_add_test(tc, private_names_are_those_of_the_region);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
