/* EDK2's firmware volume and the frame of its variable store. */
#include "uefid/region.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"

#define FV_HEADER_MIN		72	/* with one block map entry and its end */
#define FV_SIGNATURE		"_FVH"
#define STORE_HEADER		28
#define STORE_FORMATTED		0x5a
#define STORE_HEALTHY		0xfe
#define ERASED			0xff

/* EFI_SYSTEM_NV_DATA_FV_GUID, EFI_(AUTHENTICATED_)VARIABLE_GUID, as they lie in flash. */
const uint8_t region_guid_volume[16] = {
	0x8d, 0x2b, 0xf1, 0xff, 0x96, 0x76, 0x8b, 0x4c,
	0xa9, 0x85, 0x27, 0x47, 0x07, 0x5b, 0x4f, 0x50,
};
const uint8_t region_guid_authenticated[16] = {
	0x78, 0x2c, 0xf3, 0xaa, 0x7b, 0x94, 0x9a, 0x43,
	0xa1, 0x80, 0x2e, 0x14, 0x4e, 0xc3, 0x77, 0x92,
};
static const uint8_t guid_plain[16] = {
	0x16, 0x36, 0xcf, 0xdd, 0x75, 0x32, 0x64, 0x41,
	0x98, 0xb6, 0xfe, 0x85, 0x70, 0x7f, 0xfe, 0x7d,
};

int
region_refuse(char why[static JSON_WHY_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, JSON_WHY_MAX, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static bool
is_filled(const uint8_t *p, size_t n, uint8_t with)
{
	return n == 0 || (p[0] == with && memcmp(p, p + 1, n - 1) == 0);
}

struct volume {
	uint64_t	 length;	/* bytes of all of it */
	uint16_t	 header;	/* bytes */
};

static bool
volume_sum_is_right(const uint8_t *p, uint16_t header)
{
	struct cursor c = cursor_over(p, header);
	uint16_t sum = 0;

	while (cursor_left(&c) > 1)
		sum = (uint16_t)(sum + cursor_le16(&c));
	return sum == 0 && cursor_is_done(&c);
}

static int
volume_read(const uint8_t *p, size_t n, struct volume *ret, char why[static JSON_WHY_MAX])
{
	struct cursor c = cursor_over(p, n);
	const uint8_t *guid, *signature;
	struct volume v;

	(void)cursor_take(&c, 16);		/* zero vector */
	guid = cursor_take(&c, 16);
	v.length = cursor_le64(&c);
	signature = cursor_take(&c, 4);
	(void)cursor_le32(&c);			/* attributes */
	v.header = cursor_le16(&c);
	if (c.bad || !guid || !signature)
		return region_refuse(why, "too short for a firmware volume");
	if (memcmp(signature, FV_SIGNATURE, 4) != 0)
		return region_refuse(why, "no firmware volume: expected the signature _FVH at 40");
	if (memcmp(guid, region_guid_volume, 16) != 0)
		return region_refuse(why, "the firmware volume is not one of variables");
	if (v.header < FV_HEADER_MIN || v.header > n)
		return region_refuse(why, "the volume's header has a length of %u bytes", v.header);
	if (!volume_sum_is_right(p, v.header))
		return region_refuse(why, "the checksum of the volume's header is wrong");
	*ret = v;
	return 0;
}

/* The variable store that follows the volume's header; sets all but bytes and size. */
static int
store_read(const uint8_t *p, size_t n, const struct volume *v, struct region *ret,
    char why[static JSON_WHY_MAX])
{
	struct cursor c = cursor_over(p + v->header, n - v->header);
	const uint8_t *guid = cursor_take(&c, 16);
	uint32_t size = cursor_le32(&c);
	uint8_t format = cursor_u8(&c), state = cursor_u8(&c);
	bool authenticated;

	(void)cursor_take(&c, 6);
	if (c.bad || !guid)
		return region_refuse(why, "too short for a variable store");
	authenticated = memcmp(guid, region_guid_authenticated, 16) == 0;
	if (!authenticated && memcmp(guid, guid_plain, 16) != 0)
		return region_refuse(why, "the volume holds no variable store");
	if (format != STORE_FORMATTED || state != STORE_HEALTHY)
		return region_refuse(why,
		    "the variable store is not formatted and healthy (%02x, %02x)",
		    format, state);
	if (size < STORE_HEADER || size > n - v->header)
		return region_refuse(why, "the variable store has a size of %u bytes", size);
	ret->authenticated = authenticated;
	ret->store = v->header + (size_t)STORE_HEADER;
	ret->end = v->header + (size_t)size;
	return 0;
}

static int
whole_open(const uint8_t *p, size_t n, struct region *ret, char why[static JSON_WHY_MAX])
{
	struct volume v;
	size_t rest;
	int r = volume_read(p, n, &v, why);

	if (r < 0)
		return r;
	if (v.length > n || v.length < v.header)
		return region_refuse(why, "the volume says %llu bytes, the region has %zu",
		    (unsigned long long)v.length, n);
	/* Some firmware pads its flash past the volume; nothing is ever written there. */
	rest = n - (size_t)v.length;
	if (!is_filled(p + v.length, rest, ERASED) && !is_filled(p + v.length, rest, 0))
		return region_refuse(why, "there is something after the volume's %llu bytes",
		    (unsigned long long)v.length);
	return store_read(p, (size_t)v.length, &v, ret, why);
}

/* The spare half holds an image of the first half: header and store, and its length is that
 * of the whole. */
static bool
spare_open(const uint8_t *p, size_t n, struct region *ret)
{
	char why[JSON_WHY_MAX];
	size_t half = n / 2;
	struct volume v;

	if (volume_read(p + half, n - half, &v, why) < 0 || v.length != n ||
	    store_read(p + half, n - half, &v, ret, why) < 0)
		return false;
	ret->store += half;
	ret->end += half;
	ret->in_spare = true;
	return true;
}

int
region_open(const void *p, size_t n, uint64_t expected_size, struct region *ret,
    char why[static JSON_WHY_MAX])
{
	struct region r = { .bytes = p, .size = n };

	if (n > REGION_MAX)
		return region_refuse(why, "the region has %zu bytes, at most %u are allowed", n,
		    REGION_MAX);
	if (n != expected_size)
		return region_refuse(why, "the region has %zu bytes, expected %llu", n,
		    (unsigned long long)expected_size);
	if (whole_open(p, n, &r, why) < 0 && !spare_open(p, n, &r))
		return -EINVAL;
	*ret = r;
	return 0;
}
