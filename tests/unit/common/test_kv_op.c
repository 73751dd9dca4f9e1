/* The table of kv.h, row by row: one operation is fed answers by hand, on a clock by hand. */
#include "common/kv_op.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base64.h"
#include "tests/unit/unit.h"

#define TIMEOUT_MS	4000

static struct kv_op op;			/* the fixture: one write of "v" to "k" at 7 */
static uint64_t now_ms;
static _Atomic uint64_t mark;
static struct kv_request request;

static void
setup(void)
{
	now_ms = 1000;
	atomic_store(&mark, 7);
	ck_assert(kv_op_write(&op, "b", "k", false, NULL, 0, "v", 1, 7, now_ms, TIMEOUT_MS, &mark));
}

static void
teardown(void)
{
	kv_op_deinit(&op);
}

/* The next thing the operation does, after its pauses. */
static enum kv_do
next(void)
{
	uint64_t until;
	enum kv_do what;

	while ((what = op.task.next(&op.task, now_ms, &request, &until)) == KV_PAUSE) {
		ck_assert_uint_gt(until, now_ms);
		now_ms = until;
	}
	return what;
}

static void
expect_send(void)
{
	ck_assert_int_eq(next(), KV_ASK);
	ck_assert_str_eq(request.ask.subject, "$KV.b.k");
}

static void
expect_read(void)
{
	ck_assert_int_eq(next(), KV_ASK);
	ck_assert_str_eq(request.ask.subject, "$JS.API.STREAM.MSG.GET.KV_b");
}

static void
expect_end(enum cas_result res)
{
	ck_assert_int_eq(next(), KV_END);
	ck_assert_str_eq(cas_result_text(op.res), cas_result_text(res));
}

static void
fails(enum bus_result res)
{
	op.task.answer(&op.task, now_ms, res, NULL, 0);
}

static void
says(const char *text)
{
	op.task.answer(&op.task, now_ms, BUS_OK, text, strlen(text));
}

static void
says_error(unsigned code, const char *description)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "{\"error\":{\"code\":400,\"err_code\":%u,"
	    "\"description\":\"%s\"},\"stream\":\"KV_b\",\"seq\":0}", code, description);
	says(text);
}

/* The message at seq, with a nonce and an operation where they are given. */
static void
shows(uint64_t seq, const char *nonce, const char *kv_operation)
{
	char headers[256], text[1024];
	char *coded;

	(void)snprintf(headers, sizeof(headers), "NATS/1.0\r\n%s%s%s%s%s%s\r\n",
	    nonce ? "Spinifex-Nonce: " : "", nonce ? nonce : "", nonce ? "\r\n" : "",
	    kv_operation ? "KV-Operation: " : "", kv_operation ? kv_operation : "",
	    kv_operation ? "\r\n" : "");
	coded = base64_encode(headers, strlen(headers));
	(void)snprintf(text, sizeof(text), "{\"type\":\"x\",\"message\":{\"subject\":\"$KV.b.k\","
	    "\"seq\":%" PRIu64 ",\"hdrs\":\"%s\",\"data\":\"%s\","
	    "\"time\":\"2026-10-30T01:02:03.5Z\"}}", seq, coded, kv_operation ? "" : "aGVsbG8=");
	free(coded);
	says(text);
}

static void
shows_nothing(void)
{
	says("{\"error\":{\"code\":404,\"err_code\":10037,\"description\":\"no message found\"}}");
}

static const char *
header(const char *name)
{
	for (size_t i = 0; i < request.ask.nheaders; i++)
		if (strcmp(request.ask.headers[i].name, name) == 0)
			return request.ask.headers[i].value;
	return NULL;
}

/* ---- what is sent ---- */

START_TEST(a_write_carries_its_expectation_its_stream_its_id_and_a_nonce)
{
	expect_send();
	ck_assert_str_eq(header("Nats-Expected-Last-Subject-Sequence"), "7");
	ck_assert_str_eq(header("Nats-Expected-Stream"), "KV_b");
	ck_assert_str_eq(header("Nats-Msg-Id"), "k@7");
	ck_assert_ptr_nonnull(header("Spinifex-Nonce"));
	ck_assert_ptr_null(header("KV-Operation"));
	ck_assert_uint_eq(request.ask.len, 1);
}
END_TEST

