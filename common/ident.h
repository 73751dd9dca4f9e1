/*
 * ident.h - random names, from getrandom(2).  Any thread.  A system that cannot give random
 * bytes cannot fence anything: these abort rather than return a guessable name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDENT_UUID_LEN	36	/* lower-case UUIDv4, without the NUL */
#define IDENT_EC2_LEN	17	/* hexadecimal digits after the dash of an EC2 id */
#define IDENT_NONCE_LEN	22	/* 128 bits in [A-Za-z0-9_-] */

void	 ident_bytes(void *p, size_t n);
void	 ident_uuid(char ret[static IDENT_UUID_LEN + 1]);
void	 ident_nonce(char ret[static IDENT_NONCE_LEN + 1]);

/* prefix "i" gives "i-0123456789abcdef0".  size holds it all, or the process aborts. */
void	 ident_ec2(const char *prefix, char *ret, size_t size);

/* Is s prefix, a dash and 8 or 17 lower-case hexadecimal digits? */
bool	 ident_is_ec2(const char *s, const char *prefix);
bool	 ident_is_uuid4(const char *s);
/* One token of a subject: 1 to 64 of [A-Za-z0-9_-]. */
bool	 ident_is_token(const char *s);
