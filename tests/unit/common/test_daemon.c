#include "common/daemon.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "common/file.h"
#include "tests/unit/capture.h"
#include "tests/unit/unit.h"

#define PATIENCE_S	10

/* ---- a daemon of two steps and a job pool ---- */

struct sample_conf {
	struct conf_common	 common;
	uint32_t		 limit;
};
struct sample {
	struct daemon		 daemon;
	int			 ups;
};
static const struct conf_key keys[] = {
	{ NULL, "nats_limit", CONF_U32, offsetof(struct sample_conf, limit), "7", 1, 10, NULL },
};
static const struct conf_table table = { keys, ARRAY_LEN(keys) };

static int
first_up(void *self)
{
	struct sample *s = self;
	const struct sample_conf *c = (const void *)s->daemon.conf;

	if (!s->daemon.loop || !s->daemon.bus || !s->daemon.kv || !s->daemon.jobs ||
	    strlen(s->daemon.boot_id) != 36 || c->limit != 7)
		return -EBADMSG;
	fprintf(stderr, "first up\n");
	return 0;
}

static void
first_down(void *self)
{
	struct sample *s = self;

	/* The pool has stopped before the steps go down. */
	fprintf(stderr, "first down %d\n", jobs_submit(s->daemon.jobs, NULL, free, NULL, NULL,
	    NULL, NULL) == -EAGAIN);
}

static int
second_up(void *self)
{
	if (getenv("SECOND_FAILS"))
		return -ENOSPC;
	fprintf(stderr, "second up\n");
	return 0;
}

static void
second_down(void *self)
{
	fprintf(stderr, "second down\n");
}

static int
mode(void *self, int argc, char **argv)
{
	const struct sample *s = self;

	printf("mode %d %s ups %d bus %d\n", argc, argc > 0 ? argv[0] : "-", s->ups,
	    s->daemon.bus != NULL);
	return 5;
}

static int
check(const void *conf, char *why, size_t size)
{
	const struct sample_conf *c = conf;

	if (c->limit != 3)
		return 0;
	snprintf(why, size, "expected nats_limit not to be 3");
	return -EINVAL;
}

/* A stop that takes a turn of the loop; STOP_HANGS: for ever. */
static void
on_turn(void *arg)
{
	struct sample *s = arg;

	fprintf(stderr, "stopped by itself\n");
	loop_exit(s->daemon.loop, 0);
}

static void
stop(void *self)
{
	struct sample *s = self;

	fprintf(stderr, "asked to stop\n");
	if (!getenv("STOP_HANGS"))
		loop_post(s->daemon.loop, on_turn, s);
}

static int
sample_main(int argc, char **argv)
{
	static const struct daemon_step steps[] = {
		{ "begin", first_up, first_down },
		{ "go on", second_up, second_down },
	};
	const struct daemon_spec spec = {
		.name = "leased", .size = sizeof(struct sample),
		.conf_size = sizeof(struct sample_conf), .conf = &table, .steps = steps,
		.nsteps = ARRAY_LEN(steps), .threads = 1, .mode_option = "k", .mode = mode,
		.check = check, .stop = getenv("OWN_STOP") ? stop : NULL,
	};

	return daemon_main(argc, argv, &spec);
}

/* ---- the fixture: a folder, a configuration, a socket for sd_notify ---- */

static char dir[64], conf[128], notify[128];
static int notify_fd;

static void
write_conf(const char *more)
{
	AUTO(buf) struct buf b = BUF_EMPTY(4096);

	/* Port 1: nobody listens; readiness does not wait for NATS. */
	buf_printf(&b, "[cluster]\ncluster_size = 1\n[node]\nname = n1\nstate_dir = %s/state\n"
	    "[nats]\nurl = nats://127.0.0.1:1\n%s", dir, more);
	ck_assert_int_eq(file_write(conf, b.data, b.len, 0600), 0);
}

