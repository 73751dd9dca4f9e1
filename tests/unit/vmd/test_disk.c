/* With the system's qemu-img. */
#include "vmd/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/spawn.h"
#include "tests/unit/unit.h"
#include "vmd/disk_text.h"

#define QEMU_IMG	"/usr/bin/qemu-img"
#define MIB		(1024ull * 1024)

static char dir[32];		/* the fixture */
static char why[DISK_WHY_MAX];

static const char *
path(const char *name)
{
	static char p[16][128];
	static size_t n;

	n = (n + 1) % ARRAY_LEN(p);
	ck_assert_int_eq(file_path(p[n], sizeof(p[n]), "%s/%s", dir, name), 0);
	return p[n];
}

static void
setup(void)
{
	(void)snprintf(dir, sizeof(dir), "/tmp/test_disk.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	why[0] = '\0';
}

/* The names in the folder, hidden ones too. */
static size_t
count_files(void)
{
	AUTO(dir) DIR *d = opendir(dir);
	const struct dirent *e;
	size_t n = 0;

	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	return n;
}

static void
teardown(void)
{
	AUTO(dir) DIR *d = opendir(dir);
	const struct dirent *e;

	while ((e = readdir(d)))
		(void)unlinkat(dirfd(d), e->d_name, 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void
run(const char *const *argv)
{
	AUTO(buf) struct buf out = BUF_EMPTY(4096);

	ck_assert_msg(spawn_run(argv, 30000, &out) == 0, "%s", buf_text(&out));
}

/* A raw image of 2 MiB that begins with text, and has a hole. */
static const char *
make_raw(const char *name, const char *text)
{
	const char *p = path(name);
	AUTO(fd) int fd = open(p, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(file_write_all(fd, text, strlen(text)), 0);
	ck_assert_int_eq(ftruncate(fd, 2 * MIB), 0);
	return p;
}

static struct disk_spec
spec(const char *image, enum disk_format f, const char *name)
{
	return (struct disk_spec){ .qemu_img = QEMU_IMG, .image = image, .image_format = f,
	    .path = path(name), .launch_id = "L1", .uid = getuid(), .gid = getgid() };
}

START_TEST(a_disk_is_an_overlay_as_large_as_its_image)
{
	const char *image = make_raw("image.raw", "boot");
	struct disk_spec s = spec(image, DISK_RAW, "vol-1.qcow2");
	struct disk_info info;
	struct stat st;

	ck_assert_msg(disk_create(&s, why) == 0, "%s", why);
	ck_assert_int_eq(disk_info(QEMU_IMG, s.path, &info, why), 0);
	ck_assert_int_eq(info.format, DISK_QCOW2);
	ck_assert_uint_eq(info.virtual_bytes, 2 * MIB);
	ck_assert(!info.stands_alone);
	ck_assert_int_eq(stat(s.path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(a_disk_grows_and_never_shrinks)
{
	const char *image = make_raw("image.raw", "boot");
	struct disk_spec s = spec(image, DISK_RAW, "vol-1.qcow2");
	struct disk_info info;

	s.bytes = 2 * MIB - 512;
	ck_assert_int_eq(disk_create(&s, why), -ERANGE);
	ck_assert(strstr(why, "less than the image") != NULL);
	ck_assert_uint_eq(count_files(), 1);
	s.bytes = 8 * MIB;
	ck_assert_int_eq(disk_create(&s, why), 0);
	ck_assert_int_eq(disk_info(QEMU_IMG, s.path, &info, why), 0);
	ck_assert_uint_eq(info.virtual_bytes, 8 * MIB);
}
END_TEST

START_TEST(a_copy_stands_alone)
{
	const char *image = make_raw("image.raw", "boot");
	struct disk_spec s = spec(image, DISK_RAW, "vol-1.qcow2");
	struct disk_info info;

	s.copy = true;
	s.bytes = 4 * MIB;
	ck_assert_msg(disk_create(&s, why) == 0, "%s", why);
	ck_assert_int_eq(disk_info(QEMU_IMG, s.path, &info, why), 0);
	ck_assert(info.stands_alone);
	ck_assert_uint_eq(info.virtual_bytes, 4 * MIB);
}
END_TEST

START_TEST(a_disk_that_is_there_is_never_replaced)
{
	struct disk_spec s = spec(NULL, DISK_RAW, "vol-1.qcow2");
	AUTO(buf) struct buf b = BUF_EMPTY(64);

	s.bytes = MIB;
	ck_assert_int_eq(file_write(s.path, "precious", 8, 0600), 0);
	ck_assert_int_eq(disk_create(&s, why), -EEXIST);
	ck_assert_int_eq(file_read(s.path, &b), 0);
	ck_assert_str_eq(buf_text(&b), "precious");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(what_an_earlier_attempt_left_is_in_nobodys_way)
{
	struct disk_spec s = spec(NULL, DISK_RAW, "vol-1.qcow2");

	s.bytes = MIB;
	ck_assert_int_eq(file_write(path(".vol-1.qcow2.L1.tmp"), "half", 4, 0600), 0);
	ck_assert_msg(disk_create(&s, why) == 0, "%s", why);
	ck_assert_uint_eq(count_files(), 1);
	ck_assert_int_eq(file_write(path(".vol-2.qcow2.L1.tmp"), "half", 4, 0600), 0);
	ck_assert_int_eq(disk_discard(path("vol-2.qcow2"), "L1"), 0);
	ck_assert_int_eq(disk_discard(path("vol-2.qcow2"), "L1"), 0);
	ck_assert_int_eq(disk_remove(s.path), 0);
	ck_assert_int_eq(disk_remove(s.path), 0);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(an_image_that_is_missing_or_not_what_it_says_is_refused)
{
	struct disk_spec s = spec(path("none.qcow2"), DISK_QCOW2, "vol-1.qcow2");

	ck_assert_int_eq(disk_create(&s, why), -ENOENT);
	s.image = make_raw("image.raw", "boot");
	ck_assert_int_eq(disk_create(&s, why), -EINVAL);	/* raw, said to be qcow2 */
	ck_assert(why[0] != '\0');
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(a_raw_guest_disk_that_looks_like_qcow2_stays_raw)
{
	/* What a guest can write to the start of its own raw disk must not open other files. */
	const char *const evil[] = { QEMU_IMG, "create", "-q", "-f", "qcow2", "-b", "/etc/passwd",
	    "-F", "raw", path("image.raw"), NULL };
	struct disk_spec s = spec(path("image.raw"), DISK_RAW, "vol-1.qcow2");
	struct disk_info info;

	run(evil);
	ck_assert_msg(disk_create(&s, why) == 0, "%s", why);
	ck_assert_int_eq(disk_info(QEMU_IMG, s.path, &info, why), 0);
	ck_assert_uint_ge(info.virtual_bytes, 64 * 1024);	/* the file's, not the evil one's */
	s.image_format = DISK_QCOW2;
	s.path = path("vol-2.qcow2");
	ck_assert_int_eq(disk_create(&s, why), -EINVAL);
	ck_assert(strstr(why, "needs another file") != NULL);
}
END_TEST

START_TEST(an_image_is_imported_byte_for_byte_with_its_digest)
{
	const char *source = make_raw("source", "hello");
	struct disk_image img;
	struct stat from, to;
	char shown[65] = "";

	ck_assert_msg(disk_image_import(QEMU_IMG, source, dir, "ami-1", &img, why) == 0, "%s", why);
	ck_assert_str_eq(img.file, "ami-1.raw");
	ck_assert_uint_eq(img.virtual_bytes, 2 * MIB);
	{
		const char *const argv[] = { "/usr/bin/sha256sum", source, NULL };
		AUTO(buf) struct buf out = BUF_EMPTY(256);

		ck_assert_int_eq(spawn_run(argv, 30000, &out), 0);
		(void)snprintf(shown, sizeof(shown), "%.64s", buf_text(&out));
	}
	ck_assert_str_eq(img.sha256, shown);
	ck_assert_int_eq(stat(source, &from), 0);
	ck_assert_int_eq(stat(path("ami-1.raw"), &to), 0);
	ck_assert_int_eq(from.st_size, to.st_size);
	ck_assert_int_lt(to.st_blocks, 4096);		/* the hole is one */
	ck_assert_uint_eq(to.st_mode & 0777, 0444);
	ck_assert_int_eq(disk_image_import(QEMU_IMG, source, dir, "ami-1", &img, why), -EEXIST);
	ck_assert_uint_eq(count_files(), 2);
	ck_assert_int_eq(disk_image_remove(dir, "ami-1.raw"), 0);
	ck_assert_int_eq(disk_image_remove(dir, "../x"), -EINVAL);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(an_image_that_needs_another_file_is_not_imported)
{
	const char *const make[] = { QEMU_IMG, "create", "-q", "-f", "qcow2", "-b", "/etc/passwd",
	    "-F", "raw", path("evil"), NULL };
	struct disk_image img = { .file = "untouched" };

	run(make);
	ck_assert_int_eq(disk_image_import(QEMU_IMG, path("evil"), dir, "ami-1", &img, why),
	    -EINVAL);
	ck_assert_int_eq(disk_image_import(QEMU_IMG, path("none"), dir, "ami-1", &img, why),
	    -ENOENT);
	ck_assert_int_eq(disk_image_import(QEMU_IMG, "/dev/zero", dir, "ami-1", &img, why),
	    -EINVAL);
	ck_assert_str_eq(img.file, "untouched");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(a_foreign_format_is_named)
{
	const char *const make[] = { QEMU_IMG, "create", "-q", "-f", "vmdk", path("a.vmdk"), "1M",
	    NULL };
	struct disk_info info;

	run(make);
	ck_assert_int_eq(disk_info(QEMU_IMG, path("a.vmdk"), &info, why), -EINVAL);
	ck_assert_str_eq(why, "expected raw or qcow2, not vmdk");
}
END_TEST

START_TEST(what_qemu_img_says_is_read_strictly)
{
	static const char *const bad[] = { "", "[]", "{}", "{\"format\":\"raw\"}",
	    "{\"format\":\"raw\",\"virtual-size\":-1,\"actual-size\":1}",
	    "{\"format\":\"raw\",\"virtual-size\":\"1\",\"actual-size\":1}",
	    "{\"format\":1,\"virtual-size\":1,\"actual-size\":1}" };
	static const char beside[] = "{\"format\":\"qcow2\",\"virtual-size\":1,\"actual-size\":1,"
	    "\"format-specific\":{\"type\":\"qcow2\",\"data\":{\"data-file\":\"/etc/passwd\"}}}";
	struct disk_info info;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_int_eq(disk_info_parse(bad[i], strlen(bad[i]), &info, why), -EINVAL);
	ck_assert_int_eq(disk_info_parse(beside, strlen(beside), &info, why), 0);
	ck_assert(!info.stands_alone);
	disk_text_reason("one\nqemu-img: two\n\n", why);
	ck_assert_str_eq(why, "qemu-img: two");
	disk_text_reason(NULL, why);
	ck_assert_str_eq(why, "qemu-img failed and did not say why");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("disk");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_disk_is_an_overlay_as_large_as_its_image);
	tcase_add_test(tc, a_disk_grows_and_never_shrinks);
	tcase_add_test(tc, a_copy_stands_alone);
	tcase_add_test(tc, a_disk_that_is_there_is_never_replaced);
	tcase_add_test(tc, what_an_earlier_attempt_left_is_in_nobodys_way);
	tcase_add_test(tc, an_image_that_is_missing_or_not_what_it_says_is_refused);
	tcase_add_test(tc, a_raw_guest_disk_that_looks_like_qcow2_stays_raw);
	tcase_add_test(tc, an_image_is_imported_byte_for_byte_with_its_digest);
	tcase_add_test(tc, an_image_that_needs_another_file_is_not_imported);
	tcase_add_test(tc, a_foreign_format_is_named);
	tcase_add_test(tc, what_qemu_img_says_is_read_strictly);
	return unit_run("disk", tc);
}
