#include "vmd/images.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/ident.h"
#include "common/instance.h"
#include "common/subjects.h"
#include "common/volume.h"

#define TIMEOUT_MS	5000
#define KEY_MAX		64

static enum images_result
unavailable(enum cas_result res, char why[static DISK_WHY_MAX])
{
	snprintf(why, DISK_WHY_MAX, "%s", cas_result_text(res));
	return IMAGES_UNAVAILABLE;
}

static enum images_result
not_found(const char *id, char why[static DISK_WHY_MAX])
{
	snprintf(why, DISK_WHY_MAX, "The image id '[%s]' does not exist", id);
	return IMAGES_NOT_FOUND;
}

static enum images_result
load(struct bucket *b, const char *key, const char *id, struct image *ret,
    uint64_t *ret_revision, char why[static DISK_WHY_MAX])
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char inner[JSON_WHY_MAX];
	struct image i;
	enum cas_result res = kv_load_wait(b, key, TIMEOUT_MS, &e);

	if (res == CAS_NOT_FOUND)
		return not_found(id, why);
	if (res != CAS_OK)
		return unavailable(res, why);
	if (image_from_json(e.value, e.len, &i, inner) < 0 || strcmp(i.id, id) != 0) {
		snprintf(why, DISK_WHY_MAX, "the record of image %.32s cannot be read: %.150s", id,
		    inner);
		return IMAGES_BAD;
	}
	*ret = i;
	*ret_revision = e.revision;
	return IMAGES_OK;
}

static bool
is_key_of(const char *key, const char *id)
{
	const char *dot = strchr(key, '.');

	return dot && strcmp(dot + 1, id) == 0;
}

/* Among all accounts'.  *ret_key has the key. */
static enum images_result
look_everywhere(struct bucket *b, const char *id, char ret_key[static KEY_MAX],
    struct image *ret, uint64_t *ret_revision, char why[static DISK_WHY_MAX])
{
	struct kv_keys keys = { 0 };
	enum images_result r = IMAGES_NOT_FOUND;
	enum cas_result res = kv_list_wait(b, "", TIMEOUT_MS, &keys);

	if (res != CAS_OK)
		return unavailable(res, why);
	not_found(id, why);
	for (size_t n = 0; n < keys.n && r == IMAGES_NOT_FOUND; n++) {
		if (!is_key_of(keys.key[n], id) || strlen(keys.key[n]) >= KEY_MAX)
			continue;
		r = load(b, keys.key[n], id, ret, ret_revision, why);
		snprintf(ret_key, KEY_MAX, "%s", keys.key[n]);
	}
	kv_keys_deinit(&keys);
	return r;
}

enum images_result
images_find(struct bucket *images, const char *account_id, const char *id, struct image *ret,
    char why[static DISK_WHY_MAX])
{
	char key[KEY_MAX];
	struct image i;
	uint64_t revision;
	enum images_result r = IMAGES_NOT_FOUND;

	if (account_id) {
		snprintf(key, sizeof(key), "%s.%s", account_id, id);
		r = load(images, key, id, &i, &revision, why);
	}
	if (r == IMAGES_NOT_FOUND) {
		r = look_everywhere(images, id, key, &i, &revision, why);
		if (r == IMAGES_OK && account_id && !i.is_public)
			return not_found(id, why);
	}
	if (r == IMAGES_OK)
		*ret = i;
	return r;
}

enum images_result
images_list(struct bucket *images, struct image **ret, size_t *ret_n,
    char why[static DISK_WHY_MAX])
{
	struct kv_keys keys = { 0 };
	enum images_result r = IMAGES_OK;
	enum cas_result res = kv_list_wait(images, "", TIMEOUT_MS, &keys);
	struct image *list;
	size_t n = 0;

	if (res != CAS_OK)
		return unavailable(res, why);
	list = calloc(keys.n ? keys.n : 1, sizeof(*list));
	if (!list)
		r = unavailable(CAS_NOMEM, why);
	for (size_t k = 0; k < keys.n && r == IMAGES_OK; k++) {
		const char *dot = strchr(keys.key[k], '.');
		uint64_t revision;

		if (!dot)
			continue;
		r = load(images, keys.key[k], dot + 1, &list[n], &revision, why);
		if (r == IMAGES_OK)
			n++;
		else if (r == IMAGES_NOT_FOUND)
			r = IMAGES_OK;		/* removed meanwhile */
	}
	kv_keys_deinit(&keys);
	if (r != IMAGES_OK) {
		free(list);
		return r;
	}
	*ret = list;
	*ret_n = n;
	return IMAGES_OK;
}

static enum cas_result
write_record(struct bucket *images, const struct image *i, const cJSON *tags)
{
	AUTO(str) char *text = image_to_json(i, tags);
	char key[KEY_MAX];
	uint64_t revision;
	enum cas_result res = CAS_NOMEM;

	snprintf(key, sizeof(key), "%s.%s", i->account_id, i->id);
	if (text)
		res = kv_put_wait(images, key, text, strlen(text), 0, TIMEOUT_MS, &revision);
	return res;
}

