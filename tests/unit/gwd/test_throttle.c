#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "gwd/throttle.h"

#define HERE	"10.0.0.1"
#define THERE	"10.0.0.2"

static struct throttle *t;

static void
setup(void)
{
	t = throttle_new(0x1234);
	ck_assert_ptr_nonnull(t);
}

static void
teardown(void)
{
	throttle_free(t);
}

static void
failure(const char *address, const char *key, int signature, uint64_t now_ms)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", signature);
	throttle_failed(t, address, key, text, now_ms);
}

START_TEST(guesses_at_a_key_are_stopped_for_a_window)
{
	for (int i = 0; i < THROTTLE_KEY_MAX; i++) {
		ck_assert(throttle_may(t, HERE, "K", 1000));
		failure(HERE, "K", i, 1000);
	}
	ck_assert(!throttle_may(t, HERE, "K", 1000));
	ck_assert(!throttle_may(t, HERE, "K", 1000 + THROTTLE_WINDOW_MS - 1));
	ck_assert(throttle_may(t, HERE, "K", 1000 + THROTTLE_WINDOW_MS));
	/* and from then on they are counted anew */
	failure(HERE, "K", 99, 1000 + THROTTLE_WINDOW_MS);
	ck_assert(throttle_may(t, HERE, "K", 1000 + THROTTLE_WINDOW_MS));
}
END_TEST

START_TEST(the_same_request_again_is_no_guess)
{
	for (int i = 0; i < 10 * THROTTLE_KEY_MAX; i++)
		failure(HERE, "K", 7, 1000);
	ck_assert(throttle_may(t, HERE, "K", 1000));
}
END_TEST

START_TEST(one_dead_key_does_not_touch_its_neighbours)
{
	for (int i = 0; i < 100 * THROTTLE_KEY_MAX; i++)
		failure(HERE, "dead", i, 1000);
	ck_assert(!throttle_may(t, HERE, "dead", 1000));
	ck_assert(throttle_may(t, HERE, "other", 1000));
	ck_assert(throttle_may(t, THERE, "dead", 1000));	/* nor is it locked from afar */
}
END_TEST

START_TEST(an_address_that_tries_many_keys_is_stopped_but_for_those_that_work)
{
	char key[16];

	throttle_passed(t, HERE, "good", 1000);
	for (int i = 0; i < THROTTLE_ADDRESS_MAX; i++) {
		snprintf(key, sizeof(key), "K%d", i);
		ck_assert(throttle_may(t, HERE, key, 2000));
		failure(HERE, key, 1, 2000);
	}
	ck_assert(!throttle_may(t, HERE, "another", 2000));
	ck_assert(throttle_may(t, HERE, "good", 2000));
	ck_assert(throttle_may(t, THERE, "another", 2000));
	ck_assert(throttle_may(t, HERE, "another", 2000 + THROTTLE_WINDOW_MS));
}
END_TEST

START_TEST(trust_ends_after_its_time)
{
	throttle_passed(t, HERE, "K", 1000);
	for (int i = 0; i < THROTTLE_KEY_MAX; i++)
		failure(HERE, "K", i, 1000 + THROTTLE_TRUST_MS - 1);
	ck_assert(throttle_may(t, HERE, "K", 1000 + THROTTLE_TRUST_MS - 1));
	ck_assert(!throttle_may(t, HERE, "K", 1000 + THROTTLE_TRUST_MS));
}
END_TEST

START_TEST(any_number_of_strangers_fits)
{
	char address[24];

	for (int i = 0; i < 100000; i++) {
		snprintf(address, sizeof(address), "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
		failure(address, "K", i, 1000 + (uint64_t)i);
	}
	ck_assert(throttle_may(t, HERE, "K", 200000));
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("throttle");
	TCase *c = tcase_create("throttle");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, guesses_at_a_key_are_stopped_for_a_window);
	tcase_add_test(c, the_same_request_again_is_no_guess);
	tcase_add_test(c, one_dead_key_does_not_touch_its_neighbours);
	tcase_add_test(c, an_address_that_tries_many_keys_is_stopped_but_for_those_that_work);
	tcase_add_test(c, trust_ends_after_its_time);
	tcase_add_test(c, any_number_of_strangers_fits);
	suite_add_tcase(s, c);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
