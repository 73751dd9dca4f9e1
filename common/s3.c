#include "common/s3.h"

#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/sigv4.h"

#define S3_TRIES	3
#define S3_PAUSE_MS	100	/* before the second, twice that before the third */
#define CONNECT_MS	3000
#define ERROR_MAX	16384	/* bytes of an error's document that are read */
#define META_PREFIX	"x-amz-meta-"
#define HEADERS_MAX	(OBJECT_META_MAX + 8)
#define HEADER_VALUE	(S3_SESSION_MAX + 1)

PRINTF_LIKE(3, 4) static enum object_result
fail(enum object_result r, char why[static JSON_WHY_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, JSON_WHY_MAX, fmt, ap);
	va_end(ap);
	return r;
}

/* ---- configuration ---- */

/* What follows the scheme; NULL: no such URL. */
static const char *
host_of(const char *url)
{
	const char *p = strncmp(url, "https://", 8) == 0 ? url + 8 :
	    strncmp(url, "http://", 7) == 0 ? url + 7 : NULL;
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-:[]";

	return p && *p && strspn(p, allowed) == strlen(p) ? p : NULL;
}

int
s3_conf_check(const struct s3_conf *c, char *why, size_t size)
{
	const size_t n = strlen(c->bucket);

	if (!host_of(c->url)) {
		snprintf(why, size, "[objects] url: expected http:// or https:// and a host, with a "
		    "port or without");
		return -EINVAL;
	}
	if (n < 3 || n > 63 ||
	    strspn(c->bucket, "abcdefghijklmnopqrstuvwxyz0123456789.-") != n) {
		snprintf(why, size, "[objects] bucket: expected 3 to 63 of [a-z0-9.-]");
		return -EINVAL;
	}
	return 0;
}

/* ---- a session ---- */

enum object_result
s3_open(struct s3_session *s, const struct s3_conf *conf, char why[static JSON_WHY_MAX])
{
	*s = (struct s3_session){
		.conf = conf,
		.until_ms = clock_now_ms(conf->clock) + conf->timeout_ms,
	};
	if (s3_credentials_load(conf->credentials_file, &s->credentials, why, JSON_WHY_MAX) < 0)
		return OBJECT_REFUSED;
	s->curl = curl_easy_init();
	return s->curl ? OBJECT_OK : fail(OBJECT_NOMEM, why, "no memory");
}

void
s3_close(struct s3_session *s)
{
	explicit_bzero(&s->credentials, sizeof(s->credentials));
	curl_easy_cleanup(s->curl);
	s->curl = NULL;
}

/* ---- what is sent ---- */

struct sending {
	struct sigv4_header	 headers[HEADERS_MAX];
	size_t			 n;
	char			 date[17], sha256[SIGV4_HEX + 1];
	char			 names[OBJECT_META_MAX][sizeof(META_PREFIX) + OBJECT_META_NAME_MAX];
	char			 path[64 + OBJECT_KEY_MAX + 4];
	struct buf		 url, authorization;
	struct curl_slist	*list;
	const uint8_t		*body;
	size_t			 left, len;
};

static void
sending_deinit(struct sending *m)
{
	buf_deinit(&m->url);
	buf_deinit(&m->authorization);
	curl_slist_free_all(m->list);
}

static void
put_header(struct sending *m, const char *name, const char *value)
{
	m->headers[m->n++] = (struct sigv4_header){ name, value };
}

static void
put_headers(struct sending *m, const struct s3_session *s, const struct s3_request *r)
{
	put_header(m, "host", host_of(s->conf->url));
	put_header(m, "x-amz-date", m->date);
	put_header(m, "x-amz-content-sha256", m->sha256);
	if (s->credentials.token[0])
		put_header(m, "x-amz-security-token", s->credentials.token);
	if (r->first_byte)
		put_header(m, "range", "bytes=0-0");
	if (!r->meta)
		return;
	put_header(m, "content-type", "application/octet-stream");
	put_header(m, "if-none-match", "*");		/* never replaces */
	for (size_t i = 0; i < r->meta->nmeta; i++) {
		snprintf(m->names[i], sizeof(m->names[i]), META_PREFIX "%s", r->meta->meta[i].name);
		put_header(m, m->names[i], r->meta->meta[i].value);
	}
}

static bool
header_line(struct sending *m, const char *name, const char *value)
{
	AUTO(buf) struct buf line = BUF_EMPTY(HEADER_VALUE + 1024);
	struct curl_slist *l;

	if (buf_printf(&line, "%s: %s", name, value) < 0)
		return false;
	l = curl_slist_append(m->list, buf_text(&line));
	if (l)
		m->list = l;
	return l != NULL;
}

