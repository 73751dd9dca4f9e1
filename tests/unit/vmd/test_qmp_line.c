#include "vmd/qmp_line.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

static struct qmp_reader reader;	/* the fixture */

static void
setup(void)
{
	reader = QMP_READER_INIT(64);
}

static void
teardown(void)
{
	qmp_reader_deinit(&reader);
}

static int
parse(const char *line, struct qmp_message *ret)
{
	char why[JSON_WHY_MAX] = "";
	int r = qmp_message_parse(line, strlen(line), ret, why);

	ck_assert_msg(r == 0 || why[0], "no reason is given");
	return r;
}

static void
feed(const char *text)
{
	ck_assert_int_eq(qmp_reader_feed(&reader, text, strlen(text)), 0);
}

/* The next line is text; NULL: there is none. */
static void
expect_line(const char *text)
{
	const char *line = NULL;
	size_t len = 0;

	ck_assert_int_eq(qmp_reader_next(&reader, &line, &len), text != NULL);
	if (!text)
		return;
	ck_assert_uint_eq(len, strlen(text));
	ck_assert_mem_eq(line, text, len);
}

START_TEST(each_kind_of_message_is_told_apart)
{
	struct qmp_message m;

	ck_assert_int_eq(parse("{\"QMP\": {\"capabilities\": []}}", &m), 0);
	ck_assert_int_eq(m.kind, QMP_GREETING);
	qmp_message_deinit(&m);
	ck_assert_int_eq(parse("{\"return\": {\"status\": \"running\"}, \"id\": 7}", &m), 0);
	ck_assert_int_eq(m.kind, QMP_RETURN);
	ck_assert(m.has_id);
	ck_assert_uint_eq(m.id, 7);
	ck_assert_str_eq(json_text(m.body, "status"), "running");
	qmp_message_deinit(&m);
	ck_assert_int_eq(parse("{\"event\": \"STOP\", \"timestamp\": {}}", &m), 0);
	ck_assert_int_eq(m.kind, QMP_EVENT);
	ck_assert_str_eq(m.name, "STOP");
	ck_assert_ptr_null(m.body);
	qmp_message_deinit(&m);
	ck_assert_int_eq(parse("{\"error\": {\"class\": \"GenericError\", \"desc\": \"no\"}, "
	    "\"id\": 18446744073709551615}", &m), 0);
	ck_assert_int_eq(m.kind, QMP_ERROR);
	ck_assert_str_eq(m.name, "GenericError");
	ck_assert_str_eq(m.text, "no");
	ck_assert_uint_eq(m.id, UINT64_MAX);
	qmp_message_deinit(&m);
	ck_assert_ptr_null(m.tree);
}
END_TEST

START_TEST(an_id_that_is_no_number_is_not_ours)
{
	struct qmp_message m;

	ck_assert_int_eq(parse("{\"return\": {}, \"id\": \"7\"}", &m), 0);
	ck_assert(!m.has_id);
	qmp_message_deinit(&m);
}
END_TEST

static const char *const bad_messages[] = {
	"", "x", "[]", "{}", "null", "{\"id\":1}", "{\"QMP\":1}", "{\"event\":1}", "{\"event\":\"\"}",
	"{\"event\":\"E\",\"data\":[]}", "{\"error\":{}}", "{\"error\":\"x\"}",
	"{\"return\":{}} {\"return\":{}}", "{\"return\":1,\"return\":2}",
};

START_TEST(what_is_no_message_is_refused_with_a_reason)
{
	struct qmp_message m = { .name = "untouched" };

	ck_assert_int_eq(parse(bad_messages[_i], &m), -EINVAL);
	ck_assert_str_eq(m.name, "untouched");
}
END_TEST

START_TEST(an_error_text_is_made_printable_and_cut)
{
	struct qmp_message m;
	char line[1024];

	(void)snprintf(line, sizeof(line), "{\"error\":{\"class\":\"C\",\"desc\":\"a\\u001b[2Jb"
	    "%0*d\"}}", 500, 0);
	ck_assert_int_eq(parse(line, &m), 0);
	ck_assert_mem_eq(m.text, "a?[2Jb0", 7);
	ck_assert_uint_eq(strlen(m.text), sizeof(m.text) - 1);
	qmp_message_deinit(&m);
}
END_TEST

START_TEST(a_name_too_long_for_its_field_is_refused)
{
	struct qmp_message m;
	char line[256];

	(void)snprintf(line, sizeof(line), "{\"event\":\"%0*d\"}", QMP_NAME_MAX, 0);
	ck_assert_int_eq(parse(line, &m), 0);
	qmp_message_deinit(&m);
	(void)snprintf(line, sizeof(line), "{\"event\":\"%0*d\"}", QMP_NAME_MAX + 1, 0);
	ck_assert_int_eq(parse(line, &m), -EINVAL);
}
END_TEST

START_TEST(lines_come_whole_however_they_were_cut)
{
	feed("ab");
	expect_line(NULL);
	feed("c\r\nde\n\n\r\nf");
	expect_line("abc");
	expect_line("de");
	expect_line(NULL);
	expect_line(NULL);
	feed("\n");
	expect_line("f");
	expect_line(NULL);
}
END_TEST

START_TEST(a_line_over_the_ceiling_is_refused)
{
	char text[65];

	memset(text, 'x', sizeof(text));
	ck_assert_int_eq(qmp_reader_feed(&reader, text, 64), 0);
	expect_line(NULL);
	ck_assert_int_eq(qmp_reader_feed(&reader, text, 1), -EMSGSIZE);
}
END_TEST

START_TEST(lines_handed_out_make_room_for_more)
{
	for (int i = 0; i < 1000; i++) {
		feed("0123456789012345678901234567890123456789\n0123");
		expect_line(i == 0 ? "0123456789012345678901234567890123456789" :
		    "01230123456789012345678901234567890123456789");
		expect_line(NULL);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("qmp_line");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, each_kind_of_message_is_told_apart);
	tcase_add_test(tc, an_id_that_is_no_number_is_not_ours);
	tcase_add_loop_test(tc, what_is_no_message_is_refused_with_a_reason, 0,
	    (int)ARRAY_LEN(bad_messages));
	tcase_add_test(tc, an_error_text_is_made_printable_and_cut);
	tcase_add_test(tc, a_name_too_long_for_its_field_is_refused);
	tcase_add_test(tc, lines_come_whole_however_they_were_cut);
	tcase_add_test(tc, a_line_over_the_ceiling_is_refused);
	tcase_add_test(tc, lines_handed_out_make_room_for_more);
	return unit_run("qmp_line", tc);
}
