/* Which requests to an S3 server are sent again: against a server of the test's own, which does
 * what its script says and keeps what it was asked. */
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/object_store.h"
#include "tests/unit/unit.h"

#define TRIES		3	/* of what may be sent again */
#define STEPS_MAX	16
#define REQUEST_MAX	8192
#define PATIENCE_MS	30000
#define PUT_MS		10000	/* of one put: rule 121 */
#define KEY		"uefi/i-0123456789abcdef0/11111111-1111-4111-8111-111111111111"
#define PREFIX		"uefi/i-0123456789abcdef0/"
#define BODY		"a few bytes"

#define CUT		"cut"		/* the connection ends where an answer should be */
#define SILENCE		"silence"	/* it stays, and nothing comes */
#define HALF		"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
#define ANSWER(status, body)	"HTTP/1.1 " status "\r\nConnection: close\r\n\r\n" body
#define PAGE(key)	ANSWER("200 OK", "<ListBucketResult><IsTruncated>false</IsTruncated>"	\
	"<Contents><Key>" key "</Key><Size>1</Size></Contents></ListBucketResult>")
#define OK_200		ANSWER("200 OK", BODY)
#define OK_204		"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
#define BUSY_503	ANSWER("503 Slow Down", "<Error><Code>SlowDown</Code></Error>")
#define FAULT_500	ANSWER("500 Oops", "<Error><Code>InternalError</Code></Error>")
#define CONFLICT_409	ANSWER("409 No", "<Error><Code>ConditionalRequestConflict</Code></Error>")
#define THERE_412	ANSWER("412 No", "<Error><Code>PreconditionFailed</Code></Error>")
#define DENIED_403	ANSWER("403 No", "<Error><Code>AccessDenied</Code></Error>")

struct server {
	int		 fd;
	pthread_t	 thread;
	const char	*const *script;		/* one answer a request; beyond them 500 */
	size_t		 nscript;
	unsigned	 n;			/* requests so far */
	char		 asked[STEPS_MAX][REQUEST_MAX];
	int		 silent[STEPS_MAX];	/* connections that are left open */
	char		 url[64];
};
static struct server server;
static struct object_store store;
/* Of the store's clock; a step with each look. */
static uint64_t clock_ms, clock_step_ms;

static uint64_t
now(const struct clock *c)
{
	const uint64_t t = clock_ms;

	clock_ms += clock_step_ms;
	return t;
}

static uint64_t
wall(const struct clock *c)
{
	return 1800000000000;
}

static const struct clock the_clock = { now, wall };

/* Header and body; the length of the body is what the header says. */
static void
read_request(int fd, char *ret)
{
	size_t n = 0, body = 0, want = REQUEST_MAX - 1;

	while (n < want) {
		const ssize_t got = read(fd, ret + n, want - n);
		char *end, *length;

		if (got <= 0)
			break;
		n += (size_t)got;
		ret[n] = '\0';
		end = strstr(ret, "\r\n\r\n");
		if (!end || want != REQUEST_MAX - 1)
			continue;
		length = strcasestr(ret, "\r\ncontent-length:");
		if (length && length < end)
			body = strtoul(length + strlen("\r\ncontent-length:"), NULL, 10);
		want = (size_t)(end - ret) + 4 + body;
	}
}

static void *
serve(void *arg)
{
	int fd;

	while ((fd = accept(server.fd, NULL, NULL)) >= 0) {
		const unsigned i = server.n;
		const char *say = i < server.nscript ? server.script[i] : FAULT_500;

		ck_assert_uint_lt(i, STEPS_MAX);
		read_request(fd, server.asked[i]);
		server.n++;
		if (strcmp(say, SILENCE) == 0) {
			server.silent[i] = fd;
			continue;
		}
		if (strcmp(say, CUT) != 0)
			ck_assert_int_eq(write(fd, say, strlen(say)), (ssize_t)strlen(say));
		close(fd);
	}
	return NULL;
}

static void
open_store(const char *url)
{
	static struct object_store_conf c;	/* is borrowed */

	c = (struct object_store_conf){ .kind = OBJECT_STORE_S3 };
	snprintf(c.url, sizeof(c.url), "%s", url);
	snprintf(c.bucket, sizeof(c.bucket), "spinifex");
	snprintf(c.region, sizeof(c.region), "us-east-1");
	ck_assert_int_eq(object_store_open(&store, &c, NULL, NULL, &the_clock), 0);
}