/* All of m: path, signed headers, URL. */
static bool
prepare(struct sending *m, const struct s3_session *s, const struct s3_request *r)
{
	const uint64_t wall = clock_wall_ms(s->conf->clock);
	struct sigv4_request q = {
		.method = r->method, .path = m->path, .query = r->query, .headers = m->headers,
		.payload_sha256 = m->sha256, .double_encode = false,
	};

	m->url = BUF_EMPTY(8192);
	m->authorization = BUF_EMPTY(4096);
	m->body = r->body;
	m->len = m->left = r->body_len;
	snprintf(m->path, sizeof(m->path), "/%.63s%s%s", s->conf->bucket, r->key ? "/" : "",
	    r->key ? r->key : "");
	sigv4_sha256_hex(r->body_len ? r->body : "", r->body_len, m->sha256);
	if (sigv4_timestamp(wall, m->date) < 0)
		return false;
	put_headers(m, s, r);
	q.nheaders = m->n;
	if (sigv4_sign(&q, s->credentials.key_id, s->credentials.secret, s->conf->region, "s3", wall,
	    &m->authorization) < 0 || buf_printf(&m->url, "%s%s%s%s", s->conf->url, m->path,
	    r->query[0] ? "?" : "", r->query) < 0)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (!header_line(m, m->headers[i].name, m->headers[i].value))
			return false;
	/* Without "Expect": a put is not held up by a server that does not know it. */
	return header_line(m, "Authorization", buf_text(&m->authorization)) &&
	    header_line(m, "Expect", "");
}

static size_t
on_upload(char *p, size_t size, size_t n, void *arg)
{
	struct sending *m = arg;
	const size_t room = size * n, take = room < m->left ? room : m->left;

	if (take)
		memcpy(p, m->body + (m->len - m->left), take);
	m->left -= take;
	return take;
}

/* A connection that was kept may turn out to be closed: from the beginning then. */
static int
on_rewind(void *arg, curl_off_t offset, int origin)
{
	struct sending *m = arg;

	if (origin != SEEK_SET || offset < 0 || (size_t)offset > m->len)
		return CURL_SEEKFUNC_FAIL;
	m->left = m->len - (size_t)offset;
	return CURL_SEEKFUNC_OK;
}

/* ---- what comes back ---- */

struct receiving {
	CURL			*curl;
	struct s3_answer	*answer;
	bool			 is_too_long;
};

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	struct receiving *in = arg;
	const size_t len = size * n;
	long status = 0;

	curl_easy_getinfo(in->curl, CURLINFO_RESPONSE_CODE, &status);
	if (status / 100 != 2) {
		struct buf *e = &in->answer->error;

		/* What is over the ceiling is passed over: the words come first. */
		if (e->len + len <= e->max)
			(void)buf_add(e, p, len);
		return len;
	}
	if (!in->answer->body)
		return len;
	in->is_too_long = len > in->answer->body->max - in->answer->body->len;
	return buf_add(in->answer->body, p, len) == 0 ? len : 0;
}

static void
take_meta(struct s3_answer *a, const char *name, const char *value)
{
	/* Foreign metadata that does not fit says nothing about the object. */
	if (object_meta_add(&a->info, name, value) < 0)
		a->has_bad_meta = true;
}

static size_t
on_header(char *p, size_t size, size_t n, void *arg)
{
	struct receiving *in = arg;
	const size_t len = size * n;
	char line[OBJECT_META_VALUE_MAX + 128], *value;
	time_t when;

	if (len >= sizeof(line))
		return len;
	memcpy(line, p, len);
	line[len] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	value = strchr(line, ':');
	if (!value)
		return len;
	*value++ = '\0';
	value += strspn(value, " \t");
	if (strncasecmp(line, META_PREFIX, strlen(META_PREFIX)) == 0) {
		for (char *c = line; *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				*c = (char)(*c - 'A' + 'a');
		take_meta(in->answer, line + strlen(META_PREFIX), value);
	} else if (strcasecmp(line, "last-modified") == 0) {
		when = curl_getdate(value, NULL);
		in->answer->info.written_ms = when > 0 ? (uint64_t)when * 1000 : 0;
	}
	return len;
}

/* ---- one try ---- */

static bool
set_up(struct s3_session *s, const struct s3_request *r, struct sending *m,
    struct receiving *in, uint64_t left_ms)
{
	CURL *c = s->curl;
	CURLcode e = CURLE_OK;

#define SET(option, value)	(e = e ? e : curl_easy_setopt(c, (option), (value)))
	curl_easy_reset(c);
	SET(CURLOPT_URL, buf_text(&m->url));
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_PATH_AS_IS, 1L);
	SET(CURLOPT_PROXY, "");
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(left_ms < CONNECT_MS ? left_ms : CONNECT_MS));
	SET(CURLOPT_TIMEOUT_MS, (long)left_ms);
	SET(CURLOPT_HTTPHEADER, m->list);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, in);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, in);
	if (s->conf->ca[0])
		SET(CURLOPT_CAINFO, s->conf->ca);
	if (strcmp(r->method, "HEAD") == 0) {
		SET(CURLOPT_NOBODY, 1L);
	} else if (strcmp(r->method, "PUT") == 0) {
		SET(CURLOPT_UPLOAD, 1L);
		SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)m->len);
		SET(CURLOPT_READFUNCTION, on_upload);
		SET(CURLOPT_READDATA, m);
		SET(CURLOPT_SEEKFUNCTION, on_rewind);
		SET(CURLOPT_SEEKDATA, m);
	} else if (strcmp(r->method, "GET") != 0) {
		SET(CURLOPT_CUSTOMREQUEST, r->method);
	}
