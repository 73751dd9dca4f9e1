#include "vmd/net_frame.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "vmd/net_wire.h"

#define ADDRESS	0xac1f000a	/* 172.31.0.10 */
#define ROUTER	0xac1f0001
#define WORLD	0xc6336402	/* 198.51.100.2 */
#define OWN	0xc6336401

static struct net_port port;
static struct net_own own;
static uint8_t frame[NET_FRAME_MAX + 1];

static void
setup(void)
{
	port = (struct net_port){ .mode = NET_OUTBOUND };
	ck_assert_int_eq(net_port_mac("02:00:ac:1f:00:0a", &port), 0);
	ck_assert_int_eq(net_port_address("172.31.0.10/20", &port), 0);
	own = (struct net_own){ .address = { 0x7f000001, OWN }, .n = 2 };
}

/* A UDP packet of the guest's; its length. */
static size_t
packet(uint32_t from, uint32_t to, unsigned to_port)
{
	uint8_t *ip = frame + NET_FRAME_MIN;

	memset(frame, 0, sizeof(frame));
	memcpy(frame, "\x02SPX\0\1", 6);
	memcpy(frame + 6, port.mac, 6);
	net_wire_put16(frame + NET_ETHER_TYPE, NET_TYPE_IPV4);
	ip[0] = 0x45;
	net_wire_put16(ip + NET_IP_LENGTH, 28);
	ip[NET_IP_PROTOCOL] = NET_UDP;
	net_wire_put32(ip + NET_IP_FROM, from);
	net_wire_put32(ip + NET_IP_TO, to);
	net_wire_put16(ip + NET_IP_BYTES, 5000);
	net_wire_put16(ip + NET_IP_BYTES + 2, to_port);
	net_wire_put16(ip + NET_IP_BYTES + 4, 8);
	return NET_FRAME_MIN + 28;
}

static size_t
arp(uint32_t sender, uint32_t target)
{
	uint8_t *a = frame + NET_FRAME_MIN;

	memset(frame, 0, sizeof(frame));
	memset(frame, 0xff, 6);
	memcpy(frame + 6, port.mac, 6);
	net_wire_put16(frame + NET_ETHER_TYPE, NET_TYPE_ARP);
	memcpy(a, "\0\1\10\0\6\4\0\1", 8);
	memcpy(a + NET_ARP_SENDER_MAC, port.mac, 6);
	net_wire_put32(a + NET_ARP_SENDER, sender);
	net_wire_put32(a + NET_ARP_TARGET, target);
	return NET_FRAME_MIN + NET_ARP_BYTES;
}

static enum net_verdict
out(size_t n)
{
	return net_frame_out(&port, &own, frame, n);
}

START_TEST(what_is_the_guest_s_own_and_goes_to_the_world_passes)
{
	ck_assert_int_eq(out(packet(ADDRESS, WORLD, 53)), NET_PASS);
	ck_assert_int_eq(out(packet(ADDRESS, ROUTER, 53)), NET_PASS);
	ck_assert_int_eq(out(arp(ADDRESS, ROUTER)), NET_PASS);
	ck_assert_int_eq(out(arp(0, ADDRESS)), NET_PASS);
	ck_assert_int_eq(out(arp(ADDRESS, OWN)), NET_PASS);
}
END_TEST

static const uint32_t unreachable[] = {
	0x00000000, 0x00000001, 0x7f000001, 0x7f090909, 0x7fffffff, 0xa9fea9fe, 0xa9fe0000,
	0xe0000001, 0xefffffff, 0xf0000000, 0xffffffff, OWN,
};

START_TEST(nobody_passes_to_loopback_link_local_groups_or_the_node)
{
	ck_assert_int_eq(out(packet(ADDRESS, unreachable[_i], 4222)), NET_DROP);
}
END_TEST

START_TEST(what_is_denied_is_dropped_as_a_block_or_one)
{
	ck_assert_int_eq(net_port_deny("198.51.100.2", &port), 0);
	ck_assert_int_eq(net_port_deny("10.0.0.0/8", &port), 0);
	ck_assert_int_eq(out(packet(ADDRESS, WORLD, 80)), NET_DROP);
	ck_assert_int_eq(out(packet(ADDRESS, 0x0affffff, 80)), NET_DROP);
	ck_assert_int_eq(out(packet(ADDRESS, 0x0b000000, 80)), NET_PASS);
	ck_assert_int_eq(out(packet(ADDRESS, WORLD + 1, 80)), NET_PASS);
}
END_TEST

START_TEST(nothing_passes_while_the_node_s_addresses_are_unknown)
{
	own.is_unknown = true;
	ck_assert_int_eq(out(packet(ADDRESS, WORLD, 80)), NET_DROP);
}
END_TEST

START_TEST(another_s_address_is_not_a_source)
{
	ck_assert_int_eq(out(packet(ADDRESS + 1, WORLD, 80)), NET_DROP);
	ck_assert_int_eq(out(packet(0, WORLD, 80)), NET_DROP);
	ck_assert_int_eq(out(arp(ADDRESS + 1, ROUTER)), NET_DROP);
	ck_assert_int_eq(out(arp(ROUTER, ADDRESS)), NET_DROP);
	ck_assert_int_eq(out(arp(ADDRESS, 0xa9fea9fe)), NET_DROP);
}
END_TEST

