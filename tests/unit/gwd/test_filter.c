#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/filter.h"

static const struct filter_name names[] = {
	{ "block-device-mapping.volume-id",	"BlockDeviceMappings.Ebs.VolumeId" },
	{ "instance-state-code",		"State.Code" },
	{ "instance-state-name",		"State.Name" },
	{ "nowhere",				NULL },
	{ "network-interface.addresses.primary", "NetworkInterfaces.PrivateIpAddresses.Primary" },
	{ "operator.managed",			"=false" },
	{ "reservation-id",			"^ReservationId" },
	{ "source-dest-check",			"SourceDestCheck" },
};
static const struct filter_table table = { names, ARRAY_LEN(names), "Tags" };
static const struct filter_table bare = { names, ARRAY_LEN(names), NULL };

static const char parent_text[] = "{\"ReservationId\":\"r-1\"}";
static const char item_text[] =
    "{\"State\":{\"Code\":16,\"Name\":\"running\"},\"SourceDestCheck\":true,"
    "\"BlockDeviceMappings\":[{\"Ebs\":{\"VolumeId\":\"vol-1\"}},{\"Ebs\":{\"VolumeId\":\"vol-2\"}}],"
    "\"NetworkInterfaces\":[{\"PrivateIpAddresses\":[{\"Primary\":false},{\"Primary\":true}]}],"
    "\"Tags\":[{\"Key\":\"Name\",\"Value\":\"web-1\"},{\"Key\":\"a*b\",\"Value\":\"\"},"
    "{\"Key\":\"team:role\",\"Value\":\"x\\\\y\"}]}";

static cJSON *
tree(const char *text)
{
	cJSON *t = NULL;
	char why[JSON_WHY_MAX];

	ck_assert_msg(json_parse(text, strlen(text), 1 << 16, &t, why) == 0, "%s: %s", text, why);
	return t;
}

struct match_case {
	const char	*filters;
	bool		 match;
};
static const struct match_case match_cases[] = {
	{ "[]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"running\"]}]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"Running\"]}]", false },
	{ "[{\"Name\":\"operator.managed\",\"Values\":[\"false\"]}]", true },
	{ "[{\"Name\":\"operator.managed\",\"Values\":[\"=false\",\"true\"]}]", false },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"run*\"]}]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"r?nning\"]}]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"r\\\\?nning\"]}]", false },
	/* several values OR, several filters AND, none of either */
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"stopped\",\"running\"]}]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[]}]", false },
	{ "[{\"Name\":\"instance-state-name\"}]", false },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"running\"]},"
	  "{\"Name\":\"reservation-id\",\"Values\":[\"r-1\"]}]", true },
	{ "[{\"Name\":\"instance-state-name\",\"Values\":[\"running\"]},"
	  "{\"Name\":\"reservation-id\",\"Values\":[\"r-2\"]}]", false },
	/* numbers and booleans as EC2 prints them */
	{ "[{\"Name\":\"instance-state-code\",\"Values\":[\"16\"]}]", true },
	{ "[{\"Name\":\"instance-state-code\",\"Values\":[\"1*\"]}]", true },
	{ "[{\"Name\":\"instance-state-code\",\"Values\":[\"80\"]}]", false },
	{ "[{\"Name\":\"source-dest-check\",\"Values\":[\"true\"]}]", true },
	{ "[{\"Name\":\"source-dest-check\",\"Values\":[\"false\"]}]", false },
	/* any element of the lists on the way */
	{ "[{\"Name\":\"block-device-mapping.volume-id\",\"Values\":[\"vol-2\"]}]", true },
	{ "[{\"Name\":\"block-device-mapping.volume-id\",\"Values\":[\"vol-3\"]}]", false },
	{ "[{\"Name\":\"network-interface.addresses.primary\",\"Values\":[\"true\"]}]", true },
	/* tags */
	{ "[{\"Name\":\"tag:Name\",\"Values\":[\"web-*\"]}]", true },
	{ "[{\"Name\":\"tag:Name\",\"Values\":[\"db-*\"]}]", false },
	{ "[{\"Name\":\"tag:name\",\"Values\":[\"web-1\"]}]", false },
	{ "[{\"Name\":\"tag:Other\",\"Values\":[\"*\"]}]", false },
	{ "[{\"Name\":\"tag:team:role\",\"Values\":[\"x\\\\\\\\y\"]}]", true },
	{ "[{\"Name\":\"tag:team:role\",\"Values\":[\"x\\\\y\"]}]", false },
	{ "[{\"Name\":\"tag:a*b\",\"Values\":[\"\"]}]", true },
	{ "[{\"Name\":\"tag-key\",\"Values\":[\"Name\"]}]", true },
	{ "[{\"Name\":\"tag-key\",\"Values\":[\"a\\\\*b\"]}]", true },
	{ "[{\"Name\":\"tag-key\",\"Values\":[\"aXb\"]}]", false },
	{ "[{\"Name\":\"tag-key\",\"Values\":[\"x\",\"team*\"]}]", true },
	/* EC2 has it and shows it nowhere: it is known, and nothing has it */
	{ "[{\"Name\":\"nowhere\",\"Values\":[\"*\"]}]", false },
	/* other kinds of values than texts match nothing */
	{ "[{\"Name\":\"instance-state-code\",\"Values\":[16]}]", false },
};

