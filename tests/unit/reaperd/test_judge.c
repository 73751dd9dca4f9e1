/* The judges: a table per class, one row per way to keep or to reap. */
#include "reaperd/judge.h"

#include <check.h>
#include <stdlib.h>

#include "common/cleanup.h"

#define HOUR_MS	3600000u
#define NOW_MS	(100ull * HOUR_MS)

static const struct instance_facts gone = { KNOWN_PRESENT, true, NOW_MS - HOUR_MS, false, false, true };
static const struct instance_facts alive = { .known = KNOWN_PRESENT };
static const struct instance_facts erased = { .known = KNOWN_MARKER };
static const struct instance_facts never = { .known = KNOWN_NO_MESSAGE };
static const struct instance_facts garbled = { .known = KNOWN_UNREADABLE };

static const struct judge_time now = { NOW_MS, UINT64_MAX };

static const struct {
	struct instance_facts	 i;
	enum verdict		 want;
} instance_rows[] = {
	{ { KNOWN_PRESENT, true, NOW_MS - HOUR_MS, false, false, true }, REAP_NOW },
	{ { KNOWN_PRESENT, true, NOW_MS - HOUR_MS + 1, false, false, false }, KEEP_YOUNG },
	{ { KNOWN_PRESENT, true, NOW_MS + 1, false, false, false }, KEEP_YOUNG },
	{ { KNOWN_PRESENT, true, 0, false, false, false }, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, true, NOW_MS - HOUR_MS, true, false, false }, KEEP_DEPENDENT },
	{ { KNOWN_PRESENT, false, 0, false, false, false }, KEEP_IN_USE },
	{ { KNOWN_UNREADABLE, true, NOW_MS - HOUR_MS, false, false, false }, KEEP_UNKNOWN },
	{ { KNOWN_NO_MESSAGE, true, NOW_MS - HOUR_MS, false, false, false }, KEEP_UNKNOWN },
	{ { KNOWN_MARKER, true, NOW_MS - HOUR_MS, false, false, false }, KEEP_UNKNOWN },
};

START_TEST(a_terminated_record_goes_after_its_hour_and_only_when_torn_down)
{
	ck_assert_int_eq(judge_instance(&instance_rows[_i].i, &now, HOUR_MS).verdict,
	    instance_rows[_i].want);
}
END_TEST

static const struct {
	struct store_facts		 s;
	const struct instance_facts	*i;
	enum verdict			 want;
} store_rows[] = {
	{ { KNOWN_PRESENT, true }, &alive, REAP_NOW },		/* deleting is final */
	{ { KNOWN_PRESENT, true }, &garbled, REAP_NOW },
	{ { KNOWN_PRESENT, false }, &gone, REAP_MARK },
	{ { KNOWN_PRESENT, false }, &erased, REAP_MARK },
	{ { KNOWN_PRESENT, false }, &alive, KEEP_IN_USE },
	{ { KNOWN_PRESENT, false }, &never, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, false }, &garbled, KEEP_UNKNOWN },
	{ { KNOWN_UNREADABLE, false }, &gone, KEEP_UNKNOWN },
	{ { KNOWN_UNREADABLE, true }, &gone, KEEP_UNKNOWN },
};

START_TEST(a_store_goes_when_it_says_deleting_or_its_instance_is_provably_gone)
{
	ck_assert_int_eq(judge_store(&store_rows[_i].s, store_rows[_i].i).verdict,
	    store_rows[_i].want);
}
END_TEST

static const struct {
	struct store_facts	 s;
	uint64_t		 written_ms;
	enum verdict		 want;
} object_rows[] = {
	{ { .known = KNOWN_MARKER }, NOW_MS - HOUR_MS - 1, REAP_NOW },
	{ { .known = KNOWN_MARKER }, NOW_MS - HOUR_MS, KEEP_YOUNG },
	{ { .known = KNOWN_MARKER }, NOW_MS + 1, KEEP_YOUNG },
	{ { .known = KNOWN_MARKER }, 0, KEEP_UNKNOWN },
	{ { .known = KNOWN_NO_MESSAGE }, 1, KEEP_UNKNOWN },
	{ { .known = KNOWN_UNREADABLE }, 1, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, true }, 1, KEEP_DEPENDENT },
	{ { KNOWN_PRESENT, false }, 1, KEEP_IN_USE },
};

