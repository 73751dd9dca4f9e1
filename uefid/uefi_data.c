#include "uefid/uefi_data.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "uefid/region_write.h"

#define MAGIC		0x494645554e5a4d41u	/* "AMZNUEFI" */
#define VERSION		0u
#define HEADER		16u			/* magic, CRC, version */
#define TIME_SIZE	16u
#define DIGEST_SIZE	32u

/* CRC-32C (Castagnoli), bit by bit: these are small. */
static uint32_t
crc32c(const uint8_t *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

static void
put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* ---- writing ---- */

struct writing {
	struct buf	 b;
	uint64_t	 count;
};

static void
add_le(struct writing *w, uint64_t v, size_t n)
{
	uint8_t p[8];

	put_le(p, v, n);
	(void)buf_add(&w->b, p, n);		/* asked once, at the end */
}

static void
add_sized(struct writing *w, const void *p, size_t n)
{
	add_le(w, n, 8);
	if (n > 0)
		(void)buf_add(&w->b, p, n);
}

static bool
add_variable(void *arg, const struct region_variable *v)
{
	static const uint8_t zeros[DIGEST_SIZE];
	struct writing *w = arg;

	if (!(v->attributes & REGION_NON_VOLATILE))
		return true;
	w->count++;
	add_sized(w, v->name, strlen(v->name));
	add_sized(w, v->data, v->size);
	(void)buf_add(&w->b, v->guid_bytes, 16);
	add_le(w, v->attributes, 4);
	if (v->attributes & REGION_TIME_BASED) {
		(void)buf_add(&w->b, v->time ? v->time : zeros, TIME_SIZE);
		add_sized(w, zeros, DIGEST_SIZE);
	}
	return !w->b.failed;
}

/* The header, with its CRC, and plain behind it. */
static int
pack(const struct buf *plain, struct buf *ret)
{
	uLongf n = compressBound(plain->len);
	AUTO(mem) void *mem = malloc(HEADER + n);
	uint8_t *p = mem;

	if (!p || compress2(p + HEADER, &n, plain->data, plain->len, Z_BEST_COMPRESSION) != Z_OK)
		return -ENOMEM;
	put_le(p, MAGIC, 8);
	put_le(p + 12, VERSION, 4);
	put_le(p + 8, crc32c(p + 12, n + 4), 4);
	return buf_add(ret, p, HEADER + n);
}

int
uefi_data_write(const struct region *r, struct buf *ret, char why[static JSON_WHY_MAX])
{
	struct writing w = { .b = BUF_EMPTY(UEFI_DATA_INFLATED_MAX) };
	int res;

	add_le(&w, 0, 8);			/* the count comes last */
	res = region_list(r, add_variable, &w, why);
	if (res == 0 && (w.count > UEFI_DATA_VARIABLES_MAX ||
	    (w.b.failed && w.b.len + 65536 > w.b.max)))
		res = region_refuse(why,
		    "over %u variables or %u bytes of them", UEFI_DATA_VARIABLES_MAX,
		    UEFI_DATA_INFLATED_MAX);
	if (res == 0 && w.b.failed)
		res = -ENOMEM;
	if (res == 0) {
		put_le(w.b.data, w.count, 8);
		res = pack(&w.b, ret);
	}
	buf_deinit(&w.b);
	return res == -EMSGSIZE ? region_refuse(why, "over %zu bytes", ret->max) : res;
}

/* ---- reading ---- */

/* The stream names its dictionary by an Adler-32. */
static int
set_dictionary(z_stream *z, const struct buf *dictionary, char why[static JSON_WHY_MAX])
{
	uLong wanted = z->adler;

	if (!dictionary || dictionary->len == 0)
		return region_refuse(why,
		    "UefiData that was compressed with a preset dictionary (%08lx), and "
		    "uefi_dictionary names none", wanted);
	if (inflateSetDictionary(z, dictionary->data, (uInt)dictionary->len) != Z_OK)
		return region_refuse(why,
		    "UefiData that was compressed with the dictionary %08lx, and that of "
		    "uefi_dictionary is %08lx", wanted,
		    adler32(adler32(0, NULL, 0), dictionary->data, (uInt)dictionary->len));
	return 0;
}

static int
inflate_all(z_stream *z, const struct buf *dictionary, struct buf *out,
    char why[static JSON_WHY_MAX])
{
	uint8_t chunk[16384];
	int r, e;

	do {
		z->next_out = chunk;
		z->avail_out = sizeof(chunk);
		r = inflate(z, Z_NO_FLUSH);
		if (r == Z_NEED_DICT) {
			r = set_dictionary(z, dictionary, why);
			if (r < 0)
				return r;
			continue;
		}
		if (r == Z_MEM_ERROR)
			return -ENOMEM;
		if (r != Z_OK && r != Z_STREAM_END)
			return region_refuse(why,
			    "UefiData: its compressed part is not one zlib stream");
		e = buf_add(out, chunk, sizeof(chunk) - z->avail_out);
		if (e < 0)
			return e == -ENOMEM ? e : region_refuse(why,
			    "UefiData: over %zu bytes unpacked",
			    out->max);
	} while (r != Z_STREAM_END);
	return z->avail_in == 0 ? 0 : region_refuse(why,
	    "UefiData: something follows its zlib stream");
}

static int
unpack(const uint8_t *p, size_t n, const struct buf *dictionary, struct buf *out,
    char why[static JSON_WHY_MAX])
{
	struct cursor c = cursor_over(p, n);
	uint64_t magic = cursor_le64(&c);
	uint32_t crc = cursor_le32(&c), version = cursor_le32(&c);
	z_stream z = { 0 };
	int r;

	if (n > UEFI_DATA_MAX)
		return region_refuse(why,
		    "UefiData: %zu bytes, at most %u are taken", n, UEFI_DATA_MAX);
	if (c.bad || magic != MAGIC)
		return region_refuse(why, "UefiData: expected to begin with AMZNUEFI");
	if (crc != crc32c(p + 12, n - 12))
		return region_refuse(why, "UefiData: its checksum is wrong");
	if (version != VERSION)
		return region_refuse(why, "UefiData: version %u, expected %u", version, VERSION);
	if (inflateInit(&z) != Z_OK)
		return -ENOMEM;
	z.next_in = (Bytef *)(uintptr_t)c.p;
	z.avail_in = (uInt)cursor_left(&c);
	r = inflate_all(&z, dictionary, out, why);
	inflateEnd(&z);
	return r;
}

static const uint8_t *
take_sized(struct cursor *c, size_t max, size_t *ret)
{
	uint64_t n = cursor_le64(c);

	if (n > max)
		c->bad = true;
	*ret = c->bad ? 0 : (size_t)n;
	return cursor_take(c, *ret);
}

static bool
variable_take(struct cursor *c, struct region_variable *ret)
{
	size_t name_size, digest_size;
	const uint8_t *name = take_sized(c, REGION_NAME_MAX, &name_size);

	ret->data = take_sized(c, UEFI_DATA_INFLATED_MAX, &ret->size);
	ret->guid_bytes = cursor_take(c, 16);
	ret->attributes = cursor_le32(c);
	ret->time = NULL;
	if (ret->attributes & REGION_TIME_BASED) {
		ret->time = cursor_take(c, TIME_SIZE);
		(void)take_sized(c, DIGEST_SIZE, &digest_size);
	}
	if (c->bad || name_size == 0 || memchr(name, 0, name_size) ||
	    !(ret->attributes & REGION_NON_VOLATILE))
		return false;
	memcpy(ret->name, name, name_size);
	ret->name[name_size] = '\0';
	region_guid_text(ret->guid_bytes, ret->guid);
	return true;
}

static int
walk(const struct buf *b, region_variable_fn *fn, void *arg, char why[static JSON_WHY_MAX])
{
	struct cursor c = cursor_over(b->data, b->len);
	uint64_t count = cursor_le64(&c);
	struct region_variable v;

	if (c.bad || count > UEFI_DATA_VARIABLES_MAX)
		return region_refuse(why, "UefiData: expected a count of at most %u variables",
		    UEFI_DATA_VARIABLES_MAX);
	for (uint64_t i = 0; i < count; i++) {
		if (!variable_take(&c, &v))
			return region_refuse(why,
			    "UefiData: variable %llu is not a non-volatile one, or "
			    "passes the end", (unsigned long long)i);
		if (fn && !fn(arg, &v))
			return 0;
	}
	return cursor_is_done(&c) ? 0 : region_refuse(why,
	    "UefiData: something follows its variables");
}

int
uefi_data_read(const void *p, size_t n, const struct buf *dictionary, struct buf *scratch,
    region_variable_fn *fn, void *arg, char why[static JSON_WHY_MAX])
{
	int r = unpack(p, n, dictionary, scratch, why);

	if (r == 0)
		r = walk(scratch, NULL, NULL, why);
	return r == 0 ? walk(scratch, fn, arg, why) : r;
}

/* ---- a region of it ---- */

struct filling {
	struct region_writer	 w;
	char			*why;
	int			 res;
};

static bool
fill(void *arg, const struct region_variable *v)
{
	struct filling *f = arg;

	f->res = region_add(&f->w, v, f->why);
	if (f->res == -ENOSPC)
		f->res = region_refuse(f->why,
		    "UefiData: its variables do not fit in a store of %zu bytes",
		    f->w.view.end - f->w.view.store);
	return f->res == 0;
}

int
uefi_data_region(const void *p, size_t n, const struct buf *dictionary,
    const struct region *like, struct buf *ret, char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf scratch = BUF_EMPTY(UEFI_DATA_INFLATED_MAX);
	AUTO(buf) struct buf out = BUF_EMPTY(0);
	struct filling f = { .why = why };
	int r = region_begin(like, REGION_REST_CLEAN, &out, &f.w, why);

	if (r == 0)
		r = uefi_data_read(p, n, dictionary, &scratch, fill, &f, why);
	if (r == 0)
		r = f.res;
	if (r < 0)
		return r;
	*ret = out;
	out = BUF_EMPTY(0);
	return 0;
}
