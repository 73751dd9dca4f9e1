#include "gwd/ssh_blob.h"

#include <ctype.h>
#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>
#include <string.h>

#include "common/ident.h"

#define SSH_ED25519_BYTES	32
#define SSH_PRIVATE_MAGIC	"openssh-key-v1"	/* with its NUL */
#define SSH_PRIVATE_BLOCK	8
#define SSH_LINE		70			/* characters of a line of a PEM file */
#define SSH_BN_MAX		1024			/* bytes of a number of 8192 bits */

DEFINE_AUTO(BIGNUM *, bn, BN_free)
DEFINE_AUTO(OSSL_PARAM_BLD *, bld, OSSL_PARAM_BLD_free)
DEFINE_AUTO(OSSL_PARAM *, params, OSSL_PARAM_free)
DEFINE_AUTO(EVP_PKEY_CTX *, pkctx, EVP_PKEY_CTX_free)

/* ---- writing; a failed add shows in buf.failed ---- */

static void
ssh_u32(struct buf *b, uint32_t v)
{
	const uint8_t bytes[] = { (uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8),
	    (uint8_t)v };

	(void)buf_add(b, bytes, sizeof(bytes));
}

static void
ssh_string(struct buf *b, const void *p, size_t n)
{
	ssh_u32(b, (uint32_t)n);
	(void)buf_add(b, p, n);
}

static void
ssh_text(struct buf *b, const char *text)
{
	ssh_string(b, text, strlen(text));
}

/* A positive number: big-endian, a zero byte first where the top bit is set. */
static int
ssh_mpint(struct buf *b, EVP_PKEY *key, const char *param)
{
	AUTO(bn) BIGNUM *n = NULL;
	uint8_t bytes[SSH_BN_MAX + 1] = { 0 };
	int len;

	if (!EVP_PKEY_get_bn_param(key, param, &n) || BN_num_bytes(n) > SSH_BN_MAX)
		return -EIO;
	len = BN_bn2bin(n, bytes + 1);
	if (bytes[1] & 0x80)
		ssh_string(b, bytes, (size_t)len + 1);
	else
		ssh_string(b, bytes + 1, (size_t)len);
	return 0;
}

static int
ssh_result(const struct buf *b)
{
	return b->failed ? -ENOMEM : 0;
}

int
ssh_blob_public(EVP_PKEY *key, struct buf *ret)
{
	uint8_t raw[SSH_ED25519_BYTES];
	size_t n = sizeof(raw);
	int r;

	if (EVP_PKEY_is_a(key, "RSA")) {
		ssh_text(ret, SSH_BLOB_RSA);
		r = ssh_mpint(ret, key, OSSL_PKEY_PARAM_RSA_E);
		if (r == 0)
			r = ssh_mpint(ret, key, OSSL_PKEY_PARAM_RSA_N);
		return r < 0 ? r : ssh_result(ret);
	}
	if (!EVP_PKEY_get_raw_public_key(key, raw, &n))
		return -EIO;
	ssh_text(ret, SSH_BLOB_ED25519);
	ssh_string(ret, raw, n);
	return ssh_result(ret);
}

/* ---- the private key file ---- */

static int
ssh_private_section(EVP_PKEY *key, const char *comment, struct buf *ret)
{
	uint8_t raw[2 * SSH_ED25519_BYTES];	/* the seed, then the public key */
	size_t seed = SSH_ED25519_BYTES, public = SSH_ED25519_BYTES;
	uint32_t check;

	if (!EVP_PKEY_get_raw_private_key(key, raw, &seed) ||
	    !EVP_PKEY_get_raw_public_key(key, raw + SSH_ED25519_BYTES, &public))
		return -EIO;
	ident_bytes(&check, sizeof(check));
	ssh_u32(ret, check);
	ssh_u32(ret, check);
	ssh_text(ret, SSH_BLOB_ED25519);
	ssh_string(ret, raw + SSH_ED25519_BYTES, SSH_ED25519_BYTES);
	ssh_string(ret, raw, sizeof(raw));
	ssh_text(ret, comment);
	for (uint8_t pad = 1; ret->len % SSH_PRIVATE_BLOCK != 0 && !ret->failed; pad++)
		(void)buf_add(ret, &pad, 1);
	OPENSSL_cleanse(raw, sizeof(raw));
	return ssh_result(ret);
}

