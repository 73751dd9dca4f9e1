/* The client's side of a lease, told things by hand, on a clock by hand. */
#include "common/lead.h"

#include <inttypes.h>

#include "tests/unit/unit.h"

#include "tests/unit/common/fake_bus.h"

#define T	60000u

static struct lead *lead;		/* the fixture, of key "reaper.sweep" */
static unsigned gains, losses;
static uint64_t gained_generation;
static unsigned starts;			/* how often the start election ended, and how */
static enum lead_start start_how;
static char start_why[512];
static char incarnation[64];

static void
on_gained(void *arg, uint64_t generation)
{
	gains++;
	gained_generation = generation;
}

static void
on_lost(void *arg)
{
	losses++;
}

static void
on_start(void *arg, enum lead_start how, const char *why)
{
	ck_assert_uint_eq(gains, 0);
	starts++;
	start_how = how;
	snprintf(start_why, sizeof(start_why), "%s", why);
}

static void
make(const char *key)
{
	struct lead_spec spec = {
		.node = "node-a", .client = "reaperd", .key = key, .ttl_ms = T,
		.gained = on_gained, .lost = on_lost, .started = on_start,
	};

	fake_reset();
	gains = losses = starts = 0;
	ck_assert_int_eq(lead_new(&fake.bus, &spec, &lead), 0);
	fake_pass(1);
}

static void
setup(void)
{
	const char *p;

	make("reaper.sweep");
	p = strstr(fake.ask_data, "\"incarnation\":\"");
	ck_assert_ptr_nonnull(p);
	(void)sscanf(p + 15, "%63[^\"]", incarnation);
}

static void
teardown(void)
{
	lead_free(lead);
}

static uint64_t
now(void)
{
	return fake.loop.now_ms;
}

static bool
mine(void)
{
	return lead_is_mine(lead, now());
}

static void
answer_held(uint64_t generation, uint64_t valid_until_ms)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "{\"held\":true,\"generation\":\"%" PRIu64 "\","
	    "\"valid_until_ms\":\"%" PRIu64 "\",\"revisit_ms\":%u}", generation, valid_until_ms,
	    T / 6);
	fake_answer(BUS_OK, text);
}

static void
event_of(const char *who, const char *event, const char *key, uint64_t generation,
    uint64_t valid_until_ms)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "{\"event\":\"%s\",\"key\":\"%s\",\"incarnation\":\"%s\","
	    "\"generation\":\"%" PRIu64 "\",\"valid_until_ms\":\"%" PRIu64 "\"}", event, key, who,
	    generation, valid_until_ms);
	fake_hint(text);
}

START_TEST(it_asks_at_once_with_key_client_and_incarnation)
{
	ck_assert_str_eq(fake.ask_subject, "lease.v1.node-a.hold");
	ck_assert_str_eq(fake.hint_subject, "lease.v1.node-a.event.reaperd");
	ck_assert_ptr_nonnull(strstr(fake.ask_data, "\"key\":\"reaper.sweep\""));
	ck_assert_ptr_nonnull(strstr(fake.ask_data, "\"client\":\"reaperd\""));
	ck_assert_ptr_nonnull(strstr(fake.ask_data, "\"ttl_ms\":60000"));
	ck_assert_ptr_nonnull(strstr(fake.ask_data, "\"generation\":\"0\""));
	ck_assert(!mine());
}
END_TEST

START_TEST(what_was_told_is_believed_until_valid_until)
{
	uint64_t until = now() + 20000;

	answer_held(7, until);
	ck_assert(mine());
	ck_assert_uint_eq(gains, 1);
	ck_assert_uint_eq(gained_generation, 7);
	ck_assert_uint_eq(lead_valid_until_ms(lead), until);
	ck_assert(lead_is_mine(lead, until - 1));
	ck_assert(!lead_is_mine(lead, until));
}
END_TEST

START_TEST(it_asks_each_sixth_and_tells_what_it_held)
{
	unsigned asks = fake.asks;

	answer_held(7, now() + 40000);
	fake_pass(T / 6 - 1);
	ck_assert_uint_eq(fake.asks, asks);
	fake_pass(1);
	ck_assert_uint_eq(fake.asks, asks + 1);
	ck_assert_ptr_nonnull(strstr(fake.ask_data, "\"generation\":\"7\""));
	answer_held(7, now() + 40000);
	ck_assert_uint_eq(gains, 1);
	ck_assert_uint_eq(losses, 0);
}
END_TEST

START_TEST(a_silent_leased_ends_it_by_the_clock_alone)
{
	answer_held(7, now() + 20000);
	fake_pass(19999);
	ck_assert(mine());
	ck_assert_uint_eq(losses, 0);
	fake_pass(1);
	ck_assert(!mine());
	ck_assert_uint_eq(losses, 1);
	ck_assert_uint_eq(lead_generation(lead), 7);	/* to show it when it comes back */
	ck_assert_uint_eq(lead_valid_until_ms(lead), 0);
}
END_TEST

