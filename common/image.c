#include "common/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/ident.h"
#include "common/uefi_record.h"

#define IMAGE_RECORD_MAX	(128 * 1024)

struct image_record {
	struct image	 image;
	cJSON		*tags;		/* owned by whoever reads it */
};

#define TEXT(member, least)	{ .key = #member, .type = JSON_STR,			\
	.offset = offsetof(struct image_record, image.member), .min = (least),		\
	.max = sizeof(((struct image *)0)->member) - 1, .need = (least) > 0 }

static const struct json_field image_fields[] = {
	TEXT(id, 1),
	TEXT(account_id, 12),
	TEXT(name, 1),
	TEXT(description, 0),
	TEXT(arch, 1),
	TEXT(boot_mode, 1),
	TEXT(format, 1),
	TEXT(file, 1),
	TEXT(sha256, 64),
	{ .key = "virtual_bytes", .type = JSON_U64,
	    .offset = offsetof(struct image_record, image.virtual_bytes), .max = UINT64_MAX, .need = true },
	{ .key = "created", .type = JSON_TIME, .offset = offsetof(struct image_record, image.created_ms) },
	TEXT(root_device, 0),
	TEXT(uefi_object, 0),
	{ .key = "is_public", .type = JSON_BOOL,
	    .offset = offsetof(struct image_record, image.is_public) },
	{ .key = "tags", .type = JSON_TREE, .offset = offsetof(struct image_record, tags) },
};

static int
check(const struct image *i, char why[static JSON_WHY_MAX])
{
	if (!ident_is_ec2(i->id, "ami"))
		snprintf(why, JSON_WHY_MAX, "id: expected an image id");
	else if (strspn(i->account_id, "0123456789") != 12)
		snprintf(why, JSON_WHY_MAX, "account_id: expected 12 digits");
	else if (strcmp(i->format, "raw") != 0 && strcmp(i->format, "qcow2") != 0)
		snprintf(why, JSON_WHY_MAX, "format: expected raw or qcow2");
	/* A base name: a record never leads out of image_dir. */
	else if (strchr(i->file, '/') || i->file[0] == '.')
		snprintf(why, JSON_WHY_MAX, "file: expected a name inside the image folder");
	else if (strspn(i->sha256, "0123456789abcdef") != 64)
		snprintf(why, JSON_WHY_MAX, "sha256: expected 64 hexadecimal digits");
	else if (i->uefi_object[0] != '\0' && !uefi_key_is_of(i->uefi_object, i->id))
		snprintf(why, JSON_WHY_MAX, "uefi_object: expected uefi/<image id>/<uuid>");
	else
		return 0;
	return -EINVAL;
}

int
image_from_json(const char *value, size_t len, struct image *ret,
    char why[static JSON_WHY_MAX])
{
	struct image_record i = { 0 };
	int r = json_read(value, len, IMAGE_RECORD_MAX, image_fields, ARRAY_LEN(image_fields),
	    JSON_LOOSE, &i, sizeof(i), why);

	if (r == -EMSGSIZE) {
		snprintf(why, JSON_WHY_MAX, "expected at most %d bytes", IMAGE_RECORD_MAX);
		r = -EINVAL;
	}
	json_release(image_fields, ARRAY_LEN(image_fields), &i);
	if (r == 0)
		r = check(&i.image, why);
	if (r == 0)
		*ret = i.image;
	return r;
}

cJSON *
image_tags_from_json(const char *value, size_t len)
{
	struct image_record i = { 0 };
	char why[JSON_WHY_MAX];

	if (json_read(value, len, IMAGE_RECORD_MAX, image_fields, ARRAY_LEN(image_fields), JSON_LOOSE,
	    &i, sizeof(i), why) < 0)
		return NULL;
	return i.tags;
}

char *
image_to_json(const struct image *i, const cJSON *tags)
{
	struct image_record record = { .image = *i };
	AUTO(json) cJSON *obj = NULL;

	memcpy(&record.tags, &tags, sizeof(tags));	/* only read, which its type does not say */
	obj = json_encode(image_fields, ARRAY_LEN(image_fields), &record);

	return obj ? json_print(obj) : NULL;
}
