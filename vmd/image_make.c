/*
 * vm.v1.<node>.image-{import,register,create}: an image of the disk that another image has, or an
 * instance; with UEFI variables of its own, which uefid keeps.  Variables first, then the file,
 * then the record that names both; what comes before a failure is taken away again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/ident.h"
#include "common/instance.h"
#include "common/network.h"
#include "common/subjects.h"
#include "vmd/image_job.h"

#define READ_MS		5000
#define UEFI_MS		35000

PRINTF_LIKE(3, 4) static bool
fail(struct image_job *j, enum images_result r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(j->why, sizeof(j->why), fmt, ap);
	va_end(ap);
	j->res = r;
	return false;
}

/* ---- its variables ---- */

static bool
ask_uefid(struct image_job *j, const char *verb, cJSON *in, char *ret_object, size_t size)
{
	AUTO(json) cJSON *out = NULL;
	char subject[BUS_SUBJECT_MAX + 1];
	struct bus_error e;
	const char *key;

	snprintf(subject, sizeof(subject), "uefi.v1.%.64s.%s", j->node, verb);
	if (!in || !cJSON_AddStringToObject(in, "image_id", j->image.id))
		return fail(j, IMAGES_UNAVAILABLE, "no memory");
	if (bus_call_wait(j->bus, subject, in, UEFI_MS, &out, &e) < 0)
		return fail(j, e.retryable || strncmp(e.code, "bus.", 4) == 0 ?
		    IMAGES_UNAVAILABLE : strcmp(e.code, "uefi.invalid") == 0 ?
		    IMAGES_BAD_VARIABLES : IMAGES_REFUSED, "%.200s", e.message);
	key = json_text(out, "object");
	if (ret_object)
		snprintf(ret_object, size, "%s", key ? key : "");
	return true;
}

static bool
make_variables(struct image_job *j)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!j->uefi_data)
		return true;
	if (strcmp(j->image.boot_mode, "legacy-bios") == 0)
		return fail(j, IMAGES_BAD_VARIABLES, "UefiData: an image with boot mode legacy-bios has "
		    "no UEFI variables");
	if (!in || !cJSON_AddStringToObject(in, "account_id", j->image.account_id) ||
	    !cJSON_AddStringToObject(in, "arch", j->image.arch) ||
	    !cJSON_AddStringToObject(in, "data", j->uefi_data))
		return fail(j, IMAGES_UNAVAILABLE, "no memory");
	return ask_uefid(j, "image-make", in, j->image.uefi_object, sizeof(j->image.uefi_object));
}

/* The node's template with keys: with it firmware starts only what they sign. */
static bool
enroll(struct image_job *j)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!j->secure_boot)
		return true;
	if (!in || !cJSON_AddStringToObject(in, "arch", j->image.arch) ||
	    !cJSON_AddTrueToObject(in, "enrolled"))
		return fail(j, IMAGES_UNAVAILABLE, "no memory");
	return ask_uefid(j, "image-make", in, j->image.uefi_object, sizeof(j->image.uefi_object));
}

static bool
copy_variables(struct image_job *j, bool has_store)
{
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (!has_store)
		return true;
	if (!in || !cJSON_AddStringToObject(in, "account_id", j->image.account_id) ||
	    !cJSON_AddStringToObject(in, "instance_id", j->instance_id))
		return fail(j, IMAGES_UNAVAILABLE, "no memory");
	return ask_uefid(j, "image-copy", in, j->image.uefi_object, sizeof(j->image.uefi_object));
}

/* What is left over is said, and not tried again: reaperd removes it. */
void
image_drop_variables(struct image_job *j)
{
	struct image_job copy = *j;
	AUTO(json) cJSON *in = cJSON_CreateObject();

	if (j->image.uefi_object[0] != '\0' && !ask_uefid(&copy, "image-drop", in, NULL, 0))
		log_fields(LOG_WARNING, &(const struct log_ctx){ .object = j->image.id },
		    "the variables of image %s are left behind: %s", j->image.id, copy.why);
}

/* ---- register ---- */

static bool
check_name(struct image_job *j, const struct image *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].account_id, j->image.account_id) == 0 &&
		    strcmp(list[i].name, j->image.name) == 0)
			return fail(j, IMAGES_DUPLICATE, "AMI name %.80s is already in use by AMI %s",
			    j->image.name, list[i].id);
	return true;
}

/* An image's snapshot is named after it, and is its file. */
static const struct image *
image_of_snapshot(const struct image_job *j, const struct image *list, size_t n)
{
	char snapshot[24];

	for (size_t i = 0; i < n; i++) {
		network_id("snap", list[i].id, snapshot, sizeof(snapshot));
		if (strcmp(snapshot, j->snapshot_id) == 0 && (list[i].is_public ||
		    strcmp(list[i].account_id, j->image.account_id) == 0))
			return &list[i];
	}
	return NULL;
}

static bool
import_file(struct image_job *j, const char *file)
{
	j->res = images_import(j->images, j->qemu_img, j->image_dir, file, &j->image, j->tags,
	    j->why);
	return j->res == IMAGES_OK;
}

