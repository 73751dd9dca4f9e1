/* zlib, with a ceiling. */
#include "common/gzip.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>

#define CHUNK	16384
#define WINDOW	(MAX_WBITS + 16)	/* gzip's frame and no other */
#define OS_UNKNOWN 255

static int
pack_all(z_stream *z, struct buf *ret)
{
	uint8_t out[CHUNK];
	int r;

	do {
		z->next_out = out;
		z->avail_out = sizeof(out);
		r = deflate(z, Z_FINISH);
		if (r == Z_STREAM_ERROR)
			return -ENOMEM;
		int added = buf_add(ret, out, sizeof(out) - z->avail_out);

		if (added < 0)
			return added;
	} while (r != Z_STREAM_END);
	return 0;
}

int
gzip_pack(const void *p, size_t n, struct buf *ret)
{
	gz_header head = { .os = OS_UNKNOWN };
	z_stream z = { 0 };
	int r;

	if (n > UINT_MAX)
		return -EMSGSIZE;
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, WINDOW, 8,
	    Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	z.next_in = (z_const Bytef *)(uintptr_t)p;
	z.avail_in = (uInt)n;
	r = deflateSetHeader(&z, &head) == Z_OK ? pack_all(&z, ret) : -ENOMEM;
	deflateEnd(&z);
	return r;
}

static int
unpack_all(z_stream *z, struct buf *ret)
{
	uint8_t out[CHUNK];
	int r;

	do {
		z->next_out = out;
		z->avail_out = sizeof(out);
		r = inflate(z, Z_NO_FLUSH);
		if (r == Z_MEM_ERROR)
			return -ENOMEM;
		/* Out of input before the end comes back as Z_BUF_ERROR. */
		if (r != Z_OK && r != Z_STREAM_END)
			return -EBADMSG;
		int added = buf_add(ret, out, sizeof(out) - z->avail_out);

		if (added < 0)
			return added;
	} while (r != Z_STREAM_END);
	return z->avail_in == 0 ? 0 : -EBADMSG;
}

int
gzip_unpack(const void *p, size_t n, struct buf *ret)
{
	z_stream z = { 0 };
	int r;

	if (n > UINT_MAX)
		return -EBADMSG;
	z.next_in = (z_const Bytef *)(uintptr_t)p;
	z.avail_in = (uInt)n;
	if (inflateInit2(&z, WINDOW) != Z_OK)
		return -ENOMEM;
	r = unpack_all(&z, ret);
	inflateEnd(&z);
	if (r < 0)
		buf_deinit(ret);
	return r;
}
