/*
 * vmguard - the parent of one QEMU.  It holds the guest's lock, starts QEMU without privilege,
 * writes down who holds the lock, waits, and leaves the exit status in a file.  QEMU never
 * outlives it, and it outlives vmd.  Nothing but libc, one thread: see vmguard(8).
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "vmd/guard_socket.h"
#include "vmd/guard_watch.h"

#define ID_MAX		36	/* bytes of a launch id */
#define PATH_LEN	1024
#define LOCK_TRIES	20	/* of 50 ms: uefid may look at the lock for a moment */
#define QEMU_LOCK_FD	3	/* where QEMU has the lock */
#define NO_GID		((gid_t)-1)
#define USAGE		"usage: vmguard -i launch-id -l lock -s status -u uid -g gid [-G gid] " \
			"[-d page] -- qemu [argument ...]\n       vmguard -S"

enum { EX_STARTED = 0, EX_FAILED = 1, EX_LOCK_HELD = EX_TEMPFAIL };

struct guard {
	const char	*launch_id;
	const char	*lock_path;
	const char	*status_path;
	const char	*page_path;	/* NULL: no deadline */
	uid_t		 uid;
	gid_t		 gid;
	gid_t		 extra_gid;	/* NO_GID: none */
	char		**argv;		/* QEMU's */
	int		 lock_fd;
	struct guard_watch watch;
	pid_t		 qemu;
	bool		 is_asked;	/* -S: the rest comes from a connection */
};

static void __attribute__((format(printf, 1, 2)))
say(const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= 0)
		(void)dprintf(STDERR_FILENO, "vmguard: %s\n", line);
}

/* Reads a small file whole; the length, or -1 with errno. */
static ssize_t
read_small(const char *path, char *ret, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);
	int e = errno;

	if (fd >= 0)
		close(fd);
	errno = e;
	ret[n < 0 ? 0 : n] = '\0';
	return n;
}

static bool
write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return false;
		p += w;
		n -= (size_t)w;
	}
	return true;
}

/* Field 22 of /proc/PID/stat: clock ticks since boot.  0: cannot tell. */
static unsigned long long
start_time(pid_t pid)
{
	char path[64], text[1024];
	const char *p;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_small(path, text, sizeof(text)) <= 0 ||
	    (p = strrchr(text, ')')) == NULL)	/* the name may hold anything */
		return 0;
	for (int field = 2; field < 22; field++)
		if ((p = strchr(p + 1, ' ')) == NULL)
			return 0;
	return strtoull(p + 1, NULL, 10);
}

static void
set_oom_score(const char *score)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || !write_all(fd, score, strlen(score)))
		say("oom_score_adj stays as it is: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* Keeps of the permitted capabilities those of the lower word in mask, and cannot get more. */
static bool
keep_capabilities(uint32_t mask)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2], want[2] = { { 0 } };

	if (syscall(SYS_capget, &h, d) < 0)
		return false;
	want[0].effective = want[0].permitted = d[0].permitted & mask;
	return syscall(SYS_capset, &h, want) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* ---- The lock ---- */