START_TEST(every_attempt_has_another_nonce_and_the_same_id)
{
	char first[64];

	expect_send();
	(void)snprintf(first, sizeof(first), "%s", header("Spinifex-Nonce"));
	fails(BUS_TIMEOUT);
	expect_read();
	shows(7, NULL, NULL);
	expect_send();
	ck_assert_str_ne(header("Spinifex-Nonce"), first);
	ck_assert_str_eq(header("Nats-Msg-Id"), "k@7");
}
END_TEST

START_TEST(a_removal_is_an_empty_message_that_says_so)
{
	kv_op_deinit(&op);
	ck_assert(kv_op_write(&op, "b", "k", true, NULL, 0, NULL, 0, 7, now_ms, TIMEOUT_MS, &mark));
	expect_send();
	ck_assert_str_eq(header("KV-Operation"), "DEL");
	ck_assert_uint_eq(request.ask.len, 0);
}
END_TEST

START_TEST(the_callers_headers_are_added)
{
	struct bus_header h = { "x-amz-meta-generation", "12" };

	kv_op_deinit(&op);
	ck_assert(kv_op_write(&op, "b", "k", false, &h, 1, "v", 1, 7, now_ms, TIMEOUT_MS, &mark));
	expect_send();
	ck_assert_str_eq(header("x-amz-meta-generation"), "12");
	ck_assert(!kv_op_write(&op, "b", "k", false, &h, BUS_HEADERS_MAX, "v", 1, 7, now_ms,
	    TIMEOUT_MS, &mark));
}
END_TEST

/* ---- rows that end at once ---- */

START_TEST(an_acknowledgement_that_is_no_duplicate_has_won)
{
	expect_send();
	says("{\"stream\":\"KV_b\", \"seq\":9007199254740993}");
	expect_end(CAS_OK);
	ck_assert_uint_eq(op.revision, 9007199254740993u);
	ck_assert(!op.went_back);
}
END_TEST

START_TEST(error_10071_with_a_higher_sequence_has_lost)
{
	expect_send();
	says_error(10071, "wrong last sequence: 8");
	expect_end(CAS_LOST);
}
END_TEST

static const struct {
	unsigned	code;
	enum cas_result	res;
} certain[] = {
	{ 10008, CAS_UNAVAILABLE }, { 10039, CAS_UNAVAILABLE }, { 10076, CAS_UNAVAILABLE },
	{ 10077, CAS_REFUSED }, { 10023, CAS_REFUSED }, { 10047, CAS_REFUSED },
	{ 10028, CAS_REFUSED }, { 10002, CAS_REFUSED }, { 10054, CAS_REFUSED },
	{ 10059, CAS_BUCKET_LOST }, { 10060, CAS_BUCKET_LOST },
};

START_TEST(a_code_that_says_nothing_was_written_ends_the_write)
{
	expect_send();
	says_error(certain[_i].code, "why");
	expect_end(certain[_i].res);
	ck_assert(op.stream_doubt == (certain[_i].res == CAS_BUCKET_LOST));
}
END_TEST

static const enum bus_result not_written[] = { BUS_NO_RESPONDERS, BUS_NOT_SENT };

START_TEST(without_a_responder_or_a_connection_nothing_was_written)
{
	expect_send();
	fails(not_written[_i]);
	expect_end(CAS_UNAVAILABLE);
	ck_assert(op.stream_doubt == (not_written[_i] == BUS_NO_RESPONDERS));
}
END_TEST

/* ---- rows that do not know ---- */

/* Each leaves the outcome open, and is followed by a leader read. */
static void
become_unsure(int how)
{
	expect_send();
	switch (how) {
	case 0:
		fails(BUS_TIMEOUT);
		break;
	case 1:
		says("{\"stream\":\"KV_b\", \"seq\":8,\"duplicate\": true}");
		break;
	case 2:
		says_error(10164, "wrong last sequence");
		break;
	case 3:
		says_error(10158, "duplicate message id is in process");
		break;
	case 4:
		says_error(19999, "of a server to come");
		break;
	default:
		says("no JSON");
		break;
	}
	expect_read();
}
#define UNSURE	6

/* The read finds our first attempt: it has won. */
static void
shows_ours(uint64_t revision)
{
	char nonce[64];

	(void)snprintf(nonce, sizeof(nonce), "%s.1", op.nonce);
	shows(revision, nonce, NULL);
	expect_end(CAS_OK);
	ck_assert_uint_eq(op.revision, revision);
}

