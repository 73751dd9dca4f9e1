#include "gwd/key_pair_find.h"

#include <stdio.h>
#include <string.h>

#include "gwd/cloud.h"

/* CAS_OK also where another has the key, or nobody any more. */
static enum cas_result
is_it(struct bucket *b, const char *key, const char *id, bool *ret)
{
	AUTO(cas_entry) struct cas_entry e = { 0 };
	AUTO(key_pair) struct key_pair k = { 0 };
	char why[JSON_WHY_MAX];
	const enum cas_result r = kv_load_wait(b, key, CLOUD_READ_MS, &e);

	*ret = r == CAS_OK && key_pair_from_json(e.value, e.len, &k, why) == 0 &&
	    strcmp(k.id, id) == 0;
	return r == CAS_NOT_FOUND ? CAS_OK : r;
}

enum cas_result
key_pair_find(struct bucket *b, const char *account, const char *id, char ret[static KEY_PAIR_KEY_MAX])
{
	char prefix[32];
	struct kv_keys keys = { 0 };
	bool found = false;
	enum cas_result r;

	snprintf(prefix, sizeof(prefix), "%.16s.", account);
	r = kv_list_wait(b, prefix, CLOUD_READ_MS, &keys);
	for (size_t i = 0; r == CAS_OK && !found && i < keys.n; i++) {
		r = is_it(b, keys.key[i], id, &found);
		if (found)
			snprintf(ret, KEY_PAIR_KEY_MAX, "%s", keys.key[i]);
	}
	kv_keys_deinit(&keys);
	return r != CAS_OK || found ? r : CAS_NOT_FOUND;
}