/* Takes the lock.  An exit status. */
static int
take_lock(struct guard *g)
{
	const struct timespec wait = { .tv_nsec = 50 * 1000000L };
	int tries = 0;

	g->lock_fd = open(g->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (g->lock_fd < 0) {
		say("%s: %s", g->lock_path, strerror(errno));
		return EX_FAILED;
	}
	while (flock(g->lock_fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK && ++tries >= LOCK_TRIES) {
			say("%s is held by another process", g->lock_path);
			return EX_LOCK_HELD;
		}
		if (errno != EWOULDBLOCK && errno != EINTR) {
			say("lock %s: %s", g->lock_path, strerror(errno));
			return EX_FAILED;
		}
		(void)nanosleep(&wait, NULL);
	}
	if (ftruncate(g->lock_fd, 0) < 0) {	/* its text names a process that is gone */
		say("%s: %s", g->lock_path, strerror(errno));
		return EX_FAILED;
	}
	return EX_STARTED;
}

/* Holding the lock: is this launch still wanted?  The file `launch` beside it says so. */
static bool
is_wanted(const struct guard *g)
{
	const char *slash = strrchr(g->lock_path, '/');
	char path[PATH_LEN], id[ID_MAX + 2];
	ssize_t n;

	(void)snprintf(path, sizeof(path), "%.*s/launch", (int)(slash - g->lock_path),
	    g->lock_path);
	n = read_small(path, id, sizeof(id));
	if (n < 0) {
		say("this launch was given up: %s: %s", path, strerror(errno));
		return false;
	}
	if (n > 0 && id[n - 1] == '\n')
		id[n - 1] = '\0';
	if (strcmp(id, g->launch_id) != 0) {
		say("another launch has taken the place of this one");
		return false;
	}
	return true;
}

/* Names the processes that hold the lock, in its text. */
static bool
write_identity(const struct guard *g)
{
	unsigned long long qemu_start = start_time(g->qemu), own_start = start_time(getpid());
	char boot_id[64], text[512];
	int n;

	if (!qemu_start || !own_start ||
	    read_small("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id)) < 36) {
		say("cannot tell when a process began: is /proc mounted?");
		return false;
	}
	n = snprintf(text, sizeof(text), "{\"launch_id\":\"%s\",\"boot_id\":\"%.36s\",\"pid\":%d,"
	    "\"start\":%llu,\"guard\":%d,\"guard_start\":%llu}\n", g->launch_id, boot_id,
	    g->qemu, qemu_start, getpid(), own_start);
	if (n < 0 || (size_t)n >= sizeof(text) ||
	    pwrite(g->lock_fd, text, (size_t)n, 0) != n) {
		say("write %s: %s", g->lock_path, strerror(errno));
		return false;
	}
	return true;
}

/* ---- QEMU's side of the fork ---- */

/* Without privilege QEMU runs as the caller; anything else is an error. */
static bool
drop_ids(const struct guard *g)
{
	const bool is_self = geteuid() == g->uid && getegid() == g->gid;
	const gid_t *groups = g->extra_gid == NO_GID ? NULL : &g->extra_gid;

	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EINVAL && !is_self)
			return false;
	if (setgroups(groups ? 1 : 0, groups) < 0 && !is_self)
		return false;
	if (setresgid(g->gid, g->gid, g->gid) < 0 || setresuid(g->uid, g->uid, g->uid) < 0)
		return false;
	/* A change between two ordinary users takes no capability away by itself. */
	if (!keep_capabilities(0))
		return false;
	if (setuid(0) == 0) {
		errno = EPERM;
		return false;
	}
	return true;
}

/* Leaves stdio, the lock as QEMU_LOCK_FD, and exec_fd (closed by the exec) above it. */
static int
keep_only(int lock_fd, int exec_fd)
{
	int high = fcntl(exec_fd, F_DUPFD_CLOEXEC, QEMU_LOCK_FD + 2);

	if (high < 0)
		return -1;
	if (lock_fd == QEMU_LOCK_FD ? fcntl(lock_fd, F_SETFD, 0) < 0 :
	    dup2(lock_fd, QEMU_LOCK_FD) < 0)
		return -1;
	if (dup3(high, QEMU_LOCK_FD + 1, O_CLOEXEC) < 0 ||
	    syscall(SYS_close_range, QEMU_LOCK_FD + 2, ~0U, 0) < 0)
		return -1;
	return QEMU_LOCK_FD + 1;
}

static void __attribute__((noreturn))
become_qemu(const struct guard *g, pid_t guard, int go_fd, int exec_fd)
{
	char *const env[] = { (char[]){ "PATH=/usr/sbin:/usr/bin:/sbin:/bin" },
	    (char[]){ "LANG=C.UTF-8" }, NULL };
	const struct rlimit none = { 0, 0 };	/* a core would hold the guest's memory */
	char go;
	int e;

	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_DFL);
	(void)umask(077);
	set_oom_score("500");
	/* PDEATHSIG is cleared by a change of ids, so it comes after; a guard that was gone
	 * before that shows as another parent. */
	if (read(go_fd, &go, 1) == 1 && setrlimit(RLIMIT_CORE, &none) == 0 && drop_ids(g) &&
	    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == guard) {
		int fd = keep_only(g->lock_fd, exec_fd);

		if (fd >= 0) {
			exec_fd = fd;
			execve(g->argv[0], g->argv, env);
		}
	}
	e = errno;
	(void)write_all(exec_fd, (const char *)&e, sizeof(e));
	_exit(127);
}