START_TEST(another_s_mac_is_not_a_source)
{
	size_t n = packet(ADDRESS, WORLD, 80);

	frame[11] ^= 1;
	ck_assert_int_eq(out(n), NET_DROP);
	n = arp(ADDRESS, ROUTER);
	frame[NET_FRAME_MIN + NET_ARP_SENDER_MAC] ^= 2;
	ck_assert_int_eq(out(n), NET_DROP);
}
END_TEST

START_TEST(other_kinds_of_frames_are_dropped)
{
	static const unsigned types[] = { 0x86dd, 0x8100, 0x88a8, 0x0000, 0x05dc, 0x0805 };
	size_t n = packet(ADDRESS, WORLD, 80);

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		net_wire_put16(frame + NET_ETHER_TYPE, types[i]);
		ck_assert_int_eq(out(n), NET_DROP);
	}
}
END_TEST

START_TEST(an_ipv4_header_with_options_or_of_another_length_is_dropped)
{
	uint8_t *ip = frame + NET_FRAME_MIN;
	size_t n = packet(ADDRESS, WORLD, 80);

	ip[0] = 0x46;
	ck_assert_int_eq(out(n), NET_DROP);
	ip[0] = 0x65;
	ck_assert_int_eq(out(n), NET_DROP);
	ip[0] = 0x45;
	net_wire_put16(ip + NET_IP_LENGTH, 29);
	ck_assert_int_eq(out(n), NET_DROP);
	net_wire_put16(ip + NET_IP_LENGTH, 19);
	ck_assert_int_eq(out(n), NET_DROP);
}
END_TEST

START_TEST(a_frame_that_is_cut_anywhere_is_dropped)
{
	size_t n = packet(ADDRESS, WORLD, 80);

	for (size_t cut = 0; cut < n; cut++)
		ck_assert_int_eq(out(cut), NET_DROP);
	ck_assert_int_eq(out(NET_FRAME_MAX + 1), NET_DROP);
	n = arp(ADDRESS, ROUTER);
	for (size_t cut = 0; cut < n; cut++)
		ck_assert_int_eq(out(cut), NET_DROP);
}
END_TEST

START_TEST(a_question_to_dhcp_goes_no_further)
{
	ck_assert_int_eq(out(packet(0, 0xffffffff, 67)), NET_ASK_DHCP);
	ck_assert_int_eq(out(packet(ADDRESS, ROUTER, 67)), NET_ASK_DHCP);
	ck_assert_int_eq(out(packet(ADDRESS, WORLD, 67)), NET_ASK_DHCP);
	ck_assert_int_eq(out(packet(ADDRESS + 1, ROUTER, 67)), NET_DROP);
}
END_TEST

START_TEST(a_later_fragment_is_judged_by_its_addresses)
{
	size_t n = packet(ADDRESS, WORLD, 67);

	net_wire_put16(frame + NET_FRAME_MIN + NET_IP_FRAGMENT, 0x2001);
	ck_assert_int_eq(out(n), NET_PASS);
	n = packet(ADDRESS, OWN, 80);
	net_wire_put16(frame + NET_FRAME_MIN + NET_IP_FRAGMENT, 0x2001);
	ck_assert_int_eq(out(n), NET_DROP);
}
END_TEST

START_TEST(the_guest_hears_what_is_for_it_and_for_all)
{
	size_t n = packet(WORLD, ADDRESS, 5000);

	memcpy(frame, port.mac, 6);
	ck_assert(net_frame_in(&port, frame, n));
	memset(frame, 0xff, 6);
	ck_assert(net_frame_in(&port, frame, n));
	memcpy(frame, "\2\0\0\0\0\1", 6);
	ck_assert(!net_frame_in(&port, frame, n));
	n = arp(ROUTER, ADDRESS);
	ck_assert(net_frame_in(&port, frame, n));
	ck_assert(!net_frame_in(&port, frame, n - 1));
	net_wire_put16(frame + NET_ETHER_TYPE, 0x86dd);
	ck_assert(!net_frame_in(&port, frame, n));
}
END_TEST

START_TEST(the_guest_hears_no_other_dhcp_server)
{
	size_t n = packet(ROUTER, ADDRESS, 68);

	memcpy(frame, port.mac, 6);
	net_wire_put16(frame + NET_FRAME_MIN + NET_IP_BYTES, 67);
	ck_assert(!net_frame_in(&port, frame, n));
	net_wire_put16(frame + NET_FRAME_MIN + NET_IP_BYTES, 68);
	ck_assert(net_frame_in(&port, frame, n));
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("rules");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, what_is_the_guest_s_own_and_goes_to_the_world_passes);
	tcase_add_loop_test(t, nobody_passes_to_loopback_link_local_groups_or_the_node, 0,
	    ARRAY_LEN(unreachable));
	tcase_add_test(t, what_is_denied_is_dropped_as_a_block_or_one);
	tcase_add_test(t, nothing_passes_while_the_node_s_addresses_are_unknown);
	tcase_add_test(t, another_s_address_is_not_a_source);
	tcase_add_test(t, another_s_mac_is_not_a_source);
	tcase_add_test(t, other_kinds_of_frames_are_dropped);
	tcase_add_test(t, an_ipv4_header_with_options_or_of_another_length_is_dropped);
	tcase_add_test(t, a_frame_that_is_cut_anywhere_is_dropped);
	tcase_add_test(t, a_question_to_dhcp_goes_no_further);
	tcase_add_test(t, a_later_fragment_is_judged_by_its_addresses);
	tcase_add_test(t, the_guest_hears_what_is_for_it_and_for_all);
	tcase_add_test(t, the_guest_hears_no_other_dhcp_server);
	return unit_run("net_frame", t);
}
