/*
 * sigv4.h - AWS Signature Version 4 (AWS4-HMAC-SHA256): the canonical request, the signature,
 * and both directions: gwd checks with it, the S3 store signs with it.
 * Source: "AWS Signature Version 4 for API requests", AWS IAM User Guide.  Pure; any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

#define SIGV4_HEX	64	/* hexadecimal digits of a SHA-256 */
#define SIGV4_SKEW_MS	(15 * 60 * 1000)
#define SIGV4_EXPIRES_MAX_S	604800
#define SIGV4_CANONICAL_MAX	(1024 * 1024)

struct sigv4_header {		/* as received, any case, values untrimmed */
	const char	*name, *value;
};
struct sigv4_request {
	const char			*method;	/* "POST" */
	const char			*path;		/* as sent, percent-encoded, no query */
	const char			*query;		/* as sent, without '?'; "" */
	const struct sigv4_header	*headers;
	size_t				 nheaders;
	const char			*payload_sha256;	/* of the body in hex, or
							   "UNSIGNED-PAYLOAD" */
	bool				 double_encode;	/* path: true but for S3 */
};

/* What a request says of itself, from its Authorization header or its query. */
struct sigv4_claim {
	char		 access_key[129];
	char		 date[9];		/* of the scope: YYYYMMDD */
	char		 region[65], service[65];
	char		 signed_headers[1025];	/* lower case, ';' between */
	char		 signature[SIGV4_HEX + 1];
	char		 timestamp[17];		/* YYYYMMDDTHHMMSSZ */
	uint64_t	 timestamp_ms;
	uint64_t	 expires_s;		/* presigned; 0: not */
	bool		 presigned;
	bool		 has_token;		/* a session token is there */
};
enum sigv4_result {
	SIGV4_OK,
	SIGV4_NONE,		/* no signature at all */
	SIGV4_INCOMPLETE,	/* malformed; a sentence in why */
	SIGV4_EXPIRED,		/* outside the skew, or presigned and over; times in why */
	SIGV4_MISMATCH,
	SIGV4_TOO_LARGE,
	SIGV4_RESULTS
};

/* Reads the claim; checks forms, that host and x-amz-* headers are signed, and the times. */
enum sigv4_result sigv4_claim_read(const struct sigv4_request *r, uint64_t wall_ms,
    struct sigv4_claim *ret, char *why, size_t why_size) MUST_CHECK;
/* Compares in constant time.  key is sigv4_signing_key(secret, date, region, service).
 * SIGV4_TOO_LARGE: also without memory. */
enum sigv4_result sigv4_verify(const struct sigv4_request *r, const struct sigv4_claim *c,
    const uint8_t key[static 32]) MUST_CHECK;
int	 sigv4_signing_key(const char *secret, const char *date, const char *region,
    const char *service, uint8_t ret[static 32]) MUST_CHECK;
/* The value of x-amz-date at wall_ms. */
int	 sigv4_timestamp(uint64_t wall_ms, char ret[static 17]) MUST_CHECK;
/* The Authorization header's value for r at wall_ms, signing every header given (host,
 * x-amz-date, x-amz-content-sha256 must be among them). */
int	 sigv4_sign(const struct sigv4_request *r, const char *access_key, const char *secret,
    const char *region, const char *service, uint64_t wall_ms, struct buf *ret) MUST_CHECK;
/* The canonical request, for tests and logs.  -ENOENT: a signed header is not there. */
int	 sigv4_canonical(const struct sigv4_request *r, const char *signed_headers,
    bool presigned, struct buf *ret) MUST_CHECK;
void	 sigv4_sha256_hex(const void *p, size_t n, char ret[static SIGV4_HEX + 1]);
