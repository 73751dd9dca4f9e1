/* What an object of a store must say, and what is refused before any put: rules 116 to 120. */
#include "common/gzip.h"
#include "store_world.h"
#include "uefid/region.h"

#define IMAGE	"ami-0123456789abcdef0"

static struct version
version(void)
{
	struct version v = {
		.owner = ID, .writer_node = "node-a", .source = VERSION_WRITE_BACK,
		.firmware = { "arm64", MAKE_SIZE, "" }, .generation = 7,
	};

	memset(v.firmware.code_sha256, 'a', DIGEST_HEX);
	version_new_key(&v);
	return v;
}

START_TEST(an_object_without_owner_writer_source_or_firmware_is_refused_118)
{
	char why[JSON_WHY_MAX];
	struct version v[6];

	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		v[i] = version();
	ck_assert_int_eq(version_check(&v[0], why), 0);
	snprintf(v[0].owner, sizeof(v[0].owner), "vol-01234567");
	version_new_key(&v[0]);
	v[1].writer_node[0] = '\0';
	v[2].source[0] = '\0';
	v[3].firmware.arch[0] = '\0';
	v[4].firmware.vars_size = 0;
	v[5].firmware.code_sha256[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		ck_assert_int_lt(version_check(&v[i], why), 0);
}
END_TEST

START_TEST(the_object_of_an_image_names_the_image_117)
{
	struct version v = version(), back;
	char why[JSON_WHY_MAX];

	snprintf(v.owner, sizeof(v.owner), IMAGE);
	version_new_key(&v);
	ck_assert_int_eq(version_put(&w->objects.objects, &v, w->template.p, MAKE_SIZE, why),
	    OBJECT_OK);
	ck_assert_str_eq(object_meta(&w->objects.v[0].info, "image-id"), IMAGE);
	ck_assert_ptr_null(object_meta(&w->objects.v[0].info, "instance-id"));
	version_from_info(&w->objects.v[0].info, &back);
	ck_assert_str_eq(back.owner, IMAGE);
	ck_assert_uint_eq(back.generation, 7);
	ck_assert_uint_eq(back.firmware.vars_size, MAKE_SIZE);
}
END_TEST

START_TEST(a_region_of_another_size_or_key_is_refused_before_any_put_120_129)
{
	static uint8_t longer[MAKE_SIZE + 1];
	struct version v = version(), other = version(), nested = version();
	char why[JSON_WHY_MAX];

	memcpy(longer, w->template.p, MAKE_SIZE);
	snprintf(other.key, sizeof(other.key),
	    "uefi/i-0123456789abcdef1/11111111-1111-4111-8111-111111111111");
	snprintf(nested.key, sizeof(nested.key),
	    "uefi/" ID "/x/11111111-1111-4111-8111-111111111111");
	ck_assert_int_eq(version_put(&w->objects.objects, &v, longer, MAKE_SIZE - 1, why),
	    OBJECT_INVALID);
	ck_assert_int_eq(version_put(&w->objects.objects, &v, longer, MAKE_SIZE + 1, why),
	    OBJECT_INVALID);
	ck_assert_int_eq(version_put(&w->objects.objects, &other, longer, MAKE_SIZE, why),
	    OBJECT_INVALID);
	ck_assert_int_eq(version_put(&w->objects.objects, &nested, longer, MAKE_SIZE, why),
	    OBJECT_INVALID);
	ck_assert_uint_eq(w->objects.puts, 0);
}
END_TEST

/* Each over the one before, as a store's versions are: all distinct, though the bytes are the same. */
START_TEST(a_key_is_the_same_for_the_same_bytes_in_the_same_place_and_else_fresh_116)
{
	char keys[64][UEFI_KEY_MAX + 1] = { "" };
	struct version v = version(), again;

	memset(v.sha256, 'b', DIGEST_HEX);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		ck_assert_int_eq(version_key_over(&v, i ? keys[i - 1] : ""), 0);
		ck_assert(uefi_key_is_of(v.key, ID));
		memcpy(keys[i], v.key, sizeof(keys[i]));
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(keys[j], keys[i]);
	}
	ck_assert_int_eq(version_key_over(&v, keys[7]), 0);
	ck_assert_str_eq(v.key, keys[8]);
	for (int i = 0; i < 5; i++) {
		again = v;
		again.generation += i == 0;
		again.sha256[0] ^= i == 1;
		again.source[0] ^= i == 2;
		again.firmware.code_sha256[0] ^= i == 3;
		again.owner[3] ^= i == 4;
		ck_assert_int_eq(version_key_over(&again, keys[7]), 0);
		ck_assert_str_ne(again.key, keys[8]);
	}
}
END_TEST

static enum object_result
get(uint64_t vars_size, struct buf *ret, char why[static JSON_WHY_MAX])
{
	why[0] = '\0';
	return version_get(&w->objects.objects, w->objects.v[0].info.key, vars_size, ret, NULL, why);
}

