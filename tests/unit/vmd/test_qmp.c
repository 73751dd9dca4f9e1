#include "vmd/qmp.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/clock.h"
#include "tests/unit/unit.h"

#define PATIENCE_MS	10000
#define GREETING	"{\"QMP\": {\"version\": {}, \"capabilities\": [\"oob\"]}}\r\n"

enum closer {			/* which callback closes the client */
	NOBODY,
	ON_READY,
	ON_EVENT,
	ON_LOST,
	ON_DONE,
};

/* A QEMU that says what the test makes it say, and a client. */
struct scene {
	char		 dir[32], path[64];
	struct loop	*loop;
	struct qmp	*qmp;
	int		 listen_fd, fd;		/* the server's */
	char		 got[8192];		/* by the server, not yet looked at */
	enum closer	 closer;
	int		 nready, nlost, nevents, ndone;
	char		 event[64], why[QMP_WHY_MAX];
	int		 r[QMP_CALLS_MAX];	/* by the order of the calls */
	char		 status[QMP_CALLS_MAX][32];
};
static struct scene s;		/* the fixture */

static void
listen_again(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	(void)snprintf(a.sun_path, sizeof(a.sun_path), "%s", s.path);
	(void)unlink(s.path);
	s.listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ck_assert_int_ge(s.listen_fd, 0);
	ck_assert_int_eq(bind(s.listen_fd, (struct sockaddr *)&a, sizeof(a)), 0);
	ck_assert_int_eq(listen(s.listen_fd, 1), 0);
}

static void
setup(void)
{
	s = (struct scene){ .listen_fd = -1, .fd = -1, .dir = "/tmp/test_qmp.XXXXXX" };
	ck_assert_ptr_nonnull(mkdtemp(s.dir));
	(void)snprintf(s.path, sizeof(s.path), "%s/qmp", s.dir);
	ck_assert_int_eq(loop_new(&s.loop), 0);
	listen_again();
}

static void
teardown(void)
{
	qmp_close(s.qmp);
	loop_free(s.loop);
	if (s.fd >= 0)
		close(s.fd);
	close(s.listen_fd);
	(void)unlink(s.path);
	(void)rmdir(s.dir);
}

static void
close_if(enum closer c)
{
	if (s.closer == c) {
		qmp_close(s.qmp);
		s.qmp = NULL;
	}
}

static void
on_ready(void *arg)
{
	s.nready++;
	close_if(ON_READY);
}

static void
on_event(void *arg, const char *name, const cJSON *data)
{
	s.nevents++;
	(void)snprintf(s.event, sizeof(s.event), "%s", name);
	close_if(ON_EVENT);
}

static void
on_lost(void *arg, const char *why)
{
	s.nlost++;
	(void)snprintf(s.why, sizeof(s.why), "%s", why);
	close_if(ON_LOST);
}

static void
on_done(void *arg, int r, const cJSON *answer, const char *why)
{
	const size_t i = (size_t)(uintptr_t)arg;
	const char *status = answer && cJSON_IsObject(answer) ?
	    cJSON_GetStringValue(cJSON_GetObjectItem(answer, "status")) : NULL;

	s.ndone++;
	s.r[i] = r;
	(void)snprintf(s.status[i], sizeof(s.status[i]), "%s", status ? status : "");
	(void)snprintf(s.why, sizeof(s.why), "%s", why);
	close_if(ON_DONE);
}

/* Turns the loop until *what is n. */
static void
await(const int *what, int n)
{
	const uint64_t end_ms = clock_now_ms(&clock_system) + PATIENCE_MS;

	while (*what != n && clock_now_ms(&clock_system) < end_ms)
		ck_assert_int_ge(loop_step(s.loop, 100), 0);
	ck_assert_int_eq(*what, n);
}

/* Takes what the client has sent, until it holds text; then forgets all of it. */
static void
server_expects(const char *text)
{
	const uint64_t end_ms = clock_now_ms(&clock_system) + PATIENCE_MS;

	while (!strstr(s.got, text) && clock_now_ms(&clock_system) < end_ms) {
		size_t n = strlen(s.got);
		ssize_t r;

		ck_assert_int_ge(loop_step(s.loop, 10), 0);
		r = recv(s.fd, s.got + n, sizeof(s.got) - 1 - n, MSG_DONTWAIT);
		s.got[n + (size_t)(r > 0 ? r : 0)] = '\0';
	}
	ck_assert_msg(strstr(s.got, text) != NULL, "got %s", s.got);
	s.got[0] = '\0';
}