START_TEST(an_object_goes_when_a_marker_proves_that_its_store_is_gone)
{
	ck_assert_int_eq(judge_object(&object_rows[_i].s, object_rows[_i].written_ms, &now,
	    HOUR_MS).verdict, object_rows[_i].want);
}
END_TEST

static const struct {
	struct claim_facts	 c;
	struct store_facts	 s;
	enum verdict		 want;
} claim_rows[] = {
	{ { KNOWN_PRESENT, true, false, false }, { .known = KNOWN_MARKER }, REAP_NOW },
	{ { KNOWN_PRESENT, true, true, false }, { .known = KNOWN_MARKER }, KEEP_IN_USE },
	{ { KNOWN_PRESENT, false, false, false }, { .known = KNOWN_MARKER }, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, true, false, false }, { .known = KNOWN_NO_MESSAGE }, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, true, false, false }, { KNOWN_PRESENT, false }, KEEP_IN_USE },
	{ { KNOWN_PRESENT, true, false, false }, { KNOWN_PRESENT, true }, KEEP_DEPENDENT },
	{ { KNOWN_UNREADABLE, true, false, false }, { .known = KNOWN_MARKER }, KEEP_UNKNOWN },
	{ { KNOWN_PRESENT, .holder_buried = true }, { .known = KNOWN_MARKER }, REAP_NOW },
	{ { KNOWN_PRESENT, .holder_buried = true }, { KNOWN_PRESENT, false }, KEEP_IN_USE },
	{ { KNOWN_PRESENT, .holder_buried = true }, { .known = KNOWN_NO_MESSAGE }, KEEP_UNKNOWN },
};

#define OLD_MS	(NOW_MS - HOUR_MS - 1)

static const struct {
	struct image_facts	 i;
	uint64_t		 written_ms;
	enum verdict		 want;
} image_rows[] = {
	{ { KNOWN_PRESENT, .names_it = true },		OLD_MS,			KEEP_IN_USE },
	{ { KNOWN_PRESENT, .names_it = false },		OLD_MS,			REAP_NOW },
	{ { KNOWN_PRESENT, .names_it = false },		NOW_MS - HOUR_MS,	KEEP_YOUNG },
	{ { .known = KNOWN_MARKER },			OLD_MS,			REAP_NOW },
	{ { .known = KNOWN_MARKER },			0,			KEEP_UNKNOWN },
	{ { .known = KNOWN_UNREADABLE },		OLD_MS,			KEEP_UNKNOWN },
	{ { KNOWN_NO_MESSAGE, .has_account = true },	OLD_MS,			REAP_NOW },
	{ { KNOWN_NO_MESSAGE, .has_account = true },	NOW_MS - HOUR_MS,	KEEP_YOUNG },
	{ { KNOWN_NO_MESSAGE, .has_account = false },	OLD_MS,			KEEP_UNKNOWN },
	{ { KNOWN_NO_MESSAGE, .has_account = true },	0,			KEEP_UNKNOWN },
};

START_TEST(an_images_object_goes_when_no_record_names_it_and_none_can_come)
{
	const struct image_facts *i = &image_rows[_i].i;
	const struct judge_time stepped = { now.wall_ms, HOUR_MS };
	struct judgement j = judge_image(i, image_rows[_i].written_ms, &now, HOUR_MS);

	ck_assert_int_eq(j.verdict, image_rows[_i].want);
	ck_assert_ptr_nonnull(j.reason);
	if (j.verdict == REAP_NOW)
		ck_assert_int_eq(judge_image(i, image_rows[_i].written_ms, &stepped, HOUR_MS).verdict,
		    KEEP_UNKNOWN);
}
END_TEST

