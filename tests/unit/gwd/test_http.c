#include "gwd/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/unit/unit.h"

#define WAIT_MS		5000	/* nothing here takes that long */
#define REQUEST_MS	3000	/* what a request may take to come in */

/* What the handler is to do with a request, and what it saw. */
struct server {
	struct loop		*loop;
	struct http		*http;
	uint16_t		 port;
	bool			 later;		/* the handler keeps the exchange */
	struct http_exchange	*kept;
	unsigned		 handled, gone;
	char			 method[16], path[256], query[256], header[256];
	struct buf		 body;
};
static struct server *s;		/* the fixture */

static void
reply(struct http_exchange *x, const char *text)
{
	struct buf body = BUF_EMPTY(1024);

	ck_assert_int_eq(buf_add_str(&body, text), 0);
	http_reply_header(x, "X-Test", "yes");
	http_reply(x, 200, "text/plain", &body, false);
	ck_assert_uint_eq(body.len, 0);
}

static void
on_gone(void *arg)
{
	s->gone++;
	s->kept = NULL;
}

static void
handle(void *arg, struct http_exchange *x, const struct http_request *r)
{
	s->handled++;
	(void)snprintf(s->method, sizeof(s->method), "%s", r->method);
	(void)snprintf(s->path, sizeof(s->path), "%s", r->path);
	(void)snprintf(s->query, sizeof(s->query), "%s", r->query);
	ck_assert_str_eq(r->peer, "127.0.0.1");
	for (size_t i = 0; i < r->nheaders; i++)
		if (!strcmp(r->headers[i].name, "X-Note"))
			(void)snprintf(s->header, sizeof(s->header), "%s", r->headers[i].value);
	buf_deinit(&s->body);
	ck_assert_int_eq(buf_add(&s->body, r->body, r->body_len), 0);
	ck_assert_int_eq(r->body[r->body_len], 0);
	http_on_gone(x, on_gone, s);
	s->kept = x;
	if (!s->later)
		reply(x, "hello");
}

static void
refuse(void *arg, unsigned status, const char *message, struct buf *ret)
{
	ck_assert_int_eq(buf_printf(ret, "<refused>%u</refused>", status), 0);
}

static void
setup(void)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);
	struct http_conf conf = { .handle = handle, .refuse = refuse, .request_ms = REQUEST_MS };

	s = calloc(1, sizeof(*s));
	ck_assert_ptr_nonnull(s);
	s->body = BUF_EMPTY(HTTP_BODY_MAX);
	conf.arg = s;
	ck_assert_int_eq(loop_new(&s->loop), 0);
	conf.listen_fd = http_listen("127.0.0.1:0");
	ck_assert_int_ge(conf.listen_fd, 0);
	ck_assert_int_eq(getsockname(conf.listen_fd, (struct sockaddr *)&a, &len), 0);
	s->port = ntohs(a.sin_port);
	ck_assert_int_eq(http_new(s->loop, &conf, &s->http), 0);
	ck_assert_int_eq(http_admit(s->http), 0);
}

static void
teardown(void)
{
	http_free(s->http);
	loop_free(s->loop);
	buf_deinit(&s->body);
	free(s);
}

static int
dial(void)
{
	const struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(s->port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert(connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0 || errno == EINPROGRESS);
	return fd;
}

static void
step(void)
{
	ck_assert_int_ge(loop_step(s->loop, 1), 0);
}

/* Sends n bytes, piece bytes at a time; stops early when the server has closed. */
static void
send_text(int fd, const void *data, size_t n, size_t piece)
{
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	const char *p = data;

	while (n && loop_now_ms(s->loop) < until) {
		const ssize_t w = send(fd, p, n < piece ? n : piece, MSG_NOSIGNAL);

		if (w < 0 && errno != EAGAIN && errno != ENOTCONN)
			return;
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		}
		step();
	}
}

