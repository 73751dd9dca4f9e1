#include "vmd/net_dhcp.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "vmd/net_frame.h"
#include "vmd/net_wire.h"

#define ADDRESS	0xac1f000a	/* 172.31.0.10 */
#define ROUTER	0xac1f0001
#define BOOTP	42		/* in a frame */
#define OPTIONS	(BOOTP + 240)

enum { DISCOVER = 1, OFFER, REQUEST, DECLINE, ACK, NAK, RELEASE, INFORM };

static struct net_port port;
static uint8_t frame[600], answer[NET_DHCP_MAX];
static size_t len;

static void
setup(void)
{
	port = (struct net_port){ .mode = NET_OUTBOUND };
	ck_assert_int_eq(net_port_mac("02:00:ac:1f:00:0a", &port), 0);
	ck_assert_int_eq(net_port_address("172.31.0.10/20", &port), 0);
	ck_assert_int_eq(net_port_dns("198.51.100.2", &port), 0);
}

static void
option32(unsigned code, uint32_t value)
{
	frame[len++] = (uint8_t)code;
	frame[len++] = 4;
	net_wire_put32(frame + len, value);
	len += 4;
}

/* A message, still without its end. */
static void
begin(unsigned type)
{
	memset(frame, 0, sizeof(frame));
	memcpy(frame + 6, port.mac, 6);
	frame[BOOTP] = frame[BOOTP + 1] = 1;
	frame[BOOTP + 2] = 6;
	net_wire_put32(frame + BOOTP + 4, 0x12345678);
	memcpy(frame + BOOTP + 28, port.mac, 6);
	memcpy(frame + BOOTP + 236, "\x63\x82\x53\x63\x35\x01", 6);
	frame[OPTIONS + 2] = (uint8_t)type;
	len = OPTIONS + 3;
}

static size_t
ask(void)
{
	frame[len++] = 255;
	return net_dhcp_answer(&port, frame, len, answer);
}

static const uint8_t *
find(unsigned code)
{
	const uint8_t *at = answer + OPTIONS;

	while (*at != 255 && *at != code)
		at += 2 + at[1];
	return at;
}

static bool
has(unsigned code)
{
	return *find(code) == code;
}

/* The value of an option that the answer has. */
static uint32_t
value(unsigned code)
{
	const uint8_t *at = find(code);

	ck_assert(has(code));
	return at[1] == 4 ? net_wire_get32(at + 2) : at[2];
}

static void
is_offer_of(unsigned type, size_t n)
{
	ck_assert_uint_eq(n, BOOTP + 300);
	ck_assert_mem_eq(answer, port.mac, 6);
	ck_assert(!net_frame_in(&port, answer, n));	/* another server's would not pass */
	ck_assert_uint_eq(answer[BOOTP], 2);
	ck_assert_uint_eq(net_wire_get32(answer + BOOTP + 4), 0x12345678);
	ck_assert_uint_eq(net_wire_get32(answer + BOOTP + 16), ADDRESS);
	ck_assert_uint_eq(value(53), type);
	ck_assert_uint_eq(value(54), ROUTER);
	ck_assert_uint_eq(value(51), 3600);
	ck_assert_uint_eq(value(1), 0xfffff000);
	ck_assert_uint_eq(value(3), ROUTER);
	ck_assert_uint_eq(value(6), 0xc6336402);
	ck_assert_mem_eq(find(12) + 2, "ip-172-31-0-10", 14);
}

START_TEST(whoever_asks_is_offered_the_one_address)
{
	begin(DISCOVER);
	option32(50, 0x0a000001);	/* would like another */
	is_offer_of(OFFER, ask());
}
END_TEST

START_TEST(it_is_given_to_who_wants_it)
{
	begin(REQUEST);
	option32(50, ADDRESS);
	option32(54, ROUTER);
	is_offer_of(ACK, ask());
	begin(REQUEST);
	net_wire_put32(frame + BOOTP + 12, ADDRESS);	/* renews */
	is_offer_of(ACK, ask());
}
END_TEST

