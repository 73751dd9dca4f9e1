/*
 * seed.h - what cloud-init's NoCloud source reads: a small FAT disk named CIDATA with the user
 * data, byte for byte, and the instance's id, host name and public key.  Pure; any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

#define SEED_BYTES	(256 * 1024)	/* of the disk */

struct seed {			/* all borrowed */
	const char	*instance_id;
	const char	*address;	/* "172.31.0.10": the host name is made of it */
	const char	*public_key;	/* a line of OpenSSH; NULL: none */
	const void	*user_data;
	size_t		 user_len;
};

/* SEED_BYTES that the caller owns.  0, -E2BIG (it does not fit), -ENOMEM. */
int	 seed_make(const struct seed *s, uint8_t **ret) MUST_CHECK;
