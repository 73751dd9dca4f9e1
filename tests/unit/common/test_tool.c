#include "common/tool.h"

#include <stdbool.h>

#include "common/clock.h"
#include "tests/unit/capture.h"
#include "tests/unit/nats_server.h"
#include "tests/unit/unit.h"

/* ---- a tool ---- */

static int
ask(struct tool *t, int argc, char **argv)
{
	AUTO(json) cJSON *answer = NULL;
	int status = tool_call(t, argv[1], NULL, argc > 2 ? 300 : 5000, &answer);

	if (status == 0) {
		AUTO(str) char *text = json_print(answer);

		printf("%s of %s%s\n", text, t->node, t->json ? " as JSON" : "");
	}
	return status;
}

static const struct tool_verb verbs[] = {
	{ "ask", "SUBJECT [--soon]", 1, 2, "Asks.", ask },
	{ "nothing", "", 0, 0, "Takes nothing.", ask },
};

static int
sample_tool(int argc, char **argv)
{
	return tool_main(argc, argv, "leasectl", "leased", verbs, ARRAY_LEN(verbs));
}

/* ---- who answers it ---- */

static void
on_fine(void *arg, struct bus_req *req, const void *in)
{
	AUTO(json) cJSON *tree = cJSON_CreateObject();

	if (!tree || !json_add_u64(tree, "n", UINT64_MAX))
		abort();
	bus_reply(req, tree);
}

static void
on_refused(void *arg, struct bus_req *req, const void *in)
{
	bus_refuse(req, "lease.owned", false, "another client has it");
}

static void
on_retry(void *arg, struct bus_req *req, const void *in)
{
	bus_refuse(req, "lease.unavailable", true, "the store is away");
}

static void
on_silence(void *arg, struct bus_req *req, const void *in)
{
}

static const struct bus_route rows[] = {
	{ .subject = "t.fine", .handler = on_fine, .kind = BUS_REQUEST, .max_bytes = 1000,
	  .deadline_ms = 60000 },
	{ .subject = "t.refused", .handler = on_refused, .kind = BUS_REQUEST, .max_bytes = 1000,
	  .deadline_ms = 60000 },
	{ .subject = "t.retry", .handler = on_retry, .kind = BUS_REQUEST, .max_bytes = 1000,
	  .deadline_ms = 60000 },
	{ .subject = "t.silence", .handler = on_silence, .kind = BUS_REQUEST, .max_bytes = 1000,
	  .deadline_ms = 60000 },
};

static struct nats_server server;
static char conf[128];
static pid_t responder;

static void
say_up(void *arg, bool up)
{
	if (up && write(*(int *)arg, "u", 1) != 1)
		abort();
}

static void
respond(int up_fd)
{
	const struct bus_conf c = { .name = "responder", .url = server.url };
	const struct bus_service s = { .name = "t", .description = "t", .node = "n1",
	    .rows = rows, .n = ARRAY_LEN(rows) };
	struct loop *l;
	struct bus *b;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (loop_new(&l) < 0 || bus_new(l, &c, &b) < 0 || bus_serve(b, &s) < 0 ||
	    bus_on_state(b, say_up, &up_fd) < 0)
		abort();
	_exit(loop_run(l));
}

static void
start_responder(void)
{
	char c;
	int p[2];

	ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
	responder = fork();
	ck_assert_int_ge(responder, 0);
	if (responder == 0)
		respond(p[1]);
	close(p[1]);
	ck_assert_int_eq(read(p[0], &c, 1), 1);	/* the case's timeout bounds this */
	close(p[0]);
}

static void
write_conf(const char *more)
{
	char text[512];

	ck_assert_int_eq(file_path(text, sizeof(text), "[cluster]\ncluster_size = 1\n[node]\n"
	    "name = n1\n[nats]\nurl = %s\n%s", server.url, more), 0);
	ck_assert_int_eq(file_write(conf, text, strlen(text), 0600), 0);
}

static void
setup(void)
{
	nats_server_start(&server);
	ck_assert_int_eq(file_path(conf, sizeof(conf), "%s/spinifex.conf", server.dir), 0);
	write_conf("");
	responder = 0;
}

static void
teardown(void)
{
	if (responder > 0) {
		kill(responder, SIGKILL);
		waitpid(responder, NULL, 0);
	}
	nats_server_stop(&server);
}

#define ARGS(...)	((const char *const[]){ "leasectl", "-c", conf, __VA_ARGS__, NULL })

static int
run(struct capture *c, const char *const *argv)
{
	capture_begin(c, sample_tool, argv);
	return capture_end(c);
}

