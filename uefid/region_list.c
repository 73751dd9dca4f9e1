/* The variables of a region. */
#include "uefid/region.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/buf.h"

#define VARIABLE_START		0x55aa
#define VARIABLE_ALIGN		4u

/* A variable's state loses a bit with each step of its life. */
#define STATE_ADDED		0x3f
#define STATE_IN_TRANSITION	0x3e	/* being replaced: the live one until the new one is added */
#define STATE_NEVER		0xff	/* its header was being written */

#define SIZE_NEVER		0xffffffffu
#define REPLACEMENT		0xfffdu

struct header {
	uint16_t	 start;
	uint8_t		 state;
	uint32_t	 attributes;
	uint32_t	 name_size, data_size;
	const uint8_t	*guid;
	const uint8_t	*time;
	const uint8_t	*name;		/* the data follows it */
};

static size_t
aligned(size_t n)
{
	return (n + VARIABLE_ALIGN - 1) & ~(size_t)(VARIABLE_ALIGN - 1);
}

/* One header with its body, cursor after it and aligned.  False when it passes the end. */
static bool
header_take(const struct region *r, struct cursor *c, struct header *ret)
{
	struct header h = { 0 };
	size_t body, at;

	h.start = cursor_le16(c);
	h.state = cursor_u8(c);
	(void)cursor_u8(c);
	h.attributes = cursor_le32(c);
	if (r->authenticated) {
		(void)cursor_take(c, 8);	/* a count, for the deprecated way to sign */
		h.time = cursor_take(c, 16);
		(void)cursor_take(c, 4);	/* index of a key, of the same way */
	}
	h.name_size = cursor_le32(c);
	h.data_size = cursor_le32(c);
	h.guid = cursor_take(c, 16);
	/* Firmware counts a header that was still being written as one without a body. */
	if (h.state == STATE_NEVER || h.attributes == SIZE_NEVER ||
	    h.name_size == SIZE_NEVER || h.data_size == SIZE_NEVER)
		h.name_size = h.data_size = 0;
	body = (size_t)h.name_size + h.data_size;
	h.name = c->bad || cursor_left(c) < body ? NULL : cursor_take(c, body);
	if (!h.name)
		return false;
	at = (size_t)(c->p - r->bytes);
	body = aligned(at) - at;
	/* The last one may end unaligned at the very end. */
	(void)cursor_take(c, cursor_left(c) < body ? cursor_left(c) : body);
	*ret = h;
	return true;
}

static bool
header_is_next(const struct cursor *c)
{
	struct cursor peek = *c;

	return cursor_left(c) >= 2 && cursor_le16(&peek) == VARIABLE_START;
}

void
region_guid_text(const uint8_t *g, char ret[static REGION_GUID_LEN + 1])
{
	snprintf(ret, REGION_GUID_LEN + 1,
	    "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
	    g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6],
	    g[8], g[9], g[10], g[11], g[12], g[13], g[14], g[15]);
}

/* ---- names ---- */

/* One code point in UTF-8 at p, which has room for four bytes. */
static size_t
utf8_put(char *p, uint32_t cp)
{
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };

	for (size_t i = n - 1; i > 0; i--, cp >>= 6)
		p[i] = (char)(0x80 | (cp & 0x3f));
	p[0] = (char)(lead[n] | cp);
	return n;
}