#define VOLUME(...)	{ .known = KNOWN_PRESENT, .limit_ms = HOUR_MS, __VA_ARGS__ }
#define HAD(listed, ms)	VOLUME(.is_somebodys = true, .is_listed = (listed), .seen_ms = (ms))

static const struct {
	struct volume_facts	 v;
	struct instance_facts	 i;
	enum verdict		 want;
} volume_rows[] = {
	{ { .known = KNOWN_UNREADABLE },	{ .known = KNOWN_MARKER },	KEEP_UNKNOWN },
	{ VOLUME(.seen_ms = HOUR_MS),		{ .known = KNOWN_NO_MESSAGE },	KEEP_IN_USE },
	{ VOLUME(.is_deleting = true),		{ .known = KNOWN_NO_MESSAGE },	KEEP_YOUNG },
	{ VOLUME(.is_deleting = true, .seen_ms = HOUR_MS), { .known = KNOWN_NO_MESSAGE },
	    KEEP_REPORT },
	{ HAD(true, HOUR_MS),		{ .known = KNOWN_PRESENT },		KEEP_IN_USE },
	{ HAD(false, HOUR_MS - 1),	{ .known = KNOWN_PRESENT },		KEEP_YOUNG },
	{ HAD(false, HOUR_MS),		{ .known = KNOWN_PRESENT },		KEEP_REPORT },
	{ HAD(true, HOUR_MS),		{ KNOWN_PRESENT, .is_terminated = true }, KEEP_REPORT },
	{ HAD(true, HOUR_MS),		{ KNOWN_PRESENT, .is_terminated = true, .has_pending = true },
	    KEEP_DEPENDENT },
	{ HAD(false, HOUR_MS - 1),	{ .known = KNOWN_MARKER },		KEEP_YOUNG },
	{ HAD(false, HOUR_MS),		{ .known = KNOWN_MARKER },		KEEP_REPORT },
	{ HAD(false, HOUR_MS),		{ .known = KNOWN_NO_MESSAGE },		KEEP_UNKNOWN },
	{ HAD(false, HOUR_MS),		{ .known = KNOWN_UNREADABLE },		KEEP_UNKNOWN },
};

START_TEST(a_volume_is_reported_when_it_waits_for_too_long_and_never_goes)
{
	struct judgement j = judge_volume(&volume_rows[_i].v, &volume_rows[_i].i);

	ck_assert_int_eq(j.verdict, volume_rows[_i].want);
	ck_assert_ptr_nonnull(j.reason);
}
END_TEST

static const struct {
	enum doubt	 doubt;
	const char	*reason;
} doubt_rows[] = {
	{ DOUBT_CLOCK,	 "it may go, but this node's clock is not to be believed" },
	{ DOUBT_NO_NODE, "it may go, but no node is known" },
	{ DOUBT_SILENT,	 "it may go, but a known node does not answer" },
	{ DOUBT_UNREAD,	 "it may go, but a record cannot be read" },
};

START_TEST(a_doubt_keeps_what_would_go_and_changes_no_other_verdict)
{
	for (enum verdict v = KEEP_IN_USE; v <= REAP_NOW; v++) {
		const struct judgement j = { v, "so" };
		struct judgement kept = judge_doubt(j, doubt_rows[_i].doubt);

		ck_assert_int_eq(judge_doubt(j, DOUBT_NONE).verdict, v);
		ck_assert_int_eq(kept.verdict, verdict_is_reap(v) ? KEEP_UNKNOWN : v);
		ck_assert_str_eq(kept.reason, verdict_is_reap(v) ? doubt_rows[_i].reason : "so");
	}
}
END_TEST

