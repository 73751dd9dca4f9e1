/* What is read as a public key prints as a line that is read as the same key. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gwd/ssh_key.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(str) char *text = malloc(size + 1);
	AUTO(ssh_key) struct ssh_key k = { 0 };
	AUTO(ssh_key) struct ssh_key again = { 0 };

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (ssh_key_read(text, "name", &k) < 0)
		return 0;
	if (ssh_key_read(k.public_line, "name", &again) < 0 ||
	    strcmp(k.public_line, again.public_line) != 0 ||
	    strcmp(k.fingerprint, again.fingerprint) != 0)
		abort();
	return 0;
}
