/* A downloaded object is foreign: what unpacks stays under its ceiling and packs again. */
#include <stdint.h>
#include <string.h>

#include "common/gzip.h"

int	 LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(buf) struct buf out = BUF_EMPTY(65536), in = BUF_EMPTY(1 << 20);
	AUTO(buf) struct buf again = BUF_EMPTY(65536);

	if (gzip_unpack(data, size, &out) < 0) {
		if (out.len != 0)
			__builtin_trap();
		return 0;
	}
	if (out.len > 65536 || gzip_pack(out.data, out.len, &in) < 0 ||
	    gzip_unpack(in.data, in.len, &again) < 0 || again.len != out.len ||
	    (out.len > 0 && memcmp(again.data, out.data, out.len) != 0))
		__builtin_trap();
	return 0;
}
