#include "vmd/console.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"

#define PATH_LEN	1024
#define COPY_BYTES	(64 * 1024)

/* A regular file of dir, not through a link.  fd, or -errno. */
static int
open_part(const char *dir, const char *name, int flags, struct stat *ret)
{
	char path[PATH_LEN];
	AUTO(fd) int fd = -1;
	int r = file_path(path, sizeof(path), "%s/%s", dir, name);

	if (r < 0)
		return r;
	/* NONBLOCK: a pipe in its place must not hold anyone up. */
	fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600);
	if (fd < 0 || fstat(fd, ret) < 0)
		return -errno;
	return S_ISREG(ret->st_mode) ? steal_fd(&fd) : -EINVAL;
}

/* From at to the end of in, as it is now. */
static int
copy_rest(int in, off_t at, int out)
{
	AUTO(mem) void *chunk = malloc(COPY_BYTES);

	if (!chunk)
		return -ENOMEM;
	for (;;) {
		ssize_t n = pread(in, chunk, COPY_BYTES, at);
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		r = file_write_all(out, chunk, (size_t)n);
		if (r < 0)
			return r;
		at += n;
	}
}

/* The end of a log to its older part, which is replaced whole; then the log is emptied. */
static int
cut(const char *dir, const char *name, int in, off_t size)
{
	char tmp[PATH_LEN], old[PATH_LEN];
	AUTO(fd) int out = -1;
	int r = file_path(tmp, sizeof(tmp), "%s/%s.tmp", dir, name);

	if (r == 0)
		r = file_path(old, sizeof(old), "%s/%s.1", dir, name);
	if (r < 0)
		return r;
	out = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (out < 0)
		return -errno;
	r = copy_rest(in, size > CONSOLE_MAX ? size - CONSOLE_MAX : 0, out);
	/* Empty it even when there is no room for the copy: that is what the bound is for. */
	if (ftruncate(in, 0) < 0 && r == 0)
		r = -errno;
	if (r == 0 && rename(tmp, old) < 0)
		r = -errno;
	if (r < 0)
		(void)unlink(tmp);
	return r;
}

static int
trim(const char *dir, const char *name)
{
	struct stat st;
	AUTO(fd) int fd = open_part(dir, name, O_RDWR, &st);
	int r;

	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return fd;
	if (st.st_size <= CONSOLE_MAX)
		return 0;
	r = cut(dir, name, fd, st.st_size);
	return r < 0 ? r : 1;
}

int
console_trim(const char *dir)
{
	int log = trim(dir, "console.log"), qemu = trim(dir, "qemu.log");

	return log < 0 ? log : qemu < 0 ? qemu : log;
}

/* Adds at most max bytes from the end of a part; what was added, or -errno. */
static ssize_t
add_tail(const char *dir, const char *name, size_t max, struct buf *ret, struct stat *st)
{
	AUTO(fd) int fd = open_part(dir, name, O_RDONLY, st);
	AUTO(mem) void *data = malloc(max ? max : 1);
	off_t at;
	ssize_t n;
	int r;

	if (!data)
		return -ENOMEM;
	if (fd < 0 || max == 0)
		return fd == -ENOENT || fd >= 0 ? 0 : fd;
	at = st->st_size > (off_t)max ? st->st_size - (off_t)max : 0;
	do
		n = pread(fd, data, max, at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	r = buf_add(ret, data, (size_t)n);
	return r < 0 ? r : n;
}

int
console_tail(const char *dir, struct buf *ret, uint64_t *ret_mtime_ms)
{
	AUTO(buf) struct buf now = BUF_EMPTY(CONSOLE_TAIL);
	struct stat st = { 0 }, old_st;
	ssize_t n = add_tail(dir, "console.log", CONSOLE_TAIL, &now, &st), old;
	int r;

	if (n < 0)
		return (int)n;
	old = add_tail(dir, "console.log.1", CONSOLE_TAIL - (size_t)n, ret, &old_st);
	r = old < 0 ? (int)old : buf_add(ret, now.data, now.len);
	if (r < 0) {
		buf_deinit(ret);
		return r;
	}
	*ret_mtime_ms = n + old == 0 ? 0 :
	    (uint64_t)st.st_mtim.tv_sec * 1000 + (uint64_t)st.st_mtim.tv_nsec / 1000000;
	return 0;
}

int
console_said(const char *dir, const char *text, uint64_t *at)
{
	const size_t len = strlen(text);
	struct stat st;
	AUTO(fd) int fd = open_part(dir, "qemu.log", O_RDONLY, &st);
	AUTO(str) char *data = malloc(CONSOLE_TAIL);
	uint64_t end, from;
	ssize_t n;

	if (fd < 0 || !data)
		return fd == -ENOENT ? 0 : fd < 0 ? fd : -ENOMEM;
	end = (uint64_t)st.st_size;
	from = *at <= end ? *at : 0;
	if (from == end) {
		*at = end;
		return 0;
	}
	from -= from < len ? from : len - 1;		/* it may have been half said */
	if (end - from > CONSOLE_TAIL)
		from = end - CONSOLE_TAIL;
	n = pread(fd, data, (size_t)(end - from), (off_t)from);
	if (n < 0)
		return -errno;
	*at = from + (uint64_t)n;
	return memmem(data, (size_t)n, text, len) != NULL;
}