START_TEST(nothing_told_passes_two_thirds_after_the_own_last_ask)
{
	uint64_t asked = now();

	fake_pass(3000);
	answer_held(7, now() + 10 * T);
	ck_assert_uint_eq(lead_valid_until_ms(lead), asked + 2 * T / 3);
	event_of(incarnation, "renewed", "reaper.sweep", 7, now() + 10 * T);
	ck_assert_uint_eq(lead_valid_until_ms(lead), asked + 2 * T / 3);
}
END_TEST

START_TEST(an_answer_that_it_is_not_held_ends_it)
{
	answer_held(7, now() + 40000);
	fake_pass(T / 6);
	fake_answer(BUS_OK, "{\"held\":false,\"holder\":\"node-b\",\"generation\":\"9\","
	    "\"revisit_ms\":500}");
	ck_assert(!mine());
	ck_assert_uint_eq(losses, 1);
}
END_TEST

START_TEST(it_asks_again_when_it_is_told_to)
{
	unsigned asks = fake.asks;

	fake_answer(BUS_OK, "{\"held\":false,\"holder\":\"node-b\",\"revisit_ms\":500}");
	fake_pass(499);
	ck_assert_uint_eq(fake.asks, asks);
	fake_pass(1);
	ck_assert_uint_eq(fake.asks, asks + 1);
	fake_answer(BUS_OK, "{\"held\":false,\"holder\":\"node-b\",\"revisit_ms\":3600000}");
	fake_pass(T / 6);			/* but never later than a sixth */
	ck_assert_uint_eq(fake.asks, asks + 2);
}
END_TEST

static const char *const no_answers[] = {
	"{\"Code\":\"lease.unavailable\",\"Message\":\"x\",\"Retryable\":true}",
	"{\"Code\":\"lease.owned\",\"Message\":\"x\"}",
	"no JSON", "[]", "{}", "{\"held\":1}",
	"{\"held\":true,\"generation\":7,\"valid_until_ms\":5}",
};

START_TEST(what_is_no_answer_changes_nothing_and_is_asked_again_soon)
{
	unsigned asks;

	answer_held(7, now() + 40000);
	fake_pass(T / 6);
	asks = fake.asks;
	fake_answer(BUS_OK, no_answers[_i]);
	ck_assert(mine());
	fake_pass(1000);
	ck_assert_uint_eq(fake.asks, asks + 1);
}
END_TEST

START_TEST(a_held_without_an_instant_ahead_is_not_believed)
{
	answer_held(7, now());
	ck_assert(!mine());
	ck_assert_uint_eq(gains, 0);
	fake_pass(T / 6);
	answer_held(0, now() + 20000);
	ck_assert(!mine());
}
END_TEST

START_TEST(an_event_gains_renews_and_loses)
{
	uint64_t asked = now();

	event_of(incarnation, "gained", "reaper.sweep", 7, asked + 20000);
	ck_assert(mine());
	ck_assert_uint_eq(gains, 1);
	event_of(incarnation, "renewed", "reaper.sweep", 7, asked + 30000);
	ck_assert_uint_eq(lead_valid_until_ms(lead), asked + 30000);
	event_of(incarnation, "lost", "reaper.sweep", 7, 0);
	ck_assert(!mine());
	ck_assert_uint_eq(losses, 1);
}
END_TEST

START_TEST(an_event_of_another_incarnation_or_key_changes_nothing)
{
	uint64_t until = now() + 20000;

	event_of("somebody", "gained", "reaper.sweep", 7, until);
	event_of(incarnation, "gained", "other.key", 7, until);
	ck_assert(!mine());
	answer_held(7, until);
	event_of("somebody", "renewed", "reaper.sweep", 7, until + 5000);
	event_of("somebody", "lost", "reaper.sweep", 7, 0);
	event_of(incarnation, "lost", "other.key", 7, 0);
	event_of(incarnation, "lost", "reaper.sweep", 6, 0);	/* an older generation's */
	event_of(incarnation, "burnt", "reaper.sweep", 7, 0);
	fake_hint("no JSON");
	ck_assert(mine());
	ck_assert_uint_eq(lead_valid_until_ms(lead), until);
	ck_assert_uint_eq(losses, 0);
}
END_TEST

START_TEST(a_promise_does_not_shrink)
{
	uint64_t until = now() + 30000;

	answer_held(7, until);
	event_of(incarnation, "renewed", "reaper.sweep", 7, until - 10000);
	ck_assert_uint_eq(lead_valid_until_ms(lead), until);
}
END_TEST

