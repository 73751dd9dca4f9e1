/* Any bytes as a volume's record: refused with a sentence, or a record that prints itself. */
#include <stdlib.h>
#include <string.h>

#include "common/volume.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct volume v, back;
	char why[JSON_WHY_MAX] = "";
	char *text;

	if (volume_from_json((const char *)data, size, &v, why) < 0) {
		if (!*why)
			abort();
		return 0;
	}
	text = volume_to_json(&v);
	/* What is printed is read again, unless it grew over the ceiling by its escapes. */
	if (text && strlen(text) <= VOLUME_RECORD_MAX) {
		if (volume_from_json(text, strlen(text), &back, why) < 0)
			abort();
		volume_deinit(&back);
	}
	free(text);
	volume_deinit(&v);
	return 0;
}