static int
ssh_private_file(EVP_PKEY *key, const char *comment, struct buf *ret)
{
	AUTO(buf) struct buf public = BUF_EMPTY(SSH_BLOB_MAX);
	AUTO(buf) struct buf section = BUF_EMPTY(SSH_BLOB_MAX);
	int r = ssh_blob_public(key, &public);

	if (r == 0)
		r = ssh_private_section(key, comment, &section);
	if (r < 0)
		return r;
	(void)buf_add(ret, SSH_PRIVATE_MAGIC, sizeof(SSH_PRIVATE_MAGIC));
	ssh_text(ret, "none");		/* cipher */
	ssh_text(ret, "none");		/* how the key is derived */
	ssh_text(ret, "");
	ssh_u32(ret, 1);
	ssh_string(ret, public.data, public.len);
	ssh_string(ret, section.data, section.len);
	OPENSSL_cleanse(section.data, section.len);
	return ssh_result(ret);
}

static int
ssh_wrap(const struct buf *file, struct buf *ret)
{
	size_t size = 4 * ((file->len + 2) / 3) + 1;
	AUTO(str) char *base64 = malloc(size);
	int n;

	if (!base64)
		return -ENOMEM;
	n = EVP_EncodeBlock((unsigned char *)base64, file->data, (int)file->len);
	(void)buf_add_str(ret, "-----BEGIN OPENSSH PRIVATE KEY-----\n");
	for (int at = 0; at < n; at += SSH_LINE)
		(void)buf_printf(ret, "%.*s\n", SSH_LINE, base64 + at);
	(void)buf_add_str(ret, "-----END OPENSSH PRIVATE KEY-----\n");
	OPENSSL_cleanse(base64, size);
	return ssh_result(ret);
}

int
ssh_blob_private_pem(EVP_PKEY *key, const char *comment, char **ret)
{
	AUTO(buf) struct buf file = BUF_EMPTY(2 * SSH_BLOB_MAX);
	AUTO(buf) struct buf text = BUF_EMPTY(4 * SSH_BLOB_MAX);
	int r = ssh_private_file(key, comment, &file);

	if (r == 0)
		r = ssh_wrap(&file, &text);
	if (file.data)
		OPENSSL_cleanse(file.data, file.len);
	if (r == 0)
		*ret = buf_take(&text);
	return r;
}

/* ---- reading ---- */

static uint32_t
ssh_take_u32(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 4);

	return p ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3] : 0;
}

static struct cursor
ssh_take_string(struct cursor *c)
{
	uint32_t n = ssh_take_u32(c);
	const uint8_t *p = cursor_take(c, n);

	return p ? cursor_over(p, n) : cursor_over("", 0);
}

static bool
ssh_is(const struct cursor *c, const char *text)
{
	return cursor_left(c) == strlen(text) && memcmp(c->p, text, strlen(text)) == 0;
}

static EVP_PKEY *
ssh_make_rsa(BIGNUM *e, BIGNUM *n)
{
	AUTO(bld) OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	AUTO(params) OSSL_PARAM *params = NULL;
	AUTO(pkctx) EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	EVP_PKEY *key = NULL;

	if (!build || !ctx || !OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) ||
	    !OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e))
		return NULL;
	params = OSSL_PARAM_BLD_to_param(build);
	if (!params || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
		return NULL;
	return key;
}

static EVP_PKEY *
ssh_read_rsa(struct cursor *c)
{
	struct cursor e = ssh_take_string(c), n = ssh_take_string(c);
	AUTO(bn) BIGNUM *exponent = BN_bin2bn(e.p, (int)cursor_left(&e), NULL);
	AUTO(bn) BIGNUM *modulus = BN_bin2bn(n.p, (int)cursor_left(&n), NULL);

	if (!cursor_is_done(c) || !exponent || !modulus)
		return NULL;
	return ssh_make_rsa(exponent, modulus);
}

/* Numbers that an RSA key can have, however it was written. */
static bool
ssh_is_sound(EVP_PKEY *key)
{
	AUTO(bn) BIGNUM *e = NULL;
	AUTO(bn) BIGNUM *n = NULL;

	if (!EVP_PKEY_is_a(key, "RSA"))
		return true;
	return EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e) &&
	    EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &n) &&
	    !BN_is_negative(e) && !BN_is_negative(n) && BN_is_odd(e) && BN_is_odd(n) &&
	    !BN_is_one(e) && BN_cmp(e, n) < 0 && BN_num_bytes(n) <= SSH_BN_MAX;
}

