/*
 * seal.h - secrets at rest: AES-256-GCM under the node's master key, bound to the id of the
 * access key, so that a secret moved to another record cannot be read there.  Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define SEAL_MASTER_BYTES	32
#define SEAL_SECRET_MAX		128	/* bytes of a secret */
/* base64 of nonce (12), cipher text and tag (16), and a NUL */
#define SEAL_TEXT_MAX		((12 + SEAL_SECRET_MAX + 16 + 2) / 3 * 4 + 1)

/*
 * The master key: 32 bytes in path, mode 0600.  Made, from random bytes, when there is no such
 * file; of two that make it at once one wins and both read the same.  0; -EINVAL: the file has
 * another size; -EPERM: others may read it; -errno.  May block: start only.
 */
int	 seal_master(const char *path, uint8_t ret[static SEAL_MASTER_BYTES]) MUST_CHECK;

/* 0, or -EMSGSIZE: the secret is too long. */
int	 seal_close(const uint8_t master[static SEAL_MASTER_BYTES], const char *id,
    const char *secret, char ret[static SEAL_TEXT_MAX]) MUST_CHECK;
/* 0, or -EBADMSG: sealed under another master key, for another id, or damaged. */
int	 seal_open(const uint8_t master[static SEAL_MASTER_BYTES], const char *id,
    const char *text, char ret[static SEAL_SECRET_MAX + 1]) MUST_CHECK;