START_TEST(unsure_and_our_nonce_is_there_has_won)
{
	become_unsure(_i);
	shows_ours(9);
}
END_TEST

START_TEST(unsure_and_a_higher_sequence_of_others_has_lost)
{
	become_unsure(_i);
	shows(9, "somebody.1", NULL);
	expect_end(CAS_LOST);
}
END_TEST

START_TEST(unsure_and_the_expected_sequence_still_is_sent_again)
{
	become_unsure(_i);
	shows(7, "somebody.1", NULL);
	expect_send();
	ck_assert_str_eq(header("Nats-Expected-Last-Subject-Sequence"), "7");
	says("{\"stream\":\"KV_b\", \"seq\":8}");
	expect_end(CAS_OK);
}
END_TEST

START_TEST(unsure_and_a_lower_sequence_is_read_again)
{
	become_unsure(_i);
	shows(6, "somebody.1", NULL);
	expect_read();
	shows_nothing();
	expect_read();
	shows(8, "somebody.1", NULL);
	expect_end(CAS_LOST);
}
END_TEST

/* For that long every read shows the old revision and every other attempt is lost as well. */
START_TEST(an_attempt_that_lands_half_a_minute_after_its_timeout_is_known_by_its_nonce)
{
	kv_op_deinit(&op);
	ck_assert(kv_op_write(&op, "b", "k", false, NULL, 0, "v", 1, 7, now_ms, 60000, &mark));
	expect_send();
	fails(BUS_TIMEOUT);
	for (uint64_t end = now_ms + 30000; now_ms < end; now_ms += op.attempt_ms) {
		expect_read();
		shows(7, "somebody.1", NULL);
		expect_send();
		if (_i == 0)
			fails(BUS_TIMEOUT);
		else
			says("{\"stream\":\"KV_b\", \"seq\":0,\"duplicate\": true}");
	}
	ck_assert_uint_gt(op.attempts, 10);
	expect_read();
	shows_ours(8);
}
END_TEST

START_TEST(a_sequence_below_the_expected_is_a_doubt_about_the_stream)
{
	become_unsure(_i);
	ck_assert(!op.stream_doubt);
	shows(6, "somebody.1", NULL);
	ck_assert(op.stream_doubt && op.is_behind);
	expect_read();
	shows(7, "somebody.1", NULL);
	ck_assert(!op.is_behind);
}
END_TEST

START_TEST(in_a_store_that_went_back_a_write_waits_for_no_lost_sequence)
{
	expect_send();
	says_error(10071, "wrong last sequence: 3");
	kv_op_give_up(&op);			/* nothing was read: it goes on */
	expect_read();
	shows(3, "somebody.1", NULL);
	kv_op_give_up(&op);
	expect_end(CAS_UNAVAILABLE);
}
END_TEST

START_TEST(what_may_have_landed_stays_unknown_when_the_store_went_back)
{
	become_unsure(_i);
	shows(3, "somebody.1", NULL);
	kv_op_give_up(&op);
	expect_end(CAS_UNKNOWN);
}
END_TEST

START_TEST(unsure_to_the_deadline_is_unknown)
{
	uint64_t end = now_ms + TIMEOUT_MS;

	become_unsure(_i);
	while (op.task.next(&op.task, now_ms, &request, &(uint64_t){ 0 }) != KV_END) {
		now_ms += 10;
		fails(BUS_TIMEOUT);
	}
	ck_assert_int_eq(op.res, CAS_UNKNOWN);
	ck_assert_uint_ge(now_ms, end);
}
END_TEST

START_TEST(a_refusal_after_a_timeout_does_not_hide_that_it_may_have_landed)
{
	static const char *const text[] = {
		"{\"error\":{\"code\":503,\"err_code\":10077,\"description\":\"no space\"}}",
		"{\"error\":{\"code\":503,\"err_code\":10008,\"description\":\"no leader\"}}",
	};
	char nonce[64];

	become_unsure(0);
	shows(7, NULL, NULL);
	expect_send();
	says(text[_i]);
	expect_read();
	(void)snprintf(nonce, sizeof(nonce), "%s.1", op.nonce);
	shows(8, nonce, NULL);		/* the first attempt */
	expect_end(CAS_OK);
	ck_assert_uint_eq(op.revision, 8);
}
END_TEST