START_TEST(an_age_counts_only_if_the_clock_was_steady_for_as_long)
{
	static const struct store_facts deleted = { .known = KNOWN_MARKER };
	struct judge_time t = { NOW_MS + 1, HOUR_MS - 1 };

	ck_assert_int_eq(judge_instance(&gone, &t, HOUR_MS).verdict, KEEP_UNKNOWN);
	ck_assert_int_eq(judge_object(&deleted, NOW_MS - HOUR_MS, &t, HOUR_MS).verdict, KEEP_UNKNOWN);
	t.steady_ms = HOUR_MS + 1;
	ck_assert_int_eq(judge_instance(&gone, &t, HOUR_MS).verdict, REAP_NOW);
	ck_assert_int_eq(judge_object(&deleted, NOW_MS - HOUR_MS, &t, HOUR_MS).verdict, REAP_NOW);
}
END_TEST

/* Seen for as long as the limit, asked already, and its node answers that it has it. */
#define LATE	{ HOUR_MS, HOUR_MS, true, true, true }

static const struct {
	struct instance_facts	 i;
	struct node_facts	 n;
	enum verdict		 want;
} teardown_rows[] = {
	{ { KNOWN_PRESENT, .is_ending = true }, LATE, KEEP_REPORT },
	{ { KNOWN_PRESENT, .is_ending = true }, { HOUR_MS - 1, HOUR_MS, true, true, true },
	    KEEP_YOUNG },
	{ { KNOWN_PRESENT, .is_ending = true }, { HOUR_MS, HOUR_MS, false, true, true }, KEEP_ASK },
	{ { KNOWN_PRESENT, .is_ending = true }, { HOUR_MS, HOUR_MS, false, false, false }, KEEP_ASK },
	{ { KNOWN_PRESENT, .is_ending = true }, { HOUR_MS, HOUR_MS, true, false, false },
	    KEEP_REPORT },
	{ { KNOWN_PRESENT, .is_ending = true }, { HOUR_MS, HOUR_MS, true, true, false },
	    KEEP_REPORT },
	{ { KNOWN_PRESENT, .is_terminated = true, .has_pending = true }, LATE, KEEP_REPORT },
	{ { KNOWN_PRESENT, .is_terminated = true, .has_pending = true },
	    { 0, HOUR_MS, true, true, true }, KEEP_YOUNG },
	{ { KNOWN_PRESENT, .is_terminated = true }, LATE, KEEP_IN_USE },
	{ { .known = KNOWN_PRESENT }, LATE, KEEP_IN_USE },
	{ { KNOWN_UNREADABLE, .is_ending = true }, LATE, KEEP_UNKNOWN },
};

START_TEST(an_end_that_takes_too_long_is_asked_for_and_then_reported_and_nothing_goes)
{
	struct judgement j = judge_teardown(&teardown_rows[_i].i, &teardown_rows[_i].n);

	ck_assert_int_eq(j.verdict, teardown_rows[_i].want);
	ck_assert(!verdict_is_reap(j.verdict));
}
END_TEST

START_TEST(a_report_says_whether_the_node_answered)
{
	static const struct instance_facts ending = { KNOWN_PRESENT, .is_ending = true };
	struct node_facts n = LATE;

	n.has_it = false;
	ck_assert_str_eq(judge_teardown(&ending, &n).reason,
	    "it takes too long, and its node does not know of it");
	n.answered = false;
	ck_assert_str_eq(judge_teardown(&ending, &n).reason,
	    "it takes too long, and its node does not answer");
}
END_TEST

