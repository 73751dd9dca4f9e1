/*
 * load.c - a client that costs little: one thread, N connections that repeat one request, which
 * is signed beforehand, and time the answers.  For benches of our own servers on loopback.
 *
 *	load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY
 *
 * Prints: answers a second, median and 99th percentile in microseconds, the bytes of the last
 * answer's body, and the first answer that was not 200, if any.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/sigv4.h"

#define ANSWER_MAX	(1u << 20)
#define TIMES_MAX	(4u << 20)	/* all answers */
#define CONNECTIONS_MAX	256
#define SECONDS_MAX	60
#define PATIENCE_MS	10000		/* for any answer at all */

struct conn {
	int		 fd;
	uint64_t	 since_us;	/* the request was sent */
	size_t		 have, want;	/* bytes of the answer; want 0: not known yet */
	char		*buf;
};
struct load {
	struct conn	 conn[CONNECTIONS_MAX];
	size_t		 conns;
	int		 epoll;
	struct buf	 request;
	uint32_t	*us;		/* each answer's time */
	size_t		 n;
	size_t		 body_bytes;	/* of the last answer */
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

static void
fail(struct load *l, const char *what)
{
	if (!l->bad[0])
		snprintf(l->bad, sizeof(l->bad), "%s: %s", what,
		    errno ? strerror(errno) : "closed by the server");
}

/* False: it failed. */
static bool
ask(struct load *l, struct conn *c)
{
	c->have = c->want = 0;
	c->since_us = now_us();
	errno = 0;
	if (write(c->fd, l->request.data, l->request.len) == (ssize_t)l->request.len)
		return true;
	fail(l, "write");
	return false;
}

/* The length of the whole answer, once its head is there; else 0. */
static size_t
answer_len(struct load *l, struct conn *c)
{
	char *body, *length;

	c->buf[c->have] = '\0';
	body = strstr(c->buf, "\r\n\r\n");
	length = body ? strcasestr(c->buf, "\r\nContent-Length:") : NULL;
	if (!length)
		return 0;
	l->body_bytes = strtoul(length + 17, NULL, 10);
	return (size_t)(body - c->buf) + 4 + l->body_bytes;
}

/* False: it failed. */
static bool
take(struct load *l, struct conn *c)
{
	ssize_t n;

	errno = 0;
	n = read(c->fd, c->buf + c->have, ANSWER_MAX - c->have);
	if (n <= 0) {
		fail(l, "read");
		return false;
	}
	c->have += (size_t)n;
	if (c->want == 0)
		c->want = answer_len(l, c);
	if (c->want == 0 || c->have < c->want)
		return true;
	if (strncmp(c->buf, "HTTP/1.1 200", 12) != 0 && !l->bad[0])
		snprintf(l->bad, sizeof(l->bad), "%.*s", (int)strcspn(c->buf, "\r\n"), c->buf);
	if (l->n < TIMES_MAX)
		l->us[l->n++] = (uint32_t)(now_us() - c->since_us);
	return ask(l, c);
}

static bool
open_all(struct load *l, uint16_t port)
{
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->us = malloc(TIMES_MAX * sizeof(*l->us));
	for (size_t i = 0; i < l->conns; i++) {
		struct conn *c = &l->conn[i];
		struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };

		c->fd = dial(port);
		c->buf = malloc(ANSWER_MAX + 1);
		if (c->fd < 0 || !c->buf || !l->us ||
		    epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &e) < 0 || !ask(l, c)) {
			fail(l, "connect");
			return false;
		}
	}
	return true;
}

static void
run(struct load *l, uint64_t end_us)
{
	struct epoll_event e[64];

	while (now_us() < end_us) {
		int n = epoll_wait(l->epoll, e, ARRAY_LEN(e), PATIENCE_MS);

		if (n == 0) {
			snprintf(l->bad, sizeof(l->bad), "no answer in %d ms", PATIENCE_MS);
			return;
		}
		for (int i = 0; i < n; i++)
			if (!take(l, e[i].data.ptr))
				return;
	}
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
report(struct load *l, double seconds)
{
	const size_t n = l->n;

	if (n > 0)
		qsort(l->us, n, sizeof(*l->us), by_value);
	printf("answers_per_second %.0f\nmedian_us %u\np99_us %u\nbody_bytes %zu\n",
	    (double)n / seconds, n ? l->us[n / 2] : 0, n ? l->us[n * 99 / 100] : 0,
	    l->body_bytes);
	if (l->bad[0])
		printf("bad %s\n", l->bad);
	return l->bad[0] ? 1 : 0;
}

int
main(int argc, char **argv)
{
	static struct load l;
	uint64_t seconds, start;

	if (argc != 7) {
		fprintf(stderr, "usage: load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY\n");
		return 2;
	}
	l.conns = strtoul(argv[4], NULL, 10);
	seconds = strtoul(argv[5], NULL, 10);
	if (l.conns < 1 || l.conns > CONNECTIONS_MAX || seconds < 1 || seconds > SECONDS_MAX) {
		fprintf(stderr, "load: expected 1 to %d connections and 1 to %d seconds\n",
		    CONNECTIONS_MAX, SECONDS_MAX);
		return 2;
	}
	l.request = BUF_EMPTY(64 * 1024);
	if (make_request(argv, &l.request) < 0) {
		fprintf(stderr, "load: the request cannot be signed\n");
		return 1;
	}
	start = now_us();
	if (open_all(&l, (uint16_t)strtoul(argv[1], NULL, 10)))
		run(&l, start + seconds * 1000000u);
	return report(&l, (double)(now_us() - start) / 1e6);
}
