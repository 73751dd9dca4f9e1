/*
 * seeded.h - seeded.json beside a local copy: which generation of the claim it is for, what it
 * came from, and what of it is safe in an object.  Pure.
 */
#pragma once

#include "common/json.h"
#include "common/uefi_record.h"

#define SEEDED_SCHEMA	1
#define SEEDED_MAX	4096	/* bytes of JSON */
#define SHA256_HEX	64

struct seeded {
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 launch_id[65];
	uint64_t		 generation;
	char			 key[UEFI_KEY_MAX + 1];
	struct uefi_firmware	 firmware;
	char			 boot_id[37];
	/* Of the bytes that the object `key` holds; empty: a move has an unknown outcome, so
	 * the copy is owed whatever it holds. */
	char			 synced_sha256[SHA256_HEX + 1];
};

/* 0; -EINVAL with a sentence: not such a file, or another instance's; -ENOMEM. */
int	 seeded_parse(const void *p, size_t n, const char *instance_id, struct seeded *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *seeded_print(const struct seeded *s);
