#include "vmd/net_around.h"

#include <errno.h>

#include "tests/unit/unit.h"

START_TEST(the_hosts_of_a_list_of_servers_are_found)
{
	static const char *const hosts[] = { "10.0.0.1", "nats.example", "fd00::1", "b" };
	const char *at = "nats://10.0.0.1:4222,tls://u:p@nats.example:4222, nats://[fd00::1]:4222,b";
	char host[NET_AROUND_HOST_MAX];

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		at = net_around_host(at, host);
		ck_assert_ptr_nonnull(at);
		ck_assert_str_eq(host, hosts[i]);
	}
	ck_assert_str_eq(at, "");
	ck_assert_ptr_null(net_around_host("nats://:4222", host));
	ck_assert_ptr_null(net_around_host("nats://a@,b", host));
}
END_TEST

START_TEST(each_server_of_nats_is_denied)
{
	char why[NET_AROUND_WHY_MAX] = "";
	struct net_port p = { .dns = 1 };

	ck_assert_int_eq(net_around_find("nats://198.51.100.7:4222,nats://127.0.0.1:4222,"
	    "nats://[fd00::1]:4222,nats://198.51.100.8", &p, why), 0);
	ck_assert(net_port_is_denied(&p, 0xc6336407) && net_port_is_denied(&p, 0xc6336408));
	ck_assert(!net_port_is_denied(&p, 0xc6336406));
	ck_assert_uint_eq(p.ndeny, 2);
	ck_assert_uint_eq(p.dns, 1);
	ck_assert_int_eq(net_around_find("nats://:4222", &p, why), -EINVAL);
	ck_assert_str_ne(why, "");
}
END_TEST

START_TEST(a_resolver_that_a_guest_cannot_reach_is_not_named)
{
	struct net_port p = { 0 };

	ck_assert_int_eq(net_port_deny("10.0.0.0/8", &p), 0);
	ck_assert_uint_eq(net_around_resolver("# nameserver 192.0.2.9\nnameserver 127.0.0.53\n"
	    "nameserver fe80::1\nnameserver 10.0.0.2\nnameserver\t192.0.2.1\n", &p), 0xc0000201);
	ck_assert_uint_eq(net_around_resolver("nameserver 127.0.0.53", &p), 0);
	ck_assert_uint_eq(net_around_resolver("", &p), 0);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("around");

	tcase_add_test(t, the_hosts_of_a_list_of_servers_are_found);
	tcase_add_test(t, each_server_of_nats_is_denied);
	tcase_add_test(t, a_resolver_that_a_guest_cannot_reach_is_not_named);
	return unit_run("net_around", t);
}
