/*
 * copy.h - the local copy of a store, in <state_dir>/uefi/<instance>/:
 *
 *	vars.fd		what QEMU maps as flash; owned by the guests' user
 *	seeded.json	what it is for and where it came from; absent: vars.fd counts for nothing
 *	lock		held (flock) by the guest's guard and QEMU, which inherits the descriptor,
 *			exactly as long as QEMU can write; by us while we fetch or remove
 *	state		"fenced" or "deleting": this copy has lost, and waits for the lock
 *
 * A fetch writes vars.fd whole and then seeded.json whole; a removal takes seeded.json first.
 * So a crash anywhere leaves a copy that counts, or one that counts for nothing.
 *
 * For jobs (everything may block); one job of an instance at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/buf.h"
#include "uefid/reuse.h"
#include "uefid/seeded.h"

#define COPY_PATH_MAX	383	/* bytes */

struct copy {
	char	dir[COPY_PATH_MAX + 1];
	char	vars[COPY_PATH_MAX + 1];
	char	seeded[COPY_PATH_MAX + 1];
	char	lock[COPY_PATH_MAX + 1];
	char	state[COPY_PATH_MAX + 1];
	char	instance_id[INSTANCE_ID_MAX + 1];
};
/* -EINVAL: no instance's id; -ENAMETOOLONG. */
int	 copy_init(struct copy *c, const char *state_dir, const char *instance_id) MUST_CHECK;
/* The folder, searchable by the guests' user. */
int	 copy_make(const struct copy *c) MUST_CHECK;
/* fd to close; -EWOULDBLOCK: a guest has it; -ENOENT: there is no folder. */
int	 copy_lock(const struct copy *c) MUST_CHECK;

/* What seeded.json is; ret is set when it is REUSE_PRESENT, why when REUSE_UNREADABLE. */
enum reuse_seeded copy_seeded(const struct copy *c, struct seeded *ret,
    char why[static JSON_WHY_MAX]);
int	 copy_write_seeded(const struct copy *c, const struct seeded *s) MUST_CHECK;
bool	 copy_has_vars(const struct copy *c);

/* ---- only while the lock is ours ---- */

struct copy_owner {		/* whom vars.fd is given to; is_set false: nobody else */
	bool	 is_set;
	uid_t	 uid;
	gid_t	 gid;
};
/* Removes seeded.json, then replaces vars.fd, its space allocated.  seeded.json comes next. */
int	 copy_fill(const struct copy *c, const void *p, size_t n, const struct copy_owner *o)
    MUST_CHECK;
/* All but lock: seeded.json, vars.fd, state, and what a crash left of a fetch. */
int	 copy_remove(const struct copy *c) MUST_CHECK;
/* The folder with its lock, once no guest of this instance can ever start again. */
int	 copy_remove_folder(const struct copy *c) MUST_CHECK;

/* ---- at any time ---- */

/*
 * The bytes of vars.fd as they were at one point in time, made durable first, into ret (empty,
 * with its ceiling).  inotify serves as a sequence lock: the watch is drained, the file read,
 * the watch drained again, and an event in between discards the copy.  QEMU writes its flash
 * one write at a time and a write's event precedes the next write, so what was read without an
 * event is what a power cut would have left.  -EAGAIN: no quiet moment was found.
 */
int	 copy_snapshot(const struct copy *c, struct buf *ret) MUST_CHECK;

enum copy_state { COPY_FINE, COPY_FENCED, COPY_DELETING, COPY_UNREADABLE };
enum copy_state copy_state(const struct copy *c);
int	 copy_mark(const struct copy *c, enum copy_state s) MUST_CHECK;