/* ---- The guard ---- */

static int
wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Waits until the child's exec has closed fd.  0, or the errno of what failed. */
static int
exec_result(int fd)
{
	int e = 0;
	ssize_t n;

	do
		n = read(fd, &e, sizeof(e));
	while (n < 0 && errno == EINTR);
	return n == 0 ? 0 : n == (ssize_t)sizeof(e) && e ? e : EIO;
}

/* Forks QEMU; it execs only after the lock names it. */
static bool
start_qemu(struct guard *g)
{
	const pid_t self = getpid();
	int go[2], exec[2], e;

	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(exec, O_CLOEXEC) < 0) {
		say("pipe: %s", strerror(errno));
		return false;
	}
	g->qemu = fork();
	if (g->qemu < 0) {
		say("fork: %s", strerror(errno));
		return false;
	}
	if (g->qemu == 0) {
		close(go[1]);
		become_qemu(g, self, go[0], exec[1]);
	}
	close(go[0]);
	close(exec[1]);
	if (write_identity(g) && write_all(go[1], "g", 1)) {
		close(go[1]);
		e = exec_result(exec[0]);
		close(exec[0]);
		if (e == 0)
			return true;
		say("start %s: %s", g->argv[0], strerror(e));
	}
	(void)kill(g->qemu, SIGKILL);	/* ours, and not yet waited for */
	(void)wait_for(g->qemu);
	if (ftruncate(g->lock_fd, 0) < 0)
		say("%s: %s", g->lock_path, strerror(errno));
	return false;
}

static void
write_status(const struct guard *g, int dir_fd, int status)
{
	const char *name = strrchr(g->status_path, '/') + 1;
	char text[256], tmp[PATH_LEN];
	int n, fd;

	n = snprintf(text, sizeof(text), "{\"launch_id\":\"%s\",\"status\":%d,\"signal\":%d}\n",
	    g->launch_id, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	(void)snprintf(tmp, sizeof(tmp), ".%s.%s", name, g->launch_id);
	fd = openat(dir_fd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || n < 0 || !write_all(fd, text, (size_t)n) ||
	    renameat(dir_fd, tmp, dir_fd, name) < 0)
		say("%s: %s", g->status_path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static bool
may_run(struct guard *g)
{
	g->watch.say = say;
	return !g->page_path || guard_watch_open(&g->watch, g->page_path);
}

/* In a session of its own, with nothing of the caller's but stderr and the pipe. */
static void __attribute__((noreturn))
guard_main(struct guard *g, int ready_fd)
{
	const char *slash = strrchr(g->status_path, '/');
	char dir[PATH_LEN];
	int r, dir_fd, status;
	char code;

	(void)setsid();
	for (const int *sig = (const int[]){ SIGHUP, SIGINT, SIGTERM, SIGPIPE, 0 }; *sig; sig++)
		(void)signal(*sig, SIG_IGN);	/* QEMU's end is the only reason to go */
	(void)snprintf(dir, sizeof(dir), "%.*s/", (int)(slash - g->status_path), g->status_path);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		say("%s: %s", dir, strerror(errno));
	r = dir_fd < 0 ? EX_FAILED : take_lock(g);
	if (r == EX_STARTED) {
		set_oom_score("-1000");
		r = is_wanted(g) && may_run(g) && start_qemu(g) ? EX_STARTED : EX_FAILED;
	}
	if (r == EX_STARTED && g->page_path && !guard_watch_begin(&g->watch, g->qemu)) {
		r = EX_FAILED;
		(void)kill(g->qemu, SIGKILL);
		(void)wait_for(g->qemu);
	}
	code = (char)r;
	if (r != EX_STARTED) {
		(void)write_all(ready_fd, &code, 1);
		_exit(r);
	}
	if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0)
		say("memory is not locked: %s", strerror(errno));
	if (!keep_capabilities(1u << CAP_KILL))	/* all that is left is to wait, or to kill */
		say("capabilities stay as they are: %s", strerror(errno));
	(void)write_all(ready_fd, &code, 1);	/* nobody may be there any more */
	close(ready_fd);
	(void)close(STDIN_FILENO);
	(void)close(STDOUT_FILENO);
	if (g->page_path)
		guard_watch_run(&g->watch);
	status = wait_for(g->qemu);
	if (WIFSIGNALED(status))
		say("QEMU was killed by signal %d", WTERMSIG(status));
	write_status(g, dir_fd, status);
	_exit(0);
}

/* ---- The process that vmd starts: ends when the guard has an answer ---- */

static bool
is_launch_id(const char *s)
{
	size_t n = strlen(s);

	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
			return false;
	return n >= 1 && n <= ID_MAX;
}

static bool
is_path(const char *s)
{
	return s && s[0] == '/' && strlen(s) < PATH_LEN - 64;
}

/* A user or group id, not root's. */
static bool
parse_id(const char *s, uint32_t *ret)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)s[0]))
		return false;
	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || *end || v == 0 || v >= UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool
