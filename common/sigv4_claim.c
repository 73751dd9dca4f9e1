#include "common/sigv4.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define ALGORITHM	"AWS4-HMAC-SHA256"
#define PARAM_MAX	2048	/* bytes of a decoded parameter of a presigned request */

struct why {
	char	*text;
	size_t	 size;
};

static enum sigv4_result PRINTF_LIKE(3, 4)
refuse(const struct why *w, enum sigv4_result res, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (w->size)
		(void)vsnprintf(w->text, w->size, fmt, ap);
	va_end(ap);
	return res;
}

/* How many headers of that name there are; *ret is the first. */
static size_t
find_header(const struct sigv4_request *r, const char *name, const char **ret)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nheaders; i++)
		if (!strcasecmp(r->headers[i].name, name) && !n++)
			*ret = r->headers[i].value;
	return n;
}

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes n bytes of a URL into out.  False: too long, a NUL, or a broken escape. */
static bool
decode(const char *p, size_t n, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		int c = p[i] == '+' ? ' ' : (unsigned char)p[i];

		if (c == '%') {
			const int high = i + 2 < n ? hex_value(p[i + 1]) : -1;
			const int low = i + 2 < n ? hex_value(p[i + 2]) : -1;

			if (high < 0 || low < 0)
				return false;
			c = high << 4 | low;
			i += 2;
		}
		if (!c || used + 1 >= size)
			return false;
		out[used++] = (char)c;
	}
	out[used] = '\0';
	return true;
}

/* How many parameters of that name the query has; the value of the first goes to out, which
 * is empty when that cannot be decoded. */
static size_t
find_param(const char *query, const char *name, char *out, size_t size)
{
	const size_t name_len = strlen(name);
	size_t n = 0;

	for (const char *p = query; *p;) {
		const size_t len = strcspn(p, "&");

		if (len > name_len && p[name_len] == '=' && !memcmp(p, name, name_len) && !n++ &&
		    !decode(p + name_len + 1, len - name_len - 1, out, size))
			*out = '\0';
		p += len + (p[len] == '&');
	}
	return n;
}

static bool
digits_at(const char *p, size_t n, int *ret)
{
	*ret = 0;
	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		*ret = *ret * 10 + (p[i] - '0');
	}
	return true;
}

/* YYYYMMDDTHHMMSSZ and nothing else. */
static bool
read_basic_time(const char *p, uint64_t *ret_ms)
{
	struct tm tm = { 0 }, back;
	time_t t;

	if (strlen(p) != 16 || p[8] != 'T' || p[15] != 'Z' ||
	    !digits_at(p, 4, &tm.tm_year) || !digits_at(p + 4, 2, &tm.tm_mon) ||
	    !digits_at(p + 6, 2, &tm.tm_mday) || !digits_at(p + 9, 2, &tm.tm_hour) ||
	    !digits_at(p + 11, 2, &tm.tm_min) || !digits_at(p + 13, 2, &tm.tm_sec))
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	back = tm;
	t = timegm(&back);
	/* A thirtieth of February comes back as another day. */
	if (t < 0 || back.tm_mon != tm.tm_mon || back.tm_mday != tm.tm_mday ||
	    back.tm_hour != tm.tm_hour || back.tm_min != tm.tm_min)
		return false;
	*ret_ms = (uint64_t)t * 1000;
	return true;
}

static void
basic_time(uint64_t ms, char ret[static 17])
{
	const time_t t = (time_t)(ms / 1000);
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(ret, 17, "%Y%m%dT%H%M%SZ", &tm))
		*ret = '\0';
}

/* Copies a trimmed value. */
static bool
copy_trimmed(const char *p, char *out, size_t size)
{
	size_t n;

	p += strspn(p, " \t");
	n = strlen(p);
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	if (n >= size)
		return false;
	memcpy(out, p, n);
	out[n] = '\0';
	return true;
}

