/*
 * bare.c - what gwd is measured beside: libmicrohttpd alone, which checks SigV4 as gwd does and
 * answers every request with the same document.
 *
 *	bare ACCESS_KEY SECRET BYTES
 *
 * Prints its port on 127.0.0.1 and serves an XML document of BYTES bytes until its standard
 * input ends; then the mean time that checking a request took, in nanoseconds.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/sigv4.h"

#define BODY_MAX	(64 * 1024)
#define HEADERS_MAX	64
#define BYTES_MAX	(1024 * 1024)
#define REGION		"us-east-1"
#define SERVICE		"ec2"

struct bare {
	const char	*access_key, *secret;
	struct buf	 document;
	char		 date[9];	/* of key */
	uint8_t		 key[32];	/* made once a day, as gwd keeps it */
	uint64_t	 checked, check_ns;	/* how many, and all their time */
};
struct request {
	struct buf		 body;
	struct sigv4_header	 header[HEADERS_MAX];
	size_t			 nheaders;
};

static enum MHD_Result
on_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct request *q = arg;

	if (q->nheaders == HEADERS_MAX)
		return MHD_NO;
	q->header[q->nheaders++] = (struct sigv4_header){ name, value ? value : "" };
	return MHD_YES;
}

static bool
is_signed(struct bare *b, const struct request *q, const char *method)
{
	char hash[SIGV4_HEX + 1], why[200];
	const struct sigv4_request r = { .method = method, .path = "/", .query = "",
		.headers = q->header, .nheaders = q->nheaders, .payload_sha256 = hash,
		.double_encode = true };
	struct sigv4_claim claim;

	sigv4_sha256_hex(q->body.data, q->body.len, hash);
	if (sigv4_claim_read(&r, clock_wall_ms(&clock_system), &claim, why, sizeof(why)) !=
	    SIGV4_OK || strcmp(claim.access_key, b->access_key) != 0)
		return false;
	if (strcmp(b->date, claim.date) != 0) {
		if (sigv4_signing_key(b->secret, claim.date, REGION, SERVICE, b->key) < 0)
			return false;
		memcpy(b->date, claim.date, sizeof(b->date));
	}
	return sigv4_verify(&r, &claim, b->key) == SIGV4_OK;
}

static bool
is_signed_timed(struct bare *b, const struct request *q, const char *method)
{
	struct timespec t[2];
	bool ok;

	clock_gettime(CLOCK_MONOTONIC, &t[0]);
	ok = is_signed(b, q, method);
	clock_gettime(CLOCK_MONOTONIC, &t[1]);
	b->check_ns += (uint64_t)((t[1].tv_sec - t[0].tv_sec) * 1000000000 + t[1].tv_nsec - t[0].tv_nsec);
	b->checked++;
	return ok;
}

static enum MHD_Result
answer(struct bare *b, struct request *q, struct MHD_Connection *c, const char *method)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(b->document.len,
	    b->document.data, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result res;

	if (!r)
		return MHD_NO;
	(void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, q);
	(void)MHD_add_response_header(r, "Content-Type", "text/xml;charset=UTF-8");
	res = MHD_queue_response(c, is_signed_timed(b, q, method) ? MHD_HTTP_OK : MHD_HTTP_FORBIDDEN, r);
	MHD_destroy_response(r);
	return res;
}

static enum MHD_Result
on_access(void *arg, struct MHD_Connection *c, const char *url, const char *method,
    const char *version, const char *data, size_t *n, void **con_cls)
{
	struct request *q = *con_cls;

	if (!q) {
		q = calloc(1, sizeof(*q));
		if (!q)
			return MHD_NO;
		q->body = BUF_EMPTY(BODY_MAX);
		*con_cls = q;
		return MHD_YES;
	}
	if (*n == 0)
		return answer(arg, q, c, method);
	if (buf_add(&q->body, data, *n) < 0)
		return MHD_NO;
	*n = 0;
	return MHD_YES;
}

static void
on_end(void *arg, struct MHD_Connection *c, void **con_cls, enum MHD_RequestTerminationCode why)
{
	struct request *q = *con_cls;

	if (q)
		buf_deinit(&q->body);
	free(q);
	*con_cls = NULL;
}

static int
make_document(struct bare *b, size_t bytes)
{
	static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<answer>",
	    tail[] = "</answer>";

	b->document = BUF_EMPTY(BYTES_MAX);
	(void)!buf_add_str(&b->document, head);
	while (b->document.len + sizeof(tail) - 1 < bytes)
		if (buf_add_str(&b->document, "x") < 0)
			break;
	return buf_add_str(&b->document, tail);
}

int
main(int argc, char **argv)
{
	const struct sockaddr_in any = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct bare b = { 0 };
	const union MHD_DaemonInfo *info;
	struct MHD_Daemon *d;

	if (argc != 4) {
		fprintf(stderr, "usage: bare ACCESS_KEY SECRET BYTES\n");
		return 2;
	}
	b.access_key = argv[1];
	b.secret = argv[2];
	if (make_document(&b, strtoul(argv[3], NULL, 10)) < 0) {
		fprintf(stderr, "bare: expected at most %d bytes\n", BYTES_MAX);
		return 2;
	}
	d = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_access, &b,
	    MHD_OPTION_SOCK_ADDR, &any, MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_END);
	info = d ? MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!info) {
		fprintf(stderr, "bare: the server does not start\n");
		return 1;
	}
	printf("%u\n", info->port);
	fflush(stdout);
	while (getchar() != EOF)
		;
	MHD_stop_daemon(d);
	printf("%llu\n", (unsigned long long)(b.checked ? b.check_ns / b.checked : 0));
	buf_deinit(&b.document);
	return 0;
}