static void
setup(void)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = PATIENCE_S };

	snprintf(dir, sizeof(dir), "/tmp/test_daemon.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(file_path(conf, sizeof(conf), "%s/conf", dir), 0);
	ck_assert_int_eq(file_path(notify, sizeof(notify), "%s/notify", dir), 0);
	memcpy(sa.sun_path, notify, strlen(notify) + 1);
	notify_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(notify_fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	setsockopt(notify_fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setenv("NOTIFY_SOCKET", notify, 1);
	write_conf("");
}

static void
teardown(void)
{
	close(notify_fd);
	unit_remove_tree(dir);
}

static void
await_notice(const char *text)
{
	char got[256];

	for (;;) {
		ssize_t n = recv(notify_fd, got, sizeof(got) - 1, 0);

		ck_assert_msg(n > 0, "no %s in %d s", text, PATIENCE_S);
		got[n] = '\0';
		if (strstr(got, text))
			return;
	}
}

#define ARGS(...)	((const char *const[]){ "leased", "-c", conf, __VA_ARGS__, NULL })

static int
run(struct capture *c, const char *const *argv)
{
	capture_begin(c, sample_main, argv);
	return capture_end(c);
}

/* ---- tests ---- */

START_TEST(it_is_ready_without_nats_and_stops_cleanly_backwards)
{
	static const int signals[] = { SIGTERM, SIGINT };
	static const char *const names[] = { "stopping on SIGTERM", "stopping on SIGINT" };
	const char *down;
	struct capture c;

	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	await_notice("STATUS=no connection to NATS");
	ck_assert_int_eq(kill(c.pid, signals[_i]), 0);
	await_notice("STOPPING=1\nSTATUS=stopping");
	ck_assert_int_eq(capture_end(&c), 0);
	capture_has(c.err, "first up\nsecond up\n");
	capture_has(c.err, "leased info: ready on node n1 [node=n1]\n");
	capture_has(c.err, names[_i]);
	down = strstr(c.err, "second down\nfirst down 1\n");
	ck_assert_ptr_nonnull(down);
	capture_has(down, "leased info: stopped\n");
	ck_assert_ptr_null(strstr(c.err, "127.0.0.1"));	/* a URL may hold a password */
}
END_TEST

/* A hangup after which the log has text. */
static void
hang_up(struct capture *c, const char *more, const char *text)
{
	write_conf(more);
	ck_assert_int_eq(kill(c->pid, SIGHUP), 0);
	for (int i = 0; i < PATIENCE_S * 100; i++) {
		capture_text(c->err_fd, c->err, sizeof(c->err));
		if (strstr(c->err, text))
			return;
		(void)poll(NULL, 0, 10);	/* poll interval */
	}
	ck_abort_msg("not logged: %s; but %s", text, c->err);
}

START_TEST(a_hangup_changes_the_log_level_and_nothing_else)
{
	struct capture c;

	write_conf("[node]\nlog_level = err\n");
	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	hang_up(&c, "[node]\nlog_level = warning\n",
	    "leased notice: the log level is warning; all else is read at a start\n");
	hang_up(&c, "[node]\nlog_level = loud\n", "leased err: the log level stays: ");
	capture_has(c.err, "expected log_level to be err, warning, notice, info or debug");
	hang_up(&c, "[node]\nlog_level = debug\n[leased]\nnats_limit = 3\n",
	    "leased notice: the log level is debug;");
	hang_up(&c, "[node]\nlog_level = err\n", "leased notice: the log level is err;");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&c), 0);
	ck_assert_ptr_null(strstr(c.err, "ready on node"));
	ck_assert_ptr_null(strstr(c.err, "stopping on"));
	capture_has(c.err, "second down\n");
}
END_TEST

START_TEST(by_its_option_a_daemon_logs_all_whatever_the_file_says)
{
	struct capture c;

	capture_begin(&c, sample_main, ARGS("-d", "-v"));
	await_notice("READY=1");
	hang_up(&c, "[node]\nlog_level = err\n", "leased notice: the log level is debug, by -v;");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&c), 0);
	capture_has(c.err, "stopping on SIGTERM");
}
END_TEST

START_TEST(a_daemon_that_stops_in_its_own_time_ends_the_loop_itself)
{
	struct capture c;

	setenv("OWN_STOP", "1", 1);
	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&c), 0);
	capture_has(c.err, "asked to stop\n");
	capture_has(c.err, "stopped by itself\n");
	capture_has(c.err, "second down\n");
}
END_TEST