START_TEST(error_10071_after_a_timeout_may_name_our_own_write)
{
	become_unsure(0);
	shows(7, NULL, NULL);
	expect_send();
	says_error(10071, "wrong last sequence: 8");
	expect_read();
	shows_ours(8);
}
END_TEST

START_TEST(error_10071_after_a_timeout_may_name_anothers_write)
{
	become_unsure(0);
	shows(7, NULL, NULL);
	expect_send();
	says_error(10071, "wrong last sequence: 8");
	expect_read();
	shows(8, "somebody.1", NULL);
	expect_end(CAS_LOST);
}
END_TEST

static const char *const vague[] = {
	"wrong last sequence", "wrong last sequence: ", "wrong last sequence: 7",
	"wrong last sequence: 3", "wrong last sequence: 8x",
	"wrong last sequence: 99999999999999999999999",
};

START_TEST(error_10071_that_names_no_higher_sequence_is_read_up_on)
{
	expect_send();
	says_error(10071, vague[_i]);
	expect_read();
	shows(8, "somebody.1", NULL);
	expect_end(CAS_LOST);
}
END_TEST

START_TEST(a_write_that_was_only_ever_rejected_is_not_unknown_at_the_deadline)
{
	expect_send();
	says_error(10071, "wrong last sequence: 3");
	expect_read();
	while (op.task.next(&op.task, now_ms, &request, &(uint64_t){ 0 }) != KV_END) {
		now_ms += 50;
		shows(3, NULL, NULL);
	}
	ck_assert_int_eq(op.res, CAS_UNAVAILABLE);
}
END_TEST

START_TEST(a_nonce_that_only_begins_like_ours_is_not_ours)
{
	char nonce[64];

	become_unsure(0);
	(void)snprintf(nonce, sizeof(nonce), "%sx.1", op.nonce);
	shows(9, nonce, NULL);
	expect_end(CAS_LOST);
}
END_TEST

START_TEST(a_marker_above_the_expectation_has_lost_too)
{
	become_unsure(0);
	shows(9, NULL, "DEL");
	expect_end(CAS_LOST);
}
END_TEST

START_TEST(a_duplicate_is_tried_until_the_deadline)
{
	unsigned sends = 0;

	while (next() != KV_END) {
		if (strcmp(request.ask.subject, "$KV.b.k") == 0) {
			sends++;
			says("{\"stream\":\"KV_b\", \"seq\":8,\"duplicate\": true}");
		} else {
			shows(7, NULL, NULL);
		}
		now_ms++;
	}
	ck_assert_uint_gt(sends, 4);
	ck_assert_uint_lt(sends, 40);		/* with growing pauses */
	ck_assert_int_eq(op.res, CAS_UNKNOWN);
}
END_TEST

START_TEST(one_attempt_never_outlasts_the_call)
{
	expect_send();
	ck_assert_uint_eq(request.ask.timeout_ms, TIMEOUT_MS / 4);
	now_ms += TIMEOUT_MS - 10;
	fails(BUS_TIMEOUT);
	expect_read();
	ck_assert_uint_eq(request.ask.timeout_ms, 10);
}
END_TEST

/* ---- at 0 ---- */

static void
at_zero(void)
{
	kv_op_deinit(&op);
	ck_assert(kv_op_write(&op, "b", "k", false, NULL, 0, "v", 1, 0, now_ms, TIMEOUT_MS, &mark));
}

START_TEST(zero_is_tried_only_after_a_read_showed_no_message)
{
	at_zero();
	expect_read();
	shows_nothing();
	expect_send();
	ck_assert_str_eq(header("Nats-Expected-Last-Subject-Sequence"), "0");
	ck_assert_str_eq(header("Nats-Msg-Id"), "k@0");
	says("{\"stream\":\"KV_b\", \"seq\":12}");
	expect_end(CAS_OK);
}
END_TEST

START_TEST(zero_over_a_value_or_a_marker_has_lost_without_a_write)
{
	at_zero();
	expect_read();
	shows(5, NULL, _i ? "DEL" : NULL);
	expect_end(CAS_LOST);
	ck_assert_uint_eq(op.attempts, 0);
}
END_TEST