START_TEST(a_filter_matches_as_the_table_says_7)
{
	const struct match_case *c = &match_cases[_i];
	AUTO(json) cJSON *filters = tree(c->filters);
	AUTO(json) cJSON *item = tree(item_text);
	AUTO(json) cJSON *parent = tree(parent_text);
	const char *bad;

	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_OK);
	ck_assert_msg(filter_match(&table, filters, item, parent) == c->match, "%s", c->filters);
}
END_TEST

START_TEST(an_absent_value_matches_nothing)
{
	AUTO(json) cJSON *filters = tree("[{\"Name\":\"instance-state-name\",\"Values\":[\"*\"]}]");
	AUTO(json) cJSON *item = tree("{}");

	ck_assert(!filter_match(&table, filters, item, NULL));
	ck_assert(filter_match(&table, NULL, item, NULL));
}
END_TEST

START_TEST(an_unknown_name_is_refused_by_its_name_7)
{
	AUTO(json) cJSON *unknown = tree("[{\"Name\":\"instance-state-name\",\"Values\":[\"x\"]},"
	    "{\"Name\":\"colour\",\"Values\":[\"x\"]}]");
	AUTO(json) cJSON *unnamed = tree("[{\"Values\":[\"x\"]}]");
	AUTO(json) cJSON *tag = tree("[{\"Name\":\"tag:x\",\"Values\":[\"x\"]}]");
	const char *bad = NULL;

	ck_assert_int_eq(filter_check(&table, unknown, &bad), FILTER_UNKNOWN);
	ck_assert_str_eq(bad, "colour");
	ck_assert_int_eq(filter_check(&table, unnamed, &bad), FILTER_UNNAMED);
	ck_assert_int_eq(filter_check(&bare, tag, &bad), FILTER_UNKNOWN);
	ck_assert_str_eq(bad, "tag:x");
}
END_TEST

START_TEST(two_hundred_values_are_the_most)
{
	AUTO(json) cJSON *filters = tree("[{\"Name\":\"tag-key\",\"Values\":[]}]");
	cJSON *values = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(filters, 0), "Values");
	const char *bad;

	for (int i = 0; i < FILTER_VALUES_MAX; i++)
		cJSON_AddItemToArray(values, cJSON_CreateString("x"));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_OK);
	cJSON_AddItemToArray(values, cJSON_CreateString("x"));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_TOO_MANY);
}
END_TEST

START_TEST(fifty_filters_are_the_most)
{
	AUTO(json) cJSON *filters = cJSON_CreateArray();
	const char *bad;

	for (int i = 0; i < FILTERS_MAX; i++)
		cJSON_AddItemToArray(filters, tree("{\"Name\":\"tag-key\"}"));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_OK);
	cJSON_AddItemToArray(filters, tree("{\"Name\":\"tag-key\"}"));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_TOO_MANY);
}
END_TEST

/* Ten megabytes of stars, tried on each of many items, would hold up everybody. */
START_TEST(a_value_has_a_bound)
{
	AUTO(json) cJSON *filters = tree("[{\"Name\":\"tag-key\",\"Values\":[\"x\"]}]");
	cJSON *values = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(filters, 0), "Values");
	char text[FILTER_VALUE_LEN_MAX + 2];
	const char *bad = "";

	memset(text, '*', sizeof(text));
	text[FILTER_VALUE_LEN_MAX] = '\0';
	cJSON_AddItemToArray(values, cJSON_CreateString(text));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_OK);
	text[FILTER_VALUE_LEN_MAX] = '*';
	text[FILTER_VALUE_LEN_MAX + 1] = '\0';
	cJSON_AddItemToArray(values, cJSON_CreateString(text));
	ck_assert_int_eq(filter_check(&table, filters, &bad), FILTER_TOO_LONG);
	ck_assert_str_eq(bad, "tag-key");
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("filter");
	TCase *t = tcase_create("filter");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, a_filter_matches_as_the_table_says_7, 0,
	    (int)ARRAY_LEN(match_cases));
	tcase_add_test(t, an_absent_value_matches_nothing);
	tcase_add_test(t, an_unknown_name_is_refused_by_its_name_7);
	tcase_add_test(t, two_hundred_values_are_the_most);
	tcase_add_test(t, fifty_filters_are_the_most);
	tcase_add_test(t, a_value_has_a_bound);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