/* Reads until a whole reply is there, or the server closes.  True: closed. */
static bool
receive(int fd, struct buf *ret)
{
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	char text[4096];

	while (loop_now_ms(s->loop) < until) {
		const ssize_t n = recv(fd, text, sizeof(text), 0);

		if (n == 0 || (n < 0 && errno != EAGAIN))
			return true;
		if (n > 0) {
			ck_assert_int_eq(buf_add(ret, text, (size_t)n), 0);
			if (strstr(buf_text(ret), "hello") || strstr(buf_text(ret), "</refused>"))
				return false;
		}
		step();
	}
	return false;
}

/* One request on a connection of its own; its reply, or "" for a close without one. */
static char *
talk(const char *request, size_t piece)
{
	AUTO(fd) int fd = dial();
	AUTO(buf) struct buf got = BUF_EMPTY(65536);

	send_text(fd, request, strlen(request), piece);
	receive(fd, &got);
	return got.len ? buf_take(&got) : strdup("");
}

#define HOST	"Host: h\r\n"

START_TEST(a_request_is_handed_over_as_it_was_sent)
{
	AUTO(str) char *got = talk("POST /a%2fb/../c?x=%41+y&z HTTP/1.1\r\n" HOST "X-Note:  a  b \r\n"
	    "Content-Length: 5\r\n\r\nb%64y", 10000);

	ck_assert_ptr_nonnull(strstr(got, "HTTP/1.1 200 OK\r\n"));
	ck_assert_ptr_nonnull(strstr(got, "X-Test: yes\r\n"));
	ck_assert_ptr_nonnull(strstr(got, "\r\n\r\nhello"));
	ck_assert_str_eq(s->method, "POST");
	ck_assert_str_eq(s->path, "/a%2fb/../c");
	ck_assert_str_eq(s->query, "x=%41+y&z");
	ck_assert_str_eq(buf_text(&s->body), "b%64y");
	ck_assert_ptr_nonnull(strstr(s->header, "a  b"));
}
END_TEST

START_TEST(a_request_may_come_one_byte_at_a_time)
{
	AUTO(str) char *got = talk("POST / HTTP/1.1\r\n" HOST "Content-Length: 11\r\n\r\nhello world", 1);

	ck_assert_ptr_nonnull(strstr(got, "200 OK"));
	ck_assert_str_eq(buf_text(&s->body), "hello world");
	ck_assert_uint_eq(s->handled, 1);
}
END_TEST

START_TEST(a_chunked_body_is_put_together)
{
	AUTO(str) char *got = talk("POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"
	    "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", 3);

	ck_assert_ptr_nonnull(strstr(got, "200 OK"));
	ck_assert_str_eq(buf_text(&s->body), "hello world");
}
END_TEST

START_TEST(a_connection_is_kept_for_the_next_request)
{
	static const char request[] = "GET /1 HTTP/1.1\r\n" HOST "\r\n";
	AUTO(fd) int fd = dial();

	for (unsigned i = 1; i <= 3; i++) {
		AUTO(buf) struct buf got = BUF_EMPTY(65536);

		send_text(fd, request, sizeof(request) - 1, 1000);
		ck_assert(!receive(fd, &got));
		ck_assert_uint_eq(s->handled, i);
	}
	ck_assert_uint_eq(http_connections(s->http), 1);
}
END_TEST

START_TEST(requests_sent_at_once_are_answered_in_turn)
{
	static const char request[] = "GET /1 HTTP/1.1\r\n" HOST "\r\nGET /2 HTTP/1.1\r\n" HOST "\r\n"
	    "GET /3 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n";
	AUTO(fd) int fd = dial();
	AUTO(buf) struct buf got = BUF_EMPTY(65536);
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;

	send_text(fd, request, sizeof(request) - 1, 10000);
	while (!receive(fd, &got) && loop_now_ms(s->loop) < until)
		;
	ck_assert_uint_eq(s->handled, 3);
	ck_assert_str_eq(s->path, "/3");
}
END_TEST

