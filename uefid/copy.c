/* The local copy's files. */
#include "uefid/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "common/ident.h"

#define TMP_SUFFIX	".tmp"

static const char *const state_names[] = {
	[COPY_FENCED]	= "fenced",
	[COPY_DELETING]	= "deleting",
};

int
copy_init(struct copy *c, const char *state_dir, const char *instance_id)
{
	static const struct { size_t offset; const char *name; } files[] = {
		{ offsetof(struct copy, vars), "vars.fd" },
		{ offsetof(struct copy, seeded), "seeded.json" },
		{ offsetof(struct copy, lock), "lock" },
		{ offsetof(struct copy, state), "state" },
	};
	int r;

	if (!ident_is_ec2(instance_id, "i"))
		return -EINVAL;
	*c = (struct copy){ 0 };
	snprintf(c->instance_id, sizeof(c->instance_id), "%s", instance_id);
	r = file_path(c->dir, sizeof(c->dir), "%s/uefi/%s", state_dir, instance_id);
	for (size_t i = 0; r == 0 && i < ARRAY_LEN(files); i++)
		r = file_path((char *)c + files[i].offset, sizeof(c->vars), "%s/%s", c->dir,
		    files[i].name);
	return r;
}

int
copy_make(const struct copy *c)
{
	return file_make_dirs(c->dir, 0711);
}

int
copy_lock(const struct copy *c)
{
	return file_lock(c->lock);
}

bool
copy_has_vars(const struct copy *c)
{
	/* Only its absence says that it is not there. */
	return access(c->vars, F_OK) == 0 || errno != ENOENT;
}

enum reuse_seeded
copy_seeded(const struct copy *c, struct seeded *ret, char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf b = BUF_EMPTY(SEEDED_MAX);
	int r = file_read(c->seeded, &b);

	if (r == -ENOENT)
		return REUSE_ABSENT;
	if (r < 0) {
		snprintf(why, JSON_WHY_MAX, "%s", strerrordesc_np(-r));
		return REUSE_UNREADABLE;
	}
	return seeded_parse(b.data, b.len, c->instance_id, ret, why) == 0 ?
	    REUSE_PRESENT : REUSE_UNREADABLE;
}

int
copy_write_seeded(const struct copy *c, const struct seeded *s)
{
	AUTO(str) char *text = seeded_print(s);

	return text ? file_write(c->seeded, text, strlen(text), 0600) : -ENOMEM;
}

/* ---- fill and remove ---- */

static int
vars_write(int fd, const void *p, size_t n, const struct copy_owner *o)
{
	/* QEMU only prints that a flash write failed: its space must be there before. */
	int r = -posix_fallocate(fd, 0, (off_t)n);

	if (r == 0)
		r = file_write_all(fd, p, n);
	if (r < 0)
		return r;
	if (o->is_set && fchown(fd, o->uid, o->gid) < 0)
		return -errno;
	return fsync(fd) < 0 ? -errno : 0;
}

int
copy_fill(const struct copy *c, const void *p, size_t n, const struct copy_owner *o)
{
	char tmp[COPY_PATH_MAX + sizeof(TMP_SUFFIX)];
	int r = file_remove(c->seeded);

	if (r < 0)
		return r;
	snprintf(tmp, sizeof(tmp), "%s" TMP_SUFFIX, c->vars);
	(void)unlink(tmp);		/* of a fetch that a crash ended */
	AUTO(fd) int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	r = vars_write(fd, p, n, o);
	if (r == 0 && rename(tmp, c->vars) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlink(tmp);
		return r;
	}
	return file_sync_dir(c->vars);
}

static bool
is_left_over(const char *name)
{
	size_t n = strlen(name);

	return n > strlen(TMP_SUFFIX) && strcmp(name + n - strlen(TMP_SUFFIX), TMP_SUFFIX) == 0;
}

static int
remove_left_overs(const struct copy *c)
{
	AUTO(dir) DIR *d = opendir(c->dir);
	struct dirent *e;

	if (!d)
		return errno == ENOENT ? 0 : -errno;
	while ((e = readdir(d)))
		if (is_left_over(e->d_name) && unlinkat(dirfd(d), e->d_name, 0) < 0 &&
		    errno != ENOENT)
			return -errno;
	return 0;
}

int
copy_remove(const struct copy *c)
{
	const char *const order[] = { c->seeded, c->vars, c->state };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_LEN(order); i++)
		r = file_remove(order[i]);
	return r < 0 ? r : remove_left_overs(c);
}

int
copy_remove_folder(const struct copy *c)
{
	int r = copy_remove(c);

	if (r == 0)
		r = file_remove(c->lock);
	if (r == 0 && rmdir(c->dir) < 0)
		r = -errno;
	return r < 0 ? r : file_sync_dir(c->dir);
}

/* ---- state ---- */

enum copy_state
copy_state(const struct copy *c)
{
	AUTO(buf) struct buf b = BUF_EMPTY(32);
	int r = file_read(c->state, &b);

	if (r == -ENOENT)
		return COPY_FINE;
	if (r < 0)
		return COPY_UNREADABLE;
	/* Whatever words it has, there is one: the copy has lost. */
	return b.len > 0 && strcmp(buf_text(&b), state_names[COPY_DELETING]) == 0 ?
	    COPY_DELETING : COPY_FENCED;
}

int
copy_mark(const struct copy *c, enum copy_state s)
{
	if (s == COPY_FINE)
		return file_remove(c->state);
	return file_write(c->state, state_names[s], strlen(state_names[s]), 0600);
}