START_TEST(a_second_signal_ends_a_stop_that_takes_too_long)
{
	struct capture c;

	setenv("OWN_STOP", "1", 1);
	setenv("STOP_HANGS", "1", 1);
	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(kill(c.pid, SIGINT), 0);
	ck_assert_int_eq(capture_end(&c), 0);
	ck_assert_ptr_null(strstr(c.err, "stopped by itself"));
	capture_has(c.err, "second down\n");
}
END_TEST

START_TEST(a_step_that_fails_is_named_and_only_earlier_ones_go_down)
{
	struct capture c;

	setenv("SECOND_FAILS", "1", 1);
	ck_assert_int_eq(run(&c, ARGS("-d")), 1);
	capture_has(c.err, "leased err: cannot go on: No space left on device\n");
	capture_has(c.err, "first up\n");
	capture_has(c.err, "first down 1\n");
	ck_assert_ptr_null(strstr(c.err, "second down"));
	ck_assert_ptr_null(strstr(c.err, "ready"));
}
END_TEST

START_TEST(a_second_one_of_the_same_state_folder_does_not_start)
{
	struct capture c, other;

	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	ck_assert_int_eq(run(&other, ARGS("-d")), 1);
	capture_has(other.err, "/state/leased.lock: another leased is using it\n");
	ck_assert_ptr_null(strstr(other.err, "first up"));
	ck_assert_int_eq(kill(c.pid, SIGKILL), 0);
	(void)capture_end(&c);
	capture_begin(&other, sample_main, ARGS("-d"));
	await_notice("READY=1");
	ck_assert_int_eq(kill(other.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&other), 0);
}
END_TEST

START_TEST(the_watchdog_is_fed)
{
	struct capture c;

	setenv("WATCHDOG_USEC", "200000", 1);
	capture_begin(&c, sample_main, ARGS("-d"));
	await_notice("READY=1");
	await_notice("WATCHDOG=1");
	await_notice("WATCHDOG=1");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&c), 0);
}
END_TEST

START_TEST(the_check_accepts_and_touches_nothing)
{
	struct capture c;
	struct stat st;
	char state[128];

	ck_assert_int_eq(run(&c, ARGS("-n")), 0);
	capture_has(c.err, "conf: configuration OK\n");
	ck_assert_str_eq(c.out, "");
	ck_assert_int_eq(file_path(state, sizeof(state), "%s/state", dir), 0);
	ck_assert_int_eq(stat(state, &st), -1);
}
END_TEST

START_TEST(what_the_check_prints_checks_again)
{
	struct capture c, again;

	write_conf("[leased]\nnats_limit = 9\n");
	ck_assert_int_eq(run(&c, ARGS("-np")), 0);
	capture_has(c.out, "[leased]\nnats_user =\nnats_password_file =\nnats_limit = 9\n");
	ck_assert_int_eq(file_write(conf, c.out, strlen(c.out), 0600), 0);
	ck_assert_int_eq(run(&again, ARGS("-np")), 0);
	ck_assert_str_eq(again.out, c.out);
}
END_TEST

static const struct {
	const char	*more, *why;
} bad_confs[] = {
	{ "[leased]\nnats_limit = 11\n",
	  "/conf:9: expected nats_limit to be a number from 1 to 10\n" },
	{ "[leased]\nlimit = 1\n", "/conf:9: expected a keyword of [leased], not limit\n" },
	{ "[leased]\nnats_limit = 3\n", "/conf: expected nats_limit not to be 3\n" },
};

START_TEST(a_wrong_configuration_is_status_78_with_its_place)
{
	struct capture c;

	write_conf(bad_confs[_i].more);
	ck_assert_int_eq(run(&c, ARGS("-n")), 78);
	capture_has(c.err, bad_confs[_i].why);
	ck_assert_int_eq(run(&c, ARGS("-d")), 78);
	capture_has(c.err, bad_confs[_i].why);
}
END_TEST

START_TEST(a_missing_configuration_is_status_78)
{
	struct capture c;

	unlink(conf);
	ck_assert_int_eq(run(&c, ARGS("-n")), 78);
	capture_has(c.err, "/conf: No such file or directory\n");
}
END_TEST

static const char *const bad_usage[][2] = {
	{ "-x", NULL }, { "-p", NULL }, { "word", NULL }, { "-c", NULL }, { "-dn", "word" },
};