START_TEST(an_answer_may_come_later)
{
	static const char request[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
	AUTO(fd) int fd = dial();
	AUTO(buf) struct buf got = BUF_EMPTY(65536);
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;

	s->later = true;
	send_text(fd, request, sizeof(request) - 1, 1000);
	while (!s->kept && loop_now_ms(s->loop) < until)
		step();
	ck_assert_ptr_nonnull(s->kept);
	reply(s->kept, "hello");
	ck_assert(!receive(fd, &got));
	ck_assert_ptr_nonnull(strstr(buf_text(&got), "200 OK"));
	ck_assert_uint_eq(s->gone, 0);
}
END_TEST

START_TEST(a_client_that_half_closes_still_gets_its_answer)
{
	static const char request[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
	AUTO(fd) int fd = dial();
	AUTO(buf) struct buf got = BUF_EMPTY(65536);
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;

	s->later = true;
	send_text(fd, request, sizeof(request) - 1, 1000);
	ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
	while (!s->kept && loop_now_ms(s->loop) < until)
		step();
	for (int i = 0; i < 20; i++)
		step();
	ck_assert_ptr_nonnull(s->kept);
	reply(s->kept, "hello");
	receive(fd, &got);
	ck_assert_ptr_nonnull(strstr(buf_text(&got), "hello"));
}
END_TEST

START_TEST(a_client_that_goes_away_is_told_to_the_handler_once)
{
	static const char request[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
	const struct linger hard = { .l_onoff = 1, .l_linger = 0 };
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	int fd = dial();

	s->later = true;
	send_text(fd, request, sizeof(request) - 1, 1000);
	while (!s->kept && loop_now_ms(s->loop) < until)
		step();
	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard)), 0);
	close(fd);
	while (!s->gone && loop_now_ms(s->loop) < until)
		step();
	ck_assert_uint_eq(s->gone, 1);
	while (http_connections(s->http) && loop_now_ms(s->loop) < until)
		step();
	ck_assert_uint_eq(http_connections(s->http), 0);
}
END_TEST

