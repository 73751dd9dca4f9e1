#include "vmd/net_port.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

START_TEST(each_kind_of_network_has_its_word)
{
	struct net_port p = { .mode = NET_BRIDGE };

	ck_assert_int_eq(net_port_mode("isolated", &p), 0);
	ck_assert_int_eq(p.mode, NET_ISOLATED);
	ck_assert_int_eq(net_port_mode("outbound", &p), 0);
	ck_assert_int_eq(p.mode, NET_OUTBOUND);
	ck_assert_int_eq(net_port_mode("bridge:br-guests", &p), 0);
	ck_assert_int_eq(p.mode, NET_BRIDGE);
	ck_assert_str_eq(p.bridge, "br-guests");
}
END_TEST

START_TEST(another_word_is_refused_and_changes_nothing)
{
	static const char *const bad[] = { "", "Isolated", "outbound ", "bridge", "bridge:",
		"bridge:a/b", "bridge:a b", "bridge:0123456789abcdef", "bridge:..", "bridge:br%d" };
	struct net_port p = { .mode = NET_OUTBOUND };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(net_port_mode(bad[i], &p) == -EINVAL, "%s", bad[i]);
	ck_assert(p.mode == NET_OUTBOUND && !*p.bridge);
}
END_TEST

START_TEST(a_mac_is_one_device_s)
{
	static const char *const bad[] = { "", "02:00:ac:1f:00", "02:00:ac:1f:00:0g",
		"03:00:ac:1f:00:0a", "02-00-ac-1f-00-0a", "02:00:ac:1f:00:0a:", "2:00:ac:1f:00:0a0" };
	struct net_port p = { 0 };

	ck_assert_int_eq(net_port_mac("02:00:ac:1f:00:0a", &p), 0);
	ck_assert_mem_eq(p.mac, "\x02\x00\xac\x1f\x00\x0a", 6);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(net_port_mac(bad[i], &p) == -EINVAL, "%s", bad[i]);
}
END_TEST

START_TEST(an_address_is_not_one_of_its_subnet_s_own)
{
	static const char *const bad[] = { "172.31.0.10", "172.31.0.3/20", "172.31.15.255/20",
		"172.31.0.10/7", "172.31.0.10/29", "172.31.0/20", "x/20", "172.31.0.10/", "" };
	struct net_port p = { 0 };

	ck_assert_int_eq(net_port_address("172.31.0.10/20", &p), 0);
	ck_assert(p.address == 0xac1f000a && p.bits == 20);
	ck_assert_uint_eq(net_port_router(&p), 0xac1f0001);
	ck_assert_uint_eq(net_port_mask(&p), 0xfffff000);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(net_port_address(bad[i], &p) == -EINVAL, "%s", bad[i]);
}
END_TEST

START_TEST(blocks_and_addresses_are_denied_up_to_a_number)
{
	struct net_port p = { 0 };

	ck_assert_int_eq(net_port_deny("10.0.0.0/33", &p), -EINVAL);
	ck_assert_int_eq(net_port_deny("10.0.0", &p), -EINVAL);
	ck_assert_int_eq(net_port_deny("10.1.2.3/8", &p), 0);
	ck_assert(net_port_is_denied(&p, 0x0affffff) && !net_port_is_denied(&p, 0x0b000000));
	for (size_t i = 1; i < NET_DENY_MAX; i++)
		ck_assert_int_eq(net_port_deny("192.0.2.1", &p), 0);
	ck_assert_int_eq(net_port_deny("192.0.2.1", &p), -E2BIG);
	ck_assert(net_port_is_denied(&p, 0xc0000201) && !net_port_is_denied(&p, 0xc0000202));
}
END_TEST

START_TEST(a_forward_has_two_ports)
{
	static const char *const bad[] = { "", "22", "0:22", "22:0", "70000:22", "22:70000", "1:2:3" };
	struct net_port p = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(net_port_forward(bad[i], &p) == -EINVAL, "%s", bad[i]);
	ck_assert(p.forward_from == 0 && p.forward_to == 0);
	ck_assert_int_eq(net_port_forward("2222:22", &p), 0);
	ck_assert(p.forward_from == 2222 && p.forward_to == 22);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("port");

	tcase_add_test(t, each_kind_of_network_has_its_word);
	tcase_add_test(t, another_word_is_refused_and_changes_nothing);
	tcase_add_test(t, a_mac_is_one_device_s);
	tcase_add_test(t, an_address_is_not_one_of_its_subnet_s_own);
	tcase_add_test(t, blocks_and_addresses_are_denied_up_to_a_number);
	tcase_add_test(t, a_forward_has_two_ports);
	return unit_run("net_port", t);
}
