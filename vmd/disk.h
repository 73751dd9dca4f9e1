/*
 * disk.h - root disks and images, by qemu-img.  A file is made under a name with the launch id
 * and put in place by link(2), which never replaces one.
 * Blocks, for minutes where it copies: for jobs.  Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cleanup.h"

#define DISK_WHY_MAX	256	/* bytes of a sentence for a human */

enum disk_format {
	DISK_RAW,
	DISK_QCOW2,
	DISK_FORMATS
};
const char *disk_format_name(enum disk_format f);		/* "raw", "qcow2" */
int	 disk_format_from_name(const char *name, enum disk_format *ret) MUST_CHECK;

struct disk_info {
	enum disk_format format;
	uint64_t	 virtual_bytes;		/* what a guest sees */
	uint64_t	 actual_bytes;		/* what it takes here */
	bool		 stands_alone;		/* no backing file, no external data file */
	bool		 encrypted;
};

/*
 * What qemu-img says of path.  0; -ENOENT; -EBUSY: a process writes it, by its lock; -EINVAL: not raw or qcow2, or no answer that can be
 * read; else -errno.  A sentence in why.
 */
int	 disk_info(const char *qemu_img, const char *path, struct disk_info *ret,
    char why[static DISK_WHY_MAX]) MUST_CHECK;
/* Pure: the answer of `qemu-img info --output=json`.  0 or -EINVAL. */
int	 disk_info_parse(const void *json, size_t len, struct disk_info *ret,
    char why[static DISK_WHY_MAX]) MUST_CHECK;

struct disk_spec {
	const char		*qemu_img;	/* absolute path of the program */
	const char		*image;		/* absolute path of the image, or NULL: empty */
	enum disk_format	 image_format;
	const char		*path;		/* absolute: where the disk will be */
	const char		*launch_id;
	uint64_t		 bytes;		/* 0: as large as the image */
	bool			 copy;		/* a copy instead of an overlay on the image */
	bool			 is_ours;	/* the image is a disk of ours: a copy has all below it */
	uid_t			 uid;		/* owner of the file; mode 0600 */
	gid_t			 gid;
};

/*
 * Makes a qcow2.  0; -EEXIST: path is there (and untouched); -ERANGE: bytes is less than the
 * image; -ENOSPC; else -errno.  A sentence in why.  On failure nothing is left.
 */
int	 disk_create(const struct disk_spec *s, char why[static DISK_WHY_MAX]) MUST_CHECK;
/* Removes what a disk_create of this launch, cut short, left beside path.  0 or -errno. */
int	 disk_discard(const char *path, const char *launch_id) MUST_CHECK;
/* 0, also when it is gone already. */
int	 disk_remove(const char *path) MUST_CHECK;

struct disk_image {
	char			 file[64];	/* base name in the image folder */
	char			 sha256[65];	/* of that file, in hexadecimal */
	enum disk_format	 format;
	uint64_t		 virtual_bytes;
};

/*
 * Copies source, byte for byte, to `<image_id>.<format>` in image_dir, read-only to all, never
 * replacing one.
 * 0; -EINVAL: not a raw or qcow2 disk that stands alone; -EEXIST; -ENOSPC; else -errno.
 * A sentence in why.  On failure nothing is left.
 */
int	 disk_image_import(const char *qemu_img, const char *source, const char *image_dir,
    const char *image_id, struct disk_image *ret, char why[static DISK_WHY_MAX]) MUST_CHECK;
/* 0, also when it is gone already; -EINVAL: file is no base name. */
int	 disk_image_remove(const char *image_dir, const char *file) MUST_CHECK;
