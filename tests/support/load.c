/*
 * load.c - a client that costs little: N connections repeat one signed request and time the
 * answers.  For benches of our own servers on loopback.
 *
 *	load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY
 *
 * Prints: answers a second, median and 99th percentile in microseconds, and the first answer
 * that was not 200, if any.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/sigv4.h"

#define ANSWER_MAX	(1u << 20)
#define TIMES_MAX	200000	/* a connection */
#define CONNECTIONS_MAX	256
#define SECONDS_MAX	60

struct conn {
	uint16_t	 port;
	const char	*request;
	size_t		 request_len;
	uint64_t	 end_us;
	uint32_t	*us;		/* each answer's time */
	size_t		 n;
	char		 bad[256];	/* the first status line that was not 200, or an errno */
};

static uint64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static int
dial(uint16_t port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		return -1;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* One whole answer into buf; its length, or -1. */
static ssize_t
read_answer(int fd, char *buf)
{
	size_t have = 0, want = 0;

	for (;;) {
		ssize_t n = read(fd, buf + have, ANSWER_MAX - have);

		if (n <= 0)
			return -1;
		have += (size_t)n;
		buf[have] = '\0';
		char *body = strstr(buf, "\r\n\r\n");
		char *length = strcasestr(buf, "\r\nContent-Length:");

		if (body && length && want == 0)
			want = (size_t)(body - buf) + 4 + strtoul(length + 17, NULL, 10);
		if (want && have >= want)
			return (ssize_t)have;
		if (have == ANSWER_MAX)
			return -1;
	}
}

static void *
run(void *arg)
{
	struct conn *c = arg;
	char *buf = malloc(ANSWER_MAX + 1);
	int fd = dial(c->port);

	while (buf && fd >= 0 && now_us() < c->end_us && c->n < TIMES_MAX) {
		uint64_t start = now_us();

		if (write(fd, c->request, c->request_len) != (ssize_t)c->request_len ||
		    read_answer(fd, buf) < 0) {
			snprintf(c->bad, sizeof(c->bad), "connection lost: %s", strerror(errno));
			break;
		}
		c->us[c->n++] = (uint32_t)(now_us() - start);
		if (strncmp(buf, "HTTP/1.1 200", 12) != 0 && !c->bad[0])
			snprintf(c->bad, sizeof(c->bad), "%.*s", (int)strcspn(buf, "\r\n"), buf);
	}
	if (fd < 0)
		snprintf(c->bad, sizeof(c->bad), "connect: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	free(buf);
	return NULL;
}

static int
make_request(char **argv, struct buf *ret)
{
	const char *body = argv[6];
	uint64_t wall_ms = clock_wall_ms(&clock_system);
	time_t t = (time_t)(wall_ms / 1000);
	struct tm tm;
	char date[17], host[32], hash[SIGV4_HEX + 1];
	struct buf auth = BUF_EMPTY(4096);

	gmtime_r(&t, &tm);
	strftime(date, sizeof(date), "%Y%m%dT%H%M%SZ", &tm);
	snprintf(host, sizeof(host), "127.0.0.1:%s", argv[1]);
	sigv4_sha256_hex(body, strlen(body), hash);
	const struct sigv4_header h[] = {
		{ "content-type", "application/x-www-form-urlencoded; charset=utf-8" },
		{ "host", host }, { "x-amz-content-sha256", hash }, { "x-amz-date", date },
	};
	const struct sigv4_request r = { .method = "POST", .path = "/", .query = "", .headers = h,
		.nheaders = ARRAY_LEN(h), .payload_sha256 = hash, .double_encode = true };
	int err = sigv4_sign(&r, argv[2], argv[3], "us-east-1", "ec2", wall_ms, &auth);

	if (err == 0)
		err = buf_printf(ret, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n"
		    "X-Amz-Content-Sha256: %s\r\nX-Amz-Date: %s\r\nAuthorization: %s\r\n"
		    "Content-Length: %zu\r\n\r\n%s", host, h[0].value, hash, date, buf_text(&auth),
		    strlen(body), body);
	buf_deinit(&auth);
	return err;
}

static int
by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int
report(const struct conn *c, size_t conns, double seconds)
{
	size_t n = 0;

	for (size_t i = 0; i < conns; i++)
		n += c[i].n;
	AUTO(mem) void *mem = malloc((n + 1) * sizeof(uint32_t));
	uint32_t *all = mem;

	if (!all)
		return 1;
	n = 0;
	for (size_t i = 0; i < conns; i++) {
		memcpy(all + n, c[i].us, c[i].n * sizeof(*all));
		n += c[i].n;
	}
	qsort(all, n, sizeof(*all), by_value);
	printf("answers_per_second %.0f\nmedian_us %u\np99_us %u\n", (double)n / seconds,
	    n ? all[n / 2] : 0, n ? all[n * 99 / 100] : 0);
	for (size_t i = 0; i < conns; i++)
		if (c[i].bad[0]) {
			printf("bad %s\n", c[i].bad);
			return 1;
		}
	return 0;
}

int
main(int argc, char **argv)
{
	static struct conn c[CONNECTIONS_MAX];
	pthread_t thread[CONNECTIONS_MAX];
	struct buf request = BUF_EMPTY(64 * 1024);

	if (argc != 7) {
		fprintf(stderr, "usage: load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY\n");
		return 2;
	}
	size_t conns = strtoul(argv[4], NULL, 10);
	uint64_t seconds = strtoul(argv[5], NULL, 10);

	if (conns < 1 || conns > CONNECTIONS_MAX || seconds < 1 || seconds > SECONDS_MAX) {
		fprintf(stderr, "load: expected 1 to %d connections and 1 to %d seconds\n",
		    CONNECTIONS_MAX, SECONDS_MAX);
		return 2;
	}
	if (make_request(argv, &request) < 0) {
		fprintf(stderr, "load: the request cannot be signed\n");
		return 1;
	}
	uint64_t start = now_us();

	for (size_t i = 0; i < conns; i++) {
		c[i] = (struct conn){ .port = (uint16_t)strtoul(argv[1], NULL, 10),
			.request = buf_text(&request), .request_len = request.len,
			.end_us = start + seconds * 1000000u,
			.us = malloc(TIMES_MAX * sizeof(uint32_t)) };
		if (!c[i].us || pthread_create(&thread[i], NULL, run, &c[i]) != 0) {
			fprintf(stderr, "load: no memory for a connection\n");
			return 1;
		}
	}
	for (size_t i = 0; i < conns; i++)
		pthread_join(thread[i], NULL);
	int r = report(c, conns, (double)(now_us() - start) / 1e6);

	for (size_t i = 0; i < conns; i++)
		free(c[i].us);
	buf_deinit(&request);
	return r;
}
