/*
 * buf.h - bytes that grow up to a ceiling given when the buffer is made, and a cursor that
 * reads foreign bytes and cannot pass their end.  No locks: one owner at a time.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cleanup.h"

struct buf {
	uint8_t	*data;		/* always followed by a NUL once anything was added */
	size_t	 len;
	size_t	 max;		/* ceiling on len */
	size_t	 room;		/* allocated, without the NUL */
	bool	 failed;	/* an add did not fit or had no memory; stays set */
};

#define BUF_EMPTY(max_bytes)	((struct buf){ .max = (max_bytes) })

void	 buf_deinit(struct buf *b);		/* zero again, ceiling kept */
/* 0, -EMSGSIZE over the ceiling, -ENOMEM.  On failure nothing was added, failed is set. */
int	 buf_add(struct buf *b, const void *p, size_t n);
int	 buf_add_str(struct buf *b, const char *s);
int	 buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
int	 buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
/* The text, or NULL if any add failed.  Borrowed: "" for an empty buffer. */
const char *buf_text(const struct buf *b);
/* Caller owns the text (NUL-terminated); b is empty afterwards.  NULL if any add failed. */
OWNED_BY(free) char *buf_take(struct buf *b);

static inline void __attribute__((unused))
auto_buf(struct buf *b)
{
	buf_deinit(b);
}

/* Reads that would pass the end fail once and stay failed: ask once, at the close. */
struct cursor {
	const uint8_t	*p, *end;
	bool		 bad;
};

static inline struct cursor
cursor_over(const void *p, size_t n)
{
	return (struct cursor){ .p = p, .end = (const uint8_t *)p + n };
}

const uint8_t	*cursor_take(struct cursor *c, size_t n);	/* NULL: too short */
uint8_t		 cursor_u8(struct cursor *c);			/* 0 when bad */
uint16_t	 cursor_le16(struct cursor *c);
uint32_t	 cursor_le32(struct cursor *c);
uint64_t	 cursor_le64(struct cursor *c);
static inline size_t
cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}
/* Nothing failed and nothing is left over. */
bool		 cursor_is_done(const struct cursor *c);
