/*
 * instance.h - the record `instance.<id>` in spinifex-instance-state: what an instance is, who
 * owns it, and the only moves its state makes.  vmd writes it, by compare-and-swap only;
 * reaperd and gwd read it.  Pure.
 */
#pragma once

#include "common/json.h"

#define INSTANCE_ID_MAX		19	/* "i-" and 17 digits */
#define INSTANCE_SCHEMA		1
#define INSTANCE_RECORD_MAX	(512 * 1024)	/* bytes of JSON: tags and data at their longest */
#define INSTANCE_USER_DATA_MAX	16384		/* bytes, decoded */
#define INSTANCE_PUBLIC_KEY_MAX	16384
#define INSTANCE_TAGS_MAX	50
#define INSTANCE_GROUPS_MAX	16
#define INSTANCE_GROUPS_TEXT_MAX	(INSTANCE_GROUPS_MAX * (22 + 256))

enum instance_state {		/* values are EC2's codes */
	INSTANCE_PENDING	= 0,
	INSTANCE_RUNNING	= 16,
	INSTANCE_SHUTTING_DOWN	= 32,
	INSTANCE_TERMINATED	= 48,
	INSTANCE_STOPPING	= 64,
	INSTANCE_STOPPED	= 80,
};
const char *instance_state_name(enum instance_state s);			/* "shutting-down" */
int	 instance_state_from_name(const char *name, enum instance_state *ret) MUST_CHECK;
/* The table of moves.  A move to the state it is in is not in it. */
bool	 instance_may_move(enum instance_state from, enum instance_state to);

struct instance_tag {
	char	*key, *value;		/* 1..128 and 0..256 characters; owned */
};

/* What of an instance has tags: each a list of its own, EC2's resource types. */
enum instance_tagged {
	INSTANCE_TAGS_OWN,	/* "instance" */
	INSTANCE_TAGS_VOLUME,	/* "volume": its root volume */
	INSTANCE_TAGS_NIC,	/* "network-interface" */
	INSTANCE_TAGGED
};
const char *instance_tagged_name(enum instance_tagged t);
int	 instance_tagged_from_name(const char *name, enum instance_tagged *ret) MUST_CHECK;
struct instance_tags {
	struct instance_tag	*tag;	/* owned */
	size_t			 n;	/* up to INSTANCE_TAGS_MAX */
};

/*
 * A volume besides the root volume.  Its own record (volume.h) names the instance first and lets
 * it go last: what is listed here is the instance's alone.
 */
#define INSTANCE_VOLUMES_MAX	8
struct instance_volume {
	char		 id[22];		/* "vol-" and 17 digits */
	char		 device[33];		/* "/dev/sdf", as it was asked for */
	char		 type[9];		/* of one to be made at launch: "gp2" */
	uint32_t	 iops, throughput;	/* of that, as asked for; 0: none */
	uint64_t	 bytes;
	uint64_t	 attached_ms;		/* wall */
	uint32_t	 port;			/* 0 to INSTANCE_VOLUMES_MAX - 1: where it is plugged in */
	bool		 keep;			/* DeleteOnTermination=false */
};

