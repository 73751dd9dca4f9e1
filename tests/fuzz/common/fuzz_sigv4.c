/*
 * Signatures of foreign requests.  The input is lines: method, path, query, then headers as
 * "name: value".
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/sigv4.h"

#define HEADERS	64
#define NOW_MS	1793322123000ull

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line of *p, ended with a NUL; "" when there is none. */
static char *
take_line(char **p)
{
	char *line = *p, *end = strchr(line, '\n');

	if (end)
		*end = '\0';
	*p = end ? end + 1 : line + strlen(line);
	return line;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t key[32] = "k";
	AUTO(str) char *text = malloc(size + 1);
	AUTO(buf) struct buf signature = BUF_EMPTY(65536);
	struct sigv4_header headers[HEADERS];
	struct sigv4_request r = { .headers = headers, .payload_sha256 = "00",
	    .double_encode = size % 2 };
	struct sigv4_claim c;
	char why[256], *p;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	p = text;
	r.method = take_line(&p);
	r.path = take_line(&p);
	r.query = take_line(&p);
	while (*p && r.nheaders < HEADERS) {
		char *line = take_line(&p), *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = '\0';
		headers[r.nheaders++] = (struct sigv4_header){ line, colon + 1 };
	}
	if (sigv4_claim_read(&r, NOW_MS, &c, why, sizeof(why)) == SIGV4_OK) {
		if (strlen(c.signature) != SIGV4_HEX || strlen(c.date) != 8 || !*c.signed_headers)
			abort();
		if (sigv4_verify(&r, &c, key) == SIGV4_OK)
			abort();	/* nobody guesses a signature */
	} else if (!*why) {
		abort();
	}
	(void)!sigv4_sign(&r, "AKID", "secret", "us-east-1", "s3", NOW_MS, &signature);
	return 0;
}
