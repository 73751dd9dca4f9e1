#include "common/sigv4.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define SHA256_BYTES	32

static void
to_hex(const uint8_t *p, size_t n, char *ret)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		ret[2 * i] = digits[p[i] >> 4];
		ret[2 * i + 1] = digits[p[i] & 15];
	}
	ret[2 * n] = '\0';
}

/* Without a hash there is neither signature nor identity: nothing could go on safely. */
static void
sha256(const void *p, size_t n, uint8_t ret[static SHA256_BYTES])
{
	if (EVP_Digest(p, n, ret, NULL, EVP_sha256(), NULL) != 1) {
		fputs("SHA-256 is not available\n", stderr);
		abort();
	}
}

static void
hmac(const void *key, size_t key_len, const void *p, size_t n, uint8_t ret[static SHA256_BYTES])
{
	if (!HMAC(EVP_sha256(), key, (int)key_len, p, n, ret, NULL)) {
		fputs("HMAC-SHA-256 is not available\n", stderr);
		abort();
	}
}

void
sigv4_sha256_hex(const void *p, size_t n, char ret[static SIGV4_HEX + 1])
{
	uint8_t sum[SHA256_BYTES];

	sha256(p, n, sum);
	to_hex(sum, sizeof(sum), ret);
}

int
sigv4_signing_key(const char *secret, const char *date, const char *region, const char *service,
    uint8_t ret[static 32])
{
	AUTO(buf) struct buf first = BUF_EMPTY(1024);
	uint8_t a[SHA256_BYTES], b[SHA256_BYTES];
	const int r = buf_printf(&first, "AWS4%s", secret);

	if (r < 0)
		return r;
	hmac(first.data, first.len, date, strlen(date), a);
	hmac(a, sizeof(a), region, strlen(region), b);
	hmac(b, sizeof(b), service, strlen(service), a);
	hmac(a, sizeof(a), "aws4_request", strlen("aws4_request"), ret);
	OPENSSL_cleanse(first.data, first.len);
	OPENSSL_cleanse(a, sizeof(a));
	OPENSSL_cleanse(b, sizeof(b));
	return 0;
}

/* The signature over canonical, in hex. */
static int
sign_canonical(const struct buf *canonical, const char *timestamp, const char *date,
    const char *region, const char *service, const uint8_t key[static SHA256_BYTES],
    char ret[static SIGV4_HEX + 1])
{
	AUTO(buf) struct buf text = BUF_EMPTY(4096);
	char digest[SIGV4_HEX + 1];
	uint8_t sum[SHA256_BYTES];
	int r;

	sigv4_sha256_hex(canonical->data, canonical->len, digest);
	if ((r = buf_printf(&text, "AWS4-HMAC-SHA256\n%s\n%s/%s/%s/aws4_request\n%s", timestamp,
	    date, region, service, digest)) < 0)
		return r;
	hmac(key, SHA256_BYTES, text.data, text.len, sum);
	to_hex(sum, sizeof(sum), ret);
	return 0;
}

enum sigv4_result
sigv4_verify(const struct sigv4_request *r, const struct sigv4_claim *c,
    const uint8_t key[static 32])
{
	AUTO(buf) struct buf canonical = BUF_EMPTY(SIGV4_CANONICAL_MAX);
	char signature[SIGV4_HEX + 1];
	const int e = sigv4_canonical(r, c->signed_headers, c->presigned, &canonical);

	if (e < 0)
		return e == -EMSGSIZE || e == -ENOMEM ? SIGV4_TOO_LARGE : SIGV4_MISMATCH;
	if (sign_canonical(&canonical, c->timestamp, c->date, c->region, c->service, key,
	    signature) < 0)
		return SIGV4_TOO_LARGE;
	return CRYPTO_memcmp(signature, c->signature, SIGV4_HEX) ? SIGV4_MISMATCH : SIGV4_OK;
}

static int
compare_names(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every header given, in lower case, sorted, once each. */
static int
list_headers(const struct sigv4_request *r, struct buf *ret)
{
	AUTO(mem) void *mem = calloc(r->nheaders + 1, sizeof(char *));
	const char **names = mem;
	int e = 0;

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i < r->nheaders; i++)
		names[i] = r->headers[i].name;
	qsort(names, r->nheaders, sizeof(*names), compare_names);
	for (size_t i = 0; i < r->nheaders && e == 0; i++)
		if (!i || strcasecmp(names[i], names[i - 1]))
			e = buf_printf(ret, "%s%s", i ? ";" : "", names[i]);
	for (size_t i = 0; i < ret->len; i++)
		if (ret->data[i] >= 'A' && ret->data[i] <= 'Z')
			ret->data[i] = (uint8_t)(ret->data[i] - 'A' + 'a');
	return e;
}

int
sigv4_timestamp(uint64_t wall_ms, char ret[static 17])
{
	const time_t t = (time_t)(wall_ms / 1000);
	struct tm tm;

	return gmtime_r(&t, &tm) && strftime(ret, 17, "%Y%m%dT%H%M%SZ", &tm) == 16 ? 0 : -EINVAL;
}

int
sigv4_sign(const struct sigv4_request *r, const char *access_key, const char *secret,
    const char *region, const char *service, uint64_t wall_ms, struct buf *ret)
{
	AUTO(buf) struct buf names = BUF_EMPTY(4096);
	AUTO(buf) struct buf canonical = BUF_EMPTY(SIGV4_CANONICAL_MAX);
	char timestamp[17], date[9], signature[SIGV4_HEX + 1];
	uint8_t key[SHA256_BYTES];
	int e;

	if ((e = sigv4_timestamp(wall_ms, timestamp)) < 0 || (e = list_headers(r, &names)) < 0)
		return e;
	memcpy(date, timestamp, 8);
	date[8] = '\0';
	if ((e = sigv4_canonical(r, buf_text(&names), false, &canonical)) < 0 ||
	    (e = sigv4_signing_key(secret, date, region, service, key)) < 0)
		return e;
	e = sign_canonical(&canonical, timestamp, date, region, service, key, signature);
	OPENSSL_cleanse(key, sizeof(key));
	if (e < 0)
		return e;
	return buf_printf(ret, "AWS4-HMAC-SHA256 Credential=%s/%s/%s/%s/aws4_request, "
	    "SignedHeaders=%s, Signature=%s", access_key, date, region, service,
	    buf_text(&names), signature);
}
