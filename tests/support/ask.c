/*
 * ask - one request on the bus, for tests:
 *
 *	ask [-s URL] [-u USER] [-p PASSWORD-FILE] [-t MS] [-g] SUBJECT [JSON] [-H NAME:VALUE ...]
 *
 * Prints the answer; with -g (gather) every answer of MS milliseconds, one a line.
 * Exit status: 0 answered, 1 the answer is an error, 2 usage, 75 nobody answered in time.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "common/bus.h"
#include "common/file.h"
#include "common/log.h"

#define CONNECT_MS	5000
#define PASSWORD_MAX	256

struct ask {
	struct loop		*loop;
	struct bus		*bus;
	const char		*url, *user, *password_file;
	struct bus_header	 header[BUS_HEADERS_MAX];
	size_t			 nheaders;
	uint64_t		 timeout_ms;
	bool			 gather;
	const char		*subject, *text;
	struct loop_timer	*patience;
	bool			 sent;
	size_t			 answers, errors;
};

static int
usage(void)
{
	fprintf(stderr, "usage: ask [-s url] [-u user] [-p file] [-t ms] [-g] subject [json] "
	    "[-H name:value ...]\n");
	return 2;
}

static void
print_answer(struct ask *a, const struct bus_msg *m)
{
	AUTO(json) cJSON *tree = NULL;
	struct bus_error e;
	size_t len;
	const char *data = bus_msg_data(m, &len);

	printf("%.*s\n", (int)len, data);
	fflush(stdout);
	a->answers++;
	if (bus_msg_json(m, &tree, &e) < 0)
		a->errors++;
}

static void
on_answer(void *arg, enum bus_result res, const struct bus_msg *m)
{
	struct ask *a = arg;

	if (res == BUS_OK)
		print_answer(a, m);
	else
		fprintf(stderr, "ask: %s: %s\n", a->subject, bus_result_text(res));
	loop_exit(a->loop, 0);
}

static bool
on_each(void *arg, const struct bus_msg *m)
{
	print_answer(arg, m);
	return false;
}

static void
on_end(void *arg, enum bus_result res)
{
	struct ask *a = arg;

	if (res != BUS_OK)
		fprintf(stderr, "ask: %s: %s\n", a->subject, bus_result_text(res));
	loop_exit(a->loop, 0);
}

static void
on_state(void *arg, bool up)
{
	struct ask *a = arg;
	const struct bus_ask ask = { .subject = a->subject, .headers = a->header,
		.nheaders = a->nheaders, .data = a->text, .len = strlen(a->text),
		.timeout_ms = a->timeout_ms };

	if (!up || a->sent)
		return;
	a->sent = true;
	loop_timer_off(a->patience);
	if ((a->gather ? bus_gather(a->bus, &ask, on_each, on_end, a) :
	    bus_ask(a->bus, &ask, on_answer, a)) == 0)
		loop_exit(a->loop, 0);
}

static void
on_patience(void *arg)
{
	struct ask *a = arg;

	fprintf(stderr, "ask: no connection to %s\n", a->url);
	loop_exit(a->loop, 0);
}

static bool
take_header(struct ask *a, char *text)
{
	char *colon = strchr(text, ':');

	if (!colon || a->nheaders == BUS_HEADERS_MAX)
		return false;
	*colon = '\0';
	a->header[a->nheaders++] = (struct bus_header){ text, colon + 1 };
	return true;
}

static bool
take_options(struct ask *a, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "gs:u:p:t:H:")) != -1) {
		if (c == 's')
			a->url = optarg;
		else if (c == 'u')
			a->user = optarg;
		else if (c == 'p')
			a->password_file = optarg;
		else if (c == 't')
			a->timeout_ms = strtoull(optarg, NULL, 10);
		else if (c == 'g')
			a->gather = true;
		else if (c != 'H' || !take_header(a, optarg))
			return false;
	}
	if (optind == argc || argc - optind > 2)
		return false;
	a->subject = argv[optind];
	a->text = optind + 1 < argc ? argv[optind + 1] : "{}";
	return true;
}

static int
run(struct ask *a)
{
	AUTO(buf) struct buf password = BUF_EMPTY(PASSWORD_MAX);
	int r = a->password_file ? file_read(a->password_file, &password) : 0;

	if (r == 0 && password.data)
		password.data[strcspn((char *)password.data, "\n")] = '\0';
	if (r == 0)
		r = loop_new(&a->loop);
	if (r == 0)
		r = bus_new(a->loop, &(const struct bus_conf){ .name = "ask", .url = a->url,
		    .user = a->user, .password = (const char *)password.data }, &a->bus);
	if (r == 0)
		r = loop_timer_new(a->loop, on_patience, a, &a->patience);
	if (r == 0) {
		loop_timer_in(a->patience, CONNECT_MS);
		r = bus_on_state(a->bus, on_state, a);
	}
	if (r == 0)
		r = loop_run(a->loop);
	if (r < 0)
		fprintf(stderr, "ask: %s\n", strerror(-r));
	loop_timer_free(a->patience);
	if (a->bus)
		bus_free(a->bus);
	loop_free(a->loop);
	return r;
}

int
main(int argc, char **argv)
{
	struct ask a = { .url = "nats://127.0.0.1:4222", .timeout_ms = 5000 };

	log_open("ask", 1);
	if (!take_options(&a, argc, argv))
		return usage();
	if (run(&a) < 0 || a.answers == 0)
		return EX_TEMPFAIL;
	return a.errors > 0;
}