/* ---- tests ---- */

START_TEST(an_answer_is_handed_to_the_verb_with_node_and_form)
{
	struct capture c;

	start_responder();
	ck_assert_int_eq(run(&c, ARGS("ask", "t.fine")), 0);
	ck_assert_str_eq(c.out, "{\"n\":18446744073709551615} of n1\n");
	ck_assert_str_eq(c.err, "");
	ck_assert_int_eq(run(&c, ARGS("-N", "n2", "--json", "ask", "t.fine")), 0);
	ck_assert_str_eq(c.out, "{\"n\":18446744073709551615} of n2 as JSON\n");
}
END_TEST

START_TEST(a_refusal_prints_its_message_and_says_whether_to_try_again)
{
	struct capture c;

	start_responder();
	ck_assert_int_eq(run(&c, ARGS("ask", "t.refused")), 1);
	capture_has(c.err, ": another client has it\n");
	ck_assert_int_eq(run(&c, ARGS("ask", "t.retry")), 75);
	capture_has(c.err, ": the store is away\n");
	ck_assert_str_eq(c.out, "");
}
END_TEST

START_TEST(nobody_there_and_no_answer_are_status_75)
{
	struct capture c;

	start_responder();
	ck_assert_int_eq(run(&c, ARGS("ask", "t.nobody")), 75);
	capture_has(c.err, ": nobody serves t.nobody\n");
	ck_assert_int_eq(run(&c, ARGS("ask", "t.silence", "--soon")), 75);
	capture_has(c.err, ": no answer in time from t.silence\n");
}
END_TEST

START_TEST(without_a_server_the_tool_gives_up_in_seconds)
{
	uint64_t began = clock_now_ms(&clock_system);
	struct capture c;

	snprintf(server.url, sizeof(server.url), "nats://127.0.0.1:1");
	write_conf("");
	ck_assert_int_eq(run(&c, ARGS("ask", "t.fine")), 75);
	capture_has(c.err, ": no connection to NATS\n");
	ck_assert_uint_lt(clock_now_ms(&clock_system) - began, 15000);
}
END_TEST

START_TEST(wrong_usage_is_status_2)
{
	struct capture c;

	ck_assert_int_eq(run(&c, ARGS(NULL)), 2);
	capture_has(c.err, "usage: leasectl [-c file] [-N node] [--json] verb [argument ...]\n");
	ck_assert_int_eq(run(&c, ARGS("-x")), 2);
	ck_assert_int_eq(run(&c, ARGS("-N", "a.b", "ask", "t.fine")), 2);
	ck_assert_int_eq(run(&c, ARGS("fly")), 2);
	capture_has(c.err, "leasectl: no verb fly; leasectl -h lists them\n");
	ck_assert_int_eq(run(&c, ARGS("ask")), 2);
	capture_has(c.err, "usage: leasectl ask SUBJECT [--soon]\n");
	ck_assert_int_eq(run(&c, ARGS("nothing", "x")), 2);
}
END_TEST

START_TEST(help_lists_the_verbs)
{
	struct capture c;

	ck_assert_int_eq(run(&c, ARGS("-h")), 0);
	capture_has(c.out, "  ask SUBJECT [--soon]\n\tAsks.\n  nothing\n\tTakes nothing.\n");
}
END_TEST

START_TEST(a_wrong_configuration_is_status_78)
{
	struct capture c;

	write_conf("[leasectl]\nuser = x\n");
	ck_assert_int_eq(run(&c, ARGS("ask", "t.fine")), 78);
	capture_has(c.err, "spinifex.conf:8: expected a keyword of [leasectl], not user\n");
	write_conf("[leasectl]\nnats_user = x\nnats_password_file = /nonexistent/password\n");
	ck_assert_int_eq(run(&c, ARGS("ask", "t.fine")), 78);
	capture_has(c.err, ": /nonexistent/password: No such file or directory\n");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("tool");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_answer_is_handed_to_the_verb_with_node_and_form);
	tcase_add_test(tc, a_refusal_prints_its_message_and_says_whether_to_try_again);
	tcase_add_test(tc, nobody_there_and_no_answer_are_status_75);
	tcase_add_test(tc, without_a_server_the_tool_gives_up_in_seconds);
	tcase_add_test(tc, wrong_usage_is_status_2);
	tcase_add_test(tc, help_lists_the_verbs);
	tcase_add_test(tc, a_wrong_configuration_is_status_78);
	return unit_run("tool", tc);
}
