/* EDK2's firmware volume of variables, written anew. */
#include "uefid/region_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ERASED		0xff
#define FV_HEADER	72u	/* with one run of blocks and the end of their list */
#define FV_SUM		50u	/* offset of the checksum */
#define STORE_HEADER	28u
#define FORMATTED_HEALTHY	0xfe5au

/* The state of a working block: valid. */
#define WORKING_VALID	0xfeu

static void
put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* ---- the frame ---- */

/* The volume's header from its fields; the sum of all its words is zero. */
static void
put_volume(uint8_t *p, const uint8_t *like)
{
	struct cursor c = cursor_over(like, FV_HEADER);
	uint16_t sum = 0;

	memset(p, 0, FV_HEADER);
	memcpy(p + 16, like + 16, 16);			/* whose file system it is */
	memcpy(p + 32, like + 32, 8);			/* length */
	memcpy(p + 40, "_FVH", 4);
	memcpy(p + 44, like + 44, 4);			/* attributes */
	put_le(p + 48, FV_HEADER, 2);
	p[55] = like[55];				/* revision */
	memcpy(p + 56, like + 56, 8);			/* how many blocks, of what size */
	c = cursor_over(p, FV_HEADER);
	while (cursor_left(&c) > 1)
		sum = (uint16_t)(sum + cursor_le16(&c));
	put_le(p + FV_SUM, (uint16_t)-sum, 2);
}

static void
put_store(uint8_t *p, const uint8_t *like, size_t size)
{
	memset(p, 0, STORE_HEADER);
	memcpy(p, like, 16);				/* with signatures, or without */
	put_le(p + 16, size, 4);
	put_le(p + 20, FORMATTED_HEALTHY, 2);
}

static uint64_t
volume_length(const struct region *r)
{
	struct cursor c = cursor_over(r->bytes + 32, 8);

	return cursor_le64(&c);
}

/* An empty queue of as many bytes as like's; the sum is taken before the block is valid. */
static void
put_working(uint8_t *p, const uint8_t *like)
{
	memset(p, ERASED, REGION_WORKING_HEADER);
	memcpy(p, like, 16);
	memcpy(p + 24, like + 24, 8);			/* bytes of the queue */
	put_le(p + 16, 0xffffffffu, 4);
	put_le(p + 16, crc32(0, p, REGION_WORKING_HEADER), 4);
	p[20] = WORKING_VALID;
}

/* ---- flash that holds nothing ---- */

/* EDK2 ArmVirtPkg: the first 768 KiB of a bank of flash; what VirtNorFlashDxe writes there. */
static const struct layout {
	uint64_t	 size, length;	/* of the flash, and of the volume in it */
	uint32_t	 store, working, block;	/* bytes of each part, and of a block of flash */
} layouts[] = {
	{ 64u << 20, 3u << 18, 1u << 18, 1u << 18, 1u << 18 },
};
#define FV_ATTRIBUTES	0xe36u	/* read, written, sticky bits, in memory, erased to ones */
#define FV_REVISION	2u

static void
format(uint8_t *p, const struct layout *l)
{
	uint8_t like[FV_HEADER] = { 0 };

	memcpy(like + 16, region_guid_volume, 16);
	put_le(like + 32, l->length, 8);
	put_le(like + 44, FV_ATTRIBUTES, 4);
	like[55] = FV_REVISION;
	put_le(like + 56, l->size / l->block, 4);
	put_le(like + 60, l->block, 4);
	memset(p, ERASED, (size_t)l->length);
	put_volume(p, like);
	put_store(p + FV_HEADER, region_guid_authenticated, l->store - FV_HEADER);
	memset(like, 0, sizeof(like));
	memcpy(like, region_guid_working, 16);
	put_le(like + 24, l->working - REGION_WORKING_HEADER, 8);
	put_working(p + l->store, like);
}

int
region_format(uint64_t size, struct buf *ret, char why[static JSON_WHY_MAX])
{
	uint8_t *p;

	for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
		if (layouts[i].size != size)
			continue;
		p = calloc(1, (size_t)size + 1);
		if (!p)
			return -ENOMEM;
		format(p, &layouts[i]);
		*ret = (struct buf){ .data = p, .len = (size_t)size, .max = (size_t)size,
			.room = (size_t)size };
		return 0;
	}
	return region_refuse(why, "no firmware is known whose flash of %llu bytes is shipped empty",
	    (unsigned long long)size);
}

/* ---- a store like another ---- */

static void
put_rest(uint8_t *p, const struct region *like)
{
	size_t at = region_working_block(like);

	memset(p + like->end, ERASED, (size_t)volume_length(like) - like->end);
	if (at > 0)
		put_working(p + at, like->bytes + at);
}

int
region_begin(const struct region *like, enum region_rest rest, struct buf *ret,
    struct region_writer *w, char why[static JSON_WHY_MAX])
{
	size_t header = like->store - STORE_HEADER;
	uint8_t *p;

