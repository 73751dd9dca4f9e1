/* An S3 server's documents are foreign: a page of a listing, and an error. */
#include <stdint.h>
#include <string.h>

#include "common/s3.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
look(void *arg, const struct object_info *o)
{
	if (!object_key_is_valid(o->key) || o->nmeta != 0)
		__builtin_trap();
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = { .data = (uint8_t *)(uintptr_t)data, .len = size, .max = size };
	char why[JSON_WHY_MAX] = "", word[S3_CODE_MAX + 1];
	struct s3_page page;

	if (s3_page_read(data, size, look, NULL, &page, why) == 0 && page.is_truncated &&
	    page.token[0] == '\0')
		__builtin_trap();
	s3_error_word(&b, "Code", word, sizeof(word));
	for (const char *p = word; *p; p++)
		if (*p < ' ' || *p > '~')
			__builtin_trap();
	return 0;
}
