/* Variables from outside: UefiData into a store, and what an image carries. */
#include "store_world.h"
#include "uefid/look.h"
#include "uefid/region.h"
#include "uefid/uefi_data.h"

#define IMAGE	"ami-0123456789abcdef0"

/* UefiData of one variable. */
static void
data_of(const char *name, struct buf *ret)
{
	char why[JSON_WHY_MAX];
	struct region r;
	struct make m;

	make_init(&m);
	make_variable(&m, name, 0x3f, "data", 4);
	ck_assert_int_eq(region_open(m.p, MAKE_SIZE, MAKE_SIZE, &r, why), 0);
	*ret = BUF_EMPTY(UEFI_DATA_MAX);
	ck_assert_msg(uefi_data_write(&r, ret, why) == 0, "%s", why);
}

static bool
note(void *arg, const struct region_variable *v)
{
	char *names = arg;
	size_t len = strlen(names);

	snprintf(names + len, 512 - len, "%s ", v->name);
	return true;
}

static const char *
names_of(const char *key, char names[static 512])
{
	AUTO(buf) struct buf b = BUF_EMPTY(0);
	char why[JSON_WHY_MAX] = "";
	struct region r;

	names[0] = '\0';
	ck_assert_msg(version_get(&w->objects.objects, key, 0, &b, NULL, why) == OBJECT_OK, "%s", why);
	ck_assert_int_eq(region_open(b.data, b.len, b.len, &r, why), 0);
	ck_assert_int_eq(region_list(&r, note, names, why), 0);
	return names;
}

static struct store_call
image_call(void)
{
	struct store_call c = call("");

	snprintf(c.image_id, sizeof(c.image_id), IMAGE);
	return c;
}

static struct fake_object *
object(const char *key)
{
	struct fake_object *o = object_find(&w->objects, key);

	if (!o)
		ck_abort_msg("there is no object %s", key);
	return o;
}

static struct version
version_of(const char *key)
{
	struct version v;

	version_from_info(&object(key)->info, &v);
	return v;
}

static void
closed_store(void)
{
	struct store_call c = call("l-1");

	(void)guest_wrote("Later");
	ck_store(store_close(&c), STORE_OK, c);
}

START_TEST(an_import_is_a_new_object_with_just_those_variables_and_the_claim_is_free)
{
	AUTO(buf) struct buf data = BUF_EMPTY(0);
	struct store_call c;
	char names[512];

	closed_store();
	data_of("Boot0042", &data);
	c = call("");
	c.uefi_data = &data;
	ck_store(store_import(&c), STORE_OK, c);
	ck_assert_str_eq(record().pointer.key, c.key);
	ck_assert_uint_eq(record().generation, c.generation);
	ck_assert_str_eq(names_of(c.key, names), "Boot0042 ");
	ck_assert_str_eq(version_of(c.key).source, VERSION_IMPORT);
	ck_assert(claim_is_free());
	c = call("l-2");
	ck_store(store_open(&c), STORE_OK, c);
}
END_TEST

