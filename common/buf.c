#include "common/buf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BUF_ROOM_MIN	64

void
buf_deinit(struct buf *b)
{
	free(b->data);
	*b = BUF_EMPTY(b->max);
}

/* Room for n bytes more, and for the NUL after them. */
static int
reserve(struct buf *b, size_t n)
{
	size_t need = b->len + n, room;
	uint8_t *data;

	if (n > b->max || b->len > b->max - n)
		return -EMSGSIZE;
	if (b->data && need <= b->room)
		return 0;
	room = b->room > SIZE_MAX / 2 ? SIZE_MAX : b->room * 2;
	if (room < BUF_ROOM_MIN)
		room = BUF_ROOM_MIN;
	if (room > b->max)
		room = b->max;
	if (room < need)
		room = need;
	if (room == SIZE_MAX || !(data = realloc(b->data, room + 1)))
		return -ENOMEM;
	b->data = data;
	b->room = room;
	b->data[b->len] = '\0';
	return 0;
}

int
buf_add(struct buf *b, const void *p, size_t n)
{
	int r = reserve(b, n);

	if (r < 0) {
		b->failed = true;
		return r;
	}
	if (n > 0)
		memcpy(b->data + b->len, p, n);
	b->len += n;
	b->data[b->len] = '\0';
	return 0;
}

int
buf_add_str(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

int
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n, r;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	r = n < 0 ? -EMSGSIZE : reserve(b, (size_t)n);
	if (r < 0) {
		b->failed = true;
		return r;
	}
	(void)vsnprintf((char *)b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
	return 0;
}

int
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = buf_vprintf(b, fmt, ap);
	va_end(ap);
	return r;
}

const char *
buf_text(const struct buf *b)
{
	if (b->failed)
		return NULL;
	return b->data ? (const char *)b->data : "";
}

char *
buf_take(struct buf *b)
{
	char *text = NULL;

	if (!b->failed) {
		text = b->data ? (char *)b->data : strdup("");
		b->data = NULL;
	}
	buf_deinit(b);
	return text;
}

const uint8_t *
cursor_take(struct cursor *c, size_t n)
{
	if (c->bad || cursor_left(c) < n) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return c->p - n;
}

static uint64_t
take_le(struct cursor *c, unsigned n)
{
	const uint8_t *p = cursor_take(c, n);
	uint64_t v = 0;

	while (p && n-- > 0)
		v = v << 8 | p[n];
	return v;
}

uint8_t
cursor_u8(struct cursor *c)
{
	return (uint8_t)take_le(c, 1);
}

uint16_t
cursor_le16(struct cursor *c)
{
	return (uint16_t)take_le(c, 2);
}

uint32_t
cursor_le32(struct cursor *c)
{
	return (uint32_t)take_le(c, 4);
}

uint64_t
cursor_le64(struct cursor *c)
{
	return take_le(c, 8);
}

bool
cursor_is_done(const struct cursor *c)
{
	return !c->bad && c->p == c->end;
}
