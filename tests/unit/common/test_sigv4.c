#include "common/sigv4.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADERS	8

struct vector {
	const char		*name, *method, *path, *query;
	struct sigv4_header	 headers[HEADERS];	/* Authorization is the last, if any */
	size_t			 nheaders;
	const char		*body;
	size_t			 body_len;
	const char		*service, *region, *access_key, *secret;
	bool			 presigned;
};
#include "sigv4_vectors.h"

#define NOW_MS	1793322123000ull	/* 2026-10-30T01:02:03Z, when the vectors were signed */
#define AUTHORIZATION(v)	((v)->headers[(v)->nheaders - 1].value)

static struct sigv4_request
request_of(const struct vector *v, char sha256[static SIGV4_HEX + 1])
{
	sigv4_sha256_hex(v->body, v->body_len, sha256);
	return (struct sigv4_request){ .method = v->method, .path = v->path, .query = v->query,
	    .headers = v->headers, .nheaders = v->nheaders, .payload_sha256 = sha256,
	    .double_encode = strcmp(v->service, "s3") != 0 };
}

static enum sigv4_result
check_request(const struct sigv4_request *r, const char *secret, uint64_t wall_ms, char *why,
    size_t why_size)
{
	struct sigv4_claim c;
	uint8_t key[32];
	enum sigv4_result res = sigv4_claim_read(r, wall_ms, &c, why, why_size);

	if (res != SIGV4_OK)
		return res;
	ck_assert_int_eq(sigv4_signing_key(secret, c.date, c.region, c.service, key), 0);
	return sigv4_verify(r, &c, key);
}

static enum sigv4_result
check_vector(const struct vector *v, uint64_t wall_ms)
{
	char sha256[SIGV4_HEX + 1], why[256];
	const struct sigv4_request r = request_of(v, sha256);

	return check_request(&r, v->secret, wall_ms, why, sizeof(why));
}

START_TEST(what_botocore_signed_is_accepted)
{
	const struct vector *v = &vectors[_i];

	ck_assert_msg(check_vector(v, NOW_MS) == SIGV4_OK, "%s: %s", v->name, v->query);
}
END_TEST

START_TEST(what_we_sign_is_what_botocore_signs)
{
	const struct vector *v = &vectors[_i];
	AUTO(buf) struct buf out = BUF_EMPTY(4096);
	char sha256[SIGV4_HEX + 1];
	struct sigv4_request r = request_of(v, sha256);

	if (v->presigned)
		return;		/* we only sign by header */
	r.nheaders--;		/* all but the Authorization */
	ck_assert_int_eq(sigv4_sign(&r, v->access_key, v->secret, v->region, v->service, NOW_MS,
	    &out), 0);
	ck_assert_str_eq(buf_text(&out), AUTHORIZATION(v));
}
END_TEST

START_TEST(a_changed_byte_anywhere_is_refused)
{
	const struct vector *v = &vectors[_i];
	struct vector w = *v;
	AUTO(str) char *body = malloc(v->body_len + 2);

	ck_assert_ptr_nonnull(body);
	memcpy(body, v->body, v->body_len);
	memcpy(body + v->body_len, "x", 2);
	w.body = body;
	w.body_len = v->body_len + 1;
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
	w = *v;
	w.method = "DELETE";
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
	w = *v;
	w.path = "/other";
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
	w = *v;
	w.headers[0].value = "evil.example.com";
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
	w = *v;
	w.secret = "another";
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
	w = *v;
	AUTO(str) char *query = NULL;
	ck_assert_int_gt(asprintf(&query, "%s%sq=1", v->query, *v->query ? "&" : ""), 0);
	w.query = query;
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
}
END_TEST

/* ---- AWS's published examples: the suite's key and date ---- */

static const char suite_key[] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
#define SUITE_MS	1440938160000ull	/* 2015-08-30T12:36:00Z */

