/* Reading EDK2's variable regions: made ones, and those that the firmware package ships. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "region_make.h"
#include "uefid/region.h"
#include "tests/unit/unit.h"

static struct make *m;

static void
setup(void)
{
	m = malloc(sizeof(*m));
	make_init(m);
}

static void
teardown(void)
{
	free(m);
}

struct seen {
	unsigned	 n;
	char		 names[256];
	struct region_variable last;
};

static bool
note(void *arg, const struct region_variable *v)
{
	struct seen *s = arg;
	size_t len = strlen(s->names);

	s->n++;
	s->last = *v;
	snprintf(s->names + len, sizeof(s->names) - len, "%s ", v->name);
	return true;
}

static struct region
opened(void)
{
	char why[JSON_WHY_MAX];
	struct region r;

	ck_assert_msg(region_open(m->p, MAKE_SIZE, MAKE_SIZE, &r, why) == 0, "%s", why);
	return r;
}

static struct seen
listed(void)
{
	struct region r = opened();
	struct seen s = { 0 };
	char why[JSON_WHY_MAX];

	ck_assert_msg(region_list(&r, note, &s, why) == 0, "%s", why);
	return s;
}

static void
refused(const char *word)
{
	char why[JSON_WHY_MAX];
	struct region r;

	ck_assert_int_eq(region_open(m->p, MAKE_SIZE, MAKE_SIZE, &r, why), -EINVAL);
	ck_assert_msg(strstr(why, word) != NULL, "%s: no \"%s\"", why, word);
}

START_TEST(an_empty_region_has_no_variables_and_is_complete)
{
	struct region r = opened();

	ck_assert_uint_eq(listed().n, 0);
	ck_assert(region_is_complete(&r));
	ck_assert(r.authenticated);
	ck_assert(!r.in_spare);
}
END_TEST

START_TEST(a_variable_is_listed_with_name_guid_attributes_and_data)
{
	struct seen s;

	make_variable(m, "Boot0007", 0x3f, "\x01\x02\x03", 3);
	s = listed();
	ck_assert_uint_eq(s.n, 1);
	ck_assert_str_eq(s.last.name, "Boot0007");
	ck_assert_str_eq(s.last.guid, "8be4df61-93ca-11d2-aa0d-00e098032b8c");
	ck_assert_uint_eq(s.last.attributes, 7);
	ck_assert_uint_eq(s.last.size, 3);
	ck_assert_mem_eq(s.last.data, "\x01\x02\x03", 3);
}
END_TEST

START_TEST(only_live_variables_are_listed)
{
	make_variable(m, "Gone", 0x3c, "a", 1);
	make_variable(m, "HeaderOnly", 0x7f, "a", 1);
	make_variable(m, "Old", 0x3e, "1", 1);		/* replaced: a newer one follows */
	make_variable(m, "Kept", 0x3e, "1", 1);		/* being replaced: none follows yet */
	make_variable(m, "Old", 0x3f, "2", 1);
	ck_assert_str_eq(listed().names, "Kept Old ");
}
END_TEST

START_TEST(a_header_that_was_being_written_has_no_body_and_the_next_one_counts)
{
	size_t at = make_variable(m, "Half", 0xff, "", 0);

	make_u32(m->p + at + 36, 0xffffffff);
	m->at = at + 60;
	make_variable(m, "Next", 0x3f, "x", 1);
	ck_assert_str_eq(listed().names, "Next ");
}
END_TEST

