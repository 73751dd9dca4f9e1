/* SHA-256 by libcrypto. */
#include "uefid/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#include <openssl/evp.h>

#define PIECE	65536

DEFINE_AUTO(EVP_MD_CTX *, md, EVP_MD_CTX_free)

static int
digest_end(EVP_MD_CTX *md, char ret[static DIGEST_HEX + 1])
{
	uint8_t sum[EVP_MAX_MD_SIZE];
	unsigned n;

	if (EVP_DigestFinal_ex(md, sum, &n) != 1 || n * 2 != DIGEST_HEX)
		return -EIO;
	for (unsigned i = 0; i < n; i++)
		snprintf(ret + 2 * i, 3, "%02x", sum[i]);
	return 0;
}

int
digest_bytes(const void *p, size_t n, char ret[static DIGEST_HEX + 1])
{
	AUTO(md) EVP_MD_CTX *md = EVP_MD_CTX_new();

	if (!md || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		return -ENOMEM;
	if (EVP_DigestUpdate(md, p, n) != 1)
		return -EIO;
	return digest_end(md, ret);
}

int
digest_file(const char *path, char ret[static DIGEST_HEX + 1])
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	AUTO(md) EVP_MD_CTX *md = EVP_MD_CTX_new();
	AUTO(mem) void *piece = malloc(PIECE);
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (!md || !piece || EVP_DigestInit_ex(md, EVP_sha256(), NULL) != 1)
		return -ENOMEM;
	while ((n = read(fd, piece, PIECE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (EVP_DigestUpdate(md, piece, (size_t)n) != 1)
			return -EIO;
	}
	return digest_end(md, ret);
}
