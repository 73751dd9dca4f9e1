/*
 * capture.h - a main() in a child of its own, with what it printed.
 *
 *	capture_begin(&c, fn, (const char *[]){ "leased", "-n", NULL });
 *	... signals to c.pid ...
 *	ck_assert_int_eq(capture_end(&c), 78);	then c.out and c.err are text
 */
#pragma once

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct capture {
	pid_t	 pid;
	int	 out_fd, err_fd;	/* files without a name */
	char	 out[8192], err[8192];	/* after capture_end; cut where they are longer */
};

static inline int
capture_file(void)
{
	char name[] = "/tmp/capture.XXXXXX";
	int fd = mkostemp(name, O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(unlink(name), 0);
	return fd;
}

static inline void
capture_begin(struct capture *c, int (*fn)(int argc, char **argv), const char *const *argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	c->out_fd = capture_file();
	c->err_fd = capture_file();
	fflush(NULL);
	c->pid = fork();
	ck_assert_int_ge(c->pid, 0);
	if (c->pid > 0)
		return;
	if (dup2(c->out_fd, STDOUT_FILENO) < 0 || dup2(c->err_fd, STDERR_FILENO) < 0)
		_exit(99);
	/* exit, so that a sanitizer looks for leaks; standard output is flushed by it too. */
	exit(fn(argc, (char **)(uintptr_t)argv));
}

static inline void
capture_text(int fd, char *ret, size_t size)
{
	ssize_t n = pread(fd, ret, size - 1, 0);

	ck_assert_int_ge(n, 0);
	ret[n] = '\0';
}

static inline void
capture_has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text);
}

/* The exit status, or 128 and the signal. */
static inline int
capture_end(struct capture *c)
{
	int status;

	ck_assert_int_eq(waitpid(c->pid, &status, 0), c->pid);
	capture_text(c->out_fd, c->out, sizeof(c->out));
	capture_text(c->err_fd, c->err, sizeof(c->err));
	close(c->out_fd);
	close(c->err_fd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