static void
server_says(const char *text)
{
	ck_assert_int_eq(send(s.fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

static void
server_accepts(void)
{
	const uint64_t end_ms = clock_now_ms(&clock_system) + PATIENCE_MS;

	if (s.fd >= 0)
		close(s.fd);
	do {
		ck_assert_int_ge(loop_step(s.loop, 10), 0);
		s.fd = accept4(s.listen_fd, NULL, NULL, SOCK_CLOEXEC);
	} while (s.fd < 0 && clock_now_ms(&clock_system) < end_ms);
	ck_assert_int_ge(s.fd, 0);
}

static void
open_client(pid_t pid)
{
	static const struct qmp_handlers on = { on_ready, on_event, on_lost };

	ck_assert_int_eq(qmp_open(s.loop, s.path, pid, &on, NULL, &s.qmp), 0);
}

/* The n-th time that both ends agree; ids go on over connections. */
static void
make_ready(int n)
{
	char answer[64];

	server_accepts();
	server_says(GREETING);
	server_expects("{\"execute\":\"qmp_capabilities\",\"id\":");
	(void)snprintf(answer, sizeof(answer), "{\"return\": {}, \"id\": %d}\r\n", n);
	server_says(answer);
	await(&s.nready, s.nready + 1);
}

static void
call(size_t i, uint64_t timeout_ms)
{
	ck_assert_int_eq(qmp_call(s.qmp, "query-status", NULL, timeout_ms, on_done,
	    (void *)(uintptr_t)i), 0);
}

START_TEST(it_negotiates_and_then_is_ready)
{
	open_client(getpid());
	ck_assert(!qmp_is_ready(s.qmp));
	ck_assert_int_eq(qmp_call(s.qmp, "stop", cJSON_CreateObject(), 1, on_done, NULL),
	    -ENOTCONN);
	make_ready(1);
	ck_assert(qmp_is_ready(s.qmp));
	ck_assert_int_eq(s.ndone, 0);
}
END_TEST

START_TEST(it_waits_for_a_socket_that_is_not_there_yet)
{
	close(s.listen_fd);
	(void)unlink(s.path);
	open_client(0);
	ck_assert_int_ge(loop_step(s.loop, 30), 0);
	ck_assert_int_ge(loop_step(s.loop, 30), 0);
	listen_again();
	make_ready(1);
}
END_TEST

START_TEST(an_event_may_come_before_the_capabilities_are_agreed)
{
	open_client(0);
	server_accepts();
	server_says(GREETING "{\"event\": \"NIC_RX_FILTER_CHANGED\"}\r\n");
	await(&s.nevents, 1);
	ck_assert_int_eq(s.nready, 0);
	server_says("{\"return\": {}, \"id\": 1}\r\n");
	await(&s.nready, 1);
}
END_TEST

START_TEST(answers_find_their_calls_in_any_order)
{
	open_client(0);
	make_ready(1);
	call(0, PATIENCE_MS);
	call(1, PATIENCE_MS);
	server_expects("\"id\":3}");
	server_says("{\"return\": {\"status\": \"paused\"}, \"id\": 3}\r\n");
	await(&s.ndone, 1);
	ck_assert_str_eq(s.status[1], "paused");
	server_says("{\"event\": \"STOP\"}\n{\"return\": {\"status\": \"running\"}, \"id\": 2}\r\n");
	await(&s.ndone, 2);
	ck_assert_str_eq(s.status[0], "running");
	ck_assert_str_eq(s.event, "STOP");
}
END_TEST

START_TEST(arguments_are_sent_and_a_refusal_is_passed_on)
{
	cJSON *args = cJSON_CreateObject();

	open_client(0);
	make_ready(1);
	ck_assert_ptr_nonnull(cJSON_AddStringToObject(args, "id", "disk1"));
	ck_assert_int_eq(qmp_call(s.qmp, "device_del", args, PATIENCE_MS, on_done, NULL), 0);
	server_expects("{\"execute\":\"device_del\",\"arguments\":{\"id\":\"disk1\"},\"id\":2}\n");
	server_says("{\"id\": 2, \"error\": {\"class\": \"DeviceNotFound\", \"desc\": \"none\"}}\n");
	await(&s.ndone, 1);
	ck_assert_int_eq(s.r[0], -EREMOTEIO);
	ck_assert_str_eq(s.why, "none");
}
END_TEST

START_TEST(a_call_has_a_deadline_and_its_late_answer_is_dropped)
{
	open_client(0);
	make_ready(1);
	call(0, 30);
	call(1, PATIENCE_MS);
	await(&s.ndone, 1);
	ck_assert_int_eq(s.r[0], -ETIMEDOUT);
	server_says("{\"return\": {\"status\": \"late\"}, \"id\": 2}\n"
	    "{\"return\": {\"status\": \"running\"}, \"id\": 3}\n");
	await(&s.ndone, 2);
	ck_assert_str_eq(s.status[0], "");
	ck_assert_str_eq(s.status[1], "running");
	ck_assert_int_eq(s.nlost, 0);
}
END_TEST

START_TEST(a_peer_that_says_nothing_is_left_in_time)
{
	const uint64_t began_ms = clock_now_ms(&clock_system);
	int silent;

	open_client(0);
	server_accepts();
	silent = s.fd;		/* stays open */
	s.fd = -1;
	server_accepts();	/* the next attempt */
	ck_assert_uint_ge(clock_now_ms(&clock_system) - began_ms, QMP_GREETING_MS);
	ck_assert_int_eq(s.nready + s.nlost, 0);
	close(silent);
}
END_TEST

/* What ends a connection; two of them are made of too many bytes. */
static const char *const breakers[] = {
	"garbage\n", "{}\n", GREETING, "{\"return\": {}}}\n", "", NULL,
};

START_TEST(a_connection_that_breaks_is_made_anew)
{
	open_client(0);
	make_ready(1);
	call(0, PATIENCE_MS);
	server_expects("query-status");
	if (!breakers[_i]) {		/* a line without end */
		char junk[4096];
		size_t sent = 0;

		memset(junk, ' ', sizeof(junk));
		while (s.nlost == 0 && sent < 2 * QMP_LINE_MAX) {
			ssize_t n = send(s.fd, junk, sizeof(junk), MSG_NOSIGNAL | MSG_DONTWAIT);

			sent += (size_t)(n > 0 ? n : 0);
			ck_assert_int_ge(loop_step(s.loop, 0), 0);
		}
		ck_assert_uint_lt(sent, 2 * QMP_LINE_MAX);
	} else if (breakers[_i][0] == '\0') {
		ck_assert_int_eq(shutdown(s.fd, SHUT_RDWR), 0);
	} else {
		server_says(breakers[_i]);
	}
	await(&s.nlost, 1);
	ck_assert_int_eq(s.ndone, 1);
	ck_assert_int_eq(s.r[0], -ECONNRESET);
	ck_assert(s.why[0] != '\0');
	ck_assert(!qmp_is_ready(s.qmp));
	make_ready(3);
	ck_assert_int_eq(s.nready, 2);
}
END_TEST

START_TEST(another_process_at_the_other_end_is_not_spoken_to)
{
	char c;

	open_client(1);
	server_accepts();
	ck_assert_int_eq(recv(s.fd, &c, 1, 0), 0);	/* it hung up and sent nothing */
}
END_TEST

START_TEST(calls_in_flight_have_a_ceiling)
{
	open_client(0);
	make_ready(1);
	for (size_t i = 0; i < QMP_CALLS_MAX; i++)
		call(i, 50);
	ck_assert_int_eq(qmp_call(s.qmp, "x", NULL, 50, on_done, NULL), -EAGAIN);
	await(&s.ndone, QMP_CALLS_MAX);
}
END_TEST

START_TEST(it_may_be_closed_from_any_callback)
{
	const enum closer closers[] = { ON_READY, ON_EVENT, ON_LOST, ON_DONE };

	open_client(0);
	if (closers[_i] == ON_READY)
		s.closer = ON_READY;
	make_ready(1);
	s.closer = closers[_i];
	if (s.closer == ON_EVENT) {
		server_says("{\"event\": \"A\"}\n{\"event\": \"B\"}\n");
		await(&s.nevents, 1);
	} else if (s.closer == ON_LOST || s.closer == ON_DONE) {
		call(0, PATIENCE_MS);
		call(1, PATIENCE_MS);
		server_expects("\"id\":3}");
		ck_assert_int_eq(shutdown(s.fd, SHUT_RDWR), 0);
		await(s.closer == ON_LOST ? &s.nlost : &s.ndone, 1);
		ck_assert_int_eq(s.ndone, s.closer == ON_LOST ? 2 : 1);
	}
	ck_assert_ptr_null(s.qmp);
	for (int i = 0; i < 5; i++)
		ck_assert_int_ge(loop_step(s.loop, 10), 0);
	ck_assert_int_le(s.nevents, 1);
}
END_TEST

START_TEST(a_path_too_long_for_a_socket_is_refused)
{
	static const struct qmp_handlers on = { NULL, NULL, NULL };
	char path[200];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(qmp_open(s.loop, path, 0, &on, NULL, &s.qmp), -ENAMETOOLONG);
}
END_TEST

/* Closes the client and opens another on the same connection, which belongs to pid. */
static void
go_on_with(pid_t pid)
{
	const int fd = qmp_leave(s.qmp);

	s.qmp = NULL;
	ck_assert_int_ge(fd, 0);
	s.nready = 0;
	open_client(pid);
	qmp_resume(s.qmp, fd);
}

START_TEST(what_one_leaves_another_goes_on_with)
{
	open_client(0);
	ck_assert_int_eq(qmp_fd(s.qmp), -1);
	make_ready(1);
	call(0, PATIENCE_MS);
	server_expects("\"id\":2}");
	go_on_with(getpid());
	ck_assert_int_eq(s.nready, 0);
	server_says("{\"event\": \"SHUTDOWN\"}\n{\"return\": {\"status\": \"late\"}, \"id\": 2}\n");
	await(&s.nready, 1);
	await(&s.nevents, 1);
	ck_assert_str_eq(s.event, "SHUTDOWN");
	call(1, PATIENCE_MS);
	server_expects("{\"execute\":\"query-status\",\"id\":");
	server_says("{\"return\": {}, \"id\": 1}\n{\"return\": {}, \"id\": 2}\n");
	for (int i = 0; i < 5; i++)
		ck_assert_int_ge(loop_step(s.loop, 10), 0);
	ck_assert_int_eq(s.ndone, 0);	/* those were the other's */
}
END_TEST

START_TEST(in_the_middle_of_a_message_nothing_is_left)
{
	open_client(0);
	make_ready(1);
	server_says("{\"event\": \"STOP\"}\n{\"event\"");
	await(&s.nevents, 1);
	ck_assert_int_eq(qmp_leave(s.qmp), -1);
	s.qmp = NULL;
	ck_assert_int_eq(qmp_leave(NULL), -1);
}
END_TEST

START_TEST(a_kept_connection_of_another_process_is_ended)
{
	char c;

	open_client(0);
	make_ready(1);
	go_on_with(1);
	ck_assert_int_eq(qmp_fd(s.qmp), -1);
	ck_assert_int_eq(recv(s.fd, &c, 1, 0), 0);
	for (int i = 0; i < 5; i++)
		ck_assert_int_ge(loop_step(s.loop, 10), 0);
	ck_assert_int_eq(s.nready, 0);
}
END_TEST

/* A copy elsewhere, as a service manager has one, does not hold up the next client. */
START_TEST(an_end_is_the_end_of_all_copies)
{
	int copy;
	char c;

	open_client(0);
	make_ready(1);
	copy = dup(qmp_fd(s.qmp));
	ck_assert_int_ge(copy, 0);
	qmp_reconnect(s.qmp, "no answers");
	ck_assert_int_eq(recv(s.fd, &c, 1, 0), 0);
	close(copy);
	make_ready(2);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("qmp");

	tcase_set_timeout(tc, 30);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, it_negotiates_and_then_is_ready);
	tcase_add_test(tc, it_waits_for_a_socket_that_is_not_there_yet);
	tcase_add_test(tc, an_event_may_come_before_the_capabilities_are_agreed);
	tcase_add_test(tc, answers_find_their_calls_in_any_order);
	tcase_add_test(tc, arguments_are_sent_and_a_refusal_is_passed_on);
	tcase_add_test(tc, a_call_has_a_deadline_and_its_late_answer_is_dropped);
	tcase_add_test(tc, a_peer_that_says_nothing_is_left_in_time);
	tcase_add_loop_test(tc, a_connection_that_breaks_is_made_anew, 0,
	    (int)ARRAY_LEN(breakers));
	tcase_add_test(tc, another_process_at_the_other_end_is_not_spoken_to);
	tcase_add_test(tc, calls_in_flight_have_a_ceiling);
	tcase_add_loop_test(tc, it_may_be_closed_from_any_callback, 0, 4);
	tcase_add_test(tc, a_path_too_long_for_a_socket_is_refused);
	tcase_add_test(tc, what_one_leaves_another_goes_on_with);
	tcase_add_test(tc, in_the_middle_of_a_message_nothing_is_left);
	tcase_add_test(tc, a_kept_connection_of_another_process_is_ended);
	tcase_add_test(tc, an_end_is_the_end_of_all_copies);
	return unit_run("qmp", tc);
}
