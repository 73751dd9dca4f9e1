/*
 * firmware.h - which firmware this node has for an architecture: QEMU's descriptors
 * (docs/interop/firmware.json of QEMU) in their folder, in the order of their names, then the
 * paths where distributions put it.  May block: for start and for jobs.  Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/buf.h"
#include "common/json.h"
#include "common/uefi_record.h"

#define FIRMWARE_PATH_MAX	255
#define FIRMWARE_FILE_MAX	(64u << 20)	/* bytes of a CODE or VARS file */

struct firmware_stamp {		/* tells whether a file is still the one that was looked at */
	dev_t		 dev;
	ino_t		 ino;
	off_t		 size;
	struct timespec	 mtime;
};
enum firmware_kind {
	FIRMWARE_PLAIN,		/* for a store without keys: rather one without Secure Boot */
	FIRMWARE_SECURE,	/* code that enforces signatures: for a store that has keys */
	FIRMWARE_ENROLLED,	/* the same, with a template that has keys */
	FIRMWARE_KINDS
};
struct firmware_want {
	char			 arch[17];	/* as EC2 says it: "x86_64", "arm64" */
	enum firmware_kind	 kind;
	uint64_t		 vars_size;	/* 0: any */
};
struct firmware {
	struct firmware_want	 want;		/* what it was found for */
	struct uefi_firmware	 id;		/* arch as EC2 says it, size of VARS, digest of CODE */
	char			 code[FIRMWARE_PATH_MAX + 1];
	char			 code_format[9];	/* "raw", "qcow2" */
	char			 template[FIRMWARE_PATH_MAX + 1];	/* of a blank store */
	bool			 secure_boot;	/* needs SMM, enforces signatures once keys are enrolled */
	bool			 enrolled;	/* the template has keys */
	struct firmware_stamp	 code_stamp, template_stamp;
};

/*
 * The best for what is wanted: of the kind, the larger flash (4 MiB) before the smaller, then
 * the order above.  A blank template goes before one with keys unless they are wanted.
 * 0; -ENOENT with a sentence: none.
 */
int	 firmware_find(const char *dir, const struct firmware_want *want, struct firmware *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
/* Was it found for this? */
bool	 firmware_is_for(const struct firmware *f, const struct firmware_want *want);
/* Are both files still those that were found? */
bool	 firmware_is_current(const struct firmware *f);
/* The template's bytes, checked as a region.  0, -errno, -EINVAL with a sentence. */
int	 firmware_template(const struct firmware *f, struct buf *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;

/* Does the pointer's firmware fit here?  Architecture and size of VARS must be equal. */
bool	 firmware_fits(const struct firmware *f, const struct uefi_firmware *wanted);
