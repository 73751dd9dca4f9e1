/*
 * s3.h - one request of an S3 server: libcurl carries it, sigv4.h signs it.  For jobs: every
 * call may block, for as long as its session has time.
 *
 * Path style: <url>/<bucket>/<key>.  Redirects are not followed, proxies and .netrc of the
 * environment are not used, a server's certificate is always checked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/clock.h"
#include "common/objects.h"
#include "common/s3_credentials.h"

#define S3_LIST_MAX	(4u << 20)	/* bytes of one page of a listing */
#define S3_PAGE		1000		/* keys in a page, unless the server gives fewer */
#define S3_TOKEN_MAX	1023		/* bytes of a page's token */
#define S3_CODE_MAX	63

struct s3_conf {			/* borrowed; fixed after start */
	const char		*url;		/* "https://host[:port]", no path */
	const char		*bucket, *region;
	const char		*ca;		/* empty: the system's certificates */
	const char		*credentials_file;	/* empty: the environment */
	const struct clock	*clock;
	uint64_t		 timeout_ms;	/* of one call of the table, all its requests */
	unsigned		 page;
};
/* -EINVAL with a sentence: not such a URL or name of a bucket. */
int	 s3_conf_check(const struct s3_conf *c, char *why, size_t size) MUST_CHECK;

struct s3_session {			/* the requests of one call share a connection */
	const struct s3_conf		*conf;
	void				*curl;
	uint64_t			 until_ms;
	struct s3_credentials		 credentials;
};
/* OBJECT_OK, or why nothing can be asked.  Close it then too. */
enum object_result s3_open(struct s3_session *s, const struct s3_conf *conf,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
void	 s3_close(struct s3_session *s);

struct s3_request {
	const char			*method;	/* GET, HEAD, PUT, DELETE */
	const char			*key;		/* NULL: the bucket's own */
	const char			*query;		/* encoded; "" */
	const struct object_info	*meta;		/* PUT: sent as x-amz-meta-*; else NULL */
	const void			*body;		/* PUT */
	size_t				 body_len;
	bool				 first_byte;	/* GET: no more than that */
	bool				 may_repeat;	/* after a failure that may pass */
};
struct s3_answer {
	long			 status;
	char			 code[S3_CODE_MAX + 1];	/* S3's word for a failure; empty */
	struct object_info	 info;			/* metadata, size, time */
	struct buf		*body;		/* of a success; NULL: passed over */
	struct buf		 error;			/* of a failure; ours */
	bool			 has_bad_meta;
};
/*
 * Sends r; repeats it up to S3_TRIES times if it may be.  ret->body is set by the caller, empty
 * with its ceiling; more is OBJECT_REFUSED.  A request that may have been done: OBJECT_UNKNOWN.
 */
enum object_result s3_send(struct s3_session *s, const struct s3_request *r,
    struct s3_answer *ret, char why[static JSON_WHY_MAX]) MUST_CHECK;

/* A value in a query, percent-encoded. */
int	 s3_query_add(struct buf *query, const char *name, const char *value) MUST_CHECK;

/* ---- s3_list.c: a page of ListObjectsV2, pure ---- */

struct s3_page {
	bool	 is_truncated;
	char	 token[S3_TOKEN_MAX + 1];	/* of the next page, when it is truncated */
};
/* fn gets key, size and time of each; false ends with -ENOMEM. */
typedef bool s3_listed_fn(void *arg, const struct object_info *o);
/* -EINVAL with a sentence: not such a page, or a key or time in it that is none. */
int	 s3_page_read(const void *p, size_t n, s3_listed_fn *fn, void *arg, struct s3_page *ret,
    char why[static JSON_WHY_MAX]) MUST_CHECK;
/* The words of <name> in an error's document: cut at size, nothing unprintable. */
void	 s3_error_word(const struct buf *b, const char *name, char *ret, size_t size);
