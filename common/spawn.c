#include "common/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "common/clock.h"

#define CHUNK		4096

static const char *const clean_env[] = {
	"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", NULL,
};

/*
 * The descriptors of the child, 0 up, as duplicates above all of their targets: else a dup2
 * onto a low number could overwrite the source of a later one.
 */
struct sources {
	int	fd[3 + SPAWN_KEEP_MAX];
	size_t	n;
};

static void
sources_deinit(struct sources *s)
{
	while (s->n > 0)
		close(s->fd[--s->n]);
}

static int
add_source(struct sources *s, int fd)
{
	int flags = s->n == 0 ? O_RDONLY : O_WRONLY;
	int null_fd = -1, copy, saved;

	if (fd < 0)
		fd = null_fd = open("/dev/null", flags | O_CLOEXEC);
	copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3 + SPAWN_KEEP_MAX);
	saved = errno;
	if (null_fd >= 0)
		close(null_fd);
	if (copy < 0)
		return -saved;
	s->fd[s->n++] = copy;
	return 0;
}

static int
fill_sources(struct sources *ret, const struct spawn *s)
{
	const int standard[3] = { s->stdin_fd, s->stdout_fd, s->stderr_fd };
	int r = s->nkeep > SPAWN_KEEP_MAX ? -EINVAL : 0;

	for (size_t i = 0; i < 3 && r == 0; i++)
		r = add_source(ret, standard[i]);
	for (size_t i = 0; i < s->nkeep && r == 0; i++)
		r = s->keep[i] < 0 ? -EBADF : add_source(ret, s->keep[i]);
	return r;
}

/* Every call here answers an error number; the first one that is not 0 stands. */
static int
plan_files(posix_spawn_file_actions_t *a, const struct spawn *s, const struct sources *from)
{
	int e = posix_spawn_file_actions_addchdir_np(a, s->cwd ? s->cwd : "/");

	for (size_t i = 0; i < from->n && e == 0; i++)
		e = posix_spawn_file_actions_adddup2(a, from->fd[i], (int)i);
	return e != 0 ? e : posix_spawn_file_actions_addclosefrom_np(a, (int)from->n);
}

static int
plan_attributes(posix_spawnattr_t *attr)
{
	sigset_t all, none;
	int e;

	sigfillset(&all);
	sigemptyset(&none);
	e = posix_spawnattr_setsigdefault(attr, &all);
	if (e == 0)
		e = posix_spawnattr_setsigmask(attr, &none);
	return e != 0 ? e : posix_spawnattr_setflags(attr,
	    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

/* posix_spawn's prototype lacks the const that its contract has. */
static char *const *
plain_list(const char *const *list)
{
	return (char *const *)(uintptr_t)list;
}

static int
start(const struct spawn *s, const struct sources *from, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int e;

	e = posix_spawn_file_actions_init(&actions);
	if (e != 0)
		return -e;
	e = posix_spawnattr_init(&attr);
	if (e == 0) {
		e = plan_files(&actions, s, from);
		if (e == 0)
			e = plan_attributes(&attr);
		if (e == 0)
			e = posix_spawn(ret, s->argv[0], &actions, &attr, plain_list(s->argv),
			    plain_list(s->envp ? s->envp : clean_env));
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	return -e;
}

/* Nobody else reaps our children, so until we do the number is this child's. */
static void
kill_and_reap(pid_t pid)
{
	kill(-pid, SIGKILL);		/* its session: what it started goes too */
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int
spawn_start(const struct spawn *s, pid_t *ret_pid, int *ret_pidfd)
{
	struct sources from = { .n = 0 };
	int r, pidfd;
	pid_t pid;

	if (!s->argv[0] || s->argv[0][0] != '/')
		return -EINVAL;
	r = fill_sources(&from, s);
	if (r == 0)
		r = start(s, &from, &pid);
	sources_deinit(&from);
	if (r < 0)
		return r;
	pidfd = pidfd_open(pid, 0);	/* close-on-exec by itself */
	if (pidfd < 0) {
		r = -errno;
		kill_and_reap(pid);
		return r;
	}
	*ret_pid = pid;
	*ret_pidfd = pidfd;
	return 0;
}

/* ---- to the end ---- */

struct run {
	struct buf	*out;		/* NULL: nobody reads */
	int		 pipe_fd;	/* -1 at its end */
	int		 pidfd;
	uint64_t	 end_ms;
};

/* What is there now; what does not fit is read and let go, so that the child never blocks. */
static int
drain(struct run *r)
{
	char chunk[CHUNK];
	ssize_t n;

	while (r->pipe_fd >= 0) {
		n = read(r->pipe_fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0) {
			close(r->pipe_fd);
			r->pipe_fd = -1;
			return 0;
		}
		size_t room = r->out->max - r->out->len;
		int e = buf_add(r->out, chunk, (size_t)n < room ? (size_t)n : room);

		if (e < 0)
			return e;
	}
	return 0;
}

/* Until the child has ended, whoever may still hold the other end of the pipe. */
static int
watch(struct run *r)
{
	struct pollfd p[2] = { { .fd = r->pidfd, .events = POLLIN } };
	int e, n;

	do {
		uint64_t now = clock_now_ms(&clock_system);
		uint64_t left = now < r->end_ms ? r->end_ms - now : 0;

		p[1] = (struct pollfd){ .fd = r->pipe_fd, .events = POLLIN };
		n = poll(p, 2, left > 60000 ? 60000 : (int)left);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0 && left == 0)
			return -ETIMEDOUT;
		if ((e = drain(r)) < 0)
			return e;
	} while (n <= 0 || !(p[0].revents & POLLIN));
	return drain(r);
}

static int
reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int
run(const char *const *argv, int out_fd, struct run *r)
{
	struct spawn s = SPAWN_INIT;
	pid_t pid;
	int e;

	s.argv = argv;
	s.stdout_fd = s.stderr_fd = out_fd;
	e = spawn_start(&s, &pid, &r->pidfd);
	if (out_fd >= 0)
		close(out_fd);		/* the child's alone now, so that its end is seen */
	if (e < 0)
		return e;
	e = watch(r);
	close(r->pidfd);
	if (e < 0) {
		kill_and_reap(pid);
		return e;
	}
	return reap(pid);
}

int
spawn_run(const char *const *argv, uint64_t timeout_ms, struct buf *out)
{
	struct run r = { .out = out, .pipe_fd = -1, .pidfd = -1 };
	uint64_t now = clock_now_ms(&clock_system);
	int p[2] = { -1, -1 }, status;

	if (__builtin_add_overflow(now, timeout_ms, &r.end_ms))
		r.end_ms = UINT64_MAX;
	if (out && pipe2(p, O_CLOEXEC) < 0)
		return -errno;
	if (out && fcntl(p[0], F_SETFL, O_NONBLOCK) < 0)
		abort();	/* a pipe of our own takes it */
	r.pipe_fd = p[0];
	status = run(argv, p[1], &r);
	if (r.pipe_fd >= 0)
		close(r.pipe_fd);
	return status;
}
