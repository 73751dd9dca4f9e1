/* What an object of a store must say, and what is refused before any put: rules 116 to 120. */
#include "store_world.h"

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
	tcase_add_test(t, a_generation_that_is_no_number_counts_as_unreadable);
	return unit_run("version", t);
}