/* When the request says it was made: X-Amz-Date, else Date in either of its forms. */
static enum sigv4_result
read_header_time(const struct sigv4_request *r, struct sigv4_claim *c, const struct why *w)
{
	const char *value = NULL;
	char date[64];
	struct tm tm = { 0 };
	size_t n = find_header(r, "x-amz-date", &value);
	const char *rest;

	if (!n)
		n = find_header(r, "date", &value);
	if (!n)
		return refuse(w, SIGV4_INCOMPLETE, "Authorization header requires existence of "
		    "either a 'X-Amz-Date' or a 'Date' header.");
	if (n > 1)
		return refuse(w, SIGV4_INCOMPLETE, "The date of the request is given twice.");
	if (copy_trimmed(value, date, sizeof(date)) && strlen(date) == 16 &&
	    read_basic_time(date, &c->timestamp_ms)) {
		memcpy(c->timestamp, date, 17);
		return SIGV4_OK;
	}
	rest = strptime(value, " %a, %d %b %Y %H:%M:%S GMT ", &tm);
	if (rest && !*rest && timegm(&tm) >= 0) {
		c->timestamp_ms = (uint64_t)timegm(&tm) * 1000;
		basic_time(c->timestamp_ms, c->timestamp);
		return SIGV4_OK;
	}
	return refuse(w, SIGV4_INCOMPLETE, "Date must be in ISO-8601 'basic format' "
	    "(YYYYMMDDTHHMMSSZ). Got '%.32s'.", value);
}

/* AKID/20150830/us-east-1/ec2/aws4_request */
static enum sigv4_result
read_credential(const char *p, size_t n, struct sigv4_claim *c, const struct why *w)
{
	struct { char *to; size_t size; } part[] = {
		{ c->access_key, sizeof(c->access_key) }, { c->date, sizeof(c->date) },
		{ c->region, sizeof(c->region) }, { c->service, sizeof(c->service) },
	};
	const char *end = p + n;
	int date;

	for (size_t i = 0; i < ARRAY_LEN(part); i++) {
		const char *slash = memchr(p, '/', (size_t)(end - p));
		const size_t len = slash ? (size_t)(slash - p) : 0;

		if (!len || len >= part[i].size)
			return refuse(w, SIGV4_INCOMPLETE, "Credential must have exactly 5 "
			    "slash-delimited elements, e.g. keyid/date/region/service/term.");
		memcpy(part[i].to, p, len);
		part[i].to[len] = '\0';
		p = slash + 1;
	}
	if ((size_t)(end - p) != strlen("aws4_request") || memcmp(p, "aws4_request",
	    strlen("aws4_request")))
		return refuse(w, SIGV4_INCOMPLETE, "Credential should be scoped with a valid "
		    "terminator: 'aws4_request'.");
	if (strlen(c->date) != 8 || !digits_at(c->date, 8, &date))
		return refuse(w, SIGV4_INCOMPLETE, "Credential should be scoped to a date as "
		    "YYYYMMDD.");
	return SIGV4_OK;
}

