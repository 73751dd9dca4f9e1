/*
 * accel.h - can KVM run a guest here?  A present /dev/kvm proves nothing: some interpret a
 * guest's kernel and stop at the first floating-point instruction, which looks like a guest
 * that hangs.  So a few instructions are run in a virtual machine of our own.
 * Blocks up to a second: for start-up and for jobs.  Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cleanup.h"

enum accel_setting {		/* order of the words of `accel` in spinifex.conf */
	ACCEL_AUTO,
	ACCEL_KVM,
	ACCEL_TCG,
};

enum accel_kind {		/* what a guest is run with */
	ACCEL_WITH_TCG,
	ACCEL_WITH_KVM,
};
const char *accel_name(enum accel_kind k);	/* "tcg", "kvm": QEMU's words */

#define ACCEL_WHY_MAX	160

/*
 * 0: KVM runs integer loops at machine speed and floating point at all.  -errno with a
 * sentence in why: -ENOENT and -EACCES from /dev/kvm itself, -ENOTSUP too slow or broken.
 */
int	 accel_probe_kvm(char why[static ACCEL_WHY_MAX]) MUST_CHECK;

/*
 * auto takes KVM when the probe passes, else TCG with the reason in why (empty for KVM).
 * ACCEL_KVM with a failed probe is an error: the probe's.
 */
int	 accel_choose(enum accel_setting s, enum accel_kind *ret, char why[static ACCEL_WHY_MAX])
    MUST_CHECK;

/* The group that owns /dev/kvm, for the guest's process; (gid_t)-1 when there is none. */
gid_t	 accel_kvm_group(void);
