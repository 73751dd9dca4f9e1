#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/metrics.h"
#include "gwd/prom.h"
#include "gwd/srv_stats.h"

static char *
printed(const struct metrics *m)
{
	struct buf out = BUF_EMPTY(16 * 1024 * 1024);

	metrics_print(m, &out);
	return buf_take(&out);
}

static void
expect(const char *text, const char *line)
{
	ck_assert_msg(strstr(text, line) != NULL, "%s is not in\n%s", line, text);
}

START_TEST(requests_are_counted_by_action_and_code)
{
	struct metrics *m = metrics_new();

	metrics_count(m, "RunInstances", "", 10);
	metrics_count(m, "DescribeVpcs", "", 10);
	metrics_count(m, "RunInstances", "Unavailable", 10);
	metrics_count(m, "RunInstances", "", 10);
	metrics_count(m, "", "AuthFailure", 10);
	AUTO(str) char *text = printed(m);

	expect(text, "\nspinifex_gwd_requests_total{action=\"RunInstances\",code=\"ok\"} 2\n");
	expect(text, "{action=\"RunInstances\",code=\"Unavailable\"} 1\n");
	expect(text, "{action=\"DescribeVpcs\",code=\"ok\"} 1\n");
	expect(text, "{action=\"none\",code=\"AuthFailure\"} 1\n");
	metrics_free(m);
}
END_TEST

START_TEST(a_histogram_adds_up)
{
	struct metrics *m = metrics_new();

	metrics_count(m, "A", "", 500);			/* a bound is in its bucket */
	metrics_count(m, "A", "X", 501);
	metrics_count(m, "A", "", 2000000);
	metrics_count(m, "A", "", 61000000);		/* above the last */
	AUTO(str) char *text = printed(m);

	expect(text, "_bucket{action=\"A\",le=\"0.0005\"} 1\n");
	expect(text, "_bucket{action=\"A\",le=\"0.001\"} 2\n");
	expect(text, "_bucket{action=\"A\",le=\"1\"} 2\n");
	expect(text, "_bucket{action=\"A\",le=\"2.5\"} 3\n");
	expect(text, "_bucket{action=\"A\",le=\"60\"} 3\n");
	expect(text, "_bucket{action=\"A\",le=\"+Inf\"} 4\n");
	expect(text, "_count{action=\"A\"} 4\n");
	expect(text, "_sum{action=\"A\"} 63.001001\n");
	metrics_free(m);
}
END_TEST

START_TEST(the_number_of_rows_is_bounded)
{
	struct metrics *m = metrics_new();
	char code[32];

	for (int i = 0; i < METRICS_ROWS_MAX + 100; i++) {
		snprintf(code, sizeof(code), "Code%d", i);
		metrics_count(m, "A", code, 1);
	}
	AUTO(str) char *text = printed(m);

	expect(text, "{action=\"other\",code=\"other\"} 100\n");
	expect(text, "_count{action=\"A\"} 4196\n");
	metrics_free(m);
}
END_TEST

START_TEST(labels_are_escaped)
{
	struct buf out = BUF_EMPTY(1024);
	const struct prom_label labels[] = { { "a", "q\"b\\n\n\t" }, { NULL, NULL } };

	prom_sample(&out, "x", "", labels, 1.5);
	prom_sample(&out, "y", "_sum", NULL, 3);
	ck_assert_str_eq(buf_text(&out), "x{a=\"q\\\"b\\\\n\\n?\"} 1.5\ny_sum 3\n");
	buf_deinit(&out);
}
END_TEST

static const char *const answers[] = {
	"{\"name\":\"vmd\",\"metadata\":{\"node\":\"n2\"},\"data\":{\"guests\":3,\"note\":\"x\"}}",
	("{\"name\":\"leased\",\"metadata\":{\"node\":\"n1\"},\"endpoints\":[{\"subject\":\"a.b\","
	"\"num_requests\":7,\"num_errors\":1,\"processing_time\":2000000000}]}"),
	"{\"name\":\"vmd\",\"metadata\":{\"node\":\"n2\"},\"data\":{\"guests\":4}}",
	"{\"name\":5}", "[]", "{\"endpoints\":5,\"data\":[1],\"name\":\"x\",\"metadata\":{\"node\":\"n\"}}",
};

START_TEST(daemons_are_shown_once_each_and_families_together)
{
	cJSON *list[ARRAY_LEN(answers)];
	struct buf out = BUF_EMPTY(65536);
	const char *text, *first;

	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		list[i] = cJSON_Parse(answers[i]);
	srv_stats_print(list, ARRAY_LEN(answers), &out);
	text = buf_text(&out);
	expect(text, "spinifex_daemon_up{daemon=\"leased\",node=\"n1\"} 1\n");
	expect(text, "spinifex_subject_requests_total{daemon=\"leased\",node=\"n1\",subject=\"a.b\"} 7\n");
	expect(text, "spinifex_subject_errors_total{daemon=\"leased\",node=\"n1\",subject=\"a.b\"} 1\n");
	expect(text, "spinifex_subject_seconds_total{daemon=\"leased\",node=\"n1\",subject=\"a.b\"} 2\n");
	first = strstr(text, "spinifex_daemon_up{daemon=\"vmd\",node=\"n2\"} 1\n");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "spinifex_daemon_up{daemon=\"vmd\""));
	expect(text, "stat=\"guests\"} ");
	ck_assert_ptr_null(strstr(text, "note"));
	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		cJSON_Delete(list[i]);		/* each is there still, once */
	buf_deinit(&out);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("metrics");
	TCase *t = tcase_create("metrics");
	SRunner *r = srunner_create(s);

	tcase_add_test(t, requests_are_counted_by_action_and_code);
	tcase_add_test(t, a_histogram_adds_up);
	tcase_add_test(t, the_number_of_rows_is_bounded);
	tcase_add_test(t, labels_are_escaped);
	tcase_add_test(t, daemons_are_shown_once_each_and_families_together);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);

	srunner_free(r);
	return failed != 0;
}
