/*
 * launch_job.h - what a guest needs before QEMU starts, as one table of do and undo: walked
 * down by a launch, and back up by whatever ends it.  Rows that belong to a launch (the seed
 * disk, the open store) are undone by a stop, those that belong to the instance (store, address, disk,
 * folder) by a terminate, and a failed first launch is a terminate.  Every row may be done or
 * undone again, so a run cut short at any point is simply repeated.
 * Input by value; for the job pool.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/instance.h"
#include "common/kv.h"
#include "vmd/address.h"
#include "vmd/disk.h"
#include "vmd/net_port.h"
#include "vmd/store.h"
#include "vmd/volume_world.h"

#define LAUNCH_WHY_MAX	256
#define LAUNCH_LOCKED	"vm.locked"	/* code of an undo: a process has the guest's lock */

enum launch_end {		/* how far a table is undone */
	LAUNCH_END_LAUNCH,	/* stop: the instance keeps what is its own */
	LAUNCH_END_INSTANCE,	/* terminate: everything */
};

enum launch_row {
	LAUNCH_ROW_FOLDER,
	LAUNCH_ROW_STORE,
	LAUNCH_ROW_ADDRESS,
	LAUNCH_ROW_DISK,
	LAUNCH_ROW_VOLUMES,
	LAUNCH_ROW_SEED,
	LAUNCH_ROW_NETWORK,
	LAUNCH_ROW_DEADLINE,
	LAUNCH_ROW_OPEN,
	LAUNCH_ROWS
};

struct launch_job {
	/* in */
	struct bus		*bus;
	struct bucket		*addresses, *images;
	char			 node[65];
	char			 instance_id[INSTANCE_ID_MAX + 1];
	char			 account_id[13];
	char			 arch[17];
	char			 launch_id[37];
	char			 request_id[BUS_REQUEST_ID_MAX + 1];	/* or empty */
	char			 address[ADDRESS_TEXT_MAX];	/* "": not known yet; also out */
	struct address_range	 range;
	char			 qemu_img[256];
	char			 image_id[22];
	char			 image_dir[256];
	char			*public_key, *user_data;	/* owned; NULL: none */
	uint64_t		 disk_bytes, created_ms;
	char			 disk[512];			/* path */
	char			 volume_id[22];			/* root */
	char			 volume_type[9];
	uint32_t		 volume_iops, volume_throughput;
	struct volume_place	 at;				/* of the volumes */
	struct instance_volume	 volume[INSTANCE_VOLUMES_MAX];
	size_t			 nvolumes;
	struct instance_tags	 volume_tags;			/* owned */
	char			 dir[512];			/* the guest's folder */
	char			 seed[520];			/* in it; see seed.h */
	char			 deadline[524];			/* in it; see guard_page.h */
	bool			 has_deadline;
	const char		*nats_urls;			/* of the configuration */
	struct net_port		 net;				/* also out: see net_around.h */
	uint64_t		 ttl_ms, generation, valid_until_ms;	/* what it begins with */
	char			 lock[512];
	uid_t			 uid;
	gid_t			 gid;
	bool			 is_uefi;
	bool			 may_fall_back;			/* to the BIOS: see may_fall_back */
	bool			 is_first;			/* of this instance: seed and make */
	bool			 has_run;			/* undo: QEMU may have written */
	bool			 keep_disk;
	enum launch_end		 end;				/* undo */
	/* out */
	bool			 ok;
	bool			 retry;				/* not ok, but may be later */
	bool			 falls_back;			/* not ok: to be launched without a store */
	char			 failed[32];			/* the row, for a human and teardown_* */
	char			 code[BUS_CODE_MAX + 1];	/* uefid's, LAUNCH_LOCKED, or empty */
	char			 why[LAUNCH_WHY_MAX];
	struct store_files	 files;				/* of an open store */
	unsigned		 undone;			/* bits, by LAUNCH_ROW_* */
	uint32_t		 row_ms[LAUNCH_ROWS];		/* what doing each row took */
};

/* What it owns, and it.  NULL is fine. */
void	 launch_job_free(struct launch_job *j);
const char *launch_row_name(enum launch_row row);	/* one word */
void	 launch_job_do(void *job);
void	 launch_job_undo(void *job);
