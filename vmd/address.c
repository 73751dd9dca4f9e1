#include "vmd/address.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

#include "common/cidr.h"
#include "common/json.h"
#include "common/network.h"

#define VALUE_MAX	1024

static uint64_t
digest_of(const char *instance_id, unsigned at)
{
	unsigned char d[SHA256_DIGEST_LENGTH];
	uint64_t v = 0;

	SHA256((const unsigned char *)instance_id, strlen(instance_id), d);
	for (unsigned i = 0; i < 8; i++)
		v = v << 8 | d[at + i];
	return v;
}

int
address_range_of(const char *cidr, struct address_range *ret)
{
	struct cidr c;

	if (cidr_read(*cidr ? cidr : NETWORK_SUBNET_CIDR, &c) < 0 || c.bits < 8 || c.bits > 28)
		return -EINVAL;
	*ret = (struct address_range){ c.base + 4, cidr_size(&c) - 5, c.bits };
	return 0;
}

bool
address_is_in(const struct address_range *r, const char *address)
{
	char text[ADDRESS_TEXT_MAX + 3];
	struct cidr c;
	const int n = snprintf(text, sizeof(text), "%s/32", address);

	return n > 0 && (size_t)n < sizeof(text) && cidr_read(text, &c) == 0 && c.base >= r->first &&
	    c.base - r->first < r->count;
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

void
address_candidate(const struct address_range *r, const char *instance_id, unsigned n,
    char ret[static ADDRESS_TEXT_MAX])
{
	uint64_t begin = digest_of(instance_id, 0) % r->count;
	uint64_t step = 1 + digest_of(instance_id, 8) % (r->count - 1);
	uint32_t a;

	while (gcd(step, r->count) != 1)	/* else it would not come to all */
		step++;
	a = (uint32_t)(r->first + (begin + n * step) % r->count);

	snprintf(ret, ADDRESS_TEXT_MAX, "%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255,
	    a & 255);
}

void
address_mac(const char *instance_id, char ret[static ADDRESS_MAC_MAX])
{
	uint64_t d = digest_of(instance_id, 16);

	snprintf(ret, ADDRESS_MAC_MAX, "02:%02x:%02x:%02x:%02x:%02x", (unsigned)(d >> 32) & 255,
	    (unsigned)(d >> 24) & 255, (unsigned)(d >> 16) & 255, (unsigned)(d >> 8) & 255,
	    (unsigned)d & 255);
}

static void
key_of(const char *account_id, const char *address, char ret[static CAS_KEY_MAX])
{
	char dashed[ADDRESS_TEXT_MAX];
	size_t i;

	for (i = 0; i + 1 < sizeof(dashed) && address[i]; i++)
		dashed[i] = address[i] == '.' ? '-' : address[i];
	dashed[i] = '\0';
	snprintf(ret, CAS_KEY_MAX, "%s.%s", account_id, dashed);
}

static bool
is_of(const struct cas_entry *e, const char *instance_id)
{
	AUTO(json) cJSON *tree = NULL;
	char why[JSON_WHY_MAX];
	const char *has;

	if (json_parse(e->value, e->len, VALUE_MAX, &tree, why) < 0 || !cJSON_IsObject(tree))
		return false;	/* somebody's, then: never taken, never freed by us */
	has = json_text(tree, "instance_id");
	return has && strcmp(has, instance_id) == 0;
}

static enum cas_result
create(const struct cas_store *s, const char *key, const char *instance_id, uint64_t expected)
{
	AUTO(json) cJSON *tree = cJSON_CreateObject();
	AUTO(str) char *text = NULL;
	char mac[ADDRESS_MAC_MAX];
	uint64_t revision;

	address_mac(instance_id, mac);
	if (!tree || !cJSON_AddStringToObject(tree, "instance_id", instance_id) ||
	    !cJSON_AddStringToObject(tree, "mac", mac) || !(text = json_print(tree)))
		return CAS_NOMEM;
	return s->swap(s->ctx, key, text, strlen(text), expected, &revision);
}

/* One candidate.  CAS_LOST: it is another's. */
static enum cas_result
try_one(const struct cas_store *s, const char *key, const char *instance_id, bool *ret_made)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = s->load(s->ctx, key, &e);

	*ret_made = false;
	if (res == CAS_OK)
		return is_of(&e, instance_id) ? CAS_OK : CAS_LOST;
	if (res != CAS_NOT_FOUND)
		return res;
	res = create(s, key, instance_id, e.revision);
	*ret_made = res == CAS_OK;
	return res;
}

enum address_result
address_take(const struct cas_store *s, const struct address_range *r, const char *account_id,
    const char *instance_id, char ret[static ADDRESS_TEXT_MAX], bool *ret_made, enum cas_result *ret_store)
{
	for (unsigned n = 0; n < r->count; n++) {
		char address[ADDRESS_TEXT_MAX], key[CAS_KEY_MAX];
		enum cas_result res;
		bool made;

		address_candidate(r, instance_id, n, address);
		key_of(account_id, address, key);
		res = try_one(s, key, instance_id, &made);
		if (res == CAS_LOST)
			continue;
		if (res != CAS_OK) {
			*ret_store = res;
			return ADDRESS_STORE;
		}
		memcpy(ret, address, sizeof(address));
		*ret_made = made;
		return ADDRESS_OK;
	}
	return ADDRESS_FULL;
}

enum address_result
address_take_this(const struct cas_store *s, const char *account_id, const char *instance_id,
    const char *address, enum cas_result *ret_store)
{
	char key[CAS_KEY_MAX];
	bool made;

	key_of(account_id, address, key);
	*ret_store = try_one(s, key, instance_id, &made);
	return *ret_store == CAS_OK ? ADDRESS_OK : *ret_store == CAS_LOST ? ADDRESS_FULL : ADDRESS_STORE;
}

/* CAS_OK: it is not, or no longer, the instance's.  *ret_freed: it was. */
static enum cas_result
free_one(const struct cas_store *s, const char *key, const char *instance_id, bool *ret_freed)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	enum cas_result res = s->load(s->ctx, key, &e);

	*ret_freed = false;
	if (res == CAS_NOT_FOUND)
		return CAS_OK;
	if (res != CAS_OK || !is_of(&e, instance_id))
		return res;
	res = s->remove(s->ctx, key, e.revision);
	*ret_freed = res == CAS_OK;
	/* Only this instance's vmd writes the key: a lost race is an earlier try of ours. */
	return res == CAS_LOST ? CAS_UNKNOWN : res;
}

enum address_result
address_free(const struct cas_store *s, const struct address_range *r, const char *account_id,
    const char *instance_id, const char *address, enum cas_result *ret_store)
{
	unsigned look = *address ? 1 : r->count < ADDRESS_LOOK ? r->count : ADDRESS_LOOK;
	char candidate[ADDRESS_TEXT_MAX], key[CAS_KEY_MAX];
	bool freed = false;

	for (unsigned n = 0; n < look && !freed; n++) {
		enum cas_result res;

		if (!*address)
			address_candidate(r, instance_id, n, candidate);
		key_of(account_id, *address ? address : candidate, key);
		res = free_one(s, key, instance_id, &freed);
		if (res != CAS_OK) {
			*ret_store = res;
			return ADDRESS_STORE;
		}
	}
	return ADDRESS_OK;
}
