/* What an S3 server is told and what it says, without one. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/s3.h"
#include "tests/unit/unit.h"

struct seen {
	size_t			 n;
	struct object_info	 v[4];
};

static bool
note(void *arg, const struct object_info *o)
{
	struct seen *s = arg;

	if (s->n == ARRAY_LEN(s->v))
		return false;
	s->v[s->n++] = *o;
	return true;
}

#define HEAD	"<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
#define OBJECT(key, time)	"<Contents><Key>" key "</Key><LastModified>" time		\
				"</LastModified><Size>17</Size></Contents>"
#define TIME	"2026-11-29T22:10:15.250Z"

static int
page(const char *text, struct seen *seen, struct s3_page *ret)
{
	char why[JSON_WHY_MAX] = "";
	int r = s3_page_read(text, strlen(text), note, seen, ret, why);

	ck_assert_msg((r == -EINVAL) == (why[0] != '\0'), "%d with \"%s\"", r, why);
	return r;
}

START_TEST(a_page_has_keys_sizes_and_times_and_says_where_to_go_on)
{
	struct seen s = { 0 };
	struct s3_page p;

	ck_assert_int_eq(page(HEAD "<IsTruncated>true</IsTruncated>" OBJECT("uefi/i-1/a", TIME)
	    OBJECT("uefi/i-1/b", "2026-11-29T22:10:15Z")
	    "<NextContinuationToken>a/=+&amp;</NextContinuationToken></ListBucketResult>", &s, &p), 0);
	ck_assert_uint_eq(s.n, 2);
	ck_assert_str_eq(s.v[0].key, "uefi/i-1/a");
	ck_assert_uint_eq(s.v[0].bytes, 17);
	ck_assert_uint_eq(s.v[0].written_ms % 1000, 250);
	ck_assert_uint_eq(s.v[1].written_ms + 250, s.v[0].written_ms);
	ck_assert(p.is_truncated);
	ck_assert_str_eq(p.token, "a/=+&");
}
END_TEST

START_TEST(an_object_without_a_time_has_none)
{
	struct seen s = { 0 };
	struct s3_page p;

	ck_assert_int_eq(page(HEAD "<IsTruncated>false</IsTruncated><Contents><Key>a</Key>"
	    "<Size>0</Size></Contents></ListBucketResult>", &s, &p), 0);
	ck_assert_uint_eq(s.n, 1);
	ck_assert_uint_eq(s.v[0].written_ms, 0);
	ck_assert(!p.is_truncated);
}
END_TEST

static const char *const bad_pages[] = {
	"",
	"no document",
	"<Error><Code>NoSuchBucket</Code></Error>",
	HEAD "</ListBucketResult>",				/* whole or not? */
	HEAD "<IsTruncated>true</IsTruncated></ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated>" OBJECT("../x", TIME) "</ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated>" OBJECT("", TIME) "</ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated>" OBJECT("a", "yesterday") "</ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated><Contents><Key>a</Key><Size>-1</Size></Contents>"
	    "</ListBucketResult>",
	"<!DOCTYPE l [<!ENTITY a \"aaaa\">]><ListBucketResult><IsTruncated>false</IsTruncated>"
	    "</ListBucketResult>",
	HEAD "<IsTruncated>false</IsTruncated>" OBJECT("a", TIME),	/* cut off */
};

START_TEST(what_is_no_page_is_refused_with_a_sentence)
{
	struct s3_page p = { .is_truncated = true };
	struct seen s = { 0 };

	ck_assert_int_eq(page(bad_pages[_i], &s, &p), -EINVAL);
	ck_assert(p.is_truncated);		/* untouched */
}
END_TEST

START_TEST(a_page_whose_objects_nobody_takes_has_no_memory)
{
	struct seen s = { .n = ARRAY_LEN(s.v) };
	struct s3_page p;

	ck_assert_int_eq(page(HEAD "<IsTruncated>false</IsTruncated>" OBJECT("a", TIME)
	    "</ListBucketResult>", &s, &p), -ENOMEM);
}
END_TEST

START_TEST(an_errors_words_are_cut_and_printable)
{
	AUTO(buf) struct buf b = BUF_EMPTY(1024);
	char word[8] = "before";

	ck_assert_int_eq(buf_add_str(&b, "<Error><Code>AccessDenied</Code><Message>a\nb\xc3\xa9"
	    "</Message></Error>"), 0);
	s3_error_word(&b, "Code", word, sizeof(word));
	ck_assert_str_eq(word, "AccessD");
	s3_error_word(&b, "Message", word, sizeof(word));
	ck_assert_str_eq(word, "a?b??");
	s3_error_word(&b, "Resource", word, sizeof(word));
	ck_assert_str_eq(word, "");
	buf_deinit(&b);
	s3_error_word(&b, "Code", word, sizeof(word));
	ck_assert_str_eq(word, "");
}
END_TEST

START_TEST(a_querys_values_are_encoded)
{
	AUTO(buf) struct buf q = BUF_EMPTY(256);

	ck_assert_int_eq(s3_query_add(&q, "continuation-token", "a/=+& \xc3\xa9~"), 0);
	ck_assert_int_eq(s3_query_add(&q, "list-type", "2"), 0);
	ck_assert_str_eq(buf_text(&q), "continuation-token=a%2F%3D%2B%26%20%C3%A9~&list-type=2");
}
END_TEST