START_TEST(zero_with_no_answer_to_the_read_is_not_unknown)
{
	at_zero();
	expect_read();
	while (op.task.next(&op.task, now_ms, &request, &(uint64_t){ 0 }) != KV_END) {
		now_ms += 50;
		fails(BUS_TIMEOUT);
	}
	ck_assert_int_eq(op.res, CAS_UNAVAILABLE);
	ck_assert_uint_eq(op.attempts, 0);
}
END_TEST

/* ---- the store went back ---- */

START_TEST(an_acknowledgement_at_or_below_the_mark_of_its_send_went_back)
{
	atomic_store(&mark, 20);
	expect_send();
	says(_i ? "{\"stream\":\"KV_b\", \"seq\":20}" : "{\"stream\":\"KV_b\", \"seq\":19}");
	expect_end(CAS_OK);
	ck_assert(op.went_back);
}
END_TEST

START_TEST(a_mark_that_rose_after_the_send_proves_nothing)
{
	expect_send();
	atomic_store(&mark, 20);
	says("{\"stream\":\"KV_b\", \"seq\":8}");
	expect_end(CAS_OK);
	ck_assert(!op.went_back);
}
END_TEST

START_TEST(a_duplicate_below_the_mark_proves_nothing)
{
	char nonce[64];

	atomic_store(&mark, 20);
	become_unsure(1);
	(void)snprintf(nonce, sizeof(nonce), "%s.1", op.nonce);
	shows(8, nonce, NULL);
	expect_end(CAS_OK);
	ck_assert(!op.went_back);
}
END_TEST

/* ---- loads ---- */

static void
a_load(void)
{
	kv_op_deinit(&op);
	ck_assert(kv_op_load(&op, "b", "k", now_ms, TIMEOUT_MS));
	expect_read();
	ck_assert_str_eq(request.ask.data, "{\"last_by_subj\":\"$KV.b.k\"}");
}

START_TEST(a_load_gives_value_revision_and_time)
{
	a_load();
	shows(9, NULL, NULL);
	expect_end(CAS_OK);
	ck_assert_uint_eq(op.message.seq, 9);
	ck_assert_str_eq(op.message.value, "hello");
	ck_assert_uint_eq(op.message.len, 5);
	ck_assert_uint_eq(op.message.wall_ms, 1793322123500u);
	ck_assert_uint_eq(op.seen, 9);
}
END_TEST

static const char *const markers[] = { "DEL", "PURGE" };

START_TEST(a_load_of_a_marker_is_not_found_at_its_sequence)
{
	a_load();
	shows(9, NULL, markers[_i]);
	expect_end(CAS_NOT_FOUND);
	ck_assert_uint_eq(op.message.seq, 9);
	ck_assert(op.message.is_marker);
}
END_TEST

START_TEST(a_load_of_a_key_without_a_message_is_not_found_at_0_66)
{
	a_load();
	shows_nothing();
	expect_end(CAS_NOT_FOUND);
	ck_assert_uint_eq(op.message.seq, 0);
}
END_TEST

START_TEST(a_load_goes_on_past_silence_and_a_missing_leader)
{
	a_load();
	fails(BUS_TIMEOUT);
	expect_read();
	says_error(10008, "no leader");
	expect_read();
	fails(BUS_NO_RESPONDERS);
	expect_read();
	shows(9, NULL, NULL);
	expect_end(CAS_OK);
}
END_TEST

START_TEST(a_load_without_a_connection_fails_at_once_69)
{
	a_load();
	fails(BUS_NOT_SENT);
	expect_end(CAS_UNAVAILABLE);
}
END_TEST

START_TEST(a_load_of_a_missing_stream_says_so)
{
	a_load();
	says_error(10059, "stream not found");
	expect_end(CAS_BUCKET_LOST);
	ck_assert(op.stream_doubt);
}
END_TEST

START_TEST(a_load_without_any_answer_is_unavailable_at_the_deadline_69)
{
	a_load();
	while (op.task.next(&op.task, now_ms, &request, &(uint64_t){ 0 }) != KV_END) {
		now_ms += 50;
		fails(BUS_NO_RESPONDERS);
	}
	ck_assert_int_eq(op.res, CAS_UNAVAILABLE);
}
END_TEST

