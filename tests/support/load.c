/*
 * load.c - a client that costs little: one thread, N connections that repeat one request, which
 * is signed beforehand, and time the answers.  For benches of our own servers on loopback.
 *
 *	load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY [RATE [BAD]]
 *
 * With a RATE above 0 that many requests fall due in a second, and a time counts from when its
 * request was due, also where all connections were busy then; else each connection asks as soon
 * as it was answered.  Each BADth request is malformed, by turns in one of four ways, and has to
 * be refused.
 *
 * Prints: answers and answers a second, median and 99th percentile in microseconds, the bytes of
 * the last good answer's body, and the first answer that was not as it should be, if any.
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

#define ANSWER_MAX	(33u << 20)	/* bytes; more than gwd answers with */
#define TIMES_MAX	(4u << 20)	/* all answers */
#define CONNECTIONS_MAX	256
#define SECONDS_MAX	60
#define PATIENCE_MS	10000		/* for any answer at all */
#define BAD_KINDS	4

struct conn {
	int		 fd;
	uint64_t	 since_us;	/* the request was sent, or due; 0: none is in flight */
	bool		 is_bad;	/* it was malformed */
	size_t		 have, want;	/* bytes of the answer; want 0: not known yet */
	char		*buf;
};
struct load {
	struct conn	 conn[CONNECTIONS_MAX];
	size_t		 conns;
	int		 epoll;
	struct buf	 request, bad_request[BAD_KINDS];
	uint64_t	 rate, every_bad;	/* 0: as it comes; none */
	uint64_t	 sent, start_us;
	uint16_t	 port;
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

/* When the next request is due; without a rate it is now. */
static uint64_t
due_us(const struct load *l)
{
	return l->rate ? l->start_us + l->sent * 1000000u / l->rate : now_us();
}

/* False: it failed. */
static bool
ask(struct load *l, struct conn *c)
{
	const struct buf *r = &l->request;

	c->have = c->want = 0;
	c->since_us = due_us(l);
	l->sent++;
	c->is_bad = l->every_bad && l->sent % l->every_bad == 0;
	if (c->is_bad)
		r = &l->bad_request[l->sent / l->every_bad % BAD_KINDS];
	errno = 0;
	if (write(c->fd, r->data, r->len) == (ssize_t)r->len)
		return true;
	fail(l, "write");
	return false;
}

/* With a rate the next request is sent by run, when it is due. */
static bool
ask_again(struct load *l, struct conn *c)
{
	c->since_us = 0;
	return l->rate ? true : ask(l, c);
}

/* A server may close the connection of what is no request.  False: it failed. */
static bool
redial(struct load *l, struct conn *c)
{
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };

	close(c->fd);
	c->fd = dial(l->port);
	if (c->fd >= 0 && epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &e) == 0)
		return true;
	fail(l, "connect");
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
	size_t bytes = strtoul(length + 17, NULL, 10);

	if (!c->is_bad)
		l->body_bytes = bytes;
	return (size_t)(body - c->buf) + 4 + bytes;
}

/* The whole answer is there: its time, and whether it is as it should be.  False: it failed. */
static bool
take_answer(struct load *l, struct conn *c)
{
	const bool is_good = strncmp(c->buf, "HTTP/1.1 200", 12) == 0;
	const bool is_refusal = strncmp(c->buf, "HTTP/1.1 4", 10) == 0;
	const bool closes = strcasestr(c->buf, "\r\nConnection: close") != NULL;

	if ((c->is_bad ? !is_refusal : !is_good) && !l->bad[0])
		snprintf(l->bad, sizeof(l->bad), "%.*s", (int)strcspn(c->buf, "\r\n"), c->buf);
	if (l->n < TIMES_MAX)
		l->us[l->n++] = (uint32_t)(now_us() - c->since_us);
	return (!closes || redial(l, c)) && ask_again(l, c);
}

/* False: it failed. */
static bool
take(struct load *l, struct conn *c)
{
	ssize_t n;

	errno = c->have == ANSWER_MAX ? EMSGSIZE : 0;
	n = read(c->fd, c->buf + c->have, ANSWER_MAX - c->have);
	if (n <= 0) {
		fail(l, "read");
		return false;
	}
	c->have += (size_t)n;
	if (c->want == 0)
		c->want = answer_len(l, c);
	return c->want == 0 || c->have < c->want || take_answer(l, c);
}