parse_args(struct guard *g, int argc, char **argv)
{
	int c;
	bool ok = true;

	optind = 1;
	while ((c = getopt(argc, argv, "+Si:l:s:u:g:G:d:")) != -1) {
		if (c == 'S')
			return g->is_asked = argc == 2 && !g->is_asked;
		else if (c == 'i')
			g->launch_id = optarg;
		else if (c == 'l')
			g->lock_path = optarg;
		else if (c == 's')
			g->status_path = optarg;
		else if (c == 'd')
			g->page_path = optarg;
		else if (c == 'u')
			ok = ok && parse_id(optarg, &g->uid);
		else if (c == 'g')
			ok = ok && parse_id(optarg, &g->gid);
		else if (c == 'G')
			ok = ok && parse_id(optarg, &g->extra_gid);
		else
			ok = false;
	}
	g->argv = argv + optind;
	return ok && g->uid && g->gid && g->launch_id && is_launch_id(g->launch_id) &&
	    is_path(g->lock_path) && is_path(g->status_path) && is_path(g->argv[0]) &&
	    (!g->page_path || is_path(g->page_path));
}

/*
 * Started by the service manager for one connection, which is standard input: the command line
 * comes from there, and the answer goes there.  No front: the manager minds this process.
 */
static int
serve_connection(struct guard *g)
{
	int answer = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), log, argc, r;
	char **argv, code = EX_USAGE;

	if (answer < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0) {
		say("standard input is to be a connection: %s", strerror(errno));
		return EX_USAGE;
	}
	close(null);
	r = guard_socket_read(answer, &argc, &argv, &log);
	if (r < 0) {
		say("expected a command line and a log from the connection: %s", strerror(-r));
	} else {
		if (dup2(log, STDERR_FILENO) < 0)
			say("the guest's log cannot be used: %s", strerror(errno));
		close(log);
		if (parse_args(g, argc, argv) && chdir("/") == 0)
			guard_main(g, answer);
		say(USAGE);
	}
	(void)write_all(answer, &code, 1);
	return EX_USAGE;
}

int
main(int argc, char **argv)
{
	struct guard g = { .extra_gid = NO_GID, .lock_fd = -1 };
	char code = EX_FAILED;
	int ready[2];
	ssize_t n;
	pid_t pid;

	if (!parse_args(&g, argc, argv)) {
		say(USAGE);
		return EX_USAGE;
	}
	if (g.is_asked)
		return serve_connection(&g);
	if (chdir("/") < 0 || pipe2(ready, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		say("cannot begin: %s", strerror(errno));
		return EX_FAILED;
	}
	if (pid == 0) {
		close(ready[0]);
		guard_main(&g, ready[1]);
	}
	close(ready[1]);
	do
		n = read(ready[0], &code, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? code : EX_FAILED;
}
