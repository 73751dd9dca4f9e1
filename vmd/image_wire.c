/* vm.v1.<node>.image-{create,import,list,register,remove}: each a job; see wire.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "vmd/image_job.h"

static const char *const result_codes[IMAGES_RESULTS] = {
	[IMAGES_NOT_FOUND]	= "image.not_found",
	[IMAGES_UNAVAILABLE]	= "image.unavailable",
	[IMAGES_BAD]		= "image.corrupt",
	[IMAGES_IN_USE]		= "image.in_use",
	[IMAGES_REFUSED]	= "image.refused",
	[IMAGES_DUPLICATE]	= "image.duplicate",
	[IMAGES_NO_SNAPSHOT]	= "image.no_snapshot",
	[IMAGES_NO_INSTANCE]	= "image.no_instance",
	[IMAGES_STATE]		= "image.state",
	[IMAGES_BAD_VARIABLES]	= "image.uefi_data",
};

static void
drop(void *job)
{
	struct image_job *j = job;

	free(j->list);
	free(j->uefi_data);
	cJSON_Delete(j->tags);
	free(j);
}

static void
end(struct image_job *j, cJSON *out)
{
	if (j->res != IMAGES_OK)
		bus_refuse(j->req, result_codes[j->res], j->res == IMAGES_UNAVAILABLE, "%s", j->why);
	else if (!out)
		bus_refuse(j->req, "image.memory", true, "no memory");
	else
		bus_reply(j->req, out);
	cJSON_Delete(out);
	drop(j);
}

static struct image_job *
job_new(struct vmd *d, struct bus_req *req)
{
	struct image_job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->req = req;
	j->bus = d->d.bus;
	snprintf(j->node, sizeof(j->node), "%.64s", d->conf->common.node);
	snprintf(j->disk_dir, sizeof(j->disk_dir), "%s", d->disk_dir);
	j->images = d->images;
	j->instances = d->instances;
	j->volumes = d->volumes;
	snprintf(j->qemu_img, sizeof(j->qemu_img), "%s", d->qemu_img);
	snprintf(j->image_dir, sizeof(j->image_dir), "%s", d->image_dir);
	return j;
}

static void
submit(struct vmd *d, struct image_job *j, struct bus_req *req, job_run_fn *run,
    job_done_fn *done)
{
	if (j && jobs_submit(d->d.jobs, NULL, run, done, NULL, j, drop) == 0)
		return;
	if (j)
		drop(j);
	bus_refuse(req, "image.busy", true, "too much waits, or there is no memory");
}

/* ---- import ---- */

#define TEXT(name, member, least)	{ .key = name, .type = JSON_STR,				\
	.offset = offsetof(struct image_job, member), .min = (least),				\
	.max = sizeof(((struct image_job *)0)->member) - 1, .need = (least) > 0 }

static const struct json_field import_fields[] = {
	TEXT("name", image.name, 1),
	TEXT("file", file, 1),
	TEXT("arch", image.arch, 1),
	TEXT("boot_mode", image.boot_mode, 1),
	TEXT("account_id", image.account_id, 12),
	TEXT("description", image.description, 0),
	{ .key = "public", .type = JSON_BOOL, .offset = offsetof(struct image_job, image.is_public) },
	{ .key = "secure_boot", .type = JSON_BOOL, .offset = offsetof(struct image_job, secure_boot) },
};

static bool
is_printable(const char *s)
{
	while (*s && (unsigned char)*s >= ' ' && *s != 0x7f)
		s++;
	return !*s;
}

static const char *
check_image(const struct image_job *j)
{
	if (!is_printable(j->image.name) || !is_printable(j->image.description))
		return "name, description: expected no control characters";
	if (strcmp(j->image.arch, "x86_64") != 0 && strcmp(j->image.arch, "arm64") != 0)
		return "arch: expected x86_64 or arm64";
	if (strcmp(j->image.boot_mode, "uefi") != 0 &&
	    strcmp(j->image.boot_mode, "uefi-preferred") != 0 &&
	    strcmp(j->image.boot_mode, "legacy-bios") != 0)
		return "boot_mode: expected uefi, uefi-preferred or legacy-bios";
	if (strspn(j->image.account_id, "0123456789") != 12)
		return "account_id: expected 12 digits";
	return NULL;
}

static const char *
check_import(const struct image_job *j)
{
	const char *wrong = check_image(j);

	if (!wrong && j->secure_boot && strcmp(j->image.boot_mode, "uefi") != 0)
		wrong = "secure_boot: expected boot_mode uefi";
	return wrong || j->file[0] == '/' ? wrong : "file: expected an absolute path on the node";
}

static void
import_done(void *arg, void *job)
{
	struct image_job *j = job;
	cJSON *out = cJSON_CreateObject();

	if (out && !cJSON_AddStringToObject(out, "image_id", j->image.id)) {
		cJSON_Delete(out);
		out = NULL;
	}
	end(j, out);
}

void
image_on_import(void *arg, struct bus_req *req, const void *in)
{
	struct vmd *d = arg;
	struct image_job want = { 0 };
	struct image_job *j;
	char why[JSON_WHY_MAX];
	const char *wrong = NULL;
	int r = json_decode(in, import_fields, ARRAY_LEN(import_fields), JSON_STRICT, &want,
	    sizeof(want), why);

	if (r == 0)
		wrong = check_import(&want);
	if (r == -ENOMEM) {
		bus_refuse(req, "image.memory", true, "no memory");
		return;
	}
	if (r < 0 || wrong) {
		bus_refuse_input(req, "%s", wrong ? wrong : why);
		return;
	}
	j = job_new(d, req);
	if (j) {
		j->image = want.image;
		memcpy(j->file, want.file, sizeof(j->file));
		j->secure_boot = want.secure_boot;
	}
	submit(d, j, req, image_import_run, import_done);
}