START_TEST(names_come_out_in_utf8)
{
	size_t at = make_variable(m, "abcde", 0x3f, "x", 1);
	uint8_t *name = m->p + at + 60;

	make_u16(name, 0xe9);
	make_u16(name + 2, 0x20ac);
	make_u16(name + 4, 0xd83d);	/* a pair */
	make_u16(name + 6, 0xde00);
	make_u16(name + 8, 0xdc00);	/* alone */
	ck_assert_str_eq(listed().last.name, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd");
}
END_TEST

START_TEST(each_thing_that_must_hold_is_checked)
{
	static const struct { size_t at; uint8_t to; const char *word; bool sum; } rows[] = {
		{ 40, 'x', "_FVH", true },
		{ 16, 0, "variables", true },
		{ 32, 1, "bytes", true },	/* length */
		{ 33, 0xff, "bytes", true },
		{ 48, 10, "header", false },
		{ 50, 0, "checksum", false },
		{ 44, 0, "checksum", false },
		{ 72, 0, "variable store", false },
		{ 89, 0x7f, "size", false },	/* of the store */
		{ 92, 0, "formatted", false },
		{ 93, 0xff, "formatted", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		make_init(m);
		m->p[rows[i].at] = rows[i].to;
		if (rows[i].sum)
			make_sum(m->p);
		refused(rows[i].word);
	}
}
END_TEST

START_TEST(one_byte_short_and_one_byte_long_are_refused_120)
{
	uint8_t longer[MAKE_SIZE + 1] = { 0 };
	char why[JSON_WHY_MAX];
	struct region r;

	memcpy(longer, m->p, MAKE_SIZE);
	ck_assert_int_eq(region_open(longer, MAKE_SIZE - 1, MAKE_SIZE, &r, why), -EINVAL);
	ck_assert_int_eq(region_open(longer, MAKE_SIZE + 1, MAKE_SIZE, &r, why), -EINVAL);
	ck_assert_int_eq(region_open(longer, MAKE_SIZE, MAKE_SIZE, &r, why), 0);
	for (size_t n = 0; n < MAKE_SIZE; n += 7)
		ck_assert_int_eq(region_open(m->p, n, n, &r, why), -EINVAL);
}
END_TEST

START_TEST(padding_after_the_volume_is_allowed_and_anything_else_is_not)
{
	uint8_t *padded = malloc(2 * MAKE_SIZE);
	char why[JSON_WHY_MAX];
	struct region r;

	memcpy(padded, m->p, MAKE_SIZE);
	memset(padded + MAKE_SIZE, 0, MAKE_SIZE);
	ck_assert_int_eq(region_open(padded, 2 * MAKE_SIZE, 2 * MAKE_SIZE, &r, why), 0);
	padded[2 * MAKE_SIZE - 1] = 1;
	ck_assert_int_eq(region_open(padded, 2 * MAKE_SIZE, 2 * MAKE_SIZE, &r, why), -EINVAL);
	free(padded);
}
END_TEST

START_TEST(a_list_that_breaks_says_where)
{
	static const char *const words[] = { "passes the end", "erased", "name" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct seen s = { 0 };
		char why[JSON_WHY_MAX];
		struct region r;
		size_t at;

		make_init(m);
		make_variable(m, "Good", 0x3f, "x", 1);
		at = make_variable(m, "Bad", 0x3f, "x", 1);
		if (i == 0)
			make_u32(m->p + at + 40, MAKE_SIZE);
		else if (i == 1)
			make_u16(m->p + at, 0x55ab);
		else
			make_u32(m->p + at + 36, 0);
		r = opened();
		ck_assert_int_eq(region_list(&r, note, &s, why), -EINVAL);
		ck_assert_msg(strstr(why, words[i]) != NULL, "%s", why);
		ck_assert_uint_eq(s.n, 1);
		ck_assert(!region_is_complete(&r));
	}
}
END_TEST

START_TEST(a_region_in_the_middle_of_a_reclaim_is_whole_but_not_complete)
{
	struct region r;

	make_variable(m, "Boot0007", 0x3f, "abc", 3);
	make_reclaiming(m);
	r = opened();
	ck_assert(r.in_spare);
	ck_assert(!region_is_complete(&r));
	ck_assert_str_eq(listed().names, "Boot0007 ");
	m->p[MAKE_SIZE / 2 + 40] = 0;
	refused("_FVH");
}
END_TEST

/* The header is there again, behind it lie old blocks and new ones. */
START_TEST(a_region_whose_blocks_are_being_replaced_is_not_complete)
{
	static const struct {
		uint8_t	 header, record;
		bool	 is_half_done;
	} rows[] = {
		{ 0xff, 0xff, false },	/* nothing is queued */
		{ 0xfe, 0xff, false },	/* begun */
		{ 0xfc, 0xfe, false },	/* the spare half is being filled */
		{ 0xfc, 0xfd, true },	/* it is full, the place is being written */
		{ 0xfc, 0xf9, false },	/* so is the place */
		{ 0xf8, 0xf9, false },	/* and the write has ended */
	};

	make_variable(m, "Boot0007", 0x3f, "abc", 3);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct region r;

		make_queue(m, rows[i].header, rows[i].record);
		r = opened();
		ck_assert_uint_eq(region_working_block(&r), MAKE_END);
		ck_assert_msg(region_is_being_rewritten(&r) == rows[i].is_half_done, "row %zu", i);
		ck_assert(region_is_complete(&r) == !rows[i].is_half_done);
	}
}
END_TEST

START_TEST(a_write_behind_one_that_has_ended_counts)
{
	uint8_t *next = make_queue(m, 0xf8, 0xf9);
	struct region r = opened();

	ck_assert(!region_is_being_rewritten(&r));
	memcpy(next, m->p + MAKE_END + 32, 96);
	next[0] = 0xfc;
	next[40] = 0xfd;
	ck_assert(region_is_being_rewritten(&r));
}
END_TEST

START_TEST(a_queue_that_passes_its_end_is_not_followed)
{
	struct region r;

	make_queue(m, 0xf8, 0xf9);
	r = opened();
	for (size_t at = 24; at < 40; at += 8) {
		uint8_t *p = m->p + MAKE_END + 32;

		memset(p + at, 0xff, 8);
		ck_assert(!region_is_being_rewritten(&r));
		p[0] = 0xfc;
		ck_assert(!region_is_being_rewritten(&r));
		make_queue(m, 0xf8, 0xf9);
	}
}
END_TEST

START_TEST(variables_being_replaced_are_bounded)
{
	struct region r;
	struct seen s = { 0 };
	char why[JSON_WHY_MAX];

	for (unsigned i = 0; i < 60; i++)
		make_variable(m, "x", 0x3e, "", 0);
	r = opened();
	ck_assert_int_eq(region_list(&r, note, &s, why), 0);
	m->at = MAKE_STORE;
	/* Shorter ones would not fit 65 into this store: plain headers do. */
	r.authenticated = false;
	for (unsigned i = 0; i < REGION_TRANSITIONS_MAX + 1; i++) {
		uint8_t *p = m->p + MAKE_STORE + i * 36;

		memset(p, 0, 36);
		make_u16(p, 0x55aa);
		p[2] = 0x3e;
		make_u32(p + 8, 4);
		p[32] = 'x';
	}
	ck_assert_int_eq(region_list(&r, note, &s, why), -EINVAL);
}
END_TEST

#define OVMF	"/usr/share/OVMF/"
static const struct { const char *path; size_t size; bool has_keys; } shipped[] = {
	{ OVMF "OVMF_VARS.fd", 131072, false },
	{ OVMF "OVMF_VARS.ms.fd", 131072, true },
	{ OVMF "OVMF_VARS_4M.fd", 540672, false },
	{ OVMF "OVMF_VARS_4M.ms.fd", 540672, true },
	{ OVMF "OVMF_VARS_4M.snakeoil.fd", 540672, true },
};

static bool
is_pk(void *arg, const struct region_variable *v)
{
	bool *found = arg;

	*found |= strcmp(v->name, "PK") == 0 &&
	    strcmp(v->guid, "8be4df61-93ca-11d2-aa0d-00e098032b8c") == 0 && v->size > 0;
	return true;
}

START_TEST(the_regions_that_firmware_packages_ship_parse_completely)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1 << 20);
	char why[JSON_WHY_MAX];
	bool found = false;
	struct region r;

	if (access(shipped[_i].path, R_OK) < 0)
		return;		/* not every machine has every file */
	ck_assert_int_eq(file_read(shipped[_i].path, &b), 0);
	ck_assert_msg(region_open(b.data, b.len, shipped[_i].size, &r, why) == 0, "%s", why);
	ck_assert_msg(region_list(&r, is_pk, &found, why) == 0, "%s", why);
	ck_assert_int_eq(found, shipped[_i].has_keys);
	ck_assert(region_is_complete(&r));
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("region");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_empty_region_has_no_variables_and_is_complete);
	tcase_add_test(t, a_variable_is_listed_with_name_guid_attributes_and_data);
	tcase_add_test(t, only_live_variables_are_listed);
	tcase_add_test(t, a_header_that_was_being_written_has_no_body_and_the_next_one_counts);
	tcase_add_test(t, names_come_out_in_utf8);
	tcase_add_test(t, each_thing_that_must_hold_is_checked);
	tcase_add_test(t, one_byte_short_and_one_byte_long_are_refused_120);
	tcase_add_test(t, padding_after_the_volume_is_allowed_and_anything_else_is_not);
	tcase_add_test(t, a_list_that_breaks_says_where);
	tcase_add_test(t, a_region_in_the_middle_of_a_reclaim_is_whole_but_not_complete);
	tcase_add_test(t, a_region_whose_blocks_are_being_replaced_is_not_complete);
	tcase_add_test(t, a_write_behind_one_that_has_ended_counts);
	tcase_add_test(t, a_queue_that_passes_its_end_is_not_followed);
	tcase_add_test(t, variables_being_replaced_are_bounded);
	tcase_add_loop_test(t, the_regions_that_firmware_packages_ship_parse_completely, 0,
	    ARRAY_LEN(shipped));
	return unit_run("region", t);
}
