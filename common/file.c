#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/ident.h"

#define READ_CHUNK	8192
#define SECRET_MAX	4096	/* bytes of a file with one secret */

int
file_path(char *ret, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(ret, size, fmt, ap);
	va_end(ap);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int
read_all(int fd, struct buf *ret)
{
	uint8_t chunk[READ_CHUNK];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		r = buf_add(ret, chunk, (size_t)n);
		if (r < 0)
			return r;
	}
}

int
file_read(const char *path, struct buf *ret)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int r = fd < 0 ? -errno : read_all(fd, ret);

	if (r < 0)
		buf_deinit(ret);
	return r;
}

static int
check_private(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return (st.st_mode & 077) != 0 || (st.st_uid != geteuid() && st.st_uid != 0) ? -EPERM : 0;
}

int
file_read_private(const char *path, struct buf *ret)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int r = fd < 0 ? -errno : check_private(fd);

	if (r == 0)
		r = read_all(fd, ret);
	if (r < 0)
		buf_deinit(ret);
	return r;
}

int
file_read_secret(const char *path, char **ret)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char text[SECRET_MAX + 1] = "";
	ssize_t n;
	int r;

	if (fd < 0)
		return -errno;
	r = check_private(fd);
	if (r < 0)
		return r;
	while ((n = read(fd, text, SECRET_MAX)) < 0 && errno == EINTR)
		;
	if (n < 0)
		return -errno;
	*ret = strndup(text, strcspn(text, "\r\n"));
	explicit_bzero(text, sizeof(text));
	return *ret ? 0 : -ENOMEM;
}

int
file_write_all(int fd, const void *p, size_t n)
{
	const uint8_t *at = p;

	while (n > 0) {
		ssize_t done = write(fd, at, n);

		if (done < 0) {
			if (errno != EINTR)
				return -errno;
			continue;
		}
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

/* The folder that holds path, "." for a bare name. */
static int
parent_of(const char *path, char *ret, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return file_path(ret, size, ".");
	if (slash == path)
		return file_path(ret, size, "/");
	return file_path(ret, size, "%.*s", (int)(slash - path), path);
}

int
file_sync_dir(const char *path)
{
	char dir[PATH_MAX];
	int r = parent_of(path, dir, sizeof(dir));

	if (r < 0)
		return r;
	AUTO(fd) int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int
fill(int fd, const void *p, size_t n, mode_t mode)
{
	int r = file_write_all(fd, p, n);

	if (r < 0)
		return r;
	return fchmod(fd, mode) < 0 || fsync(fd) < 0 ? -errno : 0;
}

int
file_write(const char *path, const void *p, size_t n, mode_t mode)
{
	char tmp[PATH_MAX], nonce[IDENT_NONCE_LEN + 1];
	int r;

	ident_nonce(nonce);
	r = file_path(tmp, sizeof(tmp), "%s.%s.tmp", path, nonce);
	if (r < 0)
		return r;
	AUTO(fd) int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	r = fill(fd, p, n, mode);
	if (r == 0 && rename(tmp, path) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlink(tmp);	/* the first failure is the one to report */
		return r;
	}
	return file_sync_dir(path);
}

int
file_remove(const char *path)
{
	if (unlink(path) < 0)
		return errno == ENOENT ? 0 : -errno;
	return file_sync_dir(path);
}

static int
make_dir(const char *path, mode_t mode)
{
	struct stat st;

	if (mkdir(path, mode) == 0)
		return chmod(path, mode) < 0 ? -errno : file_sync_dir(path);
	if (errno != EEXIST)
		return -errno;
	if (stat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int
file_make_dirs(const char *path, mode_t mode)
{
	char part[PATH_MAX];
	int r = file_path(part, sizeof(part), "%s", path);

	if (r < 0 || part[0] == '\0')
		return r < 0 ? r : -EINVAL;
	for (char *p = part + 1; *p && r == 0; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		r = make_dir(part, mode);
		*p = '/';
	}
	return r < 0 ? r : make_dir(part, mode);
}

int
file_lock(const char *path)
{
	AUTO(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	while (flock(fd, LOCK_EX | LOCK_NB) < 0)
		if (errno != EINTR)
			return -errno;
	return steal_fd(&fd);
}

int
file_boot_id(char ret[static 37])
{
	AUTO(buf) struct buf b = BUF_EMPTY(64);
	int r = file_read("/proc/sys/kernel/random/boot_id", &b);

	if (r < 0)
		return r;
	if (b.len < 36)
		return -EBADMSG;
	memcpy(ret, b.data, 36);
	ret[36] = '\0';
	return 0;
}
