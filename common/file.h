/*
 * file.h - small files that are whole or absent: written to a temporary name, synced, renamed,
 * folder synced.  May block: for start-up and for jobs.  Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/buf.h"

/* Whole file into ret (made with its ceiling).  -EMSGSIZE: larger.  ret empty on failure. */
int	 file_read(const char *path, struct buf *ret) MUST_CHECK;
/*
 * The first line of a file that is for one reader: -EPERM when others than its owner may read
 * or write it, or when the owner is neither this user nor root.  Caller frees (and wipes).
 */
int	 file_read_secret(const char *path, char **ret) MUST_CHECK;
/* The same of the whole file, into ret (made with its ceiling). */
int	 file_read_private(const char *path, struct buf *ret) MUST_CHECK;
/* Replaces path.  0 or -errno; on failure the old content stands (a failure to sync the folder
 * excepted: then either may).  A crash may leave "<path>.<nonce>.tmp": listers skip "*.tmp". */
int	 file_write(const char *path, const void *p, size_t n, mode_t mode) MUST_CHECK;
int	 file_remove(const char *path) MUST_CHECK;	/* absent is success; folder synced */
int	 file_sync_dir(const char *path) MUST_CHECK;	/* the folder that holds path */
/* mkdir -p of path itself, each level made with mode.  There already is success. */
int	 file_make_dirs(const char *path, mode_t mode) MUST_CHECK;
/* flock(LOCK_EX|LOCK_NB) on path, made if absent, 0600.  fd, or -EWOULDBLOCK when held. */
int	 file_lock(const char *path) MUST_CHECK;
/* Writes all of p, over short writes and EINTR. */
int	 file_write_all(int fd, const void *p, size_t n) MUST_CHECK;
/* snprintf that fails with -ENAMETOOLONG instead of cutting. */
int	 file_path(char *ret, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4) MUST_CHECK;
/* This boot's id (/proc/sys/kernel/random/boot_id), 36 characters. */
int	 file_boot_id(char ret[static 37]) MUST_CHECK;
