/* A store's record: what parses is valid, prints, and parses again to the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/uefi_record.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char id[] = "i-0123456789abcdef0";
	struct uefi_record r, again;
	char why[JSON_WHY_MAX];
	char *text;

	if (uefi_record_parse((const char *)data, size, id, &r, why) < 0)
		return 0;
	if (uefi_record_check(&r, why) < 0 || strcmp(r.instance_id, id) != 0)
		__builtin_trap();
	text = uefi_record_print(&r);
	if (!text || uefi_record_parse(text, strlen(text), id, &again, why) < 0 ||
	    memcmp(&r, &again, sizeof(r)) != 0)
		__builtin_trap();
	free(text);
	return 0;
}
