#include "vmd/disk.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/spawn.h"
#include "vmd/disk_text.h"

#define PATH_LEN	1024
#define OUTPUT_MAX	(64 * 1024)		/* bytes of what qemu-img says */
#define INFO_MS		30000
#define MAKE_MS		(60 * 60 * 1000)	/* a copy of a large image over a slow wire */

/* ---- qemu-img ---- */

/* 0, or -errno with its words in why. */
static int
qemu_img(const char *const *argv, uint64_t timeout_ms, struct buf *out,
    char why[static DISK_WHY_MAX])
{
	int r = spawn_run(argv, timeout_ms, out);
	const char *text = buf_text(out);

	if (r == 0)
		return 0;
	if (r < 0) {
		(void)snprintf(why, DISK_WHY_MAX, "%s: %s", argv[0], strerror(-r));
		return r;
	}
	disk_text_reason(text, why);
	return text && strstr(text, strerror(ENOSPC)) ? -ENOSPC : -EIO;
}

/* format NULL: as it looks like. */
static int
ask_info(const char *program, const char *path, const char *format, struct disk_info *ret,
    char why[static DISK_WHY_MAX])
{
	const char *const probed[] = { program, "info", "--output=json", "--", path, NULL };
	const char *const given[] = { program, "info", "--output=json", "-f", format, "--", path,
	    NULL };
	AUTO(buf) struct buf out = BUF_EMPTY(OUTPUT_MAX);
	int r;

	if (access(path, R_OK) < 0) {
		r = -errno;
		(void)snprintf(why, DISK_WHY_MAX, "%s: %s", path, strerror(-r));
		return r;
	}
	r = qemu_img(format ? given : probed, INFO_MS, &out, why);
	if (r == -EIO && buf_text(&out) && strstr(buf_text(&out), "\"write\" lock"))
		return -EBUSY;
	if (r == -EIO)
		return -EINVAL;		/* its words say what is wrong with the file */
	return r < 0 ? r : disk_info_parse(out.data, out.len, ret, why);
}

int
disk_info(const char *program, const char *path, struct disk_info *ret,
    char why[static DISK_WHY_MAX])
{
	return ask_info(program, path, NULL, ret, why);
}

/* ---- A file that appears whole, and replaces none ---- */

/* <folder>/.<name>.<launch>.tmp */
static int
temporary_path(const char *path, const char *launch_id, char ret[static PATH_LEN])
{
	const char *slash = strrchr(path, '/');

	if (!slash || !slash[1])
		return -EINVAL;
	return file_path(ret, PATH_LEN, "%.*s/.%s.%s.tmp", (int)(slash - path), path, slash + 1,
	    launch_id);
}

/* Owner, mode and bytes are there before the name is. */
static int
put_in_place(const char *tmp, const char *path, uid_t uid, gid_t gid, mode_t mode)
{
	AUTO(fd) int fd = open(tmp, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || fchmod(fd, mode) < 0 || fchown(fd, uid, gid) < 0 || fsync(fd) < 0 ||
	    link(tmp, path) < 0)
		return -errno;
	return file_sync_dir(path);
}

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* ---- Root disks ---- */

static int
make_overlay(const struct disk_spec *s, const char *tmp, const char *size,
    char why[static DISK_WHY_MAX])
{
	const char *const argv[] = { s->qemu_img, "create", "-q", "-f", "qcow2", "-b", s->image,
	    "-F", disk_format_name(s->image_format), "--", tmp, size, NULL };
	AUTO(buf) struct buf out = BUF_EMPTY(OUTPUT_MAX);

	return qemu_img(argv, INFO_MS, &out, why);
}

static int
make_empty(const struct disk_spec *s, const char *tmp, const char *size,
    char why[static DISK_WHY_MAX])
{
	const char *const argv[] = { s->qemu_img, "create", "-q", "-f", "qcow2", "--", tmp, size,
	    NULL };
	AUTO(buf) struct buf out = BUF_EMPTY(OUTPUT_MAX);

	return qemu_img(argv, INFO_MS, &out, why);
}

static int
make_copy(const struct disk_spec *s, const char *tmp, const char *size,
    char why[static DISK_WHY_MAX])
{
	const char *const convert[] = { s->qemu_img, "convert", "-q", "-f",
	    disk_format_name(s->image_format), "-O", "qcow2", "--", s->image, tmp, NULL };
	const char *const resize[] = { s->qemu_img, "resize", "-q", "-f", "qcow2", "--", tmp, size,
	    NULL };
	AUTO(buf) struct buf out = BUF_EMPTY(OUTPUT_MAX);
	int r = qemu_img(convert, MAKE_MS, &out, why);

	buf_deinit(&out);
	return r < 0 ? r : qemu_img(resize, INFO_MS, &out, why);
}

/* The size of the disk to make: never less than the image, whose format is not guessed. */
static int
check_image(const struct disk_spec *s, uint64_t *ret_bytes, char why[static DISK_WHY_MAX])
{
	struct disk_info info = { .stands_alone = true };
	int r = 0;

	if (s->image)
		r = ask_info(s->qemu_img, s->image, disk_format_name(s->image_format), &info, why);
	if (r < 0)
		return r;
	if ((!info.stands_alone && !(s->copy && s->is_ours)) || info.encrypted) {
		(void)snprintf(why, DISK_WHY_MAX, "%s needs another file or a key", s->image);
		return -EINVAL;
	}
	if (s->bytes && s->bytes < info.virtual_bytes) {
		(void)snprintf(why, DISK_WHY_MAX, "%" PRIu64 " bytes are less than the image, "
		    "which has %" PRIu64, s->bytes, info.virtual_bytes);
		return -ERANGE;
	}
	*ret_bytes = s->bytes ? s->bytes : info.virtual_bytes;
	if (*ret_bytes == 0) {
		(void)snprintf(why, DISK_WHY_MAX, "a disk needs a size");
		return -EINVAL;
	}
	return 0;
}

int
disk_create(const struct disk_spec *s, char why[static DISK_WHY_MAX])
{
	char tmp[PATH_LEN], size[32];
	uint64_t bytes = 0;
	int r = temporary_path(s->path, s->launch_id, tmp);

	if (r < 0)
		return disk_text_say(why, r, "name", s->path);
	if (is_there(s->path))
		return disk_text_say(why, -EEXIST, "make", s->path);
	r = check_image(s, &bytes, why);
	if (r < 0)
		return r;
	(void)snprintf(size, sizeof(size), "%" PRIu64, bytes);
	r = disk_discard(s->path, s->launch_id);
	if (r < 0)
		return disk_text_say(why, r, "remove", tmp);
	r = !s->image ? make_empty(s, tmp, size, why) : s->copy ? make_copy(s, tmp, size, why) :
	    make_overlay(s, tmp, size, why);
	if (r == 0) {
		r = put_in_place(tmp, s->path, s->uid, s->gid, 0600);
		if (r < 0)
			(void)disk_text_say(why, r, "make", s->path);
	}
	(void)unlink(tmp);	/* the disk has its own name now, or is none */
	return r;
}

int
disk_discard(const char *path, const char *launch_id)
{
	char tmp[PATH_LEN];
	int r = temporary_path(path, launch_id, tmp);

	if (r == 0 && unlink(tmp) < 0 && errno != ENOENT)
		r = -errno;
	return r;
}

int
disk_remove(const char *path)
{
	return file_remove(path);
}
