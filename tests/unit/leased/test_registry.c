#include "leased/registry.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

static struct registry *r;

static void
setup(void)
{
	r = registry_new();
	ck_assert_ptr_nonnull(r);
}

static void
teardown(void)
{
	registry_free(r);
}

static const struct collision {
	const char		*first, *second;	/* a prefix ends in a dot */
	enum registry_result	 want;
} collisions[] = {
	{ "lead",		"lead",		REGISTRY_OWNED },
	{ "eks.cluster.",	"eks.cluster.x", REGISTRY_OVERLAP },
	{ "eks.cluster.x",	"eks.cluster.",	REGISTRY_OVERLAP },
	{ "eks.",		"eks.cluster.",	REGISTRY_OVERLAP },
	{ "eks.cluster.",	"eks.",		REGISTRY_OVERLAP },
	{ "eks.",		"eks.",		REGISTRY_OVERLAP },
	{ "eks.",		"ek.",		REGISTRY_OK },
	{ "eks.",		"eks",		REGISTRY_OK },
	{ "eks.",		"eksa.x",	REGISTRY_OK },
};

static enum registry_result
add(struct registry *to, const char *name)
{
	if (name[strlen(name) - 1] == '.')
		return registry_add_prefix(to, name, "client");
	return registry_add_key(to, name, "client");
}

START_TEST(keys_and_prefixes_keep_out_of_each_others_way_59)
{
	const struct collision *c = &collisions[_i];
	struct registry *other = registry_new();

	ck_assert_int_eq(add(r, c->first), REGISTRY_OK);
	ck_assert_int_eq(add(r, c->second), c->want);
	ck_assert_int_eq(add(other, c->second), REGISTRY_OK);	/* another store */
	registry_free(other);
}
END_TEST

START_TEST(malformed_keys_prefixes_and_members_are_refused_60)
{
	static const char *const keys[] = { "", "has space", "star.*", "gt.>", ".lead", "trail.",
	    "two..dots", "_version", "_reserved" };
	static const char *const prefixes[] = { "noDot", "_v.", ".x.", "a b.", "", "." };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		ck_assert_int_eq(registry_add_key(r, keys[i], "client"), REGISTRY_BAD_KEY);
		ck_assert_int_eq(registry_use(r, keys[i], "client"), REGISTRY_BAD_KEY);
	}
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		ck_assert_int_eq(registry_add_prefix(r, prefixes[i], "client"),
		    REGISTRY_BAD_KEY);
	ck_assert(!registry_member_is_valid("bad name"));
	ck_assert(!registry_member_is_valid(""));
	ck_assert(!registry_member_is_valid(".x"));
	ck_assert(!registry_member_is_valid("x."));
	ck_assert(registry_member_is_valid("_x"));
	ck_assert(registry_member_is_valid("123456789012/my-cluster/teardown"));
}
END_TEST

START_TEST(a_member_makes_a_key_under_its_prefix_60)
{
	char key[CAS_KEY_MAX + 1], small[8], large[CAS_KEY_MAX + 2];

	ck_assert_int_gt(registry_member_key("eks.cluster.", "123/alpha", key, sizeof(key)), 0);
	ck_assert_str_eq(key, "eks.cluster.123/alpha");
	ck_assert_int_eq(registry_member_key("eks.cluster", "x", key, sizeof(key)), -EINVAL);
	ck_assert_int_eq(registry_member_key("eks.", "bad name", key, sizeof(key)), -EINVAL);
	ck_assert_int_eq(registry_member_key("eks.", "alpha", small, sizeof(small)),
	    -ENAMETOOLONG);
	memset(large, 'x', sizeof(large));
	large[CAS_KEY_MAX - 1] = '\0';
	ck_assert_int_lt(registry_member_key("eks.", large, key, sizeof(key)), 0);
}
END_TEST

