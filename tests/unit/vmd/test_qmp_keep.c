#include "vmd/qmp_keep.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

#define FIRST	3		/* of the descriptors that a manager hands over */

static struct manager {
	char	 path[64];
	int	 fd;
	int	 pair[2];	/* a connection */
} m;				/* the fixture */

static void
setup(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	(void)snprintf(m.path, sizeof(m.path), "/tmp/test_qmp_keep.%d", (int)getpid());
	(void)snprintf(a.sun_path, sizeof(a.sun_path), "%s", m.path);
	m.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_ge(m.fd, 0);
	ck_assert_int_eq(bind(m.fd, (struct sockaddr *)&a, sizeof(a)), 0);
	ck_assert_int_eq(setenv("NOTIFY_SOCKET", m.path, 1), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m.pair), 0);
}

static void
teardown(void)
{
	close(m.fd);
	close(m.pair[0]);
	close(m.pair[1]);
	(void)unlink(m.path);
}

/* The next message, as text; what came with it, or -1, as the result. */
static int
manager_gets(char text[static 256])
{
	union {
		struct cmsghdr	 head;
		char		 room[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct iovec io = { .iov_base = text, .iov_len = 255 };
	struct msghdr msg = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control,
	    .msg_controllen = sizeof(control) };
	const ssize_t n = recvmsg(m.fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int fd = -1;

	text[n > 0 ? n : 0] = '\0';
	for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* As the manager's next process, with n descriptors under these names: what f returns there. */
static int
handed_over(const char *names, int n, int (*f)(struct qmp_keep *k))
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		char text[16];
		struct qmp_keep *k;

		for (int i = 0; i < n; i++)
			if (dup2(m.pair[0], FIRST + i) < 0)
				_exit(100);
		(void)snprintf(text, sizeof(text), "%d", (int)getpid());
		(void)setenv("LISTEN_PID", text, 1);
		(void)snprintf(text, sizeof(text), "%d", n);
		(void)setenv("LISTEN_FDS", text, 1);
		(void)setenv("LISTEN_FDNAMES", names, 1);
		_exit(qmp_keep_new(&k) == 0 ? f(k) : 101);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(what_is_kept_is_the_managers_under_the_instances_id)
{
	char text[256];
	struct qmp_keep *k;
	int fd;

	ck_assert_int_eq(qmp_keep_new(&k), 0);
	qmp_keep_store(k, "i-1", m.pair[0]);
	fd = manager_gets(text);
	ck_assert_str_eq(text, "FDSTORE=1\nFDNAME=i-1");
	ck_assert_int_ge(fd, 0);
	close(fd);
	qmp_keep_forget(k, "i-1");
	ck_assert_int_eq(manager_gets(text), -1);
	ck_assert_str_eq(text, "FDSTOREREMOVE=1\nFDNAME=i-1");
	qmp_keep_free(k);
}
END_TEST

static int
each_is_taken_once(struct qmp_keep *k)
{
	const int b = qmp_keep_take(k, "i-b"), a = qmp_keep_take(k, "i-a");

	if (a != FIRST || b != FIRST + 1 || qmp_keep_take(k, "i-a") != -1)
		return 1;
	if (!(fcntl(a, F_GETFD) & FD_CLOEXEC) || !(fcntl(a, F_GETFL) & O_NONBLOCK))
		return 2;
	qmp_keep_free(k);
	return fcntl(a, F_GETFD) < 0 ? 3 : fcntl(FIRST + 2, F_GETFD) >= 0 ? 4 : 0;
}

START_TEST(what_the_manager_hands_over_is_taken_once_by_its_id)
{
	ck_assert_int_eq(handed_over("i-a:i-b:i-c", 3, each_is_taken_once), 0);
}
END_TEST

START_TEST(what_is_given_back_is_there_for_the_next)
{
	struct qmp_keep *k;
	int fd = dup(m.pair[0]);

	ck_assert_int_eq(qmp_keep_new(&k), 0);
	ck_assert_int_eq(qmp_keep_take(k, "i-1"), -1);
	qmp_keep_give(k, "i-1", fd);
	qmp_keep_give(k, "i-2", -1);
	ck_assert_int_eq(qmp_keep_take(k, "i-2"), -1);
	ck_assert_int_eq(qmp_keep_take(k, "i-1"), fd);
	close(fd);
	qmp_keep_free(k);
}
END_TEST

START_TEST(without_a_keep_nothing_is_kept)
{
	char text[256];
	int fd = dup(m.pair[0]);

	qmp_keep_store(NULL, "i-1", m.pair[0]);
	qmp_keep_forget(NULL, "i-1");
	ck_assert_int_eq(manager_gets(text), -1);
	ck_assert_str_eq(text, "");
	qmp_keep_give(NULL, "i-1", fd);
	ck_assert_int_lt(fcntl(fd, F_GETFD), 0);
	ck_assert_int_eq(qmp_keep_take(NULL, "i-1"), -1);
	qmp_keep_free(NULL);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("qmp_keep");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_is_kept_is_the_managers_under_the_instances_id);
	tcase_add_test(tc, what_the_manager_hands_over_is_taken_once_by_its_id);
	tcase_add_test(tc, what_is_given_back_is_there_for_the_next);
	tcase_add_test(tc, without_a_keep_nothing_is_kept);
	return unit_run("qmp_keep", tc);
}