static EVP_PKEY *
ssh_read_ed25519(struct cursor *c)
{
	struct cursor raw = ssh_take_string(c);

	if (!cursor_is_done(c) || cursor_left(&raw) != SSH_ED25519_BYTES)
		return NULL;
	return EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, raw.p, SSH_ED25519_BYTES);
}

static EVP_PKEY *
ssh_read_blob(const uint8_t *p, size_t n)
{
	struct cursor c = cursor_over(p, n);
	struct cursor name = ssh_take_string(&c);

	if (ssh_is(&name, SSH_BLOB_RSA))
		return ssh_read_rsa(&c);
	return ssh_is(&name, SSH_BLOB_ED25519) ? ssh_read_ed25519(&c) : NULL;
}

/* A SubjectPublicKeyInfo is a SEQUENCE; a blob begins with the length of a short name. */
static EVP_PKEY *
ssh_read_bytes(const uint8_t *p, size_t n)
{
	const uint8_t *at = p;
	EVP_PKEY *key;

	if (n == 0 || p[0] != 0x30)
		return ssh_read_blob(p, n);
	key = d2i_PUBKEY(NULL, &at, (long)n);
	if (key && at == p + n)
		return key;
	EVP_PKEY_free(key);
	return NULL;
}

/* base64, white space in it or not, to bytes; -EINVAL for any other character. */
static int
ssh_decode(const char *text, size_t len, struct buf *ret)
{
	AUTO(str) char *packed = malloc(len + 1);
	uint8_t bytes[3];
	size_t n = 0;

	if (!packed)
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		if (!isspace((unsigned char)text[i]))
			packed[n++] = text[i];
	}
	if (n == 0 || n % 4 != 0)
		return -EINVAL;
	for (size_t i = 0; i < n; i += 4) {
		int pad = i + 4 == n ? (packed[n - 1] == '=') + (packed[n - 2] == '=') : 0;

		if (memchr(packed + i, '=', (size_t)(4 - pad)) ||
		    EVP_DecodeBlock(bytes, (unsigned char *)packed + i, 4) != 3)
			return -EINVAL;
		(void)buf_add(ret, bytes, (size_t)(3 - pad));
	}
	return ssh_result(ret);
}

/* "-----BEGIN PUBLIC KEY-----" and "---- BEGIN SSH2 PUBLIC KEY ----": what stands between the
 * first line and the last, without header lines and the lines that carry them on. */
static int
ssh_body(const char *text, struct buf *ret)
{
	bool carried = false;

	for (const char *line = text; *line; ) {
		size_t len = strcspn(line, "\r\n");
		bool header = carried || memchr(line, ':', len) != NULL;

		carried = header && len > 0 && line[len - 1] == '\\';
		if (len > 0 && line[0] != '-' && !header)
			(void)buf_add(ret, line, len);
		line += len;
		line += strspn(line, "\r\n");
	}
	return ssh_result(ret);
}

/* "ssh-rsa AAAA... comment": the second word; otherwise all of it. */
static int
ssh_word(const char *text, struct buf *ret)
{
	if (strncmp(text, "ssh-", 4) == 0) {
		text += strcspn(text, " \t");
		text += strspn(text, " \t");
		(void)buf_add(ret, text, strcspn(text, " \t\r\n"));
	} else {
		(void)buf_add_str(ret, text);
	}
	return ssh_result(ret);
}

int
ssh_blob_parse(const char *text, EVP_PKEY **ret)
{
	AUTO(buf) struct buf base64 = BUF_EMPTY(4 * SSH_BLOB_MAX);
	AUTO(buf) struct buf bytes = BUF_EMPTY(SSH_BLOB_MAX);
	EVP_PKEY *key;
	int r;

	text += strspn(text, " \t\r\n");
	r = text[0] == '-' ? ssh_body(text, &base64) : ssh_word(text, &base64);
	if (r == 0)
		r = ssh_decode(buf_text(&base64), base64.len, &bytes);
	if (r < 0)
		return bytes.len > 0 && r == -ENOMEM ? -EINVAL : r;
	key = ssh_read_bytes(bytes.data, bytes.len);
	if (key && ssh_is_sound(key)) {
		*ret = key;
		return 0;
	}
	EVP_PKEY_free(key);
	return -EINVAL;
}