static const struct {
	const char	*url, *bucket;
	bool		 is_good;
} confs[] = {
	{ "https://s3.example:9000", "spinifex", true },
	{ "http://[::1]:9000", "abc", true },
	{ "", "spinifex", false },
	{ "s3.example", "spinifex", false },
	{ "ftp://s3.example", "spinifex", false },
	{ "https://s3.example/path", "spinifex", false },
	{ "https://user@s3.example", "spinifex", false },
	{ "https://s3.example", "", false },
	{ "https://s3.example", "ab", false },
	{ "https://s3.example", "Upper", false },
	{ "https://s3.example", "a/b", false },
};

START_TEST(a_url_has_a_host_alone_and_a_bucket_its_form)
{
	const struct s3_conf c = { .url = confs[_i].url, .bucket = confs[_i].bucket };
	char why[256] = "";

	ck_assert_int_eq(s3_conf_check(&c, why, sizeof(why)), confs[_i].is_good ? 0 : -EINVAL);
	ck_assert((why[0] != '\0') == !confs[_i].is_good);
}
END_TEST

/* ---- credentials ---- */

START_TEST(credentials_are_those_of_the_section_default)
{
	struct s3_credentials c = { 0 };

	ck_assert_int_eq(s3_credentials_parse("[other]\naws_access_key_id=X\n# a comment\n\n"
	    "[default]\r\n aws_access_key_id = AKIA1 \r\naws_secret_access_key=a/b+c=\r\n"
	    "region = eu-north-1\naws_session_token = T\n[more]\naws_session_token = U\n", &c), 0);
	ck_assert_str_eq(c.key_id, "AKIA1");
	ck_assert_str_eq(c.secret, "a/b+c=");
	ck_assert_str_eq(c.token, "T");
}
END_TEST

static const char *const bad_credentials[] = {
	"",
	"[default]\naws_access_key_id = A\n",
	"[other]\naws_access_key_id = A\naws_secret_access_key = B\n",
	"[default]\naws_access_key_id = A B\naws_secret_access_key = B\n",
	"[default]\naws_access_key_id =\naws_secret_access_key = B\n",
	"[default]\naws_access_key_id = A\x01\naws_secret_access_key = B\n",
};

START_TEST(credentials_that_are_not_whole_are_refused)
{
	struct s3_credentials c = { .key_id = "before" };

	ck_assert_int_eq(s3_credentials_parse(bad_credentials[_i], &c), -EINVAL);
	ck_assert_str_eq(c.key_id, "before");
}
END_TEST

START_TEST(a_file_that_others_may_read_is_refused_and_the_environment_serves_without_one)
{
	char path[] = "/tmp/s3-XXXXXX", why[256] = "";
	struct s3_credentials c = { 0 };
	static const char text[] = "aws_access_key_id=F\naws_secret_access_key=G\n";
	AUTO(fd) int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, 0640), 0);
	ck_assert_int_eq(s3_credentials_load(path, &c, why, sizeof(why)), -EPERM);
	ck_assert_ptr_nonnull(strstr(why, path));
	ck_assert_int_eq(fchmod(fd, 0600), 0);
	ck_assert_int_eq(s3_credentials_load(path, &c, why, sizeof(why)), 0);
	ck_assert_str_eq(c.key_id, "F");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(s3_credentials_load(path, &c, why, sizeof(why)), -ENOENT);
	unsetenv("AWS_SECRET_ACCESS_KEY");
	setenv("AWS_ACCESS_KEY_ID", "E", 1);
	ck_assert_int_eq(s3_credentials_load("", &c, why, sizeof(why)), -EINVAL);
	setenv("AWS_SECRET_ACCESS_KEY", "S", 1);
	ck_assert_int_eq(s3_credentials_load("", &c, why, sizeof(why)), 0);
	ck_assert_str_eq(c.key_id, "E");
	ck_assert_str_eq(c.secret, "S");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("s3");

	tcase_add_test(tc, a_page_has_keys_sizes_and_times_and_says_where_to_go_on);
	tcase_add_test(tc, an_object_without_a_time_has_none);
	tcase_add_loop_test(tc, what_is_no_page_is_refused_with_a_sentence, 0,
	    ARRAY_LEN(bad_pages));
	tcase_add_test(tc, a_page_whose_objects_nobody_takes_has_no_memory);
	tcase_add_test(tc, an_errors_words_are_cut_and_printable);
	tcase_add_test(tc, a_querys_values_are_encoded);
	tcase_add_loop_test(tc, a_url_has_a_host_alone_and_a_bucket_its_form, 0, ARRAY_LEN(confs));
	tcase_add_test(tc, credentials_are_those_of_the_section_default);
	tcase_add_loop_test(tc, credentials_that_are_not_whole_are_refused, 0,
	    ARRAY_LEN(bad_credentials));
	tcase_add_test(tc, a_file_that_others_may_read_is_refused_and_the_environment_serves_without_one);
	return unit_run("s3", tc);
}
