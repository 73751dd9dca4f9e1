/*
 * volume.h - `<account>.<vol-id>` in spinifex-ec2-volume: a volume that is not the root volume
 * of an instance, and the only moves it makes.  Its disk is `<vol-id>.qcow2` in the disk folder
 * of `node`, made when it is first attached.  Pure.
 *
 *	available	gwd makes it so, and nobody's guest has it
 *	attaching	claimed for instance_id; its guest may not have it yet
 *	in-use		attached
 *	detaching	its guest may still have it; goes on until it has not
 *	deleting	nobody gets it again; whoever has the disk removes it, and then the record
 *
 * It names its instance before the instance lists it, and until after it does no more: so of
 * all instances at most the one it names may write it.  Only available ones are claimed or
 * marked deleting, by a swap.
 */
#pragma once

#include "common/json.h"

#define VOLUME_SCHEMA		1
#define VOLUME_RECORD_MAX	(128 * 1024)	/* bytes of JSON */
#define VOLUME_KEY_MAX		48		/* of the bucket, with the NUL */
#define VOLUME_GIB_MAX		16384
#define VOLUME_GIB		(1024ull * 1024 * 1024)

enum volume_state {
	VOLUME_AVAILABLE,
	VOLUME_ATTACHING,
	VOLUME_IN_USE,
	VOLUME_DETACHING,
	VOLUME_DELETING,
	VOLUME_STATES
};
const char *volume_state_name(enum volume_state s);

struct volume {
	char		 id[22];		/* "vol-" and 17 digits */
	char		 account_id[13];
	enum volume_state state;
	char		 zone[65];
	char		 type[9];		/* "gp2", "io1" */
	uint64_t	 bytes;
	uint32_t	 iops, throughput;	/* as asked for; 0: none */
	uint64_t	 created_ms;
	char		 image_id[22];		/* it lies over this image: a kept root volume */
	char		 instance_id[20];	/* whose it is; "": nobody's */
	char		 device[33];
	uint64_t	 attached_ms;
	bool		 keep;			/* DeleteOnTermination=false */
	char		 node[65];		/* where its disk is or is being made; "": nowhere yet */
	bool		 made;			/* the disk is there: a missing one is no empty one */
	char		 asked[65];		/* of a request with a ClientToken: its digest */
	cJSON		*tags;			/* [{"Key", "Value"}]; owned; NULL: none */
};
void	 volume_deinit(struct volume *v);
static inline void __attribute__((unused))
auto_volume(struct volume *v)
{
	volume_deinit(v);
}
/* "<account>.<id>". */
void	 volume_key(const char *account, const char *id, char ret[static VOLUME_KEY_MAX]);
/* 0; -EINVAL with why; -ENOMEM. */
int	 volume_from_json(const char *value, size_t len, struct volume *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *volume_to_json(const struct volume *v);	/* NULL: no memory */

/* ---- moves, on a copy of what the record says ---- */

/* Claims it.  0; -EBUSY: not available. */
int	 volume_claim(struct volume *v, const char *instance_id, const char *device,
    uint64_t wall_ms) MUST_CHECK;
/* Nobody's again. */
void	 volume_release(struct volume *v);
/* Of a volume whose instance is terminated: deleted with it, or released. */
void	 volume_outlive(struct volume *v);
/* Does it name the instance, as whatever? */
bool	 volume_is_of(const struct volume *v, const char *instance_id);
/* A name that EC2 lets a volume be attached as: "/dev/sdf", "xvdba", "/dev/sda1". */
bool	 volume_device_is_valid(const char *name);
/* "in-use" for all that are somebody's: EC2's word for the state. */
const char *volume_ec2_state(enum volume_state s);
/* EC2's word for the attachment; NULL: it has none. */
const char *volume_attachment_state(enum volume_state s);
