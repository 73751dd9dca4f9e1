/* Regions written anew: byte for byte those of firmware packages and of guests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/file.h"
#include "common/gzip.h"
#include "region_make.h"
#include "tests/unit/unit.h"
#include "uefid/region_write.h"

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

static struct region
opened(const void *p, size_t n)
{
	char why[JSON_WHY_MAX];
	struct region r;

	ck_assert_msg(region_open(p, n, n, &r, why) == 0, "%s", why);
	return r;
}

static void
begin(enum region_rest rest, struct buf *out, struct region_writer *w)
{
	struct region like = opened(m->p, MAKE_SIZE);
	char why[JSON_WHY_MAX];

	ck_assert_msg(region_begin(&like, rest, out, w, why) == 0, "%s", why);
}

static bool
copy(void *arg, const struct region_entry *e)
{
	ck_assert_int_eq(region_add_entry(arg, e), 0);
	return true;
}

/* Every header, live or not, once through the reader and the writer. */
static void
assert_round_trip(const char *name, const void *p, size_t n)
{
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct region r = opened(p, n);
	struct region_writer w;
	char why[JSON_WHY_MAX] = "";

	ck_assert_msg(region_begin(&r, REGION_REST_KEPT, &out, &w, why) == 0, "%s: %s", name, why);
	ck_assert_msg(region_entries(&r, copy, &w, why) == 0, "%s: %s", name, why);
	ck_assert_uint_eq(out.len, n);
	for (size_t i = 0; i < n; i++)
		if (out.data[i] != ((const uint8_t *)p)[i])
			ck_abort_msg("%s differs at %zu", name, i);
}

/* ---- what there is ---- */

#define OVMF	"/usr/share/OVMF/"
#define AAVMF	"/usr/share/AAVMF/"
static const char *const shipped[] = {
	OVMF "OVMF_VARS.fd", OVMF "OVMF_VARS.ms.fd", OVMF "OVMF_VARS_4M.fd",
	OVMF "OVMF_VARS_4M.ms.fd", OVMF "OVMF_VARS_4M.snakeoil.fd",
	/* AAVMF_VARS.fd is nothing but zeros: no firmware has formatted it yet. */
	AAVMF "AAVMF_VARS.ms.fd", AAVMF "AAVMF_VARS.snakeoil.fd",
};

START_TEST(what_firmware_packages_ship_is_written_byte_for_byte)
{
	AUTO(buf) struct buf b = BUF_EMPTY(REGION_MAX);

	if (access(shipped[_i], R_OK) < 0)
		return;		/* not every machine has every file */
	ck_assert_int_eq(file_read(shipped[_i], &b), 0);
	assert_round_trip(shipped[_i], b.data, b.len);
}
END_TEST

/* Made by OVMF and a Linux in it; large: with some variables of 4000 bytes. */
static const char *const written[] = {
	"tests/unit/uefid/guest-2m.gz", "tests/unit/uefid/guest-4m.gz",
	"tests/unit/uefid/guest-large.gz",
};

START_TEST(what_guests_wrote_is_written_byte_for_byte)
{
	AUTO(buf) struct buf packed = BUF_EMPTY(1 << 20), b = BUF_EMPTY(1 << 20);

	ck_assert_int_eq(file_read(written[_i], &packed), 0);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &b), 0);
	assert_round_trip(written[_i], b.data, b.len);
}
END_TEST

START_TEST(headers_of_every_state_come_out_as_they_were)
{
	size_t half;

	make_variable(m, "Live", 0x3f, "abc", 3);
	make_variable(m, "Deleted", 0x3c, "x", 1);
	make_variable(m, "BeingReplaced", 0x3e, "12345", 5);
	make_variable(m, "HeaderOnly", 0x7f, "1", 1);
	make_variable(m, "BeingReplaced", 0x3f, "67890", 5);
	half = make_variable(m, "", 0xff, "", 0);
	memset(m->p + half + 4, 0xff, 60 + 2 - 4);	/* a start and a state, no more yet */
	assert_round_trip("made", m->p, MAKE_SIZE);
}
END_TEST

/* ---- anew ---- */