static void
set_up(void)
{
	struct sockaddr_in sa = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(sa);

	setenv("AWS_ACCESS_KEY_ID", "K", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "S", 1);
	clock_ms = 1000;
	clock_step_ms = 0;
	server = (struct server){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	ck_assert_int_eq(bind(server.fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	ck_assert_int_eq(listen(server.fd, STEPS_MAX), 0);
	ck_assert_int_eq(getsockname(server.fd, (struct sockaddr *)&sa, &len), 0);
	snprintf(server.url, sizeof(server.url), "http://127.0.0.1:%u", ntohs(sa.sin_port));
	ck_assert_int_eq(pthread_create(&server.thread, NULL, serve, NULL), 0);
	open_store(server.url);
}

static void
tear_down(void)
{
	shutdown(server.fd, SHUT_RDWR);
	ck_assert_int_eq(pthread_join(server.thread, NULL), 0);
	close(server.fd);
	for (size_t i = 0; i < STEPS_MAX; i++)
		if (server.silent[i] > 0)
			close(server.silent[i]);
}

static enum object_result
put(char why[static JSON_WHY_MAX])
{
	struct object_info o = { 0 };

	snprintf(o.key, sizeof(o.key), "%s", KEY);
	ck_assert_int_eq(object_meta_add(&o, "generation", "7"), 0);
	return store.objects->put(store.objects->ctx, &o, BODY, strlen(BODY), why);
}

static enum object_result
get(char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf b = BUF_EMPTY(64);
	enum object_result r = store.objects->get(store.objects->ctx, KEY, &b, NULL, why);

	ck_assert(r != OBJECT_OK || (b.len == strlen(BODY) && memcmp(b.data, BODY, b.len) == 0));
	ck_assert(r == OBJECT_OK || b.len == 0);
	return r;
}

static enum object_result
list(char why[static JSON_WHY_MAX])
{
	AUTO(object_list) struct object_list l = { 0 };
	enum object_result r = store.objects->list(store.objects->ctx, PREFIX, &l, why);

	ck_assert_uint_eq(l.n, r == OBJECT_OK ? 1 : 0);
	return r;
}

static enum object_result
keys(char why[static JSON_WHY_MAX])
{
	struct object_keys k = { 0 };
	enum object_result r = store.objects->keys(store.objects->ctx, PREFIX, &k, why);

	ck_assert_uint_eq(k.n, r == OBJECT_OK ? 1 : 0);
	object_keys_deinit(&k);
	return r;
}

static enum object_result
remove_it(char why[static JSON_WHY_MAX])
{
	return store.objects->remove(store.objects->ctx, KEY, why);
}

typedef enum object_result asking(char why[static JSON_WHY_MAX]);

static const struct {
	asking			*ask;
	const char		*script[6];
	enum object_result	 want;
	unsigned		 sent;
} rows[] = {
	/* A put without an answer may have been done: it is sent once, whatever comes. */
	{ put,	{ OK_200 },				OBJECT_OK,		1 },
	{ put,	{ CUT, OK_200 },			OBJECT_UNKNOWN,		1 },
	{ put,	{ HALF, OK_200 },			OBJECT_UNKNOWN,		1 },
	{ put,	{ FAULT_500, OK_200 },			OBJECT_UNKNOWN,		1 },
	{ put,	{ BUSY_503, OK_200 },			OBJECT_UNAVAILABLE,	1 },
	{ put,	{ CONFLICT_409, OK_200 },		OBJECT_UNAVAILABLE,	1 },
	{ put,	{ THERE_412, OK_200 },			OBJECT_EXISTS,		1 },
	{ put,	{ DENIED_403, OK_200 },			OBJECT_REFUSED,		1 },
	/* What changes nothing may be sent again, so often and no more. */
	{ get,	{ OK_200 },				OBJECT_OK,		1 },
	{ get,	{ CUT, FAULT_500, OK_200 },		OBJECT_OK,		TRIES },
	{ get,	{ HALF, OK_200 },			OBJECT_OK,		2 },
	{ get,	{ BUSY_503, OK_200 },			OBJECT_OK,		2 },
	{ get,	{ CUT, CUT, CUT, OK_200 },		OBJECT_UNAVAILABLE,	TRIES },
	{ get,	{ BUSY_503, BUSY_503, BUSY_503, OK_200 }, OBJECT_UNAVAILABLE,	TRIES },
	{ get,	{ DENIED_403, OK_200 },			OBJECT_REFUSED,		1 },
	{ keys,	{ FAULT_500, CUT, PAGE(KEY) },		OBJECT_OK,		TRIES },
	{ keys,	{ CUT, CUT, CUT, PAGE(KEY) },		OBJECT_UNAVAILABLE,	TRIES },
	{ list,	{ CUT, PAGE(KEY), BUSY_503, OK_204 },	OBJECT_OK,		4 },
	{ list,	{ PAGE(KEY), CUT, CUT, CUT, OK_204 },	OBJECT_UNAVAILABLE,	1 + TRIES },
	/* A key is never used again, so a removal that is repeated can hit nothing else. */
	{ remove_it, { OK_200, OK_204 },		OBJECT_OK,		2 },
	{ remove_it, { OK_200, CUT, FAULT_500, OK_204 }, OBJECT_OK,		1 + TRIES },
	{ remove_it, { CUT, OK_200, BUSY_503, OK_204 },	OBJECT_OK,		4 },
	{ remove_it, { OK_200, CUT, CUT, CUT, OK_204 },	OBJECT_UNKNOWN,		1 + TRIES },
};

START_TEST(only_what_is_safe_to_repeat_is_sent_again)
{
	char why[JSON_WHY_MAX] = "";

	server.script = rows[_i].script;
	server.nscript = ARRAY_LEN(rows[_i].script);
	for (size_t i = 0; i < ARRAY_LEN(rows[_i].script); i++)
		if (!rows[_i].script[i])
			server.nscript = i < server.nscript ? i : server.nscript;
	ck_assert_int_eq(rows[_i].ask(why), rows[_i].want);
	ck_assert_uint_eq(server.n, rows[_i].sent);
	ck_assert(rows[_i].want == OBJECT_OK || why[0] != '\0');
}
END_TEST

START_TEST(a_put_says_whose_it_is_and_that_it_must_not_replace)
{
	static const char *const script[] = { OK_200 };
	char why[JSON_WHY_MAX];

	server.script = script;
	server.nscript = 1;
	ck_assert_int_eq(put(why), OBJECT_OK);
	ck_assert_int_eq(strncmp(server.asked[0], "PUT /spinifex/" KEY " HTTP/1.1\r\n",
	    strlen("PUT /spinifex/" KEY " HTTP/1.1\r\n")), 0);
	ck_assert_ptr_nonnull(strcasestr(server.asked[0], "\r\nif-none-match: *\r\n"));
	ck_assert_ptr_nonnull(strcasestr(server.asked[0], "\r\nx-amz-meta-generation: 7\r\n"));
	ck_assert_ptr_nonnull(strstr(server.asked[0],
	    "\r\nAuthorization: AWS4-HMAC-SHA256 Credential=K/"));
	ck_assert_ptr_nonnull(strstr(server.asked[0], "\r\n\r\n" BODY));
}
END_TEST

START_TEST(a_put_is_given_ten_seconds_and_its_failure_is_told_121)
{
	static const char *const script[] = { SILENCE };
	char why[JSON_WHY_MAX] = "";

	server.script = script;
	server.nscript = 1;
	clock_step_ms = PUT_MS;		/* they are over when it could be sent */
	ck_assert_int_eq(put(why), OBJECT_UNAVAILABLE);
	ck_assert_uint_eq(server.n, 0);
	ck_assert_ptr_nonnull(strstr(why, "in time"));
	clock_step_ms = PUT_MS - 200;	/* so much is left of them */
	ck_assert_int_eq(put(why), OBJECT_UNKNOWN);
	ck_assert_uint_eq(server.n, 1);
	ck_assert_ptr_nonnull(strstr(why, server.url));
}
END_TEST

START_TEST(a_server_that_is_not_there_had_nothing_of_a_put)
{
	char why[JSON_WHY_MAX] = "";
	struct sockaddr_in sa = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(sa);
	char url[64];
	/* Bound and not listening: nobody else can have the port. */
	AUTO(fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&sa, &len), 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", ntohs(sa.sin_port));
	open_store(url);
	ck_assert_int_eq(put(why), OBJECT_UNAVAILABLE);
	ck_assert_ptr_nonnull(strstr(why, url));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("objects_s3");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_set_timeout(tc, PATIENCE_MS / 1000);
	tcase_add_loop_test(tc, only_what_is_safe_to_repeat_is_sent_again, 0, ARRAY_LEN(rows));
	tcase_add_test(tc, a_put_says_whose_it_is_and_that_it_must_not_replace);
	tcase_add_test(tc, a_put_is_given_ten_seconds_and_its_failure_is_told_121);
	tcase_add_test(tc, a_server_that_is_not_there_had_nothing_of_a_put);
	return unit_run("objects_s3", tc);
}
