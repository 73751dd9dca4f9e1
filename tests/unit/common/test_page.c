#include "common/page.h"

#include <errno.h>

#include "tests/unit/unit.h"

#define MEMBER	"things"

/* A page of ids, each with so many bytes beside it, after what the request says. */
static char *
answer(const char *request, uint64_t max_payload, const char *const *ids, size_t n)
{
	AUTO(json) cJSON *in = cJSON_Parse(request);
	struct page p;
	char *text;

	ck_assert_int_eq(page_begin(&p, MEMBER, in, max_payload), 0);
	for (size_t i = 0; i < n; i++) {
		AUTO(json) cJSON *item = cJSON_CreateObject();

		if (!page_wants(&p, ids[i]))
			continue;
		ck_assert_ptr_nonnull(cJSON_AddStringToObject(item, "id", ids[i]));
		page_add(&p, ids[i], item);
	}
	text = strdup(page_end(&p));
	page_deinit(&p);
	return text;
}

static const char *const ids[] = { "a", "b", "b", "c" };

static const struct {
	const char	*request;
	uint64_t	 max_payload;
	const char	*answer;
} answers[] = {
	{ "{}", 1, "{\"things\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"b\"},{\"id\":\"c\"}]}" },
	{ "{\"after\":null}", 1,
	    "{\"things\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"b\"},{\"id\":\"c\"}]}" },
	{ "{\"after\":\"\"}", 0,
	    "{\"things\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"b\"},{\"id\":\"c\"}]}" },
	{ "{\"after\":\"\"}", 1 << 20,
	    "{\"things\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"b\"},{\"id\":\"c\"}]}" },
	{ "{\"after\":\"\"}", 1, "{\"things\":[{\"id\":\"a\"}],\"after\":\"a\"}" },
	/* Both of one id, though the first has filled it. */
	{ "{\"after\":\"a\"}", 1, "{\"things\":[{\"id\":\"b\"},{\"id\":\"b\"}],\"after\":\"b\"}" },
	{ "{\"after\":\"b\"}", 1, "{\"things\":[{\"id\":\"c\"}]}" },
	{ "{\"after\":\"c\"}", 1, "{\"things\":[]}" },
	{ "{\"after\":\"aa\"}", 64, "{\"things\":[{\"id\":\"b\"},{\"id\":\"b\"}],\"after\":\"b\"}" },
};

START_TEST(a_page_has_what_is_after_and_fits)
{
	AUTO(str) char *text = answer(answers[_i].request, answers[_i].max_payload, ids,
	    ARRAY_LEN(ids));

	ck_assert_str_eq(text, answers[_i].answer);
}
END_TEST

static const char *const no_text[] = { "{\"after\":5}", "{\"after\":true}", "{\"after\":[]}",
	"{\"after\":{}}" };

START_TEST(what_is_asked_after_is_a_text)
{
	AUTO(json) cJSON *in = cJSON_Parse(no_text[_i]);
	struct page p;

	ck_assert_int_eq(page_begin(&p, MEMBER, in, 0), -EINVAL);
}
END_TEST

START_TEST(pages_make_a_whole_again)
{
	AUTO(json) cJSON *all = NULL;
	char after[PAGE_AFTER_SIZE] = "";
	int r, n = 0;

	do {
		AUTO(json) cJSON *in = page_ask(after);
		AUTO(str) char *asked = json_print(in);
		AUTO(str) char *text = answer(asked, 1, ids, ARRAY_LEN(ids));

		r = page_join(&all, cJSON_Parse(text), MEMBER, after);
		n++;
	} while (r > 0);
	ck_assert_int_eq(r, 0);
	ck_assert_int_eq(n, 3);
	AUTO(str) char *text = json_print(all);

	ck_assert_str_eq(text, answers[0].answer);
}
END_TEST

START_TEST(an_answer_of_one_who_knows_no_pages_is_the_whole)
{
	AUTO(json) cJSON *all = NULL;
	char after[PAGE_AFTER_SIZE] = "";

	ck_assert_int_eq(page_join(&all, cJSON_Parse("{\"things\":[1]}"), MEMBER, after), 0);
	ck_assert_int_eq(cJSON_GetArraySize(json_member(all, MEMBER)), 1);
}
END_TEST

/* The second page, after one that ended with "b". */
static const char *const wrong[] = {
	"{\"things\":[],\"after\":\"b\"}",	/* for ever */
	"{\"things\":[],\"after\":\"a\"}",
	"{\"things\":[],\"after\":5}",
	"{\"things\":{}}", "{}",
};

START_TEST(a_page_that_does_not_go_on_is_no_shorter_list)
{
	AUTO(json) cJSON *all = NULL;
	char after[PAGE_AFTER_SIZE] = "";

	ck_assert_int_eq(page_join(&all, cJSON_Parse("{\"things\":[1],\"after\":\"b\"}"), MEMBER,
	    after), 1);
	ck_assert_str_eq(after, "b");
	ck_assert_int_eq(page_join(&all, cJSON_Parse(wrong[_i]), MEMBER, after), -EBADMSG);
	ck_assert_ptr_null(all);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("page");

	tcase_add_loop_test(tc, a_page_has_what_is_after_and_fits, 0, ARRAY_LEN(answers));
	tcase_add_loop_test(tc, what_is_asked_after_is_a_text, 0, ARRAY_LEN(no_text));
	tcase_add_test(tc, pages_make_a_whole_again);
	tcase_add_test(tc, an_answer_of_one_who_knows_no_pages_is_the_whole);
	tcase_add_loop_test(tc, a_page_that_does_not_go_on_is_no_shorter_list, 0, ARRAY_LEN(wrong));
	return unit_run("page", tc);
}