struct published {
	const char		*name, *method, *path, *query, *body;
	struct sigv4_header	 extra;
	const char		*signature;
};
static const struct published published[] = {
	{ "get-vanilla", "GET", "/", "", "", { NULL, NULL },
	  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
	{ "get-vanilla-query-order-key-case", "GET", "/", "Param2=value2&Param1=value1", "",
	  { NULL, NULL }, "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500" },
	{ "get-utf8", "GET", "/\xe1\x88\xb4", "", "", { NULL, NULL },
	  "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85" },
	{ "get-slashes", "GET", "//", "", "", { NULL, NULL },
	  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
	{ "get-relative-relative", "GET", "/example1/example2/../..", "", "", { NULL, NULL },
	  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
	{ "post-vanilla", "POST", "/", "", "", { NULL, NULL },
	  "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
	{ "post-x-www-form-urlencoded", "POST", "/", "", "Param1=value1",
	  { "Content-Type", "application/x-www-form-urlencoded" },
	  "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a" },
};

START_TEST(a_published_vector_has_its_published_signature)
{
	const struct published *p = &published[_i];
	AUTO(buf) struct buf out = BUF_EMPTY(4096);
	const struct sigv4_header headers[] = {
		{ "Host", "example.amazonaws.com" }, { "X-Amz-Date", "20150830T123600Z" },
		p->extra,
	};
	char sha256[SIGV4_HEX + 1];
	const struct sigv4_request r = { p->method, p->path, p->query, headers,
	    p->extra.name ? 3 : 2, sha256, true };

	sigv4_sha256_hex(p->body, strlen(p->body), sha256);
	ck_assert_int_eq(sigv4_sign(&r, "AKIDEXAMPLE", suite_key, "us-east-1", "service",
	    SUITE_MS, &out), 0);
	ck_assert_msg(strstr(buf_text(&out), p->signature) != NULL, "%s: %s", p->name,
	    buf_text(&out));
}
END_TEST

START_TEST(the_documented_signing_key_is_derived)
{
	static const uint8_t want[32] = {
		0xc4, 0xaf, 0xb1, 0xcc, 0x57, 0x71, 0xd8, 0x71, 0x76, 0x3a, 0x39, 0x3e, 0x44, 0xb7,
		0x03, 0x57, 0x1b, 0x55, 0xcc, 0x28, 0x42, 0x4d, 0x1a, 0x5e, 0x86, 0xda, 0x6e, 0xd3,
		0xc1, 0x54, 0xa4, 0xb9 };
	uint8_t key[32];

	ck_assert_int_eq(sigv4_signing_key("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "20150830",
	    "us-east-1", "iam", key), 0);
	ck_assert_mem_eq(key, want, sizeof(want));
}
END_TEST

/* ---- what a request says of itself ---- */

#define CREDENTIAL	"Credential=AKID/20261030/us-east-1/ec2/aws4_request"
#define SIGNATURE	"Signature=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEADERS_SIGNED	"SignedHeaders=host;x-amz-date"

struct form {
	const char		*authorization;
	enum sigv4_result	 want;
};
static const struct form forms[] = {
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE, SIGV4_OK },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL "," HEADERS_SIGNED "," SIGNATURE, SIGV4_OK },
	{ "AWS4-HMAC-SHA256   " SIGNATURE "  ,\t" HEADERS_SIGNED " , " CREDENTIAL " ", SIGV4_OK },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL " " HEADERS_SIGNED " " SIGNATURE, SIGV4_OK },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", SignedHeaders=Host;X-Amz-Date, " SIGNATURE, SIGV4_OK },
	{ "", SIGV4_INCOMPLETE },
	{ "Basic dXNlcjpwYXNz", SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256", SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256X " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-ECDSA-P256-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE,
	  SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " HEADERS_SIGNED ", " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE,
	  SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE ", Other=1",
	  SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", Signature=0123", SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", SignedHeaders=x-amz-date, " SIGNATURE,
	  SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", SignedHeaders=host, " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 " CREDENTIAL ", SignedHeaders=host;;x-amz-date, " SIGNATURE,
	  SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 Credential=AKID/20261030/us-east-1/aws4_request, " HEADERS_SIGNED ", "
	  SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 Credential=/20261030/us-east-1/ec2/aws4_request, " HEADERS_SIGNED ", "
	  SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 Credential=AKID/20261030/us-east-1/ec2/aws3_request, " HEADERS_SIGNED
	  ", " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 Credential=AKID/2026103x/us-east-1/ec2/aws4_request, " HEADERS_SIGNED
	  ", " SIGNATURE, SIGV4_INCOMPLETE },
	{ "AWS4-HMAC-SHA256 Credential=AKID/20261029/us-east-1/ec2/aws4_request, " HEADERS_SIGNED
	  ", " SIGNATURE, SIGV4_MISMATCH },
};

static enum sigv4_result
read_with(const char *authorization, const char *date_name, const char *date, uint64_t now_ms,
    char *why, size_t size)
{
	const struct sigv4_header headers[] = {
		{ "Host", "h" }, { date_name, date }, { "Authorization", authorization },
	};
	const struct sigv4_request r = { "POST", "/", "", headers, 3, "", true };
	struct sigv4_claim c;

	return sigv4_claim_read(&r, now_ms, &c, why, size);
}

