/* seeded.json: what parses prints and parses again to the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uefid/seeded.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seeded s, again;
	char why[JSON_WHY_MAX];
	char *text;

	if (seeded_parse(data, size, "i-0123456789abcdef0", &s, why) < 0)
		return 0;
	text = seeded_print(&s);
	if (!text || seeded_parse(text, strlen(text), s.instance_id, &again, why) < 0 ||
	    memcmp(&s, &again, sizeof(s)) != 0)
		__builtin_trap();
	free(text);
	return 0;
}
