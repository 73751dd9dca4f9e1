#include "leased/registry.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SLOTS_MIN	64

struct entry {
	char	*name;		/* a key, or a prefix with its dot */
	char	*client;
};

/*
 * Keys are found by hash; prefixes are few and are walked.  Whether a new prefix covers a
 * key needs a walk over all keys, which happens at start only.
 */
struct registry {
	struct entry	*slots;		/* open addressing, a power of two, half full at most */
	size_t		 nslots, nkeys;
	struct entry	*prefixes;
	size_t		 nprefixes;
};

static const char *const registry_texts[REGISTRY_RESULTS] = {
	[REGISTRY_OK]		= "registered",
	[REGISTRY_BAD_KEY]	= "not a valid key, prefix or client",
	[REGISTRY_OWNED]	= "owned by another client",
	[REGISTRY_OVERLAP]	= "overlaps what is registered",
	[REGISTRY_FULL]		= "too many keys",
	[REGISTRY_NOMEM]	= "out of memory",
};

const char *
registry_result_text(enum registry_result r)
{
	return r < REGISTRY_RESULTS ? registry_texts[r] : "unknown";
}

struct registry *
registry_new(void)
{
	struct registry *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->slots = calloc(SLOTS_MIN, sizeof(*r->slots));
	r->nslots = SLOTS_MIN;
	if (!r->slots) {
		free(r);
		return NULL;
	}
	return r;
}

static void
entry_deinit(struct entry *e)
{
	free(e->name);
	free(e->client);
}

void
registry_free(struct registry *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nslots; i++)
		entry_deinit(&r->slots[i]);
	for (size_t i = 0; i < r->nprefixes; i++)
		entry_deinit(&r->prefixes[i]);
	free(r->slots);
	free(r->prefixes);
	free(r);
}

static bool
client_is_valid(const char *client)
{
	size_t n = client ? strlen(client) : 0;

	return n > 0 && n <= REGISTRY_CLIENT_MAX;
}

/* The slot that has key, or the free one where it would go. */
static struct entry *
slot_of(struct entry *slots, size_t nslots, const char *key)
{
	size_t i = (size_t)cas_key_hash(key) & (nslots - 1);

	while (slots[i].name && strcmp(slots[i].name, key) != 0)
		i = (i + 1) & (nslots - 1);
	return &slots[i];
}

static bool
grow(struct registry *r)
{
	size_t n = r->nslots * 2;
	struct entry *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < r->nslots; i++)
		if (r->slots[i].name)
			*slot_of(slots, n, r->slots[i].name) = r->slots[i];
	free(r->slots);
	r->slots = slots;
	r->nslots = n;
	return true;
}

static bool
lies_under(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static const struct entry *
prefix_over(const struct registry *r, const char *key)
{
	for (size_t i = 0; i < r->nprefixes; i++)
		if (lies_under(key, r->prefixes[i].name))
			return &r->prefixes[i];
	return NULL;
}

static bool
entry_make(struct entry *e, const char *name, const char *client)
{
	AUTO(str) char *n = strdup(name);
	AUTO(str) char *c = strdup(client);

	if (!n || !c)
		return false;
	*e = (struct entry){ steal_str(&n), steal_str(&c) };
	return true;
}

static enum registry_result
insert_key(struct registry *r, const char *key, const char *client)
{
	if (r->nkeys >= REGISTRY_MAX)
		return REGISTRY_FULL;
	if (r->nkeys * 2 >= r->nslots && !grow(r))
		return REGISTRY_NOMEM;
	if (!entry_make(slot_of(r->slots, r->nslots, key), key, client))
		return REGISTRY_NOMEM;
	r->nkeys++;
	return REGISTRY_OK;
}

enum registry_result
registry_add_key(struct registry *r, const char *key, const char *client)
{
	if (!cas_key_is_valid(key) || !client_is_valid(client))
		return REGISTRY_BAD_KEY;
	if (slot_of(r->slots, r->nslots, key)->name)
		return REGISTRY_OWNED;
	if (prefix_over(r, key))
		return REGISTRY_OVERLAP;
	return insert_key(r, key, client);
}

static bool
prefix_collides(const struct registry *r, const char *prefix)
{
	for (size_t i = 0; i < r->nprefixes; i++)
		if (lies_under(prefix, r->prefixes[i].name) ||
		    lies_under(r->prefixes[i].name, prefix))
			return true;
	for (size_t i = 0; i < r->nslots; i++)
		if (r->slots[i].name && lies_under(r->slots[i].name, prefix))
			return true;
	return false;
}

enum registry_result
registry_add_prefix(struct registry *r, const char *prefix, const char *client)
{
	struct entry *grown;

	if (!cas_prefix_is_valid(prefix) || !client_is_valid(client))
		return REGISTRY_BAD_KEY;
	if (prefix_collides(r, prefix))
		return REGISTRY_OVERLAP;
	grown = reallocarray(r->prefixes, r->nprefixes + 1, sizeof(*grown));
	if (!grown)
		return REGISTRY_NOMEM;
	r->prefixes = grown;
	if (!entry_make(&grown[r->nprefixes], prefix, client))
		return REGISTRY_NOMEM;
	r->nprefixes++;
	return REGISTRY_OK;
}

const char *
registry_owner(const struct registry *r, const char *key)
{
	const struct entry *e = prefix_over(r, key);

	if (!e)
		e = slot_of(r->slots, r->nslots, key);
	return e->client;
}

enum registry_result
registry_use(struct registry *r, const char *key, const char *client)
{
	const char *owner;

	if (!cas_key_is_valid(key) || !client_is_valid(client))
		return REGISTRY_BAD_KEY;
	owner = registry_owner(r, key);
	if (!owner)
		return insert_key(r, key, client);
	return strcmp(owner, client) == 0 ? REGISTRY_OK : REGISTRY_OWNED;
}

bool
registry_member_is_valid(const char *name)
{
	char key[CAS_KEY_MAX + 1];
	int n = snprintf(key, sizeof(key), "m%s", name);	/* hides a first underscore */

	return name[0] != '\0' && name[0] != '.' && n > 0 && (size_t)n < sizeof(key) &&
	    cas_key_is_valid(key);
}

int
registry_member_key(const char *prefix, const char *name, char *ret, size_t size)
{
	int n;

	if (!cas_prefix_is_valid(prefix) || !registry_member_is_valid(name))
		return -EINVAL;
	n = snprintf(ret, size, "%s%s", prefix, name);
	if (n < 0 || (size_t)n >= size || n > CAS_KEY_MAX)
		return -ENAMETOOLONG;
	return n;
}
