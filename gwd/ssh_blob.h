/*
 * ssh_blob.h - OpenSSH's encodings of keys: the public blob (RFC 4253 6.6, RFC 8709), text that
 * holds one, and the private key file "openssh-key-v1".  No state; any thread.
 */
#pragma once

#include <openssl/evp.h>

#include "common/buf.h"

#define SSH_BLOB_RSA		"ssh-rsa"
#define SSH_BLOB_ED25519	"ssh-ed25519"
#define SSH_BLOB_MAX		8192	/* bytes of a blob */

/* Of an RSA or ED25519 key, into ret, which is empty.  0, -ENOMEM, -EIO. */
int	 ssh_blob_public(EVP_PKEY *key, struct buf *ret) MUST_CHECK;
/* Of an ED25519 key with its private side.  The caller frees and wipes it. */
int	 ssh_blob_private_pem(EVP_PKEY *key, const char *comment, char **ret) MUST_CHECK;
/* Any of the texts of ssh_key_read.  0; -EINVAL; -ENOMEM.  EVP_PKEY_free. */
int	 ssh_blob_parse(const char *text, EVP_PKEY **ret) MUST_CHECK;
