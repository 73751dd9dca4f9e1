/* UefiData is a user's: reads it as an import would. */
#include <stdint.h>
#include <string.h>

#include "uefid/uefi_data.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
look(void *arg, const struct region_variable *v)
{
	const struct buf *b = arg;

	if (v->data < b->data || v->size > (size_t)(b->data + b->len - v->data) ||
	    strlen(v->name) == 0 || strlen(v->guid) != REGION_GUID_LEN || !(v->attributes & 1))
		__builtin_trap();
	return true;
}

/* The checksum is made right, so that the fuzzer gets past it. */
static void
make_right(uint8_t *p, size_t n)
{
	uint32_t crc = ~0u;

	memcpy(p, "AMZNUEFI", 8);
	for (size_t i = 12; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	crc = ~crc;
	for (int i = 0; i < 4; i++)
		p[8 + i] = (uint8_t)(crc >> (8 * i));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(buf) struct buf scratch = BUF_EMPTY(UEFI_DATA_INFLATED_MAX);
	AUTO(mem) void *copy = malloc(size ? size : 1);
	char why[JSON_WHY_MAX];

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	if (size >= 16)
		make_right(copy, size);
	(void)!uefi_data_read(copy, size, NULL, &scratch, look, &scratch, why);
	return 0;
}