static bool
open_all(struct load *l)
{
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->us = malloc(TIMES_MAX * sizeof(*l->us));
	for (size_t i = 0; i < l->conns; i++) {
		struct conn *c = &l->conn[i];
		struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };

		c->fd = dial(l->port);
		c->buf = malloc(ANSWER_MAX + 1);
		if (c->fd < 0 || !c->buf || !l->us ||
		    epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &e) < 0 || !ask_again(l, c)) {
			fail(l, "connect");
			return false;
		}
	}
	return true;
}

/* Sends what is due on what is idle.  False: it failed. */
static bool
send_due(struct load *l)
{
	for (size_t i = 0; l->rate && i < l->conns && due_us(l) <= now_us(); i++)
		if (l->conn[i].since_us == 0 && !ask(l, &l->conn[i]))
			return false;
	return true;
}

static bool
is_waiting(const struct load *l)
{
	for (size_t i = 0; i < l->conns; i++)
		if (l->conn[i].since_us != 0)
			return true;
	return false;
}

/* Until something is to be read or sent. */
static struct timespec
patience(const struct load *l)
{
	const uint64_t due = due_us(l), now = now_us();
	const uint64_t us = !l->rate ? PATIENCE_MS * 1000u : due > now ? due - now : 1000u;

	return (struct timespec){ (time_t)(us / 1000000u), (long)(us % 1000000u) * 1000 };
}

static void
run(struct load *l, uint64_t end_us)
{
	struct epoll_event e[64];
	uint64_t heard = now_us();

	while (now_us() < end_us && send_due(l)) {
		const struct timespec t = patience(l);
		int n = epoll_pwait2(l->epoll, e, ARRAY_LEN(e), &t, NULL);

		if (n > 0 || !is_waiting(l))
			heard = now_us();
		if (now_us() - heard > PATIENCE_MS * 1000u) {
			snprintf(l->bad, sizeof(l->bad), "no answer in %d ms", PATIENCE_MS);
			return;
		}
		for (int i = 0; i < n; i++)
			if (!take(l, e[i].data.ptr))
				return;
	}
}

static int
make_request(char **argv, const char *body, struct buf *ret)
{
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

/* What a scanner, a broken client and somebody with another's key send. */
static int
make_bad_requests(char **argv, struct load *l)
{
	AUTO(str) char *escape = NULL, *unknown = NULL;
	char *signature;
	int r = 0;

	for (size_t i = 0; i < BAD_KINDS; i++)
		l->bad_request[i] = BUF_EMPTY(64 * 1024);
	if (asprintf(&escape, "%s&Filter.1.Name=%%zz", argv[6]) < 0 ||
	    asprintf(&unknown, "%s&Colour=red", argv[6]) < 0)
		return -ENOMEM;
	r = make_request(argv, escape, &l->bad_request[0]);
	if (r == 0)
		r = make_request(argv, unknown, &l->bad_request[1]);
	if (r == 0)
		r = make_request(argv, argv[6], &l->bad_request[2]);
	if (r == 0)
		r = buf_printf(&l->bad_request[3], "GET /%%00 HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n");
	if (r < 0)
		return r;
	signature = strstr(buf_text(&l->bad_request[2]), "Signature=");
	memset(signature + strlen("Signature="), 'f', SIGV4_HEX);
	return 0;
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
	printf("answers %zu\nanswers_per_second %.0f\nmedian_us %u\np99_us %u\nbody_bytes %zu\n",
	    n, (double)n / seconds, n ? l->us[n / 2] : 0, n ? l->us[n * 99 / 100] : 0,
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

	if (argc < 7 || argc > 9) {
		fprintf(stderr, "usage: load PORT ACCESS_KEY SECRET CONNECTIONS SECONDS BODY "
		    "[RATE [BAD]]\n");
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
	l.port = (uint16_t)strtoul(argv[1], NULL, 10);
	l.rate = argc > 7 ? strtoul(argv[7], NULL, 10) : 0;
	l.every_bad = argc > 8 ? strtoul(argv[8], NULL, 10) : 0;
	if (make_request(argv, argv[6], &l.request) < 0 || make_bad_requests(argv, &l) < 0) {
		fprintf(stderr, "load: the request cannot be signed\n");
		return 1;
	}
	start = l.start_us = now_us();
	if (open_all(&l))
		run(&l, start + seconds * 1000000u);
	return report(&l, (double)(now_us() - start) / 1e6);
}