struct instance {
	char		 id[INSTANCE_ID_MAX + 1];
	char		 account_id[13];	/* 12 digits */
	char		 reservation_id[20];
	char		 node[65];		/* the owner: the only vmd that may run it */
	char		 last_node[65];		/* where it last ran */
	enum instance_state state;
	char		 image_id[22];		/* "ami-" and 17 digits */
	char		 instance_type[33];
	char		 arch[17];		/* "x86_64", "arm64" */
	char		 boot_mode[17];		/* "uefi", "legacy-bios" */
	char		 key_name[256];
	char		*public_key;		/* key_name's, a line of OpenSSH; owned; NULL: none */
	char		*user_data;		/* base64 as given, owned; NULL: none */
	char		 client_token[65];
	uint32_t	 launch_index;
	uint64_t	 launch_time_ms;	/* of the last start, wall */
	uint64_t	 created_ms;
	uint64_t	 terminated_ms;		/* 0: not */
	char		 zone[65];
	char		 vpc_id[22], subnet_id[25], eni_id[22], group_id[21];	/* the first group */
	char		 subnet_cidr[19];	/* "": the default network's first subnet */
	char		*groups;		/* "<id> <name>" a line, the first too; owned; NULL: the
						   default one alone */
	char		 private_ip[16];
	char		 mac[18];
	char		 volume_id[22];		/* root */
	char		 root_device[33];	/* "/dev/sda1" */
	uint64_t	 volume_bytes;
	char		 volume_type[9];	/* "gp2"; "": so, too */
	uint32_t	 volume_iops, volume_throughput;	/* as asked for; 0: none */
	bool		 keep_volume;		/* DeleteOnTermination=false */
	bool		 disable_api_termination, disable_api_stop, monitoring, ebs_optimized;
	char		 shutdown_behavior[10];	/* "stop", "terminate" */
	char		 stopped_by[10];	/* "user", "guest", "drain", "crash" or empty */
	char		 on_isolation[5];	/* "keep", "stop" */
	/* MetadataOptions and MaintenanceOptions; empty, or 0: EC2's default. */
	char		 metadata_endpoint[9];	/* "enabled", "disabled" */
	char		 metadata_tokens[9];	/* "optional", "required" */
	uint32_t	 metadata_hops;		/* 1 to 64 */
	char		 auto_recovery[9];	/* "default", "disabled" */
	char		 reason_code[65];	/* StateReason */
	char		 reason_message[256];
	char		 transition_reason[256];
	char		 launch_id[37];		/* of the present or last launch */
	char		 end_request[37];	/* the client's, for which it ends; or empty */
	/* Dependents that a terminated instance still holds: "pending", "done", "failed". */
	char		 teardown_uefi[8], teardown_volume[8], teardown_address[8];
	struct instance_volume volume[INSTANCE_VOLUMES_MAX];	/* in the order they came */
	size_t		 nvolumes;
	struct instance_tags tags[INSTANCE_TAGGED];
	cJSON		*extra;			/* members we do not know, kept as they are; owned */
};

void	 instance_deinit(struct instance *i);			/* frees and zeroes */
int	 instance_copy(const struct instance *from, struct instance *ret) MUST_CHECK;
/*
 * 0; -EINVAL with why: not JSON, another schema, a wrong id for this key, an unknown state, no
 * account or node; -ENOMEM.  id is what the key says.
 */
int	 instance_from_json(const char *value, size_t len, const char *id, struct instance *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
OWNED_BY(free) char *instance_to_json(const struct instance *i);	/* NULL: no memory */
/* Is it 1 to INSTANCE_GROUPS_MAX lines of a security group's id, a space and a name? */
bool	 instance_groups_are_valid(const char *text);
/* Of the instance itself; NULL: none. */
const char *instance_tag(const struct instance *i, const char *key);
/* 0, -E2BIG (one more than there may be), -ENOMEM; what has the key gets the value. */
int	 instance_tags_set(struct instance_tags *t, const char *key, const char *value) MUST_CHECK;
bool	 instance_tags_drop(struct instance_tags *t, const char *key);	/* false: had none */
int	 instance_tags_copy(const struct instance_tags *from, struct instance_tags *ret) MUST_CHECK;
void	 instance_tags_deinit(struct instance_tags *t);

/* instance_volumes.c */
/* NULL: it has none of that id, or device. */
const struct instance_volume *instance_volume_find(const struct instance *i, const char *id);
const struct instance_volume *instance_volume_at(const struct instance *i, const char *device);
/* Takes the first port that is free.  0; -E2BIG: as many as there may be. */
int	 instance_volume_add(struct instance *i, const struct instance_volume *v) MUST_CHECK;
bool	 instance_volume_drop(struct instance *i, const char *id);	/* false: had none */
/* False: it has none of that id, or it is so already. */
bool	 instance_volume_keep(struct instance *i, const char *id, bool keep);
/* The member "volumes" of a record.  0, -EINVAL, -ENOMEM. */
int	 instance_volumes_take(const cJSON *obj, struct instance *i, char why[static JSON_WHY_MAX])
    MUST_CHECK;
bool	 instance_volumes_put(cJSON *obj, const struct instance *i);	/* false: no memory */
