/*
 * types.h - the table of instance types, read once from a data file: one type a line,
 *
 *	name arch vcpus threads-per-core memory-in-MiB yes|no current|previous yes|no
 *
 * the seventh column its generation, the sixth "burstable" and the last "offered": a type that
 * is listed and not offered is refused with an honest reason.  `#` begins a comment.  No state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define TYPES_MAX	1024	/* rows of a file */

struct type {
	char		 name[33];	/* "t3.micro": letters, digits, dot and dash */
	char		 arch[17];	/* "x86_64", "arm64" */
	uint32_t	 vcpus;		/* 1..512 */
	uint32_t	 threads;	/* per core: 1 or 2; divides vcpus */
	uint32_t	 memory_mib;	/* 64..16777216 */
	bool		 burstable;
	bool		 current;	/* generation */
	bool		 offered;
};

struct types {
	struct type	*row;		/* owned: types_deinit; in the order of the file */
	size_t		 n;
};

/*
 * 0; -EINVAL with "line N: what was expected" in why: also for a name that is there twice and
 * for a file without any type.  text needs no NUL.
 */
int	 types_parse(const char *text, size_t len, struct types *ret, char *why, size_t size)
    MUST_CHECK;
/* The same of a file, its name before the line; -errno when it cannot be read.  May block. */
int	 types_load(const char *path, struct types *ret, char *why, size_t size) MUST_CHECK;
void	 types_deinit(struct types *t);
/* Borrowed; NULL: no such type. */
const struct type *types_find(const struct types *t, const char *name);