/* ---- register and create ---- */

static const struct json_field register_fields[] = {
	TEXT("name", image.name, 1),
	TEXT("snapshot_id", snapshot_id, 1),
	TEXT("arch", image.arch, 1),
	TEXT("boot_mode", image.boot_mode, 1),
	TEXT("account_id", image.account_id, 12),
	TEXT("description", image.description, 0),
	TEXT("root_device", image.root_device, 0),
};
static const struct json_field create_fields[] = {
	TEXT("name", image.name, 1),
	TEXT("instance_id", instance_id, 1),
	TEXT("account_id", image.account_id, 12),
	TEXT("description", image.description, 0),
	{ .key = "tags", .type = JSON_TREE, .offset = offsetof(struct image_job, tags) },
};

/* Of a request that was read into want; takes its tags. */
static void
make(struct vmd *d, struct bus_req *req, struct image_job *want, const char *uefi_data,
    job_run_fn *run)
{
	struct image_job *j = job_new(d, req);

	if (j) {
		j->image = want->image;
		memcpy(j->instance_id, want->instance_id, sizeof(j->instance_id));
		memcpy(j->snapshot_id, want->snapshot_id, sizeof(j->snapshot_id));
		j->uefi_data = uefi_data ? strdup(uefi_data) : NULL;
		j->tags = steal_json(&want->tags);
	}
	cJSON_Delete(want->tags);
	if (j && uefi_data && !j->uefi_data) {
		drop(j);
		j = NULL;
	}
	submit(d, j, req, run, import_done);
}

void
image_on_register(void *arg, struct bus_req *req, const void *in)
{
	struct image_job want = { 0 };
	char why[JSON_WHY_MAX];
	const char *wrong = why;

	/* uefi_data is longer than what a table copies. */
	if (json_decode(in, register_fields, ARRAY_LEN(register_fields), JSON_LOOSE, &want,
	    sizeof(want), why) == 0)
		wrong = check_image(&want);
	if (wrong)
		bus_refuse_input(req, "%s", wrong);
	else
		make(arg, req, &want, json_text(in, "uefi_data"), image_register_run);
}

/* What they may say, gwd has looked at. */
static bool
are_tags(const cJSON *list)
{
	const cJSON *tag;

	cJSON_ArrayForEach(tag, list) {
		if (!json_text(tag, "Key") || !json_text(tag, "Value"))
			return false;
	}
	return cJSON_IsArray(list) && cJSON_GetArraySize(list) <= INSTANCE_TAGS_MAX;
}

void
image_on_create(void *arg, struct bus_req *req, const void *in)
{
	struct image_job want = { .image = { .arch = "x86_64", .boot_mode = "uefi" } };
	char why[JSON_WHY_MAX];
	const char *wrong = why;

	if (json_decode(in, create_fields, ARRAY_LEN(create_fields), JSON_STRICT, &want,
	    sizeof(want), why) == 0)
		wrong = check_image(&want);	/* arch and mode will be those of the instance */
	if (!wrong && !ident_is_ec2(want.instance_id, "i"))
		wrong = "instance_id: expected an instance's id";
	if (!wrong && want.tags && !are_tags(want.tags))
		wrong = "tags: expected a list of {Key, Value}";
	if (!wrong) {
		make(arg, req, &want, NULL, image_create_run);
		return;
	}
	bus_refuse_input(req, "%s", wrong);
	cJSON_Delete(want.tags);
}

/* ---- list ---- */

static void
list_run(void *job)
{
	struct image_job *j = job;

	j->res = images_list(j->images, &j->list, &j->n, j->why);
}

static bool
add_image(cJSON *list, const struct image *i)
{
	AUTO(str) char *text = image_to_json(i, NULL);
	AUTO(json) cJSON *obj = NULL;
	char why[JSON_WHY_MAX];

	if (!text || json_parse(text, strlen(text), 64 * 1024, &obj, why) < 0 ||
	    !cJSON_AddItemToArray(list, obj))
		return false;
	(void)steal_json(&obj);
	return true;
}

static void
list_done(void *arg, void *job)
{
	struct image_job *j = job;
	AUTO(json) cJSON *out = cJSON_CreateObject();
	cJSON *list = out ? cJSON_AddArrayToObject(out, "images") : NULL;
	bool ok = list != NULL;

	for (size_t n = 0; ok && n < j->n; n++)
		ok = add_image(list, &j->list[n]);
	end(j, ok ? steal_json(&out) : NULL);
}

void
image_on_list(void *arg, struct bus_req *req, const void *in)
{
	submit(arg, job_new(arg, req), req, list_run, list_done);
}

/* ---- remove ---- */

static void
remove_run(void *job)
{
	struct image_job *j = job;
	struct image image;

	j->res = images_find(j->images, NULL, j->image.id, &image, j->why);
	if (j->res == IMAGES_OK)
		j->res = images_remove(j->images, j->instances, j->volumes, j->image_dir, image.id, j->why);
	if (j->res == IMAGES_OK) {
		j->image = image;
		image_drop_variables(j);
	}
}

static void
remove_done(void *arg, void *job)
{
	end(job, cJSON_CreateObject());
}

void
image_on_remove(void *arg, struct bus_req *req, const void *in)
{
	const char *id = json_text(in, "image_id");
	struct image_job *j;

	if (!id || !ident_is_ec2(id, "ami")) {
		bus_refuse_input(req, "image_id: expected an image id");
		return;
	}
	j = job_new(arg, req);
	if (j)
		snprintf(j->image.id, sizeof(j->image.id), "%s", id);
	submit(arg, j, req, remove_run, remove_done);
}
