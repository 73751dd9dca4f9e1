/*
 * isolation.h - may disks lie there under on_isolation = stop?  A guest that was killed may have
 * writes on their way that nobody can call back: a folder shared by nodes has to refuse those
 * of a client whose locks are gone.
 */
#pragma once

#include <stdint.h>

#include "common/cleanup.h"

#define ISOLATION_WHY_MAX	160

/* Pure: type is statfs's f_type, options those of the mount.  0, or -EINVAL and a sentence. */
int	 isolation_judge(uint64_t type, const char *options, char why[static ISOLATION_WHY_MAX])
    MUST_CHECK;
/* The same for a folder; -errno when it cannot be looked at.  May block: at start. */
int	 isolation_check(const char *dir, char why[static ISOLATION_WHY_MAX]) MUST_CHECK;