START_TEST(wrong_usage_is_status_2)
{
	struct capture c;

	ck_assert_int_eq(run(&c, ARGS(bad_usage[_i][0], bad_usage[_i][1])), 2);
	capture_has(c.err, "usage: leased [-dhnpv] [-k ...] [-c file]\n");
}
END_TEST

START_TEST(help_is_printed_on_request)
{
	struct capture c;

	ck_assert_int_eq(run(&c, ARGS("-h")), 0);
	ck_assert_str_eq(c.out, "usage: leased [-dhnpv] [-k ...] [-c file]\n");
}
END_TEST

START_TEST(the_extra_mode_has_the_bus_and_its_words_but_no_steps)
{
	struct capture c;

	ck_assert_int_eq(run(&c, ARGS("-k", "000000000001")), 5);
	ck_assert_str_eq(c.out, "mode 1 000000000001 ups 0 bus 1\n");
	ck_assert_str_eq(c.err, "");
}
END_TEST

START_TEST(a_password_that_others_can_read_is_refused)
{
	char path[128], more[256];
	struct capture c;

	ck_assert_int_eq(file_path(path, sizeof(path), "%s/password", dir), 0);
	ck_assert_int_eq(file_path(more, sizeof(more),
	    "[leased]\nnats_user = l\nnats_password_file = %s\n", path), 0);
	write_conf(more);
	ck_assert_int_eq(run(&c, ARGS("-d")), 1);
	capture_has(c.err, "/password: No such file or directory\n");
	ck_assert_int_eq(file_write(path, "hunter2\n", 8, 0640), 0);
	ck_assert_int_eq(run(&c, ARGS("-d")), 1);
	capture_has(c.err, "cannot set up the bus: ");
	capture_has(c.err, "/password: expected a file of its reader's or root's that nobody else "
	    "can read\n");
	ck_assert_ptr_null(strstr(c.err, "hunter2"));
	ck_assert_int_eq(file_write(path, "hunter2\n", 8, 0600), 0);
	capture_begin(&c, sample_main, ARGS("-d", "-v"));
	await_notice("READY=1");
	ck_assert_int_eq(kill(c.pid, SIGTERM), 0);
	ck_assert_int_eq(capture_end(&c), 0);
	ck_assert_ptr_null(strstr(c.err, "hunter2"));
}
END_TEST

START_TEST(a_state_folder_that_cannot_be_made_is_named)
{
	char state[128];
	struct capture c;

	ck_assert_int_eq(file_path(state, sizeof(state), "%s/state", dir), 0);
	ck_assert_int_eq(file_write(state, "", 0, 0600), 0);
	ck_assert_int_eq(run(&c, ARGS("-d")), 1);
	capture_has(c.err, "leased err: cannot use the state folder: Not a directory\n");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("daemon");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, it_is_ready_without_nats_and_stops_cleanly_backwards, 0, 2);
	tcase_add_test(tc, a_hangup_changes_the_log_level_and_nothing_else);
	tcase_add_test(tc, by_its_option_a_daemon_logs_all_whatever_the_file_says);
	tcase_add_test(tc, a_daemon_that_stops_in_its_own_time_ends_the_loop_itself);
	tcase_add_test(tc, a_second_signal_ends_a_stop_that_takes_too_long);
	tcase_add_test(tc, a_step_that_fails_is_named_and_only_earlier_ones_go_down);
	tcase_add_test(tc, a_second_one_of_the_same_state_folder_does_not_start);
	tcase_add_test(tc, the_watchdog_is_fed);
	tcase_add_test(tc, the_check_accepts_and_touches_nothing);
	tcase_add_test(tc, what_the_check_prints_checks_again);
	tcase_add_loop_test(tc, a_wrong_configuration_is_status_78_with_its_place, 0,
	    ARRAY_LEN(bad_confs));
	tcase_add_test(tc, a_missing_configuration_is_status_78);
	tcase_add_loop_test(tc, wrong_usage_is_status_2, 0, ARRAY_LEN(bad_usage));
	tcase_add_test(tc, help_is_printed_on_request);
	tcase_add_test(tc, the_extra_mode_has_the_bus_and_its_words_but_no_steps);
	tcase_add_test(tc, a_password_that_others_can_read_is_refused);
	tcase_add_test(tc, a_state_folder_that_cannot_be_made_is_named);
	return unit_run("daemon", tc);
}
