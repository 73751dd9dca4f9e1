#include "gwd/action.h"

#include <stdio.h>
#include <string.h>

#include "gwd/filter.h"
#include "gwd/names_ec2.h"
#include "tests/unit/unit.h"

START_TEST(rows_are_sorted_and_found)
{
	for (size_t i = 0; i < nactions; i++) {
		const struct action *a = &actions[i], *b = a - 1;

		if (i > 0)
			ck_assert_msg(b->api < a->api || (b->api == a->api &&
			    strcmp(b->name, a->name) < 0), "%s", a->name);
		ck_assert_ptr_eq(action_find(a->api, a->name), a);
		ck_assert(action_is_known(a->api, a->name));
		ck_assert(a->fn != NULL);
		ck_assert_ptr_nonnull(a->in);
	}
}
END_TEST

START_TEST(names_are_sorted_and_exact)
{
	for (size_t i = 1; i < nnames_ec2; i++)
		ck_assert_str_lt(names_ec2[i - 1], names_ec2[i]);
	for (size_t i = 1; i < nnames_sts; i++)
		ck_assert_str_lt(names_sts[i - 1], names_sts[i]);
	ck_assert(action_is_known(API_EC2, "DescribeHosts"));
	ck_assert(!action_is_known(API_EC2, "describehosts"));
	ck_assert(!action_is_known(API_EC2, "DescribeHost"));
	ck_assert(!action_is_known(API_EC2, ""));
	ck_assert(!action_is_known(API_EC2, "GetCallerIdentity"));
	ck_assert(action_is_known(API_STS, "AssumeRole"));
	ck_assert_ptr_null(action_find(API_EC2, "DescribeHosts"));
	ck_assert_ptr_null(action_find(API_STS, "DescribeRegions"));
}
END_TEST

/* What changes something by its name must say so in its row: DryRun and tokens hang on it. */
START_TEST(a_row_that_changes_something_says_so)
{
	static const char *const reads[] = { "Describe", "Get" };

	for (size_t i = 0; i < nactions; i++) {
		bool is_read = false;

		for (size_t j = 0; j < ARRAY_LEN(reads); j++)
			is_read |= !strncmp(actions[i].name, reads[j], strlen(reads[j]));
		ck_assert_msg(is_read == !(actions[i].flags & ACTION_MUTATES), "%s",
		    actions[i].name);
	}
}
END_TEST

/* Does the path lead to something in the shape?  A list stands for its items. */
static bool
leads(const struct shape *s, const char *path)
{
	char member[64];
	const size_t len = strcspn(path, ".");
	const struct shape_member *m;

	while (s->kind == SHAPE_LIST)
		s = s->item;
	if (len == 0)
		return s->kind != SHAPE_STRUCT;
	snprintf(member, sizeof(member), "%.*s", (int)len, path);
	m = s->kind == SHAPE_STRUCT ? shape_member(s, member) : NULL;
	return m && leads(m->shape, path + len + (path[len] == '.'));
}

/* The list of the answer, as a shape: "Vpcs"; of DescribeInstances the instances in it. */
static bool
leads_from(const struct action *a, const char *path)
{
	for (size_t i = 0; i < a->out->n; i++) {
		const struct shape *list = a->out->members[i].shape;
		const struct shape_member *inner;

		if (list->kind != SHAPE_LIST)
			continue;
		inner = strcmp(a->name, "DescribeInstances") == 0 && *path != '^' ?
		    shape_member(list->item, "Instances") : NULL;
		if (leads(inner ? inner->shape : list, path + (*path == '^')))
			return true;
	}
	return false;
}

START_TEST(every_action_with_filters_has_their_table_7)
{
	for (size_t i = 0; i < nactions; i++)
		ck_assert_msg((shape_member(actions[i].in, "Filters") != NULL) ==
		    (actions[i].filters != NULL), "%s", actions[i].name);
}
END_TEST

START_TEST(filters_are_sorted_and_look_at_what_is_shown_7)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < nactions; i++) {
		const struct filter_table *t = actions[i].filters;

		for (size_t k = 0; t && k < t->n; k++) {
			ck_assert_msg(k == 0 || strcmp(t->rows[k - 1].name, t->rows[k].name) < 0,
			    "%s: %s", actions[i].name, t->rows[k].name);
			/* EC2 shows the tags of an interface with it alone, and filters instances by
			 * them. */
			if (strncmp(t->rows[k].name, "network-interface.tag-", 22) == 0 ||
			    !t->rows[k].path || t->rows[k].path[0] == '=' ||
			    leads_from(&actions[i], t->rows[k].path))
				continue;
			fprintf(stderr, "%s: %s\n", actions[i].name, t->rows[k].path);
			wrong++;
		}
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* DescribeTags shows tags that have no tags of their own. */
START_TEST(what_shows_tags_is_filtered_by_them_7)
{
	static const char key[] = "Key";
	char path[64];

	for (size_t i = 0; i < nactions; i++) {
		const struct filter_table *t = actions[i].filters;

		if (!t || strcmp(actions[i].name, "DescribeTags") == 0)
			continue;
		snprintf(path, sizeof(path), "%s.%s", t->tags ? t->tags : "Tags", key);
		ck_assert_msg(leads_from(&actions[i], path) == (t->tags != NULL), "%s",
		    actions[i].name);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("actions");

	tcase_add_test(tc, rows_are_sorted_and_found);
	tcase_add_test(tc, names_are_sorted_and_exact);
	tcase_add_test(tc, every_action_with_filters_has_their_table_7);
	tcase_add_test(tc, filters_are_sorted_and_look_at_what_is_shown_7);
	tcase_add_test(tc, what_shows_tags_is_filtered_by_them_7);
	tcase_add_test(tc, a_row_that_changes_something_says_so);
	return unit_run("actions", tc);
}
