#include "gwd/ssh_key.h"

#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"
#include "gwd/ssh_blob.h"

#define SSH_KEY_RSA_BITS	2048u

DEFINE_AUTO(EVP_PKEY *, pkey, EVP_PKEY_free)

const char *
ssh_key_type_name(enum ssh_key_type t)
{
	return t == SSH_KEY_RSA ? "rsa" : "ed25519";
}

void
ssh_key_deinit(struct ssh_key *k)
{
	free(k->public_line);
	if (k->private_pem)
		OPENSSL_cleanse(k->private_pem, strlen(k->private_pem));
	free(k->private_pem);
	*k = (struct ssh_key){ 0 };
}

/* ---- fingerprints ---- */

static void
ssh_key_hex(const uint8_t *p, size_t n, char ret[static SSH_KEY_FINGERPRINT_MAX])
{
	for (size_t i = 0; i < n; i++)
		snprintf(ret + 3 * i, 4, "%02x%s", p[i], i + 1 < n ? ":" : "");
}

static int
ssh_key_print_private(EVP_PKEY *key, char ret[static SSH_KEY_FINGERPRINT_MAX])
{
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
	uint8_t *der = NULL, digest[SHA_DIGEST_LENGTH];
	int n = info ? i2d_PKCS8_PRIV_KEY_INFO(info, &der) : -1;

	PKCS8_PRIV_KEY_INFO_free(info);
	if (n <= 0)
		return -EIO;
	SHA1(der, (size_t)n, digest);
	OPENSSL_clear_free(der, (size_t)n);
	ssh_key_hex(digest, sizeof(digest), ret);
	return 0;
}

static int
ssh_key_print_public(EVP_PKEY *key, char ret[static SSH_KEY_FINGERPRINT_MAX])
{
	uint8_t *der = NULL, digest[MD5_DIGEST_LENGTH];
	int n = i2d_PUBKEY(key, &der);
	int ok = n > 0 && EVP_Digest(der, (size_t)n, digest, NULL, EVP_md5(), NULL);

	OPENSSL_free(der);
	if (!ok)
		return -EIO;
	ssh_key_hex(digest, sizeof(digest), ret);
	return 0;
}

static void
ssh_key_print_blob(const struct buf *blob, char ret[static SSH_KEY_FINGERPRINT_MAX])
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	SHA256(blob->data, blob->len, digest);
	EVP_EncodeBlock((unsigned char *)ret, digest, sizeof(digest));
}

/* ---- the public side ---- */

static int
ssh_key_line(enum ssh_key_type t, const struct buf *blob, const char *comment, char **ret)
{
	const char *name = t == SSH_KEY_RSA ? SSH_BLOB_RSA : SSH_BLOB_ED25519;
	size_t base64 = 4 * ((blob->len + 2) / 3);
	size_t size = strlen(name) + 1 + base64 + 1 + strlen(comment) + 1;
	char *line = malloc(size);
	int n;

	if (!line)
		return -ENOMEM;
	n = snprintf(line, size, "%s ", name);
	n += EVP_EncodeBlock((unsigned char *)line + n, blob->data, (int)blob->len);
	snprintf(line + n, size - (size_t)n, " %s", comment);
	*ret = line;
	return 0;
}

static int
ssh_key_type_of(EVP_PKEY *key, enum ssh_key_type *ret)
{
	int bits = EVP_PKEY_get_bits(key);

	if (EVP_PKEY_is_a(key, "ED25519"))
		*ret = SSH_KEY_ED25519;
	else if (EVP_PKEY_is_a(key, "RSA") && bits >= 1024 && bits <= 8192)
		*ret = SSH_KEY_RSA;
	else
		return -EINVAL;
	return 0;
}

/* Everything that follows from the public key. */
static int
ssh_key_fill(EVP_PKEY *key, const char *comment, struct ssh_key *k)
{
	AUTO(buf) struct buf blob = BUF_EMPTY(SSH_BLOB_MAX);
	int r = ssh_key_type_of(key, &k->type);

	if (r == 0)
		r = ssh_blob_public(key, &blob);
	if (r == 0)
		r = ssh_key_line(k->type, &blob, comment, &k->public_line);
	if (r < 0)
		return r;
	if (k->type == SSH_KEY_RSA)
		return ssh_key_print_public(key, k->fingerprint);
	ssh_key_print_blob(&blob, k->fingerprint);
	return 0;
}

/* ---- making one ---- */

static int
ssh_key_rsa_pem(EVP_PKEY *key, char **ret)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *data, *copy = NULL;
	long n = 0;

	if (bio && PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL, 0, NULL, NULL) == 1)
		n = BIO_get_mem_data(bio, &data);
	if (n > 0)
		copy = strndup(data, (size_t)n);
	BIO_free(bio);
	if (!copy)
		return n > 0 ? -ENOMEM : -EIO;
	*ret = copy;
	return 0;
}

/* OpenSSH reads an ED25519 key in its own format only. */
static int
ssh_key_pem(EVP_PKEY *key, const char *comment, struct ssh_key *k)
{
	if (k->type == SSH_KEY_ED25519)
		return ssh_blob_private_pem(key, comment, &k->private_pem);
	return ssh_key_rsa_pem(key, &k->private_pem);
}

int
ssh_key_make(enum ssh_key_type t, const char *comment, struct ssh_key *ret)
{
	AUTO(pkey) EVP_PKEY *key = t == SSH_KEY_RSA ? EVP_RSA_gen(SSH_KEY_RSA_BITS) :
	    EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	AUTO(ssh_key) struct ssh_key k = { 0 };
	int r = key ? ssh_key_fill(key, comment, &k) : -EIO;

	if (r == 0)
		r = ssh_key_pem(key, comment, &k);
	if (r == 0 && t == SSH_KEY_RSA)
		r = ssh_key_print_private(key, k.fingerprint);
	if (r < 0)
		return r;
	*ret = k;
	k = (struct ssh_key){ 0 };
	return 0;
}

/* ---- reading one ---- */

int
ssh_key_read(const char *material, const char *comment, struct ssh_key *ret)
{
	AUTO(pkey) EVP_PKEY *key = NULL;
	AUTO(ssh_key) struct ssh_key k = { 0 };
	int r;

	if (strlen(material) > SSH_KEY_MATERIAL_MAX)
		return -EINVAL;
	r = ssh_blob_parse(material, &key);
	if (r == 0)
		r = ssh_key_fill(key, comment, &k);
	if (r < 0)
		return r == -EIO ? -EINVAL : r;
	*ret = k;
	k = (struct ssh_key){ 0 };
	return 0;
}
