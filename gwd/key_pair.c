#include "gwd/key_pair.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/sigv4.h"

#define KEY_PAIR_SCHEMA		1
#define KEY_PAIR_RECORD_MAX	(128 * 1024)	/* bytes of JSON */
#define KEY_PAIR_PUBLIC_MAX	16384

#define TEXT(member)	{ .key = #member, .type = JSON_STR,				\
	.offset = offsetof(struct key_pair, member), .min = 1,				\
	.max = sizeof(((struct key_pair *)0)->member) - 1, .need = true }

static const struct json_field key_pair_fields[] = {
	TEXT(id),
	TEXT(name),
	TEXT(type),
	TEXT(fingerprint),
	{ .key = "public_key", .type = JSON_DUP, .offset = offsetof(struct key_pair, public_key),
	  .max = KEY_PAIR_PUBLIC_MAX, .need = true },
	{ .key = "created", .type = JSON_TIME, .offset = offsetof(struct key_pair, created_ms) },
	{ .key = "tags", .type = JSON_TREE, .offset = offsetof(struct key_pair, tags) },
};

void
key_pair_deinit(struct key_pair *k)
{
	json_release(key_pair_fields, ARRAY_LEN(key_pair_fields), k);
	*k = (struct key_pair){ 0 };
}

bool
key_pair_name_is_valid(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > KEY_PAIR_NAME_MAX || name[0] == ' ' || name[len - 1] == ' ')
		return false;
	for (const char *p = name; *p; p++) {
		if (*p < 0x20 || *p > 0x7e)
			return false;
	}
	return true;
}

void
key_pair_key(const char *account, const char *name, char ret[static KEY_PAIR_KEY_MAX])
{
	char hex[SIGV4_HEX + 1];

	sigv4_sha256_hex(name, strlen(name), hex);
	snprintf(ret, KEY_PAIR_KEY_MAX, "%.16s.%s", account, hex);
}

int
key_pair_from_json(const char *value, size_t len, struct key_pair *ret,
    char why[static JSON_WHY_MAX])
{
	struct key_pair k = { 0 };
	int r = json_read(value, len, KEY_PAIR_RECORD_MAX, key_pair_fields,
	    ARRAY_LEN(key_pair_fields), JSON_LOOSE, &k, sizeof(k), why);

	if (r == 0)
		*ret = k;
	return r;
}

char *
key_pair_to_json(const struct key_pair *k)
{
	AUTO(json) cJSON *obj = json_encode(key_pair_fields, ARRAY_LEN(key_pair_fields), k);

	if (!obj || !json_add_u64(obj, "schema_version", KEY_PAIR_SCHEMA))
		return NULL;
	return json_print(obj);
}

cJSON *
key_pair_view(const struct key_pair *k, bool with_public_key)
{
	AUTO(json) cJSON *obj = cJSON_CreateObject();
	cJSON *tags = k->tags ? cJSON_Duplicate(k->tags, true) : cJSON_CreateArray();

	if (!obj || !tags || !cJSON_AddItemToObject(obj, "Tags", tags)) {
		cJSON_Delete(tags);
		return NULL;
	}
	if (!cJSON_AddStringToObject(obj, "KeyPairId", k->id) ||
	    !cJSON_AddStringToObject(obj, "KeyName", k->name) ||
	    !cJSON_AddStringToObject(obj, "KeyType", k->type) ||
	    !cJSON_AddStringToObject(obj, "KeyFingerprint", k->fingerprint) ||
	    !json_add_time(obj, "CreateTime", k->created_ms))
		return NULL;
	if (with_public_key && !cJSON_AddStringToObject(obj, "PublicKey", k->public_key))
		return NULL;
	return steal_json(&obj);
}
