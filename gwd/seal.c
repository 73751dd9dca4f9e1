#include "gwd/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base64.h"
#include "common/file.h"
#include "common/ident.h"

#define NONCE_BYTES	12
#define TAG_BYTES	16
#define BOX_MAX		(NONCE_BYTES + SEAL_SECRET_MAX + TAG_BYTES)

DEFINE_AUTO(EVP_CIPHER_CTX *, cipher, EVP_CIPHER_CTX_free)

/* ---- the master key's file ---- */

static int
read_master(const char *path, uint8_t ret[static SEAL_MASTER_BYTES])
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint8_t bytes[SEAL_MASTER_BYTES + 1];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_mode & (S_IRWXG | S_IRWXO))
		return -EPERM;
	if ((n = read(fd, bytes, sizeof(bytes))) < 0)
		return -errno;
	if (n != SEAL_MASTER_BYTES)
		return -EINVAL;
	memcpy(ret, bytes, SEAL_MASTER_BYTES);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	return 0;
}

/* Whole under its own name before it has the real one, which link(2) never replaces. */
static int
make_master(const char *path)
{
	uint8_t bytes[SEAL_MASTER_BYTES];
	char nonce[IDENT_NONCE_LEN + 1], temporary[4096];
	int r;

	ident_nonce(nonce);
	if ((r = file_path(temporary, sizeof(temporary), "%s.%s", path, nonce)) < 0)
		return r;
	ident_bytes(bytes, sizeof(bytes));
	r = file_write(temporary, bytes, sizeof(bytes), S_IRUSR | S_IWUSR);
	OPENSSL_cleanse(bytes, sizeof(bytes));
	if (r < 0)
		return r;
	r = link(temporary, path) < 0 && errno != EEXIST ? -errno : 0;
	(void)unlink(temporary);
	return r < 0 ? r : file_sync_dir(path);
}

int
seal_master(const char *path, uint8_t ret[static SEAL_MASTER_BYTES])
{
	int r = read_master(path, ret);

	if (r != -ENOENT)
		return r;
	r = make_master(path);
	return r < 0 ? r : read_master(path, ret);
}

/* ---- boxes ---- */

int
seal_close(const uint8_t master[static SEAL_MASTER_BYTES], const char *id, const char *secret,
    char ret[static SEAL_TEXT_MAX])
{
	AUTO(cipher) EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	const size_t len = strlen(secret);
	uint8_t box[BOX_MAX];
	int n = 0, end = 0;

	if (len > SEAL_SECRET_MAX)
		return -EMSGSIZE;
	ident_bytes(box, NONCE_BYTES);
	if (!c || EVP_EncryptInit_ex(c, EVP_aes_256_gcm(), NULL, master, box) != 1 ||
	    EVP_EncryptUpdate(c, NULL, &n, (const uint8_t *)id, (int)strlen(id)) != 1 ||
	    EVP_EncryptUpdate(c, box + NONCE_BYTES, &n, (const uint8_t *)secret, (int)len) != 1 ||
	    EVP_EncryptFinal_ex(c, box + NONCE_BYTES + n, &end) != 1 ||
	    EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, box + NONCE_BYTES + len) != 1)
		return -ENOMEM;
	EVP_EncodeBlock((uint8_t *)ret, box, (int)(NONCE_BYTES + len + TAG_BYTES));
	return 0;
}

/* Strict base64 of at most BOX_MAX bytes; how many, or -EBADMSG or -ENOMEM. */
static int
unpack(const char *text, uint8_t box[static BOX_MAX])
{
	const size_t len = strlen(text);
	uint8_t *bytes;
	size_t n;
	int r;

	if (len >= SEAL_TEXT_MAX)
		return -EBADMSG;
	r = base64_decode(text, len, &bytes, &n);
	if (r < 0)
		return r == -ENOMEM ? r : -EBADMSG;
	if (n <= BOX_MAX)
		memcpy(box, bytes, n);
	free(bytes);
	return n <= BOX_MAX ? (int)n : -EBADMSG;
}

int
seal_open(const uint8_t master[static SEAL_MASTER_BYTES], const char *id, const char *text,
    char ret[static SEAL_SECRET_MAX + 1])
{
	AUTO(cipher) EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	uint8_t box[BOX_MAX], plain[SEAL_SECRET_MAX];
	const int boxed = unpack(text, box);
	const int len = boxed - NONCE_BYTES - TAG_BYTES;
	int n = 0, end = 0;

	if (!c || boxed == -ENOMEM)
		return -ENOMEM;
	if (len < 0 || len > SEAL_SECRET_MAX ||
	    EVP_DecryptInit_ex(c, EVP_aes_256_gcm(), NULL, master, box) != 1 ||
	    EVP_DecryptUpdate(c, NULL, &n, (const uint8_t *)id, (int)strlen(id)) != 1 ||
	    EVP_DecryptUpdate(c, plain, &n, box + NONCE_BYTES, len) != 1 ||
	    EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, TAG_BYTES, box + NONCE_BYTES + len) != 1 ||
	    EVP_DecryptFinal_ex(c, plain + n, &end) != 1 || memchr(plain, '\0', (size_t)len))
		return -EBADMSG;
	memcpy(ret, plain, (size_t)len);
	ret[len] = '\0';
	OPENSSL_cleanse(plain, sizeof(plain));
	return 0;
}