START_TEST(a_message_of_another_subject_is_no_answer)
{
	a_load();
	says("{\"message\":{\"subject\":\"$KV.b.other\",\"seq\":9,\"data\":\"aGVsbG8=\"}}");
	expect_read();
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("kv_op");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_write_carries_its_expectation_its_stream_its_id_and_a_nonce);
	tcase_add_test(tc, every_attempt_has_another_nonce_and_the_same_id);
	tcase_add_test(tc, a_removal_is_an_empty_message_that_says_so);
	tcase_add_test(tc, the_callers_headers_are_added);
	tcase_add_test(tc, an_acknowledgement_that_is_no_duplicate_has_won);
	tcase_add_test(tc, error_10071_with_a_higher_sequence_has_lost);
	tcase_add_loop_test(tc, a_code_that_says_nothing_was_written_ends_the_write, 0,
	    ARRAY_LEN(certain));
	tcase_add_loop_test(tc, without_a_responder_or_a_connection_nothing_was_written, 0,
	    ARRAY_LEN(not_written));
	tcase_add_loop_test(tc, unsure_and_our_nonce_is_there_has_won, 0, UNSURE);
	tcase_add_loop_test(tc, unsure_and_a_higher_sequence_of_others_has_lost, 0, UNSURE);
	tcase_add_loop_test(tc, unsure_and_the_expected_sequence_still_is_sent_again, 0, UNSURE);
	tcase_add_loop_test(tc, unsure_and_a_lower_sequence_is_read_again, 0, UNSURE);
	tcase_add_loop_test(tc, an_attempt_that_lands_half_a_minute_after_its_timeout_is_known_by_its_nonce,
	    0, 2);
	tcase_add_loop_test(tc, a_sequence_below_the_expected_is_a_doubt_about_the_stream, 0, UNSURE);
	tcase_add_test(tc, in_a_store_that_went_back_a_write_waits_for_no_lost_sequence);
	tcase_add_loop_test(tc, what_may_have_landed_stays_unknown_when_the_store_went_back, 0, UNSURE);
	tcase_add_loop_test(tc, unsure_to_the_deadline_is_unknown, 0, UNSURE);
	tcase_add_loop_test(tc, a_refusal_after_a_timeout_does_not_hide_that_it_may_have_landed, 0,
	    2);
	tcase_add_test(tc, error_10071_after_a_timeout_may_name_our_own_write);
	tcase_add_test(tc, error_10071_after_a_timeout_may_name_anothers_write);
	tcase_add_loop_test(tc, error_10071_that_names_no_higher_sequence_is_read_up_on, 0,
	    ARRAY_LEN(vague));
	tcase_add_test(tc, a_write_that_was_only_ever_rejected_is_not_unknown_at_the_deadline);
	tcase_add_test(tc, a_nonce_that_only_begins_like_ours_is_not_ours);
	tcase_add_test(tc, a_marker_above_the_expectation_has_lost_too);
	tcase_add_test(tc, a_duplicate_is_tried_until_the_deadline);
	tcase_add_test(tc, one_attempt_never_outlasts_the_call);
	tcase_add_test(tc, zero_is_tried_only_after_a_read_showed_no_message);
	tcase_add_loop_test(tc, zero_over_a_value_or_a_marker_has_lost_without_a_write, 0, 2);
	tcase_add_test(tc, zero_with_no_answer_to_the_read_is_not_unknown);
	tcase_add_loop_test(tc, an_acknowledgement_at_or_below_the_mark_of_its_send_went_back, 0, 2);
	tcase_add_test(tc, a_mark_that_rose_after_the_send_proves_nothing);
	tcase_add_test(tc, a_duplicate_below_the_mark_proves_nothing);
	tcase_add_test(tc, a_load_gives_value_revision_and_time);
	tcase_add_loop_test(tc, a_load_of_a_marker_is_not_found_at_its_sequence, 0,
	    ARRAY_LEN(markers));
	tcase_add_test(tc, a_load_of_a_key_without_a_message_is_not_found_at_0_66);
	tcase_add_test(tc, a_load_goes_on_past_silence_and_a_missing_leader);
	tcase_add_test(tc, a_load_without_a_connection_fails_at_once_69);
	tcase_add_test(tc, a_load_of_a_missing_stream_says_so);
	tcase_add_test(tc, a_load_without_any_answer_is_unavailable_at_the_deadline_69);
	tcase_add_test(tc, a_message_of_another_subject_is_no_answer);
	return unit_run("kv_op", tc);
}