START_TEST(an_authorization_header_is_read_in_every_form_that_aws_takes)
{
	char why[256];

	ck_assert_msg(read_with(forms[_i].authorization, "X-Amz-Date", "20261030T010203Z", NOW_MS,
	    why, sizeof(why)) == forms[_i].want, "%s: %s", forms[_i].authorization, why);
	ck_assert_int_eq(*why == '\0', forms[_i].want == SIGV4_OK);
}
END_TEST

struct moment {
	const char		*name, *date;
	int64_t			 offset_ms;
	enum sigv4_result	 want;
};
static const struct moment moments[] = {
	{ "X-Amz-Date", "20261030T010203Z", SIGV4_SKEW_MS, SIGV4_OK },
	{ "X-Amz-Date", "20261030T010203Z", SIGV4_SKEW_MS + 1000, SIGV4_EXPIRED },
	{ "X-Amz-Date", "20261030T010203Z", -SIGV4_SKEW_MS, SIGV4_OK },
	{ "X-Amz-Date", "20261030T010203Z", -SIGV4_SKEW_MS - 1000, SIGV4_EXPIRED },
	{ "X-Amz-Date", "20261030T010203", 0, SIGV4_INCOMPLETE },
	{ "X-Amz-Date", "20261030T010203Z1", 0, SIGV4_INCOMPLETE },
	{ "X-Amz-Date", "20261330T010203Z", 0, SIGV4_INCOMPLETE },
	{ "X-Amz-Date", "2026-10-30T01:02:03Z", 0, SIGV4_INCOMPLETE },
	{ "X-Amz-Date", "99999999T999999Z", 0, SIGV4_INCOMPLETE },
	{ "X-Amz-Date", "", 0, SIGV4_INCOMPLETE },
};

START_TEST(a_time_outside_a_quarter_of_an_hour_is_expired_and_both_times_are_named)
{
	const struct moment *m = &moments[_i];
	char why[256];
	const enum sigv4_result res = read_with("AWS4-HMAC-SHA256 " CREDENTIAL ", "
	    HEADERS_SIGNED ", " SIGNATURE, m->name, m->date,
	    (uint64_t)((int64_t)NOW_MS + m->offset_ms), why, sizeof(why));

	ck_assert_msg(res == m->want, "%s: %s", m->date, why);
	if (m->want == SIGV4_EXPIRED) {
		ck_assert_ptr_nonnull(strstr(why, "20261030T010203Z"));
		ck_assert_ptr_nonnull(strstr(why, m->offset_ms > 0 ? "20261030T011704Z" :
		    "20261030T004702Z"));
	}
}
END_TEST

START_TEST(a_date_header_stands_in_for_x_amz_date)
{
	static const char auth[] = "AWS4-HMAC-SHA256 " CREDENTIAL ", SignedHeaders=date;host, "
	    SIGNATURE;
	char why[256];

	ck_assert_int_eq(read_with(auth, "Date", "Fri, 30 Oct 2026 01:02:03 GMT", NOW_MS, why,
	    sizeof(why)), SIGV4_OK);
	ck_assert_int_eq(read_with(auth, "Date", "20261030T010203Z", NOW_MS, why, sizeof(why)),
	    SIGV4_OK);
	ck_assert_int_eq(read_with(auth, "Date", "yesterday", NOW_MS, why, sizeof(why)),
	    SIGV4_INCOMPLETE);
	ck_assert_int_eq(read_with(auth, "Other", "20261030T010203Z", NOW_MS, why, sizeof(why)),
	    SIGV4_INCOMPLETE);
}
END_TEST

START_TEST(a_presigned_request_ends_when_it_says)
{
	const struct vector *v = NULL;

	for (size_t i = 0; i < ARRAY_LEN(vectors); i++)
		if (!strcmp(vectors[i].name, "presigned"))
			v = &vectors[i];
	ck_assert_ptr_nonnull(v);
	ck_assert_int_eq(check_vector(v, NOW_MS + 300 * 1000), SIGV4_OK);
	ck_assert_int_eq(check_vector(v, NOW_MS + 301 * 1000), SIGV4_EXPIRED);
	ck_assert_int_eq(check_vector(v, NOW_MS - SIGV4_SKEW_MS - 1000), SIGV4_EXPIRED);
}
END_TEST

#define PRESIGNED "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20261030%2Fus-east-1" \
    "%2Fec2%2Faws4_request&X-Amz-Date=20261030T010203Z&X-Amz-SignedHeaders=host"
#define QUERY_SIGNATURE "X-Amz-" SIGNATURE

