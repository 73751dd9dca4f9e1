/*
 * vmd.h - the daemon: what it owns for as long as it lives, and its configuration.
 */
#pragma once

#include "common/daemon.h"
#include "common/lead.h"
#include "common/types.h"
#include "vmd/capacity.h"
#include "vmd/forward.h"
#include "vmd/guest.h"
#include "vmd/net_port.h"
#include "vmd/records.h"

#define ARM64	"arm64"		/* EC2's word for what the kernel calls aarch64 */

struct vmd_conf {
	struct conf_common	 common;	/* must be first */
	char			 image_dir[CONF_TEXT_MAX + 1];	/* "": <state_dir>/images */
	char			 disk_dir[CONF_TEXT_MAX + 1];	/* "": <state_dir>/disks */
	char			 types_file[CONF_TEXT_MAX + 1];
	char			 guest_user[CONF_TEXT_MAX + 1];
	char			 guard[CONF_TEXT_MAX + 1];
	char			 qemu_dir[CONF_TEXT_MAX + 1];
	char			 cpu[CONF_TEXT_MAX + 1];
	char			 forward[CONF_TEXT_MAX + 1];	/* see forward.h */
	char			 net[CONF_TEXT_MAX + 1];	/* see net_port.h, as the two below */
	char			 net_deny[CONF_TEXT_MAX + 1];
	char			 net_dns[CONF_TEXT_MAX + 1];
	char			 passt[CONF_TEXT_MAX + 1];
	uint32_t		 accel;		/* enum accel_setting */
	uint32_t		 arch;		/* conf.c's words: 0 is the machine's own */
	uint32_t		 on_isolation;	/* enum vmd_isolation */
	uint32_t		 vcpu_ratio;
	uint64_t		 memory;	/* bytes; 0: what the host has */
	uint64_t		 memory_reserve;
	uint64_t		 stop_grace_ms;
};

enum vmd_isolation { VMD_ISOLATION_KEEP, VMD_ISOLATION_STOP };

/* Bits of bus_ready: what a subject needs before it is served. */
enum vmd_need {
	VMD_NEED_RECORDS	= 1,	/* the first listing is read */
	VMD_NEED_LEASE		= 2,	/* this node's lease is ours */
	VMD_NEED_OPEN		= 4,	/* it is not drained */
};

struct beat;
struct deadline;
struct drain;
struct drain_return;
struct fence;
struct leftover;
struct run;
struct trim;
struct vm;
struct volume_sweep;

struct vmd {
	struct daemon		 d;		/* must be first */
	const struct vmd_conf	*conf;		/* d.conf */
	char			 image_dir[CONF_TEXT_MAX + 1];	/* in effect */
	char			 disk_dir[CONF_TEXT_MAX + 1];
	char			 qemu[CONF_TEXT_MAX + 32];	/* paths of QEMU's programs */
	char			 qemu_img[CONF_TEXT_MAX + 32];
	char			 guard[CONF_TEXT_MAX + 1];
	char			 arch[17];	/* of this node's guests: "x86_64", ARM64 */
	bool			 is_foreign;	/* ... and not of its machine */
	enum accel_kind		 accel;
	struct forward		 forward;
	struct net_port		 net;		/* of each guest, as far as it is configured */
	struct types		 types;
	struct capacity		 capacity;
	struct guest_env	 env;
	struct bucket		*instances, *addresses, *images, *volumes, *cluster_state;
	struct records		*records;	/* record_owner: struct vm */
	struct vm		*ghosts;	/* lost, their QEMU not yet gone */
	struct run		*runs;		/* RunInstances under way */
	struct lead		*lead;		/* on the node's own key */
	struct beat		*beat;
	struct fence		*fence;
	struct deadline		*deadline;
	struct leftover		*leftover;
	struct trim		*trim;
	struct volume_sweep	*volume_sweep;
	struct drain		*drain;		/* under way */
	struct drain_return	*drain_return;	/* of what another boot drained, under way */
	unsigned		 ready;		/* bits of enum vmd_need that hold */
	bool			 drained;	/* nothing is launched here */
	bool			 ending;	/* the daemon goes down: nothing begins */
	uint64_t		 counts[6];	/* by enum vmd_count */
};

enum vmd_count {
	VMD_COUNT_LAUNCHED,
	VMD_COUNT_LAUNCH_FAILED,
	VMD_COUNT_CRASHED,
	VMD_COUNT_RESTARTED,
	VMD_COUNT_LOST,
	VMD_COUNT_ADOPTED,
	VMD_COUNTS
};

extern const struct daemon_step	 vmd_steps[];
extern const size_t		 vmd_nsteps;
extern const struct conf_table	 vmd_conf_table;
/* The guests' network; 0, or -EINVAL with a sentence in why. */
int	 vmd_conf_net(const struct vmd_conf *c, struct net_port *ret, char *why, size_t size);
/* What the table cannot check; a sentence in why. */
int	 vmd_conf_check(const void *conf, char *why, size_t size);

static inline uint64_t
vmd_now_ms(const struct vmd *d)
{
	return clock_now_ms(d->d.clock);
}

static inline uint64_t
vmd_wall_ms(const struct vmd *d)
{
	return clock_wall_ms(d->d.clock);
}

const char *vmd_conf_arch(const struct vmd *d);		/* of the setting; NULL: native */
const char *vmd_isolation_name(const struct vmd *d);	/* of the setting: "keep", "stop" */
/* May something be launched now: the node's lease is ours by the clock. */
bool	 vmd_may_launch(const struct vmd *d);
void	 vmd_set_ready(struct vmd *d, enum vmd_need need, bool holds);
