/*
 * guard_args.h - a guard's command line.  Nothing but libc.
 */
#pragma once

#include "vmd/guard.h"

#define GUARD_ARGS_USAGE	"usage: vmguard -i launch-id -l lock -s status -u uid -g gid " \
				"[-G gid] [-d page] [-n net -m mac -a address/bits " \
				"[-p passt] [-r resolver] [-x block] ... [-f from:to]] " \
				"-- qemu [argument ...]\n       vmguard -S"

/* false: it is wrong.  g points into argv. */
bool	 guard_args_parse(struct guard *g, int argc, char **argv);
