#include "vmd/guard_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/unit/unit.h"

static int ends[2];		/* the fixture */

static void
setup(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
}

static void
teardown(void)
{
	close(ends[0]);
	close(ends[1]);
}

/* A message with nfds descriptors, all of standard error. */
static void
put(const void *p, size_t n, size_t nfds)
{
	union {
		struct cmsghdr	 head;
		char		 room[CMSG_SPACE(2 * sizeof(int))];
	} c = { .head = { .cmsg_len = CMSG_LEN(nfds * sizeof(int)), .cmsg_level = SOL_SOCKET,
	    .cmsg_type = SCM_RIGHTS } };
	const int fds[2] = { STDERR_FILENO, STDERR_FILENO };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)p, .iov_len = n };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (nfds > 0) {
		memcpy(CMSG_DATA(&c.head), fds, nfds * sizeof(int));
		m.msg_control = &c;
		m.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
	}
	ck_assert_int_eq(sendmsg(ends[0], &m, 0), (ssize_t)n);
}

static int
take(int *ret_argc, char ***ret_argv)
{
	int log = -1;
	int r = guard_socket_read(ends[1], ret_argc, ret_argv, &log);

	if (r == 0) {
		ck_assert_int_eq(fcntl(log, F_GETFD), FD_CLOEXEC);
		close(log);
	}
	return r;
}

START_TEST(a_command_line_arrives_as_it_was_sent)
{
	char **argv;
	int argc;

	put("guard\0-i\0\0last", sizeof("guard\0-i\0\0last"), 1);
	ck_assert_int_eq(take(&argc, &argv), 0);
	ck_assert_int_eq(argc, 4);
	ck_assert_str_eq(argv[0], "guard");
	ck_assert_str_eq(argv[1], "-i");
	ck_assert_str_eq(argv[2], "");
	ck_assert_str_eq(argv[3], "last");
	ck_assert_ptr_null(argv[4]);
	free(argv[0]);		/* the text of all */
	free(argv);
}
END_TEST

static const struct {
	const char	*text;
	size_t		 n, nfds;
} bad[] = {
	{ "guard", 5, 1 },		/* no NUL at the end */
	{ "guard", 6, 0 },		/* no log */
	{ "guard", 6, 2 },		/* more than a log */
};

START_TEST(what_is_not_a_command_line_and_a_log_is_refused)
{
	char **argv;
	int argc;

	put(bad[_i].text, bad[_i].n, bad[_i].nfds);
	ck_assert_int_eq(take(&argc, &argv), -EBADMSG);
}
END_TEST

START_TEST(more_than_the_ceilings_is_refused)
{
	char text[GUARD_SOCKET_BYTES + 2] = "";		/* each byte an argument */
	const char *const argv[] = { text, NULL };
	char **out;
	int argc;

	put(text, GUARD_SOCKET_ARGS + 1, 1);
	ck_assert_int_eq(take(&argc, &out), -EBADMSG);
	put(text, GUARD_SOCKET_BYTES + 1, 1);
	ck_assert_int_eq(take(&argc, &out), -EBADMSG);
	memset(text, 'x', sizeof(text) - 1);
	ck_assert_int_eq(guard_socket_ask("/nonexistent/socket", argv, 2, 0), -ENOENT);
}
END_TEST

START_TEST(a_peer_that_is_gone_is_no_command_line)
{
	char **argv;
	int argc;

	ck_assert_int_eq(shutdown(ends[0], SHUT_RDWR), 0);
	ck_assert_int_eq(take(&argc, &argv), -EBADMSG);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("guard_socket");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_command_line_arrives_as_it_was_sent);
	tcase_add_loop_test(tc, what_is_not_a_command_line_and_a_log_is_refused, 0,
	    ARRAY_LEN(bad));
	tcase_add_test(tc, more_than_the_ceilings_is_refused);
	tcase_add_test(tc, a_peer_that_is_gone_is_no_command_line);
	return unit_run("guard_socket", tc);
}
