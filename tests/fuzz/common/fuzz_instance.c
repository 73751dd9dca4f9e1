/* Any bytes as an instance record: refused with a sentence, or a record that prints itself. */
#include <stdlib.h>
#include <string.h>

#include "common/instance.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct instance i, copy, back;
	char why[JSON_WHY_MAX] = "";
	char *text;

	if (instance_from_json((const char *)data, size, "i-0123456789abcdef0", &i, why) < 0) {
		if (!*why)
			abort();
		return 0;
	}
	if (instance_copy(&i, &copy) < 0)
		abort();
	text = instance_to_json(&copy);
	/* What is printed is read again, unless it grew over the ceiling by its escapes. */
	if (text && strlen(text) <= INSTANCE_RECORD_MAX) {
		if (instance_from_json(text, strlen(text), i.id, &back, why) < 0)
			abort();
		instance_deinit(&back);
	}
	free(text);
	instance_deinit(&copy);
	instance_deinit(&i);
	return 0;
}
