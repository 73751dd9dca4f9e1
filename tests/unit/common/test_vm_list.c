#include "common/vm_list.h"

#include <errno.h>

#include "tests/unit/unit.h"

#define ID	"i-0123456789abcdef0"

static struct vm_seen seen;

static int
look(const char *text)
{
	AUTO(json) cJSON *answer = cJSON_Parse(text);

	seen = (struct vm_seen){ true, true, true };
	return vm_list_find(answer, ID, &seen);
}

static const struct row {
	const char	*vm;
	struct vm_seen	 want;
} rows[] = {
	{ "{\"pid\":0,\"phase\":\"\",\"state\":\"stopped\"}", { true, false, false } },
	{ "{\"pid\":7,\"phase\":\"\",\"state\":\"running\"}", { true, true, false } },
	{ "{\"pid\":7,\"phase\":\"launching\",\"state\":\"running\"}", { true, true, true } },
	{ "{\"pid\":0,\"phase\":\"launching\",\"state\":\"running\"}", { true, false, true } },
	{ "{\"pid\":0,\"phase\":\"putting-away\",\"state\":\"pending\"}", { true, false, true } },
	{ "{}", { true, false, false } },
};

START_TEST(a_listed_instance_is_seen_as_vmd_says)
{
	char text[256];

	snprintf(text, sizeof(text), "{\"instances\":[{\"instance_id\":\"i-1\",\"pid\":9},"
	    "{\"instance_id\":\"" ID "\"%s%s]}", rows[_i].vm[1] == '}' ? "" : ",",
	    rows[_i].vm + 1);
	ck_assert_int_eq(look(text), 0);
	ck_assert_int_eq(seen.is_listed, rows[_i].want.is_listed);
	ck_assert_int_eq(seen.has_process, rows[_i].want.has_process);
	ck_assert_int_eq(seen.is_in_launch, rows[_i].want.is_in_launch);
}
END_TEST

START_TEST(one_that_is_not_listed_has_nothing)
{
	ck_assert_int_eq(look("{\"instances\":[{\"instance_id\":\"i-1\",\"pid\":9}]}"), 0);
	ck_assert(!seen.is_listed && !seen.has_process && !seen.is_in_launch);
}
END_TEST

static void
note(void *arg, const char *instance_id, const struct vm_seen *s)
{
	char *said = arg;
	size_t len = strlen(said);

	snprintf(said + len, 128 - len, "%s:%d%d ", instance_id, s->has_process, s->is_in_launch);
}

START_TEST(each_that_has_a_name_is_told_in_its_order)
{
	AUTO(json) cJSON *answer = cJSON_Parse("{\"instances\":[{\"instance_id\":\"i-1\",\"pid\":9},"
	    "{\"pid\":8},{\"instance_id\":\"i-0\",\"pid\":0,\"state\":\"pending\"}]}");
	AUTO(json) cJSON *none = cJSON_Parse("{}");
	char said[128] = "";

	ck_assert_int_eq(vm_list_each(answer, note, said), 0);
	ck_assert_str_eq(said, "i-1:10 i-0:01 ");
	ck_assert_int_eq(vm_list_each(none, note, said), -EBADMSG);
}
END_TEST

START_TEST(an_answer_without_a_list_says_nothing)
{
	static const char *const bad[] = { "{}", "{\"instances\":{}}", "[]", "7", "" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		ck_assert_int_eq(look(bad[i]), -EBADMSG);
		ck_assert(seen.is_listed);	/* untouched */
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("vm_list");

	tcase_add_loop_test(tc, a_listed_instance_is_seen_as_vmd_says, 0, ARRAY_LEN(rows));
	tcase_add_test(tc, one_that_is_not_listed_has_nothing);
	tcase_add_test(tc, each_that_has_a_name_is_told_in_its_order);
	tcase_add_test(tc, an_answer_without_a_list_says_nothing);
	return unit_run("vm_list", tc);
}
