/*
 * images.h - the images of the cluster: records `<account>.<ami-id>` in spinifex-ec2-image and
 * files in image_dir.  Each call waits and may block for minutes where it copies: for jobs.
 */
#pragma once

#include "common/image.h"
#include "common/kv.h"
#include "vmd/disk.h"

enum images_result {
	IMAGES_OK,
	IMAGES_NOT_FOUND,	/* no such image, or another account's that is not public */
	IMAGES_UNAVAILABLE,	/* the store did not answer: nothing is known; try again */
	IMAGES_BAD,		/* its record cannot be read */
	IMAGES_IN_USE,		/* disks of instances lie over it */
	IMAGES_REFUSED,		/* the file, or the store, for a reason in why */
	IMAGES_DUPLICATE,	/* the account has an image of this name */
	IMAGES_NO_SNAPSHOT,	/* no image that the account sees has it */
	IMAGES_NO_INSTANCE,	/* nor is there such an instance of its */
	IMAGES_STATE,		/* the instance is not stopped */
	IMAGES_BAD_VARIABLES,	/* UefiData that uefid does not take */
	IMAGES_RESULTS
};

/* As an account sees it: its own, or a public one.  account_id NULL: whosever it is. */
enum images_result images_find(struct bucket *images, const char *account_id, const char *id,
    struct image *ret, char why[static DISK_WHY_MAX]) MUST_CHECK;

/* All; *ret is the caller's (free). */
enum images_result images_list(struct bucket *images, struct image **ret, size_t *ret_n,
    char why[static DISK_WHY_MAX]) MUST_CHECK;

/*
 * Brings file in and writes its record: i has account, name, description, arch, boot_mode and
 * is_public, and where the caller made them id, root_device and uefi_object; the rest is
 * filled.  tags may be NULL.  On failure nothing is left; one after which the record may stand all
 * the same leaves the file, and empties uefi_object, which is then not the caller's to take away.
 */
enum images_result images_import(struct bucket *images, const char *qemu_img,
    const char *image_dir, const char *file, struct image *i, const cJSON *tags,
    char why[static DISK_WHY_MAX]) MUST_CHECK;

/* Record, then file; refused while the disk of an instance, or a volume that was its root and
 * was kept, lies over it. */
enum images_result images_remove(struct bucket *images, struct bucket *instances,
    struct bucket *volumes, const char *image_dir, const char *id, char why[static DISK_WHY_MAX]) MUST_CHECK;
