/*
 * ssh_key.h - key pairs for logging in: made, or read from what a client imports, with the
 * fingerprints that EC2 shows for each kind.
 *
 *	RSA, made here		SHA-1 of the private key, PKCS #8 in DER, in hex with colons
 *	RSA, imported		MD5 of the public key, SubjectPublicKeyInfo in DER, the same way
 *	ED25519			SHA-256 of OpenSSH's public blob, in base64
 *
 * No files, no state; uses the random bytes of libcrypto.  Any thread; making an RSA key takes
 * a good part of a second.
 */
#pragma once

#include "common/cleanup.h"

#define SSH_KEY_FINGERPRINT_MAX	64
#define SSH_KEY_MATERIAL_MAX	16384	/* bytes of a public key as it is imported */

enum ssh_key_type {
	SSH_KEY_RSA,		/* 2048 bits */
	SSH_KEY_ED25519,
	SSH_KEY_TYPES
};
const char *ssh_key_type_name(enum ssh_key_type t);	/* "rsa", "ed25519" */

struct ssh_key {
	enum ssh_key_type	 type;
	char			*public_line;	/* "ssh-rsa AAAA... comment"; owned */
	char			*private_pem;	/* owned, wiped; NULL: imported */
	char			 fingerprint[SSH_KEY_FINGERPRINT_MAX];
};
void	 ssh_key_deinit(struct ssh_key *k);
static inline void __attribute__((unused))
auto_ssh_key(struct ssh_key *k)
{
	ssh_key_deinit(k);
}

/* 0, -ENOMEM, or -EIO: libcrypto refuses. */
int	 ssh_key_make(enum ssh_key_type t, const char *comment, struct ssh_key *ret) MUST_CHECK;
/*
 * material: a line of OpenSSH, a public key file of RFC 4716, or a SubjectPublicKeyInfo in DER
 * as base64 or PEM.  0; -EINVAL: it is none of these, or no RSA of 1024 to 8192 bits or
 * ED25519 key; -ENOMEM.
 */
int	 ssh_key_read(const char *material, const char *comment, struct ssh_key *ret) MUST_CHECK;
