#include "vmd/guest_world.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>

#include "common/file.h"
#include "common/spawn.h"
#include "vmd/guard_socket.h"

#define PATH_LEN	1024
#define LOG_TAIL	4096	/* bytes of qemu.log that are searched for a reason */
#define TREE_DEPTH_MAX	8

/* ---- The lock and the launch beside it ---- */

static int
launch_path(const char *lock, char ret[static PATH_LEN])
{
	const char *slash = strrchr(lock, '/');

	if (!slash)
		return -EINVAL;
	return file_path(ret, PATH_LEN, "%.*s/launch", (int)(slash - lock), lock);
}

static int
open_lock(const char *lock, int *ret_fd)
{
	int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

/*
 * With the lock held by the caller: no guard that comes later may begin.  Neither this nor the
 * writing of `launch` is synced: what a crash of the host brings back, no guard is there to read.
 */
static int
forbid_launch(const char *lock)
{
	char path[PATH_LEN];
	int r = launch_path(lock, path);

	return r == 0 && unlink(path) < 0 && errno != ENOENT ? -errno : r;
}

int
guest_settle(const char *lock)
{
	AUTO(fd) int fd = -1;
	int r = open_lock(lock, &fd);

	if (r < 0)
		return r == -ENOENT ? 0 : r;	/* no folder, so no `launch` in it */
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	return forbid_launch(lock);
}

/* After its processes are gone, or its guard has said that it was refused. */
static void
forget_launch(const char *lock, const char *launch_id)
{
	AUTO(buf) struct buf text = BUF_EMPTY(64);
	char path[PATH_LEN];

	/* One that cannot be removed lets no guard begin: this launch's has come and gone. */
	if (launch_path(lock, path) == 0 && file_read(path, &text) == 0 &&
	    strcmp(buf_text(&text), launch_id) == 0)
		(void)unlink(path);
}

/* ---- Processes ---- */

/* Is pid the process that began at start, and not yet a zombie? */
static bool
is_process(uint32_t pid, uint64_t start)
{
	AUTO(buf) struct buf text = BUF_EMPTY(1024);
	char path[64], state;
	uint64_t began;

	(void)snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return file_read(path, &text) == 0 &&
	    guest_stat_parse(buf_text(&text), &began, &state) == 0 && began == start &&
	    state != 'Z' && state != 'X';
}

/* A pidfd; what it names is checked after, so it cannot be a process that came later. */
static int
open_process(uint32_t pid, uint64_t start)
{
	AUTO(fd) int fd = pidfd_open((pid_t)pid, 0);

	return fd >= 0 && is_process(pid, start) ? steal_fd(&fd) : -1;
}

/* The text of a lock that another holds. */
static int
read_identity(int fd, const char *boot_id, struct guest_identity *ret)
{
	char text[GUEST_LOCK_TEXT_MAX];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	struct guest_identity id;

	if (n < 0)
		return -errno;
	/* Not written yet, or left by a holder of an earlier boot: the new one empties it. */
	if (guest_identity_parse(text, (size_t)n, &id) < 0 || strcmp(id.boot_id, boot_id) != 0)
		return -EAGAIN;
	*ret = id;
	return 0;
}

int
guest_world_find(const char *lock, const char *boot_id, struct guest_found *ret)
{
	struct guest_found f = { .qemu_fd = -1, .guard_fd = -1 };
	AUTO(fd) int fd = -1;
	int r = open_lock(lock, &fd);

	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		r = forbid_launch(lock);
		return r < 0 ? r : -ESRCH;
	}
	if (errno != EWOULDBLOCK)
		return -errno;
	r = read_identity(fd, boot_id, &f.id);
	if (r < 0)
		return r;
	f.guard_fd = open_process(f.id.guard, f.id.guard_start);
	f.qemu_fd = open_process(f.id.pid, f.id.start);
	if (f.guard_fd < 0 && f.qemu_fd < 0)
		return -EAGAIN;
	*ret = f;
	return 0;
}

/* ---- Words ---- */

static ssize_t
read_tail(const char *path, char *ret, size_t size)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	n = pread(fd, ret, size - 1, st.st_size < (off_t)size ? 0 : st.st_size - (off_t)size + 1);
	if (n >= 0)
		ret[n] = '\0';
	return n;
}

