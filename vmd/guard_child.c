#include "vmd/guard_child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vmd/guard_io.h"
#include "vmd/guard_lock.h"

enum { QEMU_LOCK_FD = 3, QEMU_EXEC_FD = GUARD_CHILD_NET_FD + 1, QEMU_END_FD };

bool
guard_child_keep_capabilities(uint32_t mask)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2], want[2] = { { 0 } };

	if (syscall(SYS_capget, &h, d) < 0)
		return false;
	want[0].effective = want[0].permitted = d[0].permitted & mask;
	return syscall(SYS_capset, &h, want) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* ---- QEMU's side of the fork ---- */

/* Without privilege QEMU runs as the caller; anything else is an error. */
static bool
drop_ids(const struct guard *g, bool has_extra_gid)
{
	const bool is_self = geteuid() == g->uid && getegid() == g->gid;
	const gid_t *groups = has_extra_gid && g->extra_gid != GUARD_NO_GID ?
	    &g->extra_gid : NULL;

	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EINVAL && !is_self)
			return false;
	if (setgroups(groups ? 1 : 0, groups) < 0 && !is_self)
		return false;
	if (setresgid(g->gid, g->gid, g->gid) < 0 || setresuid(g->uid, g->uid, g->uid) < 0)
		return false;
	/* A change between two ordinary users takes no capability away by itself. */
	if (!guard_child_keep_capabilities(0))
		return false;
	if (setuid(0) == 0) {
		errno = EPERM;
		return false;
	}
	return true;
}

/* PDEATHSIG is cleared by a change of ids, so it comes after; a parent that was gone before
 * that shows as another one. */
bool
guard_child_drop(const struct guard *g, bool has_extra_gid, pid_t parent)
{
	return drop_ids(g, has_extra_gid) && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
	    getppid() == parent;
}

/* Leaves stdio, the lock as QEMU_LOCK_FD, the network after it, and exec_fd, which the exec
 * closes; its number then. */
static int
keep_only(const struct guard *g, int exec_fd)
{
	const int lock_fd = fcntl(g->lock_fd, F_DUPFD_CLOEXEC, QEMU_END_FD);
	const int net_fd = g->net_fd < 0 ? -1 : fcntl(g->net_fd, F_DUPFD_CLOEXEC, QEMU_END_FD);

	exec_fd = fcntl(exec_fd, F_DUPFD_CLOEXEC, QEMU_END_FD);
	if (lock_fd < 0 || exec_fd < 0 || (g->net_fd >= 0 && net_fd < 0) ||
	    dup2(lock_fd, QEMU_LOCK_FD) < 0 ||
	    (net_fd >= 0 ? dup2(net_fd, GUARD_CHILD_NET_FD) < 0 :
	    syscall(SYS_close_range, GUARD_CHILD_NET_FD, GUARD_CHILD_NET_FD, 0) < 0) ||
	    dup3(exec_fd, QEMU_EXEC_FD, O_CLOEXEC) < 0 ||
	    syscall(SYS_close_range, QEMU_END_FD, ~0U, 0) < 0)
		return -1;
	return QEMU_EXEC_FD;
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
	guard_io_oom_score("500");
	if (read(go_fd, &go, 1) == 1 && setrlimit(RLIMIT_CORE, &none) == 0 &&
	    guard_child_drop(g, true, guard)) {
		int fd = keep_only(g, exec_fd);

		if (fd >= 0) {
			exec_fd = fd;
			execve(g->argv[0], g->argv, env);
		}
	}
	e = errno;
	(void)guard_io_write(exec_fd, (const char *)&e, sizeof(e));
	_exit(127);
}

/* ---- The guard's ---- */

int
guard_child_wait(pid_t pid)
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

bool
guard_child_start(struct guard *g)
{
	const pid_t self = getpid();
	int go[2], exec[2], e;

	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(exec, O_CLOEXEC) < 0) {
		guard_io_say("pipe: %s", strerror(errno));
		return false;
	}
	g->qemu = fork();
	if (g->qemu < 0) {
		guard_io_say("fork: %s", strerror(errno));
		return false;
	}
	if (g->qemu == 0) {
		close(go[1]);
		become_qemu(g, self, go[0], exec[1]);
	}
	close(go[0]);
	close(exec[1]);
	if (guard_lock_name(g) && guard_io_write(go[1], "g", 1)) {
		close(go[1]);
		e = exec_result(exec[0]);
		close(exec[0]);
		if (e == 0)
			return true;
		guard_io_say("start %s: %s", g->argv[0], strerror(e));
	}
	(void)kill(g->qemu, SIGKILL);	/* ours, and not yet waited for */
	(void)guard_child_wait(g->qemu);
	if (ftruncate(g->lock_fd, 0) < 0)
		guard_io_say("%s: %s", g->lock_path, strerror(errno));
	return false;
}