START_TEST(another_generation_is_a_loss_and_a_gain)
{
	answer_held(7, now() + 30000);
	fake_pass(T / 6);
	answer_held(9, now() + 30000);
	ck_assert_uint_eq(losses, 1);
	ck_assert_uint_eq(gains, 2);
	ck_assert_uint_eq(gained_generation, 9);
	ck_assert_uint_eq(lead_generation(lead), 9);
	ck_assert(mine());
}
END_TEST

START_TEST(after_a_lost_event_it_asks_at_once)
{
	unsigned asks;

	answer_held(7, now() + 40000);
	asks = fake.asks;
	event_of(incarnation, "lost", "reaper.sweep", 7, 0);
	fake_pass(1);
	ck_assert_uint_eq(fake.asks, asks + 1);
}
END_TEST

START_TEST(a_loss_that_is_told_is_answered_with_the_release)
{
	answer_held(7, now() + 40000);
	event_of(incarnation, "lost", "reaper.sweep", 7, 0);
	ck_assert_uint_eq(fake.publishes, 1);
	ck_assert_str_eq(fake.publish_subject, "lease.v1.node-a.release");
	ck_assert_ptr_nonnull(strstr(fake.publish_data, "\"generation\":\"7\""));
	event_of(incarnation, "lost", "reaper.sweep", 7, 0);
	ck_assert_uint_eq(fake.publishes, 1);
}
END_TEST

START_TEST(a_late_event_revives_no_generation_that_was_lost)
{
	answer_held(7, now() + 40000);
	event_of(incarnation, "lost", "reaper.sweep", 7, 0);
	event_of(incarnation, "renewed", "reaper.sweep", 7, now() + 20000);
	ck_assert(!mine());
	event_of(incarnation, "gained", "reaper.sweep", 8, now() + 20000);
	ck_assert(mine());
}
END_TEST

START_TEST(the_answer_to_an_ask_from_before_a_loss_says_nothing)
{
	fake_pass(10);
	event_of(incarnation, "lost", "reaper.sweep", 0, 0);
	answer_held(7, now() + 20000);
	ck_assert(!mine());
}
END_TEST

START_TEST(without_memory_it_tries_again)
{
	unsigned asks = fake.asks;

	answer_held(7, now() + 40000);
	fake.no_memory = true;
	fake_pass(T / 6 + 5000);
	fake.no_memory = false;
	fake_pass(1000);
	ck_assert_uint_eq(fake.asks, asks + 1);
}
END_TEST

START_TEST(the_end_releases_what_is_held_by_its_generation)
{
	answer_held(7, now() + 40000);
	lead_free(lead);
	lead = NULL;
	ck_assert_uint_eq(fake.publishes, 1);
	ck_assert_str_eq(fake.publish_subject, "lease.v1.node-a.release");
	ck_assert_ptr_nonnull(strstr(fake.publish_data, "\"generation\":\"7\""));
	ck_assert_ptr_nonnull(strstr(fake.publish_data, incarnation));
	ck_assert_uint_eq(losses, 0);
}
END_TEST

START_TEST(the_end_of_what_is_not_held_releases_nothing)
{
	lead_free(lead);
	lead = NULL;
	ck_assert_uint_eq(fake.publishes, 0);
}
END_TEST

START_TEST(the_nodes_own_lease_is_never_released)
{
	lead_free(lead);
	make("node.node-a");
	answer_held(7, now() + 40000);
	ck_assert(mine());
	lead_free(lead);
	lead = NULL;
	ck_assert_uint_eq(fake.publishes, 0);
}
END_TEST

static void
refuse_retryably(void)
{
	fake_answer(BUS_OK, "{\"Code\":\"lease.unavailable\",\"Message\":\"not reachable\","
	    "\"Retryable\":true}");
}

START_TEST(at_its_start_failures_are_waited_out_each_second_3_1_5)
{
	for (unsigned i = 1; i <= 3; i++) {
		refuse_retryably();
		fake_pass(999);
		ck_assert_uint_eq(fake.asks, i);
		fake_pass(1);
		ck_assert_uint_eq(fake.asks, i + 1);
	}
	ck_assert_uint_eq(starts, 0);
	answer_held(7, now() + 20000);
	ck_assert_uint_eq(starts, 1);
	ck_assert_int_eq(start_how, LEAD_WON);
	fake_pass(2 * LEAD_START_MS);
	ck_assert_uint_eq(starts, 1);
}
END_TEST

START_TEST(a_start_that_another_won_is_told_at_once_who_3_1_5)
{
	fake_answer(BUS_OK, "{\"held\":false,\"holder\":\"node-b\",\"generation\":\"9\","
	    "\"revisit_ms\":20000}");
	ck_assert_uint_eq(starts, 1);
	ck_assert_int_eq(start_how, LEAD_HELD);
	ck_assert_str_eq(start_why, "node-b");
}
END_TEST