static const uint8_t vendor[16] = { 0x61, 0xdf, 0xe4, 0x8b, 0xca, 0x93, 0xd2, 0x11, 0xaa, 0x0d, 0,
	0xe0, 0x98, 0x03, 0x2b, 0x8c };

static struct region_variable
variable(const char *name, uint32_t attributes, const void *data, size_t n)
{
	struct region_variable v = {
		.attributes = attributes, .data = data, .size = n, .guid_bytes = vendor,
	};

	snprintf(v.name, sizeof(v.name), "%s", name);
	return v;
}

static int
add(struct region_writer *w, const char *name, uint32_t attributes, const char *data)
{
	struct region_variable v = variable(name, attributes, data, strlen(data));
	char why[JSON_WHY_MAX] = "";
	int r = region_add(w, &v, why);

	ck_assert_msg((r == -EINVAL) == (why[0] != '\0'), "%d with \"%s\"", r, why);
	return r;
}

struct seen {
	unsigned	 n;
	char		 text[512];
};

static bool
note(void *arg, const struct region_variable *v)
{
	struct seen *s = arg;
	size_t len = strlen(s->text);

	s->n++;
	snprintf(s->text + len, sizeof(s->text) - len, "%s=%.*s ", v->name, (int)v->size, v->data);
	return true;
}

START_TEST(variables_come_back_by_name_and_data_in_their_order)
{
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct seen s = { 0 };
	struct region_writer w;
	struct region r;
	char why[JSON_WHY_MAX];

	begin(REGION_REST_CLEAN, &out, &w);
	ck_assert_int_eq(add(&w, "One", 7, "first"), 0);
	ck_assert_int_eq(add(&w, "Gr\xc3\xb6\xc3\x9f" "e \xe2\x82\xac \xf0\x9f\x91\xbd", 3, "x"), 0);
	ck_assert_int_eq(add(&w, "Two", 7, "odd"), 0);
	r = opened(out.data, out.len);
	ck_assert_msg(region_list(&r, note, &s, why) == 0, "%s", why);
	ck_assert_str_eq(s.text, "One=first Gr\xc3\xb6\xc3\x9f" "e \xe2\x82\xac \xf0\x9f\x91\xbd=x "
	    "Two=odd ");
	ck_assert(region_is_complete(&r));
}
END_TEST

START_TEST(a_time_is_kept_where_a_variable_is_signed_by_it)
{
	static const uint8_t time[16] = { 0xe8, 0x07, 6, 1, 2, 3, 4 };
	struct region_variable v = variable("db", 0x27, "keys", 4), w_o = variable("a", 7, "b", 1);
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct region_writer w;
	char why[JSON_WHY_MAX];

	begin(REGION_REST_CLEAN, &out, &w);
	v.time = w_o.time = time;
	ck_assert_int_eq(region_add(&w, &v, why), 0);
	ck_assert_mem_eq(out.data + MAKE_STORE + 16, time, 16);
	ck_assert_int_eq(region_add(&w, &w_o, why), 0);
	ck_assert_uint_eq(out.data[MAKE_STORE + 60 + 6 + 4 + 2 + 16], 0);
}
END_TEST