START_TEST(all_known_names_fit_into_one_store_64)
{
	static const char *const keys[] = { "vpcd.reconcile", "dns.reconcile", "route53.realize",
	    "route53.verify", "quota.reconcile", "rds.reconciler", "ecs.scheduler",
	    "ochre.reaper", "elbv2.datapath", "reaper.sweep" };
	char key[CAS_KEY_MAX + 1];

	ck_assert_int_eq(registry_add_prefix(r, "node.", "leased"), REGISTRY_OK);
	ck_assert_int_eq(registry_add_prefix(r, "uefi.", "uefid"), REGISTRY_OK);
	ck_assert_int_eq(registry_add_prefix(r, "eks.cluster.", "eks"), REGISTRY_OK);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		ck_assert_int_eq(registry_add_key(r, keys[i], "client"), REGISTRY_OK);
	ck_assert_int_gt(registry_member_key("eks.cluster.", "1/a", key, sizeof(key)), 0);
	ck_assert_int_eq(registry_use(r, key, "eks"), REGISTRY_OK);
	ck_assert_int_gt(registry_member_key("eks.cluster.", "1/b", key, sizeof(key)), 0);
	ck_assert_int_eq(registry_use(r, key, "eks"), REGISTRY_OK);
}
END_TEST

START_TEST(a_key_has_one_client_and_keeps_it)
{
	ck_assert_int_eq(registry_use(r, "reaper.sweep", "reaperd"), REGISTRY_OK);
	ck_assert_int_eq(registry_use(r, "reaper.sweep", "reaperd"), REGISTRY_OK);
	ck_assert_int_eq(registry_use(r, "reaper.sweep", "vmd"), REGISTRY_OWNED);
	ck_assert_str_eq(registry_owner(r, "reaper.sweep"), "reaperd");
	ck_assert_ptr_null(registry_owner(r, "reaper.other"));
}
END_TEST

START_TEST(a_key_under_a_prefix_is_for_its_client_alone)
{
	ck_assert_int_eq(registry_add_prefix(r, "uefi.", "uefid"), REGISTRY_OK);
	ck_assert_int_eq(registry_use(r, "uefi.i-1", "reaperd"), REGISTRY_OWNED);
	ck_assert_int_eq(registry_use(r, "uefi.i-1", "uefid"), REGISTRY_OK);
}
END_TEST

START_TEST(thousands_of_keys_are_found_again)
{
	char key[32];

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			snprintf(key, sizeof(key), "k.%d", i);
			ck_assert_int_eq(registry_use(r, key, i % 2 ? "odd" : "even"),
			    REGISTRY_OK);
		}
	ck_assert_int_eq(registry_use(r, "k.4999", "even"), REGISTRY_OWNED);
}
END_TEST

START_TEST(a_client_has_a_name_of_bounded_length)
{
	char name[REGISTRY_CLIENT_MAX + 2];

	memset(name, 'x', sizeof(name));
	name[REGISTRY_CLIENT_MAX + 1] = '\0';
	ck_assert_int_eq(registry_use(r, "k", name), REGISTRY_BAD_KEY);
	ck_assert_int_eq(registry_use(r, "k", ""), REGISTRY_BAD_KEY);
	name[REGISTRY_CLIENT_MAX] = '\0';
	ck_assert_int_eq(registry_use(r, "k", name), REGISTRY_OK);
}
END_TEST

START_TEST(each_result_has_its_text)
{
	for (int i = 0; i < REGISTRY_RESULTS; i++)
		ck_assert_ptr_nonnull(registry_result_text((enum registry_result)i));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("registry");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, keys_and_prefixes_keep_out_of_each_others_way_59, 0,
	    ARRAY_LEN(collisions));
	tcase_add_test(tc, malformed_keys_prefixes_and_members_are_refused_60);
	tcase_add_test(tc, a_member_makes_a_key_under_its_prefix_60);
	tcase_add_test(tc, all_known_names_fit_into_one_store_64);
	tcase_add_test(tc, a_key_has_one_client_and_keeps_it);
	tcase_add_test(tc, a_key_under_a_prefix_is_for_its_client_alone);
	tcase_add_test(tc, thousands_of_keys_are_found_again);
	tcase_add_test(tc, a_client_has_a_name_of_bounded_length);
	tcase_add_test(tc, each_result_has_its_text);
	return unit_run("registry", tc);
}
