/* Pattern and text, split at the first NUL: a star before and after a pattern only adds to
 * what it matches, and an escaped text matches itself. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "gwd/glob.h"

#define TEXT_MAX	2048

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_itself(const char *text)
{
	AUTO(str) char *escaped = malloc(2 * strlen(text) + 1);
	size_t n = 0;

	if (!escaped)
		return;
	for (const char *p = text; *p; p++) {
		escaped[n++] = '\\';
		escaped[n++] = *p;
	}
	escaped[n] = '\0';
	if (!glob_match(escaped, text))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char pattern[TEXT_MAX], wide[TEXT_MAX + 3], text[TEXT_MAX];
	const uint8_t *nul = size > 0 ? memchr(data, 0, size) : NULL;
	size_t head = nul ? (size_t)(nul - data) : size;
	size_t tail = nul ? size - head - 1 : 0;

	if (head >= sizeof(pattern) || tail >= sizeof(text))
		return 0;
	if (head > 0)
		memcpy(pattern, data, head);
	pattern[head] = '\0';
	if (tail > 0)
		memcpy(text, nul + 1, tail);
	text[tail] = '\0';
	snprintf(wide, sizeof(wide), "*%s", pattern);
	if (glob_match(pattern, text) && !glob_match(wide, text))
		abort();
	check_itself(text);
	return 0;
}
