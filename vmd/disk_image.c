#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/ident.h"
#include "vmd/disk.h"
#include "vmd/disk_text.h"

#define PATH_LEN	1024
#define CHUNK		(256 * 1024)

DEFINE_AUTO(EVP_MD_CTX *, digest, EVP_MD_CTX_free)

static bool
is_zero(const uint8_t *p, size_t n)
{
	return n > 0 && p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

/* A whole chunk, or what is left.  Bytes, 0 at the end, or -errno. */
static ssize_t
read_chunk(int fd, uint8_t *p)
{
	size_t n = 0;

	while (n < CHUNK) {
		ssize_t r = read(fd, p + n, CHUNK - n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	return (ssize_t)n;
}

/* Byte for byte, with holes where there are zeros; the digest is of what was read. */
static int
copy_hashed(int in, int out, EVP_MD_CTX *digest)
{
	AUTO(mem) void *chunk = malloc(CHUNK);
	off_t size = 0;
	ssize_t n;
	int r = chunk ? 0 : -ENOMEM;

	while (r == 0 && (n = read_chunk(in, chunk)) != 0) {
		if (n < 0)
			return (int)n;
		if (EVP_DigestUpdate(digest, chunk, (size_t)n) != 1)
			return -ENOMEM;
		size += n;
		if (is_zero(chunk, (size_t)n))
			r = lseek(out, n, SEEK_CUR) < 0 ? -errno : 0;
		else
			r = file_write_all(out, chunk, (size_t)n);
	}
	if (r == 0 && ftruncate(out, size) < 0)
		r = -errno;
	return r;
}

static int
finish_digest(EVP_MD_CTX *digest, char ret[static 65])
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned n;

	if (EVP_DigestFinal_ex(digest, md, &n) != 1 || n != 32)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		(void)snprintf(ret + (size_t)2 * i, 3, "%02x", md[i]);
	return 0;
}

static int
copy_file(const char *source, int out, char ret_sha256[static 65])
{
	AUTO(fd) int in = open(source, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	AUTO(digest) EVP_MD_CTX *digest = EVP_MD_CTX_new();
	struct stat st;
	int r;

	if (in < 0 || fstat(in, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return -EINVAL;
	if (!digest || EVP_DigestInit_ex(digest, EVP_sha256(), NULL) != 1)
		return -ENOMEM;
	r = copy_hashed(in, out, digest);
	return r < 0 ? r : finish_digest(digest, ret_sha256);
}

/* What was copied is judged, not what was there before: nobody changes it in between. */
static int
judge(const char *qemu_img, const char *path, struct disk_image *img,
    char why[static DISK_WHY_MAX])
{
	struct disk_info info;
	int r = disk_info(qemu_img, path, &info, why);

	if (r < 0)
		return r;
	if (!info.stands_alone || info.encrypted || info.virtual_bytes == 0) {
		(void)snprintf(why, DISK_WHY_MAX, "expected a disk image that needs no other file, "
		    "no key, and is not empty");
		return -EINVAL;
	}
	img->format = info.format;
	img->virtual_bytes = info.virtual_bytes;
	return 0;
}

static int
put_image(const char *image_dir, const char *image_id, int fd, const char *tmp,
    struct disk_image *img, char why[static DISK_WHY_MAX])
{
	char path[PATH_LEN];
	int r = file_path(img->file, sizeof(img->file), "%s.%s", image_id,
	    disk_format_name(img->format));

	if (r == 0)
		r = file_path(path, sizeof(path), "%s/%s", image_dir, img->file);
	if (r < 0)
		return disk_text_say(why, r, "name", image_id);
	if (fchmod(fd, 0444) < 0 || fsync(fd) < 0 || link(tmp, path) < 0)
		return disk_text_say(why, -errno, "make", path);
	r = file_sync_dir(path);
	return r < 0 ? disk_text_say(why, r, "sync", image_dir) : 0;
}

int
disk_image_import(const char *qemu_img, const char *source, const char *image_dir,
    const char *image_id, struct disk_image *ret, char why[static DISK_WHY_MAX])
{
	struct disk_image img = { .file = "" };
	char tmp[PATH_LEN], nonce[IDENT_NONCE_LEN + 1];
	AUTO(fd) int fd = -1;
	int r;

	ident_nonce(nonce);
	r = !ident_is_token(image_id) ? -EINVAL :
	    file_path(tmp, sizeof(tmp), "%s/.%s.%s.tmp", image_dir, image_id, nonce);
	if (r < 0)
		return disk_text_say(why, r, "name", image_id);
	fd = open(tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return disk_text_say(why, -errno, "make", tmp);
	r = copy_file(source, fd, img.sha256);
	if (r < 0)
		(void)disk_text_say(why, r, "copy", source);
	else
		r = judge(qemu_img, tmp, &img, why);
	if (r == 0)
		r = put_image(image_dir, image_id, fd, tmp, &img, why);
	(void)unlink(tmp);	/* the image has its own name now, or is none */
	if (r == 0)
		*ret = img;
	return r;
}

int
disk_image_remove(const char *image_dir, const char *file)
{
	char path[PATH_LEN];
	int r;

	if (!file[0] || file[0] == '.' || strchr(file, '/'))
		return -EINVAL;
	r = file_path(path, sizeof(path), "%s/%s", image_dir, file);
	return r < 0 ? r : file_remove(path);
}