static void
object_of(const struct buf *b)
{
	struct fake_object *o = &w->objects.v[0];

	ck_assert_uint_le(b->len, FAKE_BYTES);
	memcpy(o->bytes, b->data, b->len);
	o->info.bytes = b->len;
}

START_TEST(an_object_is_one_gzip_member_of_exactly_the_region_and_nothing_after_it)
{
	AUTO(buf) struct buf good = BUF_EMPTY(FAKE_BYTES), bad = BUF_EMPTY(FAKE_BYTES);
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	static const size_t sizes[] = { 0, MAKE_SIZE - 1, MAKE_SIZE + 1, 1 << 20 };
	uint8_t *bomb = calloc(1, 1 << 20);
	struct version v = version();
	char why[JSON_WHY_MAX];

	ck_assert_ptr_nonnull(bomb);
	ck_assert_int_eq(version_put(&w->objects.objects, &v, w->template.p, MAKE_SIZE, why),
	    OBJECT_OK);
	ck_assert_int_eq(buf_add(&good, w->objects.v[0].bytes, w->objects.v[0].info.bytes), 0);
	ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_OK);
	ck_assert_mem_eq(b.data, w->template.p, MAKE_SIZE);
	buf_deinit(&b);
	/* A byte after it, and another member after it. */
	ck_assert_int_eq(buf_add(&bad, good.data, good.len), 0);
	ck_assert_int_eq(buf_add(&bad, "", 1), 0);
	object_of(&bad);
	ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_INVALID);
	bad.len = good.len;
	ck_assert_int_eq(gzip_pack("", 0, &bad), 0);
	object_of(&bad);
	ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_INVALID);
	/* Cut anywhere. */
	for (bad.len = 0; bad.len < good.len; bad.len++) {
		object_of(&bad);
		ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_INVALID);
	}
	/* One member of too little or too much, however small it is packed. */
	memcpy(bomb, w->template.p, MAKE_SIZE);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		bad.len = 0;
		ck_assert_int_eq(gzip_pack(bomb, sizes[i], &bad), 0);
		object_of(&bad);
		ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_INVALID);
		ck_assert(why[0] != '\0' && b.len == 0);
	}
	object_of(&good);
	ck_assert_int_eq(get(MAKE_SIZE, &b, why), OBJECT_OK);
	free(bomb);
}
END_TEST

START_TEST(an_object_that_says_it_is_larger_than_any_region_is_refused_with_the_limit)
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	struct version v = version();
	struct object_info *o = &w->objects.v[0].info;
	char why[JSON_WHY_MAX];

	ck_assert_int_eq(version_put(&w->objects.objects, &v, w->template.p, MAKE_SIZE, why),
	    OBJECT_OK);
	ck_assert_int_eq(get(0, &b, why), OBJECT_OK);	/* as large as it says */
	buf_deinit(&b);
	for (size_t i = 0; i < o->nmeta; i++)
		if (strcmp(o->meta[i].name, "firmware-vars-size") == 0)
			snprintf(o->meta[i].value, sizeof(o->meta[i].value), "%u", REGION_MAX + 1);
	ck_assert_int_eq(get(0, &b, why), OBJECT_INVALID);
	ck_assert_ptr_nonnull(strstr(why, "limit of 67108864"));
	ck_assert_int_eq(get(REGION_MAX, &b, why), OBJECT_INVALID);
	ck_assert_ptr_null(strstr(why, "limit"));	/* at the edge it is judged by its bytes */
}
END_TEST

START_TEST(a_generation_that_is_no_number_counts_as_unreadable)
{
	static const char *const bad[] = { "x", "07", "-1", "18446744073709551616", "1 " };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct object_info o = { .nmeta = 1 };
		struct version v;

		snprintf(o.meta[0].name, sizeof(o.meta[0].name), "generation");
		snprintf(o.meta[0].value, sizeof(o.meta[0].value), "%s", bad[i]);
		version_from_info(&o, &v);
		ck_assert_uint_eq(v.generation, 0);
	}
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("version");

	tcase_add_checked_fixture(t, world_setup, world_teardown);
	tcase_add_test(t, an_object_without_owner_writer_source_or_firmware_is_refused_118);
	tcase_add_test(t, the_object_of_an_image_names_the_image_117);
	tcase_add_test(t, a_region_of_another_size_or_key_is_refused_before_any_put_120_129);
	tcase_add_test(t, a_key_is_the_same_for_the_same_bytes_in_the_same_place_and_else_fresh_116);
	tcase_add_test(t,
	    an_object_is_one_gzip_member_of_exactly_the_region_and_nothing_after_it);
	tcase_add_test(t,
	    an_object_that_says_it_is_larger_than_any_region_is_refused_with_the_limit);
	tcase_add_test(t, a_generation_that_is_no_number_counts_as_unreadable);
	return unit_run("version", t);
}
