#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/page.h"

static const struct page_rule rule = { "DescribeInstances", 5, 1000 };
static const struct page_rule other = { "DescribeTags", 5, 1000 };

START_TEST(max_results_has_its_range_8)
{
	struct page p;

	for (int64_t max = -1; max < 5; max++) {
		struct page_ask ask = { .has_max = true, .max = max };

		ck_assert_int_eq(page_open(&rule, &ask, &p), PAGE_TOO_SMALL);
	}
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ true, 1001, NULL, false }, &p),
	    PAGE_TOO_LARGE);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ true, 5, NULL, false }, &p), PAGE_OK);
	ck_assert_uint_eq(p.max, 5);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ true, 1000, NULL, false }, &p),
	    PAGE_OK);
}
END_TEST

START_TEST(pages_of_named_ids_are_refused_8)
{
	struct page p;
	char token[PAGE_TOKEN_MAX];

	ck_assert_int_eq(page_token(rule.action, "i-1", token), 0);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ true, 5, NULL, true }, &p),
	    PAGE_WITH_IDS);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ false, 0, token, true }, &p),
	    PAGE_WITH_IDS);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ false, 0, NULL, true }, &p), PAGE_OK);
}
END_TEST

START_TEST(a_token_gives_its_key_back)
{
	char key[PAGE_KEY_MAX + 1], token[PAGE_TOKEN_MAX];
	struct page p;

	for (size_t len = 1; len <= PAGE_KEY_MAX; len++) {
		memset(key, 'k', len);
		key[len] = '\0';
		ck_assert_int_eq(page_token(rule.action, key, token), 0);
		ck_assert_int_eq(page_open(&rule, &(struct page_ask){ .token = token }, &p),
		    PAGE_OK);
		ck_assert_str_eq(p.after, key);
	}
}
END_TEST

START_TEST(a_foreign_token_is_refused)
{
	static const char *const bad[] = { "", "x", "====", "AAAA", "not base64!", "MTo=",
	    "MTpEZXNjcmliZUluc3RhbmNlczo=" /* no key in it */ };
	char token[PAGE_TOKEN_MAX];
	struct page p;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_int_eq(page_open(&rule, &(struct page_ask){ .token = bad[i] }, &p),
		    PAGE_BAD_TOKEN);
	ck_assert_int_eq(page_token(other.action, "i-1", token), 0);
	ck_assert_int_eq(page_open(&rule, &(struct page_ask){ .token = token }, &p),
	    PAGE_BAD_TOKEN);
}
END_TEST

/* ---- walks ---- */

#define THINGS	23

struct walk {
	char		 key[2 * THINGS][24];
	size_t		 n;
	unsigned	 given[2 * THINGS];
};

static size_t
walk_page(struct walk *w, struct page_ask *ask, char token[static PAGE_TOKEN_MAX], bool *ret_more)
{
	struct page_item items[2 * THINGS];
	struct page p;
	size_t first, count;

	for (size_t i = 0; i < w->n; i++)	/* worst order first: the cut has to sort */
		items[w->n - 1 - i] = (struct page_item){ w->key[i], &w->given[i] };
	ck_assert_int_eq(page_open(&rule, ask, &p), PAGE_OK);
	count = page_cut(&p, items, w->n, &first, ret_more);
	for (size_t i = first; i < first + count; i++)
		++*(unsigned *)items[i].item;
	if (*ret_more)
		ck_assert_int_eq(page_token(rule.action, items[first + count - 1].key, token), 0);
	return count;
}

START_TEST(a_walk_gives_each_thing_once_8)
{
	struct walk w = { .n = THINGS };
	struct page_ask ask = { .has_max = true, .max = 5 };
	char token[PAGE_TOKEN_MAX];
	size_t pages = 0, seen = 0;
	bool more = true;

	for (size_t i = 0; i < w.n; i++)
		snprintf(w.key[i], sizeof(w.key[i]), "i-%02zu", i);
	while (more) {
		seen += walk_page(&w, &ask, token, &more);
		ask.token = token;
		pages++;
	}
	ck_assert_uint_eq(pages, 5);
	ck_assert_uint_eq(seen, THINGS);
	for (size_t i = 0; i < w.n; i++)
		ck_assert_uint_eq(w.given[i], 1);
}
END_TEST

START_TEST(a_walk_keeps_its_place_when_things_come_and_go_8)
{
	struct walk w = { .n = THINGS };
	struct page_ask ask = { .has_max = true, .max = 5 };
	char token[PAGE_TOKEN_MAX];
	bool more;

	for (size_t i = 0; i < w.n; i++)
		snprintf(w.key[i], sizeof(w.key[i]), "i-%02zu", i);
	walk_page(&w, &ask, token, &more);		/* 00..04, and the token says 04 */
	snprintf(w.key[4], sizeof(w.key[4]), "i-99");	/* 04 is gone, another came at the end */
	snprintf(w.key[w.n++], sizeof(w.key[0]), "i-00a");	/* and one before the mark */
	for (ask.token = token; more; )
		walk_page(&w, &ask, token, &more);
	for (size_t i = 0; i < THINGS; i++)
		ck_assert_uint_eq(w.given[i], i == 4 ? 2 : 1);	/* the slot holds two things */
}
END_TEST

START_TEST(without_a_limit_all_are_given)
{
	struct walk w = { .n = THINGS };
	struct page_ask ask = { 0 };
	char token[PAGE_TOKEN_MAX];
	bool more = true;

	for (size_t i = 0; i < w.n; i++)
		snprintf(w.key[i], sizeof(w.key[i]), "i-%02zu", i);
	ck_assert_uint_eq(walk_page(&w, &ask, token, &more), THINGS);
	ck_assert(!more);
}
END_TEST

START_TEST(an_exact_page_is_the_last)
{
	struct walk w = { .n = 5 };
	struct page_ask ask = { .has_max = true, .max = 5 };
	char token[PAGE_TOKEN_MAX];
	bool more = true;

	for (size_t i = 0; i < w.n; i++)
		snprintf(w.key[i], sizeof(w.key[i]), "i-%02zu", i);
	ck_assert_uint_eq(walk_page(&w, &ask, token, &more), 5);
	ck_assert(!more);
	w.n = 0;
	ck_assert_uint_eq(walk_page(&w, &ask, token, &more), 0);
	ck_assert(!more);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("page");
	TCase *t = tcase_create("page");
	SRunner *r;
	int failed;

	tcase_add_test(t, max_results_has_its_range_8);
	tcase_add_test(t, pages_of_named_ids_are_refused_8);
	tcase_add_test(t, a_token_gives_its_key_back);
	tcase_add_test(t, a_foreign_token_is_refused);
	tcase_add_test(t, a_walk_gives_each_thing_once_8);
	tcase_add_test(t, a_walk_keeps_its_place_when_things_come_and_go_8);
	tcase_add_test(t, without_a_limit_all_are_given);
	tcase_add_test(t, an_exact_page_is_the_last);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
