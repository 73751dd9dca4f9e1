/* Who has to agree, before anything is asked. */
#include "leased/reseed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static struct reseed *r;

static void
setup(void)
{
	r = calloc(1, sizeof(*r));
	ck_assert_ptr_nonnull(r);
	r->act = true;
}

static void
teardown(void)
{
	reseed_free(r);
}

static bool
add(size_t n)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "node-%zu", n);
	return reseed_add_node(r, name, false);
}

START_TEST(a_node_is_named_once_and_off_is_remembered)
{
	ck_assert(reseed_add_node(r, "a", false));
	ck_assert(reseed_add_node(r, "a", true));
	ck_assert(reseed_add_node(r, "a", false));
	ck_assert_uint_eq(r->nnodes, 1);
	ck_assert(r->node[0].is_out);
}
END_TEST

/* There is no bus and no store: it must not come to use them. */
START_TEST(nothing_is_done_without_a_node_that_had_no_room)
{
	for (size_t n = 0; n < RESEED_NODES_MAX; n++)
		ck_assert(add(n));
	ck_assert(!add(RESEED_NODES_MAX));
	ck_assert(add(0));
	reseed_run(r);
	ck_assert_ptr_nonnull(r->failed);
	ck_assert_int_eq(r->why, CAS_REFUSED);
	ck_assert(!r->is_done);
}
END_TEST

START_TEST(nor_without_one_whose_name_is_too_long)
{
	char name[CAS_HOLDER_MAX + 2];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert(!reseed_add_node(r, name, false));
	reseed_run(r);
	ck_assert_ptr_nonnull(r->failed);
	ck_assert(!r->is_done);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("reseed");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_node_is_named_once_and_off_is_remembered);
	tcase_add_test(tc, nothing_is_done_without_a_node_that_had_no_room);
	tcase_add_test(tc, nor_without_one_whose_name_is_too_long);
	return unit_run("reseed", tc);
}
