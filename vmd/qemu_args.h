/*
 * qemu_args.h - what a guest is, as QEMU's command line.  Pure: no files, no clock.
 *
 * The sockets and the log lie in the guest's folder (guest.h):
 *	sock/qmp	ours		sock/console	the serial line
 *	sock/monitor	the operator's	console.log	what the serial line said
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"
#include "vmd/accel.h"
#include "vmd/disk.h"
#include "vmd/net_port.h"

#define QEMU_WHY_MAX	160
#define QEMU_DISKS_MAX	8
#define QEMU_PORTS	8	/* for volumes, plugged in at launch or later */
#define QEMU_CPUS_MAX	255
#define QEMU_SOCKET_MAX	107	/* bytes of a socket's path: the kernel's limit */

struct qemu_disk {
	const char		*path;
	enum disk_format	 format;
	const char		*serial;	/* at most 20 bytes; NULL: none */
	bool			 read_only;	/* and nothing is booted from it */
};

/* A volume that can be taken out again; guest_disk.c plugs in the same way. */
struct qemu_volume {
	const char		*id;		/* "vol-..."; its serial is what follows the dash */
	const char		*path;		/* of a qcow2 */
	uint32_t		 port;		/* below QEMU_PORTS */
};

struct qemu_spec {			/* all strings borrowed while qemu_args_new runs */
	const char		*qemu;		/* path of qemu-system-x86_64, or -aarch64 */
	bool			 is_arm64;	/* the machine, which has no BIOS */
	enum accel_kind		 accel;
	const char		*cpu;		/* NULL or "auto": see cpu_of */
	const char		*name;		/* instance id */
	const char		*uuid;		/* of the machine, lower case */
	const char		*dir;		/* the guest's folder */
	uint32_t		 vcpus;
	uint32_t		 memory_mib;
	/* Firmware as uefid's open answered it.  code NULL: the BIOS, and no variables. */
	const char		*code;
	const char		*code_format;	/* "raw" or "qcow2" */
	const char		*vars;
	bool			 secure_boot;	/* the code needs SMM */
	const struct qemu_disk	*disks;		/* the first is the root disk */
	size_t			 ndisks;
	const struct qemu_volume *volumes;
	size_t			 nvolumes;
	/* NULL or NET_ISOLATED: user mode, restricted, its DHCP gives exactly this address.  Else
	 * a socket of the guard's. */
	const struct net_port	*net;
	const char		*mac;		/* NULL: no network device */
	const char		*address;	/* "172.31.0.10" */
	uint16_t		 forward_from;	/* port of the node's loopback ... */
	uint16_t		 forward_to;	/* ... that leads to this one of the guest; 0: none */
	uint32_t		 prefix;	/* bits of its subnet, 8 to 28 */
	const char		*smbios_product;	/* instance type; NULL: none */
	const char		*smbios_serial;		/* NULL: none */
};

/*
 * argv, NULL-terminated, in one allocation that the caller frees.  0; -EINVAL with a sentence
 * in why: a field that is missing or out of range, an address its subnet keeps for itself (the
 * first four and the last, as in EC2); -ENAMETOOLONG: dir is too deep for a socket; -ENOMEM.
 */
int	 qemu_args_new(const struct qemu_spec *s, char ***ret, char why[static QEMU_WHY_MAX])
    MUST_CHECK;