static const struct {
	struct instance_facts	 i;
	bool			 names_node;
	uint64_t		 seen_ms;
	bool			 was_asked;
	enum verdict		 want;
} guest_rows[] = {
	{ { .known = KNOWN_PRESENT }, true, HOUR_MS, true, KEEP_IN_USE },
	{ { KNOWN_PRESENT, .is_ending = true }, true, HOUR_MS, true, KEEP_IN_USE },
	{ { KNOWN_PRESENT, .is_terminated = true }, true, 0, false, KEEP_YOUNG },
	{ { KNOWN_PRESENT, .is_terminated = true }, true, HOUR_MS, false, KEEP_ASK },
	{ { KNOWN_PRESENT, .is_terminated = true }, true, HOUR_MS, true, KEEP_REPORT },
	{ { .known = KNOWN_PRESENT }, false, 0, false, KEEP_YOUNG },
	{ { .known = KNOWN_PRESENT }, false, HOUR_MS, false, KEEP_ASK },
	{ { .known = KNOWN_MARKER }, false, 0, false, KEEP_YOUNG },
	{ { .known = KNOWN_MARKER }, false, HOUR_MS, true, KEEP_REPORT },
	{ { .known = KNOWN_NO_MESSAGE }, false, HOUR_MS, true, KEEP_UNKNOWN },
	{ { .known = KNOWN_UNREADABLE }, true, HOUR_MS, true, KEEP_UNKNOWN },
};

START_TEST(a_guest_without_a_right_to_run_is_its_nodes_to_end_and_is_reported_when_it_stays)
{
	struct node_facts n = { guest_rows[_i].seen_ms, HOUR_MS, guest_rows[_i].was_asked, true, true };
	struct judgement j = judge_guest(&guest_rows[_i].i, guest_rows[_i].names_node, &n);

	ck_assert_int_eq(j.verdict, guest_rows[_i].want);
	ck_assert(!verdict_is_reap(j.verdict));
}
END_TEST

static const struct {
	enum known		 known;
	struct instance_facts	 i;
	enum verdict		 want;
} address_rows[] = {
	{ KNOWN_PRESENT, { .known = KNOWN_MARKER }, REAP_NOW },
	{ KNOWN_PRESENT, { KNOWN_PRESENT, .is_terminated = true, .freed_address = true }, REAP_NOW },
	{ KNOWN_PRESENT, { KNOWN_PRESENT, .is_terminated = true }, KEEP_DEPENDENT },
	{ KNOWN_PRESENT, { KNOWN_PRESENT, .freed_address = true }, KEEP_IN_USE },
	{ KNOWN_PRESENT, { KNOWN_PRESENT, .is_ending = true }, KEEP_IN_USE },
	{ KNOWN_PRESENT, { .known = KNOWN_NO_MESSAGE }, KEEP_UNKNOWN },
	{ KNOWN_PRESENT, { .known = KNOWN_UNREADABLE }, KEEP_UNKNOWN },
	{ KNOWN_UNREADABLE, { .known = KNOWN_MARKER }, KEEP_UNKNOWN },
	{ KNOWN_MARKER, { .known = KNOWN_MARKER }, KEEP_UNKNOWN },
};

START_TEST(an_address_goes_when_its_instance_is_provably_gone)
{
	ck_assert_int_eq(judge_address(address_rows[_i].known, &address_rows[_i].i).verdict,
	    address_rows[_i].want);
}
END_TEST

static const struct {
	enum cluster_record	 r;
	enum verdict		 want;
	const char		*reason;
} control_rows[] = {
	{ CLUSTER_PRESENT, KEEP_IN_USE, "its cluster has a record" },
	{ CLUSTER_NO_BUCKET, KEEP_REPORT, "account bucket missing" },
	{ CLUSTER_NO_RECORD, KEEP_REPORT, "cluster record missing" },
	{ CLUSTER_BUCKET_UNREAD, KEEP_UNKNOWN, "account bucket lookup failed" },
	{ CLUSTER_RECORD_UNREAD, KEEP_UNKNOWN, "cluster record read failed" },
};

START_TEST(a_control_plane_is_never_reaped)
{
	struct judgement j = judge_control_plane(control_rows[_i].r);

	ck_assert_int_eq(j.verdict, control_rows[_i].want);
	ck_assert_str_eq(j.reason, control_rows[_i].reason);
	ck_assert(!verdict_is_reap(j.verdict));
}
END_TEST