/* The next code point; U+FFFD for a surrogate that stands alone. */
static uint32_t
utf16_take(struct cursor *c)
{
	uint32_t high = cursor_le16(c), low;
	struct cursor ahead = *c;

	if (high < 0xd800 || high > 0xdfff)
		return high;
	low = cursor_left(c) >= 2 ? cursor_le16(&ahead) : 0;
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	*c = ahead;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static int
name_read(const uint8_t *p, size_t n, char ret[static REGION_NAME_MAX + 1])
{
	struct cursor c = cursor_over(p, n);
	size_t len = 0;

	if (n % 2 != 0)
		return -EINVAL;
	while (cursor_left(&c) >= 2) {
		uint32_t cp = utf16_take(&c);

		if (cp == 0)
			break;
		if (len + 4 > REGION_NAME_MAX)
			return -EINVAL;
		len += utf8_put(ret + len, cp);
	}
	ret[len] = '\0';
	return len > 0 ? 0 : -EINVAL;
}

/* ---- the walk ---- */

/* Is a newer one of this name further on? */
static bool
has_successor(const struct region *r, const uint8_t *from, const struct header *old)
{
	struct cursor c = cursor_over(from, (size_t)(r->bytes + r->end - from));
	struct header h;

	while (header_is_next(&c) && header_take(r, &c, &h))
		if (h.state == STATE_ADDED && h.name_size == old->name_size &&
		    memcmp(h.guid, old->guid, 16) == 0 &&
		    memcmp(h.name, old->name, h.name_size) == 0)
			return true;
	return false;
}

struct walk {
	const struct region	*region;
	struct cursor		 c;
	unsigned		 transitions;
	char			*why;
};

static int
broken(const struct walk *w, size_t at, const char *what)
{
	snprintf(w->why, JSON_WHY_MAX, "%s at %zu", what, at);
	return -EINVAL;
}

/* The next live variable: 1 and *ret, 0 at the end, -EINVAL. */
static int
walk_next(struct walk *w, struct region_variable *ret)
{
	const struct region *r = w->region;
	struct header h;
	size_t at;

	do {
		at = (size_t)(w->c.p - r->bytes);
		if (!header_is_next(&w->c))
			break;
		if (!header_take(r, &w->c, &h))
			return broken(w, at, "a variable that passes the end of the store");
		if (h.state == STATE_IN_TRANSITION && ++w->transitions > REGION_TRANSITIONS_MAX)
			return broken(w, at, "too many variables being replaced");
	} while (h.state != STATE_ADDED &&
	    (h.state != STATE_IN_TRANSITION || has_successor(r, w->c.p, &h)));
	if (at == (size_t)(w->c.p - r->bytes)) {	/* no header there */
		for (const uint8_t *p = w->c.p; p < w->c.end; p++)
			if (*p != 0xff)
				return broken(w, at, "neither a variable nor erased flash");
		return 0;
	}
	if (name_read(h.name, h.name_size, ret->name) < 0)
		return broken(w, at, "a variable without a name");
	region_guid_text(h.guid, ret->guid);
	ret->attributes = h.attributes;
	ret->data = h.name + h.name_size;
	ret->size = h.data_size;
	ret->guid_bytes = h.guid;
	ret->time = h.time;
	return 1;
}

int
region_list(const struct region *r, region_variable_fn *fn, void *arg,
    char why[static JSON_WHY_MAX])
{
	struct walk w = {
		.region = r,
		.c = cursor_over(r->bytes + r->store, r->end - r->store),
		.why = why,
	};
	struct region_variable v;
	int res;

	/* Each turn takes at least a header, so this ends. */
	while ((res = walk_next(&w, &v)) > 0)
		if (!fn(arg, &v))
			return 0;
	return res;
}

static bool
pass_over(void *arg, const struct region_variable *v)
{
	return true;
}

bool
region_is_complete(const struct region *r)
{
	char why[JSON_WHY_MAX];

	return !r->in_spare && region_list(r, pass_over, NULL, why) == 0;
}

/* ---- Secure Boot ---- */

struct keys {
	bool	 has_platform_key, is_off;
};

static bool
look_for_keys(void *arg, const struct region_variable *v)
{
	struct keys *k = arg;

	if (strcmp(v->name, "PK") == 0 &&
	    strcmp(v->guid, "8be4df61-93ca-11d2-aa0d-00e098032b8c") == 0)
		k->has_platform_key = v->size > 0;
	/* EDK2's own switch; without it, or with 1, the check is on once there is a key. */
	if (strcmp(v->name, "SecureBootEnable") == 0 &&
	    strcmp(v->guid, "f0a30bc7-af08-4556-99c4-001009c93a44") == 0)
		k->is_off = v->size == 1 && v->data[0] == 0;
	return true;
}

enum region_secure_boot
region_secure_boot(const struct region *r)
{
	char why[JSON_WHY_MAX];
	struct keys k = { 0 };

	/* A list that breaks is judged by what stands before. */
	(void)!region_list(r, look_for_keys, &k, why);
	if (!k.has_platform_key)
		return REGION_SETUP;
	return k.is_off ? REGION_DISABLED : REGION_ENABLED;
}

const char *
region_secure_boot_text(enum region_secure_boot s)
{
	static const char *const texts[] = { "setup", "disabled", "enabled" };

	return texts[s];
}
