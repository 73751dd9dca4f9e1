/* The variables of a region. */
#include "uefid/region.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "uefid/region_entry.h"

#define REPLACEMENT		0xfffdu

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

/* What a header half written says of its sizes means nothing. */
static size_t
name_bytes(const struct region_entry *e)
{
	return e->body_size > 0 ? e->name_size : 0;
}

/* Is a newer one of this name further on? */
static bool
has_successor(const struct region *r, const uint8_t *from, const struct region_entry *old)
{
	struct cursor c = cursor_over(from, (size_t)(r->bytes + r->end - from));
	struct region_entry h;

	while (region_entry_is_next(&c) && region_entry_take(r, &c, &h))
		if (h.state == REGION_ADDED && name_bytes(&h) == name_bytes(old) &&
		    memcmp(h.guid, old->guid, 16) == 0 &&
		    memcmp(h.name, old->name, name_bytes(old)) == 0)
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
	struct region_entry h;
	size_t at;

	do {
		at = (size_t)(w->c.p - r->bytes);
		if (!region_entry_is_next(&w->c))
			break;
		if (!region_entry_take(r, &w->c, &h))
			return broken(w, at, "a variable that passes the end of the store");
		if (h.state == REGION_IN_TRANSITION && ++w->transitions > REGION_TRANSITIONS_MAX)
			return broken(w, at, "too many variables being replaced");
	} while (h.state != REGION_ADDED &&
	    (h.state != REGION_IN_TRANSITION || has_successor(r, w->c.p, &h)));
	if (at == (size_t)(w->c.p - r->bytes)) {	/* no header there */
		for (const uint8_t *p = w->c.p; p < w->c.end; p++)
			if (*p != 0xff)
				return broken(w, at, "neither a variable nor erased flash");
		return 0;
	}
	if (name_read(h.name, name_bytes(&h), ret->name) < 0)
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

	return !r->in_spare && !region_is_being_rewritten(r) &&
	    region_list(r, pass_over, NULL, why) == 0;
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