#undef SET
	return e == CURLE_OK;
}

/* Nothing of the request can have reached the server. */
static bool
was_not_sent(CURL *c, CURLcode e)
{
	curl_off_t before_us = 0;

	switch ((int)e) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return true;
	}
	return curl_easy_getinfo(c, CURLINFO_PRETRANSFER_TIME_T, &before_us) == CURLE_OK &&
	    before_us == 0;
}

static enum object_result
judge_status(const struct s3_conf *conf, struct s3_answer *a, char why[static JSON_WHY_MAX])
{
	char message[200];

	if (a->status / 100 == 2)
		return OBJECT_OK;
	s3_error_word(&a->error, "Code", a->code, sizeof(a->code));
	s3_error_word(&a->error, "Message", message, sizeof(message));
	fail(OBJECT_OK, why, "%.100s answers %ld %s%s%.120s", conf->url, a->status, a->code,
	    message[0] ? ": " : "", message);
	if (strcmp(a->code, "NoSuchBucket") == 0)
		return OBJECT_LOST;
	switch (a->status) {
	case 404:
		return OBJECT_NOT_FOUND;
	case 412:
		return OBJECT_EXISTS;
	case 409:	/* another write of the key is on its way */
	case 429:
	case 503:	/* refused before anything was done */
		return OBJECT_UNAVAILABLE;
	case 500:
	case 502:
	case 504:
		return OBJECT_UNKNOWN;
	default:
		return OBJECT_REFUSED;
	}
}

static enum object_result
judge_failure(struct s3_session *s, CURLcode e, const struct receiving *in,
    char why[static JSON_WHY_MAX])
{
	if (e == CURLE_WRITE_ERROR && in->is_too_long)
		return fail(OBJECT_REFUSED, why, "the object is larger than the %zu bytes that are "
		    "expected", in->answer->body->max);
	if (e == CURLE_WRITE_ERROR || e == CURLE_OUT_OF_MEMORY)
		return fail(OBJECT_NOMEM, why, "no memory");
	return fail(was_not_sent(s->curl, e) ? OBJECT_UNAVAILABLE : OBJECT_UNKNOWN, why,
	    "%.100s: %s", s->conf->url, curl_easy_strerror(e));
}

static enum object_result
send_once(struct s3_session *s, const struct s3_request *r, struct s3_answer *ret,
    char why[static JSON_WHY_MAX])
{
	__attribute__((cleanup(sending_deinit))) struct sending m = { 0 };
	struct receiving in = { .curl = s->curl, .answer = ret };
	const uint64_t now = clock_now_ms(s->conf->clock);
	curl_off_t length = -1;
	CURLcode e;

	if (now >= s->until_ms)
		return fail(OBJECT_UNAVAILABLE, why, "%.100s: no answer in time", s->conf->url);
	if (!prepare(&m, s, r) || !set_up(s, r, &m, &in, s->until_ms - now))
		return fail(OBJECT_NOMEM, why, "the request could not be made");
	e = curl_easy_perform(s->curl);
	if (e != CURLE_OK)
		return judge_failure(s, e, &in, why);
	curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &ret->status);
	curl_easy_getinfo(s->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	ret->info.bytes = length > 0 ? (uint64_t)length : 0;
	return judge_status(s->conf, ret, why);
}

static void
answer_clear(struct s3_answer *a)
{
	struct buf *body = a->body;

	buf_deinit(&a->error);
	if (body)
		buf_deinit(body);
	*a = (struct s3_answer){ .body = body, .error = BUF_EMPTY(ERROR_MAX) };
}

enum object_result
s3_send(struct s3_session *s, const struct s3_request *r, struct s3_answer *ret,
    char why[static JSON_WHY_MAX])
{
	enum object_result res = OBJECT_UNAVAILABLE;

	for (int i = 0; i < (r->may_repeat ? S3_TRIES : 1); i++) {
		if (i > 0)
			(void)poll(NULL, 0, S3_PAUSE_MS << (i - 1));
		answer_clear(ret);
		res = send_once(s, r, ret, why);
		if (res != OBJECT_UNAVAILABLE && res != OBJECT_UNKNOWN)
			break;
	}
	buf_deinit(&ret->error);
	if (ret->has_bad_meta)
		ret->info.nmeta = 0;
	return res;
}

int
s3_query_add(struct buf *query, const char *name, const char *value)
{
	static const char digits[] = "0123456789ABCDEF", plain[] = "-._~";
	int r = buf_printf(query, "%s%s=", query->len ? "&" : "", name);

	for (const unsigned char *p = (const unsigned char *)value; *p && r == 0; p++) {
		const char escape[3] = { '%', digits[*p >> 4], digits[*p & 15] };
		const bool is_plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		    (*p >= '0' && *p <= '9') || strchr(plain, *p);

		r = is_plain ? buf_add(query, p, 1) : buf_add(query, escape, sizeof(escape));
	}
	return r;
}