/* Lower case, at least one, none empty. */
static bool
copy_signed_headers(const char *p, size_t n, char *out, size_t size)
{
	if (!n || n >= size || p[0] == ';' || p[n - 1] == ';')
		return false;
	for (size_t i = 0; i < n; i++) {
		const char c = p[i];

		if (c <= ' ' || c == 0x7f || c == ',' || (c == ';' && p[i + 1] == ';'))
			return false;
		out[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	out[n] = '\0';
	return true;
}

static bool
copy_signature(const char *p, size_t n, char *out)
{
	if (n != SIGV4_HEX)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (hex_value(p[i]) < 0 || (p[i] >= 'A' && p[i] <= 'F'))
			return false;
		out[i] = p[i];
	}
	out[n] = '\0';
	return true;
}

static bool
is_named(const char *p, size_t n, const char *name)
{
	return n == strlen(name) && !memcmp(p, name, n);
}

/* One "name=value" of the Authorization header, with no spaces in it. */
static enum sigv4_result
read_field(const char *p, size_t n, struct sigv4_claim *c, const struct why *w)
{
	const char *eq = memchr(p, '=', n);
	const char *value = eq ? eq + 1 : p;
	const size_t len = eq ? (size_t)(p + n - value) : 0;
	const size_t name_len = eq ? (size_t)(eq - p) : n;

	if (eq && is_named(p, name_len, "Credential") && !*c->access_key)
		return read_credential(value, len, c, w);
	if (eq && is_named(p, name_len, "SignedHeaders") && !*c->signed_headers &&
	    copy_signed_headers(value, len, c->signed_headers, sizeof(c->signed_headers)))
		return SIGV4_OK;
	if (eq && is_named(p, name_len, "Signature") && !*c->signature &&
	    copy_signature(value, len, c->signature))
		return SIGV4_OK;
	return refuse(w, SIGV4_INCOMPLETE, "'%.*s' is not a valid key=value pair of an "
	    "Authorization header.", (int)(n < 64 ? n : 64), p);
}

static enum sigv4_result
read_authorization(const char *p, struct sigv4_claim *c, const struct why *w)
{
	const size_t algorithm = strlen(ALGORITHM);

	p += strspn(p, " \t");
	if (strncmp(p, ALGORITHM, algorithm) || !strchr(" \t", p[algorithm]))
		return refuse(w, SIGV4_INCOMPLETE, "Unsupported AWS 'algorithm': '%.32s': only "
		    ALGORITHM " is.", p);
	for (p += algorithm; *(p += strspn(p, " \t,"));) {
		const size_t n = strcspn(p, " \t,");
		const enum sigv4_result res = read_field(p, n, c, w);

		if (res != SIGV4_OK)
			return res;
		p += n;
	}
	if (!*c->access_key || !*c->signed_headers || !*c->signature)
		return refuse(w, SIGV4_INCOMPLETE, "Authorization header requires '%s' parameter.",
		    !*c->access_key ? "Credential" : !*c->signature ? "Signature" :
		    "SignedHeaders");
	return SIGV4_OK;
}

static enum sigv4_result
read_header_claim(const struct sigv4_request *r, struct sigv4_claim *c, const struct why *w)
{
	const char *value = NULL;
	enum sigv4_result res;

	if (find_header(r, "authorization", &value) > 1)
		return refuse(w, SIGV4_INCOMPLETE, "The Authorization header is given twice.");
	if ((res = read_authorization(value, c, w)) != SIGV4_OK)
		return res;
	c->has_token = find_header(r, "x-amz-security-token", &value) > 0;
	return read_header_time(r, c, w);
}

/* One parameter of a presigned request, exactly once. */
static bool
take_param(const char *query, const char *name, char *out, size_t size, const struct why *w)
{
	const size_t n = find_param(query, name, out, size);

	if (n == 1 && *out)
		return true;
	(void)refuse(w, SIGV4_INCOMPLETE, n > 1 ? "The query parameter %s is given twice." :
	    "AWS query-string parameters must include '%s'.", name);
	return false;
}

static enum sigv4_result
read_expires(const char *text, struct sigv4_claim *c, const struct why *w)
{
	int s;

	if (strlen(text) > 6 || !digits_at(text, strlen(text), &s) || s < 1 ||
	    s > SIGV4_EXPIRES_MAX_S)
		return refuse(w, SIGV4_INCOMPLETE, "X-Amz-Expires must be a number of seconds "
		    "from 1 to %d.", SIGV4_EXPIRES_MAX_S);
	c->expires_s = (uint64_t)s;
	return SIGV4_OK;
}

static enum sigv4_result
read_query_claim(const struct sigv4_request *r, struct sigv4_claim *c, const struct why *w)
{
	char value[PARAM_MAX];
	enum sigv4_result res;

	c->presigned = true;
	c->has_token = find_param(r->query, "X-Amz-Security-Token", value, sizeof(value)) > 0;
	if (!take_param(r->query, "X-Amz-Algorithm", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	if (strcmp(value, ALGORITHM))
		return refuse(w, SIGV4_INCOMPLETE, "Unsupported AWS 'algorithm': '%.32s': only "
		    ALGORITHM " is.", value);
	if (!take_param(r->query, "X-Amz-Credential", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	if ((res = read_credential(value, strlen(value), c, w)) != SIGV4_OK)
		return res;
	if (!take_param(r->query, "X-Amz-SignedHeaders", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	if (!copy_signed_headers(value, strlen(value), c->signed_headers,
	    sizeof(c->signed_headers)))
		return refuse(w, SIGV4_INCOMPLETE, "X-Amz-SignedHeaders must be names with ';' "
		    "between.");
	if (!take_param(r->query, "X-Amz-Signature", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	if (!copy_signature(value, strlen(value), c->signature))
		return refuse(w, SIGV4_INCOMPLETE, "X-Amz-Signature must be 64 hexadecimal "
		    "digits.");
	if (!take_param(r->query, "X-Amz-Date", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	if (!read_basic_time(value, &c->timestamp_ms))
		return refuse(w, SIGV4_INCOMPLETE, "X-Amz-Date must be in ISO-8601 'basic "
		    "format' (YYYYMMDDTHHMMSSZ). Got '%.32s'.", value);
	memcpy(c->timestamp, value, sizeof(c->timestamp));
	if (!take_param(r->query, "X-Amz-Expires", value, sizeof(value), w))
		return SIGV4_INCOMPLETE;
	return read_expires(value, c, w);
}

static bool
is_signed(const char *signed_headers, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = signed_headers; *p;) {
		const size_t len = strcspn(p, ";");

		if (len == n && !strncasecmp(p, name, n))
			return true;
		p += len + (p[len] == ';');
	}
	return false;
}

/* What decides about a request must be under its signature. */
static enum sigv4_result
check_signed(const struct sigv4_request *r, const struct sigv4_claim *c, const struct why *w)
{
	if (!is_signed(c->signed_headers, "host"))
		return refuse(w, SIGV4_INCOMPLETE, "'Host' must be a 'SignedHeader' in the AWS "
		    "Authorization.");
	for (size_t i = 0; i < r->nheaders; i++) {
		const char *name = r->headers[i].name;

		if (!strncasecmp(name, "x-amz-", 6) && !is_signed(c->signed_headers, name))
			return refuse(w, SIGV4_INCOMPLETE, "'%.64s' must be a 'SignedHeader' in "
			    "the AWS Authorization.", name);
	}
	return SIGV4_OK;
}

static enum sigv4_result
check_times(const struct sigv4_claim *c, uint64_t wall_ms, const struct why *w)
{
	const uint64_t old_ms = c->presigned ? c->expires_s * 1000 : SIGV4_SKEW_MS;
	char now[17];

	basic_time(wall_ms, now);
	if (strncmp(c->date, c->timestamp, 8))
		return refuse(w, SIGV4_MISMATCH, "Date in Credential scope does not match "
		    "YYYYMMDD from ISO-8601 version of date from HTTP: '%s' != '%.8s'.", c->date,
		    c->timestamp);
	if (c->timestamp_ms > wall_ms + SIGV4_SKEW_MS)
		return refuse(w, SIGV4_EXPIRED, "Signature not yet current: %s is still later "
		    "than %s (the time here) + 15 min.", c->timestamp, now);
	if (wall_ms <= c->timestamp_ms + old_ms)
		return SIGV4_OK;
	if (c->presigned)
		return refuse(w, SIGV4_EXPIRED, "Request has expired: it was signed at %s for "
		    "%u seconds and the time here is %s.", c->timestamp, (unsigned)c->expires_s,
		    now);
	return refuse(w, SIGV4_EXPIRED, "Signature expired: %s is now earlier than %s (the time "
	    "here) - 15 min.", c->timestamp, now);
}

enum sigv4_result
sigv4_claim_read(const struct sigv4_request *r, uint64_t wall_ms, struct sigv4_claim *ret,
    char *why, size_t why_size)
{
	const struct why w = { why, why_size };
	struct sigv4_claim c = { 0 };
	const char *value = NULL;
	char param[PARAM_MAX];
	const bool in_header = find_header(r, "authorization", &value) > 0;
	const bool in_query = find_param(r->query, "X-Amz-Algorithm", param, sizeof(param)) ||
	    find_param(r->query, "X-Amz-Signature", param, sizeof(param));
	enum sigv4_result res;

	if (why_size)
		*why = '\0';
	if (in_header && in_query)
		return refuse(&w, SIGV4_INCOMPLETE, "Only one auth mechanism allowed; only the "
		    "X-Amz-Algorithm query parameter or the Authorization header should be "
		    "specified.");
	if (!in_header && !in_query)
		return refuse(&w, SIGV4_NONE, "Request is missing Authentication Token.");
	res = in_header ? read_header_claim(r, &c, &w) : read_query_claim(r, &c, &w);
	if (res == SIGV4_OK && (res = check_signed(r, &c, &w)) == SIGV4_OK)
		res = check_times(&c, wall_ms, &w);
	if (res == SIGV4_OK)
		*ret = c;
	return res;
}
