/*
 * vmguard - the parent of one QEMU.  It holds the guest's lock, starts QEMU without privilege,
 * writes down who holds the lock, waits, and leaves the exit status in a file.  QEMU never
 * outlives it, and it outlives vmd.  Nothing but libc, one thread: see vmguard(8).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vmd/guard_args.h"
#include "vmd/guard_child.h"
#include "vmd/guard_io.h"
#include "vmd/guard_lock.h"
#include "vmd/guard_net.h"
#include "vmd/guard_socket.h"

static void
write_status(const struct guard *g, int dir_fd, int status)
{
	const char *name = strrchr(g->status_path, '/') + 1;
	char text[256], tmp[GUARD_PATH_MAX];
	int n, fd;

	n = snprintf(text, sizeof(text), "{\"launch_id\":\"%s\",\"status\":%d,\"signal\":%d}\n",
	    g->launch_id, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	(void)snprintf(tmp, sizeof(tmp), ".%s.%s", name, g->launch_id);
	fd = openat(dir_fd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || n < 0 || !guard_io_write(fd, text, (size_t)n) ||
	    renameat(dir_fd, tmp, dir_fd, name) < 0)
		guard_io_say("%s: %s", g->status_path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static bool
may_run(struct guard *g)
{
	g->watch.say = guard_io_say;
	return !g->page_path || guard_watch_open(&g->watch, g->page_path);
}

/* In a session of its own, with nothing of the caller's but stderr and the pipe. */
static void __attribute__((noreturn))
guard_main(struct guard *g, int ready_fd)
{
	const char *slash = strrchr(g->status_path, '/');
	char dir[GUARD_PATH_MAX];
	int r, dir_fd, status;
	char code;

	(void)setsid();
	for (const int *sig = (const int[]){ SIGHUP, SIGINT, SIGTERM, SIGPIPE, 0 }; *sig; sig++)
		(void)signal(*sig, SIG_IGN);	/* QEMU's end is the only reason to go */
	(void)snprintf(dir, sizeof(dir), "%.*s/", (int)(slash - g->status_path), g->status_path);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		guard_io_say("%s: %s", dir, strerror(errno));
	r = dir_fd < 0 ? GUARD_FAILED : guard_lock_take(g);
	if (r == GUARD_STARTED) {
		guard_io_oom_score("-1000");
		r = guard_lock_is_wanted(g) && may_run(g) && guard_net_start(g) &&
		    guard_child_start(g) ? GUARD_STARTED : GUARD_FAILED;
	}
	if (r == GUARD_STARTED && g->page_path && !guard_watch_begin(&g->watch, g->qemu)) {
		r = GUARD_FAILED;
		(void)kill(g->qemu, SIGKILL);
		(void)guard_child_wait(g->qemu);
	}
	guard_net_hand_over(g);
	code = (char)r;
	if (r != GUARD_STARTED) {
		guard_net_end(g);
		if (g->lock_fd >= 0)
			close(g->lock_fd);	/* whoever hears of it may take it at once */
		(void)guard_io_write(ready_fd, &code, 1);
		_exit(r);
	}
	if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0)
		guard_io_say("memory is not locked: %s", strerror(errno));
	/* All that is left is to wait, or to kill. */
	if (!guard_child_keep_capabilities(1u << CAP_KILL))
		guard_io_say("capabilities stay as they are: %s", strerror(errno));
	(void)guard_io_write(ready_fd, &code, 1);	/* nobody may be there any more */
	close(ready_fd);
	(void)close(STDIN_FILENO);
	(void)close(STDOUT_FILENO);
	if (g->page_path)
		guard_watch_run(&g->watch);
	status = guard_child_wait(g->qemu);
	guard_net_end(g);
	if (WIFSIGNALED(status))
		guard_io_say("QEMU was killed by signal %d", WTERMSIG(status));
	write_status(g, dir_fd, status);
	_exit(0);
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
		guard_io_say("standard input is to be a connection: %s", strerror(errno));
		return EX_USAGE;
	}
	close(null);
	r = guard_socket_read(answer, &argc, &argv, &log);
	if (r < 0) {
		guard_io_say("expected a command line and a log from the connection: %s", strerror(-r));
	} else {
		if (dup2(log, STDERR_FILENO) < 0)
			guard_io_say("the guest's log cannot be used: %s", strerror(errno));
		close(log);
		if (guard_args_parse(g, argc, argv) && chdir("/") == 0)
			guard_main(g, answer);
		guard_io_say(GUARD_ARGS_USAGE);
	}
	(void)guard_io_write(answer, &code, 1);
	return EX_USAGE;
}

int
main(int argc, char **argv)
{
	struct guard g = { .extra_gid = GUARD_NO_GID, .lock_fd = -1,
		.net_fd = -1 };
	char code = GUARD_FAILED;
	int ready[2];
	ssize_t n;
	pid_t pid;

	if (!guard_args_parse(&g, argc, argv)) {
		guard_io_say(GUARD_ARGS_USAGE);
		return EX_USAGE;
	}
	if (g.is_asked)
		return serve_connection(&g);
	if (chdir("/") < 0 || pipe2(ready, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		guard_io_say("cannot begin: %s", strerror(errno));
		return GUARD_FAILED;
	}
	if (pid == 0) {
		close(ready[0]);
		guard_main(&g, ready[1]);
	}
	close(ready[1]);
	do
		n = read(ready[0], &code, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? code : GUARD_FAILED;
}