void
image_import_run(void *job)
{
	struct image_job *j = job;

	ident_ec2("ami", j->image.id, sizeof(j->image.id));
	if (enroll(j) && !import_file(j, j->file))
		image_drop_variables(j);
}

void
image_register_run(void *job)
{
	struct image_job *j = job;
	const struct image *from = NULL;
	char path[512];

	j->res = images_list(j->images, &j->list, &j->n, j->why);
	if (j->res != IMAGES_OK || !check_name(j, j->list, j->n))
		return;
	from = image_of_snapshot(j, j->list, j->n);
	if (!from) {
		(void)fail(j, IMAGES_NO_SNAPSHOT, "The snapshot '%s' does not exist.", j->snapshot_id);
		return;
	}
	if (file_path(path, sizeof(path), "%s/%s", j->image_dir, from->file) < 0) {
		(void)fail(j, IMAGES_REFUSED, "the path of %s is too long", from->id);
		return;
	}
	ident_ec2("ami", j->image.id, sizeof(j->image.id));
	if (make_variables(j) && !import_file(j, path))
		image_drop_variables(j);
}

/* ---- create ---- */

/* The instance as it is now, and whether it has a store of variables. */
static bool
look_at_instance(struct image_job *j, bool *ret_has_store)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	char key[64], why[JSON_WHY_MAX];
	struct instance i;
	enum cas_result r;
	bool is_here, is_stopped;

	snprintf(key, sizeof(key), KEY_INSTANCE_PREFIX "%s", j->instance_id);
	r = kv_load_wait(j->instances, key, READ_MS, &e);
	if (r == CAS_NOT_FOUND)
		return fail(j, IMAGES_NO_INSTANCE, "The instance ID '%s' does not exist",
		    j->instance_id);
	if (r != CAS_OK)
		return fail(j, IMAGES_UNAVAILABLE, "%s", cas_result_text(r));
	if (instance_from_json(e.value, e.len, j->instance_id, &i, why) < 0)
		return fail(j, IMAGES_BAD, "the record of %s: %.150s", j->instance_id, why);
	is_here = strcmp(i.node, j->node) == 0 || i.node[0] == '\0';
	is_stopped = i.state == INSTANCE_STOPPED;
	*ret_has_store = strcmp(i.boot_mode, "legacy-bios") != 0;
	snprintf(j->volume_id, sizeof(j->volume_id), "%s", i.volume_id);
	snprintf(j->image.arch, sizeof(j->image.arch), "%s", i.arch);
	snprintf(j->image.boot_mode, sizeof(j->image.boot_mode), "%s", i.boot_mode);
	if (strcmp(i.account_id, j->image.account_id) != 0)
		(void)fail(j, IMAGES_NO_INSTANCE, "The instance ID '%s' does not exist",
		    j->instance_id);
	else if (!is_stopped)
		(void)fail(j, IMAGES_STATE, "The instance '%s' is not in the 'stopped' state; an image "
		    "is made of a stopped one.", j->instance_id);
	else if (!is_here)
		(void)fail(j, IMAGES_UNAVAILABLE, "%s has moved to node %s", j->instance_id, i.node);
	else
		j->res = IMAGES_OK;
	instance_deinit(&i);
	return j->res == IMAGES_OK;
}

/* One file of what the disk and the image below it hold. */
static bool
flatten(struct image_job *j, const char *path, const char *nonce)
{
	char disk[512];
	const struct disk_spec s = {
		.qemu_img = j->qemu_img, .image = disk, .image_format = DISK_QCOW2, .path = path,
		.launch_id = nonce, .copy = true, .is_ours = true, .uid = geteuid(), .gid = getegid(),
	};
	int r = file_path(disk, sizeof(disk), "%s/%s.qcow2", j->disk_dir, j->volume_id);

	if (r == 0)
		r = disk_create(&s, j->why);
	if (r == 0)
		return true;
	j->res = IMAGES_REFUSED;
	if (j->why[0] == '\0')
		(void)fail(j, IMAGES_REFUSED, "%.100s: %s", disk, strerror(-r));
	return false;
}

void
image_create_run(void *job)
{
	struct image_job *j = job;
	char path[512], nonce[IDENT_NONCE_LEN + 1];
	bool has_store = false;

	j->res = images_list(j->images, &j->list, &j->n, j->why);
	if (j->res != IMAGES_OK || !check_name(j, j->list, j->n) ||
	    !look_at_instance(j, &has_store))
		return;
	ident_nonce(nonce);
	ident_ec2("ami", j->image.id, sizeof(j->image.id));
	if (file_path(path, sizeof(path), "%s/.%s.%s.copy", j->image_dir, j->image.id, nonce) < 0) {
		(void)fail(j, IMAGES_REFUSED, "image_dir is too long");
		return;
	}
	if (!copy_variables(j, has_store) || !flatten(j, path, nonce) || !import_file(j, path)) {
		image_drop_variables(j);
		(void)!disk_remove(path);
		return;
	}
	if (disk_remove(path) < 0)
		log_warning("%s is left behind", path);
}