struct query_form {
	const char		*query;
	enum sigv4_result	 want;
};
static const struct query_form query_forms[] = {
	{ PRESIGNED "&X-Amz-Expires=1&" QUERY_SIGNATURE, SIGV4_OK },
	{ PRESIGNED "&X-Amz-Expires=604800&" QUERY_SIGNATURE, SIGV4_OK },
	{ PRESIGNED "&X-Amz-Expires=604801&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=0&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=-1&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=1", SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=1&X-Amz-Expires=1&" QUERY_SIGNATURE, SIGV4_INCOMPLETE },
	{ PRESIGNED "&X-Amz-Expires=1&X-Amz-Signature=%0", SIGV4_INCOMPLETE },
	{ "Action=X", SIGV4_NONE },
	{ "", SIGV4_NONE },
};

START_TEST(a_presigned_query_is_whole_or_incomplete)
{
	const struct sigv4_header host = { "Host", "h" };
	const struct sigv4_request r = { "GET", "/", query_forms[_i].query, &host, 1, "", true };
	struct sigv4_claim c;
	char why[256];

	ck_assert_msg(sigv4_claim_read(&r, NOW_MS, &c, why, sizeof(why)) == query_forms[_i].want,
	    "%s: %s", query_forms[_i].query, why);
}
END_TEST

START_TEST(two_ways_to_sign_at_once_are_refused)
{
	const struct sigv4_header headers[] = { { "Host", "h" },
	    { "X-Amz-Date", "20261030T010203Z" },
	    { "Authorization", "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE },
	    { "authorization", "AWS4-HMAC-SHA256 " CREDENTIAL ", " HEADERS_SIGNED ", " SIGNATURE },
	};
	struct sigv4_request r = { "GET", "/", PRESIGNED "&X-Amz-Expires=1&" QUERY_SIGNATURE,
	    headers, 3, "", true };
	struct sigv4_claim c;
	char why[256];

	ck_assert_int_eq(sigv4_claim_read(&r, NOW_MS, &c, why, sizeof(why)), SIGV4_INCOMPLETE);
	r.query = "";
	ck_assert_int_eq(sigv4_claim_read(&r, NOW_MS, &c, why, sizeof(why)), SIGV4_OK);
	r.nheaders = 4;
	ck_assert_int_eq(sigv4_claim_read(&r, NOW_MS, &c, why, sizeof(why)), SIGV4_INCOMPLETE);
}
END_TEST

START_TEST(a_signed_header_that_is_not_there_is_a_mismatch)
{
	struct vector w = vectors[0];

	w.headers[1].name = "X-Content-Type";
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_MISMATCH);
}
END_TEST

START_TEST(a_canonical_request_beyond_its_ceiling_is_too_large)
{
	struct vector w = vectors[0];
	AUTO(str) char *query = malloc(SIGV4_CANONICAL_MAX + 1);

	ck_assert_ptr_nonnull(query);
	memset(query, '/', SIGV4_CANONICAL_MAX);	/* three bytes each when encoded */
	query[SIGV4_CANONICAL_MAX] = '\0';
	w.query = query;
	ck_assert_int_eq(check_vector(&w, NOW_MS), SIGV4_TOO_LARGE);
}
END_TEST

int
main(void)
{
	Suite *s = suite_create("sigv4");
	TCase *t = tcase_create("sigv4");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(t, what_botocore_signed_is_accepted, 0, (int)ARRAY_LEN(vectors));
	tcase_add_loop_test(t, what_we_sign_is_what_botocore_signs, 0, (int)ARRAY_LEN(vectors));
	tcase_add_loop_test(t, a_changed_byte_anywhere_is_refused, 0, (int)ARRAY_LEN(vectors));
	tcase_add_loop_test(t, a_published_vector_has_its_published_signature, 0,
	    (int)ARRAY_LEN(published));
	tcase_add_test(t, the_documented_signing_key_is_derived);
	tcase_add_loop_test(t, an_authorization_header_is_read_in_every_form_that_aws_takes, 0,
	    (int)ARRAY_LEN(forms));
	tcase_add_loop_test(t,
	    a_time_outside_a_quarter_of_an_hour_is_expired_and_both_times_are_named, 0,
	    (int)ARRAY_LEN(moments));
	tcase_add_test(t, a_date_header_stands_in_for_x_amz_date);
	tcase_add_test(t, a_presigned_request_ends_when_it_says);
	tcase_add_loop_test(t, a_presigned_query_is_whole_or_incomplete, 0,
	    (int)ARRAY_LEN(query_forms));
	tcase_add_test(t, two_ways_to_sign_at_once_are_refused);
	tcase_add_test(t, a_signed_header_that_is_not_there_is_a_mismatch);
	tcase_add_test(t, a_canonical_request_beyond_its_ceiling_is_too_large);
	suite_add_tcase(s, t);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
