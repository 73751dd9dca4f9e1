#include "common/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "tests/unit/unit.h"

#define SH(script)	((const char *const[]){ "/bin/sh", "-c", (script), NULL })
#define PATIENCE_MS	10000

static const char *
output_of(const char *script, struct buf *b)
{
	ck_assert_int_eq(spawn_run(SH(script), PATIENCE_MS, b), 0);
	return buf_text(b);
}

START_TEST(the_exit_status_and_the_signal_are_told)
{
	ck_assert_int_eq(spawn_run(SH("exit 0"), PATIENCE_MS, NULL), 0);
	ck_assert_int_eq(spawn_run(SH("exit 3"), PATIENCE_MS, NULL), 3);
	ck_assert_int_eq(spawn_run(SH("kill -TERM $$"), PATIENCE_MS, NULL), 128 + SIGTERM);
}
END_TEST

START_TEST(output_and_errors_are_gathered)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);

	ck_assert_str_eq(output_of("echo out; echo err >&2", &b), "out\nerr\n");
}
END_TEST

START_TEST(output_beyond_the_ceiling_is_let_go_and_blocks_nobody)
{
	AUTO(buf) struct buf b = BUF_EMPTY(10);

	ck_assert_str_eq(output_of("head -c 1000000 /dev/zero | tr '\\0' x", &b), "xxxxxxxxxx");
	ck_assert(!b.failed);
}
END_TEST

START_TEST(an_exec_that_fails_is_reported_and_leaves_no_child)
{
	const char *const missing[] = { "/nonexistent/program", NULL };
	const char *const folder[] = { "/tmp", NULL };
	const char *const relative[] = { "sh", NULL };
	struct spawn s = SPAWN_INIT;
	int pidfd = -7;
	pid_t pid = -7;

	s.argv = missing;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -ENOENT);
	s.argv = folder;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -EACCES);
	s.argv = relative;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -EINVAL);
	s.argv = SH("exit 0");
	s.cwd = "/nonexistent";
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -ENOENT);
	s.cwd = NULL;
	s.stdout_fd = 999;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -EBADF);
	ck_assert_int_eq(pidfd, -7);
	ck_assert_int_eq(pid, -7);
	ck_assert_int_eq(waitpid(-1, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(one_that_does_not_end_is_killed_with_what_it_started)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	uint64_t began = clock_now_ms(&clock_system), took;
	char path[64];
	pid_t child;

	ck_assert_int_eq(spawn_run(SH("sleep 100 & echo $!; wait"), 300, &b), -ETIMEDOUT);
	took = clock_now_ms(&clock_system) - began;
	ck_assert_uint_ge(took, 300);
	ck_assert_uint_lt(took, PATIENCE_MS);
	child = (pid_t)strtol(buf_text(&b), NULL, 10);
	ck_assert_int_gt(child, 1);
	snprintf(path, sizeof(path), "/proc/%d/cmdline", child);
	/* Gone, or a zombie that nobody reaps here: its command line is empty then. */
	for (uint64_t end = took + PATIENCE_MS; took < end;) {
		char c;
		AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || read(fd, &c, 1) <= 0)
			break;
		took = clock_now_ms(&clock_system) - began;
		ck_assert_uint_lt(took, PATIENCE_MS);
	}
}
END_TEST

START_TEST(a_grandchild_that_keeps_the_pipe_does_not_hold_the_run_up)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	uint64_t began = clock_now_ms(&clock_system);

	ck_assert_str_eq(output_of("sleep 9 & echo done", &b), "done\n");
	ck_assert_uint_lt(clock_now_ms(&clock_system) - began, 8000);
}
END_TEST

START_TEST(only_the_named_descriptors_reach_the_child_in_order)
{
	AUTO(buf) struct buf b = BUF_EMPTY(200);
	struct spawn s = SPAWN_INIT;
	int a[2], c[2], keep[2], pidfd;
	siginfo_t si = { 0 };
	pid_t pid;
	char got[64] = "";
	ssize_t n;

	/* Not close-on-exec, so that only spawn can keep them from the child. */
	ck_assert_int_eq(pipe(a), 0);
	ck_assert_int_eq(pipe(c), 0);
	keep[0] = c[1];
	keep[1] = a[1];
	s.argv = SH("echo three >&3; echo four >&4; ls /proc/self/fd | tr '\\n' ' ' >&4");
	s.keep = keep;
	s.nkeep = 2;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), 0);
	ck_assert_int_eq(fcntl(pidfd, F_GETFD), FD_CLOEXEC);
	close(a[1]);
	close(c[1]);
	ck_assert_int_eq(waitid(P_PIDFD, (id_t)pidfd, &si, WEXITED), 0);
	ck_assert_int_eq(si.si_pid, pid);
	n = read(c[0], got, sizeof(got) - 1);
	ck_assert_mem_eq(got, "three\n", (size_t)n);
	while ((n = read(a[0], got, sizeof(got))) > 0)
		ck_assert_int_eq(buf_add(&b, got, (size_t)n), 0);
	/* 5 is the folder that ls itself reads. */
	ck_assert_str_eq(buf_text(&b), "four\n0 1 2 3 4 5 ");
	close(pidfd);
}
END_TEST

/* Targets 3 to 9 take turns at two pipes whose own numbers are among them: done one by one,
 * a target would replace the source of a later one. */
