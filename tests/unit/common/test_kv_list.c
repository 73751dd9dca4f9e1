/* Pages of a listing, fed by hand. */
#include "common/kv_list.h"

#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "tests/unit/unit.h"

#define TIMEOUT_MS	2000

static struct kv_listing listing;	/* the fixture: all of bucket "b" */
static uint64_t now_ms;
static struct kv_request request;

static void
setup(void)
{
	now_ms = 1000;
	ck_assert(kv_listing_init(&listing, "b", "", now_ms, TIMEOUT_MS));
}

static void
teardown(void)
{
	kv_listing_deinit(&listing);
}

static enum kv_do
next(void)
{
	uint64_t until;
	enum kv_do what;

	while ((what = listing.task.next(&listing.task, now_ms, &request, &until)) == KV_PAUSE)
		now_ms = until;
	return what;
}

static void
expect_ask(const char *body)
{
	ck_assert_int_eq(next(), KV_ASK);
	ck_assert_str_eq(request.ask.subject, "$JS.API.STREAM.INFO.KV_b");
	ck_assert_str_eq(request.ask.data, body);
}

#define FIRST	"{\"subjects_filter\":\"$KV.b.>\",\"offset\":0}"
#define AT_2	"{\"subjects_filter\":\"$KV.b.>\",\"offset\":2}"

static const char *created = "2026-10-30T01:02:03Z";
static unsigned last_seq = 50;

/* keys: words, or NULL for a page without subjects. */
static void
page(unsigned total, unsigned offset, const char *keys)
{
	struct buf b = BUF_EMPTY(4096);
	char copy[256], *save = NULL;
	const char *comma = "";

	(void)buf_printf(&b, "{\"total\":%u,\"offset\":%u,\"limit\":2,\"config\":{\"num_replicas\":1},"
	    "\"created\":\"%s\",\"state\":{\"last_seq\":%u,\"subjects\":{", total, offset, created,
	    last_seq);
	(void)snprintf(copy, sizeof(copy), "%s", keys ? keys : "");
	for (char *k = strtok_r(copy, " ", &save); k; k = strtok_r(NULL, " ", &save)) {
		(void)buf_printf(&b, "%s\"%s\":1", comma, k);
		comma = ",";
	}
	(void)buf_add_str(&b, "}}}");
	listing.task.answer(&listing.task, now_ms, BUS_OK, b.data, b.len);
	buf_deinit(&b);
}

static void
expect_keys(const char *want)
{
	struct kv_keys keys;
	struct buf b = BUF_EMPTY(4096);

	ck_assert_int_eq(next(), KV_END);
	ck_assert_int_eq(listing.res, CAS_OK);
	keys = kv_listing_take(&listing);
	for (size_t i = 0; i < keys.n; i++)
		(void)buf_printf(&b, "%s%s", i ? " " : "", keys.key[i]);
	ck_assert_str_eq(buf_text(&b), want);
	buf_deinit(&b);
	kv_keys_deinit(&keys);
}

START_TEST(one_page_is_sorted_and_leaves_out_the_buckets_own_keys)
{
	expect_ask(FIRST);
	page(3, 0, "$KV.b.z.1 $KV.b._version $KV.b.a/2");
	expect_keys("a/2 z.1");
	ck_assert_uint_eq(listing.seen, 50);
}
END_TEST

START_TEST(an_empty_bucket_has_no_keys)
{
	expect_ask(FIRST);
	page(0, 0, NULL);
	expect_keys("");
}
END_TEST