START_TEST(another_address_is_refused)
{
	begin(REQUEST);
	option32(50, ADDRESS + 1);
	ck_assert_uint_ne(ask(), 0);
	ck_assert_uint_eq(value(53), NAK);
	ck_assert_uint_eq(net_wire_get32(answer + BOOTP + 16), 0);
	ck_assert(!has(51));
	ck_assert_uint_eq(net_wire_get32(answer + 30), 0xffffffff);
}
END_TEST

START_TEST(what_is_for_another_server_or_needs_no_answer_gets_none)
{
	static const unsigned quiet[] = { DECLINE, RELEASE, 0, 9, OFFER };

	begin(REQUEST);
	option32(50, ADDRESS);
	option32(54, ROUTER + 1);
	ck_assert_uint_eq(ask(), 0);
	for (size_t i = 0; i < ARRAY_LEN(quiet); i++) {
		begin(quiet[i]);
		ck_assert_uint_eq(ask(), 0);
	}
}
END_TEST

START_TEST(who_has_its_address_is_told_the_rest)
{
	begin(INFORM);
	net_wire_put32(frame + BOOTP + 12, ADDRESS);
	ck_assert_uint_ne(ask(), 0);
	ck_assert_uint_eq(value(53), ACK);
	ck_assert(!has(51));
	ck_assert_uint_eq(net_wire_get32(answer + BOOTP + 16), 0);
}
END_TEST

START_TEST(another_s_question_or_a_cut_one_gets_none)
{
	begin(DISCOVER);
	frame[BOOTP + 33] ^= 1;
	ck_assert_uint_eq(ask(), 0);
	begin(DISCOVER);
	frame[BOOTP + 236] ^= 1;
	ck_assert_uint_eq(ask(), 0);
	begin(DISCOVER);
	for (size_t cut = 0; cut < OPTIONS + 3; cut++)
		ck_assert_uint_eq(net_dhcp_answer(&port, frame, cut, answer), 0);
	frame[OPTIONS + 1] = 200;	/* an option that is longer than the frame */
	ck_assert_uint_eq(ask(), 0);
}
END_TEST

START_TEST(no_resolver_no_option)
{
	port.dns = 0;
	begin(DISCOVER);
	ck_assert_uint_ne(ask(), 0);
	ck_assert(!has(6));
}
END_TEST

START_TEST(who_cannot_take_its_own_address_yet_is_answered_to_all)
{
	begin(DISCOVER);
	frame[BOOTP + 10] = 0x80;
	ck_assert_uint_ne(ask(), 0);
	ck_assert_uint_eq(net_wire_get32(answer + 30), 0xffffffff);
}
END_TEST

START_TEST(the_guest_may_ask_for_its_router)
{
	static const struct net_own own;
	uint8_t arp[NET_DHCP_ARP];

	net_dhcp_arp(&port, arp);
	ck_assert_int_eq(net_frame_out(&port, &own, arp, sizeof(arp)), NET_PASS);
	ck_assert_uint_eq(net_wire_get32(arp + 38), ROUTER);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("dhcp");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, whoever_asks_is_offered_the_one_address);
	tcase_add_test(t, it_is_given_to_who_wants_it);
	tcase_add_test(t, another_address_is_refused);
	tcase_add_test(t, what_is_for_another_server_or_needs_no_answer_gets_none);
	tcase_add_test(t, who_has_its_address_is_told_the_rest);
	tcase_add_test(t, another_s_question_or_a_cut_one_gets_none);
	tcase_add_test(t, no_resolver_no_option);
	tcase_add_test(t, who_cannot_take_its_own_address_yet_is_answered_to_all);
	tcase_add_test(t, the_guest_may_ask_for_its_router);
	return unit_run("net_dhcp", t);
}