enum images_result
images_import(struct bucket *images, const char *qemu_img, const char *image_dir,
    const char *file, struct image *i, const cJSON *tags, char why[static DISK_WHY_MAX])
{
	struct disk_image d;
	enum cas_result res;
	int r;

	if (i->id[0] == '\0')
		ident_ec2("ami", i->id, sizeof(i->id));
	r = disk_image_import(qemu_img, file, image_dir, i->id, &d, why);
	if (r < 0)
		return IMAGES_REFUSED;
	snprintf(i->file, sizeof(i->file), "%s", d.file);
	snprintf(i->sha256, sizeof(i->sha256), "%s", d.sha256);
	snprintf(i->format, sizeof(i->format), "%s", disk_format_name(d.format));
	if (i->root_device[0] == '\0')
		snprintf(i->root_device, sizeof(i->root_device), "/dev/sda1");
	i->virtual_bytes = d.virtual_bytes;
	i->created_ms = clock_wall_ms(&clock_system);
	res = write_record(images, i, tags);
	/* A record whose fate is unknown may stand: then its file and variables have to stand too. */
	if (res == CAS_UNKNOWN)
		i->uefi_object[0] = '\0';
	else if (res != CAS_OK)
		(void)!disk_image_remove(image_dir, i->file);
	return res == CAS_OK ? IMAGES_OK : unavailable(res, why);
}

/* One record: does it keep the image?  What cannot be read may. */
static bool
is_user(const struct cas_entry *e, const char *key, const char *image_id)
{
	struct instance i;
	char why[JSON_WHY_MAX];
	bool uses;

	if (instance_from_json(e->value, e->len, key + strlen(KEY_INSTANCE_PREFIX), &i, why) < 0)
		return true;
	uses = strcmp(i.image_id, image_id) == 0 &&
	    (i.state != INSTANCE_TERMINATED || strcmp(i.teardown_volume, "done") != 0);
	instance_deinit(&i);
	return uses;
}

static bool
is_over(const struct cas_entry *e, const char *key, const char *image_id)
{
	AUTO(volume) struct volume v = { 0 };
	char why[JSON_WHY_MAX];

	return volume_from_json(e->value, e->len, &v, why) < 0 || strcmp(v.image_id, image_id) == 0;
}

static enum images_result
check_records(struct bucket *b, const char *prefix, const char *id,
    bool (*uses)(const struct cas_entry *e, const char *key, const char *image_id),
    char why[static DISK_WHY_MAX])
{
	struct kv_keys keys = { 0 };
	enum images_result r = IMAGES_OK;
	enum cas_result res = kv_list_wait(b, prefix, TIMEOUT_MS, &keys);

	if (res != CAS_OK)
		return unavailable(res, why);
	for (size_t n = 0; n < keys.n && r == IMAGES_OK; n++) {
		AUTO(cas_entry) struct cas_entry e = { 0 };

		res = kv_load_wait(b, keys.key[n], TIMEOUT_MS, &e);
		if (res != CAS_OK && res != CAS_NOT_FOUND) {
			r = unavailable(res, why);
		} else if (res == CAS_OK && uses(&e, keys.key[n], id)) {
			snprintf(why, DISK_WHY_MAX, "the disk of %s lies over it",
			    keys.key[n] + strlen(prefix));
			r = IMAGES_IN_USE;
		}
	}
	kv_keys_deinit(&keys);
	return r;
}

/* Instances first: what one leaves has its record before the instance is done with. */
static enum images_result
check_unused(struct bucket *instances, struct bucket *volumes, const char *id,
    char why[static DISK_WHY_MAX])
{
	enum images_result r = check_records(instances, KEY_INSTANCE_PREFIX, id, is_user, why);

	return r == IMAGES_OK ? check_records(volumes, "", id, is_over, why) : r;
}

enum images_result
images_remove(struct bucket *images, struct bucket *instances, struct bucket *volumes,
    const char *image_dir, const char *id, char why[static DISK_WHY_MAX])
{
	struct image i;
	char key[KEY_MAX];
	uint64_t revision;
	enum cas_result cas;
	enum images_result r = look_everywhere(images, id, key, &i, &revision, why);
	int e;

	if (r == IMAGES_OK)
		r = check_unused(instances, volumes, id, why);
	if (r != IMAGES_OK)
		return r;
	cas = kv_remove_wait(images, key, revision, TIMEOUT_MS, &revision);
	if (cas != CAS_OK)
		return unavailable(cas, why);
	/* A launch that read the record before it went may have made its instance since. */
	r = check_unused(instances, volumes, id, why);
	if (r != IMAGES_OK) {
		snprintf(why, DISK_WHY_MAX, "its record is removed, its file %.64s is kept: it may be "
		    "in use", i.file);
		return IMAGES_REFUSED;
	}
	e = disk_image_remove(image_dir, i.file);
	if (e == 0)
		return IMAGES_OK;
	snprintf(why, DISK_WHY_MAX, "its record is removed, its file %.64s is not: %s", i.file,
	    strerror(-e));
	return IMAGES_REFUSED;
}