START_TEST(stopping_ends_what_is_open)
{
	static const char request[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	AUTO(fd) int fd = dial();

	s->later = true;
	send_text(fd, request, sizeof(request) - 1, 1000);
	while (!s->kept && loop_now_ms(s->loop) < until)
		step();
	http_free(s->http);
	s->http = NULL;
	ck_assert_uint_eq(s->gone, 1);
}
END_TEST

struct refused {
	const char	*request, *status;
};
static const struct refused refused[] = {
	{ "POST / HTTP/1.1\r\n" HOST HOST "\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "X-Amz-Date: a\r\nx-amz-date: b\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Authorization: a\r\nAuthorization: a\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
	  "1\r\na\r\n0\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: identity\r\n\r\nabc", "<refused>400" },
	/* Names in which a proxy may read another one than we. */
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length : 5\r\n\r\nhello", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length\t: 5\r\n\r\nhello", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "X/Y: 5\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
	  "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: 10485761\r\n\r\n", "<refused>413" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999\r\n\r\n", "<refused>413" },
};

START_TEST(a_request_out_of_bounds_is_refused_in_our_words)
{
	AUTO(str) char *got = talk(refused[_i].request, 10000);

	ck_assert_msg(strstr(got, refused[_i].status) != NULL, "%s", got);
	ck_assert_ptr_nonnull(strstr(got, "Connection: close"));
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

/* These are the library's own to refuse, but not with its pages of HTML. */
static const struct refused unread[] = {
	{ "GET /\r\n\r\n", "<refused>400" },
	{ "GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", "<refused>400" },
	{ "GET / HTTP/2.0\r\n" HOST "\r\n", "<refused>505" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: 1x\r\n\r\n", "<refused>400" },
	{ "POST / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999999\r\n\r\n",
	  "<refused>413" },
	{ "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "<refused>400" },
};

START_TEST(what_the_library_cannot_read_is_refused_in_our_words)
{
	AUTO(str) char *got = talk(unread[_i].request, 10000);

	ck_assert_msg(strstr(got, unread[_i].status) != NULL, "%s", got);
	ck_assert_ptr_nonnull(strstr(got, "Connection: close"));
	ck_assert_ptr_nonnull(strstr(got, "Content-Type: text/xml"));
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

/* Libraries differ in what they make of a line that goes on in the next. */
static const char *const folded[] = {
	"Content-Length:\r\n 5\r\n", "Content-Length: \r\n\t5\r\nX-Note: a\r\n",
	"Content-Length: 5\r\nX-Note:\r\n other\r\n", "Content-Length: 5\r\nX-No: b\r\n te\r\n",
};

START_TEST(a_header_over_two_lines_is_refused_or_read_as_one_value)
{
	AUTO(buf) struct buf request = BUF_EMPTY(1024);

	ck_assert_int_eq(buf_printf(&request, "POST / HTTP/1.1\r\n" HOST "%s\r\nabcde", folded[_i]), 0);
	AUTO(str) char *got = talk(buf_text(&request), 10000);
	if (strstr(got, "<refused>400")) {
		ck_assert_ptr_nonnull(strstr(got, "Connection: close"));
		ck_assert_uint_eq(s->handled, 0);
	} else {
		ck_assert_str_eq(buf_text(&s->body), "abcde");
		ck_assert_str_eq(s->header, _i == 1 ? "a" : _i == 2 ? "other" : "");
	}
}
END_TEST

START_TEST(a_head_without_end_is_refused_in_our_words)
{
	AUTO(buf) struct buf request = BUF_EMPTY(1 << 20);

	ck_assert_int_eq(buf_add_str(&request, "GET / HTTP/1.1\r\n" HOST "X-Large: "), 0);
	for (size_t i = 0; i < 16 * HTTP_HEADER_MAX; i++)
		ck_assert_int_eq(buf_add_str(&request, "a"), 0);
	AUTO(str) char *got = talk(buf_text(&request), 100000);
	ck_assert_msg(strstr(got, "<refused>431") != NULL, "%s", got);
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

/* That nobody crashes and nobody is asked. */
static const char *const garbage[] = {
	"\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00", "GET /",
	"POST / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n",
	"POST / HTTP/1.1\r\n" HOST "Content-Length: 1x\r\n\r\n",
	"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
	"GET / HTTP/1.1\r\nHost: h\r\nX",
};

START_TEST(garbage_reaches_no_handler)
{
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	const int fd = dial();

	send_text(fd, garbage[_i], strlen(garbage[_i]), 10000);
	for (int i = 0; i < 20; i++)
		step();
	close(fd);
	while (http_connections(s->http) && loop_now_ms(s->loop) < until)
		step();
	ck_assert_uint_eq(http_connections(s->http), 0);
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

START_TEST(too_many_headers_are_refused)
{
	AUTO(buf) struct buf request = BUF_EMPTY(65536);

	ck_assert_int_eq(buf_add_str(&request, "GET / HTTP/1.1\r\n" HOST), 0);
	for (int i = 0; i < HTTP_HEADERS_MAX; i++)
		ck_assert_int_eq(buf_printf(&request, "X-H%d: v\r\n", i), 0);
	ck_assert_int_eq(buf_add_str(&request, "\r\n"), 0);
	AUTO(str) char *got = talk(buf_text(&request), 100000);
	ck_assert_msg(strstr(got, "<refused>431") != NULL, "%s", got);
}
END_TEST

START_TEST(headers_that_are_too_large_are_refused)
{
	AUTO(buf) struct buf request = BUF_EMPTY(65536);

	ck_assert_int_eq(buf_add_str(&request, "GET / HTTP/1.1\r\n" HOST "X-Large: "), 0);
	for (size_t i = 0; i < HTTP_HEADER_MAX; i++)
		ck_assert_int_eq(buf_add_str(&request, "a"), 0);
	ck_assert_int_eq(buf_add_str(&request, "\r\n\r\n"), 0);
	AUTO(str) char *got = talk(buf_text(&request), 100000);
	ck_assert_msg(strstr(got, "<refused>431") != NULL, "%s", got);
}
END_TEST

/* As libcloud and presigned URLs send a long list of ids. */
START_TEST(a_url_may_have_six_hundred_parameters)
{
	AUTO(buf) struct buf request = BUF_EMPTY(65536);

	ck_assert_int_eq(buf_add_str(&request, "GET /?"), 0);
	for (int i = 0; i < 600; i++)
		ck_assert_int_eq(buf_printf(&request, "InstanceId.%d=i-0123456&", i), 0);
	ck_assert_int_eq(buf_add_str(&request, " HTTP/1.1\r\n" HOST "\r\n"), 0);
	AUTO(str) char *got = talk(buf_text(&request), 100000);
	ck_assert_msg(strstr(got, "200 OK") != NULL, "%s", got);
	ck_assert_uint_eq(s->handled, 1);
}
END_TEST

START_TEST(a_chunked_body_has_the_same_ceiling)
{
	static const char head[] = "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n";
	AUTO(fd) int fd = dial();
	AUTO(buf) struct buf got = BUF_EMPTY(65536);
	AUTO(mem) void *mem = calloc(1, 1 << 20);
	const uint64_t until = loop_now_ms(s->loop) + 6 * WAIT_MS;

	ck_assert_ptr_nonnull(mem);
	send_text(fd, head, sizeof(head) - 1, 1000);
	for (int i = 0; i < 11; i++) {
		send_text(fd, "100000\r\n", 8, 8);
		send_text(fd, mem, 1 << 20, 1 << 20);
		send_text(fd, "\r\n", 2, 2);
	}
	send_text(fd, "0\r\n\r\n", 5, 5);
	while (!receive(fd, &got) && !got.len && loop_now_ms(s->loop) < until)
		;
	ck_assert_ptr_nonnull(strstr(buf_text(&got), "<refused>413"));
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

START_TEST(an_endless_chunked_body_is_cut_off)
{
	static const char head[] = "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n";
	AUTO(fd) int fd = dial();
	AUTO(mem) void *mem = calloc(1, 1 << 20);
	int sent = 0;

	send_text(fd, head, sizeof(head) - 1, 1000);
	for (; sent < 64 && http_connections(s->http); sent++) {
		send_text(fd, "100000\r\n", 8, 8);
		send_text(fd, mem, 1 << 20, 1 << 20);
		send_text(fd, "\r\n", 2, 2);
	}
	ck_assert_int_lt(sent, 32);
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

START_TEST(one_address_has_a_share_of_the_connections)
{
	int fd[HTTP_PER_ADDRESS_MAX + 8];
	const uint64_t until = loop_now_ms(s->loop) + WAIT_MS;
	size_t closed = 0;

	for (size_t i = 0; i < ARRAY_LEN(fd); i++) {
		fd[i] = dial();
		step();
	}
	while (closed < 8 && loop_now_ms(s->loop) < until) {
		char c;

		step();
		closed = 0;
		for (size_t i = 0; i < ARRAY_LEN(fd); i++)
			closed += recv(fd[i], &c, 1, MSG_PEEK) == 0 || errno == ECONNRESET;
	}
	ck_assert_uint_eq(closed, 8);
	ck_assert_uint_eq(http_connections(s->http), HTTP_PER_ADDRESS_MAX);
	for (size_t i = 0; i < ARRAY_LEN(fd); i++)
		close(fd[i]);
}
END_TEST

START_TEST(a_request_that_drips_in_for_ever_is_cut_off)
{
	static const char head[] = "POST / HTTP/1.1\r\n" HOST "X-A: ";
	const uint64_t start_ms = loop_now_ms(s->loop);
	AUTO(fd) int fd = dial();

	/* Never silent, never done. */
	send_text(fd, head, sizeof(head) - 1, 1000);
	while ((http_connections(s->http) || loop_now_ms(s->loop) < start_ms + 100) &&
	    loop_now_ms(s->loop) < start_ms + 3 * REQUEST_MS) {
		send_text(fd, "a", 1, 1);
		step();
	}
	ck_assert_uint_eq(http_connections(s->http), 0);
	ck_assert_uint_ge(loop_now_ms(s->loop), start_ms + REQUEST_MS);
	ck_assert_uint_eq(s->handled, 0);
}
END_TEST

START_TEST(an_address_is_numbers_and_a_port)
{
	ck_assert_int_eq(http_is_loopback("127.0.0.1:8443"), 1);
	ck_assert_int_eq(http_is_loopback("127.9.9.9:0"), 1);
	ck_assert_int_eq(http_is_loopback("[::1]:8443"), 1);
	ck_assert_int_eq(http_is_loopback("0.0.0.0:8443"), 0);
	ck_assert_int_eq(http_is_loopback("[::]:1"), 0);
	ck_assert_int_eq(http_is_loopback("10.0.0.1:65535"), 0);
	ck_assert_int_eq(http_is_loopback("10.0.0.1:65536"), -EINVAL);
	ck_assert_int_eq(http_is_loopback("localhost:8443"), -EINVAL);
	ck_assert_int_eq(http_is_loopback("127.0.0.1"), -EINVAL);
	ck_assert_int_eq(http_is_loopback("127.0.0.1:"), -EINVAL);
	ck_assert_int_eq(http_is_loopback(":8443"), -EINVAL);
	ck_assert_int_eq(http_is_loopback("::1:8443"), -EINVAL);
	ck_assert_int_eq(http_is_loopback("[127.0.0.1]:1"), -EINVAL);
	ck_assert_int_eq(http_is_loopback(""), -EINVAL);
	ck_assert_int_eq(http_listen("nowhere"), -EINVAL);
}
END_TEST

START_TEST(an_address_that_is_not_here_yet_is_listened_at)
{
	static const char *const absent[] = { "203.0.113.77:0", "[2001:db8::77]:0" };

	ck_assert(http_is_here("127.0.0.1:8443"));
	for (size_t i = 0; i < ARRAY_LEN(absent); i++) {
		AUTO(fd) int fd = http_listen(absent[i]);

		ck_assert_int_ge(fd, 0);
		ck_assert(!http_is_here(absent[i]));
	}
}
END_TEST

START_TEST(a_taken_port_is_said)
{
	char address[32];

	(void)snprintf(address, sizeof(address), "127.0.0.1:%u", s->port);
	ck_assert_int_eq(http_listen(address), -EADDRINUSE);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("http");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_request_is_handed_over_as_it_was_sent);
	tcase_add_test(tc, a_request_may_come_one_byte_at_a_time);
	tcase_add_test(tc, a_chunked_body_is_put_together);
	tcase_add_test(tc, a_connection_is_kept_for_the_next_request);
	tcase_add_test(tc, requests_sent_at_once_are_answered_in_turn);
	tcase_add_test(tc, an_answer_may_come_later);
	tcase_add_test(tc, a_client_that_half_closes_still_gets_its_answer);
	tcase_add_test(tc, a_client_that_goes_away_is_told_to_the_handler_once);
	tcase_add_test(tc, stopping_ends_what_is_open);
	tcase_add_loop_test(tc, a_request_out_of_bounds_is_refused_in_our_words, 0,
	    (int)ARRAY_LEN(refused));
	tcase_add_loop_test(tc, garbage_reaches_no_handler, 0, (int)ARRAY_LEN(garbage));
	tcase_add_loop_test(tc, what_the_library_cannot_read_is_refused_in_our_words, 0,
	    (int)ARRAY_LEN(unread));
	tcase_add_loop_test(tc, a_header_over_two_lines_is_refused_or_read_as_one_value, 0,
	    (int)ARRAY_LEN(folded));
	tcase_add_test(tc, a_head_without_end_is_refused_in_our_words);
	tcase_add_test(tc, too_many_headers_are_refused);
	tcase_add_test(tc, headers_that_are_too_large_are_refused);
	tcase_add_test(tc, a_url_may_have_six_hundred_parameters);
	tcase_add_test(tc, a_chunked_body_has_the_same_ceiling);
	tcase_add_test(tc, an_endless_chunked_body_is_cut_off);
	tcase_add_test(tc, one_address_has_a_share_of_the_connections);
	tcase_add_test(tc, a_request_that_drips_in_for_ever_is_cut_off);
	tcase_add_test(tc, an_address_is_numbers_and_a_port);
	tcase_add_test(tc, an_address_that_is_not_here_yet_is_listened_at);
	tcase_add_test(tc, a_taken_port_is_said);
	return unit_run("http", tc);
}
