#include "vmd/address.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/network.h"

#define ACCOUNT	"000000000001"

/* A store of a few keys; one call may be made to fail or to lose its race. */
#define KEYS	64
struct fake {
	struct { char key[CAS_KEY_MAX]; char *value; uint64_t revision; bool marker; } row[KEYS];
	size_t		 n;
	uint64_t	 last;
	int		 lose;		/* this many swaps find that another was faster */
	enum cas_result	 fail;		/* every load, when not CAS_OK */
	bool		 all_taken;	/* a key without a row is another's */
};

static size_t
row_of(struct fake *f, const char *key)
{
	size_t i = 0;

	while (i < f->n && strcmp(f->row[i].key, key) != 0)
		i++;
	if (i == f->n) {
		ck_assert_uint_lt(f->n, KEYS);
		snprintf(f->row[f->n++].key, CAS_KEY_MAX, "%s", key);
	}
	return i;
}

static enum cas_result
fake_load(void *ctx, const char *key, struct cas_entry *ret)
{
	struct fake *f = ctx;
	static const char others[] = "{\"instance_id\":\"i-another\"}";
	size_t i;

	if (f->fail != CAS_OK)
		return f->fail;
	if (f->all_taken) {
		*ret = (struct cas_entry){ .value = strdup(others), .len = sizeof(others) - 1,
			.revision = 1 };
		return CAS_OK;
	}
	i = row_of(f, key);
	*ret = (struct cas_entry){ .revision = f->row[i].revision,
		.is_marker = f->row[i].marker };
	if (!f->row[i].value)
		return CAS_NOT_FOUND;
	ret->value = strdup(f->row[i].value);
	ret->len = strlen(ret->value);
	return CAS_OK;
}

static enum cas_result
fake_swap(void *ctx, const char *key, const char *value, size_t len, uint64_t expected,
    uint64_t *ret_revision)
{
	struct fake *f = ctx;
	size_t i = row_of(f, key);

	if (f->lose > 0) {
		f->lose--;
		free(f->row[i].value);
		f->row[i].value = strdup("{\"instance_id\":\"i-faster\"}");
		f->row[i].revision = ++f->last;
		return CAS_LOST;
	}
	if (f->row[i].revision != expected)
		return CAS_LOST;
	free(f->row[i].value);
	f->row[i].value = strndup(value, len);
	f->row[i].marker = false;
	*ret_revision = f->row[i].revision = ++f->last;
	return CAS_OK;
}

static enum cas_result
fake_remove(void *ctx, const char *key, uint64_t expected)
{
	struct fake *f = ctx;
	size_t i = row_of(f, key);

	if (f->row[i].revision != expected)
		return CAS_LOST;
	free(f->row[i].value);
	f->row[i].value = NULL;
	f->row[i].marker = true;
	f->row[i].revision = ++f->last;
	return CAS_OK;
}

static struct fake *fake;
static struct cas_store store;
static struct address_range range;

static void
setup(void)
{
	fake = calloc(1, sizeof(*fake));
	ck_assert_int_eq(address_range_of("", &range), 0);
	store = (struct cas_store){ fake, fake_load, fake_swap, fake_remove };
}

static void
teardown(void)
{
	for (size_t i = 0; i < fake->n; i++)
		free(fake->row[i].value);
	free(fake);
}


static enum address_result
take(const char *id, char ret[static ADDRESS_TEXT_MAX], bool *ret_made)
{
	enum cas_result res = CAS_OK;

	return address_take(&store, &range, ACCOUNT, id, ret, ret_made, &res);
}

static const struct { const char *cidr; uint32_t first, count; } subnets[] = {
	{ "", 0xac1f0004, 4091 },			/* a prime */
	{ "172.31.16.0/20", 0xac1f1004, 4091 },
	{ "10.0.1.0/24", 0x0a000104, 251 },
	{ "10.0.1.240/28", 0x0a0001f4, 11 },
	{ "10.0.0.0/22", 0x0a000004, 1019 },
	{ "192.168.0.0/17", 0xc0a80004, 32763 },	/* 3 * 67 * 163: not each step walks it */
};

START_TEST(candidates_walk_the_whole_subnet_and_no_more)
{
	const uint32_t first = subnets[_i].first, count = subnets[_i].count;
	bool *seen = calloc(count, sizeof(*seen));
	struct address_range r;

	ck_assert_ptr_nonnull(seen);
	ck_assert_int_eq(address_range_of(subnets[_i].cidr, &r), 0);
	ck_assert_uint_eq(r.first, first);
	ck_assert_uint_eq(r.count, count);
	for (unsigned n = 0; n < count; n++) {
		char text[ADDRESS_TEXT_MAX];
		struct in_addr a;
		uint32_t host;

		address_candidate(&r, "i-0123456789abcdef0", n, text);
		ck_assert_int_eq(inet_aton(text, &a), 1);
		host = ntohl(a.s_addr);
		ck_assert_uint_ge(host, first);
		ck_assert_uint_lt(host, first + count);
		ck_assert(!seen[host - first]);
		seen[host - first] = true;
	}
	free(seen);
}
END_TEST

START_TEST(a_block_that_is_none_gives_no_addresses)
{
	static const char *const bad[] = { "10.0.0.0", "10.0.0.0/29", "10.0.0.0/7", "x/24", "/24",
		"10.0.0.0/24x", "10.0.0.256/24" };
	struct address_range r;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(address_range_of(bad[i], &r) == -EINVAL, "%s", bad[i]);
}
END_TEST