START_TEST(what_firmware_could_not_have_written_is_refused_and_nothing_changed)
{
	static const char *const names[] = {
		"", "\xff", "a\x80", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
		"\xf8\x88\x80\x80\x80", "\xe2\x82",
	};
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct region_writer w;

	begin(REGION_REST_CLEAN, &out, &w);
	ck_assert_int_eq(add(&w, "One", 7, "1"), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		ck_assert_msg(add(&w, names[i], 7, "x") == -EINVAL, "%zu", i);
	ck_assert_int_eq(add(&w, "One", 7, "2"), -EINVAL);
	ck_assert_int_eq(add(&w, "Volatile", 6, "2"), -EINVAL);
	ck_assert_int_eq(add(&w, "Empty", 7, ""), -EINVAL);
	w.view.authenticated = false;
	ck_assert_int_eq(add(&w, "db", 0x27, "2"), -EINVAL);
	w.view.authenticated = true;
	for (size_t at = w.at; at < MAKE_END; at++)
		ck_assert_uint_eq(out.data[at], 0xff);
}
END_TEST

START_TEST(a_store_is_filled_to_its_last_byte_and_not_past_it)
{
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct region_writer w;
	struct region r;
	struct seen s = { 0 };
	char why[JSON_WHY_MAX], data[MAKE_END];
	size_t room = MAKE_END - MAKE_STORE - 60 - 4;

	memset(data, 'x', sizeof(data));
	data[room + 1] = '\0';
	begin(REGION_REST_CLEAN, &out, &w);
	ck_assert_int_eq(add(&w, "A", 7, data), -ENOSPC);
	data[room] = '\0';
	ck_assert_int_eq(add(&w, "A", 7, data), 0);
	ck_assert_int_eq(add(&w, "B", 7, "x"), -ENOSPC);
	ck_assert_uint_eq(out.data[MAKE_END], 0xff);
	r = opened(out.data, out.len);
	ck_assert_int_eq(region_list(&r, note, &s, why), 0);
	ck_assert_uint_eq(s.n, 1);
}
END_TEST

/* The half of the volume that firmware writes through, and its working block. */
START_TEST(a_clean_rest_leaves_firmware_nothing_to_recover)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1 << 20), out = BUF_EMPTY(0), like = BUF_EMPTY(0);
	AUTO(buf) struct buf packed = BUF_EMPTY(1 << 20);
	struct region_writer w;
	struct region r, template;
	char why[JSON_WHY_MAX];

	if (access(OVMF "OVMF_VARS_4M.fd", R_OK) < 0)
		return;
	ck_assert_int_eq(file_read(OVMF "OVMF_VARS_4M.fd", &b), 0);
	template = opened(b.data, b.len);
	ck_assert_int_eq(region_begin(&template, REGION_REST_KEPT, &like, &w, why), 0);
	ck_assert_int_eq(file_read("tests/unit/uefid/guest-large.gz", &packed), 0);
	AUTO(buf) struct buf used = BUF_EMPTY(1 << 20);
	ck_assert_int_eq(gzip_unpack(packed.data, packed.len, &used), 0);
	/* As after a loss of power: a write in the queue, and half of it in the spare half. */
	memset(used.data + 0x41000 + 32, 0x5a, 40);
	memset(used.data + 0x42000, 0, 100);
	r = opened(used.data, used.len);
	ck_assert_int_eq(region_begin(&r, REGION_REST_CLEAN, &out, &w, why), 0);
	ck_assert_uint_eq(out.len, like.len);
	/* As the template is, whose rest no firmware ever wrote. */
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] != like.data[i])
			ck_abort_msg("differs at %zu", i);
}
END_TEST

START_TEST(a_region_that_cannot_be_written_anew_is_refused)
{
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct region like;
	struct region_writer w;
	char why[JSON_WHY_MAX];

	m->p[MAKE_HEADER + 23] = 1;		/* a reserved byte of the store's header */
	like = opened(m->p, MAKE_SIZE);
	ck_assert_int_eq(region_begin(&like, REGION_REST_CLEAN, &out, &w, why), -EINVAL);
	buf_deinit(&out);
	make_init(m);
	make_reclaiming(m);
	like = opened(m->p, MAKE_SIZE);
	ck_assert_int_eq(region_begin(&like, REGION_REST_CLEAN, &out, &w, why), -EINVAL);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("region_write");

	tcase_set_timeout(t, 60);		/* 64 MiB under a sanitizer */
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, what_firmware_packages_ship_is_written_byte_for_byte, 0,
	    ARRAY_LEN(shipped));
	tcase_add_loop_test(t, what_guests_wrote_is_written_byte_for_byte, 0, ARRAY_LEN(written));
	tcase_add_test(t, headers_of_every_state_come_out_as_they_were);
	tcase_add_test(t, variables_come_back_by_name_and_data_in_their_order);
	tcase_add_test(t, a_time_is_kept_where_a_variable_is_signed_by_it);
	tcase_add_test(t, what_firmware_could_not_have_written_is_refused_and_nothing_changed);
	tcase_add_test(t, a_store_is_filled_to_its_last_byte_and_not_past_it);
	tcase_add_test(t, a_clean_rest_leaves_firmware_nothing_to_recover);
	tcase_add_test(t, a_region_that_cannot_be_written_anew_is_refused);
	return unit_run("region_write", t);
}
