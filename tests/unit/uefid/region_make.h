/*
 * region_make.h - small regions for tests, laid out as OVMF does: volume header, variable
 * store, and a spare half.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAKE_SIZE	8192u
#define MAKE_HEADER	72u
#define MAKE_STORE	(MAKE_HEADER + 28u)	/* offset of the first variable */
#define MAKE_END	(MAKE_SIZE / 2)		/* the store's end */

struct make {
	uint8_t	 p[MAKE_SIZE];
	size_t	 at;		/* where the next variable goes */
};

static inline void
make_u16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static inline void
make_u32(uint8_t *p, uint32_t v)
{
	make_u16(p, v & 0xffff);
	make_u16(p + 2, v >> 16);
}

/* Sets the volume header's checksum right again. */
static inline void
make_sum(uint8_t *p)
{
	unsigned sum = 0;

	make_u16(p + 50, 0);
	for (size_t i = 0; i < MAKE_HEADER; i += 2)
		sum += p[i] + 256u * p[i + 1];
	make_u16(p + 50, 0x10000u - (sum & 0xffff));
}

static inline void
make_init(struct make *m)
{
	static const uint8_t nvram[16] = {
		0x8d, 0x2b, 0xf1, 0xff, 0x96, 0x76, 0x8b, 0x4c,
		0xa9, 0x85, 0x27, 0x47, 0x07, 0x5b, 0x4f, 0x50,
	};
	static const uint8_t authenticated[16] = {
		0x78, 0x2c, 0xf3, 0xaa, 0x7b, 0x94, 0x9a, 0x43,
		0xa1, 0x80, 0x2e, 0x14, 0x4e, 0xc3, 0x77, 0x92,
	};
	uint8_t *p = m->p;

	memset(p, 0xff, MAKE_SIZE);
	memset(p, 0, MAKE_HEADER);
	memcpy(p + 16, nvram, 16);
	make_u32(p + 32, MAKE_SIZE);
	memcpy(p + 40, "_FVH", 4);
	make_u32(p + 44, 0x4feff);
	make_u16(p + 48, MAKE_HEADER);
	p[55] = 2;
	make_u32(p + 56, MAKE_SIZE / 4096);
	make_u32(p + 60, 4096);
	make_sum(p);
	memcpy(p + MAKE_HEADER, authenticated, 16);
	make_u32(p + MAKE_HEADER + 16, MAKE_END - MAKE_HEADER);
	p[MAKE_HEADER + 20] = 0x5a;
	p[MAKE_HEADER + 21] = 0xfe;
	memset(p + MAKE_HEADER + 22, 0, 6);
	m->at = MAKE_STORE;
}

/* A variable in the given state; returns its offset. */
static inline size_t
make_variable(struct make *m, const char *name, uint8_t state, const void *data, uint32_t n)
{
	uint32_t name_size = 2 * (uint32_t)(strlen(name) + 1);
	uint8_t *p = m->p + m->at;
	size_t at = m->at;

	if (at + 60 + name_size + n > MAKE_END)
		abort();
	memset(p, 0, 60 + name_size);
	make_u16(p, 0x55aa);
	p[2] = state;
	make_u32(p + 4, 7);
	make_u32(p + 36, name_size);
	make_u32(p + 40, n);
	memcpy(p + 44, "\x61\xdf\xe4\x8b\xca\x93\xd2\x11\xaa\x0d\x00\xe0\x98\x03\x2b\x8c", 16);
	for (size_t i = 0; name[i] != '\0'; i++)
		p[60 + 2 * i] = (uint8_t)name[i];
	memcpy(p + 60 + name_size, data, n);
	m->at = (at + 60 + name_size + n + 3) & ~(size_t)3;
	return at;
}

/* As firmware leaves it in the middle of a reclaim: the image is in the spare half, the first
 * half is erased. */
static inline void
make_reclaiming(struct make *m)
{
	memcpy(m->p + MAKE_SIZE / 2, m->p, MAKE_SIZE / 2);
	memset(m->p, 0xff, MAKE_SIZE / 2);
}

/* A working block behind the store, with one write of one block in its queue: the bits of the
 * write's header and of its block's record, as they lie in flash. */
static inline uint8_t *
make_queue(struct make *m, uint8_t header, uint8_t record)
{
	static const uint8_t working[16] = {
		0x2b, 0x29, 0x58, 0x9e, 0x68, 0x7c, 0x7d, 0x49,
		0xa0, 0xce, 0x65, 0x00, 0xfd, 0x9f, 0x1b, 0x95,
	};
	uint8_t *p = m->p + MAKE_END;

	memset(p, 0xff, 4096);
	memcpy(p, working, 16);
	p[20] = 0xfe;
	memset(p + 24, 0, 8);
	make_u32(p + 24, 4096 - 32);
	p += 32;
	p[0] = header;
	memset(p + 24, 0, 16);
	make_u32(p + 24, 1);
	make_u32(p + 32, 16);		/* bytes beside each record */
	p[40] = record;
	return p + 40 + 40 + 16;	/* where the next header goes */
}