START_TEST(a_mac_is_stable_unicast_and_local)
{
	char a[ADDRESS_MAC_MAX], b[ADDRESS_MAC_MAX], c[ADDRESS_MAC_MAX];

	address_mac("i-1", a);
	address_mac("i-1", b);
	address_mac("i-2", c);
	ck_assert_str_eq(a, b);
	ck_assert_str_ne(a, c);
	ck_assert_uint_eq(strlen(a), 17);
	ck_assert_int_eq(strncmp(a, "02:", 3), 0);
}
END_TEST

START_TEST(an_instance_keeps_the_address_it_has)
{
	char first[ADDRESS_TEXT_MAX], again[ADDRESS_TEXT_MAX];
	bool made;

	ck_assert_int_eq(take("i-1", first, &made), ADDRESS_OK);
	ck_assert(made);
	ck_assert_int_eq(take("i-1", again, &made), ADDRESS_OK);
	ck_assert(!made);
	ck_assert_str_eq(first, again);
}
END_TEST

START_TEST(the_loser_of_a_race_takes_the_next)
{
	char got[ADDRESS_TEXT_MAX], second[ADDRESS_TEXT_MAX];
	bool made;

	fake->lose = 1;
	ck_assert_int_eq(take("i-1", got, &made), ADDRESS_OK);
	address_candidate(&range, "i-1", 1, second);
	ck_assert_str_eq(got, second);
	ck_assert(made);
}
END_TEST

START_TEST(a_freed_address_is_taken_again_over_its_marker)
{
	char got[ADDRESS_TEXT_MAX], again[ADDRESS_TEXT_MAX];
	enum cas_result res;
	bool made;

	ck_assert_int_eq(take("i-1", got, &made), ADDRESS_OK);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-1", got, &res), ADDRESS_OK);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-1", got, &res), ADDRESS_OK);
	ck_assert_int_eq(take("i-1", again, &made), ADDRESS_OK);
	ck_assert_str_eq(got, again);
	ck_assert(made);
}
END_TEST

START_TEST(an_address_that_no_record_names_is_found_and_freed)
{
	char got[ADDRESS_TEXT_MAX], again[ADDRESS_TEXT_MAX];
	enum cas_result res;
	bool made;

	fake->lose = 3;
	ck_assert_int_eq(take("i-1", got, &made), ADDRESS_OK);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-1", "", &res), ADDRESS_OK);
	ck_assert_int_eq(take("i-1", again, &made), ADDRESS_OK);
	ck_assert(made);
}
END_TEST

START_TEST(anothers_address_is_never_freed)
{
	char got[ADDRESS_TEXT_MAX], again[ADDRESS_TEXT_MAX];
	enum cas_result res;
	bool made;

	ck_assert_int_eq(take("i-1", got, &made), ADDRESS_OK);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-2", got, &res), ADDRESS_OK);
	ck_assert_int_eq(take("i-1", again, &made), ADDRESS_OK);
	ck_assert(!made);
}
END_TEST

START_TEST(one_address_alone_can_be_asked_for)
{
	enum cas_result res = CAS_OK;

	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(address_take_this(&store, ACCOUNT, "i-1", "172.31.0.9", &res), ADDRESS_OK);
	ck_assert_int_eq(address_take_this(&store, ACCOUNT, "i-2", "172.31.0.9", &res), ADDRESS_FULL);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-2", "172.31.0.9", &res), ADDRESS_OK);
	ck_assert_int_eq(address_take_this(&store, ACCOUNT, "i-2", "172.31.0.9", &res), ADDRESS_FULL);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-1", "172.31.0.9", &res), ADDRESS_OK);
	ck_assert_int_eq(address_take_this(&store, ACCOUNT, "i-2", "172.31.0.9", &res), ADDRESS_OK);
	fake->fail = CAS_UNAVAILABLE;
	ck_assert_int_eq(address_take_this(&store, ACCOUNT, "i-2", "172.31.0.9", &res), ADDRESS_STORE);
	ck_assert_int_eq(res, CAS_UNAVAILABLE);
}
END_TEST

START_TEST(a_store_that_fails_is_told_apart_from_a_full_subnet)
{
	char got[ADDRESS_TEXT_MAX] = "unchanged";
	enum cas_result res = CAS_OK;
	bool made = false;

	fake->fail = CAS_UNAVAILABLE;
	ck_assert_int_eq(address_take(&store, &range, ACCOUNT, "i-1", got, &made, &res), ADDRESS_STORE);
	ck_assert_int_eq(res, CAS_UNAVAILABLE);
	ck_assert_int_eq(address_free(&store, &range, ACCOUNT, "i-1", "172.31.0.9", &res), ADDRESS_STORE);
	fake->fail = CAS_OK;
	fake->all_taken = true;
	ck_assert_int_eq(take("i-1", got, &made), ADDRESS_FULL);
	ck_assert_str_eq(got, "unchanged");
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("address");
	TCase *tc = tcase_create("address");
	SRunner *sr = srunner_create(s);
	int failed;

	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, candidates_walk_the_whole_subnet_and_no_more, 0,
	    (int)ARRAY_LEN(subnets));
	tcase_add_test(tc, a_block_that_is_none_gives_no_addresses);
	tcase_add_test(tc, a_mac_is_stable_unicast_and_local);
	tcase_add_test(tc, an_instance_keeps_the_address_it_has);
	tcase_add_test(tc, the_loser_of_a_race_takes_the_next);
	tcase_add_test(tc, a_freed_address_is_taken_again_over_its_marker);
	tcase_add_test(tc, an_address_that_no_record_names_is_found_and_freed);
	tcase_add_test(tc, anothers_address_is_never_freed);
	tcase_add_test(tc, one_address_alone_can_be_asked_for);
	tcase_add_test(tc, a_store_that_fails_is_told_apart_from_a_full_subnet);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