START_TEST(an_obsolete_bucket_goes_once_it_is_seen)
{
	ck_assert_int_eq(judge_bucket(KNOWN_PRESENT).verdict, REAP_NOW);
	ck_assert_int_eq(judge_bucket(KNOWN_UNREADABLE).verdict, KEEP_UNKNOWN);
	ck_assert_int_eq(judge_bucket(KNOWN_NO_MESSAGE).verdict, KEEP_UNKNOWN);
}
END_TEST

START_TEST(a_claim_goes_when_its_store_is_gone_and_its_holder_says_no_guest_has_it)
{
	ck_assert_int_eq(judge_claim(&claim_rows[_i].c, &claim_rows[_i].s).verdict,
	    claim_rows[_i].want);
}
END_TEST

START_TEST(a_sweep_takes_at_most_five_or_one_percent)
{
	ck_assert_uint_eq(reap_ceiling(0), 5);
	ck_assert_uint_eq(reap_ceiling(599), 5);
	ck_assert_uint_eq(reap_ceiling(600), 6);
	ck_assert_uint_eq(reap_ceiling(10000), 100);
}
END_TEST

START_TEST(class_names_round_trip)
{
	enum reap_class c, back;

	for (c = 0; c < REAP_CLASSES; c++) {
		ck_assert_int_eq(reap_class_from_name(reap_class_name(c), &back), 0);
		ck_assert_int_eq(back, c);
	}
	ck_assert_int_lt(reap_class_from_name("uefi", &back), 0);
}
END_TEST

#define ROWS(a)	((int)(sizeof(a) / sizeof((a)[0])))

int
main(void)
{
	Suite *s = suite_create("judge");
	TCase *t = tcase_create("rules");
	SRunner *r = srunner_create(s);

	suite_add_tcase(s, t);
	tcase_add_loop_test(t, a_terminated_record_goes_after_its_hour_and_only_when_torn_down, 0,
	    ROWS(instance_rows));
	tcase_add_loop_test(t, a_store_goes_when_it_says_deleting_or_its_instance_is_provably_gone,
	    0, ROWS(store_rows));
	tcase_add_loop_test(t, an_object_goes_when_a_marker_proves_that_its_store_is_gone, 0,
	    ROWS(object_rows));
	tcase_add_loop_test(t,
	    a_claim_goes_when_its_store_is_gone_and_its_holder_says_no_guest_has_it, 0,
	    ROWS(claim_rows));
	tcase_add_test(t, an_age_counts_only_if_the_clock_was_steady_for_as_long);
	tcase_add_loop_test(t, an_images_object_goes_when_no_record_names_it_and_none_can_come, 0,
	    (int)ARRAY_LEN(image_rows));
	tcase_add_loop_test(t, a_volume_is_reported_when_it_waits_for_too_long_and_never_goes, 0,
	    (int)ARRAY_LEN(volume_rows));
	tcase_add_loop_test(t, a_doubt_keeps_what_would_go_and_changes_no_other_verdict, 0,
	    ARRAY_LEN(doubt_rows));
	tcase_add_loop_test(t,
	    an_end_that_takes_too_long_is_asked_for_and_then_reported_and_nothing_goes, 0,
	    ROWS(teardown_rows));
	tcase_add_test(t, a_report_says_whether_the_node_answered);
	tcase_add_loop_test(t,
	    a_guest_without_a_right_to_run_is_its_nodes_to_end_and_is_reported_when_it_stays, 0,
	    ROWS(guest_rows));
	tcase_add_loop_test(t, an_address_goes_when_its_instance_is_provably_gone, 0,
	    ROWS(address_rows));
	tcase_add_loop_test(t, a_control_plane_is_never_reaped, 0, ROWS(control_rows));
	tcase_add_test(t, an_obsolete_bucket_goes_once_it_is_seen);
	tcase_add_test(t, a_sweep_takes_at_most_five_or_one_percent);
	tcase_add_test(t, class_names_round_trip);
	srunner_run_all(r, CK_ENV);
	int bad = srunner_ntests_failed(r);

	srunner_free(r);
	return bad ? 1 : 0;
}