	if (like->in_spare)
		return region_refuse(why,
		    "firmware has not finished rewriting its store: it does so when "
		    "the guest is started");
	if (header != FV_HEADER)
		return region_refuse(why, "the volume's header has %zu bytes, expected %u", header,
		    FV_HEADER);
	*ret = BUF_EMPTY(like->size);
	if (buf_add(ret, like->bytes, like->size) < 0)
		return -ENOMEM;
	p = ret->data;
	put_volume(p, like->bytes);
	put_store(p + header, like->bytes + header, like->end - header);
	if (memcmp(p, like->bytes, like->store) != 0)
		return region_refuse(why,
		    "the headers of the volume or its store have parts that are not "
		    "known");
	memset(p + like->store, ERASED, like->end - like->store);
	if (rest == REGION_REST_CLEAN)
		put_rest(p, like);
	*w = (struct region_writer){ .view = *like, .bytes = p, .at = like->store };
	w->view.bytes = p;
	return 0;
}

/* ---- variables ---- */

int
region_add_entry(struct region_writer *w, const struct region_entry *e)
{
	size_t next = region_entry_put(&w->view, w->bytes, w->at, e);

	if (next == 0)
		return -ENOSPC;
	w->at = next;
	return 0;
}

/* A code point of strict UTF-8; false at the end too. */
static bool
utf8_take(struct cursor *c, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	uint8_t b = cursor_u8(c);
	unsigned more = b < 0x80 ? 0 : b < 0xc0 ? 4 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : b < 0xf8 ? 3 : 4;
	uint32_t cp = more == 0 ? b : b & (0x3fu >> more);

	if (c->bad || more > 3)
		return false;
	for (unsigned i = 0; i < more; i++) {
		b = cursor_u8(c);
		if (c->bad || (b & 0xc0) != 0x80)
			return false;
		cp = cp << 6 | (b & 0x3f);
	}
	*ret = cp;
	return cp >= least[more] && cp <= 0x10ffff && (cp < 0xd800 || cp > 0xdfff);
}

static void
add_unit(struct buf *b, uint32_t unit)
{
	uint8_t p[2];

	put_le(p, unit, 2);
	(void)buf_add(b, p, 2);			/* asked once, at the end */
}

/* In UTF-16, with a NUL. */
static int
add_name(struct buf *b, const char *name)
{
	struct cursor c = cursor_over(name, strlen(name));
	uint32_t cp;

	while (cursor_left(&c) > 0) {
		if (!utf8_take(&c, &cp))
			return -EINVAL;
		if (cp >= 0x10000) {
			add_unit(b, 0xd800 + ((cp - 0x10000) >> 10));
			cp = 0xdc00 + ((cp - 0x10000) & 0x3ff);
		}
		add_unit(b, cp);
	}
	add_unit(b, 0);
	return 0;
}

static bool
is_there(const struct region_writer *w, const struct region_entry *e)
{
	struct cursor c = cursor_over(w->bytes + w->view.store, w->at - w->view.store);
	struct region_entry h;

	while (region_entry_is_next(&c) && region_entry_take(&w->view, &c, &h))
		if (h.name_size == e->name_size && memcmp(h.guid, e->guid, 16) == 0 &&
		    memcmp(h.name, e->name, e->name_size) == 0)
			return true;
	return false;
}

int
region_add(struct region_writer *w, const struct region_variable *v,
    char why[static JSON_WHY_MAX])
{
	AUTO(buf) struct buf body = BUF_EMPTY(w->view.end - w->view.store);
	struct region_entry e = {
		.state = REGION_ADDED, .attributes = v->attributes, .guid = v->guid_bytes,
		.time = v->attributes & REGION_TIME_BASED ? v->time : NULL,
	};

	if (!(v->attributes & REGION_NON_VOLATILE) || v->size == 0)
		return region_refuse(why,
		    "%.64s is not a non-volatile variable with data", v->name);
	if (v->attributes & REGION_TIME_BASED && !w->view.authenticated)
		return region_refuse(why,
		    "%.64s is signed, and the store keeps no signatures", v->name);
	if (v->name[0] == '\0' || add_name(&body, v->name) < 0)
		return region_refuse(why, "a variable's name is empty or not UTF-8");
	e.name_size = (uint32_t)body.len;
	(void)buf_add(&body, v->data, v->size);
	if (body.failed)
		return body.len + v->size > body.max ? -ENOSPC : -ENOMEM;
	e.data_size = (uint32_t)v->size;
	e.name = body.data;
	e.body_size = body.len;
	if (is_there(w, &e))
		return region_refuse(why, "%.64s is there twice", v->name);
	return region_add_entry(w, &e);
}

int
region_entries(const struct region *r, region_entry_fn *fn, void *arg,
    char why[static JSON_WHY_MAX])
{
	struct cursor c = cursor_over(r->bytes + r->store, r->end - r->store);
	struct region_entry e;

	while (region_entry_is_next(&c)) {
		if (!region_entry_take(r, &c, &e))
			return region_refuse(why, "a variable passes the end of the store");
		if (!fn(arg, &e))
			return 0;
	}
	for (; c.p < c.end; c.p++)
		if (*c.p != ERASED)
			return region_refuse(why, "neither a variable nor erased flash at %zu",
			    (size_t)(c.p - r->bytes));
	return 0;
}
