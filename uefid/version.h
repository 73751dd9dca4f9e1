/*
 * version.h - one object of a store: the gzip of exactly one region, with metadata that says
 * whose it is and where it came from.  Rules 116 to 121.  For jobs.
 */
#pragma once

#include "common/objects.h"
#include "common/uefi_record.h"
#include "uefid/digest.h"

#define VERSION_TEMPLATE	"template"
#define VERSION_WRITE_BACK	"write-back"
#define VERSION_ROLLBACK	"rollback:"	/* and which version it was made from */
#define VERSION_IMPORT		"import"	/* of UefiData */
#define VERSION_IMAGE		"image:"	/* and which image it was made from */
#define VERSION_INSTANCE	"instance:"	/* an image's, and which instance it was made from */
#define VERSION_SET_ASIDE	"set-aside"	/* a copy that a crash of its host made doubtful */

struct version {
	char			 key[UEFI_KEY_MAX + 1];
	char			 owner[INSTANCE_ID_MAX + 4];	/* "i-..." or "ami-..." */
	char			 account_id[13];	/* an image's: whose it is to be; or empty */
	char			 writer_node[65];
	struct uefi_firmware	 firmware;		/* all of it, the digest too */
	char			 code_path[256];
	char			 source[65];
	uint64_t		 generation;		/* of the writer's claim; 0: unreadable */
	char			 sha256[DIGEST_HEX + 1];	/* of the region; empty: unknown */
	uint64_t		 bytes;			/* as stored */
	uint64_t		 written_ms;
};

/* A fresh key directly under the owner's prefix. */
void	 version_new_key(struct version *v);
/*
 * One for what is put in place of the pointer's object `before` (empty: there is none): a fresh
 * key, but the same one when the same bytes are put again in its place, at the same generation.
 * A put that is repeated, of which nobody heard or whose move failed, so makes no second object.
 * All else of v is set.  0 or -errno.
 */
int	 version_key_over(struct version *v, const char *before) MUST_CHECK;
/* -EINVAL with a sentence: an owner, writer, source, firmware or key that is not one. */
int	 version_check(const struct version *v, char why[static JSON_WHY_MAX]) MUST_CHECK;
void	 version_from_info(const struct object_info *o, struct version *ret);

/*
 * Puts region, which has exactly firmware.vars_size bytes and unless it is set aside reads as
 * a region; v->sha256 is its digest.  Nothing is put when a check fails (OBJECT_INVALID).  An
 * object that is there under its key and holds the region is as good.
 */
enum object_result version_put(const struct objects *s, const struct version *v,
    const void *region, size_t n, char why[static JSON_WHY_MAX]) MUST_CHECK;
/* The region of exactly vars_size bytes (0: as many as its metadata says), checked; else
 * OBJECT_INVALID.  ret is empty; ret_v may be NULL. */
enum object_result version_get(const struct objects *s, const char *key, uint64_t vars_size,
    struct buf *ret, struct version *ret_v, char why[static JSON_WHY_MAX]) MUST_CHECK;
/* "uefi/<owner>/" */
void	 version_prefix(const char *owner, char ret[static UEFI_KEY_MAX + 1]);
