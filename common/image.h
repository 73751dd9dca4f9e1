/*
 * image.h - `<account>.<ami-id>` in spinifex-ec2-image: an imported disk image.  vmd imports
 * and launches from it; gwd lists it.  Pure.
 */
#pragma once

#include "common/json.h"

struct image {
	char		 id[22];		/* "ami-..." */
	char		 account_id[13];	/* owner */
	char		 name[129];
	char		 description[256];
	char		 arch[17];		/* "x86_64", "arm64" */
	char		 boot_mode[17];		/* "uefi", "legacy-bios" */
	char		 format[9];		/* "raw", "qcow2" */
	char		 file[256];		/* base name inside image_dir */
	char		 sha256[65];		/* of the file */
	uint64_t	 virtual_bytes;
	uint64_t	 created_ms;
	char		 root_device[33];	/* "/dev/sda1" */
	char		 uefi_object[101];	/* key of its UEFI variables; empty: none */
	bool		 is_public;
};
int	 image_from_json(const char *value, size_t len, struct image *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
/* Of a record that image_from_json takes: its tags, [{"Key", "Value"}], owned; NULL: none, or no
 * memory for them. */
OWNED_BY(cJSON_Delete) cJSON *image_tags_from_json(const char *value, size_t len);
OWNED_BY(free) char *image_to_json(const struct image *i, const cJSON *tags);	/* tags NULL: none */