/* Printable, and without the stamp that QEMU puts in front. */
static void
copy_line(char why[static GUEST_WHY_MAX], const char *line, size_t len)
{
	const char *name = memmem(line, len, " qemu-system-", strlen(" qemu-system-"));
	size_t n = 0;

	if (name && isdigit((unsigned char)line[0])) {
		len -= (size_t)(name + 1 - line);
		line = name + 1;
	}
	for (; n < len && n + 1 < GUEST_WHY_MAX; n++)
		why[n] = isprint((unsigned char)line[n]) ? line[n] : '?';
	why[n] = '\0';
}

/* The last thing that QEMU said, or else the guard. */
static void
last_words(const char *dir, char why[static GUEST_WHY_MAX])
{
	char path[PATH_LEN], text[LOG_TAIL], *line, *next;
	bool is_qemus = false;

	(void)snprintf(why, GUEST_WHY_MAX, "it said nothing");
	if (file_path(path, sizeof(path), "%s/qemu.log", dir) < 0 ||
	    read_tail(path, text, sizeof(text)) <= 0)
		return;
	for (line = text; line; line = next) {
		const bool is_guards = strncmp(line, "vmguard: ", 9) == 0;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line[0] && (!is_guards || !is_qemus))
			copy_line(why, line, strlen(line));
		is_qemus = is_qemus || (line[0] && !is_guards);
	}
}

/* ---- A start ---- */

static int
make_console_log(const struct guest_launch *l)
{
	char path[PATH_LEN];
	AUTO(fd) int fd = -1;
	int r = file_path(path, sizeof(path), "%s/console.log", l->dir);

	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 || fchown(fd, l->uid, l->gid) < 0 ? -errno : 0;
}

/* Only sock/ belongs to the guest's user: it can put nothing into the folder itself. */
static int
make_folder(const struct guest_launch *l)
{
	char path[PATH_LEN];
	int r = file_make_dirs(l->dir, 0711);

	if (r == 0)
		r = file_path(path, sizeof(path), "%s/sock", l->dir);
	if (r == 0 && mkdir(path, 0700) < 0 && errno != EEXIST)
		r = -errno;
	if (r == 0 && lchown(path, l->uid, l->gid) < 0)
		r = -errno;
	return r < 0 ? r : make_console_log(l);
}

static int
open_log(const char *dir)
{
	char path[PATH_LEN];
	int r = file_path(path, sizeof(path), "%s/qemu.log", dir);
	int fd;

	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 ? -errno : fd;
}

static int
write_launch(const struct guest_launch *l)
{
	char path[PATH_LEN];
	AUTO(fd) int fd = -1;
	int r = file_path(path, sizeof(path), "%s/status", l->dir);

	if (r == 0 && unlink(path) < 0 && errno != ENOENT)
		r = -errno;
	if (r == 0)
		r = launch_path(l->lock, path);
	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 ? -errno : file_write_all(fd, l->launch_id, strlen(l->launch_id));
}

/* The exit status of a child of ours, or -errno; over time it is killed. */
static int
wait_for(int pidfd, int timeout_ms)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };
	siginfo_t si;
	int n;

	do
		n = poll(&p, 1, timeout_ms);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		(void)pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
	while (waitid(P_PIDFD, (id_t)pidfd, &si, WEXITED) < 0)
		if (errno != EINTR)
			return -errno;
	if (n <= 0)
		return -ETIMEDOUT;
	return si.si_code == CLD_EXITED ? si.si_status : 128 + si.si_status;
}

