/*
 * volume_world.h - the records of volumes and their disks, as jobs change them: each step is
 * one swap at a known revision, and each may be done again.  Any thread; blocks.
 */
#pragma once

#include <sys/types.h>

#include "common/bus.h"
#include "common/instance.h"
#include "common/kv.h"
#include "common/volume.h"

#define VOLUME_PATH_MAX	512
#define VOLUME_TEXT_MAX	256

struct volume_place {			/* for whom, and where; all by value */
	struct bucket	*bucket;
	char		 node[65], zone[65];
	char		 disk_dir[256], qemu_img[256];
	char		 account_id[13];
	char		 instance_id[INSTANCE_ID_MAX + 1];
	uid_t		 uid;		/* of the disks */
	gid_t		 gid;
};

struct volume_refusal {
	const char	*code;		/* EC2's; NULL: none */
	bool		 retryable;
	char		 why[VOLUME_TEXT_MAX];
};

/* The path of its disk.  0 or -ENAMETOOLONG. */
int	 volume_path(const char *disk_dir, const char *id, char ret[static VOLUME_PATH_MAX])
    MUST_CHECK;

/* All return false with the refusal filled.  v is the caller's to deinit when true. */
bool	 volume_read(const struct volume_place *at, const char *id, struct volume *v,
    uint64_t *ret_revision, struct volume_refusal *no) MUST_CHECK;
/* v at *revision, which becomes the new one. */
bool	 volume_write(const struct volume_place *at, const struct volume *v, uint64_t *revision,
    struct volume_refusal *no) MUST_CHECK;

/* Claims an available volume for the instance, and makes its disk if there is none yet. */
bool	 volume_take(const struct volume_place *at, const char *id, const char *device,
    uint64_t wall_ms, struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no)
    MUST_CHECK;
/* Another state of one that is the instance's. */
bool	 volume_set_state(const struct volume_place *at, const char *id, enum volume_state to,
    struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no) MUST_CHECK;
/* The same of what becomes of it when its instance is terminated. */
bool	 volume_set_keep(const struct volume_place *at, const char *id, bool keep,
    struct volume *ret, uint64_t *ret_revision, struct volume_refusal *no) MUST_CHECK;
/* Exactly at revision: the instance has it no more.  outlive: as at its end, else available.
 * True also when the record has moved on: then it was not ours to change. */
bool	 volume_let_go(const struct volume_place *at, const char *id, uint64_t revision,
    bool outlive, struct volume_refusal *no) MUST_CHECK;

/* For a launch: claimed and made, also the record of one that is new with the instance. */
bool	 volume_prepare(const struct volume_place *at, const struct instance_volume *iv,
    bool is_first, const struct instance_tags *tags, struct volume_refusal *no) MUST_CHECK;
/* At the end of the instance, when no QEMU has it: released or deleted. */
bool	 volume_put_away(const struct volume_place *at, const struct instance_volume *iv,
    bool is_first, struct volume_refusal *no) MUST_CHECK;
/* A root volume that outlives its instance gets a record of its own. */
bool	 volume_keep_root(const struct volume_place *at, const struct volume *v,
    struct volume_refusal *no) MUST_CHECK;
/* One that is marked deleting: its disk and then its record, where the disk is here. */
bool	 volume_finish(const struct volume_place *at, const struct volume *v, uint64_t revision,
    struct volume_refusal *no) MUST_CHECK;