START_TEST(an_import_of_what_is_not_right_changes_nothing)
{
	AUTO(buf) struct buf data = BUF_EMPTY(0);
	struct uefi_record before;
	struct store_call c;
	size_t n;

	closed_store();
	before = record();
	n = objects_there();
	data_of("Boot0042", &data);
	data.data[data.len - 1] ^= 1;
	c = call("");
	c.uefi_data = &data;
	ck_store(store_import(&c), STORE_INVALID, c);
	ck_assert_str_eq(record().pointer.key, before.pointer.key);
	ck_assert_uint_eq(record().generation, before.generation);
	ck_assert_uint_eq(objects_there(), n);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(an_import_while_a_guest_has_the_store_is_refused)
{
	AUTO(buf) struct buf data = BUF_EMPTY(0);
	struct store_call c;

	(void)guest_wrote("Later");
	data_of("Boot0042", &data);
	c = call("");
	c.uefi_data = &data;
	ck_store(store_import(&c), STORE_BUSY, c);
}
END_TEST

START_TEST(a_dictionary_that_is_not_there_is_said_by_its_name)
{
	AUTO(buf) struct buf data = BUF_EMPTY(0);
	struct store_call c;

	closed_store();
	data_of("Boot0042", &data);
	w->env.dictionary = "/nonexistent/dictionary";
	c = call("");
	c.uefi_data = &data;
	ck_store(store_import(&c), STORE_REFUSED, c);
	ck_assert_ptr_nonnull(strstr(c.why, "/nonexistent/dictionary"));
}
END_TEST

static struct store_call
made(const char *name)
{
	AUTO(buf) struct buf data = BUF_EMPTY(0);
	struct store_call c = image_call();

	data_of(name, &data);
	c.uefi_data = &data;
	ck_store(store_image_make(&c), STORE_OK, c);
	c.uefi_data = NULL;
	return c;
}

START_TEST(an_images_object_is_its_own_and_needs_no_record_or_claim)
{
	struct store_call c = made("db");
	char names[512];

	ck_assert(uefi_key_is_of(c.key, IMAGE));
	ck_assert_str_eq(names_of(c.key, names), "db ");
	ck_assert_str_eq(version_of(c.key).owner, IMAGE);
	ck_assert_uint_eq(version_of(c.key).generation, 0);
	ck_assert(claim_is_free());
}
END_TEST

START_TEST(a_store_that_is_seeded_from_an_image_begins_with_its_variables)
{
	struct store_call image = made("db"), c = image_call();
	char names[512];

	snprintf(c.image_key, sizeof(c.image_key), "%s", image.key);
	ck_store(store_seed(&c), STORE_OK, c);
	ck_assert(uefi_key_is_of(c.key, ID));
	ck_assert_str_eq(names_of(c.key, names), "db ");
	ck_assert_str_eq(version_of(c.key).source, VERSION_IMAGE IMAGE);
	ck_assert_uint_eq(version_of(c.key).generation, c.generation);
}
END_TEST

START_TEST(a_seed_names_an_object_of_that_image_or_makes_none)
{
	struct store_call image = made("db"), c = image_call();

	snprintf(c.image_key, sizeof(c.image_key), "%s", image.key);
	c.image_id[4]++;
	ck_store(store_seed(&c), STORE_INVALID, c);
	c = image_call();
	snprintf(c.image_key, sizeof(c.image_key), "%s", image.key);
	object(image.key)->bytes[12] ^= 0xff;
	ck_store(store_seed(&c), STORE_INVALID, c);
	ck_assert_str_eq(record().pointer.key, "");
}
END_TEST

START_TEST(variables_for_another_architecture_are_refused)
{
	struct store_call image = made("db"), c = image_call();
	struct object_info *o = &object(image.key)->info;

	for (size_t i = 0; i < o->nmeta; i++)
		if (strcmp(o->meta[i].name, "firmware-arch") == 0)
			snprintf(o->meta[i].value, sizeof(o->meta[i].value), "x86_64");
	snprintf(c.image_key, sizeof(c.image_key), "%s", image.key);
	ck_store(store_seed(&c), STORE_MISMATCH, c);
}
END_TEST

/* This node's firmware has a larger flash than that under which the image was made. */
START_TEST(variables_of_a_region_of_another_size_are_put_into_one_of_this_nodes)
{
	struct store_call image = made("db"), c = image_call();
	static uint8_t larger[2 * MAKE_SIZE];
	char names[512];

	memset(larger, 0xff, sizeof(larger));
	memcpy(larger, w->template.p, MAKE_SIZE);
	make_u32(larger + 32, 2 * MAKE_SIZE);
	make_u32(larger + 56, 2 * MAKE_SIZE / 4096);
	make_sum(larger);
	world_firmware("vars", larger, sizeof(larger));
	snprintf(c.image_key, sizeof(c.image_key), "%s", image.key);
	ck_store(store_seed(&c), STORE_OK, c);
	ck_assert_uint_eq(record().pointer.firmware.vars_size, 2 * MAKE_SIZE);
	ck_assert_str_eq(names_of(c.key, names), "db ");
}
END_TEST

/* In the middle of a reclaim the store proper is empty, and firmware has the rest to do. */
START_TEST(what_firmware_is_rewriting_is_no_copy_for_anybody)
{
	struct make m = guest_wrote("Later"), half = m;
	struct store_call c = image_call();
	struct look l = { 0 };
	struct copy p = paths();
	int guest = file_lock(p.lock);

	ck_assert_int_ge(guest, 0);
	make_reclaiming(&half);
	guest_writes(half.p);
	ck_store(store_image_copy(&c), STORE_UNAVAILABLE, c);
	ck_assert_ptr_nonnull(strstr(c.why, "rewriting"));
	ck_assert_uint_eq(w->objects.puts, 1);
	c = call("");
	ck_store(look_vars(&c, &l), STORE_UNAVAILABLE, c);
	look_deinit(&l);
	guest_writes(m.p);
	ck_store(look_vars(&c, &l), STORE_OK, c);
	look_deinit(&l);
	/* Of a guest that is dead nothing better will come. */
	guest_writes(half.p);
	close(guest);
	ck_store(look_vars(&c, &l), STORE_OK, c);
	ck_assert(l.from_local);
	look_deinit(&l);
}
END_TEST

START_TEST(a_copy_is_what_the_instance_has_now_and_outlives_it)
{
	struct store_call c, image = image_call();
	struct make m = guest_wrote("Later");
	char names[512];

	ck_store(store_image_copy(&image), STORE_OK, image);	/* not written back yet */
	ck_assert(uefi_key_is_of(image.key, IMAGE));
	ck_assert_str_eq(names_of(image.key, names), "Template Later ");
	ck_assert_str_eq(version_of(image.key).source, VERSION_INSTANCE ID);
	c = call("l-1");
	ck_store(store_close(&c), STORE_OK, c);
	ck_assert(pointer_holds(m.p));
	c = call("");
	ck_store(store_delete(&c), STORE_OK, c);
	ck_assert_str_eq(names_of(image.key, names), "Template Later ");
	image = image_call();
	ck_store(store_image_copy(&image), STORE_DELETING, image);
}
END_TEST

START_TEST(a_drop_takes_an_images_objects_and_no_other)
{
	struct store_call c;
	size_t n;

	closed_store();
	n = objects_there();
	(void)made("db");
	(void)made("dbx");
	c = image_call();
	ck_store(store_image_drop(&c), STORE_OK, c);
	ck_store(store_image_drop(&c), STORE_OK, c);
	ck_assert_uint_eq(objects_there(), n);
	c.image_id[0] = 'i';
	ck_store(store_image_drop(&c), STORE_INVALID, c);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("store_image");

	tcase_add_checked_fixture(tc, world_setup, world_teardown);
	tcase_add_test(tc, an_import_is_a_new_object_with_just_those_variables_and_the_claim_is_free);
	tcase_add_test(tc, an_import_of_what_is_not_right_changes_nothing);
	tcase_add_test(tc, an_import_while_a_guest_has_the_store_is_refused);
	tcase_add_test(tc, a_dictionary_that_is_not_there_is_said_by_its_name);
	tcase_add_test(tc, an_images_object_is_its_own_and_needs_no_record_or_claim);
	tcase_add_test(tc, a_store_that_is_seeded_from_an_image_begins_with_its_variables);
	tcase_add_test(tc, a_seed_names_an_object_of_that_image_or_makes_none);
	tcase_add_test(tc, variables_for_another_architecture_are_refused);
	tcase_add_test(tc, variables_of_a_region_of_another_size_are_put_into_one_of_this_nodes);
	tcase_add_test(tc, what_firmware_is_rewriting_is_no_copy_for_anybody);
	tcase_add_test(tc, a_copy_is_what_the_instance_has_now_and_outlives_it);
	tcase_add_test(tc, a_drop_takes_an_images_objects_and_no_other);
	return unit_run("store_image", tc);
}
