#include "vmd/seed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"

/* FAT12 with clusters of one sector: boot sector, two tables, the root folder, the files. */
#define SECTOR		512u
#define SECTORS		(SEED_BYTES / SECTOR)
#define TABLE_SECTORS	2u
#define TABLE_1		1u
#define TABLE_2		(TABLE_1 + TABLE_SECTORS)
#define ROOT		(TABLE_2 + TABLE_SECTORS)
#define ROOT_ENTRIES	(SECTOR / 32)
#define DATA		(ROOT + 1)
#define CLUSTERS	(SECTORS - DATA)
#define LAST_CLUSTER	0xfffu
#define LONG_NAME_MAX	13		/* characters in the one entry that a file here has */
#define DATE		0x21		/* 1 January 1980: the same input is the same disk */

_Static_assert((CLUSTERS + 2) * 3 / 2 <= TABLE_SECTORS * SECTOR, "a table has all clusters");

struct fat {
	uint8_t		*disk;
	uint16_t	 next;		/* free cluster */
	unsigned	 entries;	/* of the root folder, used */
};

static void
put16(uint8_t *p, uint32_t v)
{
	p[0] = v & 255;
	p[1] = v >> 8 & 255;
}

static void
put32(uint8_t *p, uint32_t v)
{
	put16(p, v & 0xffff);
	put16(p + 2, v >> 16);
}

static void
set_cluster(struct fat *f, unsigned cluster, unsigned next)
{
	for (unsigned table = TABLE_1; table <= TABLE_2; table += TABLE_SECTORS) {
		uint8_t *p = f->disk + (size_t)table * SECTOR + cluster * 3 / 2;

		if (cluster & 1) {
			p[0] = (uint8_t)((p[0] & 0x0f) | (next & 0x0f) << 4);
			p[1] = (uint8_t)(next >> 4);
		} else {
			p[0] = (uint8_t)next;
			p[1] = (uint8_t)((p[1] & 0xf0) | next >> 8);
		}
	}
}

static void
begin(struct fat *f)
{
	uint8_t *p = f->disk;

	memcpy(p, "\xeb\x3c\x90SPINIFEX", 11);
	put16(p + 11, SECTOR);
	p[13] = 1;			/* sectors of a cluster */
	put16(p + 14, TABLE_1);		/* sectors before the first table */
	p[16] = 2;			/* tables */
	put16(p + 17, ROOT_ENTRIES);
	put16(p + 19, SECTORS);
	p[21] = 0xf8;			/* a fixed disk */
	put16(p + 22, TABLE_SECTORS);
	put16(p + 24, 32);
	put16(p + 26, 2);
	p[36] = 0x80;
	p[38] = 0x29;			/* the next three are there */
	put32(p + 39, 0x5eed5eed);
	memcpy(p + 43, "CIDATA     FAT12   ", 19);
	put16(p + 510, 0xaa55);
	set_cluster(f, 0, 0xff8);
	set_cluster(f, 1, LAST_CLUSTER);
	f->next = 2;
}

static uint8_t *
next_entry(struct fat *f)
{
	return f->disk + (size_t)ROOT * SECTOR + (size_t)f->entries++ * 32;
}

static uint8_t *
add_entry(struct fat *f, const char *name, uint8_t attributes)
{
	uint8_t *p = next_entry(f);

	memcpy(p, name, 11);
	p[11] = attributes;
	put16(p + 16, DATE);
	put16(p + 18, DATE);
	put16(p + 24, DATE);
	return p;
}

/* The entry in front of a file's own that has its long name. */
static void
add_long_name(struct fat *f, const char *name, const char *short_name)
{
	static const uint8_t at[LONG_NAME_MAX] = { 1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30 };
	const size_t len = strlen(name);
	uint8_t *p = next_entry(f), sum = 0;

	for (size_t i = 0; i < 11; i++)
		sum = (uint8_t)((sum >> 1 | (sum & 1) << 7) + (uint8_t)short_name[i]);
	p[0] = 0x41;			/* the first, and the last */
	p[11] = 0x0f;
	p[13] = sum;
	for (size_t i = 0; i < LONG_NAME_MAX; i++)
		put16(p + at[i], i < len ? (uint8_t)name[i] : i == len ? 0 : 0xffff);
}

static int
add_file(struct fat *f, const char *name, const char *short_name, const void *data, size_t len)
{
	const unsigned n = (unsigned)((len + SECTOR - 1) / SECTOR);
	uint8_t *p;

	if (n > CLUSTERS - (f->next - 2u))
		return -E2BIG;
	add_long_name(f, name, short_name);
	p = add_entry(f, short_name, 0x20);
	put16(p + 26, n ? f->next : 0);
	put32(p + 28, (uint32_t)len);
	if (len > 0)
		memcpy(f->disk + (size_t)(DATA + f->next - 2) * SECTOR, data, len);
	for (unsigned i = 0; i < n; i++, f->next++)
		set_cluster(f, f->next, i + 1 < n ? f->next + 1u : LAST_CLUSTER);
	return 0;
}

/* JSON, which is YAML too. */
static char *
meta_data(const struct seed *s)
{
	AUTO(json) cJSON *o = cJSON_CreateObject();
	char host[64];
	cJSON *keys;

	(void)snprintf(host, sizeof(host), "ip-%s", s->address);
	for (char *p = host; *p; p++)
		if (*p == '.')
			*p = '-';
	if (!o || !cJSON_AddStringToObject(o, "instance-id", s->instance_id) ||
	    !cJSON_AddStringToObject(o, "local-hostname", host))
		return NULL;
	keys = s->public_key ? cJSON_AddArrayToObject(o, "public-keys") : NULL;
	if (s->public_key && (!keys ||
	    !cJSON_AddItemToArray(keys, cJSON_CreateString(s->public_key))))
		return NULL;
	return json_print(o);
}

int
seed_make(const struct seed *s, uint8_t **ret)
{
	AUTO(mem) void *disk = calloc(1, SEED_BYTES);
	AUTO(str) char *meta = meta_data(s);
	struct fat f = { .disk = disk };
	int r;

	if (!disk || !meta)
		return -ENOMEM;
	begin(&f);
	(void)add_entry(&f, "CIDATA     ", 0x08);
	r = add_file(&f, "meta-data", "META-D~1   ", meta, strlen(meta));
	if (r == 0)
		r = add_file(&f, "user-data", "USER-D~1   ", s->user_data, s->user_len);
	if (r < 0)
		return r;
	*ret = disk;
	disk = NULL;
	return 0;
}
