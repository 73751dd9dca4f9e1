#include "common/s3_credentials.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"

#define FILE_MAX	65536

struct words {
	const char	*p;
	size_t		 n;
};

static struct words
trim(const char *p, size_t n)
{
	while (n > 0 && (p[0] == ' ' || p[0] == '\t'))
		p++, n--;
	while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
		n--;
	return (struct words){ p, n };
}

static bool
is(struct words w, const char *text)
{
	return w.n == strlen(text) && memcmp(w.p, text, w.n) == 0;
}

/* No header can carry anything unprintable. */
static int
take(struct words w, char *ret, size_t size)
{
	if (w.n >= size)
		return -EINVAL;
	for (size_t i = 0; i < w.n; i++)
		if (w.p[i] <= ' ' || w.p[i] > '~')
			return -EINVAL;
	memcpy(ret, w.p, w.n);
	ret[w.n] = '\0';
	return 0;
}

static int
line(struct words w, struct s3_credentials *c)
{
	const char *eq = w.n ? memchr(w.p, '=', w.n) : NULL;
	struct words name, value;

	if (!eq)
		return 0;
	name = trim(w.p, (size_t)(eq - w.p));
	value = trim(eq + 1, (size_t)(w.p + w.n - eq - 1));
	if (is(name, "aws_access_key_id"))
		return take(value, c->key_id, sizeof(c->key_id));
	if (is(name, "aws_secret_access_key"))
		return take(value, c->secret, sizeof(c->secret));
	if (is(name, "aws_session_token"))
		return take(value, c->token, sizeof(c->token));
	return 0;
}

int
s3_credentials_parse(const char *text, struct s3_credentials *ret)
{
	struct s3_credentials c = { 0 };
	bool is_ours = true;
	int r = 0;

	while (r == 0 && *text) {
		const size_t n = strcspn(text, "\n");
		const struct words w = trim(text, n);

		if (w.n > 0 && w.p[0] == '[')
			is_ours = is(w, "[default]");
		else if (is_ours && w.n > 0 && w.p[0] != '#')
			r = line(w, &c);
		text += n + (text[n] == '\n');
	}
	if (r == 0 && (!c.key_id[0] || !c.secret[0]))
		r = -EINVAL;
	if (r == 0)
		*ret = c;
	explicit_bzero(&c, sizeof(c));
	return r;
}

static int
from_file(const char *path, struct s3_credentials *ret, char *why, size_t size)
{
	AUTO(buf) struct buf b = BUF_EMPTY(FILE_MAX);
	int r = file_read_private(path, &b);

	if (r == -EPERM)
		snprintf(why, size, "%s: expected a file of its reader's or root's that nobody else "
		    "can read", path);
	else if (r < 0)
		snprintf(why, size, "%s: %s", path, strerrordesc_np(-r));
	else if ((r = s3_credentials_parse(buf_text(&b), ret)) < 0)
		snprintf(why, size, "%s: expected aws_access_key_id and aws_secret_access_key in its "
		    "section default", path);
	if (b.data)
		explicit_bzero(b.data, b.len);
	return r;
}

static int
from_environment(struct s3_credentials *ret, char *why, size_t size)
{
	static const char *const names[] = {
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
	};
	struct s3_credentials c = { 0 };
	char *const to[] = { c.key_id, c.secret, c.token };
	const size_t room[] = { sizeof(c.key_id), sizeof(c.secret), sizeof(c.token) };
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(names) && r == 0; i++) {
		const char *value = getenv(names[i]);

		if (value)
			r = take(trim(value, strlen(value)), to[i], room[i]);
	}
	if (r == 0 && (!c.key_id[0] || !c.secret[0]))
		r = -EINVAL;
	if (r < 0)
		snprintf(why, size, "expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the "
		    "environment, or credentials_file in [objects]");
	else
		*ret = c;
	explicit_bzero(&c, sizeof(c));
	return r;
}

int
s3_credentials_load(const char *path, struct s3_credentials *ret, char *why, size_t size)
{
	return path[0] ? from_file(path, ret, why, size) : from_environment(ret, why, size);
}