static bool
is_socket(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* Runs the guard's front, which ends when the guard has begun or given up; or asks for a guard. */
static int
run_guard(const struct guest_launch *l)
{
	AUTO(fd) int log = open_log(l->dir);
	AUTO(fd) int pidfd = -1;
	struct spawn s = SPAWN_INIT;
	pid_t pid;
	int r;

	if (log < 0)
		return log;
	if (is_socket(l->argv[0]))
		return guard_socket_ask(l->argv[0], l->argv, log, GUEST_GUARD_MS);
	s.argv = l->argv;
	s.stdout_fd = s.stderr_fd = log;
	r = spawn_start(&s, &pid, &pidfd);
	return r < 0 ? r : wait_for(pidfd, GUEST_GUARD_MS);
}

/* The guard did not begin: sees to it that it never will. */
static int
give_up(const struct guest_launch *l, int r, char why[static GUEST_WHY_MAX])
{
	if (r == EX_TEMPFAIL) {
		forget_launch(l->lock, l->launch_id);
		(void)snprintf(why, GUEST_WHY_MAX, "%s is held by another process", l->lock);
		return -EWOULDBLOCK;
	}
	if (guest_settle(l->lock) < 0) {
		(void)snprintf(why, GUEST_WHY_MAX,
		    "the guard has neither started QEMU nor given up");
		return -EBUSY;
	}
	if (r < 0) {
		(void)snprintf(why, GUEST_WHY_MAX, "start the guard: %s", strerror(-r));
		return r;
	}
	last_words(l->dir, why);
	return -ECHILD;
}

/*
 * A QEMU that runs is not touched, its log and status neither.  Held by somebody else: the
 * guard waits a little, uefid may only be looking.
 */
static int
check_free(const struct guest_launch *l, char why[static GUEST_WHY_MAX])
{
	struct guest_found f;
	int r = guest_world_find(l->lock, l->boot_id, &f);

	if (r == -ESRCH || r == -EAGAIN)
		return 0;
	if (r < 0) {
		(void)snprintf(why, GUEST_WHY_MAX, "%s: %s", l->lock, strerror(-r));
		return r;
	}
	(void)snprintf(why, GUEST_WHY_MAX, "launch %s runs already, as process %u",
	    f.id.launch_id, f.id.pid);
	if (f.qemu_fd >= 0)
		close(f.qemu_fd);
	if (f.guard_fd >= 0)
		close(f.guard_fd);
	return -EWOULDBLOCK;
}

int
guest_world_start(const struct guest_launch *l, struct guest_found *ret,
    char why[static GUEST_WHY_MAX])
{
	int r = check_free(l, why);

	if (r < 0)
		return r;
	r = make_folder(l);
	if (r == 0)
		r = write_launch(l);
	if (r < 0) {
		forget_launch(l->lock, l->launch_id);
		(void)snprintf(why, GUEST_WHY_MAX, "prepare %s: %s", l->dir, strerror(-r));
		return r;
	}
	r = run_guard(l);
	if (r != 0)
		return give_up(l, r, why);
	r = guest_world_find(l->lock, l->boot_id, ret);
	if (r == 0)
		return 0;
	if (r == -ESRCH) {		/* QEMU and guard are gone already */
		last_words(l->dir, why);
		return -ECHILD;
	}
	(void)snprintf(why, GUEST_WHY_MAX, "the guard began, but its lock does not say so");
	return -EBUSY;
}

/* ---- The end ---- */

bool
guest_world_last_end(const char *dir, struct guest_end *ret)
{
	AUTO(buf) struct buf text = BUF_EMPTY(GUEST_LOCK_TEXT_MAX);
	char path[PATH_LEN];

	return file_path(path, sizeof(path), "%s/status", dir) == 0 &&
	    file_read(path, &text) == 0 && guest_end_parse(text.data, text.len, ret) == 0;
}

void
guest_world_end(const char *dir, const char *lock, const char *launch_id, struct guest_end *ret,
    char why[static GUEST_WHY_MAX])
{
	struct guest_end end;

	forget_launch(lock, launch_id);
	if (!guest_world_last_end(dir, &end) || strcmp(end.launch_id, launch_id) != 0) {
		end = (struct guest_end){ .status = -1 };
		(void)snprintf(end.launch_id, sizeof(end.launch_id), "%s", launch_id);
	}
	*ret = end;
	last_words(dir, why);
}

/* ---- The folder's end ---- */

static int	 remove_tree(int parent, const char *name, int depth);

static int
remove_entries(int fd, int depth)
{
	AUTO(dir) DIR *d = fdopendir(fd);
	const struct dirent *e;
	int r = 0;

	if (!d) {
		r = -errno;
		close(fd);
		return r;
	}
	while (r == 0 && (errno = 0, e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			r = remove_tree(dirfd(d), e->d_name, depth);
	return r < 0 ? r : -errno;
}

/* Follows no link; the guest's user may have put anything under sock/. */
static int
remove_tree(int parent, const char *name, int depth)
{
	int fd, r;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	if (depth == 0)
		return -ELOOP;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	r = remove_entries(fd, depth - 1);
	if (r == 0 && unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		r = -errno;
	return r;
}

int
guest_remove(const char *dir)
{
	char lock[PATH_LEN];
	int r = file_path(lock, sizeof(lock), "%s/lock", dir);

	if (r == 0)
		r = guest_settle(lock);
	if (r == 0)
		r = remove_tree(AT_FDCWD, dir, TREE_DEPTH_MAX);
	return r;
}
