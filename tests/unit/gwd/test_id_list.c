#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/id_list.h"

#define ID_A	"i-0123456789abcdef0"
#define ID_B	"i-0123456789abcdef1"
#define ID_C	"i-01234567"

static cJSON *
names(const char *const *text, int n)
{
	cJSON *list = cJSON_CreateStringArray(text, n);

	ck_assert_ptr_nonnull(list);
	return list;
}

START_TEST(each_id_counts_once_in_its_order)
{
	static const char *const text[] = { ID_B, ID_A, ID_B, ID_C, ID_A };
	AUTO(json) cJSON *list = names(text, 5);
	AUTO(id_list) struct id_list l = { 0 };
	const char *bad;

	ck_assert_int_eq(id_list_read(list, "i", &l, &bad), ID_LIST_OK);
	ck_assert_uint_eq(l.n, 3);
	ck_assert_str_eq(l.id[0], ID_B);
	ck_assert_str_eq(l.id[1], ID_A);
	ck_assert_str_eq(l.id[2], ID_C);
	ck_assert_int_eq(id_list_find(&l, ID_C), 2);
	ck_assert_int_eq(id_list_find(&l, "i-x"), -1);
}
END_TEST

START_TEST(a_malformed_id_is_named)
{
	static const char *const bad_ids[] = { "i-xyz", "", "i-", "ami-0123456789abcdef0",
	    "i-0123456789abcdef", "i-0123456789ABCDEF0", " i-0123456789abcdef0" };

	for (size_t i = 0; i < ARRAY_LEN(bad_ids); i++) {
		const char *text[] = { ID_A, bad_ids[i] };
		AUTO(json) cJSON *list = names(text, 2);
		struct id_list l = { 0 };
		const char *bad = NULL;

		ck_assert_int_eq(id_list_read(list, "i", &l, &bad), ID_LIST_MALFORMED);
		ck_assert_str_eq(bad, bad_ids[i]);
		ck_assert_uint_eq(l.n, 0);
	}
}
END_TEST

START_TEST(no_list_is_an_empty_one)
{
	AUTO(id_list) struct id_list l = { 0 };
	const char *bad;
	char why[100];

	ck_assert_int_eq(id_list_read(NULL, "i", &l, &bad), ID_LIST_OK);
	ck_assert_uint_eq(l.n, 0);
	ck_assert(id_list_complete(&l, NULL, "instance ID", why, sizeof(why)));
}
END_TEST

START_TEST(all_unknown_ids_are_named_9)
{
	static const char *const text[] = { ID_A, ID_B, ID_C };
	AUTO(json) cJSON *list = names(text, 3);
	AUTO(id_list) struct id_list l = { 0 };
	bool found[3] = { true, true, true };
	const char *bad;
	char why[200];

	ck_assert_int_eq(id_list_read(list, "i", &l, &bad), ID_LIST_OK);
	ck_assert(id_list_complete(&l, found, "instance ID", why, sizeof(why)));
	found[1] = false;
	ck_assert(!id_list_complete(&l, found, "instance ID", why, sizeof(why)));
	ck_assert_str_eq(why, "The instance ID '" ID_B "' does not exist");
	found[0] = false;
	ck_assert(!id_list_complete(&l, found, "instance ID", why, sizeof(why)));
	ck_assert_str_eq(why, "The instance IDs '" ID_A ", " ID_B "' do not exist");
}
END_TEST

START_TEST(a_long_list_of_unknown_ids_is_cut)
{
	static const char *const text[] = { ID_A, ID_B, ID_C };
	AUTO(json) cJSON *list = names(text, 3);
	AUTO(id_list) struct id_list l = { 0 };
	bool found[3] = { false };
	const char *bad;
	char why[80];

	ck_assert_int_eq(id_list_read(list, "i", &l, &bad), ID_LIST_OK);
	for (size_t size = 1; size <= sizeof(why); size++) {
		why[0] = '\0';
		ck_assert(!id_list_complete(&l, found, "instance ID", why, size));
		ck_assert_uint_lt(strlen(why), size);
	}
	ck_assert_str_eq(why, "The instance IDs '" ID_A ", " ID_B ", ...' do not exist");
}
END_TEST

START_TEST(a_thousand_ids_are_the_most)
{
	AUTO(json) cJSON *list = cJSON_CreateArray();
	struct id_list l = { 0 };
	const char *bad;

	for (int i = 0; i <= ID_LIST_MAX; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(ID_A));
	ck_assert_int_eq(id_list_read(list, "i", &l, &bad), ID_LIST_TOO_MANY);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("id_list");
	TCase *t = tcase_create("id_list");
	SRunner *r;
	int failed;

	tcase_add_test(t, each_id_counts_once_in_its_order);
	tcase_add_test(t, a_malformed_id_is_named);
	tcase_add_test(t, no_list_is_an_empty_one);
	tcase_add_test(t, all_unknown_ids_are_named_9);
	tcase_add_test(t, a_long_list_of_unknown_ids_is_cut);
	tcase_add_test(t, a_thousand_ids_are_the_most);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
