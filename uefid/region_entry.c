/* The layout of one variable; the newest revision of EDK2's, and the one without signatures. */
#include "uefid/region_entry.h"

#include <string.h>

#define VARIABLE_START		0x55aa
#define VARIABLE_ALIGN		4u
#define SIZE_NEVER		0xffffffffu
#define HEADER_PLAIN		32u
#define HEADER_AUTHENTICATED	60u

static size_t
aligned(size_t n)
{
	return (n + VARIABLE_ALIGN - 1) & ~(size_t)(VARIABLE_ALIGN - 1);
}

bool
region_entry_is_next(const struct cursor *c)
{
	struct cursor peek = *c;

	return cursor_left(c) >= 2 && cursor_le16(&peek) == VARIABLE_START;
}

bool
region_entry_take(const struct region *r, struct cursor *c, struct region_entry *ret)
{
	struct region_entry e = { 0 };
	size_t at, pad;

	(void)cursor_le16(c);
	e.state = cursor_u8(c);
	e.reserved = cursor_u8(c);
	e.attributes = cursor_le32(c);
	if (r->authenticated) {
		e.count = cursor_le64(c);
		e.time = cursor_take(c, 16);
		e.key_index = cursor_le32(c);
	}
	e.name_size = cursor_le32(c);
	e.data_size = cursor_le32(c);
	e.guid = cursor_take(c, 16);
	/* Firmware counts a header that was still being written as one without a body. */
	if (e.state != REGION_NEVER && e.attributes != SIZE_NEVER &&
	    e.name_size != SIZE_NEVER && e.data_size != SIZE_NEVER)
		e.body_size = (size_t)e.name_size + e.data_size;
	e.name = c->bad || cursor_left(c) < e.body_size ? NULL : cursor_take(c, e.body_size);
	if (!e.name)
		return false;
	at = (size_t)(c->p - r->bytes);
	pad = aligned(at) - at;
	/* The last one may end unaligned at the very end. */
	e.pad_size = cursor_left(c) < pad ? cursor_left(c) : pad;
	e.pad = cursor_take(c, e.pad_size);
	*ret = e;
	return true;
}

static void
put_le(uint8_t **p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*(*p)++ = (uint8_t)(v >> (8 * i));
}

static void
put_bytes(uint8_t **p, const uint8_t *from, size_t n)
{
	if (from && n > 0)
		memcpy(*p, from, n);
	else
		memset(*p, 0, n);
	*p += n;
}

size_t
region_entry_put(const struct region *r, uint8_t *bytes, size_t at, const struct region_entry *e)
{
	size_t header = r->authenticated ? HEADER_AUTHENTICATED : HEADER_PLAIN, next;
	uint8_t *p = bytes + at;

	if (at > r->end || r->end - at < header || e->body_size > r->end - at - header)
		return 0;
	put_le(&p, VARIABLE_START, 2);
	put_le(&p, e->state, 1);
	put_le(&p, e->reserved, 1);
	put_le(&p, e->attributes, 4);
	if (r->authenticated) {
		put_le(&p, e->count, 8);
		put_bytes(&p, e->time, 16);
		put_le(&p, e->key_index, 4);
	}
	put_le(&p, e->name_size, 4);
	put_le(&p, e->data_size, 4);
	put_bytes(&p, e->guid, 16);
	put_bytes(&p, e->name, e->body_size);
	next = aligned((size_t)(p - bytes));
	if (next > r->end)
		next = r->end;
	if (e->pad && (size_t)(bytes + next - p) == e->pad_size)
		memcpy(p, e->pad, e->pad_size);
	return next;
}