START_TEST(pages_are_asked_for_until_all_are_there)
{
	expect_ask(FIRST);
	page(5, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	page(5, 2, "$KV.b.c $KV.b.d");
	expect_ask("{\"subjects_filter\":\"$KV.b.>\",\"offset\":4}");
	page(5, 4, "$KV.b.e");
	expect_keys("a b c d e");
}
END_TEST

START_TEST(a_total_that_changes_between_pages_begins_again)
{
	expect_ask(FIRST);
	page(4, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	page(3, 2, "$KV.b.d");
	expect_ask(FIRST);
	page(3, 0, "$KV.b.b $KV.b.c");
	expect_ask(AT_2);
	page(3, 2, "$KV.b.d");
	expect_keys("b c d");
}
END_TEST

/* Nothing that is written after the first page counts as looked at. */
START_TEST(a_listing_is_of_one_stream_at_its_first_page)
{
	struct kv_keys keys;

	expect_ask(FIRST);
	page(3, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	created = "2026-10-30T09:09:09Z";
	page(3, 2, "$KV.b.c");
	expect_ask(FIRST);
	last_seq = 60;
	page(3, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	last_seq = 70;
	page(3, 2, "$KV.b.c");
	ck_assert_int_eq(next(), KV_END);
	keys = kv_listing_take(&listing);
	ck_assert_uint_eq(keys.n, 3);
	ck_assert_str_eq(keys.created, created);
	ck_assert_uint_eq(keys.last_seq, 60);
	kv_keys_deinit(&keys);
}
END_TEST

START_TEST(a_key_that_comes_twice_means_that_another_is_missing)
{
	expect_ask(FIRST);
	page(4, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	page(4, 2, "$KV.b.b $KV.b.c");
	expect_ask(FIRST);
}
END_TEST

START_TEST(an_empty_page_before_the_end_begins_again)
{
	expect_ask(FIRST);
	page(4, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	page(4, 2, NULL);
	expect_ask(FIRST);
}
END_TEST

START_TEST(a_subject_of_another_bucket_is_not_taken)
{
	expect_ask(FIRST);
	page(1, 0, "$KV.c.a");
	expect_ask(FIRST);
}
END_TEST

START_TEST(half_a_listing_at_the_deadline_is_an_error)
{
	expect_ask(FIRST);
	page(4, 0, "$KV.b.a $KV.b.b");
	expect_ask(AT_2);
	now_ms += TIMEOUT_MS;
	listing.task.answer(&listing.task, now_ms, BUS_TIMEOUT, NULL, 0);
	ck_assert_int_eq(next(), KV_END);
	ck_assert_int_eq(listing.res, CAS_UNAVAILABLE);
}
END_TEST

START_TEST(silence_is_asked_again)
{
	expect_ask(FIRST);
	listing.task.answer(&listing.task, now_ms, BUS_NO_RESPONDERS, NULL, 0);
	expect_ask(FIRST);
	page(1, 0, "$KV.b.a");
	expect_keys("a");
	ck_assert(listing.stream_doubt);
}
END_TEST

START_TEST(a_missing_stream_says_so)
{
	static const char text[] = "{\"error\":{\"code\":404,\"err_code\":10059}}";

	expect_ask(FIRST);
	listing.task.answer(&listing.task, now_ms, BUS_OK, text, sizeof(text) - 1);
	ck_assert_int_eq(next(), KV_END);
	ck_assert_int_eq(listing.res, CAS_BUCKET_LOST);
}
END_TEST

START_TEST(a_prefix_is_a_filter)
{
	ck_assert(kv_listing_init(&listing, "b", "uefi.", now_ms, TIMEOUT_MS));
	expect_ask("{\"subjects_filter\":\"$KV.b.uefi.>\",\"offset\":0}");
	page(1, 0, "$KV.b.uefi.i-1");
	expect_keys("uefi.i-1");
}
END_TEST

START_TEST(more_than_can_be_kept_is_refused)
{
	expect_ask(FIRST);
	page(KV_KEYS_MAX + 1, 0, "$KV.b.a");
	ck_assert_int_eq(next(), KV_END);
	ck_assert_int_eq(listing.res, CAS_REFUSED);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("kv_list");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, one_page_is_sorted_and_leaves_out_the_buckets_own_keys);
	tcase_add_test(tc, an_empty_bucket_has_no_keys);
	tcase_add_test(tc, pages_are_asked_for_until_all_are_there);
	tcase_add_test(tc, a_total_that_changes_between_pages_begins_again);
	tcase_add_test(tc, a_listing_is_of_one_stream_at_its_first_page);
	tcase_add_test(tc, a_key_that_comes_twice_means_that_another_is_missing);
	tcase_add_test(tc, an_empty_page_before_the_end_begins_again);
	tcase_add_test(tc, a_subject_of_another_bucket_is_not_taken);
	tcase_add_test(tc, half_a_listing_at_the_deadline_is_an_error);
	tcase_add_test(tc, silence_is_asked_again);
	tcase_add_test(tc, a_missing_stream_says_so);
	tcase_add_test(tc, a_prefix_is_a_filter);
	tcase_add_test(tc, more_than_can_be_kept_is_refused);
	return unit_run("kv_list", tc);
}