START_TEST(a_start_that_can_never_be_granted_is_told_at_once_why_3_1_5)
{
	unsigned asks = fake.asks;

	fake_answer(BUS_OK, "{\"Code\":\"lease.owned\",\"Message\":\"another client has it\"}");
	ck_assert_uint_eq(starts, 1);
	ck_assert_int_eq(start_how, LEAD_REFUSED);
	ck_assert_ptr_nonnull(strstr(start_why, "another client has it"));
	fake_pass(1000);			/* standing goes on: it may be mended */
	ck_assert_uint_eq(fake.asks, asks + 1);
}
END_TEST

START_TEST(a_start_that_nobody_decides_ends_with_its_window_3_1_5)
{
	while (now() < 1000000 + LEAD_START_MS - 1000) {
		if (fake.ask_id)
			refuse_retryably();
		fake_pass(1000);
	}
	ck_assert_uint_eq(starts, 0);
	fake_pass(1001);
	ck_assert_uint_eq(starts, 1);
	ck_assert_int_eq(start_how, LEAD_OPEN);
	ck_assert_ptr_nonnull(strstr(start_why, "not reachable"));
	refuse_retryably();
	fake_pass(1000);
	answer_held(7, now() + 20000);		/* standing went on */
	ck_assert(mine());
	ck_assert_uint_eq(starts, 1);
}
END_TEST

START_TEST(a_start_that_is_cancelled_tells_nothing_3_1_5)
{
	refuse_retryably();
	lead_free(lead);
	lead = NULL;
	fake_pass(2 * LEAD_START_MS);
	ck_assert_uint_eq(starts, 0);
	ck_assert_uint_eq(fake.asks, 1);
}
END_TEST

START_TEST(what_is_gated_on_it_sees_it_held_while_renewals_come_90)
{
	uint64_t end = now() + 10 * T;

	while (now() < end) {
		answer_held(7, now() + 2 * T / 3);
		for (unsigned i = 0; i < T / 6 / 500; i++) {
			ck_assert(mine());
			fake_pass(500);
		}
	}
	ck_assert_uint_eq(losses, 0);
	fake_pass(T);
	ck_assert(!mine());
	ck_assert_uint_eq(losses, 1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("lead");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, it_asks_at_once_with_key_client_and_incarnation);
	tcase_add_test(tc, what_was_told_is_believed_until_valid_until);
	tcase_add_test(tc, it_asks_each_sixth_and_tells_what_it_held);
	tcase_add_test(tc, a_silent_leased_ends_it_by_the_clock_alone);
	tcase_add_test(tc, nothing_told_passes_two_thirds_after_the_own_last_ask);
	tcase_add_test(tc, an_answer_that_it_is_not_held_ends_it);
	tcase_add_test(tc, it_asks_again_when_it_is_told_to);
	tcase_add_loop_test(tc, what_is_no_answer_changes_nothing_and_is_asked_again_soon, 0,
	    ARRAY_LEN(no_answers));
	tcase_add_test(tc, a_held_without_an_instant_ahead_is_not_believed);
	tcase_add_test(tc, an_event_gains_renews_and_loses);
	tcase_add_test(tc, an_event_of_another_incarnation_or_key_changes_nothing);
	tcase_add_test(tc, a_promise_does_not_shrink);
	tcase_add_test(tc, another_generation_is_a_loss_and_a_gain);
	tcase_add_test(tc, after_a_lost_event_it_asks_at_once);
	tcase_add_test(tc, a_loss_that_is_told_is_answered_with_the_release);
	tcase_add_test(tc, a_late_event_revives_no_generation_that_was_lost);
	tcase_add_test(tc, the_answer_to_an_ask_from_before_a_loss_says_nothing);
	tcase_add_test(tc, without_memory_it_tries_again);
	tcase_add_test(tc, the_end_releases_what_is_held_by_its_generation);
	tcase_add_test(tc, the_end_of_what_is_not_held_releases_nothing);
	tcase_add_test(tc, the_nodes_own_lease_is_never_released);
	tcase_add_test(tc, at_its_start_failures_are_waited_out_each_second_3_1_5);
	tcase_add_test(tc, a_start_that_another_won_is_told_at_once_who_3_1_5);
	tcase_add_test(tc, a_start_that_can_never_be_granted_is_told_at_once_why_3_1_5);
	tcase_add_test(tc, a_start_that_nobody_decides_ends_with_its_window_3_1_5);
	tcase_add_test(tc, a_start_that_is_cancelled_tells_nothing_3_1_5);
	tcase_add_test(tc, what_is_gated_on_it_sees_it_held_while_renewals_come_90);
	return unit_run("lead", tc);
}