START_TEST(descriptors_that_overlap_their_targets_arrive_right)
{
	struct spawn s = SPAWN_INIT;
	int odd[2], even[2], keep[7], pidfd, status;
	char got[8] = "";
	pid_t pid;

	ck_assert_int_eq(pipe(odd), 0);
	ck_assert_int_eq(pipe(even), 0);
	ck_assert_int_lt(odd[1], 9);
	ck_assert_int_lt(even[1], 9);
	for (size_t i = 0; i < ARRAY_LEN(keep); i++)
		keep[i] = i % 2 ? even[1] : odd[1];
	s.argv = SH("for n in 3 4 5 6 7 8 9; do eval \"printf $n >&$n\"; done");
	s.keep = keep;
	s.nkeep = ARRAY_LEN(keep);
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(read(odd[0], got, 7), 4);
	ck_assert_str_eq(got, "3579");
	memset(got, 0, sizeof(got));
	ck_assert_int_eq(read(even[0], got, 7), 3);
	ck_assert_str_eq(got, "468");
}
END_TEST

START_TEST(too_many_descriptors_or_a_bad_one_are_refused)
{
	int keep[SPAWN_KEEP_MAX + 1] = { 0 }, pidfd;
	struct spawn s = SPAWN_INIT;
	pid_t pid;

	s.argv = SH("exit 0");
	s.keep = keep;
	s.nkeep = SPAWN_KEEP_MAX + 1;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -EINVAL);
	keep[0] = -1;
	s.nkeep = 1;
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), -EBADF);
}
END_TEST

START_TEST(the_child_has_a_clean_mask_handlers_folder_and_environment)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1000);
	sigset_t all;

	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setenv("SECRET", "x", 1);
	/* The C library ignores its own two signals, 32 and 33, in every child. */
	ck_assert_str_eq(output_of("grep SigBlk /proc/self/status; "
	    "grep -cE 'SigIgn:.*[08]0000000$' /proc/self/status; pwd; env | "
	    "grep -vE '^(PWD|_|OLDPWD|SHLVL)=' | sort; "
	    "read -r _ _ _ _ _ sid _ < /proc/$$/stat; [ $sid = $$ ] && echo own session", &b),
	    "SigBlk:\t0000000000000000\n1\n/\nLANG=C.UTF-8\n"
	    "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nown session\n");
}
END_TEST

START_TEST(the_standard_descriptors_are_null_unless_given)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	const char *const env[] = { "A=b", NULL };
	struct spawn s = SPAWN_INIT;
	int p[2], pidfd, status;
	char got[64] = "";
	pid_t pid;

	ck_assert_str_eq(output_of("cat; readlink /proc/self/fd/0", &b), "/dev/null\n");
	ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
	s.argv = SH("echo $A; echo lost >&2; pwd");
	s.envp = env;
	s.cwd = "/usr";
	s.stdout_fd = p[1];
	ck_assert_int_eq(spawn_start(&s, &pid, &pidfd), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	close(p[1]);
	ck_assert_int_eq(read(p[0], got, sizeof(got) - 1), 7);
	ck_assert_str_eq(got, "b\n/usr\n");
}
END_TEST

START_TEST(a_pidfd_becomes_readable_at_the_end)
{
	struct spawn s = SPAWN_INIT;
	struct pollfd p;
	int in[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	s.argv = SH("read x");
	s.stdin_fd = in[0];
	ck_assert_int_eq(spawn_start(&s, &pid, &p.fd), 0);
	p.events = POLLIN;
	ck_assert_int_eq(poll(&p, 1, 0), 0);
	close(in[0]);
	close(in[1]);
	ck_assert_int_eq(poll(&p, 1, PATIENCE_MS), 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	close(p.fd);
}
END_TEST

static int
open_fds(void)
{
	AUTO(dir) DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	return n;
}

START_TEST(no_descriptor_is_left_open)
{
	AUTO(buf) struct buf b = BUF_EMPTY(100);
	int before = open_fds();

	ck_assert_int_eq(spawn_run(SH("echo x"), PATIENCE_MS, &b), 0);
	ck_assert_int_eq(spawn_run(SH("sleep 100"), 1, &b), -ETIMEDOUT);
	ck_assert_int_eq(spawn_run((const char *const[]){ "/nonexistent", NULL }, 1, &b), -ENOENT);
	ck_assert_int_eq(open_fds(), before);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("spawn");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, the_exit_status_and_the_signal_are_told);
	tcase_add_test(tc, output_and_errors_are_gathered);
	tcase_add_test(tc, output_beyond_the_ceiling_is_let_go_and_blocks_nobody);
	tcase_add_test(tc, an_exec_that_fails_is_reported_and_leaves_no_child);
	tcase_add_test(tc, one_that_does_not_end_is_killed_with_what_it_started);
	tcase_add_test(tc, a_grandchild_that_keeps_the_pipe_does_not_hold_the_run_up);
	tcase_add_test(tc, only_the_named_descriptors_reach_the_child_in_order);
	tcase_add_test(tc, descriptors_that_overlap_their_targets_arrive_right);
	tcase_add_test(tc, too_many_descriptors_or_a_bad_one_are_refused);
	tcase_add_test(tc, the_child_has_a_clean_mask_handlers_folder_and_environment);
	tcase_add_test(tc, the_standard_descriptors_are_null_unless_given);
	tcase_add_test(tc, a_pidfd_becomes_readable_at_the_end);
	tcase_add_test(tc, no_descriptor_is_left_open);
	return unit_run("spawn", tc);
}
